// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of the lanes of a warp through memory, in which they wait for each other with locks and
// flags; on the host they are the warp functions with the same results (lockstep-warp.h).

#ifndef TEST_E2E_LOCKSTEP_WAITS_H
#define TEST_E2E_LOCKSTEP_WAITS_H

#include "lockstep-warp.h"

struct Mailbox {
  unsigned phase, values[2];
};
struct Account {
  int lock;
  unsigned next, serving, sum;
};
constexpr unsigned kMailboxes = 1 << 16;
__device__ Mailbox mailboxes[kMailboxes];
__device__ Account accounts[kMailboxes];

__device__ inline unsigned numberInGrid() {
  return (linearBlock() * 1024 + linearThread()) % kMailboxes;
}

/// Returns the value of lane ^ 1 if it is among MEMBERS, else V.
__device__ inline unsigned swapByFlags(unsigned, unsigned members, unsigned v) {
  if (memberOr(members, laneId() ^ 1) == laneId())
    return v;
  volatile Mailbox &own = mailboxes[numberInGrid()], &other = mailboxes[numberInGrid() ^ 1];
  unsigned phase = own.phase + 1;
  own.values[phase % 2] = v;
  __threadfence();
  own.phase = phase;
  while (other.phase < phase)
    ;
  __threadfence();
  return other.values[phase % 2];
}

enum LockForm { Compared, LeftByBreak, Released, Ticket };

/// Returns the sum over MEMBERS, which add to it one after another. They meet first: another group
/// with the same lowest lane has the same account.
template <LockForm Form>
__device__ unsigned sumUnderLock(unsigned mask, unsigned members, unsigned v) {
  Account &account = accounts[(numberInGrid() & ~31u) + lowest(members)];
  volatile unsigned &sum = account.sum;
  __syncwarp(mask);
  if constexpr (Form == Compared) {
    while (atomicCAS(&account.lock, 0, 1) != 0)
      ;
    sum = sum + v;
    __threadfence();
    atomicExch(&account.lock, 0);
  } else if constexpr (Form == LeftByBreak) {
    while (true)
      if (atomicExch(&account.lock, 1) == 0) {
        sum = sum + v;
        __threadfence();
        atomicExch(&account.lock, 0);
        break;
      }
  } else if constexpr (Form == Released) {
    for (bool done = false; !done;)
      if (atomicCAS(&account.lock, 0, 1) == 0) {
        sum = sum + v;
        __threadfence();
        atomicExch(&account.lock, 0);
        done = true;
      }
  } else {
    unsigned mine = atomicAdd(&account.next, 1u);
    while (*static_cast<volatile unsigned *>(&account.serving) != mine)
      ;
    sum = sum + v;
    __threadfence();
    atomicAdd(&account.serving, 1u);
  }
  __syncwarp(mask);
  unsigned result = sum;
  __syncwarp(mask);
  if (laneId() == lowest(members))
    sum = 0;
  __syncwarp(mask);
  return result;
}

__host__ inline unsigned swapByFlags(unsigned mask, unsigned members, unsigned v) {
  return shuffle<Xor>(mask, members, v, 1);
}
template <LockForm>
__host__ unsigned sumUnderLock(unsigned mask, unsigned, unsigned v) {
  return reduceAdd(mask, v);
}

#endif // TEST_E2E_LOCKSTEP_WAITS_H
