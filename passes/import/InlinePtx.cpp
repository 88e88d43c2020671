// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX becomes IR. The statement is parsed, its instructions are looked up in the tables of
// Ptx*Instructions.cpp and translated in order, registers being SSA values by name. Instructions
// under a guard "@p" are computed and selected, or, if they have an effect, branched around.
//
//   asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p add.u32 %0, %1, %2; }" : "+r"(x) : …)
//     -> p = icmp ne …; t = add …; x = select p, t, x
//
// What is not in the tables is an error at the asm statement's line.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Import.h"
#include "passes/import/Ptx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx::import {
namespace {

const PtxInstruction *findInstruction(StringRef op) {
  static const StringMap<const PtxInstruction *> byName = [] {
    StringMap<const PtxInstruction *> map;
    for (ArrayRef<PtxInstruction> table :
         {ptxIntegerInstructions(), ptxVideoInstructions(), ptxBitInstructions(),
          ptxFloatInstructions(), ptxMoveInstructions(), ptxCompareInstructions(),
          ptxMemoryInstructions(), ptxMbarrierInstructions(), ptxControlInstructions(),
          ptxWarpInstructions(), ptxMatrixInstructions(), ptxWmmaInstructions()})
      for (const PtxInstruction &row : table)
        map[row.op] = &row;
    return map;
  }();
  return byName.lookup(op);
}

/// Replaces escapes: "$$" is a dollar sign, "${0:b}" is operand 0.
std::string unescape(StringRef text) {
  std::string out;
  while (!text.empty()) {
    if (text.consume_front("$$")) {
      out += '$';
    } else if (text.consume_front("${")) {
      out += "$" + text.take_until([](char c) { return c == ':' || c == '}'; }).str();
      text = text.split('}').second;
    } else {
      out += text.front();
      text = text.drop_front();
    }
  }
  return out;
}

std::string operandName(unsigned i) {
  return "$" + std::to_string(i);
}

/// Binds the operands of the asm call to their names. An output starts with the value of the input
/// tied to it ("+r").
void bindOperands(PtxContext &c, const InlineAsm &ia, SmallVectorImpl<unsigned> &outputs) {
  unsigned index = 0, arg = 0;
  for (const InlineAsm::ConstraintInfo &info : ia.ParseConstraints()) {
    if (info.Type == InlineAsm::isClobber)
      continue;
    if (info.Type == InlineAsm::isOutput && !info.isIndirect) {
      outputs.push_back(index);
    } else {
      Value *value = c.call.getArgOperand(arg++);
      c.registers[operandName(index)] = value;
      if (!info.Codes.empty() && isDigit(info.Codes[0][0]))
        c.registers["$" + info.Codes[0]] = value;
    }
    ++index;
  }
}

Value *coerce(PtxContext &c, Value *v, Type *type) {
  IRBuilder<> &b = c.b;
  if (v->getType() == type)
    return v;
  if (v->getType()->isPointerTy())
    v = b.CreatePtrToInt(v, b.getInt64Ty());
  if (!v->getType()->isIntegerTy())
    v = b.CreateBitCast(v, b.getIntNTy(v->getType()->getPrimitiveSizeInBits()));
  if (type->isPointerTy() &&
      type->getPointerAddressSpace() == kSharedAS) // may be of a block before
    v = b.CreateSExt(b.CreateZExtOrTrunc(v, b.getInt32Ty()), b.getInt64Ty());
  if (type->isPointerTy())
    return b.CreateIntToPtr(b.CreateZExtOrTrunc(v, b.getInt64Ty()), type);
  Type *bits = b.getIntNTy(type->getPrimitiveSizeInBits());
  return b.CreateBitCast(b.CreateZExtOrTrunc(v, bits), type);
}

/// Emits S and, for a guarded one without effect, selects between new and old register values.
void emitSelected(PtxContext &c, const PtxStatement &s, const PtxInstruction &row, Value *guard) {
  StringMap<Value *> before = c.registers;
  row.emit(c, s);
  for (auto &entry : c.registers) {
    Value *old = before.lookup(entry.getKey());
    if (old && old != entry.second)
      entry.second = c.b.CreateSelect(guard, entry.second, coerce(c, old, entry.second->getType()));
  }
}

/// Emits S in a block of its own that only threads with the guard enter.
void emitBranched(PtxContext &c, const PtxStatement &s, const PtxInstruction &row, Value *guard) {
  StringMap<Value *> before = c.registers;
  BasicBlock *head = c.call.getParent();
  Instruction *then = SplitBlockAndInsertIfThen(guard, c.call.getIterator(), false);
  c.b.SetInsertPoint(then);
  row.emit(c, s);
  BasicBlock *end = c.b.GetInsertBlock();
  c.b.SetInsertPoint(c.call.getParent(), c.call.getParent()->begin());
  for (auto &entry : c.registers) {
    Value *old = before.lookup(entry.getKey());
    if (old == entry.second)
      continue;
    PHINode *phi = c.b.CreatePHI(entry.second->getType(), 2);
    phi->addIncoming(entry.second, end);
    phi->addIncoming(old && old->getType() == phi->getType()
                         ? old
                         : static_cast<Value *>(PoisonValue::get(phi->getType())),
                     head);
    entry.second = phi;
  }
  c.b.SetInsertPoint(&c.call);
}

/// Returns true if the type at the end of the mnemonic is one that ROW can translate.
bool acceptsType(const PtxInstruction &row, const PtxStatement &s) {
  if (row.types.empty())
    return true;
  std::optional<PtxType> t = parsePtxType(s.words.back());
  if (!t || s.words.size() < 2)
    return false;
  char letter = t->kind == 'p'   ? 'p'
                : t->isFloat()   ? (t->bits == 16 ? 'h' : 'f')
                : t->bits == 8   ? '8'
                : t->bits == 128 ? 'q'
                                 : 'i';
  return row.types.contains(letter) && (letter != 'f' || t->bits <= 64);
}

void emitStatement(PtxContext &c, const PtxStatement &s) {
  const PtxInstruction *row = findInstruction(s.op());
  if (!row || s.operands.size() < row->operands || !acceptsType(*row, s))
    return c.failUnknown(s);
  Value *guard = c.guard(s);
  if (!c.error.empty())
    return;
  if (!guard)
    row->emit(c, s);
  else if (row->hasEffect)
    emitBranched(c, s, *row, guard);
  else
    emitSelected(c, s, *row, guard);
}

/// Returns the result of the asm call from its outputs.
Value *result(PtxContext &c, ArrayRef<unsigned> outputs) {
  Type *type = c.call.getType();
  auto *pack = dyn_cast<StructType>(type);
  Value *all = PoisonValue::get(type);
  for (auto [i, output] : enumerate(outputs)) {
    Type *want = pack ? pack->getElementType(i) : type;
    Value *v = c.registers.lookup(operandName(output));
    v = v ? coerce(c, v, want) : PoisonValue::get(want);
    all = pack ? c.b.CreateInsertValue(all, v, i) : v;
  }
  return all;
}

void translate(CallInst &call) {
  if (importVortexAsm(call))
    return;
  const auto &ia = *cast<InlineAsm>(call.getCalledOperand());
  Expected<std::vector<PtxStatement>> statements = parsePtx(unescape(ia.getAsmString()));
  if (!statements)
    return reportUnsupported(call,
                             "inline PTX is not understood: " + toString(statements.takeError()));
  PtxContext c(call);
  SmallVector<unsigned, 4> outputs;
  bindOperands(c, ia, outputs);
  for (const PtxStatement &s : *statements) {
    emitStatement(c, s);
    if (!c.error.empty())
      return reportUnsupported(call, c.error);
  }
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(result(c, outputs));
  call.eraseFromParent();
}

} // namespace

