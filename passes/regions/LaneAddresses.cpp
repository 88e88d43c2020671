// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/LaneAddresses.h"
#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <algorithm>

using namespace llvm;

namespace vx {
namespace {

constexpr unsigned kMaxDepth = 8;

/// A number as a function of the lane: PERLANE * lane + OFFSET + a multiple of 2^ZEROS that may be
/// another one for each lane and in each iteration, modulo 2^ZEROS.
struct LaneNumber {
  uint64_t perLane = 0, offset = 0;
  unsigned zeros = 64;
  bool usesIndex = false; ///< the lane is threadIdx.x, up to what all lanes have in common
  /// What that multiple is a sum of: values, and their factors.
  SmallVector<std::pair<const Value *, uint64_t>, 2> rest;

  void add(const LaneNumber &other) {
    perLane += other.perLane;
    offset += other.offset;
    zeros = std::min(zeros, other.zeros);
    usesIndex |= other.usesIndex;
    rest.append(other.rest.begin(), other.rest.end());
  }
  LaneNumber times(const APInt &factor) const {
    LaneNumber product = *this;
    uint64_t by = uint64_t(factor.sextOrTrunc(64).getSExtValue());
    product.perLane *= by;
    product.offset *= by;
    product.zeros = std::min(64u, zeros + unsigned(countr_zero(by)));
    for (auto &[value, times] : product.rest)
      times *= by;
    return product;
  }
};

LaneNumber numberOf(const Value &v, const DataLayout &layout, unsigned depth);

/// Returns the operation I of integers, which is one modulo a power of two, as a number; what it
/// depends on beyond DEPTH instructions is not looked at.
LaneNumber numberOfOperation(const Instruction &i, const DataLayout &layout, unsigned depth) {
  auto operand = [&](unsigned n) { return numberOf(*i.getOperand(n), layout, depth - 1); };
  const auto *constant = i.getNumOperands() > 1 ? dyn_cast<ConstantInt>(i.getOperand(1)) : nullptr;
  LaneNumber number;
  switch (i.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(i).isDisjoint())
      break;
    [[fallthrough]];
  case Instruction::Add:
    number = operand(0);
    number.add(operand(1));
    return number;
  case Instruction::Sub:
    number = operand(0);
    number.add(operand(1).times(APInt::getAllOnes(64)));
    return number;
  case Instruction::Mul:
    if (constant)
      return operand(0).times(constant->getValue());
    break;
  case Instruction::Shl:
    if (constant && constant->getValue().ult(64))
      return operand(0).times(APInt::getOneBitSet(64, unsigned(constant->getZExtValue())));
    break;
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    number = operand(0);
    number.zeros = std::min(number.zeros, i.getOperand(0)->getType()->getScalarSizeInBits());
    return number;
  default:
    break;
  }
  number.zeros = computeKnownBits(&i, layout).countMinTrailingZeros();
  number.rest = {{&i, 1}};
  return number;
}

LaneNumber numberOf(const Value &v, const DataLayout &layout, unsigned depth) {
  LaneNumber number;
  if (const auto *constant = dyn_cast<ConstantInt>(&v)) {
    number.offset = uint64_t(constant->getValue().sextOrTrunc(64).getSExtValue());
    return number;
  }
  const auto *i = dyn_cast<Instruction>(&v);
  auto fn = i ? getVxFn(i) : std::nullopt;
  if (fn == VxFn::ThreadIdxX || fn == VxFn::LaneId) {
    number.perLane = 1;
    number.usesIndex = fn == VxFn::ThreadIdxX;
  } else if (i && i->getType()->isIntegerTy() && depth > 0) {
    number = numberOfOperation(*i, layout, depth);
  } else {
    number.zeros = computeKnownBits(&v, layout).countMinTrailingZeros();
    number.rest = {{&v, 1}};
  }
  number.zeros = std::min(number.zeros, v.getType()->getScalarSizeInBits());
  return number;
}

/// An address as a number after an object that all lanes have in common.
struct LaneAddress {
  const Value *base;
  LaneNumber number;
};

LaneAddress addressOf(const Value &pointer, const DataLayout &layout) {
  LaneAddress address{pointer.stripPointerCasts(), {}};
  while (const auto *gep = dyn_cast<GEPOperator>(address.base)) {
    unsigned width = layout.getIndexTypeSizeInBits(gep->getType());
    SmallMapVector<Value *, APInt, 4> indices;
    APInt constant(width, 0);
    if (!gep->collectOffset(layout, width, indices, constant))
      break;
    address.number.offset += uint64_t(constant.getSExtValue());
    for (auto &[index, scale] : indices)
      address.number.add(numberOf(*index, layout, kMaxDepth).times(scale));
    address.number.zeros = std::min(address.number.zeros, width);
    address.base = gep->getPointerOperand()->stripPointerCasts();
  }
  return address;
}

const Value *skipCasts(const Value *v) {
  while (isa<ZExtInst, SExtInst, TruncInst>(v))
    v = cast<CastInst>(v)->getOperand(0);
  return v;
}

/// Returns true if V is ROW, or counts down from it.
bool countsDownFrom(const Value *v, const Value *row) {
  v = skipCasts(v);
  row = skipCasts(row);
  const auto *phi = dyn_cast<PHINode>(v);
  return v == row ||
         (phi && all_of(phi->incoming_values(), [&](const Use &in) {
            const auto *next = dyn_cast<BinaryOperator>(in);
            const auto *step = next ? dyn_cast<ConstantInt>(next->getOperand(1)) : nullptr;
            return skipCasts(in) == row || (step && next->getOpcode() == Instruction::Add &&
                                            step->isNegative() && next->getOperand(0) == phi);
          }));
}

/// Returns true if LOOK is in an earlier row than WRITE, whose row is one for the block.
bool isInEarlierRow(const LaneNumber &look, const LaneNumber &write,
                    function_ref<bool(const Value &)> isUniform) {
  if (look.rest.size() != 1 || write.rest.size() != 1)
    return false;
  auto [from, bytes] = look.rest.front();
  auto [row, bytesOfRow] = write.rest.front();
  return bytes == bytesOfRow && int64_t(bytes) > 0 && int64_t(write.offset - look.offset) > 0 &&
         isUniform(*row) && countsDownFrom(from, row);
}

} // namespace

