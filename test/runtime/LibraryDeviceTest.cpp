// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend that loads a library with the functions of vortex.h (FakeVortex.cpp).

#include "runtime/backends/library/LibraryDevice.h"
#include "ApiFixture.h"

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
