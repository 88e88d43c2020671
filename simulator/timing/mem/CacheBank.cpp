// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/CacheBank.h"
#include <algorithm>

namespace vx::sim {

CacheBank::CacheBank(const CacheGeometry &geometry, uint32_t index, Outputs &outputs,
                     const CacheCounters &counters)
    : index(index), sets(geometry.setsPerBank()), ways(geometry.ways),
      bankBits(std::countr_zero(geometry.banks)), latency(geometry.latency),
      writeBack(geometry.writeBack), outputs(outputs), counters(counters),
      policy(ReplacementPolicy::create(geometry.replacement, sets, ways)), mshr(geometry.mshr),
      lines(size_t(sets) * ways), valid(sets), lastHits(sets) {}

void CacheBank::reset() {
  requests.clear();
  fills.clear();
  pipeline.clear();
  std::fill(lastHits.begin(), lastHits.end(), LastHit());
  policy->reset();
  mshr.reset();
  occupied = 0;
  blockedSince = kNever;
  std::fill(lines.begin(), lines.end(), Way());
  std::fill(valid.begin(), valid.end(), 0);
}

void CacheBank::restart(Cycle elapsed) {
  requests.rebase(elapsed);
  fills.rebase(elapsed);
  pipeline.rebase(elapsed);
  rebaseTime(blockedSince, elapsed);
}

void CacheBank::tick(Cycle now) {
  takeInput(now);
  if (pipeline.ready(now)) {
    process(pipeline.front(), now);
    pipeline.pop();
  }
}

Cycle CacheBank::nextEvent(Cycle now) const {
  if (mshr.hasReady())
    return now + 1;
  Cycle next = std::min(fills.nextDue(), pipeline.nextDue());
  if (!requests.empty() && !blocked())
    next = std::min(next, requests.nextDue());
  return std::max(next, now + 1);
}

void CacheBank::takeInput(Cycle now) {
  if (mshr.hasReady()) {
    --occupied;
    BankRequest &slot = pipeline.emplace(now + latency - 1);
    slot = mshr.takeReady();
    slot.isReplay = true;
  } else if (fills.ready(now)) {
    takeFill(fills.front());
    fills.pop();
    --occupied;
    BankRequest &slot = pipeline.emplace(now + latency - 1);
    slot = mshr.takeReady();
    slot.isReplay = true;
  } else if (requests.ready(now)) {
    if (blocked()) {
      blockedSince = std::min(blockedSince, now);
      return;
    }
    if (blockedSince != kNever) {
      counters.mshrStalls += now - blockedSince;
      blockedSince = kNever;
    }
    ++occupied;
    const BankRequest &request = requests.front();
    (request.isWrite ? counters.writes : counters.reads) += request.count;
    pipeline.emplace(now + latency - 1) = request;
    requests.pop();
  }
}

bool CacheBank::enterQuiet(const BankRequest &request, Cycle entered) {
  ++occupied;
  (request.isWrite ? counters.writes : counters.reads) += request.count;
  process(request, entered + latency - 1);
  return occupied == 0 && !request.isWrite;
}

/// Instructions of a line are mostly fetched one after the other.
bool CacheBank::findQuiet(uint64_t line) {
  uint32_t set = setOf(line);
  settleHits(set);
  const Way *way = &lines[size_t(set) * ways];
  for (uint32_t i = 0; i != ways; ++i)
    if (way[i].line == line && (valid[set] >> i & 1)) {
      lastHits[set].line = line;
      lastHits[set].way = i;
      return true;
    }
  return false;
}

/// Does what warm() does, for what is not a read that hits.
bool CacheBank::warmOther(uint64_t line, bool isWrite) {
  uint32_t set = setOf(line);
  settleHits(set);
  int found = findWay(set, line);
  uint32_t way = policy->lookup(set, found, valid[set]);
  if (found >= 0) {
    if (writeBack)
      lines[size_t(set) * ways + uint32_t(found)].dirty |= isWrite;
    return true;
  }
  if (isWrite && !writeBack)
    return false;
  if (uint64_t invalid = invalidWays(set))
    way = 63 - uint32_t(std::countl_zero(invalid));
  lines[size_t(set) * ways + way] = {line, isWrite};
  valid[set] |= uint64_t(1) << way;
  policy->fill(set, way);
  return false;
}

/// Tells the policy of the hits in SET that it does not know of yet. To be called before it is
/// asked about the set, or a line there changes its place.
void CacheBank::settleHits(uint32_t set) {
  LastHit &last = lastHits[set];
  if (last.count) {
    policy->hit(set, last.way, valid[set], last.count);
    last.count = 0;
  }
  last.line = LastHit::kNoLine;
}

void CacheBank::takeFill(uint32_t entry) {
  const BankRequest &request = mshr.request(entry);
  uint32_t set = setOf(request.line), way = mshr.way(entry);
  settleHits(set);
  lines[size_t(set) * ways + way] = {request.line, false};
  valid[set] |= uint64_t(1) << way;
  policy->fill(set, way);
  mshr.wake(entry);
}

void CacheBank::process(const BankRequest &request, Cycle now) {
  uint32_t set = setOf(request.line);
  if (request.isReplay) {
    if (!request.isWrite)
      outputs.bankResponse(index, request, now);
    else if (int way = findWay(set, request.line); way >= 0)
      lines[size_t(set) * ways + uint32_t(way)].dirty = true;
    return;
  }
  settleHits(set);
  int found = findWay(set, request.line);
  uint32_t victim = policy->lookup(set, found, valid[set]);
  if (found >= 0)
    hit(request, set, uint32_t(found), now);
  else
    miss(request, set, victim, now);
}

void CacheBank::hit(const BankRequest &request, uint32_t set, uint32_t way, Cycle now) {
  --occupied;
  if (!request.isWrite) {
    outputs.bankResponse(index, request, now);
  } else if (writeBack) {
    lines[size_t(set) * ways + way].dirty = true;
    counters.writesUnderWay -= request.count;
  } else {
    passOn(request, now);
  }
}

/// Writes of several inputs to one line become one.
void CacheBank::passOn(const BankRequest &request, Cycle now) {
  counters.writesUnderWay -= request.count - 1;
  outputs.bankMemory(index, request.line, 0, true, now);
}

void CacheBank::miss(const BankRequest &request, uint32_t set, uint32_t victim, Cycle now) {
  (request.isWrite ? counters.writeMisses : counters.readMisses) += request.count;
  if (request.isWrite && !writeBack) {
    --occupied;
    passOn(request, now);
    return;
  }
  bool pending = mshr.contains(request.line);
  counters.mshrMerges += pending;
  if (uint64_t invalid = invalidWays(set)) {
    victim = 63 - std::countl_zero(invalid);
  } else if (!pending) {
    ++counters.evictions;
    Way &old = lines[size_t(set) * ways + victim];
    if (old.dirty) {
      ++counters.writeBacks;
      ++counters.writesUnderWay;
      old.dirty = false;
      outputs.bankMemory(index, old.line, 0, true, now);
    }
  }
  counters.writesUnderWay -= request.isWrite ? request.count : 0; // it waits in the MSHR
  uint32_t entry = mshr.add(request, victim);
  if (!pending)
    outputs.bankMemory(index, request.line, entry, false, now);
}

} // namespace vx::sim
