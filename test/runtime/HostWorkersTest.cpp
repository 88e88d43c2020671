// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker threads of the host backend alone: which blocks run where, and what ends a launch. The
// kernels are functions of this program, and, where a signal is to come from device code, x86-64
// instructions at an address of images.

#include "runtime/backends/host/HostWorkers.h"
#include "intrinsics/abi/AddressMap.h"
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <sys/mman.h>

namespace vx::rt {
namespace {

using abi::HostWorker;
using abi::LaunchDescriptor;
using Entry = void (*)(const LaunchDescriptor *);

HostWorker &self() {
  uint64_t frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return *reinterpret_cast<HostWorker *>(frame & ~(abi::kHostWorkerBytes - 1));
}
void stop(uint64_t reason) {
  reinterpret_cast<void (*)(uint64_t)>(self().stop)(reason);
}
void yield() {
  reinterpret_cast<void (*)()>(self().yield)();
}

/// The work that the blocks of a launch have done.
struct {
  std::mutex mutex;
  std::vector<uint64_t> blocks;
  std::set<uint64_t> areas; ///< of shared memory
  std::atomic<unsigned> running{0}, most{0}, arrived{0};
  std::atomic<bool> mayEnd{false};
} record;

void noteBlock(const LaunchDescriptor *) {
  unsigned now = ++record.running;
  for (unsigned most = record.most; most < now && !record.most.compare_exchange_weak(most, now);) {
  }
  {
    std::lock_guard lock(record.mutex);
    record.blocks.push_back(self().block);
    record.areas.insert(self().shared);
  }
  --record.running;
}

/// Ends the kernel in block 3.
void stopInBlock3(const LaunchDescriptor *d) {
  noteBlock(d);
  if (self().block == 3)
    stop(VX_ECALL_ASSERT);
}

void waitForAll(const LaunchDescriptor *d) {
  noteBlock(d);
  ++record.arrived;
  while (record.arrived < d->numBlocks)
    yield();
}

void waitForOneThatStops(const LaunchDescriptor *) {
  if (self().block == 1)
    stop(abi::kHostStopTrap);
  for (;;)
    yield();
}

void waitForTheTest(const LaunchDescriptor *) {
  while (!record.mayEnd)
    sched_yield();
}

class HostWorkersTest : public testing::Test {
protected:
  void SetUp() override {
    record.blocks.clear();
    record.areas.clear();
    record.running = record.most = record.arrived = 0;
    record.mayEnd = false;
  }
  static LaunchDescriptor launchOf(uint64_t entry, uint64_t blocks) {
    LaunchDescriptor d{};
    d.kernelEntry = entry;
    d.numBlocks = d.blocksAtOnce = blocks;
    d.blocksPerCore = 256;
    d.sharedBase = 0x1000;
    d.sharedStride = 0x100;
    return d;
  }
  static LaunchDescriptor launchOf(Entry entry, uint64_t blocks) {
    return launchOf(reinterpret_cast<uintptr_t>(entry), blocks);
  }
  static Fault run(HostWorkers &workers, const LaunchDescriptor &descriptor) {
    Result<Fault> result = workers.run(descriptor, [] { return false; });
    EXPECT_TRUE(bool(result));
    return result ? *result : Fault();
  }
};

TEST_F(HostWorkersTest, EachBlockRunsOnce) {
  for (unsigned threads : {1u, 3u}) {
    SetUp();
    HostWorkers workers(threads);
    LaunchDescriptor launch = launchOf(noteBlock, 100);
    launch.firstBlock = 10; // those before it have run already
    EXPECT_EQ(run(workers, launch).kind, FaultKind::None);
    std::set<uint64_t> different(record.blocks.begin(), record.blocks.end());
    EXPECT_EQ(record.blocks.size(), 90u);
    EXPECT_EQ(different.size(), 90u);
    EXPECT_EQ(*different.begin(), 10u);
    EXPECT_LE(record.most, threads);
    for (uint64_t area : record.areas)
      EXPECT_TRUE(area >= 0x1000 && area < 0x1000 + threads * 0x100 && area % 0x100 == 0) << area;
  }
}

TEST_F(HostWorkersTest, OneWorkerTakesBlocksInOrder) {
  HostWorkers workers(1);
  run(workers, launchOf(noteBlock, 20));
  for (uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(record.blocks.at(i), i);
}

TEST_F(HostWorkersTest, ACooperativeLaunchRunsAllBlocksAtATime) {
  HostWorkers workers(1);
  LaunchDescriptor launch = launchOf(waitForAll, 4);
  launch.flags = abi::kLaunchCooperative;
  EXPECT_EQ(run(workers, launch).kind, FaultKind::None);
  EXPECT_EQ(record.blocks.size(), 4u);
  EXPECT_EQ(record.areas.size(), 4u);
}

TEST_F(HostWorkersTest, AStopEndsTheLaunchAndNamesTheBlock) {
  HostWorkers workers(1);
  Fault fault = run(workers, launchOf(stopInBlock3, 10));
  EXPECT_EQ(fault.kind, FaultKind::Service);
  EXPECT_EQ(fault.code, uint64_t(VX_ECALL_ASSERT));
  EXPECT_EQ(fault.block, 3u);
  EXPECT_EQ(record.blocks, (std::vector<uint64_t>{0, 1, 2, 3}));
  // The next launch is not concerned.
  SetUp();
  EXPECT_EQ(run(workers, launchOf(noteBlock, 5)).kind, FaultKind::None);
  EXPECT_EQ(record.blocks.size(), 5u);
}

TEST_F(HostWorkersTest, AStopEndsBlocksThatWaitForTheStoppedOne) {
  HostWorkers workers(1);
  LaunchDescriptor launch = launchOf(waitForOneThatStops, 3);
  launch.flags = abi::kLaunchCooperative;
  Fault fault = run(workers, launch);
  EXPECT_EQ(fault.kind, FaultKind::Trap);
  EXPECT_EQ(fault.block, 1u);
}

TEST_F(HostWorkersTest, AnInterruptDoesNotWaitForTheBlocks) {
  LaunchDescriptor launch = launchOf(waitForTheTest, 1); // for as long as there are workers
  HostWorkers workers(1);
  Result<Fault> result = workers.run(launch, [] { return true; });
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->kind, FaultKind::Other);
  record.mayEnd = true; // the destructor waits for the worker
}

/// Instructions at an address where images lie: their signals are faults of device code.
class HostCodeTest : public HostWorkersTest {
protected:
  static constexpr uint64_t kAddress = VX_STARTUP_ADDR;
  void SetUp() override {
    HostWorkersTest::SetUp();
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the address sanitizer has its own memory where images lie";
#endif
    code = mmap(reinterpret_cast<void *>(kAddress), 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    ASSERT_EQ(code, reinterpret_cast<void *>(kAddress));
  }
  void TearDown() override {
    if (code == reinterpret_cast<void *>(kAddress))
      munmap(code, 4096);
  }
  void *code = nullptr;

  static Fault runCode(std::initializer_list<uint8_t> code) {
    std::memcpy(reinterpret_cast<void *>(kAddress), code.begin(), code.size());
    HostWorkers workers(1);
    return run(workers, launchOf(kAddress, 2));
  }
};

TEST_F(HostCodeTest, CodeThatReturnsIsNoFault) {
  EXPECT_EQ(runCode({0xc3}).kind, FaultKind::None); // ret
}

TEST_F(HostCodeTest, AWriteToNoMemory) {
  Fault fault = runCode({0xc6, 0x04, 0x25, 0x10, 0, 0, 0, 1}); // mov byte [0x10], 1
  EXPECT_EQ(fault.kind, FaultKind::MemoryAccess);
  EXPECT_EQ(fault.address, 0x10u);
  EXPECT_TRUE(fault.isWrite);
  EXPECT_EQ(fault.pc, kAddress);
  EXPECT_EQ(fault.block, 0u);
}

TEST_F(HostCodeTest, AReadOfNoMemory) {
  Fault fault = runCode({0x90, 0x8a, 0x04, 0x25, 0x20, 0, 0, 0}); // nop; mov al, [0x20]
  EXPECT_EQ(fault.kind, FaultKind::MemoryAccess);
  EXPECT_EQ(fault.address, 0x20u);
  EXPECT_FALSE(fault.isWrite);
  EXPECT_EQ(fault.pc, kAddress + 1);
}

TEST_F(HostCodeTest, AnIllegalInstruction) {
  EXPECT_EQ(runCode({0x0f, 0x0b}).kind, FaultKind::IllegalInstruction); // ud2
}

TEST_F(HostCodeTest, AStackOverflow) {
  EXPECT_EQ(runCode({0x50, 0xeb, 0xfd}).kind, FaultKind::StackOverflow); // push rax, for ever
}

TEST_F(HostCodeTest, AJumpToNoCode) {
  Fault fault = runCode({0x31, 0xc0, 0xff, 0xe0}); // xor eax, eax; jmp rax
  EXPECT_EQ(fault.kind, FaultKind::InvalidPc);
  EXPECT_EQ(fault.pc, 0u);
}

} // namespace
} // namespace vx::rt
