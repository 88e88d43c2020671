// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backends/host/HostDevice.h"
#include "intrinsics/abi/FatBinary.h"
#include "intrinsics/abi/HostWorker.h"
#include "runtime/backends/host/HostMemorySpace.h"
#include "runtime/backends/host/HostWorkers.h"
#include "runtime/core/Interrupt.h"
#include "runtime/core/SharedPages.h"
#include <chrono>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace vx::rt {

namespace {

/// Blocks that a launch has room for at a time; as many are the most of a cooperative launch.
constexpr uint64_t kSlots = 256;

using Clock = std::chrono::steady_clock;

class HostDevice final : public Device {
public:
  HostDevice(std::unique_ptr<HostMemorySpace> memory, unsigned threads, unsigned vectorBits)
      : memory(std::move(memory)), threads(threads), workers(threads, vectorBits) {}

  std::string description() const override {
    return "host, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  }
  uint64_t caps(Cap cap) const override;
  uint64_t imageSlide() const override { return memory->imageSlide(); }

  Result<uint64_t> memAlloc(uint64_t size, uint8_t access) override {
    return memory->allocate(size, access);
  }
  Result<void> memReserve(uint64_t address, uint64_t size, uint8_t access) override {
    return memory->reserve(address, size, access);
  }
  Result<void> memShare(uint64_t address, uint64_t size, uint8_t access) override {
    return memory->reserve(address, size, access);
  }
  Result<void> memProtect(uint64_t address, uint64_t size, uint8_t access) override {
    return memory->protect(address, size, access);
  }
  Result<void> memExport(uint64_t address, uint64_t, SharedPages &pages) override {
    return memory->move(address, pages);
  }
  Result<void> memReplace(uint64_t address, uint64_t size, SharedPages *pages) override {
    return memory->replace(address, size, pages);
  }
  Result<void> memImport(uint64_t address, uint64_t size, SharedPages &) override {
    return memory->reserve(address, size, kMemRead | kMemWrite);
  }
  Result<uint64_t> memImport(uint64_t size, SharedPages &pages) override {
    uint64_t address = reinterpret_cast<uintptr_t>(pages.bytes());
    if (Result<void> r = memory->reserve(address, size, kMemRead | kMemWrite); !r)
      return r.error();
    return address;
  }
  Result<void> memFree(uint64_t address) override { return memory->release(address); }
  MemInfo memInfo() const override { return memory->info(); }

  Result<void> copyToDev(uint64_t destination, std::span<const uint8_t> source) override {
    return memory->write(destination, source);
  }
  Result<void> copyFromDev(std::span<uint8_t> destination, uint64_t source) override {
    return memory->read(destination, source);
  }
  Result<void> fill(uint64_t destination, uint8_t value, uint64_t size) override {
    return memory->fill(destination, value, size);
  }

  Result<void> dcrWrite(uint32_t, uint32_t) override { return {}; }
  Result<uint32_t> dcrRead(uint32_t) override { return 0; }

  void describeNextRun(const sim::RunInfo &info) override { runName = info.name; }
  Result<void> start(uint64_t, uint64_t argument) override {
    launch = reinterpret_cast<const abi::LaunchDescriptor *>(uintptr_t(argument));
    return {};
  }
  RunReport readyWait() override;
  void requestStop() override { workers.requestStop(); }
  uint64_t cycles() const override { return nanoseconds; }

private:
  std::unique_ptr<HostMemorySpace> memory;
  unsigned threads;
  HostWorkers workers;
  const abi::LaunchDescriptor *launch = nullptr;
  uint64_t nanoseconds = 0; // of all launches
  std::string runName;      // the kernel that runs, or ran last
};

} // namespace

/// One core of kSlots warps of one lane: each runs a block.
uint64_t HostDevice::caps(Cap cap) const {
  switch (cap) {
  case Cap::NumThreads:
  case Cap::NumCores:
    return 1;
  case Cap::NumWarps:
  case Cap::NumBarriers:
    return kSlots;
  case Cap::CacheLineSize:
    return 64;
  case Cap::GlobalMemSize:
    return memory->info().total;
  case Cap::Xlen:
    return 64;
  case Cap::WarpIsa:
    return uint64_t(abi::IsaProfile::Warp);
  case Cap::StackBytes:
  case Cap::MaxStackBytes:
    return abi::kHostWorkerBytes / 2;
  case Cap::Zicond:
  case Cap::HostCode:
  case Cap::SharesMemory:
    return 1;
  default:
    return 0;
  }
}

static const char *causeOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::MemoryAccess:
    return "illegal memory access";
  case FaultKind::StackOverflow:
    return "stack overflow";
  case FaultKind::InvalidPc:
    return "jump outside of code";
  case FaultKind::IllegalInstruction:
    return "illegal instruction";
  case FaultKind::Other:
    return "interrupted";
  default:
    return "breakpoint";
  }
}

RunReport HostDevice::readyWait() {
  RunReport report;
  Clock::time_point begin = Clock::now();
  Result<Fault> fault = Fault();
  bool interrupted;
  {
    InterruptGuard guard(*this);
    fault = workers.run(*launch, [&] { return guard.wasInterrupted(); });
    interrupted = guard.wasInterrupted();
  }
  if (interrupted)
    endInterrupted(*this, runName);
  auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
  nanoseconds += uint64_t(time.count());
  if (!fault) {
    report.fault.kind = FaultKind::Other;
    report.fault.cause = fault.error().message;
    return report;
  }
  report.fault = *fault;
  if (fault->kind != FaultKind::None)
    report.fault.cause = causeOf(fault->kind);
  return report;
}

static Result<unsigned> wantedThreads() {
  const char *text = std::getenv("VX_HOST_THREADS");
  if (!text || !*text)
    return std::max(1u, std::min(std::thread::hardware_concurrency(), unsigned(kSlots)));
  char *end = nullptr;
  unsigned long count = std::strtoul(text, &end, 10);
  if (*end || count == 0 || count > kSlots)
    return Failure{"VX_HOST_THREADS=" + std::string(text) + ": it is a number from 1 to " +
                   std::to_string(kSlots)};
  return unsigned(count);
}

/// Returns how long the vectors of kernels may be: as long as the CPU has them, or as is asked for.
static Result<unsigned> wantedVectorBits() {
  unsigned most = __builtin_cpu_supports("x86-64-v4") ? 512 : 256;
  const char *text = std::getenv("VX_HOST_VECTORS");
  if (!text || !*text)
    return most;
  std::string bits = text;
  if (bits != "256" && bits != "512")
    return Failure{"VX_HOST_VECTORS=" + bits + ": it is 256 or 512"};
  if (bits == "512" && most < 512)
    return Failure{"VX_HOST_VECTORS=512: the CPU has no AVX-512 (x86-64-v4)"};
  return bits == "512" ? 512u : 256u;
}

Result<std::unique_ptr<Device>> openHostDevice(const DeviceIdentity &identity) {
  Result<unsigned> threads = wantedThreads();
  if (!threads)
    return threads.error();
  Result<unsigned> vectorBits = wantedVectorBits();
  if (!vectorBits)
    return vectorBits.error();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2"))
    return Failure{"device code for the host needs a CPU with AVX2, FMA and BMI2 (x86-64-v3)"};
  uint64_t physical = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  Result<std::unique_ptr<HostMemorySpace>> memory =
      HostMemorySpace::create(physical, windowBase(identity.window));
  if (!memory)
    return memory.error();
  return std::unique_ptr<Device>(new HostDevice(std::move(*memory), *threads, *vectorBits));
}

} // namespace vx::rt
