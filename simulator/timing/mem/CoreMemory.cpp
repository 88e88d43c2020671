// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/CoreMemory.h"
#include "intrinsics/abi/AddressMap.h"

namespace vx::sim {

namespace {

/// Cycles from the switch to the coalescer.
constexpr Cycle kToCoalescer = 1;
/// Cycles from the switch to the local memory's crossbar: the adapter of its slots is between.
constexpr Cycle kToLocalMemory = 2;
/// The number of lines that a store counts as that waits for the coalescer.
constexpr uint64_t kLinesPerStore = 8;
/// The D$'s latency up to which answers may be known early: a load that goes past its banks takes
/// longer.
constexpr uint32_t kShortLatency = 4;

/// With fewer stores under way, there are not too many before an answer that is known now is due.
uint64_t fewStoresOf(const SimConfig &config) {
  constexpr uint64_t most = 64, cycles = 32; // that a core adds per cycle, wherever they wait
  return config.lsuStoreBacklog -
         std::min<uint64_t>(config.lsuStoreBacklog, most * cycles * config.numCores);
}

Coalescer::Shape coalescerShape(const SimConfig &config) {
  return {config.lanesOf(config.lsuLanes), config.dcacheBankCount(), config.coalescerLineBytes(),
          config.coalescerEntries(), config.coalescerMerge,
          // Sampled mode counts in the middle of a run, after each cycle with something to do.
          config.dcacheLatency <= kShortLatency && config.mode != SimMode::Sampled};
}

LocalMemory::Shape localShape(const SimConfig &config) {
  return {config.lanesOf(config.lsuLanes), config.lmemBankCount(), config.lmemWord,
          config.lmemLatency};
}

} // namespace

CoreMemory::CoreMemory(const SimConfig &config, MemoryLink &link, Coalescer::Sink &sink,
                       const MemoryCounters &counters)
    : link(link), localBase(config.xlen == 32 ? VX_STACK_BASE_ADDR_32 : VX_STACK_BASE_ADDR_64),
      storeBacklog(config.lsuStoreBacklog), fewStores(fewStoresOf(config)), counters(counters),
      coalescer(coalescerShape(config), sink, link, stats),
      localMemory(localShape(config), link, stats) {}

void CoreMemory::reset() {
  coalescer.reset();
  localMemory.reset();
  link.ownDue = kNever;
}

void CoreMemory::tick(Cycle now) {
  // The switch takes answers of the local memory first.
  if (localMemory.due() <= now)
    localMemory.tick(now);
  if (coalescer.due() <= now)
    coalescer.tick(now);
  if (link.lsuRequests.ready(now)) {
    split(link.lsuRequests.front(), now);
    link.lsuRequests.pop();
  }
  link.ownDue = std::min({coalescer.due(), localMemory.due(), link.lsuRequests.nextDue()});
  link.storesFull = counters.writesUnderWay + backlog() >= storeBacklog;
}

uint64_t CoreMemory::backlog() const {
  return coalescer.backlog() * kLinesPerStore + localMemory.backlog();
}

void CoreMemory::split(const LsuRequest &request, Cycle now) {
  uint32_t global = 0, local = 0;
  for (uint32_t i = 0; i != request.count; ++i) {
    uint64_t address = request.addresses[i];
    if (address == LsuRequest::kNoAddress)
      continue;
    (address < localBase ? global : local) |= 1u << i;
  }
  if (local)
    localMemory.request(request, local, now + kToLocalMemory);
  if (global)
    coalescer.request(request, global, now + kToCoalescer);
}

} // namespace vx::sim
