// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The advice that a program gives about ranges of managed memory, and what it is told about them.

#include "ApiFixture.h"
#include "runtime/memory/MemoryAdvice.h"

namespace vx::rt::test {
namespace {

constexpr size_t kPage = 4096;

class ManagedApi : public ApiTest {
protected:
  char *memory = nullptr;
  void SetUp() override {
    ApiTest::SetUp();
    ASSERT_EQ(cudaMallocManaged(&memory, 8 * kPage), cudaSuccess);
  }
  int attribute(cudaMemRangeAttribute which, size_t from, size_t pages) {
    int value = -100;
    EXPECT_EQ(
        cudaMemRangeGetAttribute(&value, sizeof value, which, memory + from * kPage, pages * kPage),
        cudaSuccess);
    return value;
  }
};

TEST_F(ManagedApi, AttributesAreWhatWasAdvisedOfAllPages) {
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, 0, 8), 0);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation, 0, 8), cudaInvalidDeviceId);
  EXPECT_EQ(cudaMemAdvise(memory + 2 * kPage, 3 * kPage, cudaMemAdviseSetReadMostly, 0),
            cudaSuccess);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, 2, 3), 1);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, 1, 3), 0);
  EXPECT_EQ(cudaMemAdvise(memory + 3 * kPage + 5, 1, cudaMemAdviseUnsetReadMostly, 0),
            cudaSuccess); // whole pages
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, 2, 3), 0);
  EXPECT_EQ(attribute(cudaMemRangeAttributeReadMostly, 4, 1), 1);
  EXPECT_EQ(cudaMemAdvise(memory, 8 * kPage, cudaMemAdviseSetPreferredLocation, 0), cudaSuccess);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation, 0, 8), 0);
  EXPECT_EQ(cudaMemAdvise(memory, kPage, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId),
            cudaSuccess);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation, 0, 1), cudaCpuDeviceId);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation, 0, 2), cudaInvalidDeviceId);
  EXPECT_EQ(cudaMemAdvise(memory, kPage, cudaMemAdviseUnsetPreferredLocation, 77), cudaSuccess);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocation, 0, 1), cudaInvalidDeviceId);
  EXPECT_EQ(attribute(cudaMemRangeAttributePreferredLocationType, 1, 7), 1);
}

TEST_F(ManagedApi, AccessorsAndPrefetches) {
  int list[3] = {};
  EXPECT_EQ(cudaMemAdvise(memory, 8 * kPage, cudaMemAdviseSetAccessedBy, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(memory, 2 * kPage, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId),
            cudaSuccess);
  EXPECT_EQ(cudaMemRangeGetAttribute(list, sizeof list, cudaMemRangeAttributeAccessedBy, memory,
                                     2 * kPage),
            cudaSuccess);
  EXPECT_EQ(list[0], cudaCpuDeviceId);
  EXPECT_EQ(list[1], 0);
  EXPECT_EQ(list[2], cudaInvalidDeviceId);
  EXPECT_EQ(attribute(cudaMemRangeAttributeAccessedBy, 0, 8), 0);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, 4 * kPage, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(memory + kPage, kPage, cudaCpuDeviceId, nullptr), cudaSuccess);
  int place = 0, mostly = -1;
  void *data[] = {&place, &mostly};
  size_t sizes[] = {sizeof place, sizeof mostly};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributeLastPrefetchLocation,
                                   cudaMemRangeAttributeReadMostly};
  EXPECT_EQ(cudaMemRangeGetAttributes(data, sizes, which, 2, memory + kPage, kPage), cudaSuccess);
  EXPECT_EQ(place, cudaCpuDeviceId);
  EXPECT_EQ(mostly, 0);
  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation, 2, 2), 0);
  EXPECT_EQ(attribute(cudaMemRangeAttributeLastPrefetchLocation, 2, 3), cudaInvalidDeviceId);
}

TEST_F(ManagedApi, AdviceEndsWithTheMemory) {
  uint64_t address = reinterpret_cast<uintptr_t>(memory);
  EXPECT_EQ(cudaMemAdvise(memory, 8 * kPage, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_TRUE(MemoryAdvice::get().find(address, kPage).front().readMostly);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_FALSE(MemoryAdvice::get().find(address, kPage).front().readMostly);
}

TEST_F(ManagedApi, Errors) {
  void *device = nullptr;
  int value, values[2];
  EXPECT_EQ(cudaMalloc(&device, kPage), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(device, kPage, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(memory, 9 * kPage, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(memory, 0, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(memory, kPage, cudaMemoryAdvise(99), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(memory, kPage, cudaMemAdviseSetAccessedBy, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, kPage, 5, nullptr), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, kPage, 0, cudaStream_t(0x998)),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemPrefetchAsync(device, kPage, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemRangeGetAttribute(values, sizeof values, cudaMemRangeAttributeReadMostly, memory,
                                     kPage),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeAccessedBy, memory, kPage),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttribute(50), memory, kPage),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, memory, 0, cudaMemAttachSingle),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, memory, kPage, cudaMemAttachGlobal),
            cudaErrorInvalidValue); // a part of it
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, memory, 0, 3), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, device, 0, cudaMemAttachGlobal),
            cudaErrorInvalidValue);
  cudaStream_t stream;
  EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, memory, 0, cudaMemAttachSingle), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(stream, memory, 8 * kPage, cudaMemAttachHost), cudaSuccess);
  (void)cudaGetLastError();
}

} // namespace
} // namespace vx::rt::test
