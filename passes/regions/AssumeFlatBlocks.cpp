// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-assume-flat-blocks: kernels of logical warps that are for blocks of one dimension only (flag
// flat, vx-clone-mappings) compute with that (FlatBlocks.h).

#include "lib/PRTransform/ThreadRanks.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/regions/FlatBlocks.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

void assumeFlatBlocks(Function &f) {
  SmallVector<WeakVH, 8> calls; // a tracking handle would follow the replacement
  for (Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i); fn == VxFn::ThreadIdxY || fn == VxFn::ThreadIdxZ)
      calls.push_back(&i);
  for (WeakVH &call : calls) {
    auto *i = cast<Instruction>(call);
    replaceAndRecursivelySimplify(i, ConstantInt::get(i->getType(), 0));
    if (call)
      cast<Instruction>(call)->eraseFromParent();
  }
}

void useGroupNumbers(Function &f, unsigned shift) {
  SmallVector<std::pair<Instruction *, Instruction *>, 16> users;
  for (Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i); fn == VxFn::ThreadIdxX || (fn == VxFn::LaneId && shift < kWarpShift))
      for (User *user : i.users())
        users.push_back({cast<Instruction>(user), &i});
  for (auto [user, x] : users)
    if (Value *v = computeFromGroup(*user, x, shift))
      user->replaceAllUsesWith(v);
}

PreservedAnalyses AssumeFlatBlocksPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !f.hasFnAttribute(kLogicalWarpAttr) ||
      !hasKernelFlag(f, abi::kKernelFlat))
    return PreservedAnalyses::all();
  assumeFlatBlocks(f);
  useGroupNumbers(f, kWarpShift);
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
