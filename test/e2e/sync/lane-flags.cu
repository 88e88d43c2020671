// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.3
// RUN: env VX_LOWERING=hw %shapes %t.3 && %shapes --lower=sw %t.3 && %shapes --few %t.3
// RUN: %vxcc -O0 %s -o %t.0
// RUN: env VX_LOWERING=hw %shapes --few %t.0 && %shapes --few --lower=sw %t.0
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 && env VX_LOWERING=hw %shapes --few --xlen=32 %t.32
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Threads that wait for what others write: on the other way from a branch, after the loop that they
// have left, before one that they are still in; of their warp or of another.

#include "Inputs/waits.h"
#include <cuda/atomic>

__global__ void byHalves() {
  volatile int *flag = state.flags;
  int other = threadIdx.x ^ 1;
  if (threadIdx.x % 2 == 0) {
    while (flag[other] == 0)
      ;
    atomicAdd(&state.count, 1);
    flag[threadIdx.x] = 1;
  } else {
    flag[threadIdx.x] = 1;
    while (flag[other] == 0)
      ;
    atomicAdd(&state.count, 1);
  }
}

// The scan of ones, each lane adding to what the one before, or after it, has published.
__device__ void look(int back, int last) {
  volatile int *published = state.flags + 1;
  int i = threadIdx.x, sum = 1;
  if (i != last) {
    while (published[i + back] == 0)
      ;
    sum += published[i + back];
  }
  published[i] = sum;
  atomicAdd(&state.count, sum == abs(i - last) + 1);
}
__global__ void lookBack() {
  look(-1, 0);
}
__global__ void lookAhead() {
  look(1, blockDim.x - 1);
}

__global__ void oneForAnother() {
  volatile int *flag = state.flags;
  if (threadIdx.x == 0) {
    while (*flag == 0)
      ;
  } else if (threadIdx.x == 31)
    *flag = 1;
  atomicAdd(&state.count, 1);
}

__global__ void oneForALaterOne() {
  volatile int *flag = state.flags;
  if (threadIdx.x == 31)
    while (*flag == 0)
      ;
  if (threadIdx.x == 3)
    *flag = 1;
  atomicAdd(&state.count, 1);
}

__global__ void manyForMany() {
  if (threadIdx.x < 16) {
    while (*static_cast<volatile int *>(&state.flags[0]) != 16)
      ;
  } else if (threadIdx.x < 32)
    atomicAdd(&state.flags[0], 1);
  atomicAdd(&state.count, 1);
}

__global__ void pingPong() {
  volatile int *box = &state.flags[threadIdx.x / 2];
  for (int round = 1; round <= 6; ++round)
    if (threadIdx.x % 2) {
      while (*box != 2 * round - 1)
        ;
      *box = 2 * round;
    } else {
      *box = 2 * round - 1;
      while (*box != 2 * round)
        ;
    }
  atomicAdd(&state.count, 1);
}

__global__ void producersAndConsumers() {
  int half = blockDim.x / 2, sum = 0;
  volatile int *slot = &state.flags[threadIdx.x % half];
  for (int i = 1; i <= 4; ++i)
    if (threadIdx.x < half) {
      while (*slot != 0)
        ;
      *slot = i;
    } else {
      int value;
      while ((value = *slot) == 0)
        ;
      sum += value;
      *slot = 0;
    }
  atomicAdd(&state.count, threadIdx.x < half || sum == 10);
}

// All wait for all, and read with atomics.
__global__ void ownBarrier() {
  for (int i = 0; i < 2; ++i) {
    atomicAdd(&state.flags[i], 1);
    while (atomicAdd(&state.flags[i], 0) < blockDim.x)
      ;
  }
  atomicAdd(&state.count, 1);
}

__global__ void notified() {
  auto *flags = reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device> *>(state.flags);
  auto &flag = flags[threadIdx.x / 2];
  if (threadIdx.x % 2) {
    flag.store(1);
    flag.notify_one();
  } else
    flag.wait(0);
  atomicAdd(&state.count, 1);
}

// Lamport's bakery, which only reads and writes; one of its threads waits for the rest of the block.
__global__ void bakery() {
  constexpr int n = 8;
  volatile int *chooses = state.flags, *number = state.links, *others = &state.fill[0];
  int me = threadIdx.x, most = 0;
  if (me >= n) {
    atomicAdd(&state.fill[0], 1);
    return;
  }
  chooses[me] = 1;
  for (int i = 0; i < n; ++i)
    most = max(most, number[i]);
  number[me] = most + 1;
  __threadfence();
  chooses[me] = 0;
  for (int i = 0; i < n; ++i) {
    while (chooses[i])
      ;
    while (number[i] != 0 && (number[i] < number[me] || (number[i] == number[me] && i < me)))
      ;
  }
  addOne();
  number[me] = 0;
  if (me == 0) {
    while (*others != blockDim.x - n)
      ;
    while (*static_cast<volatile int *>(&state.count) != n)
      ;
    atomicExch(&state.count, blockDim.x);
  }
}

// One writes, with a version before and after; the others read what belongs together.
__global__ void versions() {
  volatile int *version = &state.lock, *a = &state.fill[0], *b = &state.fill[1];
  if (threadIdx.x == 5) {
    for (int i = 0; i < 4; ++i) {
      *version = *version + 1;
      *a = i;
      *b = i;
      *version = *version + 1;
    }
    atomicAdd(&state.count, 1);
    return;
  }
  int before, x, y;
  do {
    while ((before = *version) % 2 == 1 || before == 0)
      ;
    x = *a;
    y = *b;
  } while (*version != before);
  atomicAdd(&state.count, x == y);
}

// Each goes round until its neighbour has come round three times.
__global__ void together() {
  bool waits = threadIdx.x % 2;
  for (int rounds = 0; true;)
    if (waits) {
      if (*static_cast<volatile int *>(&state.flags[threadIdx.x]) > 0)
        break;
    } else {
      atomicAdd(&state.flags[threadIdx.x + 1], 1);
      if (++rounds == 3)
        break;
    }
  atomicAdd(&state.count, 1);
}

// The last thread of the block is the first.
__global__ void turns() {
  __shared__ int turn;
  if (threadIdx.x == 0)
    turn = blockDim.x - 1;
  __syncthreads();
  while (*static_cast<volatile int *>(&turn) != threadIdx.x)
    ;
  addOne();
  *static_cast<volatile int *>(&turn) = threadIdx.x - 1;
}

// Without optimization the index is worked out in each turn of the loops.
__global__ void byIndex() {
  volatile int *flags = state.flags;
  if (threadIdx.x % 2 == 1) {
    flags[threadIdx.x - 1] = 1;
    while (flags[threadIdx.x] == 0)
      ;
  } else {
    while (flags[threadIdx.x] == 0)
      ;
    flags[threadIdx.x + 1] = 1;
  }
  atomicAdd(&state.count, 1);
}

#define PROGRAM(KERNEL) {#KERNEL, KERNEL}
constexpr Program programs[] = {
    PROGRAM(byHalves),        PROGRAM(lookBack),    PROGRAM(lookAhead), PROGRAM(oneForAnother),
    PROGRAM(oneForALaterOne), PROGRAM(manyForMany), PROGRAM(pingPong),  PROGRAM(ownBarrier),
    PROGRAM(notified),        PROGRAM(bakery),      PROGRAM(versions),  PROGRAM(together),
    PROGRAM(turns),           PROGRAM(producersAndConsumers),
    PROGRAM(byIndex)};

int main(int argc, char **argv) {
  return runPrograms(programs, argc, argv);
}
