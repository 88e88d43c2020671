// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-byval: a structure passed by value between device functions becomes an explicit copy in
// the caller. Code generation would make the copy itself, with a call of memcpy for a large one;
// here it is an intrinsic that vx-expand-memory turns into a loop. Kernels have no callers.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

bool copyArguments(CallBase &call) {
  bool changed = false;
  Function &caller = *call.getFunction();
  const DataLayout &dl = caller.getDataLayout();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Type *type = call.getParamByValType(i);
    if (!type)
      continue;
    Align align = call.getParamAlign(i).value_or(dl.getABITypeAlign(type));
    IRBuilder<> atEntry(&*caller.getEntryBlock().getFirstInsertionPt());
    AllocaInst *copy = atEntry.CreateAlloca(type, nullptr, "byval");
    copy->setAlignment(align);
    IRBuilder<> b(&call);
    b.CreateMemCpy(copy, align, call.getArgOperand(i), align,
                   dl.getTypeAllocSize(type).getFixedValue());
    call.setArgOperand(i, copy);
    call.removeParamAttr(i, Attribute::ByVal);
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses LowerByValPass::run(Module &m, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &f : m) {
    for (Argument &arg : f.args())
      if (arg.hasByValAttr() && !isKernel(f)) {
        f.removeParamAttr(arg.getArgNo(), Attribute::ByVal);
        changed = true;
      }
    SmallVector<CallBase *, 8> calls;
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&i))
        calls.push_back(call);
    for (CallBase *call : calls)
      changed |= copyArguments(*call);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
