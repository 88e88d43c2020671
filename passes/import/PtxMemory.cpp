// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: loads, stores, atomics, prefetches and conversions of addresses. Cache operators and
// scopes are accepted and mean nothing here: all memory is coherent at device scope.

#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Shared memory is addressed in its own space; everything else is generic.
unsigned spaceOf(const PtxStatement &s) {
  return s.has("shared") ? kSharedAS : kGenericAS;
}

AtomicOrdering orderingOf(const PtxStatement &s) {
  if (s.has("acq_rel"))
    return AtomicOrdering::AcquireRelease;
  if (s.has("acquire"))
    return AtomicOrdering::Acquire;
  if (s.has("release"))
    return AtomicOrdering::Release;
  return s.has("relaxed") ? AtomicOrdering::Monotonic : AtomicOrdering::NotAtomic;
}

/// Only loads acquire, only stores release, and neither is atomic beyond 64 bits.
bool isLegalAccess(PtxContext &c, const PtxStatement &s, PtxType t, AtomicOrdering strongest) {
  AtomicOrdering order = orderingOf(s);
  if (order == AtomicOrdering::NotAtomic ||
      (t.bits <= 64 && (order == AtomicOrdering::Monotonic || order == strongest)))
    return true;
  c.failUnknown(s);
  return false;
}

/// Accesses past the cache of a core, by which blocks tell each other something without the word
/// volatile, count for the checkers as if it were there.
bool isVolatile(const PtxContext &c, const PtxStatement &s) {
  return s.has("volatile") || (deviceOption::forCheckers(*c.call.getModule()) &&
                               (s.has("cg") || s.has("cv") || s.has("wt")));
}

/// Sub-word integers are kept as 32 bits, extended by the sign of the type.
void emitLoad(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  if (!isLegalAccess(c, s, t, AtomicOrdering::Acquire))
    return;
  Type *type = t.irType(c.call.getContext());
  Value *p = c.readAddress(s.operands[1], spaceOf(s));
  for (auto [i, o] : enumerate(elements(s.operands[0]))) {
    Value *at = i ? c.b.CreateConstInBoundsGEP1_64(type, p, i) : p;
    LoadInst *load = c.b.CreateAlignedLoad(type, at, Align(t.bits / 8));
    load->setVolatile(isVolatile(c, s));
    if (orderingOf(s) != AtomicOrdering::NotAtomic)
      load->setAtomic(orderingOf(s));
    bool narrow = !t.isFloat() && t.bits < 32;
    c.write(o, narrow ? c.b.CreateIntCast(load, c.b.getInt32Ty(), t.isSigned()) : load);
  }
}

void emitStore(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  if (!isLegalAccess(c, s, t, AtomicOrdering::Release))
    return;
  Type *type = t.irType(c.call.getContext());
  Value *p = c.readAddress(s.operands[0], spaceOf(s));
  for (auto [i, o] : enumerate(elements(s.operands[1]))) {
    Value *at = i ? c.b.CreateConstInBoundsGEP1_64(type, p, i) : p;
    StoreInst *store = c.b.CreateAlignedStore(c.read(o, t), at, Align(t.bits / 8));
    store->setVolatile(isVolatile(c, s));
    if (orderingOf(s) != AtomicOrdering::NotAtomic)
      store->setAtomic(orderingOf(s));
  }
}

