// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/PartStrides.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {

std::optional<PartStride> PartStrides::of(const Value *v) const {
  Entry entry = look(v);
  return entry.state == State::Known ? std::optional(entry.stride) : std::nullopt;
}

PartStrides::Entry PartStrides::look(const Value *v) const {
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || !isVarying(*i))
    return {State::Known, {}}; // one value for all parts
  auto it = entries.find(v);
  return it == entries.end() ? Entry{State::None, {}} : it->second;
}

/// Assumes of phis what is known of some operand, until another one disagrees: each round, an entry
/// only goes from unknown to known, from known to less known, or to none.
void PartStrides::find(ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (isVarying(i))
        entries[&i] = {};
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *bb : blocks)
      for (Instruction &i : *bb) {
        if (!isVarying(i))
          continue;
        Entry &entry = entries[&i];
        if (entry.state == State::None)
          continue;
        Entry now = evaluate(i);
        if (now.state == State::Known && entry.state == State::Known) {
          if (now.stride.step != entry.stride.step)
            now = {State::None, {}};
          now.stride.noSignedWrap &= entry.stride.noSignedWrap;
          now.stride.noUnsignedWrap &= entry.stride.noUnsignedWrap;
        }
        changed |= now.state != entry.state || !(now.stride == entry.stride);
        entry = now;
      }
  }
}

PartStrides::Entry PartStrides::evaluate(const Instruction &i) const {
  constexpr Entry none = {State::None, {}};
  if (auto fn = getVxFn(&i)) {
    if (*fn == VxFn::ThreadIdxX || *fn == VxFn::LaneId)
      return {State::Known, {int64_t(lanes), true, true}};
    bool isOne = getInfo(*fn).uniformity == VxUniformity::U &&
                 getInfo(*fn).effects == VxEffects::Pure && i.getNumOperands() == 1;
    return isOne ? Entry{State::Known, {}} : none;
  }
  if (const auto *phi = dyn_cast<PHINode>(&i)) {
    Entry all;
    for (const Value *v : phi->incoming_values()) {
      Entry one = look(v);
      if (one.state == State::None || (one.state == State::Known && all.state == State::Known &&
                                       one.stride.step != all.stride.step))
        return none;
      if (one.state == State::Unknown)
        continue;
      one.stride.noSignedWrap &= all.stride.noSignedWrap;
      one.stride.noUnsignedWrap &= all.stride.noUnsignedWrap;
      all = one;
    }
    return all;
  }
  auto isOne = [&](const Value *v) {
    Entry entry = look(v);
    return entry.state == State::Known && entry.stride.step == 0;
  };
  if (!i.mayReadOrWriteMemory() && !i.isTerminator() && !isa<CallBase>(i) && !isa<AllocaInst>(i) &&
      all_of(i.operand_values(), isOne))
    return {State::Known, {}};
  if (isa<GetElementPtrInst>(i))
    return evaluateAddress(i);
  if (!i.getType()->isIntegerTy())
    return none;
  if (!isa<CastInst>(i))
    return evaluateSum(i);
  Entry from = look(i.getOperand(0));
  if (from.state != State::Known || !i.getOperand(0)->getType()->isIntegerTy())
    return from.state == State::Unknown ? from : none;
  bool isNonNegative = isa<PossiblyNonNegInst>(i) && i.hasNonNeg();
  switch (cast<CastInst>(i).getOpcode()) {
  case Instruction::SExt:
    return from.stride.noSignedWrap ? Entry{State::Known, {from.stride.step, true, false}} : none;
  case Instruction::ZExt:
    if (from.stride.noUnsignedWrap || (isNonNegative && from.stride.noSignedWrap))
      return {State::Known, {from.stride.step, true, true}};
    return none;
  case Instruction::Trunc:
    return {State::Known, {from.stride.step, false, false}};
  default:
    return none;
  }
}

/// Returns true for blockIdx.x * blockDim.x + threadIdx.x, less than the threads of a grid.
bool PartStrides::isGridIndex(const Instruction &add) const {
  auto isCall = [](const Value *v, VxFn fn) { return getVxFn(v) == fn; };
  for (unsigned k = 0; k < 2; ++k) {
    const auto *mul = dyn_cast<BinaryOperator>(add.getOperand(k));
    if (!mul || mul->getOpcode() != Instruction::Mul ||
        !isCall(add.getOperand(1 - k), VxFn::ThreadIdxX))
      continue;
    const Value *x = mul->getOperand(0), *y = mul->getOperand(1);
    if ((isCall(x, VxFn::BlockIdxX) && isCall(y, VxFn::BlockDimX)) ||
        (isCall(y, VxFn::BlockIdxX) && isCall(x, VxFn::BlockDimX)))
      return true;
  }
  return false;
}

