// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/AccessChecks.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/CheckHints.h"
#include "simulator/check/Text.h"

namespace vx::sim {

namespace {

/// After so many refused accesses, a run is stopped: reading 0 may have made its loops endless.
constexpr uint64_t kMostLeftOut = 1 << 16;

// Kinds of findings.
constexpr const char *kInvalidRead = "invalid-read", *kInvalidWrite = "invalid-write";
constexpr const char *kMisaligned = "misaligned", *kUnwritten = "uninitialized-read";

bool isLoadReserved(isa::Op op) {
  return op == isa::Op::LR_W || op == isa::Op::LR_D;
}

/// Whether an atomic instruction looks at what was in memory.
bool usesOldValue(const Insn &insn) {
  bool isSwap = insn.op == isa::Op::AMOSWAP_W || insn.op == isa::Op::AMOSWAP_D;
  bool isConditional = insn.op == isa::Op::SC_W || insn.op == isa::Op::SC_D;
  return !isConditional && !(isSwap && isa::Fields{insn.word}.rd() == 0);
}

} // namespace

AccessChecks::AccessChecks(Device &device)
    : device(device), findings(device.config), local(device.config.numCores),
      localBytes(uint64_t(1) << device.config.lmemLog2Size) {}

Result<std::unique_ptr<MemoryChecks>> AccessChecks::create(Device &device) {
  std::unique_ptr<AccessChecks> checks(new AccessChecks(device));
  std::string_view rest = device.config.checkTools;
  if (rest.empty())
    return std::unique_ptr<MemoryChecks>();
  while (!rest.empty()) {
    std::string_view tool = rest.substr(0, rest.find_first_of(",+"));
    rest.remove_prefix(std::min(rest.size(), tool.size() + 1));
    if (tool == "memcheck")
      checks->checksMemory = true;
    else if (tool == "initcheck")
      checks->checksValues = true;
    else
      return Failure{"check.tools: there is no checker `" + std::string(tool) +
                     "`; there are memcheck and initcheck"};
  }
  if (Result<void> r = checks->findings.open(); !r)
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
  std::string key = std::string(finding.kind) + hexText(address);
  if (std::optional<size_t> number = findings.find(key))
    findings.count(*number);
  else
    findings.add(key, std::move(finding));
  findings.print();
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
  kernel = info.name;
  lowering = info.lowering;
  image = info.image;
  slide = info.slide;
  std::pair<const void *, uint64_t> key{image, slide};
  auto found = codes.find(key);
  if (found == codes.end()) {
    unsigned xlen = device.config.xlen;
    CodeMap map = info.image ? CodeMap(*info.image, info.slide, xlen) : CodeMap(xlen);
    found = codes.emplace(key, std::move(map)).first;
    if (info.image)
      allocations.addVariables(*image, slide);
  }
  if (code != &found->second)
    known.clear(); // addresses may mean something else
  code = &found->second;
  isLaunch = info.launch != nullptr;
  launch = isLaunch ? *info.launch : abi::LaunchDescriptor{};
  sharedTail = info.sharedTailBytes;
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
      findings.add("leak" + hexText(region.address), std::move(finding));
    });
  return findings.finish();
}

// --- runs ----------------------------------------------------------------------------------------

void AccessChecks::runStarted() {
  leftOut = 0;
  firstRefused = {};
  blockMemory.clear();
  if (!isLaunch)
    return;
  setUpShared();
  setUpHeap();
}

void AccessChecks::setUpShared() {
  blockMemory.start(launch, sharedTail, device.cores.size(), image, slide);
  for (Shadow &one : local)
    one.set(device.stackBase, localBytes, beyond());
  auto keep = [&](uint64_t address, uint64_t size) { // what compiled code has for itself
    if (isLocal(address))
      for (Shadow &one : local)
        one.set(address, size, ByteState::Usable);
  };
  if (launch.fields.logicalWarps.exchangeStride)
    keep(launch.fields.logicalWarps.exchange,
         2 * uint64_t(launch.fields.logicalWarps.exchangeStride));
  uint64_t lanes = uint64_t(device.config.numWarps) * device.lanes;
  keep(launch.spillArea - abi::kSpillPartBytes / 2, (lanes + 31) / 32 * abi::kSpillPartBytes);
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
  if (launch.heap == heapBase || !launch.heap || !device.memory.read(launch.heap, to))
    return;
  allocations.forget(heapBase, heapBytes);
  heapBase = launch.heap;
  heapBytes = sizeof header + header.capacity;
  if (checksMemory)
    global.set(heapBase + sizeof header, header.capacity, ByteState::Unallocated);
}

void AccessChecks::runEnded(TrapReport &trap) {
  findings.print();
  if (trap.cause == TrapCause::None && firstRefused.cause != TrapCause::None) {
    trap = firstRefused;
    trap.detail += std::string(trap.detail.empty() ? "" : "; ") +
                   "memcheck left the access out, and the kernel ran to its end";
  }
}

// --- accesses ------------------------------------------------------------------------------------

