// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that device code may call without defining them: printf (which clang packs into
// vprintf), assert, the heap, the memory functions of C. One row each; a row's function replaces
// the call. Functions that only need their address (pure virtuals in vtables) get a body.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace vx::import {
namespace {

/// Emits the number of bytes of the packed arguments that P points to: the size of the alloca that
/// clang made for them, also when several calls have been merged. Null when P is anything else.
Value *packedSize(IRBuilderBase &b, Value *p) {
  p = p->stripPointerCasts();
  if (isa<ConstantPointerNull>(p))
    return b.getInt32(0);
  if (auto *slot = dyn_cast<AllocaInst>(p)) {
    const DataLayout &layout = slot->getModule()->getDataLayout();
    std::optional<TypeSize> size = slot->getAllocationSize(layout);
    return size && !size->isScalable() ? b.getInt32(size->getFixedValue()) : nullptr;
  }
  if (auto *select = dyn_cast<SelectInst>(p)) {
    Value *t = packedSize(b, select->getTrueValue());
    Value *f = packedSize(b, select->getFalseValue());
    return t && f ? b.CreateSelect(select->getCondition(), t, f) : nullptr;
  }
  auto *phi = dyn_cast<PHINode>(p);
  if (!phi)
    return nullptr;
  SmallVector<Value *, 4> sizes;
  for (Value *incoming : phi->incoming_values()) {
    bool simple = isa<AllocaInst, ConstantPointerNull>(incoming->stripPointerCasts());
    sizes.push_back(simple ? packedSize(b, incoming) : nullptr);
    if (!sizes.back())
      return nullptr;
  }
  IRBuilder<> atPhi(phi);
  PHINode *size = atPhi.CreatePHI(b.getInt32Ty(), sizes.size());
  for (auto [value, block] : zip(sizes, phi->blocks()))
    size->addIncoming(value, block);
  return size;
}

/// Returns how many arguments FORMAT, a constant, asks for.
std::optional<unsigned> countConversions(const Value *format) {
  StringRef text;
  if (!getConstantStringInfo(format, text))
    return std::nullopt;
  unsigned count = 0;
  for (size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at)) {
    size_t kind = text.find_first_not_of("-+ #0123456789.*hljztL", at + 1);
    if (kind == StringRef::npos)
      break;
    if (StringRef("diouxXcsfFeEgGaApn").contains(text[kind]))
      count += 1 + unsigned(text.slice(at, kind).count('*'));
    at = text[kind] == '%' ? kind + 1 : kind;
  }
  return count;
}

/// Emits what printf returns when it has printed: how many of its arguments the format asks for.
Value *countArguments(IRBuilderBase &b, CallInst &call) {
  std::optional<unsigned> wanted = countConversions(call.getArgOperand(0));
  const auto *slot = dyn_cast<AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
  const auto *packed = slot ? dyn_cast<StructType>(slot->getAllocatedType()) : nullptr;
  unsigned given = packed ? packed->getNumElements() : 0;
  if (isa<ConstantPointerNull>(call.getArgOperand(1)) || (packed && !wanted))
    wanted = given;
  return wanted ? b.getInt32(packed ? std::min(given, *wanted) : *wanted) : nullptr;
}

Value *emitPrintf(IRBuilderBase &b, CallInst &call) {
  Value *size = packedSize(b, call.getArgOperand(1));
  if (!size) {
    reportUnsupported(call, "vprintf needs the argument list of a printf call");
    return nullptr;
  }
  Value *done = emitCall(b, VxFn::Printf, {call.getArgOperand(0), call.getArgOperand(1), size});
  Value *count = call.use_empty() ? nullptr : countArguments(b, call);
  if (!count)
    return done;
  return b.CreateSelect(b.CreateICmpSLT(done, b.getInt32(0)), done, count);
}

/// Emits code for assert: (message, file, line, function), as in glibc; CUDA's form has a fifth
/// operand.
Value *emitAssertFail(IRBuilderBase &b, CallInst &call) {
  return emitCall(
      b, VxFn::AssertFail,
      {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), call.getArgOperand(3)});
}

/// Emits code for malloc and every operator new: the arena aligns to 16, and device code does not
/// throw.
Value *emitMalloc(IRBuilderBase &b, CallInst &call) {
  return emitCall(b, VxFn::Malloc, {b.CreateZExtOrTrunc(call.getArgOperand(0), b.getInt64Ty())});
}

