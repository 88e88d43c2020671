// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/LocalMemory.h"
#include <algorithm>
#include <bit>
#include <utility>

namespace vx::sim {

namespace {
/// Cycles from where the answers of a load are joined through the switch to the LSU.
constexpr Cycle kLocalToLsu = 2;

/// Calls visit(i) for each bit I of BITS, the lowest first.
template <typename F> void forEachBit(uint64_t bits, F visit) {
  for (; bits; bits &= bits - 1)
    visit(uint32_t(std::countr_zero(bits)));
}

/// Takes the first entry of QUEUE, which is bit I of NOTEMPTY.
template <typename T> void takeFirst(Channel<T> &queue, uint32_t i, uint64_t &notEmpty) {
  queue.pop();
  if (queue.empty())
    notEmpty &= ~(uint64_t(1) << i);
}
} // namespace

LocalMemory::LocalMemory(const Shape &shape, Channel<LsuResponse> &responses, MemoryStats &counters)
    : shape(shape), wordBits(std::countr_zero(shape.wordBytes)), responses(responses),
      counters(counters), accesses(shape.slots), answers(shape.banks), arrived(shape.slots),
      wanted(shape.slots) {}

void LocalMemory::reset() {
  for (auto &queue : accesses)
    queue.clear();
  for (auto &queue : answers)
    queue.clear();
  for (auto &queue : arrived)
    queue.clear();
  accessesWaiting = 0;
  accessQueues = answerQueues = arrivedQueues = 0;
  arbiter.reset();
  wake = kNever;
}

void LocalMemory::restart(Cycle elapsed) {
  for (auto &queue : accesses)
    queue.rebase(elapsed);
  for (auto &queue : answers)
    queue.rebase(elapsed);
  for (auto &queue : arrived)
    queue.rebase(elapsed);
  arbiter.reset();
  wake = 0;
}

void LocalMemory::request(const LsuRequest &request, uint32_t slots, Cycle due) {
  (request.isWrite ? counters.lmemWrites : counters.lmemReads) += std::popcount(slots);
  if (withoutConflict(request, slots, due))
    return;
  wake = std::min(wake, due);
  for (uint32_t rest = slots; rest; rest &= rest - 1) {
    uint32_t slot = std::countr_zero(rest);
    accesses[slot].push({request.tag, bankOf(request.addresses[slot]), request.isWrite}, due);
  }
  accessesWaiting += uint32_t(std::popcount(slots));
  accessQueues |= slots;
}

bool LocalMemory::withoutConflict(const LsuRequest &request, uint32_t slots, Cycle due) {
  if (accessQueues | answerQueues | arrivedQueues)
    return false;
  uint64_t used = 0;
  uint32_t bank = 0;
  for (uint32_t rest = slots; rest; rest &= rest - 1) {
    bank = bankOf(request.addresses[std::countr_zero(rest)]);
    uint64_t bit = uint64_t(1) << bank;
    if (used & bit)
      return false;
    used |= bit;
  }
  if (!request.isWrite) {
    arbiter.granted(bank);
    responses.push({request.tag, uint32_t(std::popcount(slots))},
                   due + shape.latency + 1 + kLocalToLsu);
  }
  return true;
}

void LocalMemory::tick(Cycle now) {
  if (arrivedQueues)
    joinAnswers(now);
  if (answerQueues)
    routeAnswers(now);
  if (accessQueues)
    accessBanks(now);
  wake = nextEvent(now);
}

Cycle LocalMemory::nextEvent(Cycle now) const {
  Cycle next = kNever;
  forEachBit(accessQueues, [&](uint32_t i) { next = std::min(next, accesses[i].nextDue()); });
  forEachBit(answerQueues, [&](uint32_t i) { next = std::min(next, answers[i].nextDue()); });
  forEachBit(arrivedQueues, [&](uint32_t i) { next = std::min(next, arrived[i].nextDue()); });
  return std::max(next, now + 1);
}

void LocalMemory::accessBanks(Cycle now) {
  uint64_t busy = 0;
  forEachBit(accessQueues, [&](uint32_t slot) {
    auto &queue = accesses[slot];
    if (!queue.ready(now))
      return;
    Access access = queue.front();
    uint64_t bit = uint64_t(1) << access.bank;
    if (busy & bit) {
      ++counters.lmemConflicts;
      return;
    }
    busy |= bit;
    takeFirst(queue, slot, accessQueues);
    --accessesWaiting;
    if (access.isWrite)
      return;
    answers[access.bank].push({access.tag, slot}, now + shape.latency);
    answerQueues |= bit;
  });
}

/// The crossbar back: per cycle one answer to each slot, taken from the banks in turn.
void LocalMemory::routeAnswers(Cycle now) {
  uint64_t slots = 0; // that have an answer
  forEachBit(answerQueues, [&](uint32_t bank) {
    if (!answers[bank].ready(now))
      return;
    uint32_t slot = answers[bank].front().slot;
    wanted[slot] |= uint64_t(1) << bank;
    slots |= uint64_t(1) << slot;
  });
  forEachBit(slots, [&](uint32_t slot) {
    uint32_t bank = arbiter.grant(std::exchange(wanted[slot], 0));
    arrived[slot].push(answers[bank].front().tag, now + 1);
    arrivedQueues |= uint64_t(1) << slot;
    takeFirst(answers[bank], bank, answerQueues);
  });
}

/// The answers of the first slot that has one, and of other slots of the same load.
void LocalMemory::joinAnswers(Cycle now) {
  LsuResponse joined;
  forEachBit(arrivedQueues, [&](uint32_t slot) {
    auto &queue = arrived[slot];
    if (!queue.ready(now) || (joined.slots && queue.front() != joined.tag))
      return;
    joined.tag = queue.front();
    ++joined.slots;
    takeFirst(queue, slot, arrivedQueues);
  });
  if (joined.slots)
    responses.push(joined, now + kLocalToLsu);
}

} // namespace vx::sim
