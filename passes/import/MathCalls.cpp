// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of C's mathematical functions by their own names, as clang's builtins leave them
// (__builtin_hypot, which headers for nvcc use in device code), become calls of device math. Those
// that are LLVM intrinsics are lowered with the other operations (MathOperations.cpp).

#include "passes/import/Import.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {
namespace {

/// A function and the types of its result and parameters, here for double: d, i for int, l for
/// long, p for a pointer. With the suffix f, d is float.
struct MathRow {
  StringLiteral name, signature;
};
constexpr MathRow kMathRows[] = {
    {"acosh", "dd"},      {"asinh", "dd"},   {"atanh", "dd"},    {"cbrt", "dd"},
    {"erf", "dd"},        {"erfc", "dd"},    {"expm1", "dd"},    {"lgamma", "dd"},
    {"log1p", "dd"},      {"logb", "dd"},    {"tgamma", "dd"},   {"ilogb", "id"},
    {"fdim", "ddd"},      {"fmod", "ddd"},   {"hypot", "ddd"},   {"nextafter", "ddd"},
    {"remainder", "ddd"}, {"scalbn", "ddi"}, {"scalbln", "ddl"}, {"ldexp", "ddi"},
    {"frexp", "ddp"},     {"modf", "ddp"},   {"remquo", "dddp"}, {"nan", "dp"},
};

bool isOfKind(Type *t, char kind, bool single) {
  switch (kind) {
  case 'd':
    return single ? t->isFloatTy() : t->isDoubleTy();
  case 'i':
    return t->isIntegerTy(32);
  case 'l':
    return t->isIntegerTy(64);
  default:
    return t->isPointerTy();
  }
}

bool hasSignature(FunctionType &type, StringRef signature, bool single) {
  if (type.isVarArg() || type.getNumParams() + 1 != signature.size() ||
      !isOfKind(type.getReturnType(), signature[0], single))
    return false;
  return all_of(enumerate(type.params()), [&](auto param) {
    return isOfKind(param.value(), signature[param.index() + 1], single);
  });
}

/// Device math's scalbn has an int: exponents beyond it have the results of its ends.
void callWithInt(Function &f, FunctionCallee scalbn) {
  for (User *u : make_early_inc_range(f.users())) {
    auto *call = dyn_cast<CallInst>(u);
    if (!call || call->getCalledOperand() != &f)
      continue;
    IRBuilder<> b(call);
    Value *n = call->getArgOperand(1);
    n = b.CreateBinaryIntrinsic(Intrinsic::smax, n, b.getInt64(-0x10000));
    n = b.CreateBinaryIntrinsic(Intrinsic::smin, n, b.getInt64(0x10000));
    CallInst *other =
        b.CreateCall(scalbn, {call->getArgOperand(0), b.CreateTrunc(n, b.getInt32Ty())});
    other->takeName(call);
    call->replaceAllUsesWith(other);
    call->eraseFromParent();
  }
}

void importFunction(Function &f, StringRef name) {
  Module &m = *f.getParent();
  FunctionType *type = f.getFunctionType();
  if (StringRef base = name; base.consume_front("scalbln")) {
    Type *real = type->getReturnType();
    callWithInt(f, m.getOrInsertFunction(("__nv_scalbn" + base).str(), real, real,
                                         Type::getInt32Ty(m.getContext())));
  } else {
    f.replaceAllUsesWith(m.getOrInsertFunction(("__nv_" + name).str(), type).getCallee());
  }
  if (f.use_empty())
    f.eraseFromParent();
}

} // namespace

void importMathCalls(Module &m) {
  for (const MathRow &row : kMathRows)
    for (bool single : {false, true}) {
      std::string name = (row.name + (single ? "f" : "")).str();
      Function *f = m.getFunction(name);
      if (f && f->isDeclaration() && hasSignature(*f->getFunctionType(), row.signature, single))
        importFunction(*f, name);
    }
}

} // namespace vx::import
