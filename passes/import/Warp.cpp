// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/import/Warp.h"
#include "lib/VortexIR/WarpSemantics.h"

using namespace llvm;

namespace vx::import {

WithPredicate emitShuffle(IRBuilderBase &b, VxFn fn, Value *mask, Value *value, Value *lane,
                          Value *segment) {
  if (!mask)
    mask = emitCall(b, VxFn::ActiveMask);
  Value *bits = b.CreateBitCast(value, b.getInt32Ty());
  Value *moved = emitCall(b, fn, {mask, bits, lane, segment});
  Value *inside = emitShuffleSource(b, fn, emitCall(b, VxFn::LaneId), lane, segment).inside;
  return {b.CreateBitCast(moved, value->getType()), inside ? inside : b.getTrue()};
}

Value *emitVote(IRBuilderBase &b, VxFn fn, Value *mask, Value *p) {
  if (!mask)
    mask = emitCall(b, VxFn::ActiveMask);
  Value *result = emitCall(b, fn, {mask, b.CreateZExt(p, b.getInt32Ty())});
  return fn == VxFn::VoteBallot ? result : b.CreateIsNotNull(result);
}

WithPredicate emitMatch(IRBuilderBase &b, bool all, Value *mask, Value *value) {
  bool wide = value->getType()->isIntegerTy(64);
  VxFn fn = all ? (wide ? VxFn::MatchAll64 : VxFn::MatchAll32)
                : (wide ? VxFn::MatchAny64 : VxFn::MatchAny32);
  Value *lanes = emitCall(b, fn, {mask, value});
  return {lanes, b.CreateIsNotNull(lanes)};
}

WithPredicate emitElect(IRBuilderBase &b, Value *mask) {
  Value *here = emitCall(b, VxFn::VoteBallot, {mask, b.getInt32(1)});
  Value *leader = b.CreateBinaryIntrinsic(Intrinsic::cttz, here, b.getTrue());
  return {leader, b.CreateICmpEQ(leader, emitCall(b, VxFn::LaneId))};
}

} // namespace vx::import
