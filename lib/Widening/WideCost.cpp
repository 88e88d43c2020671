// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Widening/WideCost.h"
#include "lib/VortexIR/IRNames.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>

using namespace llvm;

namespace vx {
namespace {

class Estimate {
public:
  Estimate(const LaneValues &lanes, const DataLayout &dl, unsigned width, unsigned vectorBits)
      : lanes(lanes), dl(dl), width(width), vectorBits(vectorBits) {}

  /// The cost of I for a thread.
  static double ofThread(const Instruction &i) {
    if (isa<PHINode, GetElementPtrInst, FreezeInst>(i))
      return 0.3;
    if (isa<AtomicRMWInst>(i))
      return 10;
    if (isSlow(i))
      return 8;
    if (const auto *copy = dyn_cast<MemCpyInst>(&i))
      return double(bytesOf(*copy)) / 8;
    return isa<CallBase>(i) && !isa<IntrinsicInst>(i) ? 20 : 1;
  }

  double ofGroup(const Instruction &i) const {
    if (const auto *load = dyn_cast<LoadInst>(&i))
      return lanes.differs(&i) ? access(load->getPointerOperand(), load->getType(), 3.3) : 1;
    if (const auto *store = dyn_cast<StoreInst>(&i))
      return access(store->getPointerOperand(), store->getValueOperand()->getType(), 4);
    if (const auto *copy = dyn_cast<MemCpyInst>(&i)) {
      uint64_t bytes = bytesOf(*copy);
      bool isRow = lanes.strideOf(copy->getDest()) == int64_t(bytes) &&
                   lanes.strideOf(copy->getSource()) == int64_t(bytes);
      return isRow ? 16.0 * bytes * width / vectorBits : (ofThread(i) + 3) * width;
    }
    if (isa<AtomicRMWInst>(i))
      return 12.0 * width;
    if (isa<BranchInst>(i))
      return 2; // masks
    if (!lanes.differs(&i) || lanes.strideOf(&i))
      return ofThread(i);
    if (isa<PHINode>(i))
      return vectors(i.getType());
    const auto *call = dyn_cast<CallBase>(&i);
    if (call && !isa<IntrinsicInst>(call))
      return (ofThread(i) + 4) * width;
    bool isInteger = i.getType()->isIntOrIntVectorTy();
    if (isSlow(i)) // there is no division of vectors of integers
      return isInteger ? (ofThread(i) + 2) * width : 8 * vectors(i.getType());
    if (i.getType()->isHalfTy() || i.getType()->isBFloatTy())
      return 4 * vectors(i.getType());
    return vectors(isa<CmpInst>(i) || isa<CastInst>(i) ? i.getOperand(0)->getType() : i.getType());
  }

private:
  static bool isSlow(const Instruction &i) {
    if (i.isIntDivRem() || i.getOpcode() == Instruction::FDiv)
      return true;
    const auto *call = dyn_cast<IntrinsicInst>(&i);
    return call && call->getIntrinsicID() == Intrinsic::sqrt;
  }

  static uint64_t bytesOf(const MemCpyInst &copy) {
    return cast<ConstantInt>(copy.getLength())->getZExtValue();
  }

  /// Returns how many vectors of the machine a value of TYPE for each lane takes.
  double vectors(const Type *type) const {
    unsigned bits = type->isPointerTy() ? 64 : std::max(8u, type->getScalarSizeInBits());
    return std::max(1.0, double(bits) * width / vectorBits);
  }

  double access(const Value *address, const Type *type, double oneByOne) const {
    auto stride = lanes.strideOf(address);
    const auto *local = dyn_cast<AllocaInst>(getUnderlyingObject(address));
    if (!stride && local && local->hasMetadata(kLaneArrays)) // a move between lanes, as a rule
      return 2 * vectors(type);
    if (!stride)
      return oneByOne * width;
    auto size = int64_t(dl.getTypeStoreSize(const_cast<Type *>(type)).getFixedValue());
    if (*stride == 0)
      return 2;
    double step = double(std::abs(*stride)) / double(size);
    if (step == 1)
      return vectors(type);
    return step == std::floor(step) && step <= 4 ? 3 * step * vectors(type) : oneByOne * width;
  }

  const LaneValues &lanes;
  const DataLayout &dl;
  const unsigned width, vectorBits;
};

} // namespace

WideCost estimateCost(const ThreadLoop &t, const LaneValues &lanes, const LoopInfo &li,
                      unsigned width, unsigned vectorBits) {
  constexpr double kTurns = 8;  // of an inner loop
  constexpr double kIdle = 1.3; // of one that lanes leave one by one
  Estimate estimate(lanes, t.header->getDataLayout(), width, vectorBits);
  WideCost cost{0, 0};
  unsigned base = t.loop->getLoopDepth();
  for (const BasicBlock *bb : lanes.blocks()) {
    const Loop *level = li.getLoopFor(bb);
    double weight = std::pow(kTurns, std::min(3u, level->getLoopDepth() - base));
    double idle = level != t.loop && !lanes.leavesTogether(*level) ? kIdle : 1;
    for (const Instruction &i : *bb) {
      if (const auto *call = dyn_cast<IntrinsicInst>(&i); call && call->isAssumeLikeIntrinsic())
        continue;
      cost.single += weight * width * Estimate::ofThread(i);
      cost.group += weight * idle * estimate.ofGroup(i);
    }
  }
  return cost;
}

} // namespace vx
