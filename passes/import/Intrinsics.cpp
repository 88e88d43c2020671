// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.nvvm.* intrinsics by table. The name that is looked up is the base name of the intrinsic (no
// type suffixes) with the components `ftz` and `sat` taken out, so that one row serves all forms.

#include "llvm/IR/Intrinsics.h"
#include "passes/import/IntrinsicEmitters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace vx::import {
namespace {

using EmitFn = Value *(*)(Emitter &);

struct IntrinsicRow {
  StringLiteral name;
  EmitFn emit;
};

constexpr IntrinsicRow kIntrinsicRows[] = {
#define NVVM_VX(NAME, ID)                                                                          \
  {NAME, [](Emitter &e) -> Value * { return emitCall(e.b, VxFn::ID, e.args()); }},
#define NVVM_IR(NAME, ID)                                                                          \
  {NAME, [](Emitter &e) -> Value * {                                                               \
     return e.b.CreateIntrinsic(Intrinsic::ID, {e.type()}, e.args());                              \
   }},
#define NVVM_LIB(NAME, FN)                                                                         \
  {NAME, [](Emitter &e) -> Value * { return emitLibrary(e.b, FN, e.type(), e.args()); }},
#define NVVM_CONST(NAME, V)                                                                        \
  {NAME, [](Emitter &e) -> Value * { return ConstantInt::get(e.type(), V); }},
#define NVVM_CUSTOM(NAME, ...) {NAME, __VA_ARGS__},
#include "passes/import/NVVMIntrinsics.def"
};

const IntrinsicRow *findRow(StringRef name) {
  static const StringMap<const IntrinsicRow *> byName = [] {
    StringMap<const IntrinsicRow *> map;
    for (const IntrinsicRow &row : kIntrinsicRows)
      map[row.name] = &row;
    return map;
  }();
  return byName.lookup(name);
}

/// Returns the name of the row for F and whether its result is to be saturated.
std::pair<std::string, bool> rowName(const Function &f) {
  StringRef full = f.getIntrinsicID() ? Intrinsic::getBaseName(f.getIntrinsicID()) : f.getName();
  full.consume_front("llvm.nvvm.");
  SmallVector<StringRef, 8> parts;
  full.split(parts, '.');
  bool saturate = is_contained(parts, "sat");
  erase_if(parts, [](StringRef p) { return p == "ftz" || p == "sat"; });
  return {join(parts, "."), saturate};
}

void rewrite(CallInst &call, const IntrinsicRow &row, bool saturate) {
  IRBuilder<> b(&call);
  b.setFastMathFlags(isa<FPMathOperator>(call) ? call.getFastMathFlags() : FastMathFlags());
  Emitter e{b, call};
  Value *result = row.emit(e);
  if (result && saturate)
    result = emitSaturate(b, result);
  if (!call.getType()->isVoidTy()) {
    if (result && isa<Instruction>(result) && !result->hasName())
      result->takeName(&call);
    call.replaceAllUsesWith(result ? result : PoisonValue::get(call.getType()));
  }
  call.eraseFromParent();
}

void rewriteAll(Function &f) {
  auto [name, saturate] = rowName(f);
  const IntrinsicRow *row = findRow(name);
  for (User *u : make_early_inc_range(f.users())) {
    auto *call = dyn_cast<CallInst>(u);
    if (!call)
      continue;
    if (!row)
      reportUnsupported(*call, "intrinsic '" + f.getName() + "' is not supported by vxcc");
    else
      rewrite(*call, *row, saturate);
  }
}

/// Lets llvm.trap and llvm.debugtrap stop the thread in the way of the contract.
void rewriteTrap(Function &f, VxFn fn) {
  for (User *u : make_early_inc_range(f.users()))
    if (auto *call = dyn_cast<CallInst>(u)) {
      IRBuilder<> b(call);
      emitCall(b, fn);
      call->eraseFromParent();
    }
}

} // namespace

void importIntrinsics(Module &m) {
  for (Function &f : make_early_inc_range(m)) {
    if (f.getName().starts_with("llvm.nvvm."))
      rewriteAll(f);
    else if (f.getIntrinsicID() == Intrinsic::trap)
      rewriteTrap(f, VxFn::Trap);
    else if (f.getIntrinsicID() == Intrinsic::debugtrap)
      rewriteTrap(f, VxFn::Breakpoint);
    else
      continue;
    if (f.use_empty())
      f.eraseFromParent();
  }
}

} // namespace vx::import