Value *emitFree(IRBuilderBase &b, CallInst &call) {
  return emitCall(b, VxFn::Free, {call.getArgOperand(0)});
}

Value *emitTrap(IRBuilderBase &b, CallInst &) {
  return emitCall(b, VxFn::Trap);
}

Value *emitMemcpy(IRBuilderBase &b, CallInst &call) {
  b.CreateMemCpy(call.getArgOperand(0), Align(1), call.getArgOperand(1), Align(1),
                 call.getArgOperand(2));
  return call.getArgOperand(0);
}

Value *emitMemmove(IRBuilderBase &b, CallInst &call) {
  b.CreateMemMove(call.getArgOperand(0), Align(1), call.getArgOperand(1), Align(1),
                  call.getArgOperand(2));
  return call.getArgOperand(0);
}

Value *emitMemset(IRBuilderBase &b, CallInst &call) {
  b.CreateMemSet(call.getArgOperand(0), b.CreateTrunc(call.getArgOperand(1), b.getInt8Ty()),
                 call.getArgOperand(2), Align(1));
  return call.getArgOperand(0);
}

struct CallRow {
  StringLiteral name;
  unsigned args; // at least
  Value *(*emit)(IRBuilderBase &, CallInst &);
};

constexpr CallRow kCallRows[] = {
    {"vprintf", 2, emitPrintf},
    {"__assertfail", 4, emitAssertFail},
    {"__assert_fail", 4, emitAssertFail},
    {"malloc", 1, emitMalloc},
    {"free", 1, emitFree},
    {"_Znwm", 1, emitMalloc},
    {"_Znam", 1, emitMalloc},
    {"_ZnwmRKSt9nothrow_t", 1, emitMalloc},
    {"_ZnamRKSt9nothrow_t", 1, emitMalloc},
    {"_ZdlPv", 1, emitFree},
    {"_ZdaPv", 1, emitFree},
    {"_ZdlPvm", 1, emitFree},
    {"_ZdaPvm", 1, emitFree},
    {"_ZdlPvRKSt9nothrow_t", 1, emitFree},
    {"_ZdaPvRKSt9nothrow_t", 1, emitFree},
    {"abort", 0, emitTrap},
    {"__cxa_rethrow", 0, emitTrap},
    {"memcpy", 3, emitMemcpy},
    {"memmove", 3, emitMemmove},
    {"memset", 3, emitMemset},
};

void rewriteCalls(Function &f, const CallRow &row) {
  for (User *u : make_early_inc_range(f.users())) {
    auto *call = dyn_cast<CallInst>(u);
    if (!call || call->getCalledOperand() != &f || call->arg_size() < row.args)
      continue;
    IRBuilder<> b(call);
    Value *result = row.emit(b, *call);
    if (!call->getType()->isVoidTy()) {
      if (result && isa<Instruction>(result) && !result->hasName())
        result->takeName(call);
      call->replaceAllUsesWith(result ? result : PoisonValue::get(call->getType()));
    }
    call->eraseFromParent();
  }
}

/// Lets a vtable slot without a function stop the thread that calls it.
void defineAsTrap(Function &f) {
  IRBuilder<> b(BasicBlock::Create(f.getContext(), "", &f));
  emitCall(b, VxFn::Trap);
  b.CreateUnreachable();
  f.setLinkage(GlobalValue::InternalLinkage);
}

/// Functions of <string.h> that std::string_view's become; the library of Math.h has them.
constexpr StringLiteral kStrings[] = {"memchr", "memcmp", "strlen"};

constexpr StringLiteral kTraps[] = {"__cxa_pure_virtual", "__cxa_deleted_virtual"};

} // namespace

bool isLibraryFunction(StringRef name) {
  return any_of(kCallRows, [&](const CallRow &row) { return row.name == name; }) ||
         is_contained(kStrings, name) || is_contained(kTraps, name);
}

void importLibraryCalls(Module &m) {
  for (const CallRow &row : kCallRows)
    if (Function *f = m.getFunction(row.name); f && f->isDeclaration()) {
      rewriteCalls(*f, row);
      if (f->use_empty())
        f->eraseFromParent();
    }
  for (StringRef name : kStrings)
    if (Function *f = m.getFunction(name); f && f->isDeclaration())
      f->setName("__vxm_" + name);
  for (StringRef name : kTraps)
    if (Function *f = m.getFunction(name); f && f->isDeclaration())
      defineAsTrap(*f);
}

} // namespace vx::import
