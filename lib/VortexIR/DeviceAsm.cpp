// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/DeviceAsm.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/KernelTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

// Base SIMT instructions: R-type, CUSTOM0, funct7 = 0 (isa: section 1).
enum Funct3 { kTmc = 0, kSplit = 2, kJoin = 3, kBar = 4, kPred = 5 };

std::string insn(unsigned funct3, StringRef rd, StringRef rs1, StringRef rs2) {
  return (".insn r 0x0B, " + Twine(funct3) + ", 0, " + rd + ", " + rs1 + ", " + rs2).str();
}

std::string marked(const std::string &text, StringRef kind, unsigned id) {
  return (Twine(text) + " # vx." + kind + " " + Twine(id)).str();
}

Type *xlenType(IRBuilderBase &b) {
  return b.getIntNTy(b.GetInsertBlock()->getModule()->getDataLayout().getPointerSizeInBits());
}

enum class AsmEffect { Pure, SideEffect, Memory };

CallInst *emitAsm(IRBuilderBase &b, Type *result, ArrayRef<Value *> args, const std::string &text,
                  StringRef constraints, AsmEffect effect, bool convergent) {
  SmallVector<Type *, 4> types;
  for (Value *a : args)
    types.push_back(a->getType());
  std::string full = constraints.str();
  if (effect == AsmEffect::Memory)
    full += full.empty() ? "~{memory}" : ",~{memory}";
  auto *inlineAsm = InlineAsm::get(FunctionType::get(result, types, false), text, full,
                                   effect != AsmEffect::Pure);
  CallInst *call = b.CreateCall(inlineAsm, args);
  call->addFnAttr(Attribute::NoUnwind);
  call->addFnAttr(Attribute::WillReturn);
  if (effect != AsmEffect::Memory)
    call->setMemoryEffects(effect == AsmEffect::Pure ? MemoryEffects::none()
                                                     : MemoryEffects::inaccessibleMemOnly());
  if (convergent)
    call->setConvergent();
  return call;
}

Value *toXlen(IRBuilderBase &b, Value *v) {
  return b.CreateZExtOrTrunc(v, xlenType(b));
}

Value *isNonZero(IRBuilderBase &b, Value *v) {
  return b.CreateICmpNE(v, ConstantInt::get(v->getType(), 0));
}

} // namespace

Value *emitCsrRead(IRBuilderBase &b, unsigned csr) {
  return emitAsm(b, xlenType(b), {}, "csrr $0, 0x" + utohexstr(csr), "=r", AsmEffect::Pure, false);
}

Value *emitCounterRead(IRBuilderBase &b, unsigned csr) {
  return emitAsm(b, xlenType(b), {}, "csrr $0, 0x" + utohexstr(csr), "=r", AsmEffect::Memory,
                 false);
}

bool isCounterCsr(unsigned csr) {
  return csr >= 0xB00 && csr < 0xB20;
}

