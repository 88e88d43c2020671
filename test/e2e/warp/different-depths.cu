// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a warp at different depths of recursive functions: they meet at warp functions, also through
// pointers of types that make a function recursive, and wait for locks of each other.
// RUN: %vxcc -O3 -std=c++17 --vx-isa=warp,paths %s -o %t
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=8,core.num_threads=32 %run %t
// RUN: env VX_SET=core.divergence=paths,core.num_warps=4,core.num_threads=8 %run %t
// RUN: env VX_LOWERING=sw %run %t
// RUN: %vxcc -O0 -std=c++17 %s -o %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc -O3 -std=c++17 --target=host %s -o %t.host && %run %t.host

#include <cstdio>

constexpr unsigned kAll = 0xffffffff;
constexpr int kThreads = 64;

__device__ int sumBelow(int depth) {
  if (depth == 0)
    return __reduce_add_sync(kAll, int(threadIdx.x % 32));
  return sumBelow(depth - 1) + 1;
}
__global__ void oneDepthEach(int *out) {
  out[threadIdx.x] = sumBelow(threadIdx.x % 4);
}
int wantDepth(int t) {
  return 496 + t % 4;
}
__global__ void inBothArms(int *out) {
  out[threadIdx.x] = threadIdx.x % 32 < 10 ? sumBelow(2) : sumBelow(5) + 7;
}
int wantArms(int t) {
  return 496 + (t % 32 < 10 ? 2 : 12);
}

// Called at so many places that the kernel has one copy of it.
__global__ void atManyPlaces(int *out) {
  int lane = threadIdx.x % 32, kept[] = {lane, lane * 3};
  int first = lane < 7    ? sumBelow(lane % 3)
              : lane < 20 ? sumBelow(4) + kept[lane & 1]
                          : sumBelow(1) - 5;
  out[threadIdx.x] = sumBelow(1 + (first & 1)) * 1000 + first;
}
int wantPlaces(int t) {
  int lane = t % 32;
  int first = lane < 7    ? 496 + lane % 3
              : lane < 20 ? 500 + (lane & 1 ? lane * 3 : lane)
                          : 492;
  return (497 + (first & 1)) * 1000 + first;
}

// Those that are to proceed are the members of the next call.
__device__ int shrink(unsigned members, int depth) {
  unsigned same = __match_any_sync(members, depth), next = __ballot_sync(members, depth > 0);
  return depth == 0 ? __popc(same) : shrink(next, depth - 1) + 100;
}
__global__ void fewerMembers(int *out) {
  out[threadIdx.x] = shrink(kAll, threadIdx.x % 32 % 3);
}
int wantFewer(int t) {
  int depth = t % 32 % 3;
  return (depth == 2 ? 10 : 11) + 100 * depth;
}

// Two functions of one type, of which one calls what it is given: recursive as far as types show.
using Step = int (*)(int);
__device__ int above(int x) {
  return __ballot_sync(kAll, x > 3);
}
__device__ int below(int x) {
  return ~__ballot_sync(kAll, x < 20);
}
__device__ Step nextStep;
__device__ int again(int x) {
  return x > 0 ? nextStep(x - 1) : __popc(__activemask());
}
__device__ Step steps[] = {above, below, again};
__global__ void pointers(int *out) {
  int lane = threadIdx.x % 32;
  Step step = steps[lane % 2];
  out[threadIdx.x] = step(lane);
}
int wantPointers(int t) {
  unsigned bits = 0;
  for (int lane = 0; lane < 32; ++lane)
    bits |= unsigned(lane % 2 == 0 ? lane > 3 : lane < 20) << lane;
  return int(t % 2 == 0 ? bits : ~bits);
}

__device__ int lockWord, serving, count;
__device__ void addOne() {
  *static_cast<volatile int *>(&count) = *static_cast<volatile int *>(&count) + 1;
  __threadfence();
}
__device__ void locked() {
  while (atomicCAS(&lockWord, 0, 1) != 0)
    ;
  addOne();
  atomicExch(&lockWord, 0);
}
__device__ int lockAtOdd(int depth) {
  int below = depth == 0 ? 0 : lockAtOdd(depth - 1) + 1;
  if (depth == 0 || depth % 2 == 1)
    locked();
  return below;
}
__global__ void locks(int *out) {
  count = 0;
  __syncthreads();
  int depth = lockAtOdd(threadIdx.x % 4);
  __syncthreads();
  out[threadIdx.x] = count * 10 + depth;
}
int wantLocks(int t) {
  return kThreads / 4 * (1 + 2 + 2 + 3) * 10 + t % 4;
}
__device__ int inTurn(int depth, int mine) {
  if (depth > 0)
    return inTurn(depth - 1, mine) + 1;
  while (*static_cast<volatile int *>(&serving) != mine)
    ;
  addOne();
  *static_cast<volatile int *>(&serving) = mine + 1;
  return 0;
}
__global__ void tickets(int *out) {
  serving = 0;
  __syncthreads();
  out[threadIdx.x] = inTurn(threadIdx.x % 3, threadIdx.x);
}
int wantTickets(int t) {
  return t % 3;
}

int main() {
  struct {
    const char *name;
    void (*kernel)(int *);
    int (*want)(int);
  } cases[] = {{"oneDepthEach", oneDepthEach, wantDepth}, {"inBothArms", inBothArms, wantArms}, {"atManyPlaces", atManyPlaces, wantPlaces},
               {"fewerMembers", fewerMembers, wantFewer}, {"pointers", pointers, wantPointers},
               {"locks", locks, wantLocks},               {"tickets", tickets, wantTickets}};
  int *out, got[kThreads], wrong = 0;
  cudaMalloc(&out, sizeof(got));
  for (auto &c : cases) {
    cudaMemset(out, 0xee, sizeof(got));
    c.kernel<<<1, kThreads>>>(out);
    if (cudaError_t error = cudaGetLastError()) {
      std::printf("%s: %s\n", c.name, cudaGetErrorName(error));
      return 1;
    }
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int t = 0; t < kThreads; ++t)
      if (got[t] != c.want(t) && ++wrong)
        std::printf("%s: thread %d has %d, not %d\n", c.name, t, got[t], c.want(t));
  }
  std::puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
