// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-expand-halves: arithmetic of 16-bit floats (binary16 and bfloat16), which the machine lacks,
// becomes arithmetic of floats or doubles and integer instructions, after the optimizer, to which
// an operation is one.
//
//   before:  %s = fadd half %x, %y       after:  %s = round(fadd float (widen %x), (widen %y))
//            %r = fmul half %s, %z               %r = pack(fmul float %s, (widen %z))
//            store half %r, ptr %p               store i16 %r, ptr %p
//
// What is computed and computed with again stays a float, rounded to the precision of its type: for
// a half that takes a third of the instructions of packing its bits and widening them. Results are
// packed where their bits are used: in memory, as an integer, by another function. Values that are
// joined by phis and selects stay floats if one of them is computed and the result is computed
// with, or if all of them are floats; others, loaded ones say, remain bits.

#include "passes/Passes.h"
#include "passes/import/Math.h"
#include "passes/import/SmallFloats.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {
namespace {

class HalfExpander {
public:
  explicit HalfExpander(Function &f) : f(f) {}

  bool run() {
    bool changed = lowerSmallFloatArithmetic(f);
    collect();
    if (nodes.empty() && widenings.empty())
      return changed;
    findRealNodes();
    createPhis();
    for (Instruction *ext : widenings)
      ext->replaceAllUsesWith(realOf(ext->getOperand(0), ext->getType()));
    for (Instruction *node : nodes)
      rewriteUsesOfBits(*node);
    fillPhis();
    erase();
    return true;
  }

private:
  static bool isSmall(const Value *v) {
    return v->getType()->isHalfTy() || v->getType()->isBFloatTy();
  }

  /// Nodes are the instructions that make a 16-bit float of other values, or choose one.
  static bool isNode(const Instruction &i) {
    return isSmall(&i) && (isa<FPTruncInst, PHINode, SelectInst, FreezeInst>(i) ||
                           match(&i, m_FNeg(m_Value())) || match(&i, m_FAbs(m_Value())));
  }

  void collect() {
    for (Instruction &i : instructions(f))
      if (isNode(i))
        nodes.insert(&i);
      else if (isa<FPExtInst>(i) && isSmall(i.getOperand(0)))
        widenings.push_back(&i);
  }

  /// Visits from what is in WORK on what NEXT gives of a node.
  template <class Next>
  static void visit(SmallVector<Instruction *, 32> work, SmallPtrSetImpl<Instruction *> &seen,
                    Next next) {
    seen.insert(work.begin(), work.end());
    while (!work.empty())
      next(*work.pop_back_val(), [&](Instruction *i) {
        if (seen.insert(i).second)
          work.push_back(i);
      });
  }

  /// Finds the nodes that are floats or doubles from here on: those computed with that come from
  /// something computed.
  void findRealNodes() {
    SmallVector<Instruction *, 32> computedWith, computed;
    for (Instruction *ext : widenings)
      if (auto *i = dyn_cast<Instruction>(ext->getOperand(0)); i && nodes.contains(i))
        computedWith.push_back(i);
    for (Instruction *node : nodes)
      if (isa<FPTruncInst>(node))
        computed.push_back(node);
    SmallPtrSet<Instruction *, 32> wanted, sourced;
    visit(computedWith, wanted, [&](Instruction &i, auto add) {
      for (Value *operand : i.operands())
        if (auto *node = dyn_cast<Instruction>(operand); node && nodes.contains(node))
          add(node);
    });
    visit(computed, sourced, [&](Instruction &i, auto add) {
      for (User *user : i.users())
        if (auto *node = cast<Instruction>(user); nodes.contains(node))
          add(node);
    });
    for (Instruction *node : nodes)
      if (wanted.contains(node) && sourced.contains(node) && !hasBitsWhereRounded(*node))
        real[node] = realType(*node);
    while (addChoices())
      ;
  }

