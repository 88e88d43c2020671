// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-canonicalize-nans: results that are not a number have the bits that the device gives them.
//
// Arithmetic of RISC-V yields the canonical NaN, 0x7fc00000; that of x86 yields one with the sign
// set, or what an operand was. Which NaN a value is shows only where its bits do: in memory, as an
// integer, in its sign, in another function. There, and only there, code of the host CPU replaces
// what arithmetic has made:
//
//     %s = fadd float %x, %y              %bits = bitcast float %s to i32
//     store float %s, ptr %p       ->     %c = select (fcmp uno %s, %s), i32 0x7fc00000, i32 %bits
//                                         store i32 %c, ptr %p
//
// It comes after the optimizer of the host's code, to which all NaNs are one.
//
// What was only moved - loaded, passed, chosen - stays as it is. Where a phi or a select joins
// results of arithmetic with such values, each result is replaced before it gets there.

#include "passes/Passes.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace vx {
namespace {

bool isNumber(const Type *type) {
  const Type *element = type->getScalarType();
  return element->isFloatTy() || element->isDoubleTy();
}

/// Returns true if V is a result of arithmetic: its NaN is the machine's.
bool isArithmetic(const Value *v) {
  const auto *i = dyn_cast<Instruction>(v);
  if (!i)
    return false;
  switch (i->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return true;
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return isNumber(i->getOperand(0)->getType()) && isNumber(i->getType());
  case Instruction::Call:
    switch (const auto *call = dyn_cast<IntrinsicInst>(i); call ? call->getIntrinsicID() : 0) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::sqrt:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
    case Intrinsic::vector_reduce_fadd:
    case Intrinsic::vector_reduce_fmul:
      return true;
    default:
      return false;
    }
  default:
    return false;
  }
}

/// Returns true if the bits of a NaN at USE make no difference.
bool isBlind(const Use &use) {
  const auto *user = cast<Instruction>(use.getUser());
  return (isArithmetic(user) && isNumber(user->getType())) || isa<FCmpInst>(user) ||
         isa<PHINode>(user) || isa<FPToSIInst>(user) || isa<FPToUIInst>(user) ||
         (isa<SelectInst>(user) && use.getOperandNo() != 0);
}

class Canonicalizer {
public:
  bool run(Function &f) {
    expandAtomics(f);
    SmallVector<Use *, 16> uses;
    for (Instruction &i : instructions(f))
      for (Use &use : i.operands())
        if (isNumber(use->getType()) && !isBlind(use))
          uses.push_back(&use);
    for (Use *use : uses)
      visit(*use);
    return changed;
  }

private:
  /// Expands atomic arithmetic into loops here, in which its results show.
  void expandAtomics(Function &f) {
    SmallVector<AtomicRMWInst *, 4> atomics;
    for (Instruction &i : instructions(f))
      if (auto *rmw = dyn_cast<AtomicRMWInst>(&i);
          rmw && rmw->isFloatingPointOperation() && isNumber(rmw->getType()))
        atomics.push_back(rmw);
    for (AtomicRMWInst *rmw : atomics)
      changed |= expandAtomicRMWToCmpXchg(rmw, emitCompareAndSwap);
  }

  static void emitCompareAndSwap(IRBuilderBase &b, Value *address, Value *old, Value *made,
                                 Align align, AtomicOrdering order, SyncScope::ID scope,
                                 Value *&success, Value *&found, Instruction *) {
    Type *type = made->getType();
    Type *bits = b.getIntNTy(type->getScalarSizeInBits());
    Value *pair = b.CreateAtomicCmpXchg(
        address, b.CreateBitCast(old, bits), b.CreateBitCast(made, bits), align, order,
        AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
    success = b.CreateExtractValue(pair, 1);
    found = b.CreateBitCast(b.CreateExtractValue(pair, 0), type);
  }

  /// The values that a value may have come from, through phis and selects.
  struct Sources {
    SmallVector<Use *, 4> made; ///< uses of results of arithmetic; null: the value is one
    bool moved = false;         ///< there are others
  };

  void visit(Use &use) {
    if (isArithmetic(use)) {
      use.set(canonical(*cast<Instruction>(use), *cast<Instruction>(use.getUser())));
      return;
    }
    Sources sources = findSources(*use);
    if (sources.made.empty())
      return;
    if (!sources.moved && !isa<PHINode>(use.getUser())) {
      use.set(canonical(*use, *cast<Instruction>(use.getUser())));
      return;
    }
    for (Use *made : sources.made)
      made->set(canonicalHere(*cast<Instruction>(*made)));
  }

  Sources findSources(Value &v) {
    Sources sources;
    SmallPtrSet<Value *, 8> seen{&v};
    SmallVector<Value *, 8> work{&v};
    while (!work.empty()) {
      Value *now = work.pop_back_val();
      if (!isa<PHINode>(now) && !isa<SelectInst>(now)) {
        sources.moved |= !isa<ConstantFP>(now) || cast<ConstantFP>(now)->isNaN();
        continue;
      }
      for (Use &use : cast<Instruction>(now)->operands()) {
        if (!isNumber(use->getType()))
          continue;
        if (isArithmetic(use))
          sources.made.push_back(&use);
        else if (seen.insert(use).second)
          work.push_back(use);
      }
    }
    return sources;
  }

  /// Returns RESULT, made canonical where it is computed, once.
  Value *canonicalHere(Instruction &result) {
    Value *&made = done[&result];
    if (!made)
      made = canonical(result, *result.getNextNode());
    return made;
  }

  /// Returns V, made canonical before AT.
  Value *canonical(Value &v, Instruction &at) {
    if (auto *op = dyn_cast<FPMathOperator>(&v); op && op->hasNoNaNs())
      return &v;
    changed = true;
    IRBuilder<> b(&at);
    Type *type = v.getType();
    Type *bits = type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
    Constant *nan = ConstantExpr::getBitCast(ConstantFP::getQNaN(type), bits);
    // They are chosen as integers: a choice between NaNs would be none.
    Value *chosen = b.CreateSelect(b.CreateFCmpUNO(&v, &v), nan, b.CreateBitCast(&v, bits));
    return b.CreateBitCast(chosen, type);
  }

  DenseMap<Instruction *, Value *> done;
  bool changed = false;
};

} // namespace

PreservedAnalyses CanonicalizeNansPass::run(Function &f, FunctionAnalysisManager &) {
  if (!Canonicalizer().run(f))
    return PreservedAnalyses::all();
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
