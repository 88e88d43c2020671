// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shared__ objects of classes with constructors: these are not called, which is a warning.
// Members and bases have some, or only templates find out; the constructor is for both sides or
// one.
// RUN: %vxcc -O2 -I%inputs %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: not %vxcc -c -DINITIALIZED -I%inputs %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR

#include "harness.h"
#include <new>

constexpr int kThreads = 24;

struct Counter {
  int value, calls;
  __host__ __device__ Counter() : value(77), calls(1) {}
  __host__ __device__ ~Counter() { calls = -1; }
  __device__ void set(int v) { value = v, calls = 0; }
};
struct OnDevice {
  int value;
  __device__ OnDevice() : value(threadIdx.x) {}
};
struct Empty {
  int value;
  __host__ __device__ Empty() {}
};
struct EmptyOnHost {
  EmptyOnHost() {}
  ~EmptyOnHost() {}
  int value;
};
template <int N> struct Row {
  Row() {}
  Empty empty;
  EmptyOnHost values[N];
};
struct Both : Empty {
  Counter counters[2];
};

template <class T> struct Holder {
  T value;
  __host__ __device__ Holder() : value() {}
};

template <class T> __device__ T &sharedOf() {
  // CHECK-DAG: shared-objects.cu:[[@LINE+1]]:{{[0-9]+}}: warning: the constructor of the '__shared__' variable 'object' is not called
  __shared__ T object;
  return object;
}

__global__ void use(int *out) {
  // CHECK-DAG: shared-objects.cu:[[@LINE+1]]:{{[0-9]+}}: warning: the constructor of the '__shared__' variable 'counter' is not called
  __shared__ Counter counter;
  // CHECK-DAG: shared-objects.cu:[[@LINE+1]]:{{[0-9]+}}: warning: the constructor of the '__shared__' variable 'onDevice' is not called
  __shared__ OnDevice onDevice[kThreads];
  __shared__ Empty empty;
  // CHECK-DAG: shared-objects.cu:[[@LINE+1]]:{{[0-9]+}}: warning: the constructor of the '__shared__' variable 'both' is not called
  static __shared__ Both both;
  __shared__ EmptyOnHost emptyOnHost;
  __shared__ Row<4> rows[2];
  auto &held = sharedOf<Holder<int>>();
  int &plain = sharedOf<int>();
  if (threadIdx.x == 0) {
    counter.set(blockIdx.x);
    empty.value = 3;
    new (&both) Both;
    both.value = 5;
    held.value = 7;
    emptyOnHost.value = 13;
    rows[1].values[3].value = 17;
    plain = 11;
  }
  onDevice[threadIdx.x].value = threadIdx.x * 2;
  __syncthreads();
  auto lambda = [&] { return onDevice[blockDim.x - 1 - threadIdx.x].value + counter.value; };
  int sum = lambda() + counter.calls * 1000 + empty.value + both.value + held.value + plain;
  sum += emptyOnHost.value + rows[1].values[3].value;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + both.counters[1].value;
}

#ifdef INITIALIZED
__global__ void initialized() {
  // ERROR: shared-objects.cu:[[@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
  __shared__ int x = 5;
  // ERROR: shared-objects.cu:[[@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
  __shared__ Counter counter = Counter();
}
#endif

int main() {
  constexpr int kBlocks = 3;
  DeviceArray<int> out(kBlocks * kThreads);
  use<<<kBlocks, kThreads>>>(out);
  std::vector<int> got = out.host();
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kThreads; ++t)
      expectEqual(got[b * kThreads + t], (kThreads - 1 - t) * 2 + b + 3 + 5 + 7 + 11 + 77 + 13 + 17, "sum",
                  b * kThreads + t);
  return finish();
}
