// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-own-atomics: on the host, one thread runs a block. Atomic operations on the block's
// shared memory, which vx-lower-host has given the scope of a single thread, are a load, an
// operation and a store. It comes after vx-widen-threads, which would otherwise take the accesses
// of several lanes for independent ones.

#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace vx {

PreservedAnalyses LowerOwnAtomicsPass::run(Function &f, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &i : make_early_inc_range(instructions(f))) {
    if (auto *rmw = dyn_cast<AtomicRMWInst>(&i);
        rmw && rmw->getSyncScopeID() == SyncScope::SingleThread)
      changed |= lowerAtomicRMWInst(rmw);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&i);
             exchange && exchange->getSyncScopeID() == SyncScope::SingleThread)
      changed |= lowerAtomicCmpXchgInst(exchange);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
