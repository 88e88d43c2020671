// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/SharedStage.h"
#include <algorithm>

namespace vx::sim {

void SharedStage::reset() {
  for (MemoryPort &port : ports)
    port.queue.clear();
  wake = kNever;
}

void SharedStage::restart(Cycle elapsed) {
  for (MemoryPort &port : ports)
    port.queue.rebase(elapsed);
  wake = 0;
}

Cycle SharedStage::nextEvent(Cycle now) const {
  Cycle next = kNever;
  for (const MemoryPort &port : ports)
    next = std::min(next, port.queue.nextDue());
  return std::max(next, now + 1);
}

void SharedCache::reset() {
  SharedStage::reset();
  cache.reset();
}

void SharedCache::restart(Cycle elapsed) {
  SharedStage::restart(elapsed);
  cache.restart(elapsed);
}

void SharedCache::work(Cycle now) {
  if (cache.due() <= now)
    cache.tick(now);
  for (uint32_t i = 0; i != ports.size(); ++i) {
    RequestQueue &queue = ports[i].queue;
    if (!queue.ready(now))
      continue;
    cache.request(i, queue.front(), now);
    queue.pop();
  }
}

Cycle SharedCache::nextEvent(Cycle now) const {
  return std::min(SharedStage::nextEvent(now), cache.due());
}

void SharedCache::memoryResponse(uint32_t port, uint32_t tag, Cycle due) {
  cache.fill(port, tag, due);
  wake = std::min(wake, cache.due());
}

void SharedCache::cacheResponse(uint32_t input, uint32_t tag, Cycle due) {
  users[input].client->memoryResponse(users[input].port, tag, due + 1);
}

PortMerger::PortMerger(uint32_t inputs, std::vector<MemoryPort *> to)
    : SharedStage(inputs), group((inputs + uint32_t(to.size()) - 1) / uint32_t(to.size())),
      to(std::move(to)) {}

void PortMerger::reset() {
  SharedStage::reset();
  arbiter.reset();
}

void PortMerger::restart(Cycle elapsed) {
  SharedStage::restart(elapsed);
  arbiter.reset();
}

void PortMerger::work(Cycle now) {
  for (uint32_t port = 0; port != to.size(); ++port) {
    uint32_t first = port * group;
    uint32_t count = std::min<uint32_t>(group, uint32_t(ports.size()) - first);
    uint64_t requests = 0;
    for (uint32_t i = 0; i != count; ++i)
      requests |= uint64_t(ports[first + i].queue.ready(now)) << i;
    if (!requests)
      continue;
    uint32_t chosen = arbiter.grant(requests);
    MemoryRequest request = ports[first + chosen].queue.front();
    ports[first + chosen].queue.pop();
    request.tag = request.tag * group + chosen;
    to[port]->push(request, now + 1);
  }
}

void PortMerger::memoryResponse(uint32_t port, uint32_t tag, Cycle due) {
  const User &user = users[port * group + tag % group];
  user.client->memoryResponse(user.port, tag / group, due + 1);
}

} // namespace vx::sim
