// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the memory system from a configuration, from DRAM upwards, and ticks its parts.
//
//   sockets ─► per cluster: L2, or an arbiter ─► L3, or an arbiter ─► crossbar ─► DRAM
//
// An arbiter is left out where as many ports go out as come in.

#include "simulator/timing/mem/Hierarchy.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/timing/mem/DramPorts.h"
#include "simulator/timing/mem/SocketMemory.h"
#include <algorithm>
#include <bit>

namespace vx::sim {

namespace {

CacheGeometry l2Shape(const SimConfig &c) {
  CacheGeometry geometry;
  geometry.size = c.l2Size;
  geometry.ways = c.l2Ways;
  geometry.line = c.l2Line;
  geometry.banks = c.l2BankCount();
  geometry.memoryPorts = std::min(geometry.banks, c.dramChannels);
  geometry.mshr = c.l2Mshr;
  geometry.latency = c.l2Latency;
  geometry.writeBack = c.l2Write == WritePolicy::Back;
  geometry.replacement = c.replacement;
  return geometry;
}

CacheGeometry l3Shape(const SimConfig &c) {
  CacheGeometry geometry;
  geometry.size = c.l3Size;
  geometry.ways = c.l3Ways;
  geometry.line = c.l3Line;
  geometry.banks = c.l3BankCount();
  geometry.memoryPorts = std::min(geometry.banks, c.dramChannels);
  geometry.mshr = c.l3Mshr;
  geometry.latency = c.l3Latency;
  geometry.writeBack = c.l3Write == WritePolicy::Back;
  geometry.replacement = c.replacement;
  return geometry;
}

class Hierarchy final : public MemorySystem {
public:
  explicit Hierarchy(const SimConfig &config);

  void reset() override;
  void restart(Cycle elapsed) override;
  Cycle tick(Cycle now) override;

  Cycle independence() const override;
  bool mayFillUp(Cycle cycles) const override;
  void setParallel(bool parallel) override;
  void tickShared(Cycle now) override;
  void tickOwn(uint32_t core, Cycle now) override { parts[core]->tick(now); }
  Cycle nextShared() const override;
  Cycle nextOwn(uint32_t core) const override { return links[core].ownDue; }
  MemoryStats *ownStats(uint32_t core) override { return &parts[core]->stats; }
  MemoryStats stats() const override;
  void resetStats() override;
  void warmFetch(uint32_t core, uint64_t address) override;
  void warmAccess(uint32_t core, WarmAccess access, uint64_t lanes,
                  const uint64_t *addresses) override;

private:
  /// The inputs of a stage (all of them, or some) as queues.
  struct Ports {
    SharedStage *stage = nullptr;
    uint32_t first = 0, count = 0;
  };

  Ports addLevel(bool enabled, CacheGeometry geometry, uint32_t inputs,
                 const CacheCounters &counters, Ports below);
  uint32_t portsBelow(bool enabled, const CacheGeometry &geometry, uint32_t inputs) const;
  static std::vector<MemoryPort *> queuesOf(Ports ports);
  void clearLinks();
  void warmBelow(uint32_t core, WarmAccess access, uint64_t address);

