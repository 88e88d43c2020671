// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O2 --vx-xlen=32,64 %s -o %t
// RUN: %shapes --few %t
// RUN: %shapes --few --lower=sw %t
// RUN: %shapes --few --xlen=32 %t
// RUN: env VX_SET=memory.stack_log2_size=9 %run %t | FileCheck --check-prefix=SMALL %s
// RUN: env VX_SET=memory.stack_log2_size=16 %run %t | FileCheck --check-prefix=LARGE %s
// RUN: env VX_MODE=timing VX_SET=core.num_threads=8 %run %t
// RUN: %vxcc -O2 --target=host %s -o %t.host && %run %t.host
// RUN: %vxcc -O0 %s -o %t.0 && %run %t.0
//
// Kernels have the stack that they need: a local array that is larger than the stacks of the machine,
// functions that are called directly and through pointers, whatever size the machine's stacks have.
// A recursion, whose depth is not known, has what the program asks for.

#include "../Inputs/harness.h"

constexpr int kWords = 3000, kStep = 50, kThreads = 40;

// SMALL: limit 512
// SMALL: PASS
// LARGE: limit 65536
// LARGE: PASS

__host__ __device__ unsigned scatter(unsigned a, unsigned b) {
  unsigned values[kWords];
  for (unsigned i = 0; i < kWords; i += kStep)
    values[i] = i * a;
  unsigned sum = 0;
  for (unsigned i = 0; i < 20; ++i)
    sum = sum * 5 + values[(b + i * 37) % (kWords / kStep) * kStep];
  return sum;
}

__device__ __attribute__((noinline)) unsigned scatterCalled(unsigned a, unsigned b) {
  return scatter(a, b);
}
__device__ __attribute__((noinline)) unsigned add(unsigned a, unsigned b) {
  return a + b;
}

/// One type of functions for each thread of a block, so that calls stay calls through a pointer.
using Function = unsigned (*)(unsigned, unsigned);
__device__ Function functions[] = {add, scatterCalled};

__global__ void here(unsigned *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = scatter(threadIdx.x, blockIdx.x);
}
__global__ void called(unsigned *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = scatterCalled(threadIdx.x, blockIdx.x);
}
__global__ void pointed(unsigned *out, int which) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = functions[which](threadIdx.x, blockIdx.x);
}
__global__ void small(unsigned *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

__device__ __attribute__((noinline)) unsigned descend(unsigned depth, volatile unsigned *place) {
  volatile unsigned frame[8] = {depth, depth + 1, depth + 2, depth + 3};
  *place = frame[depth & 3];
  return depth == 0 ? 0 : descend(depth - 1, place) + frame[1] - depth;
}
__global__ void recurse(unsigned *out, unsigned depth) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = descend(depth + i % 7, out + i);
}

template <class F> static size_t localBytes(F *kernel) {
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel)));
  return attributes.localSizeBytes;
}

int main(int argc, char **) {
  size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  std::printf("limit %zu\n", limit);

  DeviceArray<unsigned> out(2 * kThreads);
  auto compare = [&](const char *name) {
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned> got = out.host();
    for (unsigned i = 0; i < 2 * kThreads; ++i)
      expectEqual(got[i], scatter(i % kThreads, i / kThreads), name, int(i));
  };
  here<<<2, kThreads>>>(out);
  compare("here");
  small<<<2, kThreads>>>(out); // with small stacks again
  called<<<2, kThreads>>>(out);
  compare("called");
  pointed<<<2, kThreads>>>(out, 1);
  compare("pointed");

  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  if (!std::strstr(device.name, "host")) { // whose compiler does not say
    expect(localBytes(here) >= kWords * sizeof(unsigned), "local bytes", 0);
    expect(localBytes(called) >= kWords * sizeof(unsigned), "local bytes", 1);
    expect(localBytes(pointed) >= kWords * sizeof(unsigned), "local bytes", 2);
    expect(localBytes(small) < 200, "local bytes", 3);
  }

  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 500000));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  expectEqual(limit, size_t(500000), "limit", 0);
  recurse<<<2, kThreads>>>(out, 800);
  CHECK(cudaDeviceSynchronize());
  std::vector<unsigned> got = out.host();
  for (unsigned i = 0; i < 2 * kThreads; ++i)
    expectEqual(got[i], 800 + i % 7, "recurse", int(i));
  here<<<2, kThreads>>>(out);
  compare("here, with the limit raised");
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  expectEqual(limit, size_t(1024), "limit", 1);
  called<<<2, kThreads>>>(out);
  compare("called, with the limit lowered");
  return finish();
}
