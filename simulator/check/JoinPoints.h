// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places where the paths of branches meet again that lead to a synchronization or around it. A
// thread says when it is at one (VX_HINT_JOIN). A thread that ends need not have come to a
// synchronization: it may have left early. But one that has been where the paths meet, more often
// than those who wait, has gone past it: with warp functions, unless it has ended without doing
// anything after that; with barriers of more threads, unless it has left the function by a
// `return`.

#ifndef VX_SIMULATOR_CHECK_JOINPOINTS_H
#define VX_SIMULATOR_CHECK_JOINPOINTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace vx::sim {

/// The join points of one thread.
class JoinPoints {
public:
  /// A join point, and how often a thread was there.
  using Count = std::pair<uint32_t, uint32_t>;

  void ahead(uint32_t join) {
    if (open.size() < kMost)
      open.push_back(join);
  }
  void over(uint64_t count) { open.resize(open.size() - std::min<uint64_t>(count, open.size())); }
  /// HASMORE: it does not only end there.
  void passed(uint32_t join, bool hasMore, uint64_t pc) {
    Passage &one = find(join);
    ++one.count;
    one.pc = pc;
    one.isOpen = true;
    if (hasMore)
      one.acted = one.count;
    else
      isIdle = true;
  }
  /// The function with the joins from FIRST to LAST ends. ISPAST: not by a `return`.
  void left(uint32_t first, uint32_t last, bool isPast) {
    for (Passage &one : passages)
      if (one.join >= first && one.join <= last && std::exchange(one.isOpen, false) && isPast)
        one.past = one.count;
  }
  /// The thread does something that others may see.
  void acted() {
    if (std::exchange(isIdle, false))
      for (Passage &one : passages)
        one.acted = one.count;
  }
  /// Returns true if it has done nothing since it was at a join point that may be its end.
  bool isIdleSinceJoin() const { return isIdle; }

  /// The join points that are ahead, and how often the thread has been there.
  std::vector<Count> counts() {
    std::vector<Count> all;
    for (uint32_t join : open)
      all.emplace_back(join, find(join).count);
    return all;
  }
  /// Returns the pc of a join point of AHEAD where the thread has been more often, and after which
  /// it has continued, or, unless it MAYEND there, is past; 0: there is none.
  uint64_t findBeyond(const std::vector<Count> &ahead, bool mayEnd) const {
    for (auto [join, count] : ahead)
      for (const Passage &one : passages)
        if (one.join == join && (one.acted > count || (!mayEnd && one.past > count)))
          return one.pc;
    return 0;
  }

private:
  /// Compiled code has fewer; other code must not take memory without end.
  static constexpr size_t kMost = 1 << 12;

  struct Passage {
    uint32_t join, count = 0;
    uint32_t acted = 0;  ///< how often the thread is known to have continued there
    uint32_t past = 0;   ///< how often, until it was last there and came to the end of the function
    bool isOpen = false; ///< it has not come to an end of the function since
    uint64_t pc = 0;
  };

  Passage &find(uint32_t join) {
    for (Passage &one : passages)
      if (one.join == join)
        return one;
    return passages.size() < kMost ? passages.emplace_back(Passage{join}) : passages.back();
  }

  std::vector<Passage> passages;
  std::vector<uint32_t> open;
  bool isIdle = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_JOINPOINTS_H
