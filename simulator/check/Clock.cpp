// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/Clock.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

void Clock::know(uint64_t key, uint32_t epoch) {
  auto at = std::lower_bound(entries.begin(), entries.end(), key,
                             [](const Entry &entry, uint64_t k) { return entry.key < k; });
  if (at != entries.end() && at->key == key)
    at->epoch = std::max(at->epoch, epoch);
  else
    entries.insert(at, {key, epoch});
}

void Clock::knowGroup(uint64_t block, uint64_t thread, uint64_t size, uint32_t epoch) {
  hasGroups = true;
  know(groupKey(block, thread, unsigned(std::clamp(int(std::bit_width(size)), 7, 10) - 1)), epoch);
}

uint32_t Clock::find(uint64_t key) const {
  auto at = std::lower_bound(entries.begin(), entries.end(), key,
                             [](const Entry &entry, uint64_t k) { return entry.key < k; });
  return at != entries.end() && at->key == key ? at->epoch : 0;
}

bool Clock::knows(uint64_t id, uint32_t epoch) const {
  if (epoch < grid)
    return true;
  uint64_t block = blockOfId(id), thread = threadOfId(id);
  if (epoch < find(block << 11 | thread) || epoch < find(block << 11 | kWhole))
    return true;
  for (unsigned log2Size = 6; hasGroups && log2Size < 10; ++log2Size)
    if (epoch < find(groupKey(block, thread, log2Size)))
      return true;
  return false;
}

ClockRef Clock::join(const ClockRef &a, const ClockRef &b) {
  if (!a || a == b)
    return b;
  if (!b)
    return a;
  auto both = std::make_shared<Clock>();
  both->grid = std::max(a->grid, b->grid);
  both->hasGroups = a->hasGroups || b->hasGroups;
  bool isA = both->grid == a->grid; // A knows all that B knows
  auto &to = both->entries;
  to.reserve(a->entries.size() + b->entries.size());
  auto i = a->entries.begin(), j = b->entries.begin();
  while (i != a->entries.end() || j != b->entries.end()) {
    bool fromA = j == b->entries.end() || (i != a->entries.end() && i->key <= j->key);
    bool fromB = i == a->entries.end() || (j != b->entries.end() && j->key <= i->key);
    Entry entry = fromA ? *i : *j;
    if (fromB) {
      isA &= fromA && j->epoch <= i->epoch;
      entry.epoch = std::max(entry.epoch, j->epoch);
      ++j;
    }
    if (fromA)
      ++i;
    // Everything that the threads of the grid have done is known up to there.
    if (entry.epoch > both->grid)
      to.push_back(entry);
  }
  return isA ? a : both;
}

} // namespace vx::sim
