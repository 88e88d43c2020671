// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-mark-locals: in code for the checkers (module flag vx.forCheckers), each local array is in
// memory of its own, with bytes around it that belong to nothing, and the function says where it
// begins and when it ends:
//
//     %a = alloca [10 x i32]      ->      %a.padded = alloca [72 x i8]
//                                         %a = getelementptr i8, ptr %a.padded, i64 16
//                                         hint: record {40, "a"}; hint: a local array at %a
//                                         ...
//                                         hint: no more at %a
//                                         ret
//
// Other locals are values as a rule, which no index leaves.

#include "intrinsics/abi/CheckHints.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "passes/Passes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Gives ARRAY room on both sides; returns where it begins.
Instruction *pad(AllocaInst &array, uint64_t bytes) {
  IRBuilder<> b(&array);
  uint64_t before = std::max<uint64_t>(VX_LOCAL_PADDING, array.getAlign().value());
  auto *room = ArrayType::get(b.getInt8Ty(), before + bytes + VX_LOCAL_PADDING);
  AllocaInst *padded =
      b.CreateAlloca(room, array.getAddressSpace(), nullptr, array.getName() + ".padded");
  padded->setAlignment(std::max(array.getAlign(), Align(VX_LOCAL_PADDING)));
  // What marks how long it lives would name the address of another variable.
  for (User *user : make_early_inc_range(array.users()))
    if (auto *i = dyn_cast<Instruction>(user); i && i->isLifetimeStartOrEnd())
      i->eraseFromParent();
  b.SetInsertPoint(&*array.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  auto *start = cast<Instruction>(b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), padded, before));
  start->takeName(&array);
  array.replaceAllUsesWith(start);
  array.eraseFromParent();
  return start;
}

/// Returns ARRAY's name in the source, as far as it is known.
std::string nameOf(AllocaInst &array) {
  for (DbgVariableRecord *record : findDVRDeclares(&array))
    return record->getVariable()->getName().str();
  return array.getName().str();
}

/// Returns the record of an array for VX_HINT_RECORD.
GlobalVariable *makeRecord(Module &m, uint64_t bytes, StringRef name) {
  LLVMContext &c = m.getContext();
  Constant *fields[] = {ConstantInt::get(Type::getInt32Ty(c), bytes),
                        ConstantDataArray::getString(c, name)};
  Constant *value = ConstantStruct::getAnon(fields);
  auto *record = new GlobalVariable(m, value->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, value, "__vx_local");
  record->setAlignment(Align(4));
  return record;
}

bool mark(Function &f) {
  const DataLayout &dl = f.getDataLayout();
  SmallVector<AllocaInst *, 4> arrays;
  SmallVector<Instruction *, 4> ends;
  for (Instruction &i : instructions(f)) {
    auto *alloca = dyn_cast<AllocaInst>(&i);
    if (alloca && alloca->isStaticAlloca() && alloca->getAllocatedType()->isArrayTy() &&
        !alloca->isArrayAllocation() && !alloca->getAllocationSize(dl)->isZero())
      arrays.push_back(alloca);
    if (isa<ReturnInst>(i))
      ends.push_back(&i);
  }
  for (AllocaInst *array : arrays) {
    uint64_t bytes = array->getAllocationSize(dl)->getFixedValue();
    GlobalVariable *record = makeRecord(*f.getParent(), bytes, nameOf(*array));
    Instruction *start = pad(*array, bytes);
    IRBuilder<> b(start->getNextNode());
    Value *address = b.CreatePtrToInt(start, b.getInt64Ty());
    emitHint(b, VX_HINT_RECORD, b.CreatePtrToInt(record, b.getInt64Ty()));
    emitHint(b, VX_HINT_LOCAL_BEGIN, address);
    for (Instruction *end : ends) {
      b.SetInsertPoint(end);
      emitHint(b, VX_HINT_LOCAL_END, address);
    }
  }
  return !arrays.empty();
}

} // namespace

PreservedAnalyses MarkLocalsPass::run(Module &m, ModuleAnalysisManager &) {
  if (!deviceOption::forCheckers(m))
    return PreservedAnalyses::all();
  for (Function &f : m)
    if (!f.isDeclaration())
      mark(f);
  return PreservedAnalyses::none();
}

} // namespace vx