std::optional<LaneAccess> laneAccessOf(const Instruction &i) {
  auto accessed = MemoryLocation::getOrNone(&i);
  if (!accessed)
    return std::nullopt;
  LaneAccess access{accessed->Ptr};
  if (accessed->Size.hasValue() && !accessed->Size.isScalable())
    access.bytes = accessed->Size.getValue();
  return access;
}

Separation separationOfLanes(const LaneAccess &look, const LaneAccess &write,
                             function_ref<bool(const Value &)> isUniform,
                             const DataLayout &layout) {
  LaneAddress x = addressOf(*look.pointer, layout), y = addressOf(*write.pointer, layout);
  if (x.base != y.base || !isInEarlierRow(x.number, y.number, isUniform) ||
      !isa<Argument, GlobalVariable>(x.base) || x.number.perLane != y.number.perLane)
    return Separation::None;
  unsigned zeros = std::min(x.number.zeros, y.number.zeros);
  uint64_t mask = zeros >= 64 ? ~uint64_t(0) : (uint64_t(1) << zeros) - 1;
  for (uint64_t lanes = 1; lanes < abi::kWarpSize; ++lanes)
    for (uint64_t apart : {lanes, -lanes}) {
      uint64_t distance = (x.number.perLane * apart + x.number.offset - y.number.offset) & mask;
      if (distance < write.bytes || ((-distance) & mask) < look.bytes)
        return Separation::None;
    }
  return x.number.usesIndex || y.number.usesIndex ? Separation::FlatBlocks : Separation::AllBlocks;
}

} // namespace vx
