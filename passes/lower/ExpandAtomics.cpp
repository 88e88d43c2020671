// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-expand-atomics: atomic operations that have no AMO instruction become loops in IR, before
// structurizing, because the loops that code generation would make are divergent and unguarded.
//
// The core of each loop is one piece of assembly, load-reserved … store-conditional with nothing
// but arithmetic between, so that no spill can break the reservation. Where the comparison of a
// compare-and-swap fails, the store goes to a word that is never reserved, which fails and stores
// nothing: that keeps the sequence free of branches. (To store the old value back would do, too,
// but takes the reservations of others away: lanes that wait for a lock could keep the one that
// holds it from continuing, if some lanes of its warp still attempt.) Lanes that succeed, or whose
// comparison fails, leave the loop; one of them does in every round. Eight and sixteen bits are a
// part of a word: a hint tells the device which (VX_HINT_ATOMIC_BYTE), since the neighbours may be
// other variables.
//
// Vortex's SimX has one reservation for a core, which the load-reserved of another warp takes away:
// warps that attempt in step can all fail for ever. In its profile (upstream) a failed attempt is
// followed by a wait whose length depends on the warp and on the round, so that they get out of
// step.
//
// RV32 has no 64-bit reservations: passes/lower/LockedAtomics.

#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "passes/Passes.h"
#include "passes/lower/LockedAtomics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace vx {
namespace {

class AtomicExpander {
public:
  explicit AtomicExpander(Function &f)
      : f(f), xlen(f.getDataLayout().getPointerSizeInBits()),
        xt(IntegerType::get(f.getContext(), xlen)) {}

  bool run() {
    SmallVector<Instruction *, 16> work;
    for (Instruction &i : instructions(f))
      if (isa<AtomicCmpXchgInst>(i) || isa<AtomicRMWInst>(i) || needsLock(i))
        work.push_back(&i);
    bool changed = false;
    for (Instruction *i : work) {
      if (needsLock(*i))
        expandLocked(*i);
      else if (auto *cas = dyn_cast<AtomicCmpXchgInst>(i))
        expandCmpXchg(*cas);
      else if (isAmo(*cast<AtomicRMWInst>(i)))
        continue;
      else
        expandRmw(*cast<AtomicRMWInst>(i));
      changed = true;
    }
    return changed;
  }

private:
  bool isAmo(const AtomicRMWInst &rmw) const {
    unsigned bits = f.getDataLayout().getTypeSizeInBits(rmw.getType());
    if (bits != 32 && bits != xlen)
      return false;
    switch (rmw.getOperation()) {
    case AtomicRMWInst::Xchg:
      return !rmw.getType()->isFloatingPointTy();
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
      return true;
    default:
      return false;
    }
  }

  Value *toBits(IRBuilderBase &b, Value *v) {
    Type *type = v->getType();
    Type *bits = b.getIntNTy(f.getDataLayout().getTypeSizeInBits(type));
    return type->isPointerTy() ? b.CreatePtrToInt(v, bits) : b.CreateBitCast(v, bits);
  }

  Value *fromBits(IRBuilderBase &b, Value *v, Type *type) {
    return type->isPointerTy() ? b.CreateIntToPtr(v, type) : b.CreateBitCast(v, type);
  }

  /// Returns a word that is never reserved: a store-conditional to it fails.
  GlobalVariable *unreserved() {
    constexpr StringLiteral name = "__vx_unreserved";
    Module &m = *f.getParent();
    if (GlobalVariable *word = m.getNamedGlobal(name))
      return word;
    auto *word = new GlobalVariable(m, xt, false, GlobalValue::InternalLinkage,
                                    Constant::getNullValue(xt), name);
    word->setAlignment(Align(8));
    return word;
  }

