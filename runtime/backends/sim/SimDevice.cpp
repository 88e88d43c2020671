// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backends/sim/SimDevice.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/FatBinary.h"
#include "runtime/core/Allocator.h"
#include "runtime/core/EndOfProgram.h"
#include "runtime/core/Interrupt.h"
#include "runtime/core/SharedPages.h"
#include "simulator/api/Environment.h"
#include "simulator/api/MachineReport.h"
#include "simulator/api/Simulator.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace vx::rt {

namespace {

class SimDevice final : public Device {
public:
  SimDevice(std::unique_ptr<sim::Simulator> simulator, const std::string &stats, bool modeIsChosen,
            const DeviceIdentity &identity)
      : simulator(std::move(simulator)), identity(identity), statsRequest(stats),
        modeIsChosen(modeIsChosen),
        allocator(arenas(this->simulator->config(), identity),
                  this->simulator->config().memoryCapacity, this->simulator->config().readSlack),
        // With a checker, nothing beyond an allocation is accessible, and freed memory is not given
        // again as long as there is other memory.
        readSlack(this->simulator->checker() ? 0 : this->simulator->config().readSlack) {}

  std::string description() const override {
    const sim::SimConfig &c = config();
    return "vx-sim, " + std::to_string(c.numWarps) + "x" + std::to_string(c.numThreads);
  }
  uint64_t caps(Cap cap) const override;
  uint64_t imageSlide() const override;

  Result<uint64_t> memAlloc(uint64_t size, uint8_t access) override;
  Result<void> memReserve(uint64_t address, uint64_t size, uint8_t access) override {
    return reserve(address, size, access, nullptr);
  }
  Result<void> memShare(uint64_t address, uint64_t size, uint8_t access) override {
    return reserve(address, size, access, reinterpret_cast<uint8_t *>(uintptr_t(address)));
  }
  Result<void> memProtect(uint64_t address, uint64_t size, uint8_t access) override {
    return simulator->map(address, size, access);
  }
  Result<void> memExport(uint64_t address, uint64_t, SharedPages &pages) override {
    return simulator->move(address, pages.size(), pages.bytes());
  }
  Result<void> memImport(uint64_t address, uint64_t size, SharedPages &pages) override {
    return reserve(address, size, kMemRead | kMemWrite, pages.bytes());
  }
  Result<uint64_t> memImport(uint64_t size, SharedPages &pages) override;
  Result<void> memReplace(uint64_t address, uint64_t size, SharedPages *pages) override;
  Result<void> memFree(uint64_t address) override;
  MemInfo memInfo() const override {
    return {allocator.capacity() - allocator.used() + setAsideBytes, allocator.capacity()};
  }

  Result<void> copyToDev(uint64_t destination, std::span<const uint8_t> source) override {
    return simulator->write(destination, source);
  }
  Result<void> copyFromDev(std::span<uint8_t> destination, uint64_t source) override {
    return simulator->read(source, destination);
  }
  Result<void> fill(uint64_t destination, uint8_t value, uint64_t size) override {
    return simulator->fill(destination, value, size);
  }

  Result<void> dcrWrite(uint32_t address, uint32_t value) override {
    dcrs[address] = value;
    simulator->writeDcr(address, value);
    return {};
  }
  Result<uint32_t> dcrRead(uint32_t address) override {
    auto it = dcrs.find(address);
    return it == dcrs.end() ? 0 : it->second;
  }

  Result<void> start(uint64_t entry, uint64_t argument) override;
  Result<void> setStackLog2Size(uint32_t log2) override;
  void describeNextRun(const sim::RunInfo &info) override {
    runName = info.name;
    runLowering = info.lowering;
    runContinues = info.continues;
    runRanges.clear();
    if (info.annotations)
      for (const sim::RunAnnotations::Range &range : info.annotations->ranges)
        runRanges.push_back(range.name);
    simulator->describeRuns(info);
  }
  sim::Checker *checker() override { return simulator->checker(); }
  RunReport readyWait() override;
  void requestStop() override { simulator->requestStop(); }
  uint64_t cycles() const override { return cyclesBeforeReset + simulator->stats().cycles; }
  std::string clockNote() const override;
  void enableCounters(bool enable) override;
  void finish() override;

private:
  const sim::SimConfig &config() const { return simulator->config(); }
  static std::vector<AddressRange> arenas(const sim::SimConfig &config,
                                          const DeviceIdentity &identity);
  AddressRange stacks(uint32_t log2) const;
  Result<void> reserve(uint64_t address, uint64_t size, uint8_t access, uint8_t *bytes);
  void countRun(const sim::Stats &cost);
  std::optional<uint64_t> findRoom(uint64_t size, bool isOfRuntime = false);
  Result<void> setAside(uint64_t address);

