// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/AccessChecks.h"
#include "intrinsics/abi/SymbolNames.h"
#include "simulator/api/CheckerNames.h"
#include "simulator/check/Text.h"

namespace vx::sim {

/// The most padding of a variable, in bytes: its alignment. An image that has more is not the
/// compiler's.
constexpr uint64_t kMostPadding = 1 << 16;

AccessChecks::AccessChecks(Device &device)
    : device(device), run(device), local(device.config.numCores),
      localBytes(uint64_t(1) << device.config.lmemLog2Size) {}

Result<std::unique_ptr<MemoryChecks>> AccessChecks::create(Device &device) {
  std::unique_ptr<AccessChecks> checks(new AccessChecks(device));
  auto threads = [&]() -> CudaThreads & {
    if (!checks->threads)
      checks->threads = std::make_unique<CudaThreads>(checks->run);
    return *checks->threads;
  };
  const std::string &list = device.config.checkTools;
  if (list.empty())
    return std::unique_ptr<MemoryChecks>();
  if (std::string wrong = complainOfCheckers(list); !wrong.empty())
    return Failure{"check.tools: " + wrong};
  for (const std::string &tool : splitCheckers(list)) {
    if (tool == "memcheck")
      checks->checksMemory = true;
    else if (tool == "initcheck")
      checks->checksValues = true;
    else if (tool == "racecheck")
      checks->races =
          std::make_unique<RaceChecks>(threads(), checks->allocations, checks->blockMemory);
    else if (tool == "synccheck")
      checks->syncs = std::make_unique<SyncChecks>(threads());
  }
  if (Result<void> r = checks->run.findings.open(); !r)
    return r.error();
  return std::unique_ptr<MemoryChecks>(std::move(checks));
}

// --- what the host says --------------------------------------------------------------------------

void AccessChecks::allocated(CheckedAllocation a) {
  global.set(a.address, a.size, a.hasValues ? ByteState::Usable : fresh());
  allocations.add({a.address,
                   a.size,
                   std::move(a.what),
                   {},
                   {},
                   std::move(a.stack),
                   nullptr,
                   false,
                   a.canLeak});
}

void AccessChecks::freed(uint64_t address, HostStack stack) {
  if (const Region *region = allocations.free(address, std::move(stack), {}))
    global.set(region->address, region->size, ByteState::Usable); // the machine refuses accesses
}

void AccessChecks::freedWrongly(uint64_t address, const std::string &call, HostStack stack) {
  if (!checksMemory)
    return;
  const Region *region = allocations.at(address);
  bool isDouble = region && region->isFreed;
  Finding finding;
  finding.tool = "memcheck";
  finding.kind = isDouble ? "double-free" : "invalid-free";
  finding.title = call + " of " + hexText(address) +
                  (isDouble ? ", which has been freed" : ", where no allocation begins");
  finding.notes = allocations.describe(address, 1);
  addStack(finding.notes, "called by", stack);
  addOfHost(finding.kind + hexText(address), std::move(finding));
}

/// Returns the name of the function that the innermost frame of CALLS is of: "cudaMemcpy" of
/// "cudaMemcpy+0x12 (program+0x3456)", "cudaMalloc" of "cudaError cudaMalloc<int>(int**)+0x12 (…)".
static std::string calledFunction(const std::vector<std::string> &calls) {
  if (calls.empty())
    return "a call";
  std::string name = calls.front().substr(0, calls.front().find_first_of("+<("));
  while (name.ends_with(' '))
    name.pop_back();
  return name.substr(name.rfind(' ') + 1); // without a type before it
}

void AccessChecks::callFailed(FailedCall call, HostStack stack) {
  bool isLaunch = !call.kernel.empty();
  if (!isLaunch && !(checksMemory && device.config.checkApiErrors))
    return;
  std::vector<std::string> calls = stack ? stack() : std::vector<std::string>();
  Finding finding;
  finding.tool = anyTool();
  finding.kind = isLaunch ? "failed-launch" : "failed-call";
  finding.title = (isLaunch ? "a launch failed, and its kernel did not run: "
                            : calledFunction(calls) + " failed: ") +
                  call.error;
  finding.kernel = call.kernel;
  if (!call.reason.empty())
    finding.notes.push_back(call.reason);
  if (call.size)
    for (std::string &note : allocations.describe(call.address, call.size))
      finding.notes.push_back(std::move(note));
  addStack(finding.notes, "called by", stack);
  std::string key = finding.kind + finding.title + call.kernel;
  for (const std::string &one : calls)
    key += "|" + one;
  addOfHost(key, std::move(finding));
}

const char *AccessChecks::anyTool() const {
  return checksMemory ? "memcheck" : checksValues ? "initcheck" : races ? "racecheck" : "synccheck";
}

/// Adds or counts FINDING, which is of the host's code; one for each KEY.
void AccessChecks::addOfHost(const std::string &key, Finding finding) {
  if (std::optional<size_t> number = run.findings.find(key))
    run.findings.count(*number);
  else
    run.findings.add(key, std::move(finding));
  run.findings.print();
}

void AccessChecks::wroteFromHost(uint64_t address, uint64_t size) {
  if (!checksValues)
    return;
  // States other than `undefined` are those of the heap, which the host clears as a whole.
  if (address >= heapBase && address - heapBase < heapBytes)
    return;
  global.set(address, size, ByteState::Usable);
}

void AccessChecks::describeRun(const RunInfo &info) {
  if (run.describeRun(info))
    addVariables();
  sharedTail = info.sharedTailBytes;
}

/// The image's variables, and what is between them where it is compiled for the checkers.
void AccessChecks::addVariables() {
  allocations.addVariables(*run.image, run.slide);
  const auto &symbols = run.image->symbols();
  for (auto it = symbols.lower_bound(abi::kPaddingSymbolPrefix);
       it != symbols.end() && it->first.starts_with(abi::kPaddingSymbolPrefix); ++it)
    if (it->second.size <= kMostPadding)
      global.set(it->second.address + run.slide, it->second.size, beyond());
}

Result<void> AccessChecks::finish() {
  if (std::exchange(isFinished, true))
    return {};
  if (checksMemory && device.config.checkLeaks)
    allocations.forEachLive([&](const Region &region) {
      if (!region.canLeak)
        return;
      Finding finding;
      finding.tool = "memcheck";
      finding.kind = "leak";
      finding.title =
          bytesText(region.size) + " at " + hexText(region.address) + " have not been freed";
      finding.notes.push_back(region.what);
      if (!region.origin.empty())
        finding.notes.push_back("allocated " + region.origin);
      addStack(finding.notes, "allocated by", region.made);
      run.findings.add("leak" + hexText(region.address), std::move(finding));
    });
  return run.findings.finish();
}

// --- runs ----------------------------------------------------------------------------------------

void AccessChecks::runStarted() {
  leftOut = 0;
  foundBefore = run.findings.total();
  firstRefused = {};
  blockMemory.clear();
  if (threads)
    threads->runStarted();
  if (races)
    races->runStarted();
  if (!run.isLaunch)
    return;
  setUpShared();
  setUpHeap();
}

void AccessChecks::setUpShared() {
  abi::ClusterState clusters{};
  std::span to(reinterpret_cast<uint8_t *>(&clusters), sizeof clusters);
  if (run.launch.cluster && !device.memory.read(run.launch.cluster, to))
    clusters = {};
  blockMemory.start(run.launch, sharedTail, device.cores.size(), run.image, run.slide, clusters);
  for (Shadow &one : local)
    one.set(device.stackBase, localBytes, beyond());
  auto keep = [&](uint64_t address, uint64_t size) { // what compiled code has for itself
    if (isLocal(address))
      for (Shadow &one : local)
        one.set(address, size, ByteState::Usable);
  };
  if (run.launch.fields.logicalWarps.exchangeStride)
    keep(run.launch.fields.logicalWarps.exchange,
         2 * uint64_t(run.launch.fields.logicalWarps.exchangeStride));
  keep(run.launch.spillArea - abi::kSpillPartBytes / 2,
       abi::spillAreaBytes(uint64_t(run.launch.spillMask) + 1));
  for (uint64_t place = 0; place < blockMemory.places(); ++place)
    startPlace(place);
}

/// The shared memory at PLACE is that of a new block.
void AccessChecks::startPlace(uint64_t place) {
  uint64_t address = blockMemory.addressOf(place);
  blockMemory.setStates(shadowOf(blockMemory.coreOf(place), address), address, fresh(), beyond());
}

void AccessChecks::setUpHeap() {
  abi::DeviceHeap header{};
  std::span to(reinterpret_cast<uint8_t *>(&header), sizeof header);
  if (run.launch.heap == heapBase || !run.launch.heap || !device.memory.read(run.launch.heap, to))
    return;
  allocations.forget(heapBase, heapBytes);
  heapBase = run.launch.heap;
  heapBytes = sizeof header + header.capacity;
  if (checksMemory)
    global.set(heapBase + sizeof header, header.capacity, ByteState::Unallocated);
}

/// Some checkers see nothing of a kernel that does not speak of its threads, or whose launch is not
/// known.
void AccessChecks::noteKernel() {
  bool isSeen = !threads || threads->isChecked();
  run.findings.noteKernel(run.kernel, isSeen         ? ""
                                      : run.isLaunch ? "is not compiled with -fvx-check"
                                                     : "is run by a driver of Vortex's");
}

/// The machine has stopped the run for what is a wrong use of memory, but no access to data.
void AccessChecks::reportEnd(const TrapReport &trap) {
  Finding finding;
  finding.tool = "memcheck";
  if (trap.cause == TrapCause::StackOverflow) {
    finding.kind = "stack-overflow";
    finding.title = "the stack of a thread ends above " + hexText(trap.address);
    finding.address = trap.address;
    finding.bytes = trap.accessBytes;
  } else if (trap.cause == TrapCause::FetchAccess) {
    finding.kind = "invalid-pc";
    finding.title = "a jump to " + hexText(trap.pc) + ", where there is no code";
    finding.address = trap.pc;
  } else {
    return;
  }
  run.report({trap.block, trap.thread, trap.pc},
             std::string(finding.kind) + "|" + run.lineOf(trap.pc), std::move(finding));
}

/// The run was stopped for what no checker has found: its end is not that of the program.
void AccessChecks::reportStopped(const TrapReport &trap) {
  Finding finding;
  finding.tool = anyTool();
  finding.kind = "stopped";
  finding.title = std::string("the kernel was stopped: ") + toString(trap.cause);
  if (!trap.detail.empty())
    finding.notes.push_back(trap.detail);
  run.report({trap.block, trap.thread, trap.pc}, "stopped|" + run.lineOf(trap.pc),
             std::move(finding));
}

void AccessChecks::runEnded(TrapReport &trap) {
  if (syncs)
    syncs->stopped(trap.cause);
  while (!locals.empty())
    localEnded(locals.begin()->first);
  if (races)
    races->runEnded();
  noteKernel();
  if (checksMemory)
    reportEnd(trap);
  if (trap.cause != TrapCause::None && trap.cause != TrapCause::Interrupted &&
      run.findings.total() == foundBefore)
    reportStopped(trap);
  run.findings.print();
  if (trap.cause == TrapCause::None && firstRefused.cause != TrapCause::None) {
    trap = firstRefused;
    trap.detail += std::string(trap.detail.empty() ? "" : "; ") +
                   "memcheck left the access out, and the kernel ran to its end";
  }
}

} // namespace vx::sim
