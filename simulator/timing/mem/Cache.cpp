// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/Cache.h"
#include "intrinsics/abi/AddressMap.h"
#include <algorithm>

namespace vx::sim {

namespace {
bool isIo(uint64_t address) {
  return address - VX_CONSOLE_ADDR < VX_USER_BASE_ADDR - VX_CONSOLE_ADDR;
}
} // namespace

Cache::Cache(const CacheGeometry &geometry, CacheClient &client, std::vector<MemoryPort *> to,
             const CacheCounters &counters)
    : geometry(geometry), lineBits(std::countr_zero(geometry.line)),
      bankBits(std::countr_zero(geometry.banks)),
      direct(geometry.inputs == 1 && geometry.banks == 1), client(client), to(std::move(to)),
      counters(counters), inputs(geometry.inputs), banks(geometry.enabled ? geometry.banks : 0),
      answers(geometry.banks), memoryRequests(sources()), portFree(geometry.memoryPorts),
      portUsed(geometry.memoryPorts), bypasses(geometry.memoryPorts), routed(geometry.banks),
      wanted(geometry.inputs) {
  for (uint32_t i = 0; geometry.enabled && i != geometry.banks; ++i)
    banks.emplace_back(geometry, i, static_cast<CacheBank::Outputs &>(*this), counters);
  reset();
}

void Cache::reset() {
  for (CacheBank &bank : banks)
    bank.reset();
  for (auto &queue : inputs)
    queue.clear();
  for (auto &queue : answers)
    queue.clear();
  for (auto &queue : memoryRequests)
    queue.clear();
  memoryArbiter.reset();
  answerArbiter.reset();
  std::fill(portFree.begin(), portFree.end(), 0);
  for (auto &cycles : portUsed)
    cycles.fill(kNever);
  for (auto &queue : bypasses)
    queue.clear();
  bypassReads.clear();
  freeBypassReads.clear();
  waiting = answersWaiting = memoryWaiting = bypassesWaiting = 0;
  nextBank = wake = kNever;
  lastEntered = 0;
  readyAt = geometry.enabled ? geometry.setsPerBank() : 0;
}

void Cache::restart(Cycle elapsed) {
  for (CacheBank &bank : banks)
    bank.restart(elapsed);
  for (auto &queue : inputs)
    queue.rebase(elapsed);
  for (auto &queue : answers)
    queue.rebase(elapsed);
  for (auto &queue : memoryRequests)
    queue.rebase(elapsed);
  memoryArbiter.reset();
  answerArbiter.reset();
  for (Cycle &time : portFree)
    rebaseTime(time, elapsed);
  for (auto &cycles : portUsed)
    cycles.fill(kNever);
  for (auto &queue : bypasses)
    queue.rebase(elapsed);
  rebaseTime(lastEntered, elapsed);
  nextBank = wake = 0;
  readyAt = geometry.enabled ? geometry.setsPerBank() : 0;
}

Cycle Cache::request(uint32_t input, const MemoryRequest &request, Cycle due) {
  if (!geometry.enabled) {
    MemoryRequest out = request;
    out.tag = request.tag * geometry.inputs + input;
    memoryRequests[input].push(out, due);
    ++memoryWaiting;
    wake = std::min(wake, due);
    return due;
  }
  Cycle entered = std::max(due, readyAt) + 1;
  if (isIo(request.address) && geometry.ioBypasses) [[unlikely]]
    return bypass(input, request, entered);
  uint64_t line = request.address >> lineBits;
  if (!direct) {
    inputs[input].push({line, request.tag, request.isWrite}, entered);
    ++waiting;
    wake = std::min(wake, entered);
    return entered;
  }
  entered = std::max(entered, lastEntered + 1);
  lastEntered = entered;
  if (banks[0].isQuiet()) {
    // Nothing can come between: what happens to the request is known now.
    if (!request.isWrite && banks[0].hitQuiet(line)) {
      client.cacheResponse(0, request.tag, entered + banks[0].quietLatency() + 1);
      return kNever;
    }
    BankRequest single;
    single.line = line;
    single.isWrite = request.isWrite;
    single.count = 1;
    single.targets[0] = {request.tag, 0};
    return banks[0].enterQuiet(single, entered) ? kNever : entered;
  }
  BankRequest &slot = banks[0].requests.emplace(entered);
  slot.line = line;
  slot.isWrite = request.isWrite;
  slot.isReplay = false;
  slot.count = 1;
  slot.targets[0] = {request.tag, 0};
  wakeBanks(entered);
  return entered;
}

/// REQUEST reaches its port in cycle DUE.
Cycle Cache::bypass(uint32_t input, const MemoryRequest &request, Cycle due) {
  MemoryRequest out = request;
  if (!request.isWrite) {
    if (freeBypassReads.empty()) {
      freeBypassReads.push_back(uint32_t(bypassReads.size()));
      bypassReads.emplace_back();
    }
    uint32_t number = freeBypassReads.back();
    freeBypassReads.pop_back();
    bypassReads[number] = {request.tag, input};
    out.tag = (geometry.mshr + number) << bankBits;
  }
  bypasses[input % bypasses.size()].push(out, due);
  ++bypassesWaiting;
  wake = std::min(wake, due);
  return due;
}

void Cache::sendBypassed(Cycle now) {
  for (uint32_t port = 0; port != bypasses.size(); ++port) {
    RequestQueue &queue = bypasses[port];
    if (!queue.ready(now) || portUsed[port][now % portUsed[port].size()] == now)
      continue;
    to[port]->push(queue.front(), now + 1);
    queue.pop();
    --bypassesWaiting;
  }
}

void Cache::fill(uint32_t, uint32_t tag, Cycle due) {
  if (!geometry.enabled) {
    client.cacheResponse(tag % geometry.inputs, tag / geometry.inputs, due + 1);
    return;
  }
  if (tag >> bankBits >= geometry.mshr) [[unlikely]] {
    uint32_t number = (tag >> bankBits) - geometry.mshr;
    freeBypassReads.push_back(number);
    client.cacheResponse(bypassReads[number].input, bypassReads[number].tag,
                         std::max(due + 1, readyAt));
    return;
  }
  Cycle arrived = due + 1 + sharedPorts();
  banks[tag & (geometry.banks - 1)].fills.push(tag >> bankBits, arrived);
  wakeBanks(arrived);
}

WarmAccess Cache::warm(WarmAccess access, uint64_t address) {
  if (!geometry.enabled || access == WarmAccess::None || (isIo(address) && geometry.ioBypasses))
    return access;
  uint64_t line = address >> lineBits;
  bool isWrite = access == WarmAccess::Write;
  bool hit = banks[line & (geometry.banks - 1)].warm(line, isWrite);
  if (isWrite && !geometry.writeBack)
    return access;
  return hit ? WarmAccess::None : WarmAccess::Read;
}

void Cache::tick(Cycle now) {
  if (bypassesWaiting) [[unlikely]]
    sendBypassed(now);
  if (memoryWaiting)
    arbitrateMemory(now);
  if (answersWaiting)
    routeResponses(now);
  if (nextBank <= now) {
    nextBank = kNever;
    for (CacheBank &bank : banks) {
      bank.tick(now);
      nextBank = std::min(nextBank, bank.nextEvent(now));
    }
  }
  if (waiting)
    routeRequests(now);
  wake = nextEvent();
}

Cycle Cache::nextEvent() const {
  Cycle next = nextBank;
  if (bypassesWaiting) [[unlikely]]
    for (auto &queue : bypasses)
      next = std::min(next, queue.nextDue());
  if (waiting)
    for (auto &queue : inputs)
      next = std::min(next, queue.nextDue());
  if (answersWaiting)
    for (auto &queue : answers)
      next = std::min(next, queue.nextDue());
  if (memoryWaiting)
    for (auto &queue : memoryRequests)
      next = std::min(next, queue.nextDue());
  return next;
}

/// The crossbar towards the banks.
void Cache::routeRequests(Cycle now) {
  std::fill(routed.begin(), routed.end(), nullptr);
  for (uint32_t input = 0; input != inputs.size(); ++input) {
    auto &queue = inputs[input];
    if (!queue.ready(now))
      continue;
    const InputRequest &request = queue.front();
    uint32_t bank = uint32_t(request.line) & (geometry.banks - 1);
    BankRequest *&slot = routed[bank];
    if (!slot) {
      slot = &banks[bank].requests.emplace(now + 1);
      slot->line = request.line;
      slot->isWrite = request.isWrite;
      slot->isReplay = false;
      slot->count = 0;
      nextBank = std::min(nextBank, now + 1);
    } else {
      bool portTaken = false;
      for (uint32_t i = 0; i != slot->count; ++i)
        portTaken |= (slot->targets[i].input ^ input) % geometry.ports == 0;
      if (portTaken || slot->line != request.line || slot->isWrite != request.isWrite) {
        ++counters.bankConflicts;
        continue;
      }
    }
    slot->targets[slot->count++] = {request.tag, input};
    queue.pop();
    --waiting;
  }
}

/// The crossbar towards the inputs: per cycle one answer to each, taken from the banks in turn.
void Cache::routeResponses(Cycle now) {
  std::fill(wanted.begin(), wanted.end(), 0);
  for (uint32_t bank = 0; bank != answers.size(); ++bank)
    if (answers[bank].ready(now))
      wanted[answers[bank].front().input] |= uint64_t(1) << bank;
  for (uint32_t input = 0; input != wanted.size(); ++input) {
    if (!wanted[input])
      continue;
    auto &queue = answers[answerArbiter.grant(wanted[input])];
    client.cacheResponse(input, queue.front().tag, now + 1);
    queue.pop();
    --answersWaiting;
  }
}

void Cache::bankResponse(uint32_t bank, const BankRequest &request, Cycle now) {
  for (uint32_t i = 0; i != request.count; ++i) {
    if (direct) {
      client.cacheResponse(0, request.targets[i].tag, now + 1);
    } else {
      answers[bank].push({request.targets[i].tag, request.targets[i].input}, now + 1);
      ++answersWaiting;
    }
  }
}

void Cache::bankMemory(uint32_t bank, uint64_t line, uint32_t entry, bool isWrite, Cycle now) {
  MemoryRequest request{line << lineBits, (entry << bankBits) | bank, isWrite};
  if (sharedPorts()) {
    memoryRequests[bank].push(request, now + 1);
    ++memoryWaiting;
  } else {
    sendOut(bank, request, now + 1);
  }
}

/// Banks (inputs, when disabled) that share a port alternate.
void Cache::arbitrateMemory(Cycle now) {
  uint32_t ports = uint32_t(to.size());
  uint32_t group = (sources() + ports - 1) / ports;
  for (uint32_t port = 0; port != ports; ++port) {
    uint32_t first = port * group, last = std::min(first + group, sources());
    uint64_t requests = 0;
    for (uint32_t i = first; i < last; ++i)
      requests |= uint64_t(memoryRequests[i].ready(now)) << (i - first);
    if (!requests)
      continue;
    RequestQueue &queue = memoryRequests[first + memoryArbiter.grant(requests)];
    sendOut(port, queue.front(), now + geometry.enabled);
    queue.pop();
    --memoryWaiting;
  }
}

/// A port takes one request per cycle, DUE at the earliest, and passes it on a cycle later.
void Cache::sendOut(uint32_t port, const MemoryRequest &request, Cycle due) {
  due = std::max(due, portFree[port]);
  portFree[port] = due + 1;
  portUsed[port][due % portUsed[port].size()] = due;
  to[port]->push(request, due + 1);
}

} // namespace vx::sim