  /// Emits one attempt to replace *PTR by DESIRED if it equals EXPECTED (values sign-extended to
  /// XLEN). Returns {old value, non-zero if nothing was stored, all ones if the comparison held,
  /// -}.
  CallInst *emitAttempt(IRBuilderBase &b, Value *ptr, Value *expected, Value *desired,
                        unsigned bits) {
    std::string s = bits == 64 ? ".d" : ".w";
    std::string text = "lr" + s +
                       ".aqrl $0, ($4)\n"
                       "xor $2, $0, $5\n"
                       "snez $2, $2\n"
                       "addi $2, $2, -1\n" // all ones where equal
                       "xor $3, $4, $7\n"
                       "and $3, $3, $2\n"
                       "xor $3, $3, $7\n" // the address if equal, else that of the other word
                       "sc" +
                       s + ".rl $1, $6, ($3)";
    GlobalVariable *other = unreserved();
    auto *type = FunctionType::get(StructType::get(xt, xt, xt, xt),
                                   {ptr->getType(), xt, xt, other->getType()}, false);
    auto *code = InlineAsm::get(type, text, "=&r,=&r,=&r,=&r,r,r,r,r,~{memory}", true);
    CallInst *call = b.CreateCall(code, {ptr, expected, desired, other});
    call->addFnAttr(Attribute::NoUnwind);
    return call;
  }

  /// Emits whether ATTEMPT has to be repeated: the values were equal, and others stored.
  Value *isLost(IRBuilderBase &b, CallInst *attempt) {
    Value *unstored = b.CreateExtractValue(attempt, 1), *equal = b.CreateExtractValue(attempt, 2);
    return b.CreateICmpNE(b.CreateAnd(unstored, equal), ConstantInt::get(xt, 0));
  }

  Value *extend(IRBuilderBase &b, Value *v) { return b.CreateSExtOrTrunc(v, xt); }

  /// 8 or 16 bits at PTR and where they are in the word around them.
  struct WordPart {
    Value *ptr, *word, *shift, *mask;
    unsigned bits;
  };

  WordPart partAt(IRBuilderBase &b, Value *ptr, unsigned bits) {
    Value *address = b.CreatePtrToInt(ptr, xt);
    Value *word =
        b.CreateIntToPtr(b.CreateAnd(address, ConstantInt::getSigned(xt, -4)), ptr->getType());
    Value *shift = b.CreateShl(b.CreateTrunc(b.CreateAnd(address, 3), b.getInt32Ty()), 3);
    return {ptr, word, shift, b.CreateShl(b.getInt32((1u << bits) - 1), shift), bits};
  }

  /// Emits an attempt for a part of a word: the rest of the word is stored as it was loaded.
  CallInst *emitPartAttempt(IRBuilderBase &b, const WordPart &part, Value *expected,
                            Value *desired) {
    auto inPlace = [&](Value *v) {
      return extend(b, b.CreateShl(b.CreateZExt(v, b.getInt32Ty()), part.shift));
    };
    unsigned hint = part.bits == 8 ? VX_HINT_ATOMIC_BYTE : VX_HINT_ATOMIC_HALF;
    std::string text = "slti x0, $4, " + std::to_string(hint) +
                       "\n"
                       "lr.w.aqrl $0, ($5)\n"
                       "xor $2, $0, $6\n"
                       "and $2, $2, $8\n"
                       "snez $2, $2\n"
                       "addi $2, $2, -1\n" // all ones where equal
                       "xor $1, $5, $9\n"
                       "and $1, $1, $2\n"
                       "xor $1, $1, $9\n" // the address if equal, else that of the other word
                       "xor $3, $0, $7\n"
                       "and $3, $3, $8\n"
                       "xor $3, $3, $0\n"
                       "sc.w.rl $1, $3, ($1)";
    Type *pointer = part.ptr->getType();
    GlobalVariable *other = unreserved();
    auto *type = FunctionType::get(StructType::get(xt, xt, xt, xt),
                                   {pointer, pointer, xt, xt, xt, other->getType()}, false);
    auto *code = InlineAsm::get(type, text, "=&r,=&r,=&r,=&r,r,r,r,r,r,r,~{memory}", true);
    CallInst *call = b.CreateCall(code, {part.ptr, part.word, inPlace(expected), inPlace(desired),
                                         extend(b, part.mask), other});
    call->addFnAttr(Attribute::NoUnwind);
    return call;
  }

