// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-narrow32: from IR with 64-bit pointers to IR with 32-bit pointers that keeps every object in
// memory where it was.
//
// Host and device share structures, so a pointer in memory keeps its 8-byte slot on RV32: the low
// half is the pointer, the high half is zero. Everything before this pass works with the 64-bit
// layout, as the host does. Here that layout is made explicit, so that nothing depends on it when
// the module switches to the 32-bit one:
//
//   addresses    getelementptr becomes an addition of bytes, also inside constants
//   objects      locals, globals, byval and sret types that hold pointers (or integers of more than
//                64 bits, whose alignment differs) become bytes; initializers {pointer, zero}
//   loads        of aggregates and vectors with pointers are split; a pointer load reads the
//                low half of its slot
//   stores       the same; a pointer store clears the high half of its slot
//   atomics      on pointers become atomics on the 64-bit slot
//   lengths      of memcpy and its like, and masks of pointers, become 32 bits wide
//   assembly     with 64-bit operands (CSR reads of pointer width) takes 32-bit ones
//
// Pointers as values, in registers and signatures, need nothing: they just get narrower.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/Passes.h"
#include "passes/lower/NarrowLayout.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace vx {
namespace {

constexpr StringLiteral kNarrowLayout = "e-m:e-p:32:32-i64:64-n32-S128";

class Narrowing {
public:
  explicit Narrowing(Module &m)
      : m(m), layout(m.getContext(), m.getDataLayout()), ctx(m.getContext()),
        i32(Type::getInt32Ty(ctx)), i64(Type::getInt64Ty(ctx)) {}

  void run() {
    for (Function &f : m)
      narrowFunction(f);
    for (GlobalVariable &g : make_early_inc_range(m.globals()))
      narrowGlobal(g);
    m.setDataLayout(kNarrowLayout);
    m.setTargetTriple(Triple("riscv32-unknown-elf"));
    // With the new layout in place, assembly is emitted for the narrow machine.
    for (Function &f : m)
      for (Instruction &i : make_early_inc_range(instructions(f)))
        if (auto *call = dyn_cast<CallInst>(&i); call && call->isInlineAsm())
          narrowAsm(*call);
  }

private:
  void narrowGlobal(GlobalVariable &g) {
    bool dependent = g.hasInitializer() ? NarrowLayout::needsFlattening(g.getInitializer())
                                        : isLayoutDependent(g.getValueType());
    if (!dependent || g.getName().starts_with("llvm."))
      return;
    Constant *init = g.hasInitializer() ? layout.flattenInitializer(g.getInitializer()) : nullptr;
    Type *type = init ? init->getType() : layout.bytesOf(g.getValueType());
    auto *n = new GlobalVariable(m, type, g.isConstant(), g.getLinkage(), init, "", &g,
                                 g.getThreadLocalMode(), g.getAddressSpace(),
                                 g.isExternallyInitialized());
    n->copyAttributesFrom(&g);
    n->copyMetadata(&g, 0);
    n->setAlignment(layout.wide.getValueOrABITypeAlignment(g.getAlign(), g.getValueType()));
    n->setComdat(g.getComdat());
    n->takeName(&g);
    g.replaceAllUsesWith(n);
    g.eraseFromParent();
  }

  // --- functions ---

  void narrowFunction(Function &f) {
    for (Argument &arg : f.args())
      if (Type *t = arg.getPointeeInMemoryValueType(); t && isLayoutDependent(t))
        narrowParam(f, arg.getArgNo(), t);
    SmallVector<Instruction *, 64> work;
    for (Instruction &i : instructions(f))
      work.push_back(&i);
    for (Instruction *i : work) {
      for (Use &u : i->operands())
        if (isa<ConstantExpr>(u) || isa<ConstantAggregate>(u))
          u.set(layout.narrowConstant(cast<Constant>(u)));
      narrowInstruction(*i);
    }
  }

