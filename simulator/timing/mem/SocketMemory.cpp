// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/mem/SocketMemory.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

namespace {

CacheGeometry icacheShape(const SimConfig &c) {
  return {c.icacheEnabled, c.icacheSize,    c.icacheWays, c.icacheLine,  1,    1, 1, 1,
          c.icacheMshr,    c.icacheLatency, false,        c.replacement, false};
}

CacheGeometry dcacheShape(const SimConfig &c) {
  uint32_t banks = c.dcacheBankCount();
  return {c.dcacheEnabled,
          c.dcacheSize,
          c.dcacheWays,
          c.dcacheLine,
          banks,
          banks,
          c.dcacheMemoryPortCount(),
          c.dcachePorts,
          c.dcacheMshr,
          c.dcacheLatency,
          c.dcacheWrite == WritePolicy::Back,
          c.replacement};
}

/// Memory port 0 belongs to both caches.
std::vector<MemoryPort *> dcachePorts(const std::vector<MemoryPort *> &to, MemoryPort &port0) {
  std::vector<MemoryPort *> ports = to;
  ports[0] = &port0;
  return ports;
}

} // namespace

SocketMemory::SocketMemory(const SimConfig &config, std::span<MemoryLink> links,
                           const std::vector<MemoryPort *> &to, MemoryCounters &counters)
    : counters(counters), links(links), to(to), shared(links.size() > 1),
      queued(config.numCores > 1), coreBits(uint32_t(std::bit_width(links.size() - 1))),
      fetchClient(*this), dataClient(*this), lineArbiters(config.dcacheBankCount()),
      lineRequests(config.dcacheBankCount() * links.size()),
      icache(icacheShape(config), fetchClient, {&port0[0]}, counters.icache),
      dcache(dcacheShape(config), dataClient, dcachePorts(to, port0[1]), counters.dcache),
      sinks(links.size()), cores(links.size()) {
  for (MemoryPort &port : port0)
    port.wake = &wake;
  for (uint32_t i = 0; i != links.size(); ++i) {
    sinks.emplace_back(*this, i);
    cores.emplace_back(config, links[i], sinks[i], counters);
  }
  if (!queued)
    links[0].fetchPort = this;
  wakeTogether(true);
}

void SocketMemory::resetArbiters() {
  for (PortArbiter &arbiter : lineArbiters)
    arbiter.reset();
  port0Arbiter.reset();
  fetchArbiter.reset();
}

void SocketMemory::restart(Cycle elapsed) {
  for (MemoryPort &port : port0)
    port.queue.rebase(elapsed);
  for (RequestQueue &queue : lineRequests)
    queue.rebase(elapsed);
  rebaseTime(firstLine, elapsed);
  storesFull = 0;
  resetArbiters();
  icache.restart(elapsed);
  dcache.restart(elapsed);
  for (CoreMemory &core : cores)
    core.restart(elapsed);
  wake = 0;
  first = {0, 0};
}

void SocketMemory::reset() {
  for (MemoryPort &port : port0)
    port.queue.clear();
  wake = kNever;
  for (RequestQueue &queue : lineRequests)
    queue.clear();
  linesWaiting = storesFull = 0;
  firstLine = kNever;
  resetArbiters();
  for (LineSink &sink : sinks) {
    sink.channelsUsed = sink.writesSent = 0;
    sink.firstLine = kNever;
  }
  icache.reset();
  dcache.reset();
  for (CoreMemory &core : cores)
    core.reset();
  first = {0, 0};
}

/// From now on TOGETHER or not: links wake the socket, which looks at all of them first.
void SocketMemory::wakeTogether(bool together) {
  first = {0, 0};
  for (MemoryLink &link : links)
    link.wake = together ? &first : nullptr;
}

void SocketMemory::setParallel(bool parallel) {
  wake = 0; // the two parts of a tick do not keep it
  wakeTogether(!parallel);
  storesFull = 0;
  for (uint32_t i = 0; i != links.size(); ++i)
    storesFull |= uint64_t(links[i].storesFull) << i;
  for (LineSink &sink : sinks) {
    sink.parallel = parallel;
    linesWaiting |= std::exchange(sink.channelsUsed, 0);
    firstLine = std::min(firstLine, std::exchange(sink.firstLine, kNever));
    counters.writesUnderWay += std::exchange(sink.writesSent, 0);
  }
}

void SocketMemory::tickShared(Cycle now) {
  tickCaches(now);
  takeFetch(now);
  if (firstLine <= now)
    arbitrateLines(now);
}

void SocketMemory::tickCaches(Cycle now) {
  if (port0Due() <= now)
    arbitrateMemory(now);
  if (icache.due() <= now)
    icache.tick(now);
  if (dcache.due() <= now)
    dcache.tick(now);
}

Cycle SocketMemory::tick(Cycle now) {
  const bool isFetching = first.fetch <= now;
  if (isFetching || wake <= now) {
    tickCaches(now);
    if (isFetching)
      takeFetch(now);
    if (firstLine <= now)
      arbitrateLines(now);
  }
  if (first.own <= now || storesFull)
    tickCores(now);
  wake = nextShared();
  return std::min({wake, first.fetch, first.own});
}

