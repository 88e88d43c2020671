// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding and printing. LLVM's assembler reads our text back in test/simulator/disassembler.test.

#include "intrinsics/isa/Disassembler.h"
#include "test/unit/simulator/Harness.h"

using namespace vx;
using namespace vx::sim::test;
using isa::Op;

namespace {

std::string text(Op op, const Operands &operands = {}) {
  return isa::disassemble(encode(op, operands), 0x80000000, 64);
}

TEST(Decode, EveryRowDecodesToItself) {
  for (const isa::InsnInfo &row : isa::kInsns) {
    const isa::InsnInfo *found = isa::decode(encode(row.op, {}), 64);
    ASSERT_NE(found, nullptr) << row.mnemonic;
    EXPECT_EQ(found->op, row.op) << row.mnemonic;
  }
}

TEST(Decode, WideRowsDoNotExistFor32Bits) {
  EXPECT_EQ(isa::decode(encode(Op::LD, {}), 32), nullptr);
  EXPECT_EQ(isa::decode(encode(Op::ADDW, {}), 32), nullptr);
  EXPECT_EQ(isa::decode(encode(Op::SLLI, {.imm = 32}), 32), nullptr);
  EXPECT_NE(isa::decode(encode(Op::SLLI, {.imm = 31}), 32), nullptr);
  EXPECT_NE(isa::decode(encode(Op::SLLI, {.imm = 32}), 64), nullptr);
}

TEST(Decode, UnusedFieldsMustBeZero) {
  EXPECT_EQ(isa::decode(encode(Op::VX_TMC, {}) | 1u << 7, 64), nullptr);
  EXPECT_EQ(isa::decode(encode(Op::VX_SPLIT, {}) | 2u << 20, 64), nullptr);
  EXPECT_EQ(isa::decode(encode(Op::VX_SPLIT, {}) | 1u << 20, 64)->op, Op::VX_SPLIT_N);
  EXPECT_EQ(isa::decode(encode(Op::VX_PRED, {}) | 1u << 7, 64)->op, Op::VX_PRED_N);
  EXPECT_EQ(isa::decode(encode(Op::VX_SHFL_UP_I, {}) | 1u << 31, 64), nullptr);
}

TEST(Decode, EncodingsOfTheVortexDesign) {
  EXPECT_EQ(encode(Op::VX_TMC, {.rs1 = 5}), 0x0002800bu);
  EXPECT_EQ(encode(Op::VX_BAR, {.rs1 = 10, .rs2 = 11}), 0x00b5400bu);
  EXPECT_EQ(encode(Op::VX_VOTE_BALLOT, {.rd = 10, .rs1 = 11, .rs2 = 0}), 0x0205b50bu);
  EXPECT_EQ(encode(Op::VX_SHFL_IDX, {.rd = 10, .rs1 = 11, .rs2 = 12}), 0x02c5f50bu);
  EXPECT_EQ(encode(Op::VX_SHFL_DOWN_I, {.rd = 10, .rs1 = 11, .rs2 = 12, .imm = 16}), 0x20c5952bu);
  EXPECT_EQ(encode(Op::VX_TILE, {.rs1 = 10, .rs2 = 11}), 0x00b5005bu);
}

TEST(Disassemble, Operands) {
  EXPECT_EQ(text(Op::ADDI, {.rd = 10, .rs1 = 2, .imm = -16}), "addi a0, sp, -16");
  EXPECT_EQ(text(Op::ADDI, {.rd = 10, .rs1 = 2, .imm = -1}), "addi a0, sp, -1");
  EXPECT_EQ(text(Op::LW, {.rd = 10, .rs1 = 11, .imm = 8}), "lw a0, 8(a1)");
  EXPECT_EQ(text(Op::SD, {.rs1 = 2, .rs2 = 1, .imm = -8}), "sd ra, -8(sp)");
  EXPECT_EQ(text(Op::BNE, {.rs1 = 10, .rs2 = 0, .imm = -4}), "bne a0, zero, 0x7ffffffc");
  EXPECT_EQ(text(Op::JAL, {.rd = 1, .imm = 0x100}), "jal ra, 0x80000100");
  EXPECT_EQ(text(Op::CSRRS, {.rd = 10, .rs1 = 0, .imm = 0x340}), "csrrs a0, mscratch, zero");
  EXPECT_EQ(text(Op::AMOADD_W, {.rd = 0, .rs1 = 10, .rs2 = 11}), "amoadd.w zero, a1, (a0)");
  EXPECT_EQ(text(Op::FMADD_S, {.rd = 10, .rs1 = 11, .rs2 = 12, .rs3 = 13, .rm = 1}),
            "fmadd.s fa0, fa1, fa2, fa3, rtz");
  EXPECT_EQ(text(Op::FADD_S, {.rd = 10, .rs1 = 11, .rs2 = 12, .rm = 7}), "fadd.s fa0, fa1, fa2");
  EXPECT_EQ(text(Op::FCVT_D_W, {.rd = 10, .rs1 = 11}), "fcvt.d.w fa0, a1");
  EXPECT_EQ(text(Op::VX_SPLIT, {.rd = 5, .rs1 = 6}), "vx_split t0, t1");
  EXPECT_EQ(text(Op::VX_VOTE_ANY, {.rd = 5, .rs1 = 6, .rs2 = 0}), "vx_vote_any t0, t1");
  EXPECT_EQ(text(Op::VX_VOTE_ANY, {.rd = 5, .rs1 = 6, .rs2 = 7}), "vx_vote_any t0, t1, t2");
  EXPECT_EQ(text(Op::VX_SHFL_UP_I, {.rd = 5, .rs1 = 6, .rs2 = 7, .imm = 4}),
            "vx_shfl_up t0, t1, 4, t2");
  EXPECT_EQ(isa::disassemble(0, 0, 64), ".word 0x0");
}

} // namespace