AtomicRMWInst::BinOp atomicOp(const PtxStatement &s, PtxType t) {
  for (StringRef word : s.words) {
    auto op = StringSwitch<AtomicRMWInst::BinOp>(word)
                  .Case("add", t.isFloat() ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                  .Case("and", AtomicRMWInst::And)
                  .Case("or", AtomicRMWInst::Or)
                  .Case("xor", AtomicRMWInst::Xor)
                  .Case("exch", AtomicRMWInst::Xchg)
                  .Case("min", t.isSigned() ? AtomicRMWInst::Min : AtomicRMWInst::UMin)
                  .Case("max", t.isSigned() ? AtomicRMWInst::Max : AtomicRMWInst::UMax)
                  .Case("inc", AtomicRMWInst::UIncWrap)
                  .Case("dec", AtomicRMWInst::UDecWrap)
                  .Default(AtomicRMWInst::BAD_BINOP);
    if (op != AtomicRMWInst::BAD_BINOP)
      return op;
  }
  return AtomicRMWInst::BAD_BINOP;
}

/// Emits code for atom d, [a], b{, c} and red [a], b: the operands after the address, the old value
/// returned.
Value *atomic(PtxContext &c, const PtxStatement &s, unsigned address) {
  PtxType t = typeOf(c, s);
  Value *p = c.readAddress(s.operands[address], spaceOf(s));
  AtomicOrdering order = orderingOf(s);
  if (order == AtomicOrdering::NotAtomic)
    order = AtomicOrdering::Monotonic;
  if (s.has("cas")) {
    if (s.operands.size() < 4 || t.isFloat()) {
      c.failUnknown(s);
      return nullptr;
    }
    Value *pair =
        c.b.CreateAtomicCmpXchg(p, c.read(s.operands[2], t), c.read(s.operands[3], t), MaybeAlign(),
                                order, AtomicCmpXchgInst::getStrongestFailureOrdering(order));
    return c.b.CreateExtractValue(pair, 0);
  }
  AtomicRMWInst::BinOp op = atomicOp(s, t);
  bool floatOp = op == AtomicRMWInst::FAdd || op == AtomicRMWInst::Xchg;
  if (op == AtomicRMWInst::BAD_BINOP || (t.isFloat() && !floatOp) ||
      s.operands[address + 1].kind == PtxOperand::List) {
    c.failUnknown(s);
    return nullptr;
  }
  return c.b.CreateAtomicRMW(op, p, c.read(s.operands[address + 1], t), MaybeAlign(), order);
}

void emitAtom(PtxContext &c, const PtxStatement &s) {
  if (Value *old = atomic(c, s, 1))
    c.write(s.operands[0], old);
}

void emitRed(PtxContext &c, const PtxStatement &s) {
  atomic(c, s, 0);
}

/// cvta.shared and cvta.to.shared change the space; the other forms copy.
void emitCvta(PtxContext &c, const PtxStatement &s) {
  PtxType t = typeOf(c, s);
  Value *v = c.read(s.operands[1], t);
  if (s.has("shared")) {
    unsigned from = s.has("to") ? kGenericAS : kSharedAS;
    unsigned to = s.has("to") ? kSharedAS : kGenericAS;
    Value *p = c.read(s.operands[1], c.b.getPtrTy(from));
    v = c.b.CreatePtrToInt(c.b.CreateAddrSpaceCast(p, c.b.getPtrTy(to)), v->getType());
  }
  c.write(s.operands[0], v);
}

/// Emits mapa d, a, rank: generic addresses; mapa.shared::cluster: shared ones, from where the
/// block's own shared memory starts.
void emitMapa(PtxContext &c, const PtxStatement &s) {
  Type *type = c.b.getPtrTy(spaceOf(s));
  Value *rank = c.read(s.operands[2], c.b.getInt32Ty());
  Value *mapped = emitClusterMap(c.b, c.read(s.operands[1], type), rank, type);
  c.write(s.operands[0], c.b.CreatePtrToInt(mapped, typeOf(c, s).irType(c.b.getContext())));
}

void emitIsspacep(PtxContext &c, const PtxStatement &s) {
  Value *shared = emitIsShared(c.b, c.read(s.operands[1], c.b.getPtrTy(kGenericAS)));
  if (s.has("shared"))
    return c.write(s.operands[0], shared);
  if (s.has("global"))
    return c.write(s.operands[0], c.b.CreateNot(shared));
  if (s.has("const") || s.has("local") || s.has("param")) // they are in global memory
    return c.write(s.operands[0], c.b.getFalse());
  c.failUnknown(s);
}

constexpr PtxInstruction kMemoryInstructions[] = {
    {"ld", 2, emitLoad, true, "i8fq"},
    {"ldu", 2, emitLoad, true, "i8fq"},
    {"st", 2, emitStore, true, "i8fq"},
    {"atom", 3, emitAtom, true, "if"},
    {"red", 2, emitRed, true, "if"},
    {"prefetch", 1, emitNothing, false, ""},
    {"prefetchu", 1, emitNothing, false, ""},
    {"discard", 1, emitNothing, false, ""},
    {"applypriority", 1, emitNothing, false, ""},
    {"cvta", 2, emitCvta, false, "i"},
    {"mapa", 3, emitMapa, false, "i"},
    {"isspacep", 2, emitIsspacep, false, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxMemoryInstructions() {
  return kMemoryInstructions;
}

} // namespace vx::import
