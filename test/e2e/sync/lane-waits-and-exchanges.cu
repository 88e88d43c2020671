// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.3
// RUN: env VX_LOWERING=hw %shapes --warp %t.3 && %shapes --lower=sw %t.3 && %shapes --few %t.3
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t.3
// RUN: %vxcc -O0 %s -o %t.0
// RUN: env VX_LOWERING=hw %shapes --warp %t.0 && %shapes --few --lower=sw %t.0
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Lanes that wait for locks and flags of each other, and come to warp functions together: before,
// after, in between, and in the critical section.

#include "Inputs/waits.h"

__device__ void lockedAddOne() {
  while (atomicCAS(&state.lock, 0, 1) != 0)
    ;
  addOne();
  atomicExch(&state.lock, 0);
}

/// All threads of the warp have come here.
__device__ void checkWarp() {
  int neighbour = __shfl_xor_sync(~0u, int(threadIdx.x), 1);
  if (neighbour != int(threadIdx.x ^ 1))
    atomicAdd(&state.count, 1000);
}

__global__ void lockThenShuffle() {
  checkWarp();
  lockedAddOne();
  checkWarp();
}

__global__ void lockThenSyncwarp() {
  __shared__ int seen[64];
  lockedAddOne();
  seen[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (seen[threadIdx.x ^ 31] != (threadIdx.x ^ 31))
    atomicAdd(&state.count, 1000);
}

__global__ void ticketThenReduce() {
  int mine = atomicAdd(&state.ticket, 1);
  while (*static_cast<volatile int *>(&state.serving) != mine)
    ;
  addOne();
  atomicAdd(&state.serving, 1);
  if (__reduce_add_sync(~0u, 1) != 32)
    atomicAdd(&state.count, 1000);
}

__global__ void lockUntilAllAreDone() {
  for (bool done = false; !__all_sync(~0u, done);)
    if (!done && atomicCAS(&state.lock, 0, 1) == 0) {
      addOne();
      atomicExch(&state.lock, 0);
      done = true;
    }
}

// The halves of a warp exchange values on different ways, one of which waits for the other.
__global__ void halves() {
  unsigned lane = threadIdx.x % 32, half = lane < 16 ? 0xffffu : 0xffff0000u;
  volatile int *flag = &state.flags[threadIdx.x / 32];
  int sum;
  if (lane < 16) {
    while (*flag == 0)
      ;
    sum = __reduce_add_sync(half, 1);
  } else {
    sum = __reduce_add_sync(half, 1);
    *flag = 1;
  }
  checkWarp();
  atomicAdd(&state.count, sum == 16);
}

// In each round, with a barrier of the block at its end.
__global__ void rounds() {
  for (int round = 0; round < 3; ++round) {
    while (atomicExch(&state.lock, 1) != 0)
      ;
    if (round == 1)
      addOne();
    __threadfence();
    atomicExch(&state.lock, 0);
    unsigned all = __ballot_sync(~0u, threadIdx.x % 2);
    if (all != 0xaaaaaaaa)
      atomicAdd(&state.count, 1000);
    __syncthreads();
  }
}

// A lane for the warp holds the lock while the warp works.
__global__ void leader() {
  unsigned lane = threadIdx.x % 32;
  if (lane == 0)
    while (atomicCAS(&state.lock, 0, 1) != 0)
      ;
  __syncwarp();
  int sum = __reduce_add_sync(~0u, 1);
  if (lane == 0) {
    *static_cast<volatile int *>(&state.count) += sum;
    __threadfence();
    atomicExch(&state.lock, 0);
  }
}

/// Waits until the neighbour has come here as often.
__device__ void awaitNeighbour() {
  volatile int *own = &state.flags[threadIdx.x], *other = &state.flags[threadIdx.x ^ 1];
  int turn = *own + 1;
  __threadfence();
  *own = turn;
  while (*other < turn)
    ;
}

/// Adds one in turn, if it ADDS; then all threads of the warp exchange VALUE, their lane. The sum.
__device__ int addInTurn(int value, bool adds) {
  int mine = atomicAdd(&state.ticket, 1);
  while (*static_cast<volatile int *>(&state.serving) != mine)
    ;
  if (adds)
    addOne();
  atomicAdd(&state.serving, 1);
  if (__ballot_sync(~0u, value % 3 == 0) != 0x49249249)
    atomicAdd(&state.count, 1000);
  if (__shfl_xor_sync(~0u, value, 5) != (value ^ 5))
    atomicAdd(&state.count, 1000);
  return __reduce_add_sync(~0u, value);
}

// When one lane waits at the first exchange, others of its warp still wait for their turn.
__global__ void turnsInArms() {
  int lane = threadIdx.x % 32;
  if (threadIdx.x * 3 % 5 < 2) // the same on both ways
    awaitNeighbour();
  else
    awaitNeighbour();
  int sum = lane & 1 ? addInTurn(lane, true) : addInTurn(lane, true) * 2;
  if (sum != (lane & 1 ? 496 : 992))
    atomicAdd(&state.count, 1000);
}

// The lanes of a warp part again before each turn; they add one in the last.
__global__ void turnsInLoop() {
  int lane = threadIdx.x % 32;
  for (int i = 0; i < 3; ++i) {
    if ((lane >> i) % 4 != 0)
      awaitNeighbour();
    else
      awaitNeighbour();
    int sum = (lane + i) & 1 ? addInTurn(lane, i == 2) : addInTurn(lane, i == 2) * 2;
    if (sum != ((lane + i) & 1 ? 496 : 992))
      atomicAdd(&state.count, 1000);
  }
}

#define PROGRAM(KERNEL) {#KERNEL, KERNEL}
constexpr Program programs[] = {PROGRAM(lockThenShuffle),     PROGRAM(lockThenSyncwarp),
                                PROGRAM(ticketThenReduce),    PROGRAM(halves),
                                PROGRAM(rounds),              PROGRAM(leader),
                                PROGRAM(lockUntilAllAreDone), PROGRAM(turnsInArms),
                                PROGRAM(turnsInLoop)};

int main(int argc, char **argv) {
  return runPrograms(programs, argc, argv);
}