/// Takes a fetch, if one is there.
void SocketMemory::takeFetch(Cycle now) {
  uint64_t requests = 0; // a bit for each core
  for (uint32_t i = 0; i != links.size(); ++i)
    requests |= uint64_t(links[i].fetchDue <= now) << i;
  if (requests)
    arbitrateFetches(requests, now);
  first.fetch = kNever;
  for (const MemoryLink &link : links)
    first.fetch = std::min(first.fetch, link.fetchDue);
}

/// Ticks cores' own parts that have something to do.
void SocketMemory::tickCores(Cycle now) {
  uint64_t due = storesFull; // a bit for each
  for (uint32_t i = 0; i != links.size(); ++i)
    due |= uint64_t(links[i].ownDue <= now) << i;
  for (; due; due &= due - 1) {
    uint32_t core = uint32_t(std::countr_zero(due));
    cores[core].tick(now);
    storesFull &= ~(uint64_t(1) << core);
    storesFull |= uint64_t(links[core].storesFull) << core;
  }
  first.own = kNever;
  for (const MemoryLink &link : links)
    first.own = std::min(first.own, link.ownDue);
}

Cycle SocketMemory::nextShared() const {
  return std::min({icache.due(), dcache.due(), port0Due(), firstLine});
}

/// Takes a fetch of the cores in the bit mask REQUESTS. An arbiter takes a cycle; a single core has
/// none.
void SocketMemory::arbitrateFetches(uint64_t requests, Cycle now) {
  uint32_t core = fetchArbiter.grant(requests);
  MemoryLink &link = links[core];
  if (!link.fetchPort) {
    const FetchRequest &fetch = link.fetchRequests.front();
    uint32_t tag = fetch.tag << coreBits | core;
    icache.request(0, {fetch.address, tag, false}, now + shared);
    link.fetchRequests.pop();
  }
  link.fetchDue = link.fetchRequests.nextDue();
}

void SocketMemory::arbitrateLines(Cycle now) {
  firstLine = kNever;
  for (uint64_t rest = linesWaiting; rest; rest &= rest - 1) {
    uint32_t channel = uint32_t(std::countr_zero(rest));
    RequestQueue *queues = &lines(channel, 0);
    uint64_t requests = 0;
    for (uint32_t core = 0; core != links.size(); ++core)
      requests |= uint64_t(queues[core].ready(now)) << core;
    if (requests) {
      RequestQueue &queue = queues[lineArbiters[channel].grant(requests)];
      dcache.request(channel, queue.front(), now + shared);
      queue.pop();
    }
    Cycle next = kNever;
    for (uint32_t core = 0; core != links.size(); ++core)
      next = std::min(next, queues[core].nextDue());
    if (next == kNever)
      linesWaiting &= ~(uint64_t(1) << channel);
    firstLine = std::min(firstLine, next);
  }
}

void SocketMemory::arbitrateMemory(Cycle now) {
  uint32_t requests = port0[0].queue.ready(now) | port0[1].queue.ready(now) << 1;
  uint32_t which = port0Arbiter.grant(requests);
  MemoryRequest request = port0[which].queue.front();
  port0[which].queue.pop();
  request.tag = request.tag << 1 | which;
  to[0]->push(request, now + 1);
}

void SocketMemory::memoryResponse(uint32_t port, uint32_t tag, Cycle due) {
  if (port)
    dcache.fill(port, tag, due);
  else
    (tag & 1 ? dcache : icache).fill(0, tag >> 1, due + 1);
  wake = std::min({wake, icache.due(), dcache.due()});
}

void SocketMemory::FetchClient::cacheResponse(uint32_t, uint32_t tag, Cycle due) {
  uint32_t core = tag & ((1u << socket.coreBits) - 1);
  // An arbiter sees the answer a cycle after it left the cache and takes another; it is decoded a
  // cycle after it has come.
  socket.links[core].answer(FetchResponse{tag >> socket.coreBits}, due + 2 * socket.shared + 1);
}

void SocketMemory::DataClient::cacheResponse(uint32_t input, uint32_t tag, Cycle due) {
  uint32_t core = tag & ((1u << socket.coreBits) - 1);
  socket.cores[core].response(input, tag >> socket.coreBits, due + 2 * socket.shared);
}

void SocketMemory::LineSink::lineRequest(uint32_t channel, const MemoryRequest &request,
                                         Cycle due) {
  (parallel ? writesSent : socket.counters.writesUnderWay) += request.isWrite;
  MemoryRequest tagged = request;
  tagged.tag = request.tag << socket.coreBits | core;
  if (!socket.queued) {
    socket.dcache.request(channel, tagged, due);
    return;
  }
  socket.lines(channel, core).push(tagged, due);
  (parallel ? channelsUsed : socket.linesWaiting) |= uint64_t(1) << channel;
  Cycle &first = parallel ? firstLine : socket.firstLine;
  first = std::min(first, due);
}

} // namespace vx::sim
