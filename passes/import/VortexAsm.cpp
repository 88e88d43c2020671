// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly of the device in CUDA source: an asm statement whose text starts with the directive
// ".vortex" is RISC-V, not PTX, and keeps its text.
//
//   asm(".vortex; .insn r 0x0b, 0, 1, %0, %1, %2" : "=r"(x) : "r"(a), "r"(b));
//     -> t = asm ".insn r …", "=r,r,r"(sext a, sext b); x = trunc t
//
// Constraints are those of CUDA: h, r and l are integer registers, f and d floating-point ones, n
// and i constants. The machine's registers have one width, so integers are sign-extended to it.

#include "intrinsics/isa/InsnTable.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "passes/import/Import.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx::import {
namespace {

constexpr StringLiteral kDirective = ".vortex";

/// Returns what follows the directive, or nothing if TEXT is PTX.
std::optional<StringRef> vortexText(StringRef text) {
  text = text.ltrim();
  if (!text.consume_front(kDirective))
    return std::nullopt;
  if (!text.empty() && !isSpace(text.front()) && text.front() != ';')
    return std::nullopt;
  return text.ltrim(" \t\r\n;");
}

class Translation {
public:
  Translation(CallInst &call, StringRef text)
      : call(call), code(*cast<InlineAsm>(call.getCalledOperand())), text(text), b(&call),
        xlen(getXlen(*call.getModule())), registerType(b.getIntNTy(xlen)) {}

  /// Returns what is wrong with the statement; empty: nothing.
  std::string run() {
    if (isForHost(*call.getModule()))
      return "RISC-V assembly ('.vortex') cannot run on the host (--target=host)";
    for (const InlineAsm::ConstraintInfo &info : code.ParseConstraints())
      if (!constraint(info))
        return problem;
    emit();
    return "";
  }

private:
  bool fail(const Twine &message) {
    problem = message.str();
    return false;
  }

  /// Writes the letters that INFO becomes on RISC-V to `letters`. Returns false if there are none.
  bool translateCodes(const InlineAsm::ConstraintInfo &info, std::string &letters) {
    for (const std::string &given : info.Codes) {
      if (given == "h" || given == "r" || given == "l")
        letters += 'r';
      else if (given == "f" || given == "d")
        letters += 'f';
      else if (given == "n" || given == "i" || isDigit(given[0]))
        letters += given;
      else
        return fail("constraint '" + given +
                    "' is not supported in RISC-V assembly; use h, r, l, f, "
                    "d, n or i");
    }
    return true;
  }

  bool constraint(const InlineAsm::ConstraintInfo &info) {
    if (!constraints.empty())
      constraints += ',';
    if (info.Type == InlineAsm::isClobber) {
      constraints += "~" + info.Codes.front();
      return true;
    }
    if (info.isIndirect || info.Type == InlineAsm::isLabel)
      return fail("operands in memory are not supported in RISC-V assembly; pass the address");
    std::string letters;
    if (!translateCodes(info, letters))
      return false;
    if (info.Type == InlineAsm::isOutput) {
      constraints += info.isEarlyClobber ? "=&" : "=";
      constraints += letters;
      Type *type = outputType(results.size());
      results.push_back(registerTypeFor(type));
      return results.back() ||
             fail("an operand of " + sizeOf(type) + " bits does not fit a register");
    }
    constraints += letters;
    Value *given = call.getArgOperand(args.size());
    Type *type = registerTypeFor(given->getType());
    if (!type)
      return fail("an operand of " + sizeOf(given->getType()) + " bits does not fit a register");
    args.push_back(toRegister(given, type));
    return true;
  }

  Type *outputType(size_t i) const {
    auto *pack = dyn_cast<StructType>(call.getType());
    return pack ? pack->getElementType(i) : call.getType();
  }

  static std::string sizeOf(Type *type) { return utostr(type->getPrimitiveSizeInBits()); }

  /// Returns the type that a value of TYPE has in a register; null if it does not fit one.
  Type *registerTypeFor(Type *type) {
    if (type->isPointerTy())
      return registerType;
    if (type->isFloatTy() || type->isDoubleTy())
      return type;
    uint64_t bits = type->getPrimitiveSizeInBits();
    return bits && bits <= xlen ? registerType : nullptr;
  }

  Value *toRegister(Value *v, Type *type) {
    if (v->getType() == type)
      return v;
    if (v->getType()->isPointerTy())
      return b.CreateTrunc(b.CreatePtrToInt(v, b.getInt64Ty()), type);
    if (!v->getType()->isIntegerTy())
      v = b.CreateBitCast(v, b.getIntNTy(v->getType()->getPrimitiveSizeInBits()));
    return b.CreateSExt(v, type);
  }

  Value *fromRegister(Value *v, Type *type) {
    if (v->getType() == type)
      return v;
    if (type->isPointerTy())
      return b.CreateIntToPtr(b.CreateZExt(v, b.getInt64Ty()), type);
    v = b.CreateTrunc(v, b.getIntNTy(type->getPrimitiveSizeInBits()));
    return b.CreateBitCast(v, type);
  }

  void emit() {
    Type *type = results.empty()       ? b.getVoidTy()
                 : results.size() == 1 ? results.front()
                                       : StructType::get(call.getContext(), results);
    SmallVector<Type *, 8> types;
    for (Value *a : args)
      types.push_back(a->getType());
    auto *made = InlineAsm::get(FunctionType::get(type, types, false), sourceAsmText(text),
                                constraints, code.hasSideEffects());
    CallInst *result = b.CreateCall(made, args);
    result->setAttributes(
        AttributeList::get(call.getContext(), AttributeList::FunctionIndex,
                           AttrBuilder(call.getContext(), call.getAttributes().getFnAttrs())));
    result->copyMetadata(call);
    if (results.size() == 1)
      call.replaceAllUsesWith(fromRegister(result, call.getType()));
    else if (!results.empty())
      call.replaceAllUsesWith(repack(result));
    call.eraseFromParent();
  }

  Value *repack(Value *result) {
    Value *all = PoisonValue::get(call.getType());
    for (unsigned i = 0; i < results.size(); ++i)
      all =
          b.CreateInsertValue(all, fromRegister(b.CreateExtractValue(result, i), outputType(i)), i);
    return all;
  }

  CallInst &call;
  const InlineAsm &code;
  StringRef text;
  IRBuilder<> b;
  unsigned xlen;
  Type *registerType;
  std::string constraints, problem;
  SmallVector<Value *, 8> args;
  SmallVector<Type *, 4> results;
};

} // namespace

bool importVortexAsm(CallInst &call) {
  std::optional<StringRef> text =
      vortexText(cast<InlineAsm>(call.getCalledOperand())->getAsmString());
  if (!text)
    return false;
  std::string problem = Translation(call, *text).run();
  if (!problem.empty())
    reportUnsupported(call, problem);
  return true;
}

} // namespace vx::import
