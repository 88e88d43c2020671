// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend that loads a library with the functions of vortex.h (FakeVortex.cpp).

#include "runtime/backends/library/LibraryDevice.h"
#include "ApiFixture.h"
#include "runtime/backends/library/EndOfRun.h"
#include <cstdlib>

using namespace vx::rt;
using namespace vx::rt::test;

TEST(LibraryDevice, WhatIsNoBackendIsAnErrorThatNamesIt) {
  auto device = openDevice("no-such-thing");
  ASSERT_FALSE(device);
  EXPECT_NE(device.error().message.find("no-such-thing"), std::string::npos);
  auto noVortex = openDevice("/lib/x86_64-linux-gnu/libc.so.6");
  ASSERT_FALSE(noVortex);
  EXPECT_NE(noVortex.error().message.find("vx_dev_open"), std::string::npos);
}

TEST(LibraryDevice, AsksForCapabilities) {
  auto device = openDevice(VX_TEST_FAKE_VORTEX);
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->caps(Cap::NumThreads), 8u);
  EXPECT_EQ((*device)->caps(Cap::NumWarps), 4u);
  EXPECT_EQ((*device)->caps(Cap::NumBarriers), 2u);
  EXPECT_EQ((*device)->caps(Cap::Xlen), 64u);
  EXPECT_FALSE((*device)->memAlloc(1 << 30, kMemRead));
}

TEST(LibraryDevice, CopiesAreCheckedAgainstTheBuffers) {
  auto device = openDevice(VX_TEST_FAKE_VORTEX);
  ASSERT_TRUE(device);
  uint64_t a = *(*device)->memAlloc(16, kMemRead | kMemWrite);
  std::vector<uint8_t> bytes(17);
  EXPECT_TRUE((*device)->fill(a, 7, 16));
  EXPECT_TRUE((*device)->copyFromDev({bytes.data(), 8}, a + 8));
  EXPECT_EQ(bytes[7], 7);
  EXPECT_FALSE((*device)->copyFromDev(bytes, a));
  EXPECT_FALSE((*device)->copyToDev(a + 9, {bytes.data(), 8}));
  EXPECT_TRUE((*device)->memFree(a));
  EXPECT_FALSE((*device)->memFree(a));
}

TEST(LibraryDevice, StacksMustNotCoverWhatIsUsed) {
  auto device = openDevice(VX_TEST_FAKE_VORTEX);
  ASSERT_TRUE(device);
  EXPECT_EQ((*device)->caps(Cap::MaxStackBytes), 1u << 25) << "64 lanes";
  uint64_t base = (*device)->caps(Cap::LocalMemBase);
  ASSERT_TRUE((*device)->memReserve(base - (64 << 14), 4096, kMemRead));
  EXPECT_TRUE((*device)->setStackLog2Size(13));
  EXPECT_FALSE((*device)->setStackLog2Size(14));
}

/// A driver as SimX is, behaving as HOW says, and an image whose start-up code ends warps.
class DriverLibrary : public ::testing::Test {
protected:
  std::unique_ptr<Device> device;
  uint64_t entry = 0x80000000, argument = 0;

  void open(const char *how) {
    setenv("FAKE_VORTEX", how, 1);
    auto opened = openDevice(VX_TEST_FAKE_SIMX);
    unsetenv("FAKE_VORTEX");
    ASSERT_TRUE(opened) << opened.error().message;
    device = std::move(*opened);
    std::vector<uint32_t> code(16, 0x00000013); // nop
    code[9] = 0x0000000b;                       // vx_tmc x0
    ASSERT_TRUE(device->memReserve(entry, 4096, kMemRead | kMemExecute));
    ASSERT_TRUE(device->copyToDev(entry, {reinterpret_cast<uint8_t *>(code.data()), 64}));
    argument = *device->memAlloc(16, kMemRead);
  }
};

TEST_F(DriverLibrary, IsFoundByItsInitFunctionAndHasTheLocalMemoryThatItReallyHas) {
  ::testing::internal::CaptureStderr();
  open("");
  std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("repeats after 2048 bytes"), std::string::npos) << said;
  EXPECT_EQ(device->caps(Cap::LocalMemSize), 2048u);
  EXPECT_EQ(device->caps(Cap::NumThreads), 8u);
}

TEST_F(DriverLibrary, MemoryOfProgramsIsWhereTheDriverWouldHaveIt) {
  open("");
  EXPECT_EQ(argument, 0x10000u) << "not in the addresses of devices";
}

TEST_F(DriverLibrary, LocalMemoryCanBeSaid) {
  setenv("VX_LOCAL_MEMORY", "16384", 1);
  open("");
  EXPECT_EQ(device->caps(Cap::LocalMemSize), 16384u);
  setenv("VX_LOCAL_MEMORY", "2k", 1);
  auto wrong = openDevice(VX_TEST_FAKE_SIMX);
  unsetenv("VX_LOCAL_MEMORY");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("VX_LOCAL_MEMORY=2k"), std::string::npos);
}

