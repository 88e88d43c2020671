// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Condition.h"
#include "simulator/debug/Registers.h"
#include <array>
#include <vector>

namespace vx::sim {

namespace {

/// The operations of agent expressions ("Bytecode Descriptions" in gdb's manual) that gdb makes
/// of C expressions without floating-point numbers.
enum Opcode : uint8_t {
  kAdd = 0x02,
  kSub,
  kMul,
  kDivSigned,
  kDivUnsigned,
  kRemSigned,
  kRemUnsigned,
  kShiftLeft,
  kShiftRightSigned,
  kShiftRightUnsigned,
  kLogicalNot = 0x0e,
  kAnd,
  kOr,
  kXor,
  kNot,
  kEqual,
  kLessSigned,
  kLessUnsigned,
  kSignExtend,
  kRead8,
  kRead16,
  kRead32,
  kRead64,
  kGotoIf = 0x20,
  kGoto,
  kConst8,
  kConst16,
  kConst32,
  kConst64,
  kRegister,
  kEnd,
  kDuplicate,
  kPop,
  kZeroExtend,
  kSwap,
  kPick = 0x32,
  kRotate,
};

constexpr unsigned kMaxSteps = 10000;
constexpr size_t kMaxDepth = 256;

class Evaluator {
public:
  Evaluator(std::string_view code, const ConditionScope &scope) : code(code), scope(scope) {}

  std::optional<uint64_t> run() {
    for (unsigned step = 0; step < kMaxSteps && !failed; ++step) {
      uint8_t opcode = uint8_t(operand(1));
      if (failed)
        break;
      if (opcode == kEnd) {
        uint64_t value = pop();
        return failed ? std::nullopt : std::optional(value);
      }
      execute(opcode);
    }
    return std::nullopt;
  }

private:
  /// The next BYTES of the code, the most significant one first.
  uint64_t operand(unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      if (at >= code.size()) {
        failed = true;
        return 0;
      }
      value = value << 8 | uint8_t(code[at++]);
    }
    return value;
  }

  uint64_t pop() {
    if (stack.empty()) {
      failed = true;
      return 0;
    }
    uint64_t value = stack.back();
    stack.pop_back();
    return value;
  }

  void push(uint64_t value) {
    failed |= stack.size() >= kMaxDepth;
    stack.push_back(value);
  }

  /// The entry that is N below the top.
  void pick(uint64_t n) {
    if (n >= stack.size())
      failed = true;
    else
      push(stack[stack.size() - 1 - n]);
  }

  static uint64_t extend(uint64_t value, uint64_t bits, bool isSigned) {
    if (bits == 0 || bits >= 64)
      return value;
    unsigned unused = unsigned(64 - bits);
    return isSigned ? uint64_t(int64_t(value << unused) >> unused) : value << unused >> unused;
  }

  void read(unsigned bytes) {
    std::array<uint8_t, 8> buffer{};
    if (!scope.readMemory(pop(), std::span(buffer).first(bytes)))
      failed = true;
    uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;)
      value = value << 8 | buffer[i];
    push(value);
  }

  /// If a variable is addressed by a register, gdb 13 extends the address as if it were the
  /// variable's value: an address of 64 bits would be cut to the size of an int.
  void skipExtension() {
    if (at + 1 < code.size() &&
        (uint8_t(code[at]) == kSignExtend || uint8_t(code[at]) == kZeroExtend))
      at += 2;
  }

  void goTo(uint64_t place, bool isTaken) {
    if (isTaken)
      at = size_t(place);
  }

  /// Executes an instruction. Its length is the number of opcodes: a case for each.
  void execute(uint8_t opcode) {
    switch (opcode) {
    case kLogicalNot:
      return push(!pop());
    case kNot:
      return push(~pop());
    case kSignExtend: {
      uint64_t bits = operand(1);
      return push(extend(pop(), bits, true));
    }
    case kZeroExtend: {
      uint64_t bits = operand(1);
      return push(extend(pop(), bits, false));
    }
    case kRead8:
      return read(1);
    case kRead16:
      return read(2);
    case kRead32:
      return read(4);
    case kRead64:
      return read(8);
    case kGotoIf: {
      uint64_t place = operand(2);
      return goTo(place, pop() != 0);
    }
    case kGoto:
      return goTo(operand(2), true);
    case kConst8:
      return push(operand(1));
    case kConst16:
      return push(operand(2));
    case kConst32:
      return push(operand(4));
    case kConst64:
      return push(operand(8));
    case kRegister: {
      unsigned number = unsigned(operand(2));
      std::optional<uint64_t> value = scope.readRegister(number);
      failed |= !value;
      if (number == kSpNumber || number == kFpNumber)
        skipExtension();
      return push(value.value_or(0));
    }
    case kDuplicate:
      return pick(0);
    case kPick:
      return pick(operand(1));
    case kPop:
      pop();
      return;
    case kSwap: {
      uint64_t b = pop(), a = pop();
      push(b);
      return push(a);
    }
    case kRotate: {
      uint64_t c = pop(), b = pop(), a = pop();
      push(c);
      push(a);
      return push(b);
    }
    default:
      return executeBinary(opcode);
    }
  }

  void executeBinary(uint8_t opcode) {
    uint64_t b = pop(), a = pop();
    int64_t signedA = int64_t(a), signedB = int64_t(b);
    bool divides = opcode >= kDivSigned && opcode <= kRemUnsigned;
    bool overflows = a == uint64_t(1) << 63 && signedB == -1;
    if (divides && b == 0) {
      failed = true;
      return;
    }
    switch (opcode) {
    case kAdd:
      return push(a + b);
    case kSub:
      return push(a - b);
    case kMul:
      return push(a * b);
    case kDivSigned:
      return push(overflows ? a : uint64_t(signedA / signedB));
    case kDivUnsigned:
      return push(a / b);
    case kRemSigned:
      return push(overflows ? 0 : uint64_t(signedA % signedB));
    case kRemUnsigned:
      return push(a % b);
    case kShiftLeft:
      return push(b < 64 ? a << b : 0);
    case kShiftRightSigned:
      return push(uint64_t(signedA >> (b < 64 ? b : 63)));
    case kShiftRightUnsigned:
      return push(b < 64 ? a >> b : 0);
    case kAnd:
      return push(a & b);
    case kOr:
      return push(a | b);
    case kXor:
      return push(a ^ b);
    case kEqual:
      return push(a == b);
    case kLessSigned:
      return push(signedA < signedB);
    case kLessUnsigned:
      return push(a < b);
    default:
      failed = true;
    }
  }

  std::string_view code;
  const ConditionScope &scope;
  size_t at = 0;
  std::vector<uint64_t> stack;
  bool failed = false;
};

} // namespace

std::optional<uint64_t> evaluateCondition(std::string_view code, const ConditionScope &scope) {
  return Evaluator(code, scope).run();
}

} // namespace vx::sim
