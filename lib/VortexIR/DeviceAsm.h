// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways in which common IR names machine features that LLVM does not know: Vortex instructions
// and CSR reads as inline assembly, and the markers that tie a conditional branch to the
// instruction that makes it safe. A marker is a comment `# vx.KIND N` with a number unique in the
// function; the machine-level check after code generation requires exactly one marker for each
// conditional branch.

#ifndef VX_LIB_VORTEXIR_DEVICEASM_H
#define VX_LIB_VORTEXIR_DEVICEASM_H

#include "intrinsics/abi/FatBinary.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>
#include <string>

namespace vx {

/// Reads CSR as an integer of pointer width. Reads are pure: equal ones may be merged.
llvm::Value *emitCsrRead(llvm::IRBuilderBase &b, unsigned csr);
/// Reads CSR at this place: a vx_tile changes the numbers of a thread and its warp.
llvm::Value *emitOrderedCsrRead(llvm::IRBuilderBase &b, unsigned csr);
/// Reads a counter CSR: never merged or moved.
llvm::Value *emitCounterRead(llvm::IRBuilderBase &b, unsigned csr);
/// Reads all 64 bits of machine counter CSR; on RV32 that takes the CSR of the high half too.
llvm::Value *emitCounterRead64(llvm::IRBuilderBase &b, unsigned csr);
/// Returns true for the machine counters (the low halves on RV32).
bool isCounterCsr(unsigned csr);

/// The split and the branch condition it hands through. The branch must test `condition`.
struct SplitResult {
  llvm::Value *token;     ///< for emitJoin
  llvm::Value *condition; ///< i1, opaque
};
SplitResult emitSplit(llvm::IRBuilderBase &b, llvm::Value *cond, unsigned id);
void emitJoin(llvm::IRBuilderBase &b, llvm::Value *token, unsigned id);

/// Emits the current thread mask, to be restored by a loop's emitPred.
llvm::Value *emitSaveMask(llvm::IRBuilderBase &b, unsigned id);
/// Emits mask := lanes where STAY holds, or SAVEDMASK if there are none; yields the i1 to branch
/// on.
llvm::Value *emitPred(llvm::IRBuilderBase &b, llvm::Value *stay, llvm::Value *savedMask,
                      unsigned id);
/// Marks a branch proven uniform. V, of pointer width, is what its condition is computed from: the
/// mark hands it through opaque, so that the compare stays with the branch it is fused into.
llvm::Value *emitUniformMark(llvm::IRBuilderBase &b, llvm::Value *v, unsigned id);

/// Emits hardware barrier ID over COUNT warps (both of pointer width or i32).
void emitHwBarrier(llvm::IRBuilderBase &b, llvm::Value *id, llvm::Value *count);
/// Sets the thread mask.
void emitTmc(llvm::IRBuilderBase &b, llvm::Value *mask);
/// Regroups the threads of the core's warps (vx_tile): warps of GROUPSIZE threads, of which those
/// that GROUPMASK names run.
void emitTile(llvm::IRBuilderBase &b, llvm::Value *groupMask, llvm::Value *groupSize);

/// Votes and shuffles, in the order of the instruction table.
enum class WarpOp { VoteAll, VoteAny, VoteUni, VoteBallot, ShflUp, ShflDown, ShflBfly, ShflIdx };
/// Emits a vote OP (an i32) on bit 0 of PREDICATE, over the active lanes that MEMBERS names; null:
/// all.
llvm::Value *emitVote(llvm::IRBuilderBase &b, WarpOp op, llvm::Value *predicate,
                      llvm::Value *members);
/// Lets all lanes of the group that have not ended wait for each other, on a machine with paths
/// (hasPaths). Votes of some of them do not wait for those that are here: a vote without a result.
void emitLaneMeeting(llvm::IRBuilderBase &b);
/// Emits a shuffle OP of VALUE, an integer of at most register width; CONTROL is segment mask << 12
/// | clamp << 6 | lane.
llvm::Value *emitShuffle(llvm::IRBuilderBase &b, WarpOp op, llvm::Value *value,
                         llvm::Value *control);
/// Emits a shuffle with a constant offset; CLAMPWORD is segment mask << 6 | clamp.
llvm::Value *emitShuffleBy(llvm::IRBuilderBase &b, WarpOp op, llvm::Value *value, unsigned offset,
                           llvm::Value *clampWord);
/// Emits the active lanes for which PREDICATE (an integer) is not 0, without a vote: the lanes are
/// split, and each side reads which of them are active. An integer of pointer width, one bit for
/// each lane.
llvm::Value *emitBallot(llvm::IRBuilderBase &b, llvm::Value *predicate);
/// Emits no instruction, but the compiler moves no access of memory across it.
void emitMemoryBarrier(llvm::IRBuilderBase &b);
/// Tells the device which block or thread (VX_HINT_*) the lane works on, for fault reports. Nothing
/// in code of the host: the runtime knows which block a worker runs.
void emitHint(llvm::IRBuilderBase &b, unsigned what, llvm::Value *linear);
/// Returns true for what emitHint has emitted.
bool isHint(const llvm::Instruction &i);
/// Emits fence rw,rw.
void emitFence(llvm::IRBuilderBase &b);
/// Emits ebreak.
void emitBreak(llvm::IRBuilderBase &b);
/// Emits ecall with REASON (an integer, VX_ECALL_*) in a7.
void emitStop(llvm::IRBuilderBase &b, llvm::Value *reason);
/// Emits the floating-point instruction for WHAT.
llvm::Value *emitRounded(llvm::IRBuilderBase &b, Rounded what, llvm::ArrayRef<llvm::Value *> args);

/// Emits a value that the optimizer knows nothing about and that costs nothing: V itself.
llvm::Value *emitOpaque(llvm::IRBuilderBase &b, llvm::Value *v);
/// Makes the condition of BR, which has one, such a value: no pass can prove where it leads.
void hideCondition(llvm::BranchInst &br);

/// Returns TEXT, assembly of an asm statement in the source, under a mark that tells it from the
/// assembly of this file: its meaning is unknown.
std::string sourceAsmText(llvm::StringRef text);
/// Returns true for the text of an asm statement in the source.
bool isSourceAsm(llvm::StringRef asmText);

/// Returns the least instruction set that has what assembly of this file holds, vx_tile aside: that
/// one is executed only where it is needed.
abi::IsaProfile profileOf(const llvm::InlineAsm &inlineAsm);

/// Returns the CSR that assembly made by emitCsrRead or emitCounterRead reads.
std::optional<unsigned> getReadCsr(const llvm::InlineAsm &inlineAsm);

/// Returns true for assembly of this file whose result is one value per warp.
bool isUniformAsm(const llvm::InlineAsm &inlineAsm);

/// Returns what follows "# vx." in the marker of an assembly string, e.g. "split 3"; empty if none.
llvm::StringRef getMarker(llvm::StringRef asmText);

} // namespace vx

#endif // VX_LIB_VORTEXIR_DEVICEASM_H