TEST_F(DriverLibrary, AnImageLeavesItsCyclesWhenItEnds) {
  open("");
  for (uint64_t run = 1; run <= 2; ++run) {
    ASSERT_TRUE(device->start(entry, argument));
    RunReport report = device->readyWait();
    EXPECT_EQ(report.fault.kind, FaultKind::None) << report.fault.cause;
    EXPECT_EQ(device->cycles(), run * 900) << "those of the busiest core";
  }
}

TEST_F(DriverLibrary, AnImageThatLeavesNoCyclesHasNone) {
  open("");
  uint32_t nop = 0x00000013;
  ASSERT_TRUE(device->copyToDev(entry + 9 * 4, {reinterpret_cast<uint8_t *>(&nop), 4}));
  ASSERT_TRUE(device->start(entry, argument));
  EXPECT_EQ(device->readyWait().fault.kind, FaultKind::None);
  EXPECT_EQ(device->cycles(), 0u) << "not what the memory had before";
}

TEST_F(DriverLibrary, SegmentsThatTouchAreOneBufferOfTheDriver) {
  open("");
  std::vector<uint8_t> bytes(64), text(64);
  ASSERT_TRUE(device->copyFromDev(text, entry));
  ASSERT_TRUE(device->memReserve(entry + 4096, 100, kMemRead | kMemWrite));
  ASSERT_TRUE(device->memReserve(entry + 8192, 64, kMemRead));
  ASSERT_TRUE(device->fill(entry + 4096, 7, 100));
  EXPECT_TRUE(device->copyFromDev(bytes, entry));
  EXPECT_EQ(bytes, text) << "the contents have stayed";
  EXPECT_TRUE(device->copyFromDev(bytes, entry + 4096 + 36));
  EXPECT_EQ(bytes[63], 7);
  EXPECT_FALSE(device->copyFromDev(bytes, entry + 4096 + 37)) << "after the segment";
  ASSERT_TRUE(device->start(entry, argument));
  EXPECT_EQ(device->readyWait().fault.kind, FaultKind::None);
  EXPECT_EQ(device->cycles(), 900u);
  // The driver's buffer goes with the last of them.
  EXPECT_TRUE(device->memFree(entry + 4096));
  EXPECT_TRUE(device->copyFromDev(bytes, entry));
  EXPECT_TRUE(device->memFree(entry));
  EXPECT_FALSE(device->memReserve(entry, 4096, kMemRead)) << "still the driver's";
  EXPECT_TRUE(device->memFree(entry + 8192));
  EXPECT_TRUE(device->memReserve(entry, 4096, kMemRead));
}

TEST_F(DriverLibrary, ARunThatEndsBeforeTheProgramIsAFailure) {
  open("silent");
  ASSERT_TRUE(device->start(entry, argument));
  RunReport report = device->readyWait();
  EXPECT_EQ(report.fault.kind, FaultKind::Other);
  EXPECT_NE(report.fault.cause.find("before core"), std::string::npos) << report.fault.cause;
}

TEST_F(DriverLibrary, AnAbortIsTheEndOfTheDeviceAndNotOfTheProgram) {
  open("abort");
  auto started = device->start(entry, argument);
  ASSERT_FALSE(started) << "the stand-in aborts in vx_start";
  EXPECT_NE(started.error().message.find("Aborted"), std::string::npos) << started.error().message;
  RunReport report = device->readyWait();
  EXPECT_EQ(report.fault.kind, FaultKind::Other);
  EXPECT_FALSE(device->memAlloc(16, kMemRead));
}

TEST(EndOfRun, JumpsReachAMegabyte) {
  EXPECT_EQ(jumpTo(0x80000024, 0x80000000), 0xfddff06fu) << "j .-36";
  EXPECT_EQ(jumpTo(0x1000, 0x1000 + 2048), 0x0010006fu) << "j .+2048";
  EXPECT_TRUE(jumpTo(0x80000000, 0x80000000 - (1 << 20)));
  EXPECT_FALSE(jumpTo(0x80000000, 0x80000000 - (1 << 20) - 4));
  EXPECT_FALSE(jumpTo(0, 1 << 20));
}

using LibraryApi = ApiTest;

TEST_F(LibraryApi, ProgramsRunOnIt) {
  Runtime::get().setOpener([](const DeviceIdentity &) { return openDevice(VX_TEST_FAKE_VORTEX); });
  int value = 21, result = 0;
  void *p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(launchWork(p, 0), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&result, p, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(result, 42);
}

TEST_F(LibraryApi, AnAbortOfTheDriverIsALaunchFailure) {
  Runtime::get().setOpener([](const DeviceIdentity &) {
    setenv("FAKE_VORTEX", "abort", 1);
    auto opened = openDevice(VX_TEST_FAKE_SIMX);
    unsetenv("FAKE_VORTEX");
    return opened;
  });
  void *p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  (void)launchWork(p, 0);
  EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
}
