// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax of inline PTX: comments, blocks, declarations, guarded statements. Scopes are ignored,
// as the names in one asm statement are distinct in practice.

#include "passes/import/Ptx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Lists in lists: PTX has one level.
constexpr unsigned kMaxDepth = 4;

/// Returns TEXT without comments; an open one reaches to the end.
std::string withoutComments(StringRef text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.consume_front("/*"))
      text = text.split("*/").second;
    else {
      out += text.front();
      text = text.drop_front();
    }
  }
  return out;
}

bool isNameChar(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

class Parser {
public:
  explicit Parser(StringRef text) : rest(text) {}

  Expected<std::vector<PtxStatement>> run() {
    std::vector<PtxStatement> statements;
    while (skipSpace(), !rest.empty()) {
      if (rest.consume_front("{") || rest.consume_front("}") || rest.consume_front(";"))
        continue;
      if (rest.starts_with(".")) {
        if (!skipDeclaration())
          return createStringError(problem);
        continue;
      }
      PtxStatement s;
      if (!parseStatement(s))
        return createStringError(problem);
      statements.push_back(std::move(s));
    }
    return statements;
  }

private:
  void skipSpace() { rest = rest.ltrim(" \t\r\n"); }

  bool take(char c) {
    skipSpace();
    return rest.consume_front(StringRef(&c, 1));
  }

  bool fail(const Twine &message) {
    if (problem.empty())
      problem = message.str();
    return false;
  }

  StringRef name() {
    skipSpace();
    StringRef n = rest.take_while(isNameChar);
    rest = rest.drop_front(n.size());
    return n;
  }

  /// ".reg .pred p, q;" and its kin declare; nothing is kept, nor of what a debugger reads.
  bool skipDeclaration() {
    static constexpr StringLiteral declarations[] = {".reg",   ".local",  ".shared", ".param",
                                                     ".const", ".global", ".extern", ".visible",
                                                     ".weak",  ".sreg",   ".pragma"};
    static constexpr StringLiteral lines[] = {".loc", ".file"};
    StringRef directive = name();
    directive = directive.take_front(directive.find('.', 1)); // ".reg.u32 t;"
    bool isLine = is_contained(lines, directive);
    if (!isLine && !is_contained(declarations, directive))
      return fail("directive '" + directive + "'; assembly of the device starts with '.vortex'");
    size_t end = rest.find(isLine ? '\n' : ';');
    if (end == StringRef::npos && !isLine)
      return fail("';' is missing after '" + directive + "'");
    rest = end == StringRef::npos ? StringRef() : rest.drop_front(end + 1);
    return true;
  }

  bool parseStatement(PtxStatement &s) {
    if (take('@')) {
      s.predicateNegated = take('!');
      s.predicate = name().str();
    }
    StringRef mnemonic = name();
    if (mnemonic.empty())
      return fail("unexpected '" + rest.take_front(1) + "'");
    skipSpace();
    if (rest.starts_with(":") && !rest.starts_with("::"))
      return fail("label '" + mnemonic + "'");
    std::string full = mnemonic.str();
    while (rest.consume_front("::")) // cache hints: ld.global.L1::no_allocate
      full += "." + name().str();
    SmallVector<StringRef, 8> words;
    StringRef(full).split(words, '.', -1, /*KeepEmpty=*/false);
    for (StringRef w : words)
      s.words.push_back(w.str());
    if (s.words.empty())
      return fail("unexpected '" + full + "'");
    skipSpace();
    while (!rest.empty() && !rest.starts_with(";") && !rest.starts_with("}")) {
      PtxOperand operand;
      if (!parseOperand(operand))
        return false;
      s.operands.push_back(std::move(operand));
      if (!take(','))
        break;
    }
    skipSpace();
    if (!rest.empty() && !rest.consume_front(";") && !rest.starts_with("}"))
      return fail("unexpected '" + rest.take_front(1) + "' after '" + full + "'");
    return true;
  }

  bool parseOperand(PtxOperand &o, unsigned depth = 0) {
    if (take('['))
      return parseAddress(o);
    if (take('{'))
      return depth < kMaxDepth ? parseList(o, depth + 1) : fail("lists in lists");
    o.negated = take('!');
    skipSpace();
    if (!rest.empty() && (isDigit(rest.front()) || rest.front() == '-'))
      return parseNumber(o);
    o.name = name().str();
    if (o.name.empty())
      return fail("unexpected '" + rest.take_front(1) + "'");
    if (!take('|'))
      return true;
    PtxOperand first = o, second;
    second.name = name().str();
    o = PtxOperand();
    o.kind = PtxOperand::Pair;
    o.parts = {first, second};
    return true;
  }

  bool parseAddress(PtxOperand &o) {
    o.kind = PtxOperand::Address;
    skipSpace();
    PtxOperand number;
    if (!rest.empty() && isDigit(rest.front())) {
      if (!parseNumber(number))
        return false;
      o.bits = number.bits;
    } else {
      o.name = name().str();
      if (take('+')) {
        skipSpace();
        if (!parseNumber(number))
          return false;
        o.bits = number.bits;
      }
    }
    if (take(',')) {
      o.kind = PtxOperand::Texel;
      rest = rest.drop_until([](char c) { return c == ']'; });
    }
    return take(']') || fail("unexpected '" + rest.take_front(1) + "' in an address");
  }

  bool parseList(PtxOperand &o, unsigned depth) {
    o.kind = PtxOperand::List;
    do {
      PtxOperand part;
      if (!parseOperand(part, depth))
        return false;
      o.parts.push_back(std::move(part));
    } while (take(','));
    return take('}') || fail("unexpected '" + rest.take_front(1) + "' in a list");
  }

  /// Parses decimal, 0x…, 0… (octal), 0b…, with an optional U; 0f and 0d are bits of a float and a
  /// double.
  bool parseNumber(PtxOperand &o) {
    o.kind = PtxOperand::Number;
    bool negative = take('-');
    StringRef text = name();
    if (text.starts_with_insensitive("0f") || text.starts_with_insensitive("0d")) {
      o.floatBits = text[1] == 'f' || text[1] == 'F' ? 32 : 64;
      return !text.drop_front(2).getAsInteger(16, o.bits) || fail("number '" + text + "'");
    }
    StringRef digits = text.rtrim("uU");
    double decimal;
    if (!digits.getAsInteger(0, o.bits)) {
      o.bits = negative ? -o.bits : o.bits;
      return true;
    }
    if (digits.contains('.') && !digits.getAsDouble(decimal)) {
      o.floatBits = 64;
      o.bits = bit_cast<uint64_t>(negative ? -decimal : decimal);
      return true;
    }
    return fail("number '" + text + "'");
  }

  StringRef rest;
  std::string problem;
};

} // namespace