PartStrides::Entry PartStrides::evaluateSum(const Instruction &i) const {
  constexpr Entry none = {State::None, {}};
  if (!isa<BinaryOperator>(i))
    return none;
  Entry x = look(i.getOperand(0)), y = look(i.getOperand(1));
  if (x.state == State::None || y.state == State::None)
    return none;
  if (x.state == State::Unknown || y.state == State::Unknown)
    return {};
  const auto *flags = dyn_cast<OverflowingBinaryOperator>(&i);
  bool disjoint = isa<PossiblyDisjointInst>(i) && cast<PossiblyDisjointInst>(i).isDisjoint();
  bool gridIndex = i.getOpcode() == Instruction::Add && isGridIndex(i);
  PartStride s;
  s.noSignedWrap = x.stride.noSignedWrap && y.stride.noSignedWrap &&
                   (disjoint || gridIndex || (flags && flags->hasNoSignedWrap()));
  s.noUnsignedWrap = x.stride.noUnsignedWrap && y.stride.noUnsignedWrap &&
                     (disjoint || gridIndex || (flags && flags->hasNoUnsignedWrap()));
  if (auto it = assumed.find(&i); it != assumed.end())
    (it->second ? s.noSignedWrap : s.noUnsignedWrap) =
        it->second ? x.stride.noSignedWrap && y.stride.noSignedWrap
                   : x.stride.noUnsignedWrap && y.stride.noUnsignedWrap;
  const APInt *c;
  switch (i.getOpcode()) {
  case Instruction::Or:
    if (!disjoint)
      return none;
    [[fallthrough]];
  case Instruction::Add:
    s.step = x.stride.step + y.stride.step;
    return {State::Known, s};
  case Instruction::Sub:
    s.step = x.stride.step - y.stride.step;
    return {State::Known, s};
  case Instruction::Shl:
    if (!match(i.getOperand(1), m_APInt(c)) || c->uge(31))
      return none;
    s.step = x.stride.step * (int64_t(1) << c->getZExtValue());
    return {State::Known, s};
  case Instruction::Mul:
    if (!match(i.getOperand(1), m_APInt(c)) || c->getSignificantBits() > 31)
      return none;
    s.step = x.stride.step * c->getSExtValue();
    return {State::Known, s};
  default:
    return none;
  }
}

/// Addresses are 64 bits wide: they wrap as the sums that they are do.
PartStrides::Entry PartStrides::evaluateAddress(const Instruction &i) const {
  const auto &gep = cast<GEPOperator>(i);
  Entry base = look(gep.getPointerOperand());
  if (base.state != State::Known || !gep.getType()->isPointerTy())
    return base;
  PartStride s{base.stride.step, false, false};
  const DataLayout &dl = i.getDataLayout();
  for (gep_type_iterator at = gep_type_begin(gep), end = gep_type_end(gep); at != end; ++at) {
    if (at.isStruct())
      continue;
    Entry index = look(at.getOperand());
    if (index.state != State::Known)
      return index;
    if (index.stride.step == 0)
      continue;
    TypeSize size = at.getSequentialElementStride(dl);
    bool isWide = at.getOperand()->getType()->getIntegerBitWidth() >= 64;
    if (size.isScalable() || (!isWide && !index.stride.noSignedWrap))
      return {State::None, {}};
    s.step += index.stride.step * int64_t(size.getFixedValue());
  }
  return {State::Known, s};
}

Value *PartStrides::emit(IRBuilderBase &b, Value *value, PartStride stride, unsigned parts) {
  int64_t distance = stride.step * int64_t(parts);
  if (distance == 0)
    return value;
  if (value->getType()->isPointerTy())
    return b.CreatePtrAdd(value, b.getInt64(uint64_t(distance)));
  // A negative distance is not an unsigned sum.
  return b.CreateAdd(value, ConstantInt::getSigned(value->getType(), distance), "",
                     stride.noUnsignedWrap && distance > 0, stride.noSignedWrap);
}

} // namespace vx
