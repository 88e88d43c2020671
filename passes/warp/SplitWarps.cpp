// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-split-warps: in entries of mapping split-warps, whose CUDA warps are logical warps of several
// hardware warps, a warp function that exchanges values between few lanes is one of the hardware
// warp where that has so many. How many lanes there are is known when the kernel runs:
//
//     r = shuffle(m, v, 4, 31)       ->       if (lanes of a hardware warp >= 8)
//                                               r = shuffle(m, v, 4, 31)  "vx-inside-warp"
//                                             else
//                                               r = shuffle(m, v, 4, 31)
//
// Four lanes there are always (kMinLogicalWarpLanes). Calls inside a hardware warp are for
// vx-lower-warp, their member masks and ballots those of its lanes; the others stay for
// vx-lower-logical-warps. The branch is uniform on the whole device. Runs before the structurizer,
// after all that would merge the two calls again.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

class WarpSplitter {
public:
  explicit WarpSplitter(Function &f) : b(f.getContext()) {
    BasicBlock &entry = f.getEntryBlock();
    b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    lanes = b.CreateTrunc(emitCsrRead(b, VX_CSR_NUM_THREADS), b.getInt32Ty(), "warp.lanes");
  }

  /// Splits CALL, which exchanges values between up to THREADS lanes.
  void split(CallInst &call, unsigned threads) {
    if (threads <= abi::kMinLogicalWarpLanes)
      return moveInside(call);
    b.SetInsertPoint(&call);
    Instruction *insideEnd, *acrossEnd;
    SplitBlockAndInsertIfThenElse(b.CreateICmpUGE(lanes, b.getInt32(threads), "is.inside"), &call,
                                  &insideEnd, &acrossEnd);
    auto *inside = cast<CallInst>(call.clone());
    inside->insertBefore(insideEnd->getIterator());
    if (!call.getType()->isVoidTy()) {
      b.SetInsertPoint(&call);
      PHINode *result = b.CreatePHI(call.getType(), 2);
      call.replaceAllUsesWith(result);
      result->addIncoming(inside, insideEnd->getParent());
      result->addIncoming(&call, acrossEnd->getParent());
    }
    call.moveBefore(acrossEnd->getIterator());
    moveInside(*inside);
  }

private:
  /// Makes CALL one of the hardware warp.
  void moveInside(CallInst &call) {
    call.addFnAttr(Attribute::get(call.getContext(), kInsideWarpAttr));
    VxFn fn = *getVxFn(&call);
    if (!isVote(fn))
      return;
    b.SetInsertPoint(&call);
    Value *members = call.getArgOperand(0);
    Value *firstLane = b.CreateAnd(matchSegment(members)->first, b.CreateNeg(lanes), "warp.first");
    call.setArgOperand(0, b.CreateLShr(members, firstLane));
    if (fn != VxFn::VoteBallot)
      return;
    replaceResult(call, [&](IRBuilderBase &behind) { return behind.CreateShl(&call, firstLane); });
  }

  IRBuilder<> b;
  Value *lanes; ///< i32: of a hardware warp
};

} // namespace

PreservedAnalyses SplitWarpsPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !f.hasFnAttribute(kSplitWarpsAttr) || isKernel(f))
    return PreservedAnalyses::all();
  SmallVector<std::pair<CallInst *, unsigned>, 16> work;
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallInst>(&i))
      if (unsigned threads = groupThreadsOf(*call); threads > 0 && threads < kWarpSize)
        work.push_back({call, threads});
  if (work.empty())
    return PreservedAnalyses::all();
  WarpSplitter splitter(f);
  for (auto [call, threads] : work)
    splitter.split(*call, threads);
  return PreservedAnalyses::none();
}

} // namespace vx
