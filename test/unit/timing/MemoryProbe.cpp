// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryProbe.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace vx::sim {

MemoryProbe::MemoryProbe(const std::string &settings) {
  EXPECT_TRUE(config.applyList("run.mode=timing,core.num_warps=4,core.num_threads=8"));
  EXPECT_TRUE(config.applyList(settings));
  for (const std::string &error : config.validate())
    ADD_FAILURE() << error;
  memory = MemorySystem::create(config);
  memory->reset();
}

void MemoryProbe::load(uint32_t tag, std::vector<uint64_t> addresses, Cycle at, uint32_t core) {
  loads[tag] = {uint32_t(addresses.size()), kNever};
  LsuRequest &request = memory->link(core).access(at + 1);
  request.tag = tag;
  request.count = uint16_t(addresses.size());
  request.bytes = 8;
  request.isWrite = false;
  std::copy(addresses.begin(), addresses.end(), request.addresses.begin());
}

void MemoryProbe::store(std::vector<uint64_t> addresses, Cycle at, uint32_t core) {
  LsuRequest &request = memory->link(core).access(at + 1);
  request.tag = 0;
  request.count = uint16_t(addresses.size());
  request.bytes = 8;
  request.isWrite = true;
  std::copy(addresses.begin(), addresses.end(), request.addresses.begin());
}

void MemoryProbe::fetch(uint32_t tag, uint64_t address, Cycle at, uint32_t core) {
  fetches[tag] = kNever;
  memory->link(core).fetch({address, tag}, at + config.fetchLatency);
}

void MemoryProbe::takeAnswers() {
  for (uint32_t core = 0; core != config.numCores; ++core) {
    MemoryLink &link = memory->link(core);
    if (link.fetchResponses.ready(now + 1)) { // when it is decoded
      fetches[link.fetchResponses.front().tag] = now;
      link.fetchResponses.pop();
    }
    if (link.lsuResponses.ready(now)) {
      Load &load = loads[link.lsuResponses.front().tag];
      load.slotsLeft -= link.lsuResponses.front().slots;
      if (!load.slotsLeft)
        load.done = now;
      link.lsuResponses.pop();
    }
  }
}

void MemoryProbe::run(Cycle end, bool skip) {
  while (now < end) {
    Cycle due = memory->tick(now);
    takeAnswers();
    Cycle next = now + 1;
    if (skip) {
      next = due;
      for (uint32_t core = 0; core != config.numCores; ++core)
        next = std::min({next, memory->link(core).fetchResponses.nextDue() - 1,
                         memory->link(core).lsuResponses.nextDue()});
      next = std::max(now + 1, std::min(next, end));
    }
    now = next;
  }
}

void MemoryProbe::warm(const std::vector<uint64_t> &addresses) {
  static constexpr uint32_t kTag = 1u << 20;
  for (uint64_t address : addresses) {
    load(kTag, {address}, now);
    while (loaded(kTag) == kNever)
      run(now + 1);
  }
  run(now + 200); // DRAM is done with what belongs to the last line
}

Cycle MemoryProbe::loaded(uint32_t tag) const {
  auto found = loads.find(tag);
  return found == loads.end() ? kNever : found->second.done;
}

Cycle MemoryProbe::fetched(uint32_t tag) const {
  auto found = fetches.find(tag);
  return found == fetches.end() ? kNever : found->second;
}

} // namespace vx::sim
