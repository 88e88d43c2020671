// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/DeviceAsm.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/isa/Csrs.h"
#include "intrinsics/isa/InsnTable.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns OP in the R-type form that every assembler knows, with OFFSET in bits 25… where it has
/// one.
std::string insn(isa::Op op, StringRef rd, StringRef rs1, StringRef rs2, unsigned offset = 0) {
  uint32_t match = isa::info(op).match;
  return (".insn r 0x" + Twine(utohexstr(match & 0x7f, false, 2)) + ", " + Twine(match >> 12 & 7) +
          ", " + Twine(match >> 25 | offset) + ", " + rd + ", " + rs1 + ", " + rs2)
      .str();
}

std::string marked(const std::string &text, StringRef kind, unsigned id) {
  return (Twine(text) + " # vx." + kind + " " + Twine(id)).str();
}

Type *xlenType(IRBuilderBase &b) {
  return b.getIntNTy(b.GetInsertBlock()->getModule()->getDataLayout().getPointerSizeInBits());
}

enum class AsmEffect { Pure, SideEffect, Memory, MayNotReturn };

CallInst *emitAsm(IRBuilderBase &b, Type *result, ArrayRef<Value *> args, const std::string &text,
                  StringRef constraints, AsmEffect effect, bool convergent) {
  SmallVector<Type *, 4> types;
  for (Value *a : args)
    types.push_back(a->getType());
  std::string full = constraints.str();
  bool memory = effect == AsmEffect::Memory || effect == AsmEffect::MayNotReturn;
  if (memory)
    full += full.empty() ? "~{memory}" : ",~{memory}";
  auto *inlineAsm = InlineAsm::get(FunctionType::get(result, types, false), text, full,
                                   effect != AsmEffect::Pure);
  CallInst *call = b.CreateCall(inlineAsm, args);
  call->addFnAttr(Attribute::NoUnwind);
  if (effect != AsmEffect::MayNotReturn)
    call->addFnAttr(Attribute::WillReturn);
  if (!memory)
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

Value *emitOrderedCsrRead(IRBuilderBase &b, unsigned csr) {
  return emitAsm(b, xlenType(b), {}, "csrr $0, 0x" + utohexstr(csr), "=r", AsmEffect::SideEffect,
                 true);
}

Value *emitCounterRead(IRBuilderBase &b, unsigned csr) {
  return emitAsm(b, xlenType(b), {}, "csrr $0, 0x" + utohexstr(csr), "=r", AsmEffect::Memory,
                 false);
}

bool isCounterCsr(unsigned csr) {
  return isa::isMachineCounterCsr(csr);
}

Value *emitCounterRead64(IRBuilderBase &b, unsigned csr) {
  if (xlenType(b)->isIntegerTy(64))
    return emitCounterRead(b, csr);
  Value *before = emitCounterRead(b, csr + isa::kCounterHighOffset);
  Value *low = emitCounterRead(b, csr);
  Value *after = emitCounterRead(b, csr + isa::kCounterHighOffset);
  // A carry between the two reads of the high half came before the low half was read if that is
  // small by now.
  Value *carried = b.CreateICmpSGE(low, b.getInt32(0));
  Value *high = b.CreateSelect(carried, after, before);
  return b.CreateOr(b.CreateZExt(low, b.getInt64Ty()),
                    b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32));
}

SplitResult emitSplit(IRBuilderBase &b, Value *cond, unsigned id) {
  Type *xt = xlenType(b);
  // The condition passes through, so that nothing can look through it and re-create the branch in
  // another form; "&" keeps the token's register different from the predicate's.
  auto *call = emitAsm(b, StructType::get(xt, xt), {toXlen(b, cond)},
                       marked(insn(isa::Op::VX_SPLIT, "$0", "$2", "x0"), "split", id), "=&r,=r,1",
                       AsmEffect::SideEffect, true);
  return {b.CreateExtractValue(call, 0), isNonZero(b, b.CreateExtractValue(call, 1))};
}

void emitJoin(IRBuilderBase &b, Value *token, unsigned id) {
  emitAsm(b, b.getVoidTy(), {token}, marked(insn(isa::Op::VX_JOIN, "x0", "$0", "x0"), "join", id),
          "r", AsmEffect::SideEffect, true);
}

Value *emitSaveMask(IRBuilderBase &b, unsigned id) {
  return emitAsm(b, xlenType(b), {},
                 marked("csrr $0, 0x" + utohexstr(VX_CSR_ACTIVE_THREADS), "mask", id), "=r",
                 AsmEffect::SideEffect, true);
}