  /// Emits the value that emitPartAttempt found at the place.
  Value *seenPart(IRBuilderBase &b, const WordPart &part, CallInst *attempt) {
    Value *seen = b.CreateTrunc(b.CreateExtractValue(attempt, 0), b.getInt32Ty());
    return b.CreateTrunc(b.CreateLShr(seen, part.shift), b.getIntNTy(part.bits));
  }

  void expandCmpXchg(AtomicCmpXchgInst &cas) {
    IRBuilder<> b(&cas);
    Type *type = cas.getCompareOperand()->getType();
    Value *expected = toBits(b, cas.getCompareOperand());
    Value *desired = toBits(b, cas.getNewValOperand());
    Value *old = isPartWord(type) ? partWordCas(cas, expected, desired)
                                  : wordCas(cas, cas.getPointerOperand(), expected, desired);
    b.SetInsertPoint(&cas);
    Value *r = b.CreateInsertValue(PoisonValue::get(cas.getType()), fromBits(b, old, type), 0);
    r = b.CreateInsertValue(r, b.CreateICmpEQ(old, expected), 1);
    cas.replaceAllUsesWith(r);
    cas.eraseFromParent();
  }

  bool isPartWord(Type *type) const { return f.getDataLayout().getTypeSizeInBits(type) < 32; }

  /// Emits the loop for a 32-bit or XLEN-bit compare-and-swap before AT; yields the old value.
  Value *wordCas(Instruction &at, Value *ptr, Value *expected, Value *desired) {
    IRBuilder<> b(&at);
    unsigned bits = expected->getType()->getIntegerBitWidth();
    Value *e = extend(b, expected), *d = extend(b, desired);
    AtomicLoop loop = makeAtomicLoop(at);
    b.SetInsertPoint(loop.body);
    b.SetCurrentDebugLocation(at.getDebugLoc());
    CallInst *attempt = emitAttempt(b, ptr, e, d, bits);
    Value *old = b.CreateTrunc(b.CreateExtractValue(attempt, 0), expected->getType());
    b.CreateCondBr(isLost(b, attempt), retry(loop), loop.after);
    return old;
  }

  /// Returns where the loop continues after a failed attempt; its body must be complete except for
  /// the branch.
  BasicBlock *retry(const AtomicLoop &loop) {
    if (getIsa(*f.getParent()) != abi::IsaProfile::Upstream)
      return loop.body;
    constexpr uint32_t kLongestWait = 15; // turns of the loop below, of some 30 cycles
    LLVMContext &context = f.getContext();
    BasicBlock *before = loop.body->getSinglePredecessor();
    auto *failed = BasicBlock::Create(context, "atomic.failed", &f, loop.after);
    auto *wait = BasicBlock::Create(context, "atomic.wait", &f, loop.after);
    IRBuilder<> b(loop.body, loop.body->begin());
    PHINode *round = b.CreatePHI(b.getInt32Ty(), 2);
    b.SetInsertPoint(failed);
    Value *next = b.CreateAdd(round, b.getInt32(1));
    Value *warp = b.CreateZExtOrTrunc(emitCsrRead(b, VX_CSR_WARP_ID), b.getInt32Ty());
    Value *turns = b.CreateAnd(b.CreateMul(next, b.CreateAdd(warp, b.getInt32(1))), kLongestWait);
    b.CreateBr(wait);
    round->addIncoming(b.getInt32(0), before);
    round->addIncoming(next, wait);
    b.SetInsertPoint(wait);
    PHINode *left = b.CreatePHI(b.getInt32Ty(), 2);
    left->addIncoming(turns, failed);
    left->addIncoming(b.CreateSub(left, b.getInt32(1)), wait);
    // The loop must not be computed away.
    b.CreateCall(InlineAsm::get(FunctionType::get(b.getVoidTy(), false), "nop", "", true));
    b.CreateCondBr(b.CreateICmpEQ(left, b.getInt32(0)), loop.body, wait);
    return failed;
  }

