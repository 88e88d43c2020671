// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/AddressSpaceTypes.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace vx {

Type *AddressSpaceTypes::remapType(Type *type) {
  if (Type *found = known.lookup(type))
    return found;
  Type *mapped = map(type); // `known` may grow meanwhile
  known[type] = mapped;
  return mapped;
}

Type *AddressSpaceTypes::map(Type *type) {
  LLVMContext &ctx = type->getContext();
  if (auto *pointer = dyn_cast<PointerType>(type))
    return PointerType::get(ctx, mapSpace(pointer->getAddressSpace()));
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
  auto *structure = dyn_cast<StructType>(type);
  if (!structure)
    return type;
  if (structure->isLiteral())
    return StructType::get(ctx, parts, structure->isPacked());
  std::string name = structure->getName().str();
  structure->setName("");
  return StructType::create(ctx, parts, name, structure->isPacked());
}

void remapParameterAttributes(Function &f, ValueMapTypeRemapper &types) {
  for (Argument &arg : f.args())
    for (Attribute a : f.getAttributes().getParamAttrs(arg.getArgNo()))
      if (a.isTypeAttribute() && a.getValueAsType()) {
        arg.removeAttr(a.getKindAsEnum());
        arg.addAttr(
            Attribute::get(f.getContext(), a.getKindAsEnum(), types.remapType(a.getValueAsType())));
      }
}

} // namespace vx
