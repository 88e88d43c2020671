// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named barriers of a block, as PTX has them: sixteen, at which warps arrive, to wait there
// (bar.sync, bar.red) or not (bar.arrive). A phase is over when as many warps have arrived as the
// caller's count of threads stands for, or, without a count, all warps of the block that have
// threads left. A warp arrives when all of its threads that have not ended have come, from whatever
// places; then each of them continues when the warp has arrived, or the phase is over. Built to
// bitcode.
//
// A word for each warp gathers its threads:
//
//     23..16  those that have come and counted in the reduction (bar.red)
//     15..8   those that have ended, or that a partial warp never had
//     7..0    those that have come
//
// so one addition says who is the last, who arrives for the warp. A barrier is a word:
//
//     63..32  the warps that wait
//     24      the phase is for all warps of the block
//     23..8   sum of the reduction
//     7..0    warps that have arrived
//
// The exchange that ends a phase begins the next one, and tells the warps that have waited by their
// words `done`: a number that changes, and the sum. So a thread that looks late finds what its
// phase ended with, however many have followed.

#include "intrinsics/abi/NamedBarriers.h"
#include "runtime/device/Contract.h"

using vx::abi::NamedBarriers;

namespace {

constexpr uint32_t kCome = 1, kEnded = 1 << 8, kCounted = 1 << 16, kByte = 0xff;
constexpr uint64_t kOfBlock = 1 << 24;
constexpr uint32_t kWaits = 1u << 31; ///< of Warp::what: the barrier, and the warps of a phase << 8

/// The warps that a phase is for.
uint32_t warpsOf(const NamedBarriers *state, uint64_t phase, uint32_t warps) {
  return phase & kOfBlock ? __atomic_load_n(&state->warps, __ATOMIC_SEQ_CST) : warps;
}

void finish(NamedBarriers::Warp &warp, uint32_t sum) {
  __atomic_store_n(&warp.done, ((warp.done >> 16) + 1) << 16 | sum, __ATOMIC_RELEASE);
}

/// PHASE is over.
void releaseAll(NamedBarriers *state, uint64_t phase) {
  uint32_t sum = phase >> 8 & 0xffff;
  NamedBarriers::Warp *warp = state->ofWarp;
  for (uint32_t waiting = phase >> 32; waiting; waiting >>= 1, ++warp)
    if (waiting & 1)
      finish(*warp, sum);
}

/// A warp of the block has ended, or has arrived while one did: for the phase of BARRIER, if it is
/// for all warps, there may be no other to come.
void endIfLast(NamedBarriers *state, uint64_t *barrier) {
  uint64_t phase = __atomic_load_n(barrier, __ATOMIC_SEQ_CST);
  while ((phase & kOfBlock) && (phase & kByte) >= warpsOf(state, phase, 0))
    if (__atomic_compare_exchange_n(barrier, &phase, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      return releaseAll(state, phase);
}

/// All threads of WARP that there are have come; SUM of them counted.
void arrive(NamedBarriers *state, uint32_t warp, uint32_t sum) {
  uint32_t what = state->ofWarp[warp].what, warps = what >> 8 & kByte;
  uint64_t *barrier = &state->barrier[what & kByte];
  uint64_t waits = what & kWaits ? uint64_t(1) << (32 + warp) : 0;
  uint64_t phase = __atomic_load_n(barrier, __ATOMIC_RELAXED), next;
  bool isLast;
  do {
    next = (phase + 1 + (uint64_t(sum) << 8)) | (warps ? 0 : kOfBlock) | waits;
    isLast = (next & kByte) >= warpsOf(state, next, warps);
  } while (!__atomic_compare_exchange_n(barrier, &phase, isLast ? 0 : next, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
  if (!waits)
    finish(state->ofWarp[warp], 0);
  if (isLast)
    releaseAll(state, next);
  else if (next & kOfBlock)
    endIfLast(state, barrier);
}

/// CHANGE is what a thread of WARP adds; if it was the last that the warp waits for, the warp
/// arrives. Returns whether all threads of the warp have ended.
bool gather(NamedBarriers *state, uint32_t warp, uint32_t change) {
  uint32_t *word = &state->ofWarp[warp].gathered;
  uint32_t all = __atomic_add_fetch(word, change, __ATOMIC_ACQ_REL);
  uint32_t come = all & kByte, ended = all >> 8 & kByte, counted = all >> 16;
  if (!come || come + ended != vx::abi::kWarpSize)
    return ended == vx::abi::kWarpSize;
  __atomic_fetch_sub(word, come * kCome + counted * kCounted, __ATOMIC_RELAXED);
  arrive(state, warp, counted);
  return false;
}

} // namespace

/// A block of THREADS starts. Several threads reset the barriers, from number FIRST on and in
/// steps of STEP each.
extern "C" void __vx_named_reset(NamedBarriers *state, unsigned barriers, unsigned first,
                                 unsigned step, unsigned threads) {
  unsigned warps = (threads + vx::abi::kWarpSize - 1) / vx::abi::kWarpSize;
  unsigned lacking = warps * vx::abi::kWarpSize - threads;
  state->warps = warps;
  for (unsigned i = first; i < warps; i += step) {
    state->ofWarp[i].gathered = i + 1 == warps ? lacking * kEnded : 0;
    state->ofWarp[i].done = 0;
  }
  for (unsigned i = first; i < barriers; i += step)
    state->barrier[i] = 0;
}

extern "C" unsigned __vx_named_begin(NamedBarriers *state, unsigned warp, unsigned barrier,
                                     unsigned threads, unsigned waits, unsigned counts) {
  NamedBarriers::Warp &own = state->ofWarp[warp];
  uint32_t done = __atomic_load_n(&own.done, __ATOMIC_RELAXED);
  uint32_t what = barrier | threads / vx::abi::kWarpSize << 8 | (waits ? kWaits : 0);
  __atomic_store_n(&own.what, what, __ATOMIC_RELAXED);
  gather(state, warp, kCome + (counts ? kCounted : 0));
  return done;
}

extern "C" unsigned __vx_named_test(NamedBarriers *state, unsigned warp, unsigned begun) {
  uint32_t done = __atomic_load_n(&state->ofWarp[warp].done, __ATOMIC_ACQUIRE);
  return done >> 16 == begun >> 16 ? ~0u : done & 0xffff;
}

/// BARRIERS: those that may have a phase for all warps.
extern "C" void __vx_named_end(NamedBarriers *state, unsigned warp, unsigned barriers) {
  if (!gather(state, warp, kEnded))
    return;
  __atomic_fetch_sub(&state->warps, 1, __ATOMIC_SEQ_CST);
  for (unsigned i = 0; i < barriers; ++i)
    endIfLast(state, &state->barrier[i]);
}
