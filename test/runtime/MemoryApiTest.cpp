// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApiFixture.h"
#include <vector>

using namespace vx::rt;
using namespace vx::rt::test;

namespace {

class MemoryApi : public ApiTest {
protected:
  char *allocate(size_t size) {
    void *p = nullptr;
    EXPECT_EQ(cudaMalloc(&p, size), cudaSuccess);
    return static_cast<char *>(p);
  }
  static std::vector<char> counted(size_t size) {
    std::vector<char> v(size);
    std::iota(v.begin(), v.end(), char(1));
    return v;
  }
};

} // namespace

TEST_F(MemoryApi, CopiesOfAllKinds) {
  char *a = allocate(100), *b = allocate(100);
  std::vector<char> in = counted(100), out(100), out2(100);
  EXPECT_EQ(cudaMemcpy(a, in.data(), 100, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(b, a, 100, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(out.data(), b, 100, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(out2.data(), out.data(), 100, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(out2, in);
  std::vector<char> back(100);
  EXPECT_EQ(cudaMemset(a, 0, 100), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(a, in.data(), 100, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), a, 100, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(back, in);
}

TEST_F(MemoryApi, InteriorPointers) {
  char *a = allocate(100);
  std::vector<char> in = counted(10), out(100);
  EXPECT_EQ(cudaMemset(a, 7, 100), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(a + 45, in.data(), 10, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(out.data(), a, 100, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[44], 7);
  EXPECT_EQ(out[45], 1);
  EXPECT_EQ(out[54], 10);
  EXPECT_EQ(out[55], 7);
}

TEST_F(MemoryApi, BadPointersAndSizes) {
  char *a = allocate(100);
  std::vector<char> host(200);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 101, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a + 100, host.data(), 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data() + 100, host.data(), 8, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data() + 100, 8, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, nullptr, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 8, cudaMemcpyKind(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(a, host.data(), SIZE_MAX, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(a, 0, 101), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
}

TEST_F(MemoryApi, FreeTakesOnlyWhatMallocGave) {
  char *a = allocate(100);
  std::vector<char> host(16);
  EXPECT_EQ(cudaFree(a + 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(host.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(cudaFree(a), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
}

TEST_F(MemoryApi, Exhaustion) {
  void *p = &p;
  EXPECT_EQ(cudaMalloc(&p, size_t(1) << 40), cudaErrorMemoryAllocation);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  size_t before, after, total;
  EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  allocate(1 << 20);
  EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, size_t(1) << 20);
  EXPECT_EQ(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaMalloc((void **)nullptr, 4), cudaErrorInvalidValue);
}

TEST_F(MemoryApi, Rows) {
  char *pitched = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pitched, &pitch, 10, 3), cudaSuccess);
  EXPECT_EQ(pitch % 512, 0u);
  std::vector<char> in = counted(30), out(36, 99);
  EXPECT_EQ(cudaMemcpy2D(pitched, pitch, in.data(), 10, 10, 3, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaMemset2D(pitched + 2, pitch, 0, 2, 2), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(out.data(), 12, pitched, pitch, 10, 3, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[2], 0);
  EXPECT_EQ(out[3], 0);
  EXPECT_EQ(out[10], 99) << "between the rows";
  EXPECT_EQ(out[12], 11);
  EXPECT_EQ(out[15], 0);
  EXPECT_EQ(out[26], 23) << "the third row was not filled";
  EXPECT_EQ(cudaMemcpy2D(pitched, pitch, in.data(), 10, 11, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(pitched, pitch, in.data(), 10, 11, 0, cudaMemcpyHostToDevice),
            cudaSuccess);
  EXPECT_EQ(cudaMemset2D(pitched, 4, 0, 8, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset2D(pitched, 4, 0, 8, 1), cudaSuccess) << "one row has no pitch";
  EXPECT_EQ(cudaMemcpy2D(pitched, pitch, in.data(), 10, 10, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST_F(MemoryApi, Boxes) {
  cudaPitchedPtr box{};
  ASSERT_EQ(cudaMalloc3D(&box, make_cudaExtent(4, 3, 2)), cudaSuccess);
  std::vector<char> in = counted(24), out(24);
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(in.data(), 4, 4, 3);
  p.dstPtr = box;
  p.extent = make_cudaExtent(4, 3, 2);
  p.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&p), cudaSuccess);
  EXPECT_EQ(cudaMemset3D(box, 0, make_cudaExtent(1, 1, 2)), cudaSuccess);
  cudaMemcpy3DParms back{};
  back.srcPtr = box;
  back.srcPos = make_cudaPos(0, 0, 1);
  back.dstPtr = make_cudaPitchedPtr(out.data(), 4, 4, 3);
  back.extent = make_cudaExtent(4, 3, 1);
  back.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&back), cudaSuccess);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 14);
  EXPECT_EQ(out[11], 24);
}

TEST_F(MemoryApi, Symbols) {
  int values[4] = {}, more[2] = {100, 200};
  EXPECT_EQ(cudaMemcpyFromSymbol(values, tableShadow, 16), cudaSuccess);
  EXPECT_EQ(values[0], 0x13121110) << "as the image initialises it";
  EXPECT_EQ(cudaMemcpyToSymbol(tableShadow, more, 8, 4), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(values, tableShadow, 12, 4), cudaSuccess);
  EXPECT_EQ(values[0], 100);
  EXPECT_EQ(values[1], 200);
  EXPECT_EQ(values[2], 0x1f1e1d1c);
  EXPECT_EQ(cudaMemcpyToSymbol(tableShadow, more, 8, 9), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(tableShadow, more, 17), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(tableShadow, more, 4, 0, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyToSymbol((const void *)&strangerStub, more, 4), cudaErrorInvalidSymbol);
  void *address = nullptr;
  size_t size = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, tableShadow), cudaSuccess);
  EXPECT_EQ(cudaGetSymbolSize(&size, tableShadow), cudaSuccess);
  EXPECT_EQ(size, 16u);
  EXPECT_EQ(cudaMemcpy(values, static_cast<char *>(address) + 8, 4, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(values[0], 200);
}

TEST_F(MemoryApi, PointerAttributes) {
  char *a = allocate(16);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, a + 3), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.devicePointer, a + 3);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, &attributes), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  void *pinned;
  EXPECT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
}

TEST_F(MemoryApi, ManagedMemoryIsTheSameOnBothSides) {
  int *managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  managed[0] = 41;
  program = [](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    uint64_t pointer = d.load<uint64_t>(l.args);
    d.store(pointer, d.load<int>(pointer) + 1);
    return RunReport();
  };
  EXPECT_EQ(launchWork(managed, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(managed[0], 42);
  int copy = 0;
  EXPECT_EQ(cudaMemcpy(&copy, managed, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(copy, 42);
  EXPECT_EQ(cudaMemset(managed, 0, 64), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(managed[0], 0);
  cudaPointerAttributes attributes;
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, managed + 1), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaErrorInvalidValue);
}

TEST_F(MemoryApi, MappedHostMemoryIsSeenByKernels) {
  int *host = nullptr, *onDevice = nullptr;
  ASSERT_EQ(cudaHostAlloc(&host, 64, cudaHostAllocMapped), cudaSuccess);
  ASSERT_EQ(cudaHostGetDevicePointer(&onDevice, host, 0), cudaSuccess);
  host[0] = 5;
  program = [](FakeDevice &d, const vx::abi::LaunchDescriptor &l) {
    uint64_t pointer = d.load<uint64_t>(l.args);
    d.store(pointer, d.load<int>(pointer) * 3);
    return RunReport();
  };
  EXPECT_EQ(launchWork(onDevice, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(host[0], 15);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(MemoryApi, PageLockedMemoryIsTheDevicesWhereverItsAddressIs) {
  int *pinned = nullptr;
  std::vector<int> registered(16, 7);
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  ASSERT_EQ(cudaHostRegister(registered.data(), 64, cudaHostRegisterDefault), cudaSuccess);
  pinned[0] = 5;
  program = [&](FakeDevice &d, const vx::abi::LaunchDescriptor &) {
    uint64_t to = reinterpret_cast<uintptr_t>(pinned), from = uintptr_t(registered.data());
    d.store(to, d.load<int>(to) * d.load<int>(from));
    pinned[1] = 99; // the program fills another part meanwhile
    return RunReport();
  };
  for (int product : {35, 245}) {
    EXPECT_EQ(launchWork(nullptr, 0), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(pinned[0], product);
    EXPECT_EQ(pinned[1], 99);
  }
  EXPECT_EQ(cudaHostUnregister(registered.data()), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(MemoryApi, RegisteredMemory) {
  std::vector<int> v(100, 2);
  EXPECT_EQ(cudaHostRegister(v.data(), 400, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(v.data() + 10, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(v.data() + 1), cudaErrorInvalidValue);
  unsigned flags = 0;
  EXPECT_EQ(cudaHostGetFlags(&flags, v.data()), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaHostRegisterMapped));
  EXPECT_EQ(cudaHostUnregister(v.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(v.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostRegister(nullptr, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(v.data(), 4, 0x1000), cudaErrorInvalidValue);
  void *pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 16), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(pinned, 16, 0), cudaErrorInvalidValue) << "it is CUDA's own";
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(MemoryApi, CopiesGoByThePointerWhateverTheirKind) {
  char *a = allocate(16), *b = allocate(16);
  std::vector<char> in = counted(16), out(16);
  ASSERT_EQ(cudaMemcpy(a, in.data(), 16, cudaMemcpyHostToDevice), cudaSuccess);
  for (cudaMemcpyKind kind : {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                              cudaMemcpyDeviceToDevice, cudaMemcpyDefault}) {
    ASSERT_EQ(cudaMemset(b, 0, 16), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(b, a, 16, kind), cudaSuccess) << kind;
    EXPECT_EQ(cudaMemcpy(out.data(), b, 16, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(out, in) << kind;
  }
  EXPECT_EQ(cudaMemcpy(b, a, 0, cudaMemcpyKind(9)), cudaSuccess) << "nothing is copied";
}

TEST_F(MemoryApi, FreedMemoryIsNoHostMemory) {
  char *freed = allocate(64), byte = 1;
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  for (cudaMemcpyKind kind : {cudaMemcpyHostToDevice, cudaMemcpyDefault, cudaMemcpyHostToHost}) {
    EXPECT_EQ(cudaMemcpy(freed, &byte, 1, kind), cudaErrorInvalidValue) << kind;
    EXPECT_EQ(cudaMemcpy(&byte, freed, 1, kind), cudaErrorInvalidValue) << kind;
  }
}

TEST_F(MemoryApi, PageableSourcesAreReadBeforeTheCallReturns) {
  char *a = allocate(16);
  std::promise<void> open;
  std::shared_future<void> opened = open.get_future().share();
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  cudaLaunchHostFunc(
      stream, [](void *f) { static_cast<std::shared_future<void> *>(f)->wait(); }, &opened);
  std::vector<char> in = counted(16), out(16);
  EXPECT_EQ(cudaMemcpyAsync(a, in.data(), 16, cudaMemcpyHostToDevice, stream), cudaSuccess);
  std::vector<char> expected = in;
  std::fill(in.begin(), in.end(), 0);
  open.set_value();
  EXPECT_EQ(cudaMemcpyAsync(out.data(), a, 16, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(out, expected);
}

TEST_F(MemoryApi, AsyncAllocationFollowsTheStream) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  char *p = nullptr;
  EXPECT_EQ(cudaMallocAsync(&p, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(p, 1, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(p, stream), cudaErrorInvalidValue);
}