  const SimConfig config;
  MemoryCounters views;
  std::vector<std::unique_ptr<SharedStage>> stages; ///< DRAM first
  PlacedArray<SocketMemory> sockets;
  std::vector<CoreMemory *> parts;         ///< of each core
  std::vector<SocketMemory *> socketOf;    ///< of each core
  std::vector<SharedStage *> behindSocket; ///< of each core: its L2, or what is in its place
  SharedStage *behindCluster = nullptr;    ///< the L3, or what is in its place
  const uint64_t localBase, lineMask;
};

Hierarchy::Hierarchy(const SimConfig &config)
    : MemorySystem(config.numCores), config(config), views(counters),
      sockets(size_t(config.clusters) * config.socketsPerCluster()),
      localBase(config.xlen == 32 ? VX_STACK_BASE_ADDR_32 : VX_STACK_BASE_ADDR_64),
      lineMask(~uint64_t(config.dcacheLine - 1)) {
  const CacheGeometry l2 = l2Shape(config), l3 = l3Shape(config);
  uint32_t socketPorts = config.dcacheMemoryPortCount();
  uint32_t clusterInputs = config.socketsPerCluster() * socketPorts;
  uint32_t clusterPorts = portsBelow(config.l2Enabled, l2, clusterInputs);
  uint32_t deviceInputs = config.clusters * clusterPorts;
  uint32_t devicePorts = portsBelow(config.l3Enabled, l3, deviceInputs);

  auto dram = std::make_unique<DramPorts>(config, devicePorts, views);
  Ports below{dram.get(), 0, devicePorts};
  stages.push_back(std::move(dram));
  below = addLevel(config.l3Enabled, l3, deviceInputs, views.l3, below);
  behindCluster = below.stage;
  for (uint32_t cluster = 0, core = 0; cluster != config.clusters; ++cluster) {
    Ports own{below.stage, below.first + cluster * clusterPorts, clusterPorts};
    Ports inputs = addLevel(config.l2Enabled, l2, clusterInputs, views.l2, own);
    std::vector<MemoryPort *> queues = queuesOf(inputs);
    for (uint32_t i = 0; i != config.socketsPerCluster(); ++i) {
      uint32_t count = std::min(config.coresPerSocket(), uint32_t(links.size()) - core);
      std::span<MemoryLink> cores(&links[core], count);
      core += count;
      auto first = queues.begin() + i * socketPorts;
      sockets.emplace_back(config, cores, std::vector<MemoryPort *>(first, first + socketPorts),
                           views);
      for (uint32_t k = 0; k != cores.size(); ++k) {
        parts.push_back(&sockets.back().coreMemory(k));
        socketOf.push_back(&sockets.back());
        behindSocket.push_back(inputs.stage);
      }
      for (uint32_t port = 0; port != socketPorts; ++port)
        inputs.stage->connect(inputs.first + i * socketPorts + port, sockets.back(), port);
    }
  }
}

/// Returns how many ports INPUTS ports become after a level.
uint32_t Hierarchy::portsBelow(bool enabled, const CacheGeometry &geometry, uint32_t inputs) const {
  return enabled ? geometry.memoryPorts : std::min(inputs, config.dramChannels);
}

std::vector<MemoryPort *> Hierarchy::queuesOf(Ports ports) {
  std::vector<MemoryPort *> queues;
  for (uint32_t i = 0; i != ports.count; ++i)
    queues.push_back(&ports.stage->input(ports.first + i));
  return queues;
}

/// Adds the stage of a level for INPUTS inputs, in front of BELOW; returns its inputs.
Hierarchy::Ports Hierarchy::addLevel(bool enabled, CacheGeometry geometry, uint32_t inputs,
                                     const CacheCounters &counters, Ports below) {
  std::unique_ptr<SharedStage> stage;
  geometry.inputs = inputs;
  if (enabled)
    stage = std::make_unique<SharedCache>(geometry, queuesOf(below), counters);
  else if (inputs == below.count)
    return below;
  else
    stage = std::make_unique<PortMerger>(inputs, queuesOf(below));
  for (uint32_t i = 0; i != below.count; ++i)
    below.stage->connect(below.first + i, *stage, i);
  stages.push_back(std::move(stage));
  return {stages.back().get(), 0, inputs};
}

void Hierarchy::clearLinks() {
  for (MemoryLink &link : links)
    link.clear();
}

void Hierarchy::reset() {
  views.writesUnderWay = 0;
  clearLinks();
  for (auto &stage : stages)
    stage->reset();
  for (SocketMemory &socket : sockets)
    socket.reset();
}

void Hierarchy::restart(Cycle elapsed) {
  clearLinks(); // a core that has ended waits for nothing, and its stores are further on
  for (auto &stage : stages)
    stage->restart(elapsed);
  for (SocketMemory &socket : sockets)
    socket.restart(elapsed);
}

Cycle Hierarchy::tick(Cycle now) {
  for (auto &stage : stages)
    if (stage->due() <= now)
      stage->tick(now);
  Cycle next = kNever;
  for (SocketMemory &socket : sockets)
    next = std::min(next, socket.tick(now));
  for (auto &stage : stages)
    next = std::min(next, stage->due());
  return std::max(next, now + 1);
}

Cycle Hierarchy::independence() const {
  // What the caches answer in a cycle reaches a core in the next one, or two later if there is an
  // arbiter between.
  Cycle cycles = kNever;
  for (const SocketMemory &socket : sockets)
    cycles = std::min<Cycle>(cycles, !socket.isQueued() ? 0 : socket.isShared() ? 4 : 2);
  return cycles;
}

bool Hierarchy::mayFillUp(Cycle cycles) const {
  constexpr uint64_t most = 64; // that a core's request of one cycle adds, wherever it waits
  uint64_t waiting = views.writesUnderWay, longest = 0;
  for (const CoreMemory *core : parts)
    longest = std::max(longest, core->backlog());
  return waiting + longest + cycles * most * (parts.size() + 8) >= config.lsuStoreBacklog;
}

void Hierarchy::setParallel(bool parallel) {
  for (SocketMemory &socket : sockets)
    socket.setParallel(parallel);
}

void Hierarchy::tickShared(Cycle now) {
  for (auto &stage : stages)
    if (stage->due() <= now)
      stage->tick(now);
  for (SocketMemory &socket : sockets)
    socket.tickShared(now);
}

Cycle Hierarchy::nextShared() const {
  Cycle next = kNever;
  for (auto &stage : stages)
    next = std::min(next, stage->due());
  for (const SocketMemory &socket : sockets)
    next = std::min(next, socket.nextShared());
  for (const MemoryLink &link : links)
    next = std::min(next, link.fetchDue);
  return next;
}

MemoryStats Hierarchy::stats() const {
  MemoryStats all = counters;
  for (const CoreMemory *core : parts)
    all += core->stats;
  return all;
}

void Hierarchy::resetStats() {
  MemorySystem::resetStats();
  for (CoreMemory *core : parts)
    core->stats = {};
}

void Hierarchy::warmBelow(uint32_t core, WarmAccess access, uint64_t address) {
  if (access == WarmAccess::None)
    return;
  if (behindSocket[core] != behindCluster)
    access = behindSocket[core]->warm(access, address);
  behindCluster->warm(access, address);
}

void Hierarchy::warmFetch(uint32_t core, uint64_t address) {
  warmBelow(core, socketOf[core]->warmFetch(address), address);
}

/// Makes, like the coalescer, one access for all lanes in a line, if they follow each other.
void Hierarchy::warmAccess(uint32_t core, WarmAccess access, uint64_t lanes,
                           const uint64_t *addresses) {
  uint64_t last = ~uint64_t(0);
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    uint64_t address = addresses[std::countr_zero(rest)];
    if (address >= localBase || ((address ^ last) & lineMask) == 0)
      continue;
    last = address;
    warmBelow(core, socketOf[core]->warmData(access, address), address);
  }
}

} // namespace

std::unique_ptr<MemorySystem> createHierarchy(const SimConfig &config) {
  return std::make_unique<Hierarchy>(config);
}

} // namespace vx::sim
