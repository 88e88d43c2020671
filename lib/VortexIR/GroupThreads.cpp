// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns the segment operand of a shuffle, if it is known; else 0, which no shuffle of CUDA has
/// but up in the whole warp.
uint64_t knownSegment(const CallBase &shuffle) {
  const auto *c = dyn_cast<ConstantInt>(shuffle.getArgOperand(3));
  return c ? c->getZExtValue() : 0;
}

/// Returns the number of lanes of a segment, from its operand (32 - width in bits 8…12).
unsigned segmentWidth(uint64_t segment) {
  uint64_t width = kWarpSize - (segment >> 8 & (kWarpSize - 1));
  return isPowerOf2_64(width) ? width : kWarpSize;
}

/// Only the upper end of its segment stops a butterfly: it may read from lower ones, but never
/// farther than the bits of its offset reach. If its segment is not one of CUDA's (32 - width in
/// bits 8…12, a clamp that stops no lane of it), it counts by lanes of the whole warp.
unsigned butterflyThreads(const CallBase &call) {
  uint64_t segment = knownSegment(call), outside = segment >> 8 & (kWarpSize - 1);
  if (!isPowerOf2_64(kWarpSize - outside) ||
      ((outside | segment) & (kWarpSize - 1)) != kWarpSize - 1)
    return kWarpSize;
  KnownBits bits = computeKnownBits(call.getArgOperand(2), call.getDataLayout());
  return NextPowerOf2(bits.getMaxValue().getZExtValue() & (kWarpSize - 1));
}

} // namespace

std::optional<Segment> matchSegment(Value *mask) {
  using namespace PatternMatch;
  Type *i32 = Type::getInt32Ty(mask->getContext());
  const APInt *bits;
  Value *first = nullptr;
  unsigned width = 0, zeros = 0;
  if (match(mask, m_APInt(bits)) && bits->isShiftedMask()) {
    width = bits->popcount();
    unsigned lane = bits->countr_zero();
    first = ConstantInt::get(i32, lane);
    zeros = countr_zero(lane);
  } else if (match(mask, m_Shl(m_APInt(bits), m_Value(first))) && bits->isMask()) {
    width = bits->popcount();
    const DataLayout &dl = cast<Instruction>(mask)->getDataLayout();
    zeros = computeKnownBits(first, dl).countMinTrailingZeros();
  }
  if (!isPowerOf2_32(width) || zeros < Log2_32(width))
    return std::nullopt;
  return Segment{width, first};
}

unsigned groupThreadsOf(const CallBase &call) {
  auto fn = getVxFn(&call);
  if (!fn || !isWarpFunction(*fn))
    return 0;
  switch (*fn) {
  case VxFn::ShflUp32:
  case VxFn::ShflUp64:
  case VxFn::ShflDown32:
  case VxFn::ShflDown64:
  case VxFn::ShflIdx32:
  case VxFn::ShflIdx64:
    return segmentWidth(knownSegment(call));
  case VxFn::ShflBfly32:
  case VxFn::ShflBfly64:
    return butterflyThreads(call);
  case VxFn::WarpSync:
  case VxFn::VoteAll:
  case VxFn::VoteAny:
  case VxFn::VoteUni:
  case VxFn::VoteBallot: {
    std::optional<Segment> segment = matchSegment(call.getArgOperand(0));
    return segment ? segment->width : kWarpSize;
  }
  default:
    return kWarpSize;
  }
}

unsigned findGroupThreads(const Function &kernel) {
  unsigned threads = 0;
  for (const Function *f : reachableFrom({&kernel}))
    for (const Instruction &i : instructions(*f))
      if (const auto *call = dyn_cast<CallBase>(&i))
        threads = std::max(threads, groupThreadsOf(*call));
  // A segment of one lane is the lane itself; the machine regroups by four threads at least.
  return threads <= 1 ? 0 : std::max(threads, 4u);
}

bool lanesMeetBetweenThreads(const Function &kernel) {
  return hasPaths(*kernel.getParent()) && findGroupThreads(kernel) != 0;
}

} // namespace vx