  std::unique_ptr<sim::Simulator> simulator;
  DeviceIdentity identity;
  std::string statsRequest;
  bool modeIsChosen;
  Allocator allocator;
  uint64_t readSlack;
  std::vector<uint64_t> asideBases;          // freed, and still the allocator's
  uint64_t setAsideBytes = 0;                // of them, in whole pages
  std::map<uint64_t, AddressRange> reserved; // by their bases
  std::map<uint64_t, uint64_t> imported;     // at fresh addresses: base -> size
  std::map<uint32_t, uint32_t> dcrs;
  uint32_t stackLog2Size = config().stackLog2Size;
  uint64_t cyclesBeforeReset = 0;
  std::optional<sim::Stats> frozen;      // the statistics when counting was switched off
  std::string runName, runLowering;      // the kernel that runs, or ran last
  bool runContinues = false;             // the launch has been counted
  std::vector<std::string> runRanges;    // that it was launched in
  std::vector<sim::RangeStats> ranges;   // since counting was switched on
  std::vector<sim::KernelStats> kernels; // since counting was switched on
};

} // namespace

/// The part of [0, SIZE) that a device with 32-bit addresses has, rounded down to UNIT bytes.
/// Further contexts of a device have its part, too: there is not enough for all.
static AddressRange narrowPart(const DeviceIdentity &identity, uint64_t size, uint64_t unit) {
  uint64_t part = size / identity.count & ~(unit - 1);
  return {identity.number * part, part};
}

/// Below the image first; with 64-bit addresses also above stacks and local memory.
std::vector<AddressRange> SimDevice::arenas(const sim::SimConfig &config,
                                            const DeviceIdentity &identity) {
  constexpr uint64_t kHigh = uint64_t(1) << 34;
  AddressRange low{VX_USER_BASE_ADDR, uint64_t(VX_STARTUP_ADDR) - VX_USER_BASE_ADDR - kPage};
  if (config.xlen == 32) {
    AddressRange part = narrowPart(identity, low.size, kPage);
    return {{low.base + part.base, part.size}};
  }
  if (identity.window)
    return {{windowBase(identity.window) + kHigh, kWindowBytes - kHigh}};
  return {low, {kHigh, kWindowBytes}};
}

uint64_t SimDevice::imageSlide() const {
  if (config().xlen == 64)
    return windowBase(identity.window);
  return narrowPart(identity, VX_STACK_BASE_ADDR_32 - VX_STACK_ROOM_32 - VX_STARTUP_ADDR, 1 << 20)
      .base;
}

uint64_t SimDevice::caps(Cap cap) const {
  const sim::SimConfig &c = config();
  switch (cap) {
  case Cap::NumThreads:
    return c.numThreads;
  case Cap::NumWarps:
    return c.numWarps;
  case Cap::NumCores:
    return c.numCores;
  case Cap::CacheLineSize:
    return 64;
  case Cap::GlobalMemSize:
    return c.memoryCapacity;
  case Cap::LocalMemSize:
    return uint64_t(1) << c.lmemLog2Size;
  case Cap::NumBarriers:
    return c.barriersPerCore();
  case Cap::Xlen:
    return c.xlen;
  case Cap::WarpIsa:
    switch (c.warpIsa) {
    case sim::WarpIsa::Off:
      return uint64_t(abi::IsaProfile::Base);
    case sim::WarpIsa::Upstream:
      return uint64_t(abi::IsaProfile::Upstream);
    case sim::WarpIsa::Warp:
      if (c.divergence == sim::DivergencePolicy::Paths)
        return uint64_t(abi::IsaProfile::Paths);
      return uint64_t(abi::IsaProfile::Warp);
    }
    return 0;
  case Cap::LocalMemBase:
    return c.xlen == 64 ? VX_STACK_BASE_ADDR_64 : VX_STACK_BASE_ADDR_32;
  case Cap::StackBytes:
    return uint64_t(1) << c.stackLog2Size;
  case Cap::Zicond:
    return c.zicond;
  case Cap::TextureUnit:
    return c.texture;
  case Cap::TakesSettings:
    return 1;
  case Cap::MaxStackBytes:
    return uint64_t(1) << c.largestStackLog2Size();
  case Cap::SharesMemory:
    return 1;
  case Cap::Version:
  case Cap::IsaFlags:
  case Cap::HostCode:
    return 0;
  }
  return 0;
}

