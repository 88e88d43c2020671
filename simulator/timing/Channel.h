// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common base of the parts of the timing model: time, and queues with a latency.
//
// A Channel is a FIFO whose entries become visible at a cycle of their own. Entries that are due in
// the same cycle keep the order in which they were pushed; one that is due earlier overtakes (a
// short operation after a long one in a pipelined unit). It grows when it must and never shrinks,
// so that a running machine allocates nothing. An empty one begins at its first slot again: most
// channels hold an entry or two, and what they use of the host's cache is as small.

#ifndef VX_SIMULATOR_TIMING_CHANNEL_H
#define VX_SIMULATOR_TIMING_CHANNEL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace vx::sim {

/// Clock cycles since the device was reset.
using Cycle = uint64_t;
/// "No cycle": later than every other.
inline constexpr Cycle kNever = ~Cycle(0);

/// Cycle ELAPSED becomes cycle 0, and TIME is counted from there: 0, if it was earlier.
inline void rebaseTime(Cycle &time, Cycle elapsed) {
  if (time != kNever)
    time -= std::min(time, elapsed);
}

template <typename T> class Channel {
public:
  explicit Channel(size_t capacity = 8) {
    size_t size = 1;
    while (size < capacity)
      size *= 2;
    slots = std::make_unique<Slot[]>(size);
    mask = size - 1;
  }
  Channel(Channel &&) = default;
  Channel &operator=(Channel &&) = default;
  Channel(const Channel &other)
      : slots(std::make_unique<Slot[]>(other.mask + 1)), mask(other.mask), head(other.head),
        tail(other.tail), firstDue(other.firstDue), lastDue(other.lastDue) {
    std::copy_n(other.slots.get(), mask + 1, slots.get());
  }

  bool empty() const { return head == tail; }
  size_t size() const { return tail - head; }

  /// Returns true if there is an entry to take in cycle NOW.
  bool ready(Cycle now) const { return firstDue <= now; }
  /// Returns when the first entry can be taken; kNever when there is none.
  Cycle nextDue() const { return firstDue; }

  /// The first entry; only when not empty.
  T &front() { return slots[head & mask].value; }
  const T &front() const { return slots[head & mask].value; }
  void pop() {
    if (++head == tail)
      clear();
    else
      firstDue = slots[head & mask].due;
  }

  /// Adds an entry that can be taken from cycle DUE on.
  void push(T value, Cycle due) { emplace(due) = std::move(value); }

  /// Adds an entry and returns it to be filled in: it holds what an earlier entry left there.
  T &emplace(Cycle due) { return insert(due, due >= lastDue, due); }

  /// Makes an entry like emplace(), but before those that are due in the same cycle.
  T &emplaceFirst(Cycle due) { return insert(due, due > lastDue, due - 1); }

  void clear() {
    head = tail = 0;
    firstDue = kNever;
    lastDue = 0;
  }

  /// Cycle ELAPSED becomes cycle 0; what could be taken before can be taken in it.
  void rebase(Cycle elapsed) {
    for (size_t i = head; i != tail; ++i)
      rebaseTime(slots[i & mask].due, elapsed);
    rebaseTime(firstDue, elapsed);
    rebaseTime(lastDue, elapsed);
  }

private:
  struct Slot {
    Cycle due = 0;
    T value{};
  };

  /// Makes an entry for cycle DUE: the last one, or else after those that are due up to AFTER.
  T &insert(Cycle due, bool isLast, Cycle after) {
    if (tail - head > mask) [[unlikely]]
      grow();
    size_t place = tail++;
    if (isLast) [[likely]]
      lastDue = due;
    else
      place = overtake(place, after);
    firstDue = std::min(firstDue, due);
    Slot &slot = slots[place & mask];
    slot.due = due;
    return slot.value;
  }

  /// Moves the new entry at PLACE before those that are due later than DUE; returns its place.
  [[gnu::noinline]] size_t overtake(size_t place, Cycle due) {
    for (; place != head && slots[(place - 1) & mask].due > due; --place)
      std::swap(slots[place & mask], slots[(place - 1) & mask]);
    return place;
  }

  [[gnu::noinline]] void grow() {
    auto bigger = std::make_unique<Slot[]>((mask + 1) * 2);
    for (size_t i = head; i != tail; ++i)
      bigger[i - head] = std::move(slots[i & mask]);
    tail -= head;
    head = 0;
    mask = mask * 2 + 1;
    slots = std::move(bigger);
  }

  std::unique_ptr<Slot[]> slots;
  size_t mask; ///< a power of two of slots, less one: no look at a channel has to divide
  size_t head = 0, tail = 0;
  Cycle firstDue = kNever; ///< of the entry at the head: most looks at a channel see nothing else
  Cycle lastDue = 0;       ///< of the last entry; 0 when there is none
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CHANNEL_H
