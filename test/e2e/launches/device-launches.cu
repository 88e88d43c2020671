// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -I%inputs %s -o %t && %shapes %t
// RUN: %vxcc -O0 -I%inputs %s -o %t-O0 && %shapes --few %t-O0
// RUN: %shapes --few --lower=sw %t
// RUN: %vxcc --vx-xlen=32 -I%inputs %s -o %t-32 && %shapes --few --xlen=32 %t-32
// RUN: %vxcc --default-stream=per-thread -I%inputs %s -o %t-own && %shapes --few %t-own
// RUN: %vxcc --target=host -I%inputs %s -o %t-host && %run %t-host | FileCheck %s
// CHECK: PASS
//
// Kernels that launch kernels: arguments of all kinds, the order of streams, what children see and
// what the host sees, recursion, tail launches, grids with more launches than the queue holds.

#include "harness.h"

struct Mixed {
  char tag;
  double values[3];
};

__global__ void arguments(unsigned *out, char c, Mixed m, short s, const double *source, float f) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i + c + m.tag + unsigned(m.values[2]) + s + unsigned(source[1]) + unsigned(f) +
           1000 * gridDim.y + 10000 * blockDim.y;
}
__global__ void launchArguments(unsigned *out, double *source) {
  source[1] = 7; // the child sees it
  Mixed m = {'b', {1, 2, 40}};
  arguments<<<dim3(3, 1), dim3(8, 1)>>>(out, 'a', m, -5, source, 2.5f);
}

/// Appends N to the decimal digits of *LOG. The grids run one by one.
__global__ void append(unsigned long long *log, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    *log = *log * 10 + n;
}
__global__ void appendTwice(unsigned long long *log, int n) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, n + 1);
  append<<<2, 40>>>(log, n);
}
__global__ void order(unsigned long long *log) {
  appendTwice<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 5); // with its tail before the next one
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 7);
  appendTwice<<<1, 1>>>(log, 1); // complete with its tail
  append<<<1, 1>>>(log, 3);
  append<<<1, 1, 0, cudaStreamFireAndForget>>>(log, 4);
}

__global__ void streams(unsigned long long *log, unsigned *out, unsigned *copy) {
  cudaStream_t first, second;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  append<<<1, 1, 0, first>>>(log, 1);
  cudaMemsetAsync(out, 0x11, 16, first);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
  append<<<1, 1, 0, second>>>(log, 2);
  cudaMemcpyAsync(copy, out, 12, cudaMemcpyDeviceToDevice, second);
  cudaMemset2DAsync(copy + 8, 16, 0xff, 4, 2, second);
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

/// A sum by recursion: every block below a leaf launches two halves.
template <class T> __global__ void sum(const T *values, T *result, int n) {
  extern __shared__ int scratch[];
  if (n <= 4) {
    if (threadIdx.x < unsigned(n))
      scratch[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 0; i < n; ++i)
        atomicAdd(result, scratch[i]);
  } else if (threadIdx.x < 2) {
    int half = n / 2, rest = n - half;
    bool left = threadIdx.x == 0;
    sum<T><<<1, 32, 4 * sizeof(int)>>>(values + (left ? 0 : half), result, left ? half : rest);
  }
}

// More launches than the queue holds, a few by each block.
__global__ void mark(unsigned *marks, unsigned i) { atomicAdd(&marks[i], threadIdx.x + 1); }
__global__ void markAll(unsigned *marks) {
  if (threadIdx.x < 2)
    mark<<<1, 2>>>(marks, 2 * blockIdx.x + threadIdx.x);
}

__global__ void again(unsigned *count, unsigned rounds) {
  ++*count;
  if (rounds > 1)
    again<<<1, 1, 0, cudaStreamTailLaunch>>>(count, rounds - 1);
}

// A kernel by its address, called in a function of its own.
typedef void (*Kernel)(unsigned *, unsigned);
__device__ Kernel chosen = mark;
__device__ __noinline__ void launch(Kernel kernel, unsigned *marks, unsigned i) {
  kernel<<<1, 1>>>(marks, i);
}
__global__ void byAddress(unsigned *marks) {
  launch(chosen, marks, 0);
  launch(threadIdx.x ? mark : chosen, marks, threadIdx.x);
}

// Memory of the device's heap lives on between grids.
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void check(int *p, unsigned *good) {
  for (int i = 0; i < 8; ++i)
    good[0] += p[i] == i;
  cudaFree(p);
}
__global__ void heap(unsigned *good) {
  int *p = nullptr;
  good[1] = cudaMalloc(&p, 8 * sizeof(int));
  fill<<<1, 8>>>(p);
  check<<<1, 1>>>(p, good);
}

int main() {
  DeviceArray<unsigned> out(24);
  DeviceArray<double> source(2);
  launchArguments<<<1, 1>>>(out, source);
  for (unsigned i = 0; i < 24; ++i)
    expectEqual(out.host()[i], i + 'a' + 'b' + 40 - 5 + 7 + 2 + 11000, "argument", i);

  DeviceArray<unsigned long long> log(1);
  order<<<1, 1>>>(log);
  append<<<1, 1>>>(log, 8);
  expectEqual(log.host()[0], 12345678ull, "order");

  DeviceArray<unsigned long long> log2(1);
  DeviceArray<unsigned> set(4), copy(16);
  streams<<<1, 1>>>(log2, set, copy);
  expectEqual(log2.host()[0], 12ull, "streams");
  expectEqual(copy.host()[2], 0x11111111u, "copy");
  expectEqual(copy.host()[3], 0u, "copy");
  expectEqual(copy.host()[12], ~0u, "2D fill");
  expectEqual(copy.host()[9], 0u, "2D fill");

  std::vector<int> numbers(50);
  int want = 0;
  for (int i = 0; i < 50; ++i)
    want += numbers[i] = i * i;
  DeviceArray<int> values(numbers), result(1);
  sum<int><<<1, 32, 16>>>(values, result, 50);
  expectEqual(result.host()[0], want, "recursive sum");

  const unsigned blocks = 2500;
  DeviceArray<unsigned> marks(2 * blocks);
  markAll<<<blocks, 33>>>(marks);
  std::vector<unsigned> marked = marks.host();
  for (unsigned i = 0; i < 2 * blocks; ++i)
    expectEqual(marked[i], 3u, "mark", i);

  DeviceArray<unsigned> count(1);
  again<<<1, 1>>>(count, 100);
  expectEqual(count.host()[0], 100u, "tail launches");

  DeviceArray<unsigned> named(2);
  byAddress<<<1, 2>>>(named);
  expectEqual(named.host()[0], 3u, "by address");
  expectEqual(named.host()[1], 1u, "by address");

  DeviceArray<unsigned> good(2);
  heap<<<1, 1>>>(good);
  expectEqual(good.host()[0], 8u, "heap");
  expectEqual(good.host()[1], 0u, "cudaMalloc");
  return finish();
}