PtxType typeOf(PtxContext &c, const PtxStatement &s) {
  if (std::optional<PtxType> t = parsePtxType(s.words.back()))
    return *t;
  c.failUnknown(s);
  return {};
}

Value *readOperand(PtxContext &c, const PtxStatement &s, unsigned i) {
  return c.read(s.operands[i], typeOf(c, s));
}

Value *PtxContext::lookup(StringRef name) {
  if (Value *v = registers.lookup(name))
    return v;
  StringRef special = name;
  if (special.consume_front("%") || name == "WARP_SZ")
    if (Value *v = emitSpecialRegister(b, special))
      return v;
  // A name without "%" in the text may be a global variable of the module.
  if (GlobalVariable *g = call.getModule()->getNamedGlobal(name))
    return g;
  fail(name.starts_with("%") ? "PTX register '" + name + "' is not supported by vxcc"
                             : "PTX register '" + name + "' is read before it is written");
  return nullptr;
}

Value *PtxContext::read(const PtxOperand &o, Type *type) {
  if (o.kind == PtxOperand::Number) {
    if (!o.floatBits)
      return coerce(*this, b.getInt64(o.bits), type);
    if (o.floatBits == 64 && type->isFloatTy())
      return ConstantFP::get(type, bit_cast<double>(o.bits));
    return coerce(*this, b.getIntN(o.floatBits, o.bits), type);
  }
  if (o.kind != PtxOperand::Register) {
    fail("unexpected operand in inline PTX");
    return PoisonValue::get(type);
  }
  Value *v = lookup(o.name);
  if (!v)
    return PoisonValue::get(type);
  v = coerce(*this, v, type);
  if (!o.negated)
    return v;
  if (!type->isIntegerTy()) {
    fail("PTX operand '!" + o.name + "' is not a predicate");
    return PoisonValue::get(type);
  }
  return b.CreateNot(v);
}

