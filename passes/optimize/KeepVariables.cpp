// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-keep-variables: in code with full debug information that is not optimized (-G), a debugger
// finds each local variable and parameter in memory, wherever the program is. What the program
// computes stays as it is: variables become values all the same, so that what is constant or
// uniform is known to be; a copy in memory follows them.
//
//   before:  %x = alloca i32            after:  %x = alloca i32
//              #dbg_declare(%x, !x)             %x.kept = alloca i32
//            store i32 %v, %x                     #dbg_declare(%x.kept, !x)
//                                               store i32 %v, %x
//                                               store volatile i32 %v, %x.kept
//
// Parameters that are passed in memory are copied where the function starts, too. Variables that
// stay in memory anyway are left alone: their address escapes, or elements are chosen at run time.
// Where a thread's variables move from one parallel region to the next, copies move with them
// (RegionValues, LoopBuilder). The module flag vx.kept says that this pass has run.

#include "lib/VortexIR/KeptVariables.h"
#include "passes/Passes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// A variable - an alloca, or a parameter in memory - and the instructions that change it, by the
/// pointers that they go through.
class Variable {
public:
  explicit Variable(Value &local) : local(local) {}

  /// False: not all of them are known.
  bool findChanges() {
    SmallVector<Value *, 8> work{&local};
    while (!work.empty()) {
      Value *pointer = work.pop_back_val();
      for (Use &use : pointer->uses())
        if (!visit(use, work))
          return false;
    }
    return true;
  }

  void keepCopy() {
    AllocaInst *copy = makeCopy();
    copy->setName(local.getName() + ".kept");
    copies[&local] = copy;
    for (Instruction *derived : pointers) {
      Instruction *twin = derived->clone();
      twin->insertAfter(derived->getIterator());
      twin->setOperand(0, copies.at(derived->getOperand(0)));
      copies[derived] = twin;
    }
    for (Instruction *change : changes) {
      Instruction *twin = change->clone();
      twin->insertAfter(change->getIterator());
      if (auto *store = dyn_cast<StoreInst>(twin)) {
        store->setOperand(1, copies.at(store->getPointerOperand()));
        store->setVolatile(true);
        if (isWidePointer(store->getValueOperand()->getType()))
          store->setOperand(
              0, IRBuilder<>(store).CreatePtrToInt(store->getValueOperand(),
                                                   Type::getInt64Ty(store->getContext())));
      } else {
        auto *transfer = cast<MemIntrinsic>(twin);
        transfer->setDest(copies.at(transfer->getRawDest()));
        transfer->setVolatile(ConstantInt::getTrue(transfer->getContext()));
      }
    }
    for (DbgVariableRecord *record : findDVRDeclares(&local))
      record->replaceVariableLocationOp(&local, copy);
  }

  /// Takes a parameter as it is at the start.
  void forgetChanges() {
    pointers.clear();
    changes.clear();
  }

private:
  /// A pointer whose copy is an integer: that stays one variable where pointers in memory become
  /// two halves (RV32).
  bool isWidePointer(Type *type) const {
    const DataLayout &dl = isa<Argument>(local) ? cast<Argument>(local).getParent()->getDataLayout()
                                                : cast<AllocaInst>(local).getDataLayout();
    return type->isPointerTy() && dl.getTypeSizeInBits(type) == 64;
  }

  AllocaInst *makeCopy() {
    if (auto *alloca = dyn_cast<AllocaInst>(&local)) {
      auto *copy = cast<AllocaInst>(alloca->clone());
      copy->insertAfter(alloca->getIterator());
      if (isWidePointer(copy->getAllocatedType()))
        copy->setAllocatedType(Type::getInt64Ty(copy->getContext()));
      return copy;
    }
    auto &parameter = cast<Argument>(local);
    BasicBlock &entry = parameter.getParent()->getEntryBlock();
    IRBuilder<> b(&entry, entry.begin());
    AllocaInst *copy = b.CreateAlloca(parameter.getParamByValType());
    Align align = parameter.getParamAlign().valueOrOne();
    copy->setAlignment(std::max(copy->getAlign(), align));
    b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    b.CreateMemCpy(copy, copy->getAlign(), &parameter, align,
                   *copy->getAllocationSize(parameter.getParent()->getDataLayout()),
                   /*isVolatile=*/true);
    return copy;
  }

  bool visit(Use &use, SmallVectorImpl<Value *> &work) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *load = dyn_cast<LoadInst>(user))
      return !load->isVolatile();
    if (user->isLifetimeStartOrEnd())
      return true;
    if (auto *gep = dyn_cast<GetElementPtrInst>(user); gep && gep->hasAllConstantIndices()) {
      pointers.push_back(gep);
      work.push_back(gep);
      return true;
    }
    if (auto *store = dyn_cast<StoreInst>(user)) {
      changes.push_back(store);
      return store->isSimple() && use.getOperandNo() == 1;
    }
    if (auto *transfer = dyn_cast<MemIntrinsic>(user)) {
      if (transfer->isVolatile() || !isa<ConstantInt>(transfer->getLength()))
        return false;
      if (use.getOperandNo() == 0)
        changes.push_back(transfer);
      return true;
    }
    return false;
  }

  Value &local;
  SmallVector<Instruction *, 8> pointers; ///< derived from it, each behind what it is made of
  SmallVector<Instruction *, 8> changes;
  DenseMap<Value *, Value *> copies; ///< of local and pointers
};

bool hasFullDebugInfo(const Function &f) {
  const DISubprogram *subprogram = f.getSubprogram();
  return subprogram && subprogram->getUnit() &&
         subprogram->getUnit()->getEmissionKind() == DICompileUnit::FullDebug;
}

void keepAllocas(Function &f) {
  SmallVector<AllocaInst *, 16> locals;
  for (Instruction &i : instructions(f))
    if (auto *local = dyn_cast<AllocaInst>(&i);
        local && local->isStaticAlloca() && !findDVRDeclares(local).empty())
      locals.push_back(local);
  for (AllocaInst *local : locals)
    if (Variable variable(*local); variable.findChanges())
      variable.keepCopy();
}

void keepParameters(Function &f) {
  for (Argument &parameter : f.args()) {
    if (!parameter.hasByValAttr() || findDVRDeclares(&parameter).empty())
      continue;
    Variable variable(parameter);
    if (!variable.findChanges())
      variable.forgetChanges();
    variable.keepCopy();
  }
}

} // namespace

PreservedAnalyses KeepVariablesPass::run(Module &m, ModuleAnalysisManager &) {
  bool isDebugged = false;
  for (Function &f : m)
    if (hasFullDebugInfo(f)) {
      isDebugged = true;
      keepAllocas(f);
      keepParameters(f);
    }
  if (!isDebugged)
    return PreservedAnalyses::all();
  m.setModuleFlag(Module::Max, kKeptFlag, 1);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace vx
