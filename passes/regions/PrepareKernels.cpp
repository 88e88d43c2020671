// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-prepare-kernels: what a kernel needs before it is mapped.
//
// - A by-value struct parameter that the kernel writes or whose address escapes is copied to
//   the thread's own memory; one that is only read stays in the argument block and is uniform.
// - Before a call of a function that asks for thread or block coordinates (or calls through a
//   pointer), the kernel publishes its own in the lane's control block, where such functions look
//   for them (vx-lower-functions). What the optimizer found out about the memory that these
//   functions access is corrected: from now on they read the control block.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/PublishCoordinates.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns true if everything done with pointer P is reading through it.
bool isOnlyRead(const Value *p) {
  for (const User *user : p->users()) {
    if (isa<LoadInst>(user))
      continue;
    if (const auto *copy = dyn_cast<MemTransferInst>(user);
        copy && copy->getRawSource() == p && copy->getRawDest() != p)
      continue;
    if ((isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user)) && isOnlyRead(user))
      continue;
    return false;
  }
  return true;
}

bool copyByValParams(Function &kernel) {
  bool changed = false;
  const DataLayout &dl = kernel.getDataLayout();
  IRBuilder<> b(&*kernel.getEntryBlock().getFirstInsertionPt());
  for (Argument &arg : kernel.args()) {
    if (!arg.hasByValAttr())
      continue;
    bool onlyRead = isOnlyRead(&arg);
    if (!arg.hasAttribute(Attribute::ReadOnly)) {
      // Tells the analyses that it is one value for all lanes.
      arg.removeAttr(Attribute::WriteOnly);
      arg.removeAttr(Attribute::ReadNone);
      arg.addAttr(Attribute::ReadOnly);
      changed = true;
    }
    if (onlyRead)
      continue;
    Type *type = arg.getParamByValType();
    Align align = arg.getParamAlign().value_or(dl.getABITypeAlign(type));
    AllocaInst *copy = b.CreateAlloca(type, nullptr, arg.getName() + ".copy");
    copy->setAlignment(align);
    arg.replaceAllUsesWith(copy);
    b.CreateMemCpy(copy, align, &arg, align, dl.getTypeAllocSize(type).getFixedValue());
    changed = true;
  }
  return changed;
}

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
  for (Function &f : m) {
    if (!isKernel(f) || f.isDeclaration())
      continue;
    changed |= copyByValParams(f);
    changed |= publishCoordinates(f, readers, SmallPtrSet<CallBase *, 1>());
  }
  PreservedAnalyses preserved = changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  // It has found out about the readers what is wrong now, and outlives changes of functions.
  if (!readers.empty())
    preserved.abandon<GlobalsAA>();
  return preserved;
}

} // namespace vx
