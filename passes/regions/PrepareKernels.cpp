// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-prepare-kernels: before a call of a function that asks for thread or block coordinates (or
// calls through a pointer), a kernel publishes its own in the lane's control block, where such
// functions look for them (vx-lower-functions). What the optimizer found out about the memory that
// these functions access is corrected: from now on they read the control block.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/PublishCoordinates.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Lets the function and its calls read memory, whatever they were known to read before.
void admitReading(Function &reader) {
  reader.setMemoryEffects(reader.getMemoryEffects() | MemoryEffects::readOnly());
  for (User *user : reader.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->removeFnAttr(Attribute::Memory);
}

} // namespace

PreservedAnalyses PrepareKernelsPass::run(Module &m, ModuleAnalysisManager &) {
  bool changed = false;
  SetVector<Function *> readers = findContextReaders(m);
  for_each(readers, [](Function *reader) { admitReading(*reader); });
  for (Function &f : m)
    if (isKernel(f) && !f.isDeclaration())
      changed |= publishCoordinates(f, readers, SmallPtrSet<CallBase *, 1>());
  PreservedAnalyses preserved = changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  // It has found out about the readers what is wrong now, and outlives changes of functions.
  if (!readers.empty())
    preserved.abandon<GlobalsAA>();
  return preserved;
}

} // namespace vx
