// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-spirv-export-pointers: gives pointers of common IR, where all but shared memory is one space,
// those of SPIR-V, and kernels its calling convention:
//
//   ptr                      ptr addrspace(4), generic
//   a kernel's pointer       ptr addrspace(1), cast at the kernel's beginning
//   an alloca, byval         ptr addrspace(0), cast after it
//   a global                 ptr addrspace(1), cast where it is used
//
// Functions that are not kernels get what they take by value as a pointer to a copy of the
// caller's.
//
// LLVM's infer-address-spaces finds out afterwards which casts are needed.

#include "frontend/spirv/Passes.h"
#include "frontend/spirv/Replacements.h"
#include "lib/VortexIR/AddressSpaceTypes.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace vx::spirv {
namespace {

constexpr unsigned kGlobal = 1, kGeneric = 4;

/// Returns the number for SPACE. Pointers without a space are generic.
unsigned exportedSpace(unsigned space) {
  return space ? space : kGeneric;
}

bool isLifetime(const Value *v) {
  const auto *i = dyn_cast<IntrinsicInst>(v);
  return i && i->isLifetimeStartOrEnd();
}

class PointerExport {
public:
  explicit PointerExport(Module &m)
      : m(m), generic(PointerType::get(m.getContext(), kGeneric)), replacements(m) {}

  void run() {
    remakeGlobals();
    for (auto &[before, now] : replacements.functions)
      now = remake(*before);
    for (auto [before, now] : replacements.globals)
      if (before->hasInitializer())
        now->setInitializer(MapValue(before->getInitializer(), values, RF_None, &types));
    for (auto [before, now] : replacements.functions)
      mapBody(*now);
    replacements.finish(m);
    expandConstants();
  }

private:
  void remakeGlobals() {
    for (auto &[before, now] : replacements.globals) {
      unsigned space = before->getAddressSpace() ? before->getAddressSpace() : kGlobal;
      now = new GlobalVariable(m, types.remapType(before->getValueType()), before->isConstant(),
                               before->getLinkage(), nullptr, "", before,
                               GlobalValue::NotThreadLocal, space);
      now->copyAttributesFrom(before);
      now->setComdat(nullptr);
      values[before] = before->getAddressSpace() ? static_cast<Constant *>(now)
                                                 : ConstantExpr::getAddrSpaceCast(now, generic);
    }
  }

  Function *remake(Function &before) {
    bool isKernel = before.hasFnAttribute(kKernelAttr);
    SmallVector<Type *, 8> parameters;
    for (Argument &arg : before.args()) {
      Type *type = arg.getType();
      bool isFlat = type->isPointerTy() && !type->getPointerAddressSpace();
      if (isFlat && arg.hasByValAttr())
        parameters.push_back(type);
      else
        parameters.push_back(isFlat && isKernel ? PointerType::get(m.getContext(), kGlobal)
                                                : types.remapType(type));
    }
    auto *type =
        FunctionType::get(types.remapType(before.getReturnType()), parameters, before.isVarArg());
    Function *now = Function::Create(type, before.getLinkage(), 0);
    m.getFunctionList().insert(before.getIterator(), now);
    now->copyAttributesFrom(&before);
    now->setComdat(nullptr);
    remapParameterAttributes(*now, types);
    if (!isKernel)
      for (Argument &arg : now->args())
        arg.removeAttr(Attribute::ByVal);
    now->copyMetadata(&before, 0);
    before.clearMetadata();
    now->splice(now->begin(), &before);
    for (auto [from, to] : zip(before.args(), now->args())) {
      to.takeName(&from);
      values[&from] = &to;
      if (now->isDeclaration() || to.getType() == types.remapType(from.getType()))
        continue;
      auto *flat =
          CastInst::Create(Instruction::AddrSpaceCast, &to, generic, to.getName() + ".generic",
                           now->getEntryBlock().getFirstInsertionPt());
      made.insert(flat);
      values[&from] = flat;
    }
    values[&before] = now;
    return now;
  }

  void mapBody(Function &f) {
    const RemapFlags flags = RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs;
    for (Instruction &i : make_early_inc_range(instructions(f))) {
      if (made.contains(&i))
        continue;
      if (auto *alloca = dyn_cast<AllocaInst>(&i)) {
        alloca->setAllocatedType(types.remapType(alloca->getAllocatedType()));
        auto *flat =
            CastInst::Create(Instruction::AddrSpaceCast, alloca, generic,
                             alloca->getName() + ".generic", std::next(alloca->getIterator()));
        made.insert(flat);
        alloca->replaceUsesWithIf(flat, [&](Use &use) { return use.getUser() != flat; });
        continue;
      }
      if (isLifetime(&i)) { // said of the memory itself; the back end needs none
        i.eraseFromParent();
        continue;
      }
      RemapInstruction(&i, values, flags, &types);
      RemapDbgRecordRange(&m, i.getDbgRecordRange(), values, flags, &types);
      if (auto *call = dyn_cast<CallBase>(&i); call && call->hasByValArgument())
        copyValues(*call);
    }
  }

  /// Gives CALL copies of what it passes by value, in private memory as the function expects them.
  void copyValues(CallBase &call) {
    BasicBlock &entry = call.getFunction()->getEntryBlock();
    const DataLayout &layout = m.getDataLayout();
    SmallVector<Type *, 8> parameters(call.getFunctionType()->params());
    for (unsigned i = 0; i != call.arg_size(); ++i) {
      if (!call.isByValArgument(i))
        continue;
      Type *type = call.getParamByValType(i);
      Align align = call.getParamAlign(i).value_or(layout.getABITypeAlign(type));
      auto *copy =
          new AllocaInst(type, /*AddrSpace=*/0, nullptr, align, "", entry.getFirstInsertionPt());
      made.insert(copy);
      IRBuilder<>(&call).CreateMemCpy(copy, align, call.getArgOperand(i), align,
                                      layout.getTypeAllocSize(type));
      call.setArgOperand(i, copy);
      call.removeParamAttr(i, Attribute::ByVal);
      parameters[i] = copy->getType();
    }
    call.mutateFunctionType(FunctionType::get(call.getFunctionType()->getReturnType(), parameters,
                                              call.getFunctionType()->isVarArg()));
  }

  /// Turns casts and addresses inside other constants into instructions, which passes look through.
  void expandConstants() {
    SmallVector<Constant *, 16> all;
    for (GlobalVariable &g : m.globals())
      all.push_back(&g);
    convertUsersOfConstantsToInstructions(all);
  }

  Module &m;
  Type *generic;
  AddressSpaceTypes types{exportedSpace};
  ValueToValueMapTy values;
  SmallPtrSet<const Value *, 16> made;
  Replacements replacements;
};

} // namespace

PreservedAnalyses ExportPointersPass::run(Module &m, ModuleAnalysisManager &) {
  PointerExport(m).run();
  for (Function &f : m) {
    if (f.isIntrinsic())
      continue;
    bool isKernel = f.hasFnAttribute(kKernelAttr);
    f.setCallingConv(isKernel ? CallingConv::SPIR_KERNEL : CallingConv::SPIR_FUNC);
    for (User *user : f.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &f)
        call->setCallingConv(f.getCallingConv());
  }
  return PreservedAnalyses::none();
}

} // namespace vx::spirv
