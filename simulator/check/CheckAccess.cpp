// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memcheck and initcheck: what an access may find.

#include "simulator/api/HostAddress.h"
#include "simulator/check/AccessChecks.h"
#include "simulator/check/Text.h"

namespace vx::sim {

namespace {

/// After so many refused accesses, a run is stopped: reading 0 may have made its loops endless.
constexpr uint64_t kMostLeftOut = 1 << 16;

constexpr const char *kNoMultiple = "the address is not a multiple of the size";

// Kinds of findings.
constexpr const char *kInvalidRead = "invalid-read", *kInvalidWrite = "invalid-write";
constexpr const char *kMisaligned = "misaligned", *kUnwritten = "uninitialized-read";

/// Returns what ADDRESS is, near which no allocation is.
std::string describeNowhere(uint64_t address) {
  if (address < kNearNull)
    return "near a null pointer";
  std::string ofHost = describeHostAddress(address);
  return ofHost.empty() ? "no allocation is near" : ofHost;
}

bool isLoadReserved(isa::Op op) {
  return op == isa::Op::LR_W || op == isa::Op::LR_D;
}

/// Returns true if an atomic instruction looks at what was in memory.
bool usesOldValue(const Insn &insn) {
  bool isSwap = insn.op == isa::Op::AMOSWAP_W || insn.op == isa::Op::AMOSWAP_D;
  bool isConditional = insn.op == isa::Op::SC_W || insn.op == isa::Op::SC_D;
  return !isConditional && !(isSwap && isa::Fields{insn.word}.rd() == 0);
}

} // namespace

const char *AccessChecks::kindOf(const Access &access) {
  return access.isWrite ? kInvalidWrite : kInvalidRead;
}

uint8_t *AccessChecks::nowhere() {
  std::memset(sink, 0, sizeof sink);
  return sink + 8; // an atomic on a part of a word finds the word around it
}

uint8_t *AccessChecks::accessed(Exec &e, unsigned lane, uint64_t address, unsigned size,
                                uint8_t permission, uint8_t *at) {
  uint8_t *bytes = at;
  if (isTrial) [[unlikely]]
    return checksMemory ? tryAccess(e, lane, address, size, at) : at;
  if (checksMemory || checksValues)
    bytes = checkAccess(e, lane, address, size, permission, at);
  if (races && bytes == at)
    races->accessed(e, lane, address, size, permission, bytes);
  if (syncs && permission & kWrite)
    noteActed(e, lane, address);
  return bytes;
}

/// A thread that writes to memory of the program has continued after a join point.
void AccessChecks::noteActed(Exec &e, unsigned lane, uint64_t address) {
  CudaThread *thread = threads->threadOf(e, lane);
  if (!thread || !thread->joins.isIdleSinceJoin() || run.isPaused(e, lane))
    return;
  bool isShared =
      (isLocal(address) || blockMemory.isGlobal()) && blockMemory.isOfProgram(e.core().id, address);
  if (isShared || (!isLocal(address) && allocations.isNear(address, 0)))
    thread->joins.acted();
}

uint8_t *AccessChecks::checkAccess(Exec &e, unsigned lane, uint64_t address, unsigned size,
                                   uint8_t permission, uint8_t *at) {
  uint64_t states = shadowOf(e.core().id, address).states(address, size);
  if (!states && !isLocal(address) && !blockMemory.isGlobal()) [[likely]]
    return at;
  if (run.isPaused(e, lane))
    return at;
  bool isAtomic = permission == (kRead | kWrite);
  Access access{address, size, (permission & kWrite) != 0, isAtomic};
  if (isAtomic && isLoadReserved(e.current->op))
    access.isWrite = false;
  if (checksMemory && isOfOtherBlock(e, lane, address))
    return refuse(e, lane, access, kindOf(access), "it is in the shared memory of another block");
  return states ? checkBytes(e, lane, access, at, states) : at;
}

bool AccessChecks::isOfOtherBlock(Exec &e, unsigned lane, uint64_t address) {
  std::optional<uint64_t> owner = blockMemory.ownerOf(e.core().id, address);
  uint64_t block = run.blockOf(e, lane);
  return owner && block != TrapReport::kNoHint && !blockMemory.reaches(block, *owner);
}

/// Returns true if one of SIZE bytes with STATES may not be accessed.
static bool isAnyInvalid(uint64_t states, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    if (uint8_t(states >> 8 * i) >= kFirstInvalid)
      return true;
  return false;
}

uint8_t *AccessChecks::tryAccess(Exec &e, unsigned lane, uint64_t address, unsigned size,
                                 uint8_t *at) {
  bool isInvalid = isAnyInvalid(shadowOf(e.core().id, address).states(address, size), size) ||
                   isOfOtherBlock(e, lane, address);
  return isInvalid && !run.isPaused(e, lane) ? nowhere() : at;
}

/// Checks an access to bytes of which not all are usable.
uint8_t *AccessChecks::checkBytes(Exec &e, unsigned lane, const Access &access, uint8_t *at,
                                  uint64_t states) {
  unsigned undefined = 0;
  for (unsigned i = 0; i < access.size; ++i)
    undefined += uint8_t(states >> 8 * i) == uint8_t(ByteState::Undefined);
  if (isAnyInvalid(states, access.size))
    return refuse(e, lane, access, kindOf(access), "");
  bool reads = !access.isWrite || (access.isAtomic && usesOldValue(*e.current));
  // Compiled code copies the padding of a structure with its members.
  if (reads && undefined == access.size && !run.isKnown(e, kUnwritten))
    run.report(e, lane, "initcheck", kUnwritten, access.address, access.size,
               "read of " + bytesText(access.size) + " of " + spaceOf(access.address) + " at " +
                   hexText(access.address) + ", which has not been written",
               describe(e, access));
  if (access.isWrite)
    shadowOf(e.core().id, access.address).define(access.address, access.size);
  return at;
}

/// Returns lines about what is at an access.
std::vector<std::string> AccessChecks::describe(Exec &e, const Access &access) const {
  if (std::optional<std::string> local = describeLocal(access.address))
    return {*local};
  if (!blockMemory.ownerOf(e.core().id, access.address))
    return allocations.describe(access.address, access.size);
  return {blockMemory.describe(access.address)};
}

const char *AccessChecks::spaceOf(uint64_t address) const {
  if (blockMemory.ownerOf(0, address) || isLocal(address))
    return "shared memory";
  // The context keeps what threads that are rounds of loops need from one region to the next.
  bool isStack = address - device.stackLow < device.stackBase - device.stackLow;
  return isStack || describeLocal(address) ? "local memory" : "global memory";
}

/// Reports an access that is left out. NOTE, if it is not empty, precedes what is at the address.
uint8_t *AccessChecks::refuse(Exec &e, unsigned lane, const Access &access, const char *kind,
                              const char *note) {
  if (run.isKnown(e, kind))
    return nowhere();
  std::vector<std::string> notes = describe(e, access);
  if (*note)
    notes.insert(notes.begin(), note);
  else if (isLocal(access.address) && notes.empty())
    notes.push_back(run.launch.dynSharedBytes ? "it is beyond the block's shared memory"
                                              : kNoDynamicMemory);
  else if (notes.empty() || access.address < kNearNull)
    notes = {describeNowhere(access.address)};
  const char *what = access.isAtomic  ? "invalid atomic access to "
                     : access.isWrite ? "invalid write of "
                                      : "invalid read of ";
  run.report(e, lane, "memcheck", kind, access.address, access.size,
             what + bytesText(access.size) + " of " + spaceOf(access.address) + " at " +
                 hexText(access.address),
             std::move(notes));
  return nowhere();
}

/// ACCESS is one for CUDA, but several instructions, which are executed all the same.
void AccessChecks::checkVector(Exec &e, unsigned lane, const Access &access) {
  if (checksMemory && access.size && access.address % access.size && !run.isPaused(e, lane))
    (void)refuse(e, lane, access, kMisaligned, kNoMultiple);
}

bool AccessChecks::refused(Exec &e, unsigned lane) {
  if (isTrial)
    return false;
  const TrapReport trap = device.trap;
  bool isMisaligned = trap.cause == TrapCause::Misaligned;
  if (!checksMemory || (trap.cause != TrapCause::MemoryAccess && !isMisaligned) ||
      run.isPaused(e, lane))
    return false;
  bool isAtomic = e.current->access == sim::Access::Atomic;
  Access access{trap.address, trap.accessBytes, trap.isWrite, isAtomic};
  refuse(e, lane, access, isMisaligned ? kMisaligned : kindOf(access),
         isMisaligned ? kNoMultiple : "");
  // Reads next to an allocation are forgiven without a checker.
  bool isForgiven = !isMisaligned && !access.isWrite &&
                    allocations.isNear(access.address, device.config.readSlack);
  if (!isForgiven && firstRefused.cause == TrapCause::None)
    firstRefused = trap;
  return ++leftOut < kMostLeftOut;
}

} // namespace vx::sim
