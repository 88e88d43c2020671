// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-guard-spin-loops: keeps critical sections inside spin-lock loops.
//
//     while (!done)                          if (atomicCAS(lock, 0, 1) == 0) goto critical;
//       if (atomicCAS(lock, 0, 1) == 0) {    goto again;          (what jump threading makes of it)
//         critical(); unlock(); done = true; critical: critical(); unlock();
//       }
//
// On the left, the lane that gets the lock releases it before the loop comes round. On the right it
// waits after the loop until the other lanes of its warp leave, which they never do: lanes that
// have left a loop are inactive until the last one has. The optimizer, which sees one thread, may
// turn one into the other. So the conditions on which a loop with a compare-and-swap or an exchange
// is left are made opaque before it runs: no pass can prove that `done` ends the loop at once.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

bool isSpinLockLoop(const Loop &loop) {
  for (const BasicBlock *bb : loop.blocks())
    for (const Instruction &i : *bb) {
      const auto *rmw = dyn_cast<AtomicRMWInst>(&i);
      if (isa<AtomicCmpXchgInst>(i) || (rmw && rmw->getOperation() == AtomicRMWInst::Xchg))
        return true;
    }
  return false;
}

} // namespace

PreservedAnalyses GuardSpinLoopsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration())
    return PreservedAnalyses::all();
  bool changed = false;
  for (const Loop *loop : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder()) {
    if (!isSpinLockLoop(*loop))
      continue;
    SmallVector<BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (BasicBlock *bb : exiting)
      if (auto *br = dyn_cast<BranchInst>(bb->getTerminator())) {
        hideCondition(*br);
        changed = true;
      }
  }
  return changed ? PreservedAnalyses::allInSet<CFGAnalyses>() : PreservedAnalyses::all();
}

} // namespace vx
