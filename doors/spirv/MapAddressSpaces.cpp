// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-spirv-map-address-spaces: gives pointers the address spaces of NVVM IR instead of SPIR's, and
// the module the target of device code:
//
//   private 0, generic 4 ──► 0     global 1 ──► 1     constant 2 ──► 4     local 3 ──► 3
//
// Casts between spaces that have become one go away.

#include "doors/spirv/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

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

class SpaceMapper : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    Type *&result = known[type];
    if (!result) {
      Type *mapped = map(type);
      // `known` may have grown.
      known[type] = mapped;
      return mapped;
    }
    return result;
  }

private:
  Type *map(Type *type) {
    LLVMContext &ctx = type->getContext();
    if (auto *pointer = dyn_cast<PointerType>(type))
      return PointerType::get(ctx, mapSpace(pointer->getAddressSpace()));
    if (type->getNumContainedTypes() == 0)
      return type;
    SmallVector<Type *, 8> parts;
    for (Type *part : type->subtypes())
      parts.push_back(remapType(part));
    if (ArrayRef<Type *>(parts) == type->subtypes())
      return type;
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(parts[0], array->getNumElements());
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(parts[0], vector->getElementCount());
    if (auto *function = dyn_cast<FunctionType>(type))
      return FunctionType::get(parts[0], ArrayRef(parts).drop_front(), function->isVarArg());
    if (auto *structure = dyn_cast<StructType>(type)) {
      if (structure->isLiteral())
        return StructType::get(ctx, parts, structure->isPacked());
      std::string name = structure->getName().str();
      structure->setName("");
      return StructType::create(ctx, parts, name, structure->isPacked());
    }
    return type;
  }

  DenseMap<Type *, Type *> known;
};

/// Whether a cast from FROM to TO does nothing between spaces of NVVM IR.
bool isLost(Type *from, Type *to) {
  return mapSpace(from->getPointerAddressSpace()) == mapSpace(to->getPointerAddressSpace());
}

class SpaceMapping {
public:
  explicit SpaceMapping(Module &m) : m(m) {}

  void run() {
    expandLostCasts();
    replaceGlobals();
    replaceFunctions();
    for (auto [before, now] : globals)
      if (before->hasInitializer())
        now->setInitializer(MapValue(before->getInitializer(), values, RF_None, &types));
    for (auto [before, now] : functions) {
      mapInstructions(*now);
      removeLostCasts(*now);
    }
    eraseOld();
    for (Function &f : make_early_inc_range(m))
      if (auto renamed = Intrinsic::remangleIntrinsicFunction(&f)) {
        f.replaceAllUsesWith(*renamed);
        f.eraseFromParent();
      }
  }

private:
  /// A constant cannot be a cast that does nothing; an instruction can until it is removed.
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
    for (GlobalVariable &g : m.globals())
      globals.push_back({&g, nullptr});
    for (auto &[before, now] : globals) {
      now = new GlobalVariable(m, types.remapType(before->getValueType()), before->isConstant(),
                               before->getLinkage(), nullptr, "", before,
                               before->getThreadLocalMode(), mapSpace(before->getAddressSpace()));
      now->copyAttributesFrom(before);
      now->copyMetadata(before, 0);
      values[before] = now;
    }
  }

  void replaceFunctions() {
    for (Function &f : m)
      functions.push_back({&f, nullptr});
    for (auto &[before, now] : functions) {
      auto *type = cast<FunctionType>(types.remapType(before->getFunctionType()));
      now = Function::Create(type, before->getLinkage(), before->getAddressSpace());
      m.getFunctionList().insert(before->getIterator(), now);
      now->copyAttributesFrom(before);
      mapTypesOfAttributes(*now);
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

  /// byval and its kin name a type.
  void mapTypesOfAttributes(Function &f) {
    LLVMContext &ctx = m.getContext();
    for (Argument &arg : f.args())
      for (Attribute a : f.getAttributes().getParamAttrs(arg.getArgNo()))
        if (a.isTypeAttribute() && a.getValueAsType()) {
          arg.removeAttr(a.getKindAsEnum());
          arg.addAttr(Attribute::get(ctx, a.getKindAsEnum(), types.remapType(a.getValueAsType())));
        }
  }

  /// The arguments have their types already.
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

  void eraseOld() {
    auto finish = [](auto &pairs) {
      for (auto [before, now] : pairs) {
        // Not takeName: a function would not learn that it is an intrinsic.
        std::string name = before->getName().str();
        before->setName("");
        now->setName(name);
        before->dropAllReferences();
      }
    };
    finish(globals);
    finish(functions);
    for (auto [before, now] : functions)
      before->eraseFromParent();
    for (auto [before, now] : globals) {
      before->removeDeadConstantUsers();
      before->eraseFromParent();
    }
  }

  Module &m;
  SpaceMapper types;
  ValueToValueMapTy values;
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 8> globals;
  SmallVector<std::pair<Function *, Function *>, 16> functions;
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
