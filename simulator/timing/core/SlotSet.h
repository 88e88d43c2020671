// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of warp slots, and the round-robin arbiter that chooses from one. A core has as many slots
// as hardware warps, or more once vx_tile has formed groups that are smaller than a warp.

#ifndef VX_SIMULATOR_TIMING_CORE_SLOTSET_H
#define VX_SIMULATOR_TIMING_CORE_SLOTSET_H

#include <array>
#include <bit>
#include <cstdint>

namespace vx::sim {

class SlotSet {
public:
  static constexpr unsigned kMaxSlots = 512; ///< 64 warps of 32 lanes in groups of 4
  static constexpr uint32_t kNone = ~uint32_t(0);

  void insert(uint32_t slot) {
    words[slot / 64] |= bit(slot);
    if (slot >= count * 64) [[unlikely]]
      count = slot / 64 + 1;
  }
  void erase(uint32_t slot) { words[slot / 64] &= ~bit(slot); }
  bool contains(uint32_t slot) const { return words[slot / 64] & bit(slot); }
  void clear() { *this = {}; }

  bool empty() const {
    if (words[0] || count == 1) // mostly the only one
      return !words[0];
    for (unsigned i = 1; i < count; ++i)
      if (words[i])
        return false;
    return true;
  }
  /// The smallest member, or kNone.
  uint32_t first() const {
    return words[0] ? uint32_t(std::countr_zero(words[0])) : count == 1 ? kNone : firstFrom(64);
  }
  /// The smallest member that is not below FROM, or kNone.
  uint32_t firstFrom(uint32_t from) const {
    unsigned i = from / 64;
    if (i >= count)
      return kNone;
    uint64_t word = words[i] >> from % 64 << from % 64;
    for (;;) {
      if (word)
        return i * 64 + unsigned(std::countr_zero(word));
      if (++i >= count)
        return kNone;
      word = words[i];
    }
  }
  /// The first member behind LAST, going round; kNone when there is none.
  uint32_t next(uint32_t last) const {
    if (count == 1) {
      uint64_t behind = last >= 63 ? 0 : words[0] & ~uint64_t(0) << (last + 1);
      uint64_t chosen = behind ? behind : words[0];
      return chosen ? uint32_t(std::countr_zero(chosen)) : kNone;
    }
    uint32_t slot = firstFrom(last + 1);
    return slot != kNone ? slot : first();
  }
  uint32_t size() const {
    uint32_t n = 0;
    for (unsigned i = 0; i < count; ++i)
      n += uint32_t(std::popcount(words[i]));
    return n;
  }
  /// Calls visit(slot) for each member, in order.
  template <typename F> void forEach(F visit) const {
    for (unsigned i = 0; i < count; ++i)
      for (uint64_t rest = words[i]; rest; rest &= rest - 1)
        visit(i * 64 + uint32_t(std::countr_zero(rest)));
  }

private:
  static uint64_t bit(uint32_t slot) { return uint64_t(1) << slot % 64; }

  std::array<uint64_t, kMaxSlots / 64> words{};
  unsigned count = 1; ///< words in use
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
  /// The same for up to 64 requests; REQUESTS is not 0.
  uint32_t grant(uint64_t requests) {
    uint64_t behind = last >= 63 ? 0 : requests & ~uint64_t(0) << (last + 1);
    last = uint32_t(std::countr_zero(behind ? behind : requests));
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