const char *AccessChecks::kindOf(const Access &access) {
  return access.isWrite ? kInvalidWrite : kInvalidRead;
}

uint8_t *AccessChecks::nowhere() {
  std::memset(sink, 0, sizeof sink);
  return sink + 8; // an atomic on a part of a word finds the word around it
}

uint64_t AccessChecks::blockOf(Exec &e, unsigned lane) const {
  return e.x(Core::kBlockHintRegister * device.stride)[lane];
}

uint8_t *AccessChecks::accessed(Exec &e, unsigned lane, uint64_t address, unsigned size,
                                uint8_t permission, uint8_t *at) {
  uint64_t states = shadowOf(e.core().id, address).states(address, size);
  if (!states && !isLocal(address) && !blockMemory.isGlobal()) [[likely]]
    return at;
  if (e.x(Core::kPauseRegister * device.stride)[lane] == 1)
    return at;
  bool isAtomic = permission == (kRead | kWrite);
  Access access{address, size, (permission & kWrite) != 0, isAtomic};
  if (isAtomic && isLoadReserved(e.current->op))
    access.isWrite = false;
  if (checksMemory) {
    std::optional<uint64_t> owner = blockMemory.ownerOf(e.core().id, address);
    if (owner && blockOf(e, lane) != TrapReport::kNoHint && *owner != blockOf(e, lane))
      return refuse(e, lane, access, kindOf(access), "it is in the shared memory of another block");
  }
  return states ? judge(e, lane, access, at, states) : at;
}

/// Not all bytes are usable.
uint8_t *AccessChecks::judge(Exec &e, unsigned lane, const Access &access, uint8_t *at,
                             uint64_t states) {
  bool isInvalid = false;
  unsigned undefined = 0;
  for (unsigned i = 0; i < access.size; ++i) {
    uint8_t state = uint8_t(states >> 8 * i);
    isInvalid |= state >= kFirstInvalid;
    undefined += state == uint8_t(ByteState::Undefined);
  }
  if (isInvalid)
    return refuse(e, lane, access, kindOf(access), "");
  bool reads = !access.isWrite || (access.isAtomic && usesOldValue(*e.current));
  // Compiled code copies the padding of a structure with what is beside it.
  if (reads && undefined == access.size && !isKnown(e, kUnwritten))
    report(e, lane, "initcheck", kUnwritten, access.address, access.size,
           "read of " + bytesText(access.size) + " of " + spaceOf(access.address) + " at " +
               hexText(access.address) + ", which has not been written",
           describe(e, access));
  if (access.isWrite)
    shadowOf(e.core().id, access.address).define(access.address, access.size);
  return at;
}

/// Lines about what is at an access.
std::vector<std::string> AccessChecks::describe(Exec &e, const Access &access) const {
  if (!blockMemory.ownerOf(e.core().id, access.address))
    return allocations.describe(access.address, access.size);
  return {blockMemory.describe(access.address)};
}

const char *AccessChecks::spaceOf(uint64_t address) const {
  if (blockMemory.ownerOf(0, address) || isLocal(address))
    return "shared memory";
  return address - device.stackLow < device.stackBase - device.stackLow ? "local memory"
                                                                        : "global memory";
}

/// Reports an access that is left out.
/// NOTE, if it is not empty, comes before what is at the address.
uint8_t *AccessChecks::refuse(Exec &e, unsigned lane, const Access &access, const char *kind,
                              const char *note) {
  if (isKnown(e, kind))
    return nowhere();
  std::vector<std::string> notes = describe(e, access);
  if (*note)
    notes.insert(notes.begin(), note);
  else if (notes.empty())
    notes.push_back(access.address < 4096 ? "near a null pointer" : "no allocation is near");
  const char *what = access.isAtomic  ? "invalid atomic access to "
                     : access.isWrite ? "invalid write of "
                                      : "invalid read of ";
  report(e, lane, "memcheck", kind, access.address, access.size,
         what + bytesText(access.size) + " of " + spaceOf(access.address) + " at " +
             hexText(access.address),
         std::move(notes));
  return nowhere();
}

bool AccessChecks::refused(Exec &e, unsigned lane) {
  const TrapReport trap = device.trap;
  bool isMisaligned = trap.cause == TrapCause::Misaligned;
  if (!checksMemory || (trap.cause != TrapCause::MemoryAccess && !isMisaligned) ||
      e.x(Core::kPauseRegister * device.stride)[lane] == 1)
    return false;
  isa::Format format = isa::info(e.current->op).format;
  bool isAtomic = format == isa::Format::Amo || format == isa::Format::LoadReserved;
  Access access{trap.address, trap.accessBytes, trap.isWrite, isAtomic};
  refuse(e, lane, access, isMisaligned ? kMisaligned : kindOf(access),
         isMisaligned ? "the address is no multiple of the size" : "");
  // Reads beside an allocation are forgiven without a checker.
  bool isForgiven = !isMisaligned && !access.isWrite &&
                    allocations.isNear(access.address, device.config.readSlack);
  if (!isForgiven && firstRefused.cause == TrapCause::None)
    firstRefused = trap;
  return ++leftOut < kMostLeftOut;
}

