// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/FunctionalSimulator.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/debug/Debugger.h"
#include <algorithm>
#include <cstring>

namespace vx::sim {

namespace {

/// Warp instructions of a run before it is looked at whether it makes progress, and between looks
/// at most.
constexpr uint64_t kFirstProbe = 1 << 20, kProbeInterval = 1 << 26;

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

FunctionalSimulator::FunctionalSimulator(const SimConfig &config)
    : device(config), emulator(device), control(device.cores) {
  device.control = &control;
  FunctionalSimulator::resetStats();
}

FunctionalSimulator::~FunctionalSimulator() = default;

Result<void> FunctionalSimulator::initialize() {
  Result<std::unique_ptr<Reports>> wanted = Reports::create(device);
  if (!wanted)
    return wanted.error();
  reports = std::move(*wanted);
  observer = reports.get();
  auto wantsToStop = [this] { return stopRequested.load(std::memory_order_relaxed); };
  Result<std::unique_ptr<Debugger>> gdb = Debugger::create(device, wantsToStop);
  if (!gdb)
    return gdb.error();
  debugger = std::move(*gdb);
  return device.memory.map(device.stackLow, device.stackBase - device.stackLow, kRead | kWrite);
}

/// The host writes SIZE bytes at ADDRESS.
void FunctionalSimulator::noteValues(uint64_t address, uint64_t size) {
  if (checks)
    checks->wroteFromHost(address, size);
}

Result<void> FunctionalSimulator::map(uint64_t address, uint64_t size, uint8_t permission) {
  if (checks)
    checks->mapped(address, size);
  return device.memory.map(address, size, permission);
}
Result<void> FunctionalSimulator::share(uint64_t address, uint64_t size, uint8_t permission,
                                        uint8_t *bytes) {
  return device.memory.share(address, size, permission, bytes);
}
Result<void> FunctionalSimulator::move(uint64_t address, uint64_t size, uint8_t *bytes) {
  return device.memory.move(address, size, bytes);
}
Result<void> FunctionalSimulator::unmap(uint64_t address, uint64_t size) {
  return device.memory.unmap(address, size);
}
Result<void> FunctionalSimulator::write(uint64_t address, std::span<const uint8_t> bytes) {
  noteValues(address, bytes.size());
  return device.memory.write(address, bytes);
}
Result<void> FunctionalSimulator::read(uint64_t address, std::span<uint8_t> bytes) const {
  return device.memory.read(address, bytes);
}
Result<void> FunctionalSimulator::fill(uint64_t address, uint8_t value, uint64_t size) {
  noteValues(address, size);
  return device.memory.fill(address, value, size);
}

Result<void> FunctionalSimulator::setStackLog2Size(uint32_t log2) {
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
    (void)mapStacks(); // what was mapped a moment ago
  }
  return mapped;
}

void FunctionalSimulator::describeRuns(const RunInfo &info) {
  if (reports)
    reports->describeRuns(info);
  if (checks)
    checks->describeRun(info);
  if (debugger)
    debugger->describeRun(info);
}

void FunctionalSimulator::setChecks(std::unique_ptr<MemoryChecks> who) {
  checks = std::move(who);
  device.setChecker(checks.get());
}

Result<void> FunctionalSimulator::finishReports() {
  Result<void> done = reports ? reports->finish() : Result<void>();
  Result<void> checked = checks ? checks->finish() : Result<void>();
  return done ? checked : done;
}

void FunctionalSimulator::setConsole(std::function<void(std::string_view)> sink) {
  device.console.setSink(std::move(sink));
}

void FunctionalSimulator::writeDcr(uint32_t address, uint32_t value) {
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

void FunctionalSimulator::startRun() {
  if (codeGeneration != device.memory.codeGeneration() || device.memory.hasWritableCode()) {
    emulator.decoder.flush();
    codeGeneration = device.memory.codeGeneration();
  }
  stopRequested = false;
  executed = 0;
  nextProbe = kFirstProbe;
  cyclesAtStart.clear();
  for (const Core &core : device.cores)
    cyclesAtStart.push_back(core.stats.cycles);
  emulator.reset(startupAddress, startupArgument);
  if (checks)
    checks->runStarted();
}

RunResult FunctionalSimulator::finishRun() {
  device.console.flushAll();
  if (checks)
    checks->runEnded(device.trap);
  return {device.trap, device.exitCode};
}

RunResult FunctionalSimulator::run() {
  startRun();
  if (observer)
    observer->runStarted();
  if (debugger)
    debugger->runStarted();
  while (runRound()) {
  }
  if (debugger)
    debugger->runEnded();
  uint64_t before = totals.cycles;
  collectStats();
  if (observer)
    observer->runEnded(totals.cycles - before);
  return finishRun();
}

/// Runs every ready warp for a quantum. False: the run is over.
bool FunctionalSimulator::runRound() {
  bool anyRan = false, anyLive = false;
  uint64_t executedBefore = executed;
  for (Core &core : device.cores)
    for (size_t slot = 0; slot < core.warps.size(); ++slot) { // vx_tile may add slots
      Warp &warp = core.warps[slot];
      anyLive |= warp.state != WarpState::Idle;
      if (warp.state != WarpState::Ready)
        continue;
      anyRan = true;
      if (!runQuantum(core, warp))
        return false;
    }
  if (executed >= nextProbe && isSpinning())
    return false;
  if (debugger && executed == executedBefore && debugger->holdsBack())
    return true;
  if (anyLive && !anyRan)
    reportDeadlock();
  return anyRan;
}

/// False: the guest was stopped, or ended the run.
bool FunctionalSimulator::runQuantum(Core &core, Warp &warp) {
  uint64_t budget = quantumBudget(core);
  if (budget == 0) {
    emulator.trap(core, warp, TrapCause::CycleLimit,
                  "after " + std::to_string(executed) + " warp instructions");
    return false;
  }
  if (stopRequested.load(std::memory_order_relaxed)) {
    emulator.trap(core, warp, TrapCause::Interrupted, {});
    return false;
  }
  if (debugger) [[unlikely]]
    executed += runDebugged(core, warp, budget);
  else
    executed += observer ? runWatched(core, warp, budget) : emulator.run(core, warp, budget);
  return device.trap.cause == TrapCause::None && !device.exitCode;
}

/// The same as Emulator::run, one instruction at a time.
uint64_t FunctionalSimulator::runWatched(Core &core, Warp &warp, uint64_t budget) {
  InsnTrace trace;
  uint64_t done = 0;
  do {
    stepWatched(core, warp, trace);
    ++done;
  } while (done < budget && !emulator.stopped());
  return done;
}

/// The same with a debugger, which may hold the warp back.
uint64_t FunctionalSimulator::runDebugged(Core &core, Warp &warp, uint64_t budget) {
  InsnTrace trace;
  uint64_t done = 0;
  do {
    if (!debugger->isAttached()) {
      debugger->idle();
      if (!debugger->isAttached())
        return done + (observer ? runWatched(core, warp, budget - done)
                                : emulator.run(core, warp, budget - done));
    }
    if (!debugger->before(core, warp))
      return done;
    if (observer)
      stepWatched(core, warp, trace);
    else
      emulator.step(core, warp, trace);
    ++done;
    debugger->after(core, warp, trace);
  } while (done < budget && !emulator.stopped());
  return done;
}

/// Executes one instruction and shows it to the observer. There are no stages: a life is a cycle.
void FunctionalSimulator::stepWatched(Core &core, Warp &warp, InsnTrace &trace) {
  InsnLife life;
  life.scheduled = core.stats.cycles - cyclesAtStart[core.id];
  life.id = life.scheduled;
  emulator.step(core, warp, trace);
  life.fetched = life.decoded = life.issued = life.dispatched = life.scheduled;
  life.executed = life.completed = life.committed = life.scheduled;
  life.core = trace.core;
  life.slot = trace.slot;
  life.warp = trace.warp;
  life.op = trace.op;
  life.unit = isa::info(trace.op).unit();
  life.word = trace.word;
  life.pc = trace.pc;
  life.mask = trace.mask;
  life.size = trace.size;
  observer->scheduled(life);
  observer->committed(life);
}

uint64_t FunctionalSimulator::quantumBudget(const Core &core) const {
  uint64_t budget = device.config.quantum;
  if (uint64_t limit = device.config.maxInstructions)
    budget = std::min(budget, limit - std::min(limit, executed));
  if (uint64_t limit = device.config.maxCycles)
    budget = std::min(budget, limit - std::min(limit, core.stats.cycles - cyclesAtStart[core.id]));
  return budget;
}

/// Looks whether anything will ever change, less and less often.
bool FunctionalSimulator::isSpinning() {
  nextProbe = executed + std::min(executed, kProbeInterval);
  return !debugger && reportSpin();
}

bool FunctionalSimulator::reportSpin() {
  if (!device.config.findSpins || device.checker)
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

void FunctionalSimulator::reportDeadlock() {
  // With no live warp, it is an answer of memory that does not come.
  Core *whose = &device.cores[0];
  Warp *who = nullptr;
  for (Core &core : device.cores)
    for (Warp &warp : core.warps) {
      if (warp.state == WarpState::Idle || warp.state == WarpState::Merged)
        continue;
      // Who waits by itself says more than who is suspended.
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

void FunctionalSimulator::collectStats() {
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

void FunctionalSimulator::resetStats() {
  for (Core &core : device.cores)
    core.stats = {};
  totals = {};
  totals.timing = device.config.mode != SimMode::Functional;
  totals.sampled = device.config.mode == SimMode::Sampled;
  totals.cores.resize(device.cores.size());
}

const char *toString(TrapCause cause) {
  switch (cause) {
  case TrapCause::None:
    return "none";
  case TrapCause::IllegalInstruction:
    return "illegal instruction";
  case TrapCause::MemoryAccess:
    return "illegal memory access";
  case TrapCause::Misaligned:
    return "misaligned address";
  case TrapCause::FetchAccess:
    return "instruction fetch outside executable memory";
  case TrapCause::UnguardedDivergence:
    return "divergent branch without split or pred";
  case TrapCause::IpdomOverflow:
    return "too many nested splits";
  case TrapCause::IpdomUnderflow:
    return "join or warp end without a matching split";
  case TrapCause::BarrierDeadlock:
    return "barrier deadlock";
  case TrapCause::BadBarrier:
    return "bad barrier operands";
  case TrapCause::BadWarpSpawn:
    return "bad warp spawn";
  case TrapCause::TileMisuse:
    return "bad vx_tile";
  case TrapCause::StackOverflow:
    return "stack overflow";
  case TrapCause::Breakpoint:
    return "breakpoint";
  case TrapCause::EnvironmentCall:
    return "environment call";
  case TrapCause::NoProgress:
    return "no forward progress";
  case TrapCause::CycleLimit:
    return "run limit reached";
  case TrapCause::Interrupted:
    return "interrupted";
  }
  return "unknown";
}

} // namespace vx::sim