/// Finds room for SIZE bytes; memory that was freed is taken only where there is no other.
std::optional<uint64_t> SimDevice::findRoom(uint64_t size, bool isOfRuntime) {
  std::optional<uint64_t> base = allocator.allocate(size, isOfRuntime);
  if (base || asideBases.empty())
    return base;
  for (uint64_t address : asideBases)
    allocator.release(address);
  asideBases.clear();
  setAsideBytes = 0;
  return allocator.allocate(size);
}

/// Frees the allocation at ADDRESS, whose addresses stay unused.
Result<void> SimDevice::setAside(uint64_t address) {
  std::optional<AddressRange> range = allocator.find(address);
  bool isAside = std::find(asideBases.begin(), asideBases.end(), address) != asideBases.end();
  if (!range || range->base != address || isAside)
    return Failure{"no device memory was allocated there"};
  asideBases.push_back(address);
  setAsideBytes += roundToPages(range->size);
  return simulator->unmap(address, range->size);
}

Result<uint64_t> SimDevice::memAlloc(uint64_t size, uint8_t access) {
  std::optional<uint64_t> base = findRoom(size, access & kMemOfRuntime);
  if (!base)
    return Failure{"device memory: " + std::to_string(size) + " bytes do not fit"};
  access &= uint8_t(~kMemOfRuntime);
  Result<void> mapped = simulator->map(*base, size, access);
  // GPUs map memory in large pages, and published programs rely on it: they load a neighbour beyond
  // the edge and drop it. Such reads see fill bytes; writes are caught to the byte, except atomics
  // on the word in which an allocation ends. Memory that becomes accessible later (memProtect) is
  // treated like it.
  bool readable = access == 0 || (access & sim::kRead);
  if (readSlack && mapped && readable) {
    mapped = simulator->map(*base - readSlack, readSlack, sim::kRead);
    if (mapped)
      mapped = simulator->map(*base + size, readSlack, sim::kRead);
  }
  if (!mapped) {
    allocator.release(*base);
    return mapped.error();
  }
  return *base;
}

/// BYTES: of the program's own memory; null: fresh memory.
Result<void> SimDevice::reserve(uint64_t address, uint64_t size, uint8_t access, uint8_t *bytes) {
  if (size == 0 || address + size < address)
    return Failure{"an empty or wrapping range of device memory"};
  if (overlapsAny(reserved, address, size) || stacks(stackLog2Size).overlaps(address, size) ||
      !allocator.claim(address, size))
    return Failure{"a range of device memory is in use already"};
  Result<void> r = bytes ? simulator->share(address, size, access, bytes)
                         : simulator->map(address, size, access);
  if (r)
    reserved.emplace(address, AddressRange{address, size});
  else
    allocator.unclaim(address);
  return r;
}

Result<uint64_t> SimDevice::memImport(uint64_t size, SharedPages &pages) {
  std::optional<uint64_t> base = findRoom(size);
  if (!base)
    return Failure{"device memory: " + std::to_string(size) + " bytes do not fit"};
  if (Result<void> r = simulator->share(*base, size, sim::kRead | sim::kWrite, pages.bytes()); !r) {
    allocator.release(*base);
    return r.error();
  }
  imported.emplace(*base, size);
  return *base;
}

Result<void> SimDevice::memReplace(uint64_t address, uint64_t size, SharedPages *pages) {
  if (Result<void> r = simulator->unmap(address, size); !r)
    return r;
  return pages ? simulator->share(address, size, 0, pages->bytes())
               : simulator->map(address, size, 0);
}