Value *PtxContext::read(const PtxOperand &o, PtxType type) {
  return read(o, type.irType(call.getContext()));
}

Value *PtxContext::readAddress(const PtxOperand &o, unsigned space) {
  if (o.kind != PtxOperand::Address) {
    fail("expected an address in inline PTX");
    return PoisonValue::get(b.getPtrTy(space));
  }
  Value *base = o.name.empty() ? b.getInt64(0) : lookup(o.name);
  if (!base)
    return PoisonValue::get(b.getPtrTy(space));
  base = coerce(*this, base, b.getPtrTy(space));
  return o.bits ? b.CreatePtrAdd(base, b.getInt64(o.bits)) : base;
}

void PtxContext::write(const PtxOperand &o, Value *value) {
  if (o.kind != PtxOperand::Register)
    return fail("unexpected destination in inline PTX");
  if (o.name != "_")
    registers[o.name] = value;
}

Value *PtxContext::guard(const PtxStatement &s) {
  if (s.predicate.empty())
    return nullptr;
  Value *p = lookup(s.predicate);
  if (!p)
    return nullptr;
  if (!p->getType()->isIntegerTy()) {
    fail("PTX guard '" + s.predicate + "' is not a predicate");
    return nullptr;
  }
  p = p->getType()->isIntegerTy(1) ? p : b.CreateIsNotNull(p);
  return s.predicateNegated ? b.CreateNot(p) : p;
}

void importInlinePtx(Module &m) {
  SmallVector<CallInst *, 16> calls;
  for (Function &f : m)
    for (Instruction &i : instructions(f)) {
      auto *call = dyn_cast<CallBase>(&i);
      if (!call || !call->isInlineAsm())
        continue;
      if (auto *plain = dyn_cast<CallInst>(call))
        calls.push_back(plain);
      else
        reportUnsupported(*call, "asm goto is not supported in device code");
    }
  for (CallInst *call : calls)
    translate(*call);
}

} // namespace vx::import
