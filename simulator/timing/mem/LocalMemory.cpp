// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/LocalMemory.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

namespace {
/// Cycles from where the answers of a load are joined through the switch to the LSU.
constexpr Cycle kLocalToLsu = 2;

/// Calls visit(i) for each bit I of BITS, the lowest first.
template <typename F> void forEachBit(uint64_t bits, F visit) {
  for (; bits; bits &= bits - 1)
    visit(uint32_t(std::countr_zero(bits)));
}
} // namespace

LocalMemory::LocalMemory(const Shape &shape, MemoryLink &link, MemoryStats &counters)
    : shape(shape), wordBits(std::countr_zero(shape.wordBytes)), link(link), counters(counters),
      queues(shape.slots), firsts(shape.banks) {}

void LocalMemory::reset() {
  requests.clear();
  alone.left = 0;
  queued.clear();
  free.clear();
  std::fill(queues.begin(), queues.end(), SlotQueue());
  std::fill(firsts.begin(), firsts.end(), 0);
  banksWanted = 0;
  answers.clear();
  accessesWaiting = 0;
  wake = kNever;
}

void LocalMemory::restart(Cycle elapsed) {
  requests.rebase(elapsed);
  for (Answer &answer : answers)
    rebaseTime(answer.due, elapsed);
  wake = 0;
}

void LocalMemory::request(const LsuRequest &request, uint32_t slots, Cycle due) {
  uint32_t count = uint32_t(std::popcount(slots));
  (request.isWrite ? counters.lmemWrites : counters.lmemReads) += count;
  if (withoutConflict(request, slots, due))
    return;
  wake = std::min(wake, due);
  Request &entry = requests.emplace(due);
  entry.tag = request.tag;
  entry.slots = slots;
  entry.isWrite = request.isWrite;
  forEachBit(slots,
             [&](uint32_t slot) { entry.banks[slot] = uint8_t(bankOf(request.addresses[slot])); });
  accessesWaiting += count;
}

bool LocalMemory::withoutConflict(const LsuRequest &request, uint32_t slots, Cycle due) {
  if (accessesWaiting || !answers.empty())
    return false;
  uint64_t used = 0;
  for (uint32_t rest = slots; rest; rest &= rest - 1) {
    uint64_t bit = uint64_t(1) << bankOf(request.addresses[std::countr_zero(rest)]);
    if (used & bit)
      return false;
    used |= bit;
  }
  if (!request.isWrite)
    link.answerFirst(LsuResponse{request.tag, uint32_t(std::popcount(slots))},
                     due + shape.latency + 1 + kLocalToLsu);
  return true;
}

void LocalMemory::tick(Cycle now) {
  if (!answers.empty() && answers.front().due <= now)
    joinAnswers(now);
  for (; requests.ready(now); requests.pop())
    enter(requests.front());
  if (alone.left)
    accessAlone(now);
  else if (banksWanted)
    accessBanks(now);
  wake = nextEvent(now);
}

Cycle LocalMemory::nextEvent(Cycle now) const {
  if (banksWanted || alone.left)
    return now + 1;
  Cycle next = requests.nextDue();
  if (!answers.empty())
    next = std::min(next, answers.front().due);
  return std::max(next, now + 1);
}

void LocalMemory::enter(const Request &request) {
  if (!banksWanted && !alone.left) {
    enterAlone(request);
    return;
  }
  if (alone.left) {
    uint32_t left = 0;
    for (uint32_t round = alone.round, slots = 0; slots != alone.left; ++round) {
      left |= alone.rounds[round];
      slots += alone.counts[round];
    }
    alone.request.slots = left;
    alone.left = 0;
    enterQueues(alone.request);
  }
  enterQueues(request);
}

/// A bank takes its slots in their order, one per round.
void LocalMemory::enterAlone(const Request &request) {
  alone.request = request;
  alone.left = alone.round = 0;
  std::array<uint8_t, kMaxBanks> taken{}; // of each bank
  uint32_t rounds = 0;
  forEachBit(request.slots, [&](uint32_t slot) {
    uint32_t round = taken[request.banks[slot]]++;
    if (round == rounds) {
      alone.rounds[round] = 0;
      alone.counts[round] = 0;
      ++rounds;
    }
    alone.rounds[round] |= 1u << slot;
    ++alone.counts[round];
    ++alone.left;
  });
}