  /// Makes real what chooses one of real nodes: so results of loops are packed after the loops.
  /// Returns true if there were some.
  bool addChoices() {
    bool added = false;
    for (Instruction *node : nodes) {
      if (!isa<PHINode, SelectInst, FreezeInst>(node) || real.contains(node))
        continue;
      Type *type = nullptr;
      bool all = true;
      for (Value *operand : node->operands())
        if (auto at = real.find(dyn_cast<Instruction>(operand)); at != real.end())
          type = at->second;
        else
          all &= isa<Constant>(operand) || !isSmall(operand);
      if (all && type) {
        real[node] = type;
        added = true;
      }
    }
    return added;
  }

  /// Returns true if the bits of a result of arithmetic are used in its block: then widening them
  /// takes less than rounding the result a second time.
  bool hasBitsWhereRounded(Instruction &node) {
    return isa<FPTruncInst>(node) && any_of(node.users(), [&](User *user) {
             auto *i = cast<Instruction>(user);
             return i->getParent() == node.getParent() && !isa<FPExtInst>(i) && !nodes.contains(i);
           });
  }

  /// Returns what the result is computed as, or else what all users that compute with it convert it
  /// to. A bfloat16 is a float with zeros.
  static Type *realType(Instruction &node) {
    if (node.getType()->isBFloatTy())
      return Type::getFloatTy(node.getContext());
    if (isa<FPTruncInst>(node))
      return node.getOperand(0)->getType();
    bool inDouble = false, inFloat = false;
    for (User *user : node.users())
      if (isa<FPExtInst>(user))
        (user->getType()->isDoubleTy() ? inDouble : inFloat) = true;
    LLVMContext &ctx = node.getContext();
    return inDouble && !inFloat ? Type::getDoubleTy(ctx) : Type::getFloatTy(ctx);
  }

  /// Nodes refer to each other in loops: phis first.
  void createPhis() {
    for (Instruction *node : nodes)
      if (auto *phi = dyn_cast<PHINode>(node)) {
        auto at = real.find(phi);
        IRBuilder<> b(phi);
        Type *type = at != real.end() ? at->second : b.getInt16Ty();
        PHINode *made = b.CreatePHI(type, phi->getNumIncomingValues(), phi->getName());
        (at != real.end() ? reals : bits)[phi] = made;
        phis.push_back({phi, made});
      }
  }

  void fillPhis() {
    for (auto [phi, made] : phis)
      for (auto [value, block] : zip(phi->incoming_values(), phi->blocks())) {
        IRBuilder<> b(block->getTerminator());
        // Several edges may lead here from one block: all have one value.
        int known = made->getBasicBlockIndex(block);
        Value *incoming = known >= 0                       ? made->getIncomingValue(known)
                          : made->getType()->isIntegerTy() ? bitsAt(value, b)
                                                           : realOf(value, made->getType());
        made->addIncoming(incoming, block);
      }
  }

  /// Puts B right after V, where code that computes with it goes.
  void goBehind(Value *v, IRBuilder<> &b) {
    if (auto *i = dyn_cast<Instruction>(v))
      if (auto at = i->getInsertionPointAfterDef()) {
        b.SetInsertPoint(i->getParent(), *at);
        b.SetCurrentDebugLocation(i->getDebugLoc());
        return;
      }
    BasicBlock &entry = f.getEntryBlock();
    b.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  }

  /// Returns V as a number of TYPE, which has more precision.
  Value *realOf(Value *v, Type *type) {
    if (isa<UndefValue>(v))
      return isa<PoisonValue>(v) ? PoisonValue::get(type) : UndefValue::get(type);
    if (auto *constant = dyn_cast<ConstantFP>(v)) {
      APFloat number = constant->getValueAPF();
      bool inexact;
      number.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven, &inexact);
      return ConstantFP::get(type, number);
    }
    Value *&known = converted[{v, type}];
    if (known)
      return known;
    Value *base = baseOf(v);
    if (base->getType() == type)
      return converted[{v, type}] = base;
    IRBuilder<> b(f.getContext());
    goBehind(base, b);
    return converted[{v, type}] = b.CreateFPCast(base, type);
  }

