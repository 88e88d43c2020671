// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Device.h"
#include "intrinsics/abi/AddressMap.h"
#include <cstring>

namespace vx::sim {

namespace {

/// Registers and local memory start with something that a program cannot take for a value of its
/// own: the same in every run, different in every place.
uint64_t garbage(uint64_t seed) {
  seed = (seed + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  return seed ^ seed >> 31;
}

void setUpCore(Core &core, const SimConfig &config, uint32_t stride) {
  core.hardwareWarps = config.numWarps;
  core.lanes = config.numThreads;
  if (config.warpIsa == WarpIsa::Warp)
    core.warps.reserve(core.maxSlots());
  core.warps.resize(config.numWarps);
  for (Warp &warp : core.warps)
    warp.ipdom.reserve(config.numThreads);
  if (config.divergence == DivergencePolicy::Paths) {
    core.paths.resize(core.maxSlots());
    for (WarpPaths &paths : core.paths)
      paths.others.reserve(config.numThreads);
  }
  resetGroups(core);
  core.x.resize(size_t(Core::kIntRegisters) * stride);
  core.f.resize(size_t(Core::kFpRegisters) * stride);
  for (size_t i = stride; i < core.x.size(); ++i) {
    uint64_t value = garbage(i + core.id * core.x.size());
    core.x[i] = config.xlen == 32 ? uint64_t(int64_t(int32_t(value))) : value;
  }
  for (size_t i = 0; i < core.f.size(); ++i)
    core.f[i] = garbage(~i);
  core.localMemory.resize(size_t(1) << config.lmemLog2Size);
  constexpr uint32_t fresh = 0xbaadf00d;
  for (size_t i = 0; i < core.localMemory.size(); i += sizeof fresh)
    std::memcpy(&core.localMemory[i], &fresh, sizeof fresh);
}

} // namespace

Device::Device(const SimConfig &config)
    : config(config), memory(config.memoryCapacity, config.freshMemory), lanes(config.numThreads) {
  // The extra lanes keep registers of wide cores from falling into the same cache sets.
  stride = (config.numWarps * lanes + 7) / 8 * 8 + 8;
  stackBase = config.xlen == 32 ? VX_STACK_BASE_ADDR_32 : VX_STACK_BASE_ADDR_64;
  setStackLog2Size(config.stackLog2Size);
  cores.resize(config.numCores);
  for (uint32_t c = 0; c < config.numCores; ++c) {
    cores[c].id = c;
    setUpCore(cores[c], config, stride);
  }
}

void Device::setStackLog2Size(uint32_t log2) {
  stackLog2Size = log2;
  stackLow = stackBase - (uint64_t(config.harts()) << log2);
  privateBytes = stackBase - stackLow + (uint64_t(1) << config.lmemLog2Size);
  setChecker(checker);
}

void Device::setChecker(AccessChecker *who) {
  checker = who;
  guardedLow = checker ? 0 : stackLow;
  guardedBytes = checker ? ~uint64_t(0) : privateBytes;
}

} // namespace vx::sim
