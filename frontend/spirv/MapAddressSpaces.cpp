// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-spirv-map-address-spaces: gives pointers the address spaces of NVVM IR instead of SPIR's, and
// the module the target of device code:
//
//   private 0, generic 4 ──► 0     global 1 ──► 1     constant 2 ──► 4     local 3 ──► 3
//
// Casts between spaces that have become one go away.

#include "frontend/spirv/Passes.h"
#include "frontend/spirv/Replacements.h"
#include "lib/VortexIR/AddressSpaceTypes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace vx::spirv {
namespace {

unsigned mapSpace(unsigned space) {
  switch (space) {
  case 2:
    return 4;
  case 4:
    return 0;
  case 5: // memory of the device or of the host only (SPV_INTEL_usm_storage_classes)
  case 6:
    return 1;
  default:
    return space;
  }
}

/// Returns true if a cast from FROM to TO does nothing between spaces of NVVM IR.
bool isLost(Type *from, Type *to) {
  return mapSpace(from->getPointerAddressSpace()) == mapSpace(to->getPointerAddressSpace());
}

class SpaceMapping {
public:
  explicit SpaceMapping(Module &m) : m(m), replacements(m) {}

  void run() {
    expandLostCasts();
    replaceGlobals();
    replaceFunctions();
    for (auto [before, now] : replacements.globals)
      if (before->hasInitializer())
        now->setInitializer(MapValue(before->getInitializer(), values, RF_None, &types));
    for (auto [before, now] : replacements.functions) {
      mapInstructions(*now);
      removeLostCasts(*now);
    }
    replacements.finish(m);
  }

private:
  /// Turns constant casts that do nothing into instructions: a constant cannot be one, an
  /// instruction can until it is removed.
  void expandLostCasts() {
    SmallVector<Constant *, 8> casts;
    SmallPtrSet<const Constant *, 32> seen;
    auto collect = [&](auto &&self, Value *value) -> void {
      auto *c = dyn_cast<Constant>(value);
      if (!c || isa<GlobalValue>(c) || !seen.insert(c).second)
        return;
      if (auto *e = dyn_cast<ConstantExpr>(c); e && e->getOpcode() == Instruction::AddrSpaceCast &&
                                               isLost(e->getOperand(0)->getType(), e->getType()))
        casts.push_back(e);
      for (Value *operand : c->operands())
        self(self, operand);
    };
    for (Function &f : m)
      for (Instruction &i : instructions(f))
        for (Value *operand : i.operands())
          collect(collect, operand);
    convertUsersOfConstantsToInstructions(casts, /*RestrictToFunc=*/nullptr,
                                          /*RemoveDeadConstants=*/true, /*IncludeSelf=*/true);
  }

  void replaceGlobals() {
    for (auto &[before, now] : replacements.globals) {
      now = new GlobalVariable(m, types.remapType(before->getValueType()), before->isConstant(),
                               before->getLinkage(), nullptr, "", before,
                               before->getThreadLocalMode(), mapSpace(before->getAddressSpace()));
      now->copyAttributesFrom(before);
      now->copyMetadata(before, 0);
      values[before] = now;
    }
  }

  void replaceFunctions() {
    for (auto &[before, now] : replacements.functions) {
      auto *type = cast<FunctionType>(types.remapType(before->getFunctionType()));
      now = Function::Create(type, before->getLinkage(), before->getAddressSpace());
      m.getFunctionList().insert(before->getIterator(), now);
      now->copyAttributesFrom(before);
      remapParameterAttributes(*now, types);
      now->copyMetadata(before, 0);
      before->clearMetadata();
      now->splice(now->begin(), before);
      for (auto [from, to] : zip(before->args(), now->args())) {
        to.takeName(&from);
        values[&from] = &to;
      }
      values[before] = now;
    }
  }

  /// Maps the instructions of F, whose arguments have their types already.
  void mapInstructions(Function &f) {
    const RemapFlags flags = RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs;
    for (Instruction &i : instructions(f)) {
      RemapInstruction(&i, values, flags, &types);
      RemapDbgRecordRange(&m, i.getDbgRecordRange(), values, flags, &types);
    }
  }

  void removeLostCasts(Function &f) {
    for (Instruction &i : make_early_inc_range(instructions(f)))
      if (auto *cast = dyn_cast<AddrSpaceCastInst>(&i);
          cast && cast->getSrcTy() == cast->getType()) {
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      }
  }

  Module &m;
  AddressSpaceTypes types{mapSpace};
  ValueToValueMapTy values;
  Replacements replacements;
};

} // namespace

PreservedAnalyses MapAddressSpacesPass::run(Module &m, ModuleAnalysisManager &) {
  SpaceMapping(m).run();
  Triple triple("nvptx64-nvidia-cuda");
  m.setTargetTriple(triple);
  m.setDataLayout(triple.computeDataLayout());
  return PreservedAnalyses::none();
}

} // namespace vx::spirv
