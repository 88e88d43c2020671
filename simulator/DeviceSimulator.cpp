// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/DeviceSimulator.h"
#include "intrinsics/abi/AddressMap.h"
#include <algorithm>

namespace vx::sim {

DeviceSimulator::DeviceSimulator(const SimConfig &config)
    : device(config), emulator(device), control(device.cores) {
  device.control = &control;
  DeviceSimulator::resetStats();
}

DeviceSimulator::~DeviceSimulator() = default;

Result<void> DeviceSimulator::initialize() {
  Result<std::unique_ptr<Reports>> wanted = Reports::create(device);
  if (!wanted)
    return wanted.error();
  reports = std::move(*wanted);
  observer = reports.get();
  return device.memory.map(device.stackLow, device.stackBase - device.stackLow, kRead | kWrite);
}

/// Tells the checkers that the host writes SIZE bytes at ADDRESS.
void DeviceSimulator::noteValues(uint64_t address, uint64_t size) {
  if (checks)
    checks->wroteFromHost(address, size);
}

Result<void> DeviceSimulator::map(uint64_t address, uint64_t size, uint8_t permission) {
  if (checks)
    checks->mapped(address, size);
  return device.memory.map(address, size, permission);
}
Result<void> DeviceSimulator::share(uint64_t address, uint64_t size, uint8_t permission,
                                    uint8_t *bytes) {
  return device.memory.share(address, size, permission, bytes);
}
Result<void> DeviceSimulator::move(uint64_t address, uint64_t size, uint8_t *bytes) {
  return device.memory.move(address, size, bytes);
}
Result<void> DeviceSimulator::unmap(uint64_t address, uint64_t size) {
  return device.memory.unmap(address, size);
}
Result<void> DeviceSimulator::write(uint64_t address, std::span<const uint8_t> bytes) {
  noteValues(address, bytes.size());
  return device.memory.write(address, bytes);
}
Result<void> DeviceSimulator::read(uint64_t address, std::span<uint8_t> bytes) const {
  return device.memory.read(address, bytes);
}
Result<void> DeviceSimulator::fill(uint64_t address, uint8_t value, uint64_t size) {
  noteValues(address, size);
  return device.memory.fill(address, value, size);
}

Result<void> DeviceSimulator::setStackLog2Size(uint32_t log2) {
  if (log2 == device.stackLog2Size)
    return {};
  if (log2 > device.config.largestStackLog2Size())
    return Failure{"the stacks of " + std::to_string(device.config.harts()) +
                   " lanes do not fit with 2^" + std::to_string(log2) + " bytes for each"};
  auto mapStacks = [&] {
    return device.memory.map(device.stackLow, device.stackBase - device.stackLow, kRead | kWrite);
  };
  uint32_t before = device.stackLog2Size;
  if (Result<void> r = device.memory.unmap(device.stackLow, device.stackBase - device.stackLow); !r)
    return r;
  device.setStackLog2Size(log2);
  Result<void> mapped = mapStacks();
  if (!mapped) {
    device.setStackLog2Size(before);
    (void)mapStacks(); // this has been mapped before
  }
  return mapped;
}

void DeviceSimulator::describeRuns(const RunInfo &info) {
  if (reports)
    reports->describeRuns(info);
  if (checks)
    checks->describeRun(info);
}

void DeviceSimulator::setChecks(std::unique_ptr<MemoryChecks> who) {
  checks = std::move(who);
  device.setChecker(checks.get());
}

Result<void> DeviceSimulator::finishReports() {
  Result<void> done = reports ? reports->finish() : Result<void>();
  Result<void> checked = checks ? checks->finish() : Result<void>();
  return done ? checked : done;
}

void DeviceSimulator::setConsole(std::function<void(std::string_view)> sink) {
  device.console.setSink(std::move(sink));
}

void DeviceSimulator::writeDcr(uint32_t address, uint32_t value) {
  constexpr uint64_t low = 0xffffffff;
  switch (address) {
  case VX_DCR_STARTUP_ADDR0:
    startupAddress = (startupAddress & ~low) | value;
    break;
  case VX_DCR_STARTUP_ADDR1:
    startupAddress = (startupAddress & low) | uint64_t(value) << 32;
    break;
  case VX_DCR_STARTUP_ARG0:
    startupArgument = (startupArgument & ~low) | value;
    break;
  case VX_DCR_STARTUP_ARG1:
    startupArgument = (startupArgument & low) | uint64_t(value) << 32;
    break;
  case VX_DCR_MPM_CLASS:
    device.mpmClass = value;
    break;
  default:
    break; // registers of other devices
  }
}

void DeviceSimulator::startRun() {
  if (codeGeneration != device.memory.codeGeneration() || device.memory.hasWritableCode()) {
    emulator.decoder.flush();
    codeGeneration = device.memory.codeGeneration();
  }
  stopRequested = false;
  cyclesAtStart.clear();
  for (const Core &core : device.cores)
    cyclesAtStart.push_back(core.stats.cycles);
  emulator.reset(startupAddress, startupArgument);
  if (checks)
    checks->runStarted();
}

RunResult DeviceSimulator::finishRun() {
  device.console.flushAll();
  if (checks)
    checks->runEnded(device.trap);
  return {device.trap, device.exitCode};
}

bool DeviceSimulator::reportSpin() {
  if (!device.config.findSpins)
    return false;
  if (!probe)
    probe = std::make_unique<SpinProbe>(device);
  std::optional<SpinFinding> found = probe->find();
  if (!found)
    return false;
  Core &core = device.cores[found->core];
  Warp &warp = core.warps[found->slot];
  if (found->pc) {
    warp.pc = found->pc;
    warp.mask = found->mask;
  }
  emulator.trap(core, warp, TrapCause::NoProgress, std::move(found->detail));
  device.trap.storePc = found->storePc;
  return true;
}

void DeviceSimulator::reportDeadlock() {
  // Without a live warp, the missing event is an answer of memory.
  Core *whose = &device.cores[0];
  Warp *who = nullptr;
  for (Core &core : device.cores)
    for (Warp &warp : core.warps) {
      if (warp.state == WarpState::Idle || warp.state == WarpState::Merged)
        continue;
      // A warp that waits by itself says more than one that is suspended.
      if (!who || (who->state == WarpState::Suspended && warp.state != WarpState::Suspended)) {
        whose = &core;
        who = &warp;
      }
    }
  if (!who)
    who = &whose->warps[0];
  who->pc -= 4; // back to the instruction that waits
  emulator.trap(*whose, *who, TrapCause::BarrierDeadlock, control.describeWaits());
}

void DeviceSimulator::collectStats() {
  uint64_t longest = 0;
  totals.warpInstructions = totals.threadInstructions = 0;
  for (const Core &core : device.cores) {
    longest = std::max(longest, core.stats.cycles - cyclesAtStart[core.id]);
    totals.warpInstructions += core.stats.warpInstructions;
    totals.threadInstructions += core.stats.threadInstructions;
    totals.cores[core.id] = core.stats;
  }
  totals.cycles += longest;
}

void DeviceSimulator::resetStats() {
  for (Core &core : device.cores)
    core.stats = {};
  totals = {};
  totals.timing = device.config.mode != SimMode::Functional;
  totals.sampled = device.config.mode == SimMode::Sampled;
  totals.cores.resize(device.cores.size());
}

} // namespace vx::sim
