// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several devices, on fake ones: what belongs to which, and what contexts made by name are.

#include "ApiFixture.h"
#include <map>

namespace vx::rt::test {
namespace {

class DevicesApi : public ApiTest {
protected:
  std::map<uint32_t, FakeDevice *> opened; ///< by their windows

  void SetUp() override {
    ApiTest::SetUp();
    Runtime::get().setOpener(
        [this](const DeviceIdentity &identity) -> Result<std::unique_ptr<Device>> {
          auto fake = std::make_unique<FakeDevice>(0x10000 + (uint64_t(identity.window) << 32));
          fake->program = [this](FakeDevice &d, const abi::LaunchDescriptor &l) {
            return program ? program(d, l) : RunReport();
          };
          opened[identity.window] = fake.get();
          return std::unique_ptr<Device>(std::move(fake));
        },
        3);
  }
  void TearDown() override {
    for (int d = 0; d < 3; ++d) {
      cudaSetDevice(d);
      cudaDeviceReset();
    }
    ApiTest::TearDown();
    Runtime::get().setOpener(
        [](const DeviceIdentity &identity) { return openDevice("", identity); });
  }
};

TEST_F(DevicesApi, ContextsAreMadeWhenTheyAreNeeded) {
  int count = 0, now = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(opened.size(), 1u);
  EXPECT_EQ(cudaSetDevice(2), cudaSuccess);
  EXPECT_EQ(opened.size(), 2u);
  EXPECT_TRUE(opened.contains(2));
  EXPECT_EQ(cudaGetDevice(&now), cudaSuccess);
  EXPECT_EQ(now, 2);
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDevice(&now), cudaSuccess);
  EXPECT_EQ(now, 2);
  std::thread([] {
    int other = -1;
    EXPECT_EQ(cudaGetDevice(&other), cudaSuccess);
    EXPECT_EQ(other, 0);
  }).join();
  EXPECT_EQ(cudaInitDevice(1, 0, 0), cudaSuccess);
  EXPECT_EQ(opened.size(), 3u);
  EXPECT_EQ(cudaGetDevice(&now), cudaSuccess);
  EXPECT_EQ(now, 2);
  EXPECT_EQ(cudaInitDevice(1, 0, 2), cudaErrorInvalidValue);
  int order[] = {1, 0};
  EXPECT_EQ(cudaSetValidDevices(order, 2), cudaSuccess);
  std::thread([] {
    int other = -1;
    EXPECT_EQ(cudaGetDevice(&other), cudaSuccess);
    EXPECT_EQ(other, 1);
  }).join();
  EXPECT_EQ(cudaSetValidDevices(nullptr, 0), cudaSuccess);
}

TEST_F(DevicesApi, MemoryIsFoundWhoseverItIs) {
  char *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMalloc(&first, 100), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&second, 100), cudaSuccess);
  EXPECT_EQ(cudaMemset(first, 7, 100), cudaSuccess); // another device's
  EXPECT_EQ(cudaMemcpy(second, first, 100, cudaMemcpyDeviceToDevice), cudaSuccess);
  char back[100] = {};
  EXPECT_EQ(cudaMemcpy(back, second, 100, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back[99], 7);
  EXPECT_EQ(cudaMemcpy(second, first, 101, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyPeer(second, 0, first, 1, 4), cudaErrorInvalidValue);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, first + 5), cudaSuccess);
  EXPECT_EQ(attributes.device, 0);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaFree(first), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_F(DevicesApi, ErrorsOfKernelsStayWithTheirDevice) {
  program = [&](FakeDevice &d, const abi::LaunchDescriptor &) {
    return &d == opened[1] ? stopped(FaultKind::MemoryAccess, 4) : RunReport();
  };
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  testing::internal::CaptureStderr();
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress); // of this thread's last call
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(DevicesApi, HostMemoryIsEverybodysUntilItsContextEnds) {
  void *pinned = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes.device, 1);
  uint64_t address = reinterpret_cast<uintptr_t>(pinned);
  bool wasThere = false;
  program = [&](FakeDevice &d, const abi::LaunchDescriptor &) {
    wasThere = d.at(address, 64) != nullptr;
    return RunReport();
  };
  EXPECT_EQ(launchWork(pinned, 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(wasThere);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(opened[0]->at(address, 64), nullptr);
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_F(DevicesApi, DevicesWithMemoryOfTheirOwnArePeersOfNobody) {
  int can = -1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessUnsupported);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported) << "its own";
  EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 3), cudaErrorInvalidDevice);
  int value = -1;
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 2), cudaSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDeviceP2PAttr(99), 0, 2), cudaErrorInvalidValue);
  cudaIpcMemHandle_t handle;
  void *memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  EXPECT_EQ(cudaIpcGetMemHandle(&handle, memory), cudaErrorNotSupported);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrIpcEventSupport, 0), cudaSuccess);
  EXPECT_EQ(value, 0);
  (void)cudaGetLastError();
}

TEST_F(DevicesApi, AContextMadeByNameIsCurrentForItsThread) {
  char *outside = nullptr, *inside = nullptr;
  ASSERT_EQ(cudaMalloc(&outside, 16), cudaSuccess);
  uint64_t id = Runtime::get().create(0);
  ASSERT_NE(id, 0u);
  Runtime::get().setCurrentSlot(id);
  EXPECT_EQ(Runtime::get().currentDevice(), 0u);
  ASSERT_EQ(cudaMalloc(&inside, 16), cudaSuccess);
  EXPECT_NE(inside, outside);
  EXPECT_EQ(opened.size(), 2u); // it has a device of its own
  EXPECT_EQ(cudaMemset(inside, 9, 16), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(outside, inside, 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(launchEmpty(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(Runtime::get().destroy(id));
  EXPECT_FALSE(Runtime::get().destroy(id));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorInitializationError);
  Runtime::get().setCurrentSlot(0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  (void)cudaGetLastError();
}

} // namespace
} // namespace vx::rt::test
