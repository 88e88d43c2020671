// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/LocalMemory.h"
#include <algorithm>

namespace vx::sim {

namespace {
/// Cycles from where the answers of a load are joined through the switch to the LSU.
constexpr Cycle kToLsu = 2;
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
  accessesWaiting = answersWaiting = arrivedWaiting = 0;
  arbiter.reset();
  wake = kNever;
}

void LocalMemory::request(const LsuRequest &request, uint32_t slots, Cycle due) {
  (request.isWrite ? counters.lmemWrites : counters.lmemReads) += std::popcount(slots);
  if (withoutConflict(request, slots, due))
    return;
  wake = std::min(wake, due);
  for (uint32_t rest = slots; rest; rest &= rest - 1) {
    uint32_t slot = std::countr_zero(rest);
    accesses[slot].push({request.tag, bankOf(request.addresses[slot]), request.isWrite}, due);
    ++accessesWaiting;
  }
}

bool LocalMemory::withoutConflict(const LsuRequest &request, uint32_t slots, Cycle due) {
  if (accessesWaiting | answersWaiting | arrivedWaiting)
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
    responses.push({request.tag, uint32_t(std::popcount(slots))}, due + shape.latency + 1 + kToLsu);
  }
  return true;
}

void LocalMemory::tick(Cycle now) {
  if (arrivedWaiting)
    joinAnswers(now);
  if (answersWaiting)
    routeAnswers(now);
  if (accessesWaiting)
    accessBanks(now);
  wake = nextEvent(now);
}

Cycle LocalMemory::nextEvent(Cycle now) const {
  Cycle next = kNever;
  if (accessesWaiting)
    for (auto &queue : accesses)
      next = std::min(next, queue.nextDue());
  if (answersWaiting)
    for (auto &queue : answers)
      next = std::min(next, queue.nextDue());
  if (arrivedWaiting)
    for (auto &queue : arrived)
      next = std::min(next, queue.nextDue());
  return std::max(next, now + 1);
}

void LocalMemory::accessBanks(Cycle now) {
  uint64_t busy = 0;
  for (uint32_t slot = 0; slot != shape.slots; ++slot) {
    auto &queue = accesses[slot];
    if (!queue.ready(now))
      continue;
    Access access = queue.front();
    uint64_t bit = uint64_t(1) << access.bank;
    if (busy & bit) {
      ++counters.lmemConflicts;
      continue;
    }
    busy |= bit;
    queue.pop();
    --accessesWaiting;
    if (access.isWrite)
      continue;
    answers[access.bank].push({access.tag, slot}, now + shape.latency);
    ++answersWaiting;
  }
}

/// The crossbar back: per cycle one answer to each slot, taken from the banks in turn.
void LocalMemory::routeAnswers(Cycle now) {
  std::fill(wanted.begin(), wanted.end(), 0);
  for (uint32_t bank = 0; bank != shape.banks; ++bank)
    if (answers[bank].ready(now))
      wanted[answers[bank].front().slot] |= uint64_t(1) << bank;
  for (uint32_t slot = 0; slot != shape.slots; ++slot) {
    if (!wanted[slot])
      continue;
    auto &queue = answers[arbiter.grant(wanted[slot])];
    arrived[slot].push(queue.front().tag, now + 1);
    queue.pop();
    --answersWaiting;
    ++arrivedWaiting;
  }
}

/// The answers of the first slot that has one, and of other slots of the same load.
void LocalMemory::joinAnswers(Cycle now) {
  LsuResponse joined;
  for (auto &queue : arrived) {
    if (!queue.ready(now) || (joined.slots && queue.front() != joined.tag))
      continue;
    joined.tag = queue.front();
    ++joined.slots;
    queue.pop();
    --arrivedWaiting;
  }
  if (joined.slots)
    responses.push(joined, now + kToLsu);
}

} // namespace vx::sim
