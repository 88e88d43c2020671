// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/Coalescer.h"
#include "intrinsics/abi/AddressMap.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

namespace {
/// Cycles from the coalescer through the adapter of its channels to the D$.
constexpr Cycle kToCache = 2;
/// Cycles from the coalescer through the switch back to the LSU.
constexpr Cycle kLinesToLsu = 2;
} // namespace

Coalescer::Coalescer(const Shape &shape, Sink &sink, MemoryLink &link, MemoryStats &counters)
    : shape(shape), slotsPerChannel(shape.slots / shape.channels),
      channelMask(~uint32_t(0) >> (32 - slotsPerChannel)), sink(sink), link(link),
      counters(counters), table(shape.entries), channelAnswers(shape.channels) {
  reset();
}

void Coalescer::reset() {
  work.clear();
  answers.clear();
  for (auto &queue : channelAnswers)
    queue.clear();
  channelAnswersWaiting = 0;
  freed.clear();
  inOrder = shape.early && shape.channels == 1;
  blockedSince = wake = kNever;
  freeEntries = ~uint64_t(0) >> (64 - shape.entries);
}

void Coalescer::restart(Cycle elapsed) {
  work.rebase(elapsed);
  answers.rebase(elapsed);
  for (auto &queue : channelAnswers)
    queue.rebase(elapsed);
  freed.rebase(elapsed);
  rebaseTime(blockedSince, elapsed);
  wake = 0;
}

void Coalescer::request(const LsuRequest &request, uint32_t slots, Cycle due) {
  wake = std::min(wake, due);
  Work &item = work.emplace(due);
  item.tag = request.tag;
  item.left = slots;
  item.isWrite = request.isWrite;
  const uint64_t lineMask = ~uint64_t(shape.lineBytes - 1);
  for (uint32_t i = 0; i != request.count; ++i)
    item.lines[i] = request.addresses[i] & lineMask;
  counters.coalescerLanes += std::popcount(slots);
}

void Coalescer::response(uint32_t channel, uint32_t tag, Cycle due) {
  if (shape.channels == 1) {
    answers.push({tag, 1}, due + 1);
    wake = std::min(wake, due + 1);
    return;
  }
  wake = std::min(wake, due);
  channelAnswers[channel].push(tag, due);
  ++channelAnswersWaiting;
}

void Coalescer::responseEarly(uint32_t tag, Cycle due) {
  Pending &pending = table[tag];
  freed.push(tag, due + 1);
  if (!freeEntries && !work.empty())
    wake = std::min(wake, due + 1);
  link.answer(LsuResponse{pending.tag, pending.left}, due + 1 + kLinesToLsu);
}

void Coalescer::tick(Cycle now) {
  for (; freed.ready(now); freed.pop())
    freeEntries |= uint64_t(1) << freed.front();
  if (answers.ready(now))
    takeAnswer(now);
  if (channelAnswersWaiting)
    collectAnswers(now);
  if (work.ready(now))
    sendLines(now);
  wake = nextEvent(now);
}

Cycle Coalescer::nextEvent(Cycle now) const {
  Cycle next = answers.nextDue();
  if (freeEntries)
    next = std::min(next, work.nextDue());
  else if (!work.empty())
    next = std::min(next, freed.nextDue());
  if (channelAnswersWaiting)
    for (auto &queue : channelAnswers)
      next = std::min(next, queue.nextDue());
  return std::max(next, now + 1);
}

/// The adapter: the first answer, and those of other channels that belong to the same entry.
void Coalescer::collectAnswers(Cycle now) {
  Answer answer;
  for (uint32_t channel = 0; channel != shape.channels; ++channel) {
    auto &queue = channelAnswers[channel];
    if (!queue.ready(now) || (answer.channels && queue.front() != answer.entry))
      continue;
    answer.entry = queue.front();
    answer.channels |= 1u << channel;
    queue.pop();
    --channelAnswersWaiting;
  }
  if (answer.channels)
    answers.push(answer, now + 1);
}

void Coalescer::takeAnswer(Cycle now) {
  Answer answer = answers.front();
  answers.pop();
  Pending &pending = table[answer.entry];
  uint32_t slots = 0;
  for (uint32_t rest = answer.channels; rest; rest &= rest - 1)
    slots += pending.slots[std::countr_zero(rest)];
  pending.left -= slots;
  if (!pending.left)
    freeEntries |= uint64_t(1) << answer.entry;
  link.answer(LsuResponse{pending.tag, slots}, now + kLinesToLsu);
}

/// Takes the slots of CHANNEL that share the line of its first one; returns how many, and the line.
uint32_t Coalescer::takeLine(Work &item, uint32_t channel, uint64_t &line) {
  uint32_t mine = item.left & (channelMask << channel * slotsPerChannel);
  if (!mine)
    return 0;
  line = item.lines[std::countr_zero(mine)];
  uint32_t taken = 0;
  if (!shape.merge)
    taken = mine & -mine;
  for (uint32_t rest = shape.merge ? mine : 0; rest; rest &= rest - 1) {
    uint32_t slot = std::countr_zero(rest);
    taken |= uint32_t(item.lines[slot] == line) << slot;
  }
  item.left &= ~taken;
  return uint32_t(std::popcount(taken));
}

void Coalescer::sendLines(Cycle now) {
  if (!freeEntries) {
    blockedSince = std::min(blockedSince, now);
    return;
  }
  if (blockedSince != kNever) {
    counters.coalescerStalls += now - blockedSince;
    blockedSince = kNever;
  }
  Work &item = work.front();
  uint32_t entry = std::countr_zero(freeEntries);
  Pending &pending = table[entry];
  pending.tag = item.tag;
  pending.left = 0;
  for (uint32_t channel = 0; channel != shape.channels; ++channel) {
    uint64_t line;
    uint32_t slots = takeLine(item, channel, line);
    pending.slots[channel] = uint8_t(slots);
    pending.left += slots;
    if (!slots)
      continue;
    ++counters.coalescerLines;
    inOrder &= item.isWrite || line >= VX_USER_BASE_ADDR; // else: goes past the banks
    sink.lineRequest(channel, {line, entry, item.isWrite}, now + kToCache);
  }
  if (!item.isWrite)
    freeEntries &= freeEntries - 1;
  if (!item.left)
    work.pop();
}

} // namespace vx::sim