  /// Returns V as a number, of the type that it is computed as.
  Value *baseOf(Value *v) {
    if (Value *known = reals.lookup(v))
      return known;
    auto *node = dyn_cast<Instruction>(v);
    auto at = node ? real.find(node) : real.end();
    if (at == real.end()) {
      Value *of = bitsOf(v);
      IRBuilder<> b(f.getContext());
      goBehind(of, b);
      return reals[v] = emitFloatOfSmall(b, of, v->getType());
    }
    IRBuilder<> b(node);
    auto number = [&](Value *operand) { return realOf(operand, at->second); };
    Value *made = rebuildChoice(b, *node, number);
    if (made)
      ;
    else if (isa<FPTruncInst>(node))
      made = emitRoundToSmall(b, node->getOperand(0), node->getType());
    else if (node->getOpcode() == Instruction::FNeg)
      made = b.CreateFNeg(number(node->getOperand(0)));
    else
      made = b.CreateUnaryIntrinsic(Intrinsic::fabs, number(node->getOperand(0)));
    return reals[v] = made;
  }

  /// Emits NODE, if it is a select or freeze, of what OTHER makes of its operands; else returns
  /// null.
  static Value *rebuildChoice(IRBuilder<> &b, Instruction &node,
                              function_ref<Value *(Value *)> other) {
    if (isa<FreezeInst>(node))
      return b.CreateFreeze(other(node.getOperand(0)));
    auto *select = dyn_cast<SelectInst>(&node);
    if (!select)
      return nullptr;
    Value *first = other(select->getTrueValue()), *second = other(select->getFalseValue());
    return b.CreateSelect(select->getCondition(), first, second);
  }

  /// Returns the bits of V, which is not a real node.
  Value *bitsOf(Value *v) {
    if (Value *known = bits.lookup(v))
      return known;
    Type *type = Type::getInt16Ty(f.getContext());
    auto *node = dyn_cast<Instruction>(v);
    if (!node || !nodes.contains(node)) {
      IRBuilder<> b(f.getContext());
      goBehind(v, b);
      // If V is an integer's bits, that is the result.
      Value *integer;
      bool isCast = match(v, m_BitCast(m_Value(integer))) && integer->getType() == type;
      return bits[v] = isCast ? integer : b.CreateBitCast(v, type);
    }
    IRBuilder<> b(node);
    Value *made = rebuildChoice(b, *node, [&](Value *operand) { return bitsAt(operand, b); });
    if (made)
      ;
    else if (isa<FPTruncInst>(node))
      made = emitSmallBits(b, node->getOperand(0), node->getType());
    else if (node->getOpcode() == Instruction::FNeg)
      made = b.CreateXor(bitsAt(node->getOperand(0), b), 0x8000);
    else
      made = b.CreateAnd(bitsAt(node->getOperand(0), b), 0x7fff);
    return bits[v] = made;
  }

  /// Emits the bits of V for an instruction where B is; those of a real node are made there.
  Value *bitsAt(Value *v, IRBuilder<> &b) {
    auto *node = dyn_cast<Instruction>(v);
    return node && real.contains(node) ? emitBitsOfRounded(b, baseOf(v), v->getType()) : bitsOf(v);
  }

  /// Gives users that neither compute with NODE nor are nodes its bits.
  void rewriteUsesOfBits(Instruction &node) {
    for (Use &use : make_early_inc_range(node.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<FPExtInst>(user) || nodes.contains(user))
        continue;
      IRBuilder<> b(user);
      use.set(b.CreateBitCast(bitsAt(&node, b), node.getType()));
    }
  }

  void erase() {
    for (Instruction *ext : widenings)
      ext->eraseFromParent();
    for (Instruction *node : nodes)
      node->replaceAllUsesWith(PoisonValue::get(node->getType()));
    for (Instruction *node : nodes)
      node->eraseFromParent();
  }

  Function &f;
  SetVector<Instruction *> nodes;
  SmallVector<Instruction *, 32> widenings;
  DenseMap<Instruction *, Type *> real; ///< Nodes that are numbers of this type from here on.
  DenseMap<Value *, Value *> reals, bits;
  DenseMap<std::pair<Value *, Type *>, Value *> converted;
  SmallVector<std::pair<PHINode *, PHINode *>, 8> phis;
};

} // namespace

PreservedAnalyses ExpandHalvesPass::run(Function &f, FunctionAnalysisManager &) {
  if (!HalfExpander(f).run())
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace vx
