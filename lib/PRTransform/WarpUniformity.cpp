// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/WarpUniformity.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace vx {

static bool isOfWarpInRow(std::optional<VxFn> fn) {
  return fn && *fn >= VxFn::WarpColumn && *fn <= VxFn::WarpSlice;
}

/// Gives the usual answers for a warp instead of the block.
class WarpUniformity::Tti final : public TargetTransformInfoImplCRTPBase<Tti> {
public:
  Tti(const DataLayout &dl, const TargetTransformInfo &block,
      const SmallPtrSetImpl<const Value *> &uniform)
      : TargetTransformInfoImplCRTPBase(dl), block(block), uniform(uniform) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value *v) const override {
    auto fn = getVxFn(v);
    if (fn == VxFn::WarpId || isOfWarpInRow(fn) || uniform.contains(v))
      return InstructionUniformity::AlwaysUniform;
    return block.getInstructionUniformity(v);
  }

private:
  const TargetTransformInfo &block;
  const SmallPtrSetImpl<const Value *> &uniform;
};

WarpUniformity::WarpUniformity(Function &f, const WarpOps &ops, FunctionAnalysisManager &fam) {
  tti.emplace(
      std::make_unique<Tti>(f.getDataLayout(), fam.getResult<TargetIRAnalysis>(f), uniformResults));
  const auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  const auto &cycles = fam.getResult<CycleAnalysis>(f);
  // A result that is uniform may make masks uniform, and those more results.
  do {
    ui.emplace(dt, cycles, &*tti);
    ui->compute();
  } while (findUniformResults(f, ops));
}

bool WarpUniformity::findUniformResults(Function &f, const WarpOps &ops) {
  bool found = false;
  for (Instruction &i : instructions(f)) {
    const WarpCall *op = ops.of(&i);
    if (!op || op->collect != cast<CallInst>(i).getCalledFunction())
      continue;
    const auto &call = cast<CallInst>(i);
    if (getInfo(op->fn).uniformity != VxUniformity::W && !isBroadcast(call, *op))
      continue;
    if (!op->hasMask() || isUniform(call.getArgOperand(0)))
      found |= uniformResults.insert(&i).second;
  }
  return found;
}

bool WarpUniformity::isUniform(const Value *v) const {
  return isa<Constant>(v) || !ui->isDivergent(v);
}

/// Returns true for a shuffle in which all threads read the same lane of the whole warp. CALL
/// collects its result: mask, lane, segment.
bool WarpUniformity::isBroadcast(const CallInst &call, const WarpCall &op) const {
  if (op.fn != VxFn::ShflIdx32 && op.fn != VxFn::ShflIdx64)
    return false;
  const auto *segment = dyn_cast<ConstantInt>(call.getArgOperand(2));
  return segment && segment->equalsInt(kWholeWarpSegment) && isUniform(call.getArgOperand(1));
}

} // namespace vx
