// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiFixture.h"

using namespace vx::rt;
using namespace vx::rt::test;

namespace {

class MemoryPoolApi : public ApiTest {
protected:
  cudaMemPool_t pool = nullptr;
  cudaStream_t stream = nullptr, other = nullptr;
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();

  void SetUp() override {
    ApiTest::SetUp();
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  }
  uint64_t get(cudaMemPoolAttr id, cudaMemPool_t of = nullptr) {
    uint64_t value = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(of ? of : pool, id, &value), cudaSuccess);
    return value;
  }
  void setThreshold(uint64_t bytes) {
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), cudaSuccess);
  }
  void *allocate(size_t size, cudaStream_t in) {
    void *pointer = nullptr;
    EXPECT_EQ(cudaMallocAsync(&pointer, size, in), cudaSuccess);
    return pointer;
  }
  size_t freeBytes() {
    size_t free = 0, total;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    return free;
  }
  void block(cudaStream_t in) {
    ASSERT_EQ(cudaLaunchHostFunc(
                  in, [](void *f) { static_cast<std::shared_future<void> *>(f)->wait(); }, &opened),
              cudaSuccess);
  }
};

} // namespace

TEST_F(MemoryPoolApi, FreedMemoryIsUsedAgain) {
  void *first = allocate(8192, stream);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 8192u);
  EXPECT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 8192u);
  EXPECT_EQ(allocate(8000, stream), first) << "the stream orders both";
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 8192u);
  EXPECT_EQ(cudaMemset(first, 0, 8000), cudaSuccess);
  EXPECT_NE(allocate(8192, stream), first);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemHigh), 16384u);
}

TEST_F(MemoryPoolApi, WaitingGivesBackWhatIsBeyondTheThreshold) {
  size_t before = freeBytes();
  void *first = allocate(4096, stream), *second = allocate(4096, stream);
  EXPECT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(second, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0u);
  EXPECT_EQ(freeBytes(), before);
  setThreshold(4096);
  first = allocate(4096, stream);
  second = allocate(4096, stream);
  EXPECT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(second, stream), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 4096u);
  EXPECT_EQ(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0u);
  EXPECT_EQ(freeBytes(), before);
}

TEST_F(MemoryPoolApi, FreeingTwiceIsAnErrorOfTheCall) {
  void *pointer = allocate(64, stream), *plain;
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&plain, 64), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(plain, stream), cudaSuccess) << "memory of cudaMalloc, too";
  EXPECT_EQ(cudaFreeAsync(plain, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(this, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(allocate(64, stream)), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the context is whole";
}

TEST_F(MemoryPoolApi, OtherStreamsWaitForMemoryOrGetOther) {
  void *first = allocate(4096, stream);
  block(stream);
  EXPECT_EQ(cudaFreeAsync(first, stream), cudaSuccess);
  int off = 0;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &off),
            cudaSuccess);
  void *second = allocate(4096, other);
  EXPECT_NE(second, first);
  EXPECT_EQ(cudaStreamQuery(other), cudaSuccess);
  int on = 1;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &on),
            cudaSuccess);
  EXPECT_EQ(allocate(4096, other), first);
  EXPECT_EQ(cudaStreamQuery(other), cudaErrorNotReady) << "until the free has happened";
  gate.set_value();
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  // Memory whose free has happened goes to any stream.
  setThreshold(UINT64_MAX);
  EXPECT_EQ(cudaFreeAsync(second, other), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &off),
            cudaSuccess);
  EXPECT_EQ(allocate(4096, stream), second);
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &off), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(second, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_NE(allocate(4096, other), second);
}

TEST_F(MemoryPoolApi, PoolsOfTheProgram) {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  props.maxSize = 8192;
  cudaMemPool_t own, current;
  EXPECT_EQ(cudaMemPoolCreate(&own, &props), cudaSuccess);
  void *pointer, *second;
  EXPECT_EQ(cudaMallocFromPoolAsync(&pointer, 8192, own, stream), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent, own), 8192u);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(cudaMallocFromPoolAsync(&second, 1, own, stream), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaDeviceSetMemPool(0, own), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, own);
  EXPECT_EQ(cudaMallocAsync(&second, 1, stream), cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaSuccess) << "its allocations stay";
  EXPECT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, pool);
  EXPECT_EQ(cudaMallocFromPoolAsync(&second, 1, own, stream), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(pointer, 0, 8192), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue) << "the default one";
  props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  EXPECT_EQ(cudaMemPoolCreate(&own, &props), cudaErrorNotSupported);
  props.handleTypes = cudaMemHandleTypeNone;
  props.location.id = 7;
  EXPECT_EQ(cudaMemPoolCreate(&own, &props), cudaErrorInvalidValue);
}

TEST_F(MemoryPoolApi, DestroyedPoolsWaitForTheWorkInStreams) {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t own;
  size_t before = freeBytes();
  EXPECT_EQ(cudaMemPoolCreate(&own, &props), cudaSuccess);
  void *pointer;
  EXPECT_EQ(cudaMallocFromPoolAsync(&pointer, 4096, own, stream), cudaSuccess);
  block(stream);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaSuccess);
  EXPECT_EQ(freeBytes(), before - 4096) << "what is in the stream may use it";
  gate.set_value();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(freeBytes(), before);
}

TEST_F(MemoryPoolApi, AccessAndSharing) {
  cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaSuccess);
  access.flags = cudaMemAccessFlagsProtNone;
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice);
  access.location.id = 3;
  EXPECT_EQ(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice);
  cudaMemAccessFlags flags;
  access.location.id = 0;
  EXPECT_EQ(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaSuccess);
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  int descriptor;
  EXPECT_EQ(cudaMemPoolExportToShareableHandle(&descriptor, pool,
                                               cudaMemHandleTypePosixFileDescriptor, 0),
            cudaErrorInvalidValue)
      << "it was made without handles";
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttr(77), &flags), cudaErrorInvalidValue);
  uint64_t one = 1;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one), cudaErrorInvalidValue);
}

TEST_F(MemoryPoolApi, FullDevicesTakeKeptMemory) {
  setThreshold(UINT64_MAX);
  void *large = allocate(40 << 20, stream);
  EXPECT_EQ(cudaFreeAsync(large, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), uint64_t(40) << 20);
  EXPECT_NE(allocate(50 << 20, stream), nullptr);
}
