// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rtl/harness/RtlSimulator.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/text/Hex.h"
#include "simulator/func/TileGroups.h"
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vx::rtl {

using namespace vx::sim;

namespace {

constexpr uint64_t kReadLatency = 40;
/// Cycles in which no group can run until that is taken for a deadlock: work in the core is over
/// then.
constexpr uint64_t kStuckCycles = 64;

TrapCause causeOf(Fault fault) {
  switch (fault) {
  case Fault::None:
    return TrapCause::None;
  case Fault::Illegal:
    return TrapCause::IllegalInstruction;
  case Fault::Misaligned:
    return TrapCause::Misaligned;
  case Fault::Divergence:
    return TrapCause::UnguardedDivergence;
  case Fault::IpdomOverflow:
    return TrapCause::IpdomOverflow;
  case Fault::IpdomUnderflow:
    return TrapCause::IpdomUnderflow;
  case Fault::Barrier:
    return TrapCause::BadBarrier;
  case Fault::Spawn:
    return TrapCause::BadWarpSpawn;
  case Fault::Tile:
    return TrapCause::TileMisuse;
  case Fault::Breakpoint:
    return TrapCause::Breakpoint;
  case Fault::EnvironmentCall:
    return TrapCause::EnvironmentCall;
  }
  return TrapCause::IllegalInstruction;
}

bool wantsLockstep() {
  const char *text = std::getenv("VX_RTL_LOCKSTEP");
  return text && *text && std::string_view(text) != "0";
}

} // namespace

SimConfig RtlSimulator::defaults() {
  SimConfig config;
  config.mode = SimMode::Timing;
  config.numCores = 1;
  config.numWarps = kWarps;
  config.numThreads = kLanes;
  config.xlen = 32;
  config.warpIsa = WarpIsa::Warp;
  config.stackGuard = false; // the core knows of no stacks
  config.misaligned = MisalignedPolicy::Trap;
  return config;
}

Result<std::unique_ptr<Simulator>> RtlSimulator::create(const SimConfig &config) {
  Result<std::unique_ptr<RtlSimulator>> made = make(config, wantsLockstep());
  if (!made)
    return made.error();
  return std::unique_ptr<Simulator>(std::move(*made));
}

Result<std::unique_ptr<RtlSimulator>> RtlSimulator::createCompared(const SimConfig &config) {
  return make(config, true);
}

Result<std::unique_ptr<RtlSimulator>> RtlSimulator::make(const SimConfig &config, bool compares) {
  SimConfig own = defaults();
  if (config.numCores != own.numCores || config.numWarps != own.numWarps ||
      config.numThreads != own.numThreads || config.xlen != own.xlen ||
      config.lmemLog2Size != own.lmemLog2Size || config.warpIsa != own.warpIsa ||
      config.barriersPerCore() != own.barriersPerCore() || config.clone || config.texture)
    return Failure{
        "the RTL core has " + std::to_string(kWarps) + " warps of " + std::to_string(kLanes) +
        " lanes, 32-bit registers and 16 KiB of local memory; settings cannot change it"};
  std::unique_ptr<RtlSimulator> simulator(new RtlSimulator(config));
  if (compares) {
    Result<std::unique_ptr<Lockstep>> lockstep = Lockstep::create(config);
    if (!lockstep)
      return lockstep.error();
    simulator->lockstep = std::move(*lockstep);
  }
  if (Result<void> r = simulator->initialize(); !r)
    return r.error();
  return simulator;
}

RtlSimulator::~RtlSimulator() {
  if (lockstep)
    std::fprintf(stderr, "vortex-rtl: %llu instructions as in the simulator\n",
                 static_cast<unsigned long long>(compared()));
}

RunResult RtlSimulator::run() {
  startRun();
  Core &state = device.cores[0];
  core.reset(uint32_t(state.warps[0].pc), uint32_t(state.mscratch));
  if (lockstep)
    lockstep->start();
  reads.clear();
  now = stuckFor = 0;
  device.memory.follow(recentPages);
  if (observer)
    observer->runStarted();
  while (cycle()) {
  }
  state.stats.cycles += now;
  if (lockstep && device.trap.cause == TrapCause::None && !device.exitCode)
    if (std::string left = lockstep->finish(); !left.empty())
      trap(TrapCause::NoProgress, 0, uint32_t(state.warps[0].pc), "lockstep: " + left);
  uint64_t before = totals.cycles;
  collectStats();
  if (observer)
    observer->runEnded(totals.cycles - before);
  return finishRun();
}

/// Runs a cycle. Returns false when the run is over.
bool RtlSimulator::cycle() {
  bool answers = !reads.empty() && reads.front().due <= now;
  core.begin(answers ? &reads.front().line : nullptr);
  if (answers)
    reads.pop_front();
  if (core.hasRequest())
    take(core.request());
  if (core.hasCommit())
    take(core.commit());
  bool isDone = core.isDone();
  stuckFor = core.isStuck() ? stuckFor + 1 : 0;
  core.end();
  ++now;
  if (isDone || device.trap.cause != TrapCause::None || device.exitCode)
    return false;
  if (stuckFor > kStuckCycles) {
    trap(TrapCause::BarrierDeadlock, 0, uint32_t(device.cores[0].warps[0].pc),
         lockstep ? lockstep->describeWaits() : "every group of the core waits");
    return false;
  }
  constexpr uint64_t kPoll = 1024;
  if (now % kPoll == 0 && stopRequested.load(std::memory_order_relaxed)) {
    trap(TrapCause::Interrupted, 0, uint32_t(device.cores[0].warps[0].pc), {});
    return false;
  }
  if (device.config.maxCycles && now >= device.config.maxCycles) {
    trap(TrapCause::CycleLimit, 0, uint32_t(device.cores[0].warps[0].pc),
         "after " + std::to_string(now) + " cycles");
    return false;
  }
  return true;
}

// ---- Memory
// -----------------------------------------------------------------------------------------

void RtlSimulator::take(const LineRequest &request) {
  if (request.isWrite)
    return takeWrite(request);
  reads.push_back({now + kReadLatency, {}});
  if (!readLine(request.address, request.isCode ? kExecute : kRead, reads.back().line))
    refuse(request, request.isCode ? request.address : core.access().address);
}

/// Reads the bytes of a line that have PERMISSION. Returns false if none has.
bool RtlSimulator::readLine(uint64_t address, uint8_t permission, Line &line) {
  if (const uint8_t *bytes = device.memory.pointer(recentPages, address, kLineBytes, permission)) {
    std::memcpy(line.data(), bytes, kLineBytes);
    return true;
  }
  bool any = false;
  for (uint32_t i = 0; i < kLineBytes; ++i)
    if (const uint8_t *byte = device.memory.pointer(recentPages, address + i, 1, permission)) {
      line[i] = *byte;
      any = true;
    }
  return any;
}

void RtlSimulator::takeWrite(const LineRequest &request) {
  for (uint64_t rest = request.bytes; rest; rest &= rest - 1) {
    unsigned i = unsigned(std::countr_zero(rest));
    uint64_t address = request.address + i;
    if (uint8_t *byte = device.memory.pointer(recentPages, address, 1, kWrite))
      *byte = request.data[i];
    else if (Console::contains(address))
      device.console.put(address, char(request.data[i]));
    else
      return refuse(request, address);
  }
}

void RtlSimulator::refuse(const LineRequest &request, uint64_t address) {
  Access access = core.access();
  TrapReport &report = request.isCode ? trap(TrapCause::FetchAccess, 0, uint32_t(address), {})
                                      : trap(TrapCause::MemoryAccess, access.slot, access.pc, {});
  report.address = address;
  report.isWrite = request.isWrite;
}

// ---- Instructions
// -----------------------------------------------------------------------------------

void RtlSimulator::take(const Commit &commit) {
  note(commit);
  if (lockstep)
    if (std::string difference = lockstep->commit(commit); !difference.empty()) {
      trap(TrapCause::IllegalInstruction, commit.slot, commit.pc, "lockstep: " + difference);
      return;
    }
  if (commit.fault != Fault::None)
    stop(commit);
}

/// Counts a beat, and notes what it writes.
void RtlSimulator::note(const Commit &commit) {
  Core &state = device.cores[0];
  state.stats.warpInstructions += commit.isLast;
  state.stats.threadInstructions += unsigned(std::popcount(commit.mask));
  state.stats.laneSlots += kLanes;
  if (!commit.writes || commit.rd >= 32)
    return;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    if (commit.mask >> lane & 1)
      state.x[size_t(commit.rd) * device.stride + commit.warp * kLanes + lane] =
          uint64_t(int64_t(int32_t(commit.data[lane])));
}

/// Stops the run by the fault of an instruction.
void RtlSimulator::stop(const Commit &commit) {
  constexpr unsigned a0 = 10, a7 = 17;
  Core &state = device.cores[0];
  unsigned lane = commit.mask ? 63 - unsigned(std::countl_zero(commit.mask)) : 0;
  auto scalar = [&](unsigned number) {
    return uint32_t(state.x[size_t(number) * device.stride + commit.warp * kLanes + lane]);
  };
  if (commit.fault == Fault::EnvironmentCall && scalar(a7) == VX_ECALL_EXIT) {
    device.exitCode = int(scalar(a0));
    return;
  }
  TrapReport &report = trap(causeOf(commit.fault), commit.slot, commit.pc, {});
  report.activeMask = commit.mask;
  report.lane = commit.mask ? unsigned(std::countr_zero(commit.mask)) : 0;
  if (commit.fault == Fault::EnvironmentCall)
    report.code = scalar(a7);
  if (commit.fault == Fault::Misaligned)
    report.address = commit.target;
}

/// Reports a fault of the group at SLOT.
TrapReport &RtlSimulator::trap(TrapCause cause, uint32_t slot, uint32_t pc, std::string detail) {
  TrapReport &report = device.trap;
  if (report.cause != TrapCause::None)
    return report;
  report.cause = cause;
  report.pc = pc;
  report.warp = slot * kCellThreads / kLanes;
  report.lane = slot * kCellThreads % kLanes;
  report.detail = std::move(detail);
  if (const uint8_t *bytes =
          device.memory.pointer(recentPages, pc, sizeof report.instruction, kExecute))
    std::memcpy(&report.instruction, bytes, sizeof report.instruction);
  return report;
}

// ---- What both devices see
// --------------------------------------------------------------------------

Result<void> RtlSimulator::map(uint64_t address, uint64_t size, uint8_t permission) {
  if (lockstep)
    if (Result<void> r = lockstep->map(address, size, permission); !r)
      return r;
  return DeviceSimulator::map(address, size, permission);
}
Result<void> RtlSimulator::unmap(uint64_t address, uint64_t size) {
  if (lockstep)
    if (Result<void> r = lockstep->unmap(address, size); !r)
      return r;
  return DeviceSimulator::unmap(address, size);
}
Result<void> RtlSimulator::write(uint64_t address, std::span<const uint8_t> bytes) {
  if (lockstep)
    if (Result<void> r = lockstep->write(address, bytes); !r)
      return r;
  return DeviceSimulator::write(address, bytes);
}
/// What the program gets must be in both memories.
Result<void> RtlSimulator::read(uint64_t address, std::span<uint8_t> bytes) const {
  if (Result<void> r = DeviceSimulator::read(address, bytes); !r || !lockstep)
    return r;
  std::vector<uint8_t> other(bytes.size());
  if (Result<void> r = lockstep->read(address, other); !r)
    return r;
  for (size_t i = 0; i < other.size(); ++i)
    if (other[i] != bytes[i])
      return Failure{"lockstep: memory differs at " + hexText(address + i)};
  return {};
}
Result<void> RtlSimulator::fill(uint64_t address, uint8_t value, uint64_t size) {
  if (lockstep)
    if (Result<void> r = lockstep->fill(address, value, size); !r)
      return r;
  return DeviceSimulator::fill(address, value, size);
}
void RtlSimulator::writeDcr(uint32_t address, uint32_t value) {
  if (lockstep)
    lockstep->writeDcr(address, value);
  DeviceSimulator::writeDcr(address, value);
}
Result<void> RtlSimulator::setStackLog2Size(uint32_t log2) {
  if (lockstep)
    if (Result<void> r = lockstep->setStackLog2Size(log2); !r)
      return r;
  return DeviceSimulator::setStackLog2Size(log2);
}

} // namespace vx::rtl