  /// Emits a compare-and-swap of 8 or 16 bits, which are a part of a word.
  Value *partWordCas(AtomicCmpXchgInst &cas, Value *expected, Value *desired) {
    IRBuilder<> b(&cas);
    WordPart part = partAt(b, cas.getPointerOperand(), expected->getType()->getIntegerBitWidth());
    AtomicLoop loop = makeAtomicLoop(cas);
    b.SetInsertPoint(loop.body);
    b.SetCurrentDebugLocation(cas.getDebugLoc());
    CallInst *attempt = emitPartAttempt(b, part, expected, desired);
    Value *old = seenPart(b, part, attempt);
    b.CreateCondBr(isLost(b, attempt), retry(loop), loop.after);
    return old;
  }

  void expandRmw(AtomicRMWInst &rmw) {
    if (rmw.getOperation() == AtomicRMWInst::Xchg && !isPartWord(rmw.getType()) &&
        f.getDataLayout().getTypeSizeInBits(rmw.getType()) <= xlen) {
      expandFloatXchg(rmw);
      return;
    }
    // old = *p; while (!cas(p, old, op(old, v)));
    Type *type = rmw.getType();
    IRBuilder<> b(&rmw);
    AtomicLoop loop = makeAtomicLoop(rmw);
    b.SetInsertPoint(loop.body);
    b.SetCurrentDebugLocation(rmw.getDebugLoc());
    auto *now = b.CreateAlignedLoad(type, rmw.getPointerOperand(), rmw.getAlign(), true);
    Value *next = buildAtomicRMWValue(rmw.getOperation(), b, now, rmw.getValOperand());
    auto *cas = b.CreateAtomicCmpXchg(rmw.getPointerOperand(), toBits(b, now), toBits(b, next),
                                      rmw.getAlign(), AtomicOrdering::Monotonic,
                                      AtomicOrdering::Monotonic, rmw.getSyncScopeID());
    b.CreateCondBr(b.CreateExtractValue(cas, 1), loop.after, retry(loop));
    rmw.replaceAllUsesWith(now);
    rmw.eraseFromParent();
    expandCmpXchgAttempt(*cas);
  }

  /// A compare-and-swap inside a retry loop needs no loop of its own: one attempt is enough.
  void expandCmpXchgAttempt(AtomicCmpXchgInst &cas) {
    Value *expected = cas.getCompareOperand(), *desired = cas.getNewValOperand();
    unsigned bits = expected->getType()->getIntegerBitWidth();
    IRBuilder<> b(&cas);
    CallInst *attempt;
    Value *old;
    if (isPartWord(expected->getType())) {
      WordPart part = partAt(b, cas.getPointerOperand(), bits);
      attempt = emitPartAttempt(b, part, expected, desired);
      old = seenPart(b, part, attempt);
    } else {
      attempt =
          emitAttempt(b, cas.getPointerOperand(), extend(b, expected), extend(b, desired), bits);
      old = b.CreateTrunc(b.CreateExtractValue(attempt, 0), expected->getType());
    }
    Value *stored = b.CreateICmpEQ(b.CreateExtractValue(attempt, 1), ConstantInt::get(xt, 0));
    Value *done = b.CreateAnd(stored, b.CreateICmpEQ(old, expected));
    Value *r = b.CreateInsertValue(PoisonValue::get(cas.getType()), old, 0);
    cas.replaceAllUsesWith(b.CreateInsertValue(r, done, 1));
    cas.eraseFromParent();
  }

  void expandFloatXchg(AtomicRMWInst &rmw) {
    IRBuilder<> b(&rmw);
    Value *old = b.CreateAtomicRMW(AtomicRMWInst::Xchg, rmw.getPointerOperand(),
                                   toBits(b, rmw.getValOperand()), rmw.getAlign(),
                                   rmw.getOrdering(), rmw.getSyncScopeID());
    rmw.replaceAllUsesWith(fromBits(b, old, rmw.getType()));
    rmw.eraseFromParent();
  }

  Function &f;
  unsigned xlen;
  Type *xt;
};

} // namespace

PreservedAnalyses ExpandAtomicsPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !AtomicExpander(f).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

} // namespace vx
