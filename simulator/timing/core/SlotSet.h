// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of warp slots, and the round-robin arbiter that chooses from one. A core has as many slots
// as hardware warps, or more once vx_tile has formed groups that are smaller than a warp.

#ifndef VX_SIMULATOR_TIMING_CORE_SLOTSET_H
#define VX_SIMULATOR_TIMING_CORE_SLOTSET_H

#include "simulator/timing/NextBit.h"
#include <array>
#include <bit>
#include <cstdint>

namespace vx::sim {

class SlotSet {
public:
  static constexpr unsigned kMaxSlots = 512; ///< 64 warps of 32 lanes in groups of 4
  static constexpr uint32_t kNone = ~uint32_t(0);

  void insert(uint32_t slot) {
    if (slot < 64) [[likely]] {
      low |= uint64_t(1) << slot;
      return;
    }
    words[slot / 64] |= uint64_t(1) << slot % 64;
    high |= 1u << slot / 64;
  }
  void erase(uint32_t slot) {
    if (slot < 64) [[likely]] {
      low &= ~(uint64_t(1) << slot);
      return;
    }
    uint64_t &word = words[slot / 64];
    word &= ~(uint64_t(1) << slot % 64);
    if (!word)
      high &= ~(1u << slot / 64);
  }
  bool contains(uint32_t slot) const {
    return (slot < 64 ? low : words[slot / 64]) >> slot % 64 & 1;
  }
  void clear() { *this = {}; }

  bool empty() const { return !(low | high); }
  /// The smallest member, or kNone.
  uint32_t first() const { return low ? uint32_t(std::countr_zero(low)) : firstOf(high); }
  /// The smallest member that is not below FROM, or kNone.
  uint32_t firstFrom(uint32_t from) const {
    uint32_t i = from / 64;
    if (i >= words.size())
      return kNone;
    if (uint64_t word = (i ? words[i] : low) >> from % 64)
      return from + uint32_t(std::countr_zero(word));
    return firstOf(high & ~uint32_t(1) << i);
  }
  /// Returns the first member after LAST, cyclically; kNone when there is none.
  uint32_t next(uint32_t last) const {
    if (!high && low && last < 64) [[likely]]
      return nextBit(low, last);
    uint32_t slot = firstFrom(last + 1);
    return slot != kNone ? slot : first();
  }
  uint32_t size() const {
    uint32_t n = 0;
    forEach([&n](uint32_t) { ++n; });
    return n;
  }
  /// Returns true if all members are in OTHER, as far as a look at the slots below 64 tells.
  bool isSurelyIn(const SlotSet &other) const { return !high && !(low & ~other.low); }
  /// Calls visit(slot) for each member, in order.
  template <typename F> void forEach(F visit) const {
    for (uint64_t rest = low; rest; rest &= rest - 1)
      visit(uint32_t(std::countr_zero(rest)));
    for (uint32_t left = high; left; left &= left - 1) {
      uint32_t i = uint32_t(std::countr_zero(left));
      for (uint64_t rest = words[i]; rest; rest &= rest - 1)
        visit(i * 64 + uint32_t(std::countr_zero(rest)));
    }
  }

private:
  /// The smallest member in the words of the bit mask WHICH, none of which is empty, or kNone.
  uint32_t firstOf(uint32_t which) const {
    if (!which)
      return kNone;
    uint32_t i = uint32_t(std::countr_zero(which));
    return i * 64 + uint32_t(std::countr_zero(words[i]));
  }

  uint64_t low = 0;                             ///< slots below 64: mostly there are no others
  uint32_t high = 0;                            ///< bit I: words[I] is not 0
  std::array<uint64_t, kMaxSlots / 64> words{}; ///< of the others; the first is not used
};

/// Grants requests in turn. Like all arbiters of the machine it starts as if index 0 had just been
/// served.
class RoundRobin {
public:
  uint32_t grant(const SlotSet &requests) {
    uint32_t slot = requests.next(last);
    if (slot != SlotSet::kNone)
      last = slot;
    return slot;
  }
  /// Grants one of up to 64 requests; REQUESTS is not 0.
  uint32_t grant(uint64_t requests) {
    last = nextBit(requests, last);
    return last;
  }
  /// FIRST: the request that counts as just served.
  void reset(uint32_t first = 0) { last = first; }
  uint32_t lastServed() const { return last; }

private:
  uint32_t last = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_SLOTSET_H
