// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -std=c++17 -O3 %s -o %t.3 && %shapes --few %t.3 && env VX_LOWERING=sw %t.3
// RUN: %vxcc -std=c++14 -O0 %s -o %t.0 && %t.0
// RUN: %vxcc -std=c++17 --target=host %s -o %t.host && %t.host
//
// nvstd::function on the device and on the host: small and large targets, copies, moves, assignment.

#include "../Inputs/harness.h"
#include <nvfunctional>

__host__ __device__ static int triple(int x) { return 3 * x; }

struct Counted {
  int *alive, value;
  __host__ __device__ Counted(int *alive, int value) : alive(alive), value(value) { ++*alive; }
  __host__ __device__ Counted(const Counted &o) : alive(o.alive), value(o.value) { ++*alive; }
  __host__ __device__ ~Counted() { --*alive; }
  __host__ __device__ int operator()(int x) const { return x + value; }
};

struct Large : Counted {
  long padding[12] = {}; // more than fits in place
  using Counted::Counted;
};

/// Does the same on both sides; *alive is 0 at the end.
__host__ __device__ static int work(int n, int *alive) {
  using Function = nvstd::function<int(int)>;
  int sum = 0;
  Function empty, pointer = triple, lambda = [n](int x) { return x * n; };
  sum += (empty == nullptr) + 10 * bool(pointer) + pointer(n) + lambda(5);
  Function small = Counted(alive, 100), large = Large(alive, 1000);
  Function copy = large, moved = static_cast<Function &&>(large);
  sum += copy(n) + moved(n) + small(n) + 7 * !large + 100 * *alive;
  small.swap(copy);
  sum += 13 * small(1) + 17 * copy(1);
  copy = nullptr;
  small = small; // to itself
  moved = [](int x) { return -x; };
  sum += 19 * moved(n) + 1000 * *alive;
  nvstd::function<int()> capture = [&] { return small(n) + pointer(2); };
  return sum + capture();
}

__global__ void kernel(int *results) {
  int alive = 0, n = int(threadIdx.x) + 1;
  results[threadIdx.x] = work(n, &alive) + 1000000 * alive;
}

int main() {
  constexpr int kThreads = 40;
  int *device, results[kThreads];
  CHECK(cudaMalloc(&device, sizeof results));
  kernel<<<1, kThreads>>>(device);
  CHECK(cudaMemcpy(results, device, sizeof results, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kThreads; ++i) {
    int alive = 0, expected = work(i + 1, &alive);
    expectEqual(alive, 0, "targets that are left", i);
    expectEqual(results[i], expected, "result", i);
  }
  return finish();
}