bool PtxStatement::has(StringRef modifier) const {
  return llvm::any_of(words, [&](const std::string &w) { return w == modifier; });
}

std::string PtxStatement::mnemonic() const {
  return join(words, ".");
}

Expected<std::vector<PtxStatement>> parsePtx(StringRef text) {
  std::string plain = withoutComments(text);
  return Parser(plain).run();
}

std::optional<PtxType> parsePtxType(StringRef word) {
  if (word == "pred")
    return PtxType{'p', 1};
  if (word == "f16x2" || word == "bf16x2" || word == "bf16")
    return PtxType{'f', 16, word.ends_with("x2"), word.starts_with("b")};
  unsigned bits;
  if (word.size() < 2 || !StringRef("subf").contains(word.front()) ||
      word.drop_front().getAsInteger(10, bits) || bits > 128 || bits < 8 || !isPowerOf2_32(bits) ||
      (word.front() == 'f' && (bits < 16 || bits > 64)))
    return std::nullopt;
  return PtxType{word.front(), bits};
}

Type *PtxType::irType(LLVMContext &ctx) const {
  if (kind != 'f')
    return Type::getIntNTy(ctx, bits);
  Type *element = brain        ? Type::getBFloatTy(ctx)
                  : bits == 16 ? Type::getHalfTy(ctx)
                  : bits == 32 ? Type::getFloatTy(ctx)
                               : Type::getDoubleTy(ctx);
  return packed ? FixedVectorType::get(element, 2) : element;
}

} // namespace vx::import
