// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory at which arriving and waiting are two steps: PTX's mbarrier, on which
// cuda::barrier is built. Built to bitcode, ordinary C++ run by every lane. The state is a word:
//
//     63      parity of the current phase
//     62..21  2^42 - what the phase lacks: arrivals, each counted 2^21 times, and bytes of copies
//     20..0   arrivals that the next phase takes
//
// One addition counts, and the carry out of what is lacking is the change of the phase. The
// thread that caused it adds what the next phase lacks; arrivals that come in between count for
// that already. Bytes are announced by a thread that arrives later, so a phase lacks more than
// nothing until all have arrived, even if a copy is complete before it is announced.
//
// Testing the phase is vx-lower-functions' part.

#include "runtime/device/Contract.h"

namespace {

constexpr uint64_t kPhase = uint64_t(1) << 63;
constexpr uint64_t kByte = uint64_t(1) << 21;
constexpr uint64_t kArrival = kByte << 21;
constexpr uint64_t kExpectedMask = kByte - 1;

/// Returns the arrivals that a phase of ARRIVALS lacks when it begins.
uint64_t beginPhase(uint64_t arrivals) {
  return kPhase - arrivals * kArrival;
}

/// Adds CHANGE and begins the phases that are next; the state before. When all threads have dropped
/// out, no phase is next.
uint64_t count(uint64_t *barrier, uint64_t change) {
  uint64_t old = __atomic_fetch_add(barrier, change, __ATOMIC_ACQ_REL);
  uint64_t first = old, made = old + change;
  while (((old ^ made) & kPhase) != 0 && (made & kExpectedMask) != 0) {
    change = beginPhase(made & kExpectedMask);
    old = __atomic_fetch_add(barrier, change, __ATOMIC_ACQ_REL);
    made = old + change;
  }
  return first;
}

} // namespace

extern "C" void __vx_mbarrier_init(uint64_t *barrier, unsigned arrivals) {
  __atomic_store_n(barrier, beginPhase(arrivals) | arrivals, __ATOMIC_RELEASE);
}

extern "C" uint64_t __vx_mbarrier_arrive(uint64_t *barrier, unsigned arrivals, unsigned dropped) {
  return count(barrier, arrivals * kArrival - dropped);
}

/// Waits while another thread has ended a phase and not yet begun the next.
extern "C" void __vx_mbarrier_expect(uint64_t *barrier, unsigned bytes) {
  uint64_t change = bytes * kByte, old = __atomic_load_n(barrier, __ATOMIC_RELAXED);
  while ((old & (kPhase - kByte)) < change ||
         !__atomic_compare_exchange_n(barrier, &old, old - change, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
    old = __atomic_load_n(barrier, __ATOMIC_RELAXED);
}

extern "C" void __vx_mbarrier_complete(uint64_t *barrier, unsigned bytes) {
  count(barrier, bytes * kByte);
}

extern "C" unsigned __vx_mbarrier_pending(uint64_t state) {
  uint64_t lacking = (kPhase - (state & (kPhase - kByte))) / kByte;
  return static_cast<unsigned>((lacking + kByte / 2) / kByte);
}
