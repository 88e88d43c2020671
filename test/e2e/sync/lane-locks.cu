// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t.3
// RUN: env VX_LOWERING=hw %shapes %t.3 && %shapes --lower=sw %t.3 && %shapes --few %t.3
// RUN: %vxcc -O0 %s -o %t.0
// RUN: env VX_LOWERING=hw %shapes --few %t.0 && %shapes --few --lower=sw %t.0
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 && env VX_LOWERING=hw %shapes --few --xlen=32 %t.32
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Locks of all kinds that the lanes of a warp contend for and release after the loop in which they
// wait: the lane that has the lock proceeds while the others look again.

#include "Inputs/waits.h"
#include <cuda/atomic>
#include <cuda/semaphore>

__device__ __noinline__ bool tryLock(int *lock) {
  return atomicCAS(lock, 0, 1) == 0;
}
__device__ __noinline__ void acquire(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
}
__device__ __noinline__ void release(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void outOfLine() {
  acquire(&state.lock);
  addOne();
  release(&state.lock);
}

__global__ void tried() {
  while (!tryLock(&state.lock))
    ;
  addOne();
  release(&state.lock);
}

__device__ void (*acquirer)(int *) = acquire;
__global__ void byPointer() {
  (*const_cast<void (*volatile *)(int *)>(&acquirer))(&state.lock);
  addOne();
  release(&state.lock);
}

__global__ void ticket() {
  int mine = atomicAdd(&state.ticket, 1);
  while (*static_cast<volatile int *>(&state.serving) != mine)
    ;
  addOne();
  atomicAdd(&state.serving, 1);
}

__global__ void backOff() {
  for (int ns = 8; atomicCAS(&state.lock, 0, 1) != 0; ns = min(2 * ns, 256))
    __nanosleep(ns);
  addOne();
  atomicExch(&state.lock, 0);
}

__global__ void repeated() {
  for (int round = 0; round < 5; ++round) {
    while (atomicExch(&state.lock, 1) != 0)
      ;
    if (round == 0)
      addOne();
    state.fill[0] += 1;
    release(&state.lock);
  }
}

// Some threads end early, one way or the other.
__global__ void early() {
  if (threadIdx.x % 5 == 2) {
    atomicAdd(&state.count, 1);
    return;
  }
  while (atomicCAS(&state.lock, 0, 1) != 0)
    ;
  atomicAdd(&state.count, 1);
  if (threadIdx.x % 5 == 3) {
    atomicExch(&state.lock, 0);
    return;
  }
  release(&state.lock);
}

__global__ void withBarriers() {
  __shared__ int through[64];
  acquire(&state.lock);
  addOne();
  through[threadIdx.x] = 1;
  release(&state.lock);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < blockDim.x; ++i)
    sum += through[i];
  if (sum != blockDim.x)
    atomicAdd(&state.count, 1000);
}

__global__ void inShared() {
  __shared__ int lock, count;
  if (threadIdx.x == 0)
    lock = count = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  *static_cast<volatile int *>(&count) = *static_cast<volatile int *>(&count) + 1;
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0)
    state.count = count;
}

// A set with a lock for each bucket.
__global__ void buckets() {
  int which = threadIdx.x * 7 % 5;
  volatile int *fill = &state.fill[which], *keys = state.table[which];
  while (atomicCAS(&state.locks[which], 0, 1) != 0)
    ;
  bool found = false;
  for (int i = 0; i < *fill; ++i)
    found |= keys[i] == int(threadIdx.x);
  if (!found) {
    keys[*fill] = threadIdx.x;
    *fill = *fill + 1;
  }
  release(&state.locks[which]);
  atomicAdd(&state.count, !found);
}

// Several locks at a time, in one order.
__global__ void range() {
  int low = threadIdx.x * 3 % 13;
  for (int i = low; i < low + 3; ++i)
    while (atomicCAS(&state.locks[i], 0, 1) != 0)
      ;
  __threadfence();
  for (int i = low; i < low + 3; ++i)
    atomicExch(&state.locks[i], 0);
  atomicAdd(&state.count, 1);
}

// Locks of list nodes, hand over hand: state.links is the list in the order of keys.
__global__ void handOverHand() {
  volatile int *next = state.links;
  int *locks = state.flags, key = threadIdx.x * 37 % 64 + 1, at = 0;
  acquire(&locks[at]);
  for (int after = next[at]; after && after < key; after = next[at]) {
    acquire(&locks[after]);
    release(&locks[at]);
    at = after;
  }
  next[key] = next[at];
  next[at] = key;
  release(&locks[at]);
  atomicAdd(&state.count, 1);
}

// The queue lock of Mellor-Crummey and Scott.
__global__ void queue() {
  volatile int *next = state.links, *waits = state.flags;
  int me = threadIdx.x + 1;
  next[me] = 0;
  waits[me] = 1;
  __threadfence();
  if (int before = atomicExch(&state.lock, me)) {
    next[before] = me;
    while (waits[me])
      ;
  }
  addOne();
  if (next[me] == 0) {
    if (atomicCAS(&state.lock, me, 0) == me)
      return;
    while (next[me] == 0)
      ;
  }
  waits[next[me]] = 0;
}

__global__ void readersAndWriters() {
  if (threadIdx.x % 3) {
    int readers;
    do
      readers = *static_cast<volatile int *>(&state.lock);
    while (readers < 0 || atomicCAS(&state.lock, readers, readers + 1) != readers);
    atomicAdd(&state.fill[0], *static_cast<volatile int *>(&state.count));
    atomicSub(&state.lock, 1);
  }
  while (atomicCAS(&state.lock, 0, -1) != 0)
    ;
  addOne();
  atomicExch(&state.lock, 0);
}

__global__ void exchanged() {
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(state.lock);
  while (lock.exchange(1, cuda::memory_order_acquire) != 0)
    ;
  addOne();
  lock.store(0, cuda::memory_order_release);
}

__global__ void compared() {
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(state.lock);
  int expected = 0;
  while (!lock.compare_exchange_weak(expected, 1, cuda::memory_order_acquire))
    expected = 0;
  addOne();
  lock.store(0, cuda::memory_order_release);
}

__device__ cuda::binary_semaphore<cuda::thread_scope_device> oneAtATime(1);
__global__ void semaphore() {
  oneAtATime.acquire();
  addOne();
  oneAtATime.release();
}

// A slot for one value: each side takes the lock for the other one.
__global__ void oneSlot() {
  volatile int *lock = &state.lock;
  if (threadIdx.x % 2 == 1) {
    while (atomicCAS(&state.lock, 0, 1) != 0)
      ;
    addOne();
    *lock = 2;
  } else {
    while (atomicCAS(&state.lock, 2, 3) != 2)
      ;
    addOne();
    *lock = 0;
  }
}

#define PROGRAM(KERNEL) {#KERNEL, KERNEL}
constexpr Program programs[] = {
    PROGRAM(outOfLine),    PROGRAM(tried),        PROGRAM(byPointer), PROGRAM(ticket),
    PROGRAM(backOff),      PROGRAM(repeated),     PROGRAM(early),     PROGRAM(withBarriers),
    PROGRAM(inShared),     PROGRAM(buckets),      PROGRAM(range),     PROGRAM(handOverHand),
    PROGRAM(queue),        PROGRAM(exchanged),    PROGRAM(compared),  PROGRAM(semaphore),
    PROGRAM(oneSlot), PROGRAM(readersAndWriters)};

int main(int argc, char **argv) {
  return runPrograms(programs, argc, argv);
}
