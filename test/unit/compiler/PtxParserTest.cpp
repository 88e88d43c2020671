// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax of inline PTX: statements, every kind of operand, types, and what is not understood.

#include "passes/import/Ptx.h"
#include "llvm/IR/DerivedTypes.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace vx::import;

namespace {

std::vector<PtxStatement> parse(StringRef text) {
  auto statements = parsePtx(text);
  if (statements)
    return std::move(*statements);
  ADD_FAILURE() << toString(statements.takeError());
  return {};
}

/// Returns the operands of "op TEXT;".
std::vector<PtxOperand> operands(StringRef text) {
  auto statements = parse(("op " + text + ";").str());
  return statements.size() == 1 ? statements[0].operands : std::vector<PtxOperand>();
}

std::string errorOf(StringRef text) {
  auto statements = parsePtx(text);
  return statements ? "" : toString(statements.takeError());
}

TEST(PtxParser, SplitsStatements) {
  auto s = parse("{ .reg .pred p; // a declaration\n"
                 "  setp.lt.s32 p, $1, 0; /* between */ @!p add.s32 $0, $1, $2; }\n"
                 "@p ld.global.L1::no_allocate.f32 $0, [$1];;");
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].mnemonic(), "setp.lt.s32");
  EXPECT_EQ(s[0].op(), "setp");
  EXPECT_TRUE(s[0].has("lt"));
  EXPECT_FALSE(s[0].has("l"));
  EXPECT_EQ(s[0].predicate, "");
  EXPECT_EQ(s[1].predicate, "p");
  EXPECT_TRUE(s[1].predicateNegated);
  EXPECT_EQ(s[1].operands.size(), 3u);
  EXPECT_EQ(s[2].predicate, "p");
  EXPECT_FALSE(s[2].predicateNegated);
  EXPECT_TRUE(s[2].has("no_allocate"));
}

TEST(PtxParser, NothingIsNoStatement) {
  EXPECT_TRUE(parse("").empty());
  EXPECT_TRUE(parse(" \t\n{ ; } // the end").empty());
  EXPECT_TRUE(parse("/* open to the end").empty());
  EXPECT_TRUE(parse(".loc 1 2 3").empty());
  EXPECT_TRUE(parse(".reg.u32 t; .local .b8 a[4];").empty());
}

TEST(PtxParser, Registers) {
  auto o = operands("$0, %tid.x, !p, _, r|q");
  ASSERT_EQ(o.size(), 5u);
  EXPECT_EQ(o[0].kind, PtxOperand::Register);
  EXPECT_EQ(o[0].name, "$0");
  EXPECT_EQ(o[1].name, "%tid.x");
  EXPECT_EQ(o[2].name, "p");
  EXPECT_TRUE(o[2].negated);
  EXPECT_EQ(o[3].name, "_");
  ASSERT_EQ(o[4].kind, PtxOperand::Pair);
  ASSERT_EQ(o[4].parts.size(), 2u);
  EXPECT_EQ(o[4].parts[0].name, "r");
  EXPECT_EQ(o[4].parts[1].name, "q");
}

TEST(PtxParser, Numbers) {
  struct {
    const char *text;
    uint64_t bits;
    unsigned floatBits;
  } cases[] = {{"0", 0, 0},
               {"42", 42, 0},
               {"-1", ~uint64_t(0), 0},
               {"0x1fU", 0x1f, 0},
               {"017", 15, 0},
               {"0b101", 5, 0},
               {"18446744073709551615", ~uint64_t(0), 0},
               {"0f3f800000", 0x3f800000, 32},
               {"0F3F800000", 0x3f800000, 32},
               {"0d3ff0000000000000", 0x3ff0000000000000, 64},
               {"1.5", 0x3ff8000000000000, 64},
               {"-1.5", 0xbff8000000000000, 64}};
  for (const auto &c : cases) {
    auto o = operands(c.text);
    ASSERT_EQ(o.size(), 1u) << c.text;
    EXPECT_EQ(o[0].kind, PtxOperand::Number) << c.text;
    EXPECT_EQ(o[0].bits, c.bits) << c.text;
    EXPECT_EQ(o[0].floatBits, c.floatBits) << c.text;
  }
}

