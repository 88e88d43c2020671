// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/import/Warp.h"

using namespace llvm;

namespace vx::import {
namespace {

/// PTX: segment mask in bits 12…8, clamp in bits 4…0 of SEGMENT.
Value *emitInSegment(IRBuilderBase &b, VxFn fn, Value *lane, Value *segment) {
  Value *self = emitCall(b, VxFn::LaneId);
  Value *offset = b.CreateAnd(lane, 31);
  Value *mask = b.CreateAnd(b.CreateLShr(segment, 8), 31);
  Value *inside = b.CreateNot(mask);
  Value *first = b.CreateAnd(self, mask);
  Value *last = b.CreateOr(first, b.CreateAnd(b.CreateAnd(segment, 31), inside));
  switch (fn) {
  case VxFn::ShflUp32:
    return b.CreateICmpSGE(b.CreateSub(self, offset), last);
  case VxFn::ShflDown32:
    return b.CreateICmpSLE(b.CreateAdd(self, offset), last);
  case VxFn::ShflBfly32:
    return b.CreateICmpSLE(b.CreateXor(self, offset), last);
  default:
    return b.CreateICmpSLE(b.CreateOr(first, b.CreateAnd(offset, inside)), last);
  }
}

} // namespace

WithPredicate emitShuffle(IRBuilderBase &b, VxFn fn, Value *mask, Value *value, Value *lane,
                          Value *segment) {
  if (!mask)
    mask = emitCall(b, VxFn::ActiveMask);
  Value *bits = b.CreateBitCast(value, b.getInt32Ty());
  Value *moved = emitCall(b, fn, {mask, bits, lane, segment});
  return {b.CreateBitCast(moved, value->getType()), emitInSegment(b, fn, lane, segment)};
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