/// The next round of the only request.
void LocalMemory::accessAlone(Cycle now) {
  uint32_t slots = alone.rounds[alone.round], count = alone.counts[alone.round];
  ++alone.round;
  alone.left -= count;
  accessesWaiting -= count;
  counters.lmemConflicts += alone.left;
  if (!alone.request.isWrite)
    answers.push_back({now + shape.latency + 1, alone.request.tag, slots});
}

void LocalMemory::enterQueues(const Request &request) {
  if (free.empty()) {
    free.push_back(uint32_t(queued.size()));
    queued.emplace_back();
  }
  uint32_t place = free.back();
  free.pop_back();
  queued[place].request = request;
  forEachBit(request.slots, [&](uint32_t slot) {
    SlotQueue &queue = queues[slot];
    if (queue.first == kNone) {
      queue = {place, place};
      setFirst(slot);
    } else {
      queued[queue.last].next[slot] = place;
      queue.last = place;
    }
  });
}

/// SLOT has a new first access.
void LocalMemory::setFirst(uint32_t slot) {
  uint32_t bank = queued[queues[slot].first].request.banks[slot];
  firsts[bank] |= 1u << slot;
  banksWanted |= uint64_t(1) << bank;
}

/// A bank has taken the first access of SLOT. Returns whether it has another one.
bool LocalMemory::takeFirst(uint32_t slot) {
  SlotQueue &queue = queues[slot];
  Queued &taken = queued[queue.first];
  taken.request.slots &= ~(1u << slot);
  if (!taken.request.slots)
    free.push_back(queue.first);
  queue.first = queue.first == queue.last ? kNone : taken.next[slot];
  return queue.first != kNone;
}

void LocalMemory::accessBanks(Cycle now) {
  uint32_t goOn = 0; // slots with another access, which is for the next cycle
  forEachBit(banksWanted, [&](uint32_t bank) {
    uint32_t wanting = firsts[bank], slot = uint32_t(std::countr_zero(wanting));
    uint32_t others = wanting & (wanting - 1);
    if (others)
      counters.lmemConflicts += uint32_t(std::popcount(others));
    else
      banksWanted &= ~(uint64_t(1) << bank);
    firsts[bank] = others;
    const Request &request = queued[queues[slot].first].request;
    if (!request.isWrite)
      answer(request.tag, slot, now + shape.latency + 1);
    --accessesWaiting;
    goOn |= uint32_t(takeFirst(slot)) << slot;
  });
  forEachBit(goOn, [this](uint32_t slot) { setFirst(slot); });
}

/// An access of SLOT can be joined with others of its load from cycle DUE on, the last of all.
void LocalMemory::answer(uint32_t tag, uint32_t slot, Cycle due) {
  for (size_t i = answers.size(); i != 0 && answers[i - 1].due == due; --i)
    if (answers[i - 1].tag == tag) {
      answers[i - 1].slots |= 1u << slot;
      return;
    }
  answers.push_back({due, tag, 1u << slot});
}

/// The answers of the first slot that has one, and of other slots of the same load. Those of a slot
/// keep their order.
void LocalMemory::joinAnswers(Cycle now) {
  if (answers.size() == 1 || answers[1].due > now) {
    link.answerFirst(LsuResponse{answers[0].tag, uint32_t(std::popcount(answers[0].slots))},
                     now + kLocalToLsu);
    answers.erase(answers.begin());
    return;
  }
  LsuResponse joined;
  uint32_t first = LsuRequest::kSlots, answered = 0; // answered: slots with earlier answers
  for (size_t i = 0; i != answers.size() && answers[i].due <= now; ++i) {
    uint32_t slots = answers[i].slots & ~answered;
    answered |= answers[i].slots;
    if (slots && uint32_t(std::countr_zero(slots)) < first) {
      first = uint32_t(std::countr_zero(slots));
      joined.tag = answers[i].tag;
    }
  }
  answered = 0;
  bool anyDone = false;
  for (size_t i = 0; i != answers.size() && answers[i].due <= now; ++i) {
    uint32_t slots = answers[i].slots & ~answered;
    answered |= answers[i].slots;
    if (answers[i].tag != joined.tag)
      continue;
    joined.slots += uint32_t(std::popcount(slots));
    answers[i].slots &= ~slots;
    anyDone |= !answers[i].slots;
  }
  if (anyDone)
    std::erase_if(answers, [](const Answer &answer) { return !answer.slots; });
  link.answerFirst(joined, now + kLocalToLsu);
}

} // namespace vx::sim
