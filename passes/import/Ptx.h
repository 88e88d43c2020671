// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX as data: what the parser yields and what the instruction tables read.

#ifndef VX_PASSES_IMPORT_PTX_H
#define VX_PASSES_IMPORT_PTX_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class CallInst;
} // namespace llvm

namespace vx::import {

/// One operand: a register ("$0", "%tid.x", "r1"), a number, an address "[base+offset]", a list
/// "{a, b}", a pair of predicates "p|q", or a texel "[texture, {x, y}]", which nothing translates.
struct PtxOperand {
  enum Kind { Register, Number, Address, List, Pair, Texel } kind = Register;
  std::string name;              ///< register; base of an address (empty: absolute)
  bool negated = false;          ///< "!p"
  uint64_t bits = 0;             ///< value of a number, offset of an address
  unsigned floatBits = 0;        ///< a number written as 0f… (32) or 0d… (64)
  std::vector<PtxOperand> parts; ///< of a list or a pair
};

/// Returns the registers of a list, or the single one.
inline llvm::ArrayRef<PtxOperand> elements(const PtxOperand &o) {
  return o.kind == PtxOperand::List ? llvm::ArrayRef(o.parts) : llvm::ArrayRef(o);
}

struct PtxStatement {
  std::string predicate; ///< register that guards the statement, or empty
  bool predicateNegated = false;
  std::vector<std::string> words; ///< the mnemonic, split at dots: {"add", "s32"}
  std::vector<PtxOperand> operands;

  llvm::StringRef op() const { return words.front(); }
  bool has(llvm::StringRef modifier) const;
  std::string mnemonic() const;
};

/// Parses the text of an asm statement. Declarations of registers yield nothing: registers come
/// into being when they are written. The error says what was not understood.
llvm::Expected<std::vector<PtxStatement>> parsePtx(llvm::StringRef text);

/// A PTX type: s, u, b (any), f (float), p (predicate) and a width. Packed types are two 16-bit
/// floats in 32 bits; brain floats are bfloat16.
struct PtxType {
  char kind = 'b';
  unsigned bits = 32; ///< of one element
  bool packed = false;
  bool brain = false;

  bool isFloat() const { return kind == 'f'; }
  bool isSigned() const { return kind == 's'; }
  llvm::Type *irType(llvm::LLVMContext &ctx) const;
};
std::optional<PtxType> parsePtxType(llvm::StringRef word);

class PtxContext;

/// Returns the type that the mnemonic of S ends with; an error if it does not.
PtxType typeOf(PtxContext &c, const PtxStatement &s);
/// Returns operand I of S as that type.
llvm::Value *readOperand(PtxContext &c, const PtxStatement &s, unsigned i);
/// For what has no meaning on this machine: hints about caches, counters of events.
inline void emitNothing(PtxContext &, const PtxStatement &) {}

/// The state while one asm statement is translated: registers are SSA values by name.
class PtxContext {
public:
  PtxContext(llvm::CallInst &call) : b(&call), call(call) {}

  llvm::IRBuilder<> b;
  llvm::CallInst &call;
  llvm::StringMap<llvm::Value *> registers;
  llvm::Value *carry = nullptr; ///< i1, of add.cc and its kin

  /// Returns the value of OPERAND as TYPE: bits are reinterpreted, extended with zeros or cut.
  llvm::Value *read(const PtxOperand &operand, llvm::Type *type);
  llvm::Value *read(const PtxOperand &operand, PtxType type);
  /// Returns the pointer of an address operand in address space SPACE.
  llvm::Value *readAddress(const PtxOperand &operand, unsigned space);
  /// Sets a register. "_" discards.
  void write(const PtxOperand &operand, llvm::Value *value);
  /// Returns the i1 that guards S, or null.
  llvm::Value *guard(const PtxStatement &s);

  /// The first thing that went wrong: reported once, for the whole statement.
  std::string error;
  void fail(const llvm::Twine &message) {
    if (error.empty())
      error = message.str();
  }
  void failUnknown(const PtxStatement &s) {
    fail("PTX instruction '" + s.mnemonic() + "' is not supported by vxcc");
  }

private:
  llvm::Value *lookup(llvm::StringRef name);
};

/// The row for a mnemonic's first word.
struct PtxInstruction {
  llvm::StringLiteral op;
  unsigned operands; ///< at least
  void (*emit)(PtxContext &, const PtxStatement &);
  bool hasEffect; ///< guarded by a branch, not by a select
  /// The types that the mnemonic may end with: i integers of 16 to 64 bits, 8 of 8 bits, q of 128;
  /// f float and double, h 16-bit and packed floats; p predicates. Empty: EMIT checks.
  llvm::StringLiteral types;
};
llvm::ArrayRef<PtxInstruction> ptxBitInstructions();
llvm::ArrayRef<PtxInstruction> ptxIntegerInstructions();
llvm::ArrayRef<PtxInstruction> ptxVideoInstructions();
llvm::ArrayRef<PtxInstruction> ptxFloatInstructions();
llvm::ArrayRef<PtxInstruction> ptxMoveInstructions();
llvm::ArrayRef<PtxInstruction> ptxCompareInstructions();
llvm::ArrayRef<PtxInstruction> ptxMemoryInstructions();
llvm::ArrayRef<PtxInstruction> ptxMbarrierInstructions();
llvm::ArrayRef<PtxInstruction> ptxControlInstructions();
llvm::ArrayRef<PtxInstruction> ptxWarpInstructions();
llvm::ArrayRef<PtxInstruction> ptxMatrixInstructions();
llvm::ArrayRef<PtxInstruction> ptxWmmaInstructions();

/// Emits the value of a special register such as "tid.x" or "laneid"; null if there is none.
llvm::Value *emitSpecialRegister(llvm::IRBuilderBase &b, llvm::StringRef name);

} // namespace vx::import

#endif // VX_PASSES_IMPORT_PTX_H
