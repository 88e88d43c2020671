// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One address space for everything but shared memory. RISC-V has flat memory: pointers to global
// (1), constant (4) and local (5) memory are the generic pointers they cast to, and those to shared
// memory of a cluster (7) are like those to the block's own (3).
//
// Globals, and functions whose signature names such a pointer, are made anew with the new type;
// instructions keep their identity and change their type in place (opaque pointers make this safe:
// no other property of an instruction depends on the space). A cast between two spaces that are one
// now disappears, in constants through a materializer, because a ConstantExpr cannot cast to its
// own type.

#include "lib/VortexIR/AddressSpaceTypes.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {
namespace {

unsigned mapSpace(unsigned space) {
  return space == 1 || space == 4 || space == 5 ? 0 : space == 7 ? kSharedAS : space;
}

class Generalizer : public ValueMaterializer {
public:
  explicit Generalizer(Module &m)
      : m(m), mapper(map, RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs, &types, this) {}

  void run() {
    remakeGlobals();
    remakeFunctions();
    for (GlobalVariable *g : kept)
      g->setInitializer(mapper.mapConstant(*g->getInitializer()));
    for (auto [oldG, newG] : globals)
      if (oldG->hasInitializer())
        newG->setInitializer(mapper.mapConstant(*oldG->getInitializer()));
    for (Function &f : m)
      for (Instruction &i : instructions(f)) {
        mapper.remapInstruction(i);
        mapper.remapDbgRecordRange(&m, i.getDbgRecordRange());
      }
    dropIdentityCasts();
    for (auto [oldG, newG] : globals)
      erase(*oldG);
    for (Function *f : oldFunctions)
      erase(*f);
  }

  Value *materialize(Value *v) override {
    auto *cast = dyn_cast<ConstantExpr>(v);
    if (!cast || cast->getOpcode() != Instruction::AddrSpaceCast ||
        types.remapType(cast->getType()) != types.remapType(cast->getOperand(0)->getType()))
      return nullptr;
    return mapper.mapConstant(*cast->getOperand(0));
  }

private:
  /// A global is remade if its place or its type names one of the spaces; the others keep their
  /// identity and have their initializer mapped.
  void remakeGlobals() {
    for (GlobalVariable &g : make_early_inc_range(m.globals())) {
      Type *type = types.remapType(g.getValueType());
      unsigned space = mapSpace(g.getAddressSpace());
      if (type == g.getValueType() && space == g.getAddressSpace()) {
        if (g.hasInitializer())
          kept.push_back(&g);
        continue;
      }
      auto *made = new GlobalVariable(m, type, g.isConstant(), g.getLinkage(), nullptr, "", &g,
                                      g.getThreadLocalMode(), space, g.isExternallyInitialized());
      made->copyAttributesFrom(&g);
      made->copyMetadata(&g, 0);
      made->takeName(&g);
      map[&g] = made;
      globals.push_back({&g, made});
    }
  }

  void remakeFunctions() {
    for (Function &f : make_early_inc_range(m)) {
      auto *type = cast<FunctionType>(types.remapType(f.getFunctionType()));
      if (type == f.getFunctionType())
        continue;
      Function *made = f.isIntrinsic() ? remakeIntrinsic(f, type) : remakeFunction(f, type);
      map[&f] = made;
      oldFunctions.push_back(&f);
    }
  }

  Function *remakeIntrinsic(Function &f, FunctionType *type) {
    SmallVector<Type *, 4> overloads;
    if (Intrinsic::getIntrinsicSignature(f.getIntrinsicID(), type, overloads))
      return Intrinsic::getOrInsertDeclaration(&m, f.getIntrinsicID(), overloads);
    return remakeFunction(f, type);
  }

  Function *remakeFunction(Function &f, FunctionType *type) {
    Function *made = Function::Create(type, f.getLinkage(), 0, "", &m);
    made->copyAttributesFrom(&f);
    made->copyMetadata(&f, 0);
    made->takeName(&f);
    for (auto [oldArg, newArg] : zip(f.args(), made->args())) {
      newArg.takeName(&oldArg);
      map[&oldArg] = &newArg;
    }
    made->splice(made->begin(), &f);
    f.clearMetadata();
    return made;
  }

  void dropIdentityCasts() {
    for (Function &f : m)
      for (Instruction &i : make_early_inc_range(instructions(f)))
        if (auto *cast = dyn_cast<AddrSpaceCastInst>(&i);
            cast && cast->getType() == cast->getOperand(0)->getType()) {
          cast->replaceAllUsesWith(cast->getOperand(0));
          cast->eraseFromParent();
        }
  }

  template <typename T> static void erase(T &old) {
    old.removeDeadConstantUsers();
    old.replaceAllUsesWith(PoisonValue::get(old.getType()));
    old.eraseFromParent();
  }

  Module &m;
  AddressSpaceTypes types{mapSpace};
  ValueToValueMapTy map;
  ValueMapper mapper;
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 16> globals;
  SmallVector<GlobalVariable *, 16> kept;
  SmallVector<Function *, 8> oldFunctions;
};

} // namespace

void makeAddressSpacesGeneric(Module &m) {
  Generalizer(m).run();
}

} // namespace vx::import