TEST(PtxParser, AddressesAndLists) {
  auto o = operands("{$0, $1, {a}}, [$2], [p + 16], [0x40], [$3, {x, y}]");
  ASSERT_EQ(o.size(), 5u);
  ASSERT_EQ(o[0].kind, PtxOperand::List);
  ASSERT_EQ(o[0].parts.size(), 3u);
  EXPECT_EQ(o[0].parts[1].name, "$1");
  ASSERT_EQ(o[0].parts[2].kind, PtxOperand::List);
  EXPECT_EQ(o[0].parts[2].parts[0].name, "a");
  EXPECT_EQ(o[1].kind, PtxOperand::Address);
  EXPECT_EQ(o[1].name, "$2");
  EXPECT_EQ(o[1].bits, 0u);
  EXPECT_EQ(o[2].name, "p");
  EXPECT_EQ(o[2].bits, 16u);
  EXPECT_EQ(o[3].name, "");
  EXPECT_EQ(o[3].bits, 0x40u);
  EXPECT_EQ(o[4].kind, PtxOperand::Texel);
}

TEST(PtxParser, SaysWhatIsWrong) {
  struct {
    const char *text, *error;
  } cases[] = {
      {"loop: add.s32 a, b, c;", "label 'loop'"},
      {".entry k;", "directive '.entry'; assembly of the device starts with '.vortex'"},
      {".reg .u32 t", "';' is missing after '.reg'"},
      {"add.s32 a, b c;", "unexpected 'c' after 'add.s32'"},
      {"mov.u32 a, ;", "unexpected ';'"},
      {"mov.u32 a, 12z;", "number '12z'"},
      {"mov.f32 a, 0fxyz;", "number '0fxyz'"},
      {"ld.u32 a, [b;", "unexpected ';' in an address"},
      {"mov.b64 a, {b, c;", "unexpected ';' in a list"},
      {"mov.b64 a, {{{{{b}}}}};", "lists in lists"},
      {"@p", "unexpected ''"},
      {"..;", "directive '.'; assembly of the device starts with '.vortex'"},
  };
  for (const auto &c : cases)
    EXPECT_EQ(errorOf(c.text), c.error) << c.text;
}

TEST(PtxType, NamesAndWidths) {
  LLVMContext ctx;
  auto typeOf = [&](StringRef word) -> Type * {
    auto type = parsePtxType(word);
    return type ? type->irType(ctx) : nullptr;
  };
  EXPECT_EQ(typeOf("s32"), Type::getInt32Ty(ctx));
  EXPECT_EQ(typeOf("u8"), Type::getInt8Ty(ctx));
  EXPECT_EQ(typeOf("b128"), Type::getInt128Ty(ctx));
  EXPECT_EQ(typeOf("pred"), Type::getInt1Ty(ctx));
  EXPECT_EQ(typeOf("f16"), Type::getHalfTy(ctx));
  EXPECT_EQ(typeOf("f32"), Type::getFloatTy(ctx));
  EXPECT_EQ(typeOf("f64"), Type::getDoubleTy(ctx));
  EXPECT_EQ(typeOf("bf16"), Type::getBFloatTy(ctx));
  EXPECT_EQ(typeOf("f16x2"), FixedVectorType::get(Type::getHalfTy(ctx), 2));
  EXPECT_EQ(typeOf("bf16x2"), FixedVectorType::get(Type::getBFloatTy(ctx), 2));
  EXPECT_TRUE(parsePtxType("s32")->isSigned());
  EXPECT_FALSE(parsePtxType("u32")->isSigned());
  for (const char *word : {"", "s", "x32", "s33", "s4", "u256", "f8", "f128", "lt", "s-8"})
    EXPECT_FALSE(parsePtxType(word)) << word;
}

} // namespace