Value *emitPred(IRBuilderBase &b, Value *stay, Value *savedMask, unsigned id) {
  auto *call = emitAsm(b, xlenType(b), {toXlen(b, stay), savedMask},
                       marked(insn(isa::Op::VX_PRED, "x0", "$1", "$2"), "pred", id), "=r,0,r",
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
  emitAsm(b, b.getVoidTy(), {toXlen(b, id), toXlen(b, count)},
          insn(isa::Op::VX_BAR, "x0", "$0", "$1"), "r,r", AsmEffect::Memory, true);
}

void emitTmc(IRBuilderBase &b, Value *mask) {
  emitAsm(b, b.getVoidTy(), {toXlen(b, mask)}, insn(isa::Op::VX_TMC, "x0", "$0", "x0"), "r",
          AsmEffect::Memory, true);
}

void emitTile(IRBuilderBase &b, Value *groupMask, Value *groupSize) {
  emitAsm(b, b.getVoidTy(), {toXlen(b, groupMask), toXlen(b, groupSize)},
          insn(isa::Op::VX_TILE, "x0", "$0", "$1"), "r,r", AsmEffect::Memory, true);
}

namespace {

bool isZero(const Value *v) {
  const auto *c = dyn_cast<ConstantInt>(v);
  return c && c->isZero();
}

isa::Op registerForm(WarpOp op) {
  return static_cast<isa::Op>(static_cast<int>(isa::Op::VX_VOTE_ALL) + static_cast<int>(op));
}

isa::Op constantForm(WarpOp op) {
  return static_cast<isa::Op>(static_cast<int>(isa::Op::VX_SHFL_UP_I) + static_cast<int>(op) -
                              static_cast<int>(WarpOp::ShflUp));
}
static_assert(static_cast<int>(isa::Op::VX_SHFL_IDX) - static_cast<int>(isa::Op::VX_VOTE_ALL) ==
                      static_cast<int>(WarpOp::ShflIdx) &&
                  static_cast<int>(isa::Op::VX_SHFL_IDX_I) -
                          static_cast<int>(isa::Op::VX_SHFL_UP_I) ==
                      static_cast<int>(WarpOp::ShflIdx) - static_cast<int>(WarpOp::ShflUp),
              "WarpOp and the instruction table list votes and shuffles in one order");

/// Emits an instruction with the operands FIRST and SECOND, the second in x0 if it is the constant
/// 0.
Value *emitExchange(IRBuilderBase &b, Type *type, isa::Op op, Value *first, Value *second,
                    unsigned offset = 0) {
  if (isZero(second))
    return emitAsm(b, type, {first}, insn(op, "$0", "$1", "x0", offset), "=r,r",
                   AsmEffect::SideEffect, true);
  return emitAsm(b, type, {first, second}, insn(op, "$0", "$1", "$2", offset), "=r,r,r",
                 AsmEffect::SideEffect, true);
}

} // namespace

Value *emitVote(IRBuilderBase &b, WarpOp op, Value *predicate, Value *members) {
  Value *result =
      emitExchange(b, xlenType(b), registerForm(op), predicate, members ? members : b.getInt32(0));
  // What is known of the bits above saves extending them again.
  return b.CreateTrunc(result, b.getInt32Ty(), "", /*IsNUW=*/true,
                       /*IsNSW=*/op != WarpOp::VoteBallot);
}

void emitLaneMeeting(IRBuilderBase &b) {
  emitAsm(b, b.getVoidTy(), {Constant::getAllOnesValue(xlenType(b))},
          insn(isa::Op::VX_VOTE_ALL, "x0", "x0", "$0"), "r", AsmEffect::SideEffect, true);
}

Value *emitShuffle(IRBuilderBase &b, WarpOp op, Value *value, Value *control) {
  return emitExchange(b, value->getType(), registerForm(op), value, control);
}

Value *emitShuffleBy(IRBuilderBase &b, WarpOp op, Value *value, unsigned offset, Value *clampWord) {
  return emitExchange(b, value->getType(), constantForm(op), value, clampWord, offset);
}

Value *emitBallot(IRBuilderBase &b, Value *predicate) {
  Type *xt = xlenType(b);
  std::string read = "csrr $0, 0x" + utohexstr(VX_CSR_ACTIVE_THREADS);
  std::string all = "csrr $1, 0x" + utohexstr(VX_CSR_ACTIVE_THREADS);
  std::string text = all + "; " + insn(isa::Op::VX_SPLIT, "$2", "$3", "x0") +
                     "; beqz $3, .Lvxb${:uid}; " + read +
                     "; j .Lvxe${:uid}; .Lvxb${:uid}: " + read +
                     "; xor $0, $0, $1; .Lvxe${:uid}: " + insn(isa::Op::VX_JOIN, "x0", "$2", "x0");
  auto *call = emitAsm(b, StructType::get(xt, xt, xt), {toXlen(b, predicate)}, text,
                       "=&r,=&r,=&r,r", AsmEffect::SideEffect, true);
  return b.CreateExtractValue(call, 0);
}

void emitMemoryBarrier(IRBuilderBase &b) {
  emitAsm(b, b.getVoidTy(), {}, "", "", AsmEffect::Memory, true);
}

void emitHint(IRBuilderBase &b, unsigned what, Value *linear) {
  if (isForHost(*b.GetInsertBlock()->getModule()))
    return;
  // A 32-bit number needs no extension: readers take its low half.
  if (linear->getType()->getIntegerBitWidth() > 32)
    linear = toXlen(b, linear);
  emitAsm(b, b.getVoidTy(), {linear}, "slti x0, $0, " + std::to_string(what), "r",
          AsmEffect::SideEffect, false);
}

bool isHint(const Instruction &i) {
  const auto *call = dyn_cast<CallBase>(&i);
  const auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && text->getAsmString().starts_with("slti x0, ");
}

void emitFence(IRBuilderBase &b) {
  emitAsm(b, b.getVoidTy(), {}, "fence rw, rw", "", AsmEffect::Memory, false);
}

void emitBreak(IRBuilderBase &b) {
  emitAsm(b, b.getVoidTy(), {}, "ebreak", "", AsmEffect::MayNotReturn, false);
}

void emitStop(IRBuilderBase &b, Value *reason) {
  emitAsm(b, b.getVoidTy(), {toXlen(b, reason)}, "ecall", "{x17}", AsmEffect::MayNotReturn, false);
}

Value *emitRounded(IRBuilderBase &b, Rounded what, ArrayRef<Value *> args) {
  static constexpr StringLiteral names[] = {"fadd", "fsub", "fmul", "fdiv", "fsqrt", "fmadd"};
  static constexpr StringLiteral modes[] = {"rtz", "rdn", "rup"};
  Type *type = args[0]->getType();
  std::string text = names[static_cast<int>(what.op)].str() + (type->isFloatTy() ? ".s" : ".d");
  std::string constraints = "=f";
  for (unsigned i = 0; i <= args.size(); ++i)
    text += (i ? ", $" : " $") + std::to_string(i);
  for (unsigned i = 0; i < args.size(); ++i)
    constraints += ",f";
  return emitAsm(b, type, args, text + ", " + modes[static_cast<int>(what.mode)].str(), constraints,
                 AsmEffect::Pure, false);
}

Value *emitOpaque(IRBuilderBase &b, Value *v) {
  return emitAsm(b, v->getType(), {v}, "", "=r,0", AsmEffect::SideEffect, true);
}

void hideCondition(BranchInst &br) {
  IRBuilder<> b(&br);
  Value *hidden = emitOpaque(b, b.CreateZExt(br.getCondition(), b.getInt32Ty()));
  br.setCondition(b.CreateICmpNE(hidden, b.getInt32(0)));
}

namespace {

constexpr StringLiteral kSourceMark = "# from the source\n\t";

/// Returns the least instruction set that has INSN, the text of one instruction.
abi::IsaProfile profileOfInsn(StringRef insn) {
  SmallVector<StringRef, 6> parts;
  uint32_t opcode, funct3, funct7;
  if (!insn.consume_front(".insn r "))
    return abi::IsaProfile::Base;
  insn.split(parts, ',');
  for (StringRef &part : parts)
    part = part.trim();
  if (parts.size() != 6 || parts[0].getAsInteger(0, opcode) || parts[1].getAsInteger(0, funct3) ||
      parts[2].getAsInteger(0, funct7))
    return abi::IsaProfile::Base;
  const isa::InsnInfo *row = isa::decode(funct7 << 25 | funct3 << 12 | opcode, 64);
  if (!row || row->op == isa::Op::VX_TILE)
    return abi::IsaProfile::Base;
  bool hasMembers = row->format == isa::Format::VxVote && parts[5] != "x0";
  if (row->extension == isa::Extension::VxWarp || hasMembers)
    return abi::IsaProfile::Warp;
  return row->extension == isa::Extension::VxUpstream ? abi::IsaProfile::Upstream
                                                      : abi::IsaProfile::Base;
}

} // namespace

std::string sourceAsmText(StringRef text) {
  return (kSourceMark + text).str();
}

bool isSourceAsm(StringRef asmText) {
  return asmText.starts_with(kSourceMark);
}

abi::IsaProfile profileOf(const InlineAsm &inlineAsm) {
  StringRef text = inlineAsm.getAsmString();
  auto profile = abi::IsaProfile::Base;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of("\n;"), text.size());
    profile = std::max(profile, profileOfInsn(text.take_front(end).trim()));
    text = text.drop_front(std::min(end + 1, text.size()));
  }
  return profile;
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
  if (isSourceAsm(asmText))
    return StringRef();
  size_t at = asmText.find("# vx.");
  return at == StringRef::npos ? StringRef() : asmText.substr(at + 5).rtrim();
}

} // namespace vx