Value *emitCounterRead64(IRBuilderBase &b, unsigned csr) {
  if (xlenType(b)->isIntegerTy(64))
    return emitCounterRead(b, csr);
  Value *before = emitCounterRead(b, csr + 0x80);
  Value *low = emitCounterRead(b, csr);
  Value *after = emitCounterRead(b, csr + 0x80);
  // A carry between the two reads of the high half came before the low half was read if that is
  // small by now.
  Value *carried = b.CreateICmpSGE(low, b.getInt32(0));
  Value *high = b.CreateSelect(carried, after, before);
  return b.CreateOr(b.CreateZExt(low, b.getInt64Ty()),
                    b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
}

SplitResult emitSplit(IRBuilderBase &b, Value *cond, unsigned id) {
  Type *xt = xlenType(b);
  // The condition passes through, so that nothing can look behind it and re-create the branch in
  // another form; "&" keeps the token's register apart from the predicate's.
  auto *call = emitAsm(b, StructType::get(xt, xt), {toXlen(b, cond)},
                       marked(insn(kSplit, "$0", "$2", "x0"), "split", id), "=&r,=r,1",
                       AsmEffect::SideEffect, true);
  return {b.CreateExtractValue(call, 0), isNonZero(b, b.CreateExtractValue(call, 1))};
}

void emitJoin(IRBuilderBase &b, Value *token, unsigned id) {
  emitAsm(b, b.getVoidTy(), {token}, marked(insn(kJoin, "x0", "$0", "x0"), "join", id), "r",
          AsmEffect::SideEffect, true);
}

Value *emitSaveMask(IRBuilderBase &b, unsigned id) {
  return emitAsm(b, xlenType(b), {},
                 marked("csrr $0, 0x" + utohexstr(VX_CSR_ACTIVE_THREADS), "mask", id), "=r",
                 AsmEffect::SideEffect, true);
}

Value *emitPred(IRBuilderBase &b, Value *stay, Value *savedMask, unsigned id) {
  auto *call = emitAsm(b, xlenType(b), {toXlen(b, stay), savedMask},
                       marked(insn(kPred, "x0", "$1", "$2"), "pred", id), "=r,0,r",
                       AsmEffect::SideEffect, true);
  return isNonZero(b, call);
}

Value *emitUniformMark(IRBuilderBase &b, Value *v, unsigned id) {
  // The address of this point goes to a section that is not loaded, so that the property can be
  // checked on the linked image.
  std::string section = abi::kUniformBranchSection;
  std::string text =
      ".Lvxu${:uid}: .pushsection " + section + ",\"\",@progbits; .dword .Lvxu${:uid}; .popsection";
  if (xlenType(b)->getIntegerBitWidth() == 32)
    text = ".Lvxu${:uid}: .pushsection " + section +
           ",\"\",@progbits; .word .Lvxu${:uid}; .word 0; .popsection";
  return emitAsm(b, xlenType(b), {v}, marked(text, "uniform", id), "=r,0", AsmEffect::SideEffect,
                 true);
}

void emitHwBarrier(IRBuilderBase &b, Value *id, Value *count) {
  emitAsm(b, b.getVoidTy(), {toXlen(b, id), toXlen(b, count)}, insn(kBar, "x0", "$0", "$1"), "r,r",
          AsmEffect::Memory, true);
}

void emitTmc(IRBuilderBase &b, Value *mask) {
  emitAsm(b, b.getVoidTy(), {toXlen(b, mask)}, insn(kTmc, "x0", "$0", "x0"), "r", AsmEffect::Memory,
          true);
}

void emitHint(IRBuilderBase &b, unsigned what, Value *linear) {
  // A 32-bit number needs no extension: readers take its low half.
  if (linear->getType()->getIntegerBitWidth() > 32)
    linear = toXlen(b, linear);
  emitAsm(b, b.getVoidTy(), {linear}, "slti x0, $0, " + std::to_string(what), "r",
          AsmEffect::SideEffect, false);
}

void emitFence(IRBuilderBase &b) {
  emitAsm(b, b.getVoidTy(), {}, "fence rw, rw", "", AsmEffect::Memory, false);
}

Value *emitOpaque(IRBuilderBase &b, Value *v) {
  return emitAsm(b, v->getType(), {v}, "", "=r,0", AsmEffect::SideEffect, true);
}

std::optional<unsigned> getReadCsr(const InlineAsm &inlineAsm) {
  StringRef text = inlineAsm.getAsmString();
  unsigned csr = 0;
  if (!text.consume_front("csrr $0, 0x") || text.split(' ').first.getAsInteger(16, csr))
    return std::nullopt;
  return csr;
}

bool isUniformAsm(const InlineAsm &inlineAsm) {
  auto csr = getReadCsr(inlineAsm);
  return csr && *csr != VX_CSR_THREAD_ID && *csr != VX_CSR_MHARTID;
}

StringRef getMarker(StringRef asmText) {
  size_t at = asmText.find("# vx.");
  return at == StringRef::npos ? StringRef() : asmText.substr(at + 5).rtrim();
}

} // namespace vx
