// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-inline-volatile-accesses: inlines the device functions with volatile accesses to shared memory
// into the kernels, so that vx-insert-implicit-syncwarp sees what callers and callees access
// together. With atomic loads the same is done for loops that wait (vx-yield-in-waits): without
// optimization, cuda::latch looks and waits in functions of their own. Recursive functions stay
// as they are.

#include "lib/VortexIR/SharedPointers.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

static bool isAtomicLoad(const Instruction &i) {
  const auto *load = dyn_cast<LoadInst>(&i);
  return load && load->isAtomic();
}

static bool hasAtomicLoads(const Module &m) {
  return any_of(m, [](const Function &f) { return any_of(instructions(f), isAtomicLoad); });
}

PreservedAnalyses InlineVolatileAccessesPass::run(Module &m, ModuleAnalysisManager &) {
  if (!hasVolatileAccesses(m) && !hasAtomicLoads(m))
    return PreservedAnalyses::all();
  SharedPointers pointers(m);
  TransitiveCallers accessors(m, [&](const Instruction &i) {
    const Value *address = getLoadStorePointerOperand(&i);
    return address && (isVolatileInSource(i) || isAtomicLoad(i)) && pointers.mayBeShared(address);
  });
  bool changed = false;
  for (Function &f : m) {
    bool calls =
        any_of(instructions(f), [&](const Instruction &i) { return accessors.isCalledBy(i); });
    if (!isKernel(f) || !calls || accessors.findRecursion(f))
      continue;
    accessors.inlineInto(f);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
