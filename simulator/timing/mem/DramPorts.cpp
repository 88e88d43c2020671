// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/DramPorts.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

namespace {
/// Cycles from the crossbar to DRAM's queue.
constexpr Cycle kToDram = 2;
} // namespace

DramPorts::DramPorts(const SimConfig &config, uint32_t inputs, MemoryCounters &counters)
    : SharedStage(inputs), counters(counters),
      blockBits(uint32_t(std::countr_zero(config.memoryBlockBytes()))),
      outputBits(uint32_t(std::countr_zero(config.dramChannels))), outputs(config.dramChannels),
      answers(outputs), wanted(inputs), dram(Dram::create(config, *this, counters.stats)) {}

void DramPorts::reset() {
  SharedStage::reset();
  for (auto &queue : answers)
    queue.clear();
  answersWaiting = 0;
  arbiter.reset();
  dram->reset();
}

void DramPorts::restart(Cycle elapsed) {
  SharedStage::restart(elapsed);
  for (auto &queue : answers)
    queue.rebase(elapsed);
  arbiter.reset();
  dram->restart(elapsed);
}

void DramPorts::work(Cycle now) {
  if (answersWaiting)
    routeAnswers(now);
  routeRequests(now);
  dram->tick(now);
}

Cycle DramPorts::nextEvent(Cycle now) const {
  Cycle next = std::min(SharedStage::nextEvent(now), dram->nextEvent(now));
  if (answersWaiting)
    for (auto &queue : answers)
      next = std::min(next, queue.nextDue());
  return std::max(next, now + 1);
}

void DramPorts::routeRequests(Cycle now) {
  uint64_t waiting = 0;
  for (uint32_t i = 0; i != ports.size(); ++i)
    waiting |= uint64_t(ports[i].queue.ready(now)) << i;
  if (!waiting)
    return;
  for (uint32_t output = 0; output != outputs; ++output) {
    for (uint64_t rest = waiting; rest; rest &= rest - 1) {
      uint32_t input = std::countr_zero(rest);
      MemoryRequest request = ports[input].queue.front();
      if ((request.address >> blockBits & (outputs - 1)) != output)
        continue;
      ports[input].queue.pop();
      waiting &= ~(uint64_t(1) << input);
      request.tag = (request.tag * uint32_t(ports.size()) + input) << outputBits | output;
      dram->push(request, now + kToDram);
      break;
    }
  }
}

void DramPorts::dramResponse(uint32_t tag, Cycle now) {
  uint32_t rest = tag >> outputBits, inputs = uint32_t(ports.size());
  answers[tag & (outputs - 1)].push({rest / inputs, rest % inputs}, now + 1);
  ++answersWaiting;
}

void DramPorts::routeAnswers(Cycle now) {
  std::fill(wanted.begin(), wanted.end(), 0);
  for (uint32_t output = 0; output != outputs; ++output)
    if (answers[output].ready(now))
      wanted[answers[output].front().input] |= uint64_t(1) << output;
  for (uint32_t input = 0; input != wanted.size(); ++input) {
    if (!wanted[input])
      continue;
    auto &queue = answers[arbiter.grant(wanted[input])];
    users[input].client->memoryResponse(users[input].port, queue.front().tag, now + 1);
    queue.pop();
    --answersWaiting;
  }
}

} // namespace vx::sim
