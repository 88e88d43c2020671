// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/SharedStage.h"
#include <algorithm>

namespace vx::sim {

void SharedStage::reset() {
  for (RequestQueue &queue : queues)
    queue.clear();
}

Cycle SharedStage::nextEvent(Cycle now) const {
  Cycle next = kNever;
  for (const RequestQueue &queue : queues)
    next = std::min(next, queue.nextDue());
  return std::max(next, now + 1);
}

void SharedCache::reset() {
  SharedStage::reset();
  cache.reset();
}

void SharedCache::tick(Cycle now) {
  cache.tick(now);
  for (uint32_t i = 0; i != queues.size(); ++i) {
    if (!queues[i].ready(now))
      continue;
    cache.request(i, queues[i].front(), now);
    queues[i].pop();
  }
}

Cycle SharedCache::nextEvent(Cycle now) const {
  return std::min(SharedStage::nextEvent(now), cache.nextEvent(now));
}

void SharedCache::memoryResponse(uint32_t port, uint32_t tag, Cycle due) {
  cache.fill(port, tag, due);
}

void SharedCache::cacheResponse(uint32_t input, uint32_t tag, Cycle due) {
  users[input].client->memoryResponse(users[input].port, tag, due + 1);
}

PortMerger::PortMerger(uint32_t inputs, std::vector<RequestQueue *> to)
    : SharedStage(inputs), group((inputs + uint32_t(to.size()) - 1) / uint32_t(to.size())),
      to(std::move(to)), arbiters(this->to.size()) {}

void PortMerger::reset() {
  SharedStage::reset();
  for (PortArbiter &arbiter : arbiters)
    arbiter.reset();
}

void PortMerger::tick(Cycle now) {
  for (uint32_t port = 0; port != to.size(); ++port) {
    uint32_t first = port * group;
    uint32_t count = std::min<uint32_t>(group, uint32_t(queues.size()) - first);
    uint64_t requests = 0;
    for (uint32_t i = 0; i != count; ++i)
      requests |= uint64_t(queues[first + i].ready(now)) << i;
    if (!requests)
      continue;
    uint32_t chosen = arbiters[port].grant(requests);
    MemoryRequest request = queues[first + chosen].front();
    queues[first + chosen].pop();
    request.tag = request.tag * group + chosen;
    to[port]->push(request, now + 1);
  }
}

void PortMerger::memoryResponse(uint32_t port, uint32_t tag, Cycle due) {
  const User &user = users[port * group + tag % group];
  user.client->memoryResponse(user.port, tag / group, due + 1);
}

} // namespace vx::sim
