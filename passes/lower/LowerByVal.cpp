// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-byval: a structure passed by value between device functions becomes an explicit copy in
// the caller. Code generation would make the copy itself, with a call of memcpy for a large one;
// here it is an intrinsic that vx-expand-memory turns into a loop. Kernels have no callers.
//
// The memory of a by-value parameter is the function's own: a function that only reads it accesses
// no memory in the eyes of the optimizer, and its call can be a tail call. As the caller's copy it
// is memory that the call accesses, and a tail call cannot see its caller's frame.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

constexpr ModRefInfo kAccess = ModRefInfo::ModRef;

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
  if (!changed)
    return false;
  if (auto *plain = dyn_cast<CallInst>(&call))
    plain->setTailCallKind(CallInst::TCK_None);
  if (call.hasFnAttr(Attribute::Memory))
    call.setMemoryEffects(call.getAttributes().getMemoryEffects() |
                          MemoryEffects::argMemOnly(kAccess));
  return true;
}

} // namespace

PreservedAnalyses LowerByValPass::run(Module &m, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &f : m) {
    for (Argument &arg : f.args())
      if (arg.hasByValAttr() && !isKernel(f)) {
        f.removeParamAttr(arg.getArgNo(), Attribute::ByVal);
        f.setMemoryEffects(f.getMemoryEffects() | MemoryEffects::argMemOnly(kAccess));
        changed = true;
      }
    SmallVector<CallBase *, 8> calls;
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&i))
        calls.push_back(call);
    for (CallBase *call : calls)
      changed |= copyArguments(*call);
  }
  PreservedAnalyses preserved = changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  // It remembers what functions accessed, and outlives changes of them.
  if (changed)
    preserved.abandon<GlobalsAA>();
  return preserved;
}

} // namespace vx
