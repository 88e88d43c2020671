// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: warp functions. Those that touch other lanes are never speculated: under a guard they
// are branched around.

#include "passes/import/Ptx.h"
#include "passes/import/Warp.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Checks the last word of a mnemonic, "b32" and the like: what S ends with must have BITS bits.
bool hasBits(const PtxStatement &s, unsigned bits) {
  std::optional<PtxType> t = parsePtxType(s.words.back());
  return t && t->bits == bits && !t->isFloat();
}

/// Writes d, or d|p.
void writeResult(PtxContext &c, const PtxOperand &to, WithPredicate r) {
  if (to.kind != PtxOperand::Pair)
    return c.write(to, r.value);
  c.write(to.parts[0], r.value);
  c.write(to.parts[1], r.predicate);
}

/// Emits code for activemask.b32 d
void emitActiveMask(PtxContext &c, const PtxStatement &s) {
  c.write(s.operands[0], emitCall(c.b, VxFn::ActiveMask));
}

/// Emits code for shfl{.sync}.{up,down,bfly,idx}.b32 d{|p}, value, lane, segment{, mask}
void emitShfl(PtxContext &c, const PtxStatement &s) {
  bool sync = s.has("sync");
  if (s.operands.size() != (sync ? 5 : 4) || !hasBits(s, 32))
    return c.failUnknown(s);
  VxFn fn = s.has("up")     ? VxFn::ShflUp32
            : s.has("down") ? VxFn::ShflDown32
            : s.has("bfly") ? VxFn::ShflBfly32
                            : VxFn::ShflIdx32;
  Type *i32 = c.b.getInt32Ty();
  Value *value = c.read(s.operands[1], i32), *lane = c.read(s.operands[2], i32);
  Value *segment = c.read(s.operands[3], i32);
  Value *mask = sync ? c.read(s.operands[4], i32) : nullptr;
  writeResult(c, s.operands[0], emitShuffle(c.b, fn, mask, value, lane, segment));
}

/// Emits code for vote{.sync}.{all,any,uni}.pred p, a{, mask}; vote{.sync}.ballot.b32 d, a{, mask}
void emitVotePtx(PtxContext &c, const PtxStatement &s) {
  bool sync = s.has("sync");
  if (s.operands.size() != (sync ? 3 : 2))
    return c.failUnknown(s);
  VxFn fn = s.has("all")   ? VxFn::VoteAll
            : s.has("any") ? VxFn::VoteAny
            : s.has("uni") ? VxFn::VoteUni
                           : VxFn::VoteBallot;
  Value *p = c.read(s.operands[1], c.b.getInt1Ty());
  Value *mask = sync ? c.read(s.operands[2], c.b.getInt32Ty()) : nullptr;
  c.write(s.operands[0], emitVote(c.b, fn, mask, p));
}

/// Emits code for match.{any,all}.sync.{b32,b64} d{|p}, a, mask
void emitMatchPtx(PtxContext &c, const PtxStatement &s) {
  bool wide = hasBits(s, 64);
  if (!wide && !hasBits(s, 32))
    return c.failUnknown(s);
  Value *value = c.read(s.operands[1], wide ? c.b.getInt64Ty() : c.b.getInt32Ty());
  Value *mask = c.read(s.operands[2], c.b.getInt32Ty());
  writeResult(c, s.operands[0], emitMatch(c.b, s.has("all"), mask, value));
}

/// Emits code for redux.sync.{add,min,max,and,or,xor}.{u32,s32,b32} d, a, mask
void emitRedux(PtxContext &c, const PtxStatement &s) {
  bool isSigned = s.words.back() == "s32";
  auto fn = StringSwitch<std::optional<VxFn>>(s.words.size() == 4 ? s.words[2] : "")
                .Case("add", VxFn::ReduceAddI32)
                .Case("min", isSigned ? VxFn::ReduceMinS32 : VxFn::ReduceMinU32)
                .Case("max", isSigned ? VxFn::ReduceMaxS32 : VxFn::ReduceMaxU32)
                .Case("and", VxFn::ReduceAndI32)
                .Case("or", VxFn::ReduceOrI32)
                .Case("xor", VxFn::ReduceXorI32)
                .Default(std::nullopt);
  if (!fn || !hasBits(s, 32))
    return c.failUnknown(s);
  Type *i32 = c.b.getInt32Ty();
  Value *value = c.read(s.operands[1], i32), *mask = c.read(s.operands[2], i32);
  c.write(s.operands[0], emitCall(c.b, *fn, {mask, value, c.b.getInt32(0)}));
}

/// Emits code for elect.sync d|p, mask
void emitElectPtx(PtxContext &c, const PtxStatement &s) {
  writeResult(c, s.operands[0], emitElect(c.b, c.read(s.operands[1], c.b.getInt32Ty())));
}

constexpr PtxInstruction kWarpInstructions[] = {
    {"activemask", 1, emitActiveMask, true, ""}, {"shfl", 4, emitShfl, true, ""},
    {"vote", 2, emitVotePtx, true, ""},          {"match", 3, emitMatchPtx, true, ""},
    {"redux", 3, emitRedux, true, ""},           {"elect", 2, emitElectPtx, true, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxWarpInstructions() {
  return kWarpInstructions;
}

} // namespace vx::import
