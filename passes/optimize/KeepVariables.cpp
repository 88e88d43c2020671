// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-keep-variables: in code with full debug information that is not optimized (-G), a debugger
// finds each local variable and parameter in memory, wherever the program is, and the program
// continues with what the debugger has assigned to it: each access to a variable becomes volatile.
//
//   before:  %x = alloca i32            after:  %x = alloca i32
//              #dbg_declare(%x, !x)               #dbg_declare(%x, !x)
//            store i32 %v, %x                   store volatile i32 %v, %x, !vx.plain
//            %r = load i32, %x                  %r = load volatile i32, %x, !vx.plain
//
// So no pass takes the value of a variable for constant or for uniform: a debugger may give one
// thread another one. Parameters that are passed in memory are copied into variables where the
// function starts. What the CUDA headers do has no debug information, and is optimized.
// Where a thread's variables move from one parallel region to the next, a debugger is told of
// their new places (RegionValues, LoopBuilder). The module flag vx.kept says that this pass has
// run.

#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "passes/Passes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Makes I move an integer if it moves a pointer: that stays one variable where pointers in memory
/// become two halves (RV32).
Instruction *moveInteger(Instruction &i) {
  Type *type = getLoadStoreType(&i);
  const DataLayout &dl = i.getDataLayout();
  if (!type->isPointerTy() || dl.getTypeSizeInBits(type) != 64)
    return &i;
  IRBuilder<> b(&i);
  if (auto *store = dyn_cast<StoreInst>(&i)) {
    store->setOperand(0, b.CreatePtrToInt(store->getValueOperand(), b.getInt64Ty()));
    return store;
  }
  auto &load = cast<LoadInst>(i);
  LoadInst *integer =
      b.CreateAlignedLoad(b.getInt64Ty(), load.getPointerOperand(), load.getAlign());
  load.replaceAllUsesWith(b.CreateIntToPtr(integer, type, load.getName()));
  load.eraseFromParent();
  return integer;
}

/// Makes volatile what accesses LOCAL by its name or a part of it, not by pointers that lie
/// elsewhere.
void keepAccesses(AllocaInst &local) {
  SmallVector<Value *, 8> work{&local};
  while (!work.empty()) {
    Value *pointer = work.pop_back_val();
    for (User *of : SmallVector<User *, 8>(pointer->users())) {
      auto *user = cast<Instruction>(of);
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
        work.push_back(user);
      else if (getLoadStorePointerOperand(user) == pointer && !user->isVolatile() &&
               !user->isAtomic())
        markPlain(*moveInteger(*user));
      else if (auto *transfer = dyn_cast<MemIntrinsic>(user))
        transfer->setVolatile(ConstantInt::getTrue(transfer->getContext()));
    }
  }
}

/// Puts a variable with the value of PARAMETER in its place.
void copyParameter(Argument &parameter) {
  Function &f = *parameter.getParent();
  BasicBlock &entry = f.getEntryBlock();
  IRBuilder<> b(&entry, entry.begin());
  AllocaInst *copy = b.CreateAlloca(parameter.getParamByValType());
  copy->setName(parameter.getName() + ".kept");
  Align align = parameter.getParamAlign().valueOrOne();
  copy->setAlignment(std::max(copy->getAlign(), align));
  for (DbgVariableRecord *record : findDVRDeclares(&parameter))
    record->replaceVariableLocationOp(&parameter, copy);
  parameter.replaceAllUsesWith(copy);
  b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  b.CreateMemCpy(copy, copy->getAlign(), &parameter, align,
                 *copy->getAllocationSize(f.getDataLayout()), /*isVolatile=*/true);
}

SmallVector<AllocaInst *, 16> findVariables(Function &f) {
  SmallVector<AllocaInst *, 16> locals;
  for (Instruction &i : instructions(f))
    if (auto *local = dyn_cast<AllocaInst>(&i);
        local && local->isStaticAlloca() && !findDVRDeclares(local).empty())
      locals.push_back(local);
  return locals;
}

bool hasFullDebugInfo(const Function &f) {
  const DISubprogram *subprogram = f.getSubprogram();
  return subprogram && subprogram->getUnit() &&
         subprogram->getUnit()->getEmissionKind() == DICompileUnit::FullDebug;
}

} // namespace

PreservedAnalyses KeepVariablesPass::run(Module &m, ModuleAnalysisManager &) {
  bool isDebugged = false;
  for (Function &f : m) {
    if (!hasFullDebugInfo(f))
      continue;
    isDebugged = true;
    for (Argument &parameter : f.args())
      if (parameter.hasByValAttr() && !findDVRDeclares(&parameter).empty())
        copyParameter(parameter);
    for (AllocaInst *local : findVariables(f))
      keepAccesses(*local);
  }
  if (!isDebugged)
    return PreservedAnalyses::all();
  m.setModuleFlag(Module::Max, kKeptFlag, 1);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace vx
