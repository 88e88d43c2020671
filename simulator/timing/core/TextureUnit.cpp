// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/core/TextureUnit.h"
#include <algorithm>

namespace vx::sim {

namespace {
/// Bytes of a word: what a slot of a request reads at most.
constexpr uint64_t kWordBytes = 8;
} // namespace

void TextureUnit::reset() {
  input.clear();
  batch = {};
  words.clear();
  next = 0;
  slotsLeft = 0;
  writeFree = 0;
  states.clear();
  uses = 0;
}

/// Returns true if the table has the STATE. It has from now on.
bool TextureUnit::isKept(uint64_t state) {
  ++uses;
  for (State &entry : states)
    if (entry.address == state) {
      entry.used = uses;
      return true;
    }
  if (states.size() < config.textureStates) {
    states.push_back({state, uses});
    return false;
  }
  auto oldest = std::min_element(states.begin(), states.end(),
                                 [](const State &a, const State &b) { return a.used < b.used; });
  *oldest = {state, uses};
  return false;
}

void TextureUnit::start(const Packet &packet, Cycle now) {
  stats.texStalls += now - input.nextDue();
  batch = packet;
  DynInst &inst = insts[packet.inst];
  if (insts.isWatched()) [[unlikely]]
    inst.life.executed = now;
  words.clear();
  next = 0;
  for (const TextureRead &read : inst.textureReads) {
    if (!(packet.lanes >> read.lane & 1) || (read.isState && isKept(read.address)))
      continue;
    (read.isState ? stats.texStateReads : stats.texLaneReads) += 1;
    for (uint64_t at = read.address; at < read.address + read.bytes; at += kWordBytes)
      words.push_back(at & ~(kWordBytes - 1));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  stats.texReads += words.size();
}

void TextureUnit::send(Cycle now) {
  LsuRequest &request = link.access(now + 1);
  request.tag = tag();
  request.bytes = uint8_t(kWordBytes);
  request.isWrite = false;
  size_t count = std::min<size_t>(words.size() - next, config.lanesOf(config.lsuLanes));
  std::copy_n(words.begin() + ptrdiff_t(next), count, request.addresses.begin());
  request.count = uint16_t(count);
  next += count;
  slotsLeft += uint32_t(count);
}

/// Returns when the sampler has written the registers of a batch whose words are there.
Cycle TextureUnit::sample(const Packet &packet, Cycle now) {
  Cycle first = std::max(now + config.textureSamplerLatency, writeFree);
  writeFree = first + insts[packet.inst].staticInst.results;
  return writeFree - 1;
}

} // namespace vx::sim