Result<void> SimDevice::memFree(uint64_t address) {
  if (auto it = reserved.find(address); it != reserved.end()) {
    uint64_t size = it->second.size;
    reserved.erase(it);
    allocator.unclaim(address);
    return simulator->unmap(address, size);
  }
  if (auto it = imported.find(address); it != imported.end()) {
    uint64_t size = it->second;
    imported.erase(it);
    allocator.release(address);
    return simulator->unmap(address, size);
  }
  if (checker())
    return setAside(address);
  std::optional<uint64_t> size = allocator.release(address);
  if (!size)
    return Failure{"no device memory was allocated there"};
  return simulator->unmap(address, *size + readSlack);
}

/// Returns the range of the stacks of all lanes, with 1 << LOG2 bytes for each.
AddressRange SimDevice::stacks(uint32_t log2) const {
  uint64_t bytes = uint64_t(config().harts()) << log2;
  return {caps(Cap::LocalMemBase) - bytes, bytes};
}

Result<void> SimDevice::setStackLog2Size(uint32_t log2) {
  AddressRange range = stacks(log2);
  if (overlapsAny(reserved, range.base, range.size))
    return Failure{"stacks of " + std::to_string(uint64_t(1) << log2) +
                   " bytes for each lane are in the way of the program's code and data"};
  Result<void> done = simulator->setStackLog2Size(log2);
  if (done)
    stackLog2Size = log2;
  return done;
}

Result<void> SimDevice::start(uint64_t entry, uint64_t argument) {
  const std::array<std::pair<uint32_t, uint64_t>, 4> values = {{
      {VX_DCR_STARTUP_ADDR0, entry},
      {VX_DCR_STARTUP_ADDR1, entry >> 32},
      {VX_DCR_STARTUP_ARG0, argument},
      {VX_DCR_STARTUP_ARG1, argument >> 32},
  }};
  for (auto [address, value] : values)
    if (Result<void> r = dcrWrite(address, uint32_t(value)); !r)
      return r;
  return {};
}

static FaultKind kindOf(sim::TrapCause cause) {
  using sim::TrapCause;
  switch (cause) {
  case TrapCause::None:
    return FaultKind::None;
  case TrapCause::IllegalInstruction:
    return FaultKind::IllegalInstruction;
  case TrapCause::MemoryAccess:
    return FaultKind::MemoryAccess;
  case TrapCause::Misaligned:
    return FaultKind::Misaligned;
  case TrapCause::FetchAccess:
    return FaultKind::InvalidPc;
  case TrapCause::StackOverflow:
    return FaultKind::StackOverflow;
  case TrapCause::BarrierDeadlock:
  case TrapCause::NoProgress:
  case TrapCause::CycleLimit:
    return FaultKind::Timeout;
  case TrapCause::Breakpoint:
    return FaultKind::Trap;
  case TrapCause::EnvironmentCall:
    return FaultKind::Service;
  case TrapCause::UnguardedDivergence:
  case TrapCause::IpdomOverflow:
  case TrapCause::IpdomUnderflow:
  case TrapCause::BadBarrier:
  case TrapCause::BadWarpSpawn:
  case TrapCause::TileMisuse:
  case TrapCause::Interrupted:
    return FaultKind::Other;
  }
  return FaultKind::Other;
}

void SimDevice::countRun(const sim::Stats &cost) {
  auto place = std::find_if(kernels.begin(), kernels.end(), [&](const sim::KernelStats &k) {
    return k.name == runName && k.lowering == runLowering;
  });
  if (place == kernels.end())
    place = kernels.insert(place, {runName, runLowering, 0, {}});
  place->launches += runContinues ? 0 : 1;
  place->stats += cost;
  for (const std::string &name : runRanges) {
    auto range = std::find_if(ranges.begin(), ranges.end(),
                              [&](const sim::RangeStats &r) { return r.name == name; });
    if (range == ranges.end())
      range = ranges.insert(range, {name, 0, 0});
    range->launches += runContinues ? 0 : 1;
    range->cycles += cost.cycles;
  }
}