  /// F is a function or a call of one.
  template <typename T> void narrowParam(T &f, unsigned i, Type *t) {
    Align align = f.getParamAlign(i).value_or(layout.wide.getABITypeAlign(t));
    for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::StructRet}) {
      if (!f.getAttributes().hasParamAttr(i, kind))
        continue;
      f.removeParamAttr(i, kind);
      f.addParamAttr(i, Attribute::get(ctx, kind, layout.bytesOf(t)));
    }
    f.removeParamAttr(i, Attribute::Alignment);
    f.addParamAttr(i, Attribute::getWithAlignment(ctx, align));
  }

  void narrowInstruction(Instruction &i) {
    if (auto *gep = dyn_cast<GetElementPtrInst>(&i))
      narrowAddress(*gep);
    else if (auto *alloca = dyn_cast<AllocaInst>(&i))
      narrowLocal(*alloca);
    else if (auto *load = dyn_cast<LoadInst>(&i))
      narrowLoad(*load);
    else if (auto *store = dyn_cast<StoreInst>(&i))
      narrowStore(*store);
    else if (auto *rmw = dyn_cast<AtomicRMWInst>(&i))
      narrowRmw(*rmw);
    else if (auto *cas = dyn_cast<AtomicCmpXchgInst>(&i))
      narrowCmpXchg(*cas);
    else if (auto *call = dyn_cast<CallBase>(&i))
      narrowCall(*call);
  }

  void replace(Instruction &i, Value *v) {
    if (isa<Instruction>(v))
      v->takeName(&i);
    i.replaceAllUsesWith(v);
    i.eraseFromParent();
  }

  void narrowAddress(GetElementPtrInst &gep) {
    IRBuilder<> b(&gep);
    Value *offset = emitGEPOffset(&b, layout.wide, &gep, /*NoAssumptions=*/true);
    Type *narrow = offset->getType()->getWithNewBitWidth(32);
    auto flags = gep.isInBounds() ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none();
    replace(gep, b.CreatePtrAdd(gep.getPointerOperand(), b.CreateTrunc(offset, narrow), "", flags));
  }

  void narrowLocal(AllocaInst &local) {
    if (isLayoutDependent(local.getAllocatedType()))
      local.setAllocatedType(layout.bytesOf(local.getAllocatedType()));
  }

  // --- memory accesses ---

  Value *advance(IRBuilderBase &b, Value *p, uint64_t offset) {
    return offset ? b.CreatePtrAdd(p, b.getInt32(offset)) : p;
  }

  Value *loadParts(IRBuilderBase &b, Type *t, uint64_t offset, LoadInst &whole) {
    if (!isDecomposed(t)) {
      auto *load =
          b.CreateAlignedLoad(t, advance(b, whole.getPointerOperand(), offset),
                              commonAlignment(whole.getAlign(), offset), whole.isVolatile());
      load->copyMetadata(whole, {LLVMContext::MD_invariant_load, LLVMContext::MD_nontemporal});
      return load;
    }
    Value *r = PoisonValue::get(t);
    for (unsigned i = 0, n = countElements(t); i < n; ++i) {
      auto [at, type] = layout.elementAt(t, i);
      Value *part = loadParts(b, type, offset + at, whole);
      r = t->isVectorTy() ? b.CreateInsertElement(r, part, i) : b.CreateInsertValue(r, part, i);
    }
    return r;
  }

  void narrowLoad(LoadInst &load) {
    if (!isDecomposed(load.getType()))
      return;
    IRBuilder<> b(&load);
    replace(load, loadParts(b, load.getType(), 0, load));
  }

  void storeParts(IRBuilderBase &b, Value *v, uint64_t offset, StoreInst &whole) {
    Type *t = v->getType();
    Align align = commonAlignment(whole.getAlign(), offset);
    if (isDecomposed(t)) {
      for (unsigned i = 0, n = countElements(t); i < n; ++i)
        storeParts(b, t->isVectorTy() ? b.CreateExtractElement(v, i) : b.CreateExtractValue(v, i),
                   offset + layout.elementAt(t, i).first, whole);
      return;
    }
    Value *at = advance(b, whole.getPointerOperand(), offset);
    if (t->isPointerTy())
      clearHighHalf(b, at, align, whole.isVolatile());
    b.CreateAlignedStore(v, at, align, whole.isVolatile());
  }

  /// Clears the high half of a slot before the low half becomes visible.
  void clearHighHalf(IRBuilderBase &b, Value *slot, Align align, bool isVolatile) {
    b.CreateAlignedStore(b.getInt32(0), advance(b, slot, 4), commonAlignment(align, 4), isVolatile);
  }

  void narrowStore(StoreInst &store) {
    Type *t = store.getValueOperand()->getType();
    IRBuilder<> b(&store);
    if (t->isPointerTy()) {
      clearHighHalf(b, store.getPointerOperand(), store.getAlign(), store.isVolatile());
    } else if (isDecomposed(t)) {
      storeParts(b, store.getValueOperand(), 0, store);
      store.eraseFromParent();
    }
  }

  void narrowRmw(AtomicRMWInst &rmw) {
    if (!rmw.getType()->isPointerTy())
      return;
    IRBuilder<> b(&rmw);
    auto *slot = b.CreateAtomicRMW(rmw.getOperation(), rmw.getPointerOperand(),
                                   b.CreatePtrToInt(rmw.getValOperand(), i64), rmw.getAlign(),
                                   rmw.getOrdering(), rmw.getSyncScopeID());
    slot->setVolatile(rmw.isVolatile());
    replace(rmw, b.CreateIntToPtr(slot, rmw.getType()));
  }

  void narrowCmpXchg(AtomicCmpXchgInst &cas) {
    Type *t = cas.getNewValOperand()->getType();
    if (!t->isPointerTy())
      return;
    IRBuilder<> b(&cas);
    auto *slot = b.CreateAtomicCmpXchg(
        cas.getPointerOperand(), b.CreatePtrToInt(cas.getCompareOperand(), i64),
        b.CreatePtrToInt(cas.getNewValOperand(), i64), cas.getAlign(), cas.getSuccessOrdering(),
        cas.getFailureOrdering(), cas.getSyncScopeID());
    slot->setVolatile(cas.isVolatile());
    Value *old = b.CreateIntToPtr(b.CreateExtractValue(slot, 0), t);
    Value *r = b.CreateInsertValue(PoisonValue::get(cas.getType()), old, 0);
    replace(cas, b.CreateInsertValue(r, b.CreateExtractValue(slot, 1), 1));
  }

  // --- calls ---

  void narrowCall(CallBase &call) {
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      Type *t = call.getParamByValType(i);
      if (!t)
        t = call.getParamStructRetType(i);
      if (t && isLayoutDependent(t))
        narrowParam(call, i, t);
    }
    auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
    if (!intrinsic)
      return;
    if (auto *mem = dyn_cast<MemIntrinsic>(intrinsic))
      narrowOperand(*mem, 2, {mem->getArgOperand(0)->getType(), mem->getArgOperand(1)->getType()});
    else if (intrinsic->getIntrinsicID() == Intrinsic::ptrmask)
      narrowOperand(*intrinsic, 1, {intrinsic->getType()});
  }

  /// Replaces CALL by the same intrinsic overloaded on TYPES and i32, the type of operand AT.
  void narrowOperand(IntrinsicInst &call, unsigned at, SmallVector<Type *, 3> types) {
    Type *narrow = call.getArgOperand(at)->getType()->getWithNewBitWidth(32);
    // memset has no type for the value that it stores.
    if (isa<MemSetInst>(call))
      types.pop_back();
    types.push_back(narrow);
    IRBuilder<> b(&call);
    SmallVector<Value *, 4> args(call.args());
    args[at] = b.CreateZExtOrTrunc(args[at], narrow);
    CallInst *n = b.CreateIntrinsic(call.getIntrinsicID(), types, args);
    n->setAttributes(call.getAttributes());
    n->copyMetadata(call);
    replace(call, n);
  }

  // --- assembly ---

  Type *narrowed(Type *t) {
    if (t == i64)
      return i32;
    auto *s = dyn_cast<StructType>(t);
    if (!s)
      return t;
    SmallVector<Type *, 4> elements;
    for (Type *e : s->elements())
      elements.push_back(narrowed(e));
    return StructType::get(ctx, elements);
  }

  Value *widen(IRBuilderBase &b, Value *v, Type *t) {
    if (!t->isStructTy())
      return v->getType() == t ? v : b.CreateZExt(v, t);
    Value *r = PoisonValue::get(t);
    for (unsigned i = 0, n = countElements(t); i < n; ++i)
      r = b.CreateInsertValue(r, widen(b, b.CreateExtractValue(v, i), t->getStructElementType(i)),
                              i);
    return r;
  }

  void narrowAsm(CallInst &call) {
    auto *code = cast<InlineAsm>(call.getCalledOperand());
    IRBuilder<> b(&call);
    if (auto csr = getReadCsr(*code); csr && isCounterCsr(*csr) && call.getType() == i64)
      return replace(call, emitCounterRead64(b, *csr));
    SmallVector<Type *, 4> types;
    SmallVector<Value *, 4> args;
    for (Value *a : call.args()) {
      types.push_back(narrowed(a->getType()));
      args.push_back(a->getType() == i64 ? b.CreateTrunc(a, i32) : a);
    }
    auto *type = FunctionType::get(narrowed(call.getType()), types, false);
    if (type == call.getFunctionType())
      return;
    auto *narrow = InlineAsm::get(type, code->getAsmString(), code->getConstraintString(),
                                  code->hasSideEffects(), code->isAlignStack(), code->getDialect());
    CallInst *n = b.CreateCall(narrow, args);
    n->setAttributes(AttributeList::get(ctx, AttributeList::FunctionIndex,
                                        AttrBuilder(ctx, call.getAttributes().getFnAttrs())));
    if (call.getType()->isVoidTy())
      call.eraseFromParent();
    else
      replace(call, widen(b, n, call.getType()));
  }

  Module &m;
  const NarrowLayout layout;
  LLVMContext &ctx;
  Type *i32, *i64;
};

} // namespace

PreservedAnalyses Narrow32Pass::run(Module &m, ModuleAnalysisManager &) {
  if (m.getDataLayout().getPointerSizeInBits() == 32)
    return PreservedAnalyses::all();
  Narrowing(m).run();
  return PreservedAnalyses::none();
}

} // namespace vx