// --- hints ---------------------------------------------------------------------------------------

void AccessChecks::hinted(Exec &e, Insn &insn) {
  uint64_t *value = e.x(insn.rs1);
  bool isNarrow = device.config.xlen == 32;
  e.forLanes([&](unsigned lane) {
    uint64_t number = isNarrow ? uint32_t(value[lane]) : value[lane];
    uint64_t size = e.x(Core::kSizeHintRegister * device.stride)[lane];
    switch (insn.imm) {
    case VX_HINT_BLOCK:
      e.x(Core::kBlockHintRegister * device.stride)[lane] = number;
      if (auto place = blockMemory.enter(number))
        startPlace(*place);
      break;
    case VX_HINT_HEAP_ALLOCATED:
      heapAllocated(e, lane, number, size);
      break;
    case VX_HINT_HEAP_FREE:
      heapFreed(e, lane, value[lane]);
      break;
    default:
      break;
    }
  });
}

void AccessChecks::heapAllocated(Exec &e, unsigned lane, uint64_t address, uint64_t size) {
  if (!address || address - heapBase >= heapBytes || size > heapBytes)
    return;
  global.set(address, size, fresh());
  Region region;
  region.address = address;
  region.size = size;
  region.what = "memory of malloc() in device code";
  region.origin = describeThread(e, lane);
  region.canLeak = true;
  allocations.add(std::move(region));
}

/// ADDRESS becomes 0 where nothing is allocated.
void AccessChecks::heapFreed(Exec &e, unsigned lane, uint64_t &address) {
  uint64_t at = device.config.xlen == 32 ? uint32_t(address) : address;
  if (!at)
    return;
  if (const Region *region = allocations.free(at, nullptr, describeThread(e, lane))) {
    if (checksMemory)
      global.set(at, region->size, ByteState::Freed);
    return;
  }
  if (checksMemory) {
    const Region *region = allocations.at(at);
    bool isDouble = region && region->isFreed;
    report(e, lane, "memcheck", isDouble ? "double-free" : "invalid-free", at, 1,
           "free() of " + hexText(at) +
               (isDouble ? ", which has been freed" : ", where no allocation begins"),
           allocations.describe(at, 1));
  }
  address = 0;
}

// --- reports -------------------------------------------------------------------------------------

/// "by block (0,0,0), thread (1,0,0) at a.cu:7".
std::string AccessChecks::describeThread(Exec &e, unsigned lane) {
  uint64_t thread = uint32_t(e.x(Core::kThreadHintRegister * device.stride)[lane]);
  std::string place = placeOf(e, lane).text();
  return "by block " + coordinatesText(blockOf(e, lane), launch.gridDim) + ", thread " +
         coordinatesText(thread, launch.blockDim) + " of `" + kernel + "`" +
         (place.empty() ? "" : " at " + place);
}

/// What LANE executes: in functions of the device library, their call.
CodePlace AccessChecks::placeOf(Exec &e, unsigned lane) {
  constexpr uint32_t kReturnAddress = 1;
  if (!code)
    return {};
  const CodePlace &place = code->at(e.pc);
  if (!place.function.starts_with("__vx_") || !place.source.file.empty())
    return place;
  uint64_t address = e.x(kReturnAddress * device.stride)[lane];
  return code->at((device.config.xlen == 32 ? uint32_t(address) : address) - 4);
}

void AccessChecks::report(Exec &e, unsigned lane, const char *tool, const char *kind,
                          uint64_t address, uint64_t size, std::string title,
                          std::vector<std::string> notes) {
  CodePlace place = placeOf(e, lane);
  std::string where = place.source.file.empty()
                          ? hexText(e.pc)
                          : place.source.file + ":" + std::to_string(place.source.line);
  std::string key = std::string(kind) + "|" + where;
  if (std::optional<size_t> number = findings.find(key)) {
    findings.count(*number);
    known[{e.pc, kind}] = *number;
    return;
  }
  Finding finding;
  finding.tool = tool;
  finding.kind = kind;
  finding.title = std::move(title);
  finding.kernel = kernel;
  finding.lowering = lowering;
  finding.block = coordinatesText(blockOf(e, lane), launch.gridDim);
  finding.thread = coordinatesText(uint32_t(e.x(Core::kThreadHintRegister * device.stride)[lane]),
                                   launch.blockDim);
  finding.function = place.function;
  finding.functionOffset = place.offset;
  finding.file = place.source.file;
  finding.line = place.source.line;
  finding.address = address;
  finding.bytes = size;
  finding.notes = std::move(notes);
  known[{e.pc, kind}] = findings.add(key, std::move(finding));
}

/// Whether the instruction that runs has had a finding of KIND: it is counted.
bool AccessChecks::isKnown(Exec &e, const char *kind) {
  auto found = known.find({e.pc, kind});
  if (found != known.end())
    findings.count(found->second);
  return found != known.end();
}

} // namespace vx::sim