RunReport SimDevice::readyWait() {
  bool counts = !statsRequest.empty() && !frozen;
  sim::Stats before = counts ? simulator->stats() : sim::Stats();
  sim::RunResult result;
  bool interrupted;
  {
    InterruptGuard guard(*this);
    result = simulator->run();
    interrupted = guard.wasInterrupted();
  }
  if (counts)
    countRun(simulator->stats().since(before));
  if (interrupted)
    endInterrupted(*this, runName);
  RunReport report;
  report.exitCode = result.exitCode;
  report.fault.kind = kindOf(result.trap.cause);
  if (report.fault.kind == FaultKind::None)
    return report;
  const sim::TrapReport &trap = result.trap;
  report.fault.cause = sim::toString(trap.cause);
  report.fault.detail = trap.detail;
  report.fault.pc = trap.pc;
  report.fault.core = trap.core;
  report.fault.warp = trap.warp;
  report.fault.lane = trap.lane;
  report.fault.address = trap.storePc ? trap.storePc : trap.address;
  report.fault.accessBytes = trap.accessBytes;
  report.fault.isWrite = trap.isWrite;
  report.fault.code = trap.code;
  if (trap.block != vx::sim::TrapReport::kNoHint)
    report.fault.block = trap.block;
  if (trap.thread != vx::sim::TrapReport::kNoHint)
    report.fault.thread = uint32_t(trap.thread); // a 32-bit number in a wider register
  return report;
}

std::string SimDevice::clockNote() const {
  if (modeIsChosen || config().mode != sim::SimMode::Functional)
    return {};
  return "count instructions; VX_MODE=timing counts the machine's cycles";
}

/// The clock continues: what is forgotten of the statistics is still part of cycles().
void SimDevice::enableCounters(bool enable) {
  if (!enable) {
    frozen = simulator->stats();
    return;
  }
  frozen.reset();
  kernels.clear();
  ranges.clear();
  cyclesBeforeReset += simulator->stats().cycles;
  simulator->resetStats();
}

/// Completes traces and profile, then VX_STATS.
void SimDevice::finish() {
  auto complain = [](const Result<void> &r) {
    if (!r)
      noteLostReport(r.error().message);
  };
  complain(simulator->finishReports());
  if (statsRequest.empty())
    return;
  std::string request = std::exchange(statsRequest, {});
  std::string format = sim::statsFormat(request);
  std::string report = sim::formatReport(format, kernels, ranges,
                                         frozen ? *frozen : simulator->stats(), identity.label);
  complain(sim::writeStatsReport(request,
                                 sim::addMachine(format, std::move(report), simulator->config())));
}

/// Returns the file of a device, where there may be several and each writes its own: NAME.ext
/// becomes NAME.device1.ext.
static std::string fileOfDevice(const std::string &file, const DeviceIdentity &identity) {
  if (file.empty() || identity.label.empty())
    return file;
  std::string mark = ".";
  for (char c : identity.label) // "device 0, context 3"
    if (c != ' ')
      mark += c == ',' ? '-' : c;
  size_t name = file.rfind('/') + 1; // npos + 1 is 0
  size_t dot = file.rfind('.');
  if (dot == std::string::npos || dot <= name)
    dot = file.size();
  return file.substr(0, dot) + mark + file.substr(dot);
}

Result<std::unique_ptr<Device>> openSimDevice(const sim::SimConfig &config,
                                              const std::string &stats, bool modeIsChosen,
                                              const DeviceIdentity &identity) {
  if (Result<void> r = sim::checkStatsRequest(stats); !r)
    return r.error();
  std::string problems;
  for (const std::string &problem : config.validate())
    problems += (problems.empty() ? "" : "; ") + problem;
  if (!problems.empty())
    return Failure{problems};
  Result<std::unique_ptr<sim::Simulator>> simulator = sim::Simulator::create(config);
  if (!simulator)
    return simulator.error();
  return std::unique_ptr<Device>(
      new SimDevice(std::move(*simulator), stats, modeIsChosen, identity));
}

Result<std::unique_ptr<Device>> openSimDevice(const DeviceIdentity &identity) {
  Result<sim::Environment> wanted = sim::readEnvironment();
  if (!wanted)
    return wanted.error();
  auto &[config, stats, modeIsChosen] = *wanted;
  for (std::string *file : {&config.profile, &config.konataTrace, &config.perfettoTrace,
                            &config.commitTrace, &config.checkLog, &config.checkSave})
    *file = fileOfDevice(*file, identity);
  if (size_t colon = stats.find(':'); colon != std::string::npos)
    stats = stats.substr(0, colon + 1) + fileOfDevice(stats.substr(colon + 1), identity);
  if (config.misaligned == sim::MisalignedPolicy::Auto)
    config.misaligned = sim::MisalignedPolicy::Trap; // as GPUs do: cudaErrorMisalignedAddress
  return openSimDevice(config, stats, modeIsChosen, identity);
}

} // namespace vx::rt
