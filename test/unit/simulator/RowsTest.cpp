// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and atomic rows by example: operands and the result, per register width. The last test of
// this program (CoverageEnvironment) fails if any row of the instruction table was never executed.

#include "test/unit/simulator/Harness.h"

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

constexpr uint64_t kMin64 = uint64_t(1) << 63, kOnes = ~uint64_t(0);
constexpr uint64_t kMin32 = 0xffffffff80000000; // as a register holds it

struct Case {
  Op op;
  uint64_t a, b; ///< rs1, and rs2 or the immediate
  uint64_t result;
};

bool hasImmediate(Op op) {
  isa::Field field = isa::info(op).form().immediate;
  return field == isa::Field::ImmI || field == isa::Field::Shamt;
}

void check(unsigned xlen, std::initializer_list<Case> cases) {
  for (const Case &c : cases) {
    SCOPED_TRACE(std::string(isa::info(c.op).mnemonic) + " xlen " + std::to_string(xlen));
    // All lanes active, some active, 8 lanes, an odd number: different code computes them.
    for (unsigned lanes : {4u, 8u, 5u}) {
      for (uint64_t mask : {uint64_t(0xff), uint64_t(0x2)}) {
        Harness h(xlen, lanes);
        h.warp().mask &= mask;
        for (unsigned lane = 0; lane < lanes; ++lane) {
          h.x(1, lane) = c.a;
          h.x(2, lane) = c.b;
          h.x(3, lane) = 0x5555;
        }
        ASSERT_TRUE(h.run(c.op, {.imm = hasImmediate(c.op) ? int64_t(c.b) : 0}));
        for (unsigned lane = 0; lane < lanes; ++lane)
          EXPECT_EQ(h.x(3, lane), mask >> lane & 1 ? c.result : 0x5555) << "lane " << lane;
      }
    }
  }
}

TEST(IntegerRows, ComputeOn64Bits) {
  check(64, {
                {Op::ADDI, 5, uint64_t(-7), uint64_t(-2)},
                {Op::ADDI, kOnes, 1, 0},
                {Op::SLTI, uint64_t(-5), uint64_t(-4), 1},
                {Op::SLTI, 3, uint64_t(-4), 0},
                {Op::SLTIU, 3, uint64_t(-4), 1},
                {Op::SLTIU, 0, 0, 0},
                {Op::XORI, 0xf0, kOnes, ~uint64_t(0xf0)},
                {Op::ORI, 0xf0, 0x0f, 0xff},
                {Op::ANDI, 0xff, 0x3c, 0x3c},
                {Op::SLLI, 1, 63, kMin64},
                {Op::SLLI, 1, 0, 1},
                {Op::SRLI, kMin64, 63, 1},
                {Op::SRLI, kOnes, 32, 0xffffffff},
                {Op::SRAI, kMin64, 63, kOnes}, // arithmetic also for 32 and more
                {Op::SRAI, kMin64, 32, 0xffffffff80000000},
                {Op::SRAI, uint64_t(-256), 4, uint64_t(-16)},
                {Op::ADD, kOnes, 2, 1},
                {Op::SUB, 0, 1, kOnes},
                {Op::SLL, 1, 64 + 5, 32},
                {Op::SLT, kMin64, 1, 1},
                {Op::SLTU, kMin64, 1, 0},
                {Op::XOR, 0xff00, 0x0ff0, 0xf0f0},
                {Op::SRL, kMin64, 127, 1},
                {Op::SRA, kMin64, 62, uint64_t(-2)},
                {Op::OR, 0xf000, 0x000f, 0xf00f},
                {Op::AND, 0xff00, 0x0ff0, 0x0f00},
                {Op::ADDIW, 0x7fffffff, 1, kMin32},
                {Op::SLLIW, 1, 31, kMin32},
                {Op::SRLIW, 0xffffffff80000000, 31, 1},
                {Op::SRAIW, 0x80000000, 31, kOnes},
                {Op::ADDW, 0x1ffffffff, 1, 0},
                {Op::SUBW, 0, 1, kOnes},
                {Op::SLLW, 1, 63, kMin32},
                {Op::SRLW, 0x80000000, 32 + 31, 1},
                {Op::SRAW, 0x80000000, 30, uint64_t(-2)},
                {Op::CZERO_EQZ, 7, 0, 0},
                {Op::CZERO_EQZ, 7, 9, 7},
                {Op::CZERO_NEZ, 7, 0, 7},
                {Op::CZERO_NEZ, 7, 9, 0},
            });
}

TEST(IntegerRows, ComputeOn32Bits) {
  check(32, {
                {Op::ADD, 0x7fffffff, 1, kMin32},
                {Op::SUB, 0, 1, kOnes},
                {Op::SLL, 1, 32 + 31, kMin32},
                {Op::SRLI, kMin32, 31, 1},
                {Op::SRL, kMin32, 4, 0x08000000},
                {Op::SRAI, kMin32, 31, kOnes},
                {Op::SRA, kMin32, 33, 0xffffffffc0000000},
                {Op::SLT, kMin32, 0, 1},
                {Op::SLTU, kMin32, 0x7fffffff, 0},
                {Op::MULHU, kOnes, kOnes, 0xfffffffffffffffe},
                {Op::MULHSU, kOnes, kOnes, kOnes},
                {Op::MULH, kMin32, kMin32, 0x40000000},
                {Op::DIV, kMin32, kOnes, kMin32},
                {Op::DIVU, 5, 0, kOnes},
                {Op::REM, kMin32, kOnes, 0},
                {Op::REMU, kOnes, 16, 15},
            });
}

TEST(IntegerRows, MultiplyAndDivide) {
  check(64, {
                {Op::MUL, kOnes, 3, uint64_t(-3)},
                {Op::MULH, kMin64, kMin64, uint64_t(1) << 62},
                {Op::MULH, kOnes, 1, kOnes},
                {Op::MULHSU, kOnes, kOnes, kOnes},
                {Op::MULHU, kOnes, kOnes, kOnes - 1},
                {Op::DIV, uint64_t(-7), 2, uint64_t(-3)},
                {Op::DIV, 7, 0, kOnes},
                {Op::DIV, kMin64, kOnes, kMin64},
                {Op::DIVU, kOnes, 2, kOnes >> 1},
                {Op::DIVU, 7, 0, kOnes},
                {Op::REM, uint64_t(-7), 2, kOnes},
                {Op::REM, 7, 0, 7},
                {Op::REM, kMin64, kOnes, 0},
                {Op::REMU, 7, 0, 7},
                {Op::REMU, kOnes, 10, 5},
                {Op::MULW, 0x10000, 0x10000, 0},
                {Op::MULW, 0xffffffff, 1, kOnes},
                {Op::DIVW, 0x80000000, kOnes, kMin32},
                {Op::DIVW, 1, 0, kOnes},
                {Op::DIVUW, 0xffffffff, 1, kOnes},
                {Op::DIVUW, 9, 0, kOnes},
                {Op::REMW, 0x80000000, kOnes, 0},
                {Op::REMW, 0x80000001, 0, 0xffffffff80000001},
                {Op::REMUW, 0x80000000, 0, kMin32},
                {Op::REMUW, 0xffffffff, 16, 15},
            });
}

TEST(IntegerRows, UpperImmediates) {
  Harness h;
  ASSERT_TRUE(h.run(Op::LUI, {.imm = int64_t(0x80000000)}));
  EXPECT_EQ(h.x(3, 3), kMin32);
  ASSERT_TRUE(h.run(Op::AUIPC, {.imm = 0x1000}));
  EXPECT_EQ(h.x(3, 0), Harness::kCode + 0x1000);
}

TEST(IntegerRows, WritesToX0AreDropped) {
  Harness h;
  ASSERT_TRUE(h.run(Op::ADDI, {.rd = 0, .rs1 = 0, .imm = 5}));
  EXPECT_EQ(h.lanesOfX(0), (std::vector<uint64_t>{0, 0, 0, 0}));
}

struct AtomicCase {
  Op op;
  uint64_t memory, operand, result;
};

TEST(AtomicRows, ReadModifyWrite) {
  const AtomicCase cases[] = {
      {Op::AMOSWAP_W, 1, 2, 2},
      {Op::AMOADD_W, 0xffffffff, 2, 1},
      {Op::AMOXOR_W, 0xff, 0x0f, 0xf0},
      {Op::AMOAND_W, 0xff, 0x0f, 0x0f},
      {Op::AMOOR_W, 0xf0, 0x0f, 0xff},
      {Op::AMOMIN_W, 0xffffffff, 1, 0xffffffff},
      {Op::AMOMAX_W, 0xffffffff, 1, 1},
      {Op::AMOMINU_W, 0xffffffff, 1, 1},
      {Op::AMOMAXU_W, 0xffffffff, 1, 0xffffffff},
      {Op::AMOSWAP_D, 1, kMin64, kMin64},
      {Op::AMOADD_D, kOnes, 2, 1},
      {Op::AMOXOR_D, kMin64, kOnes, ~kMin64},
      {Op::AMOAND_D, kOnes, kMin64, kMin64},
      {Op::AMOOR_D, 1, kMin64, kMin64 | 1},
      {Op::AMOMIN_D, kOnes, 1, kOnes},
      {Op::AMOMAX_D, kOnes, 1, 1},
      {Op::AMOMINU_D, kOnes, 1, 1},
      {Op::AMOMAXU_D, kOnes, 1, kOnes},
  };
  for (const AtomicCase &c : cases) {
    SCOPED_TRACE(isa::info(c.op).mnemonic);
    bool word = isa::info(c.op).mnemonic.ends_with(".w");
    Harness h;
    h.warp().mask = 1;
    h.store<uint64_t>(Harness::kData, c.memory);
    h.x(1, 0) = Harness::kData;
    h.x(2, 0) = c.operand;
    ASSERT_TRUE(h.run(c.op));
    EXPECT_EQ(h.load<uint64_t>(Harness::kData), c.result);
    EXPECT_EQ(h.x(3, 0), word ? uint64_t(int64_t(int32_t(c.memory))) : c.memory);
  }
}

TEST(AtomicRows, LanesGoInOrder) {
  Harness h;
  h.store<uint64_t>(Harness::kData, 100);
  h.setX(1, {Harness::kData, Harness::kData, Harness::kData, Harness::kData});
  h.setX(2, {1, 2, 3, 4});
  ASSERT_TRUE(h.run(Op::AMOADD_D));
  EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{100, 101, 103, 106}));
  EXPECT_EQ(h.load<uint64_t>(Harness::kData), 110u);
}

TEST(AtomicRows, OneLaneWinsAReservation) {
  for (auto [reserve, conditional] :
       {std::pair(Op::LR_W, Op::SC_W), std::pair(Op::LR_D, Op::SC_D)}) {
    Harness h;
    h.store<uint64_t>(Harness::kData, 7);
    h.setX(1, {Harness::kData, Harness::kData, Harness::kData, Harness::kData});
    h.setX(2, {10, 11, 12, 13});
    ASSERT_TRUE(h.run(conditional)); // without a reservation it fails
    EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{1, 1, 1, 1}));
    ASSERT_TRUE(h.run(reserve));
    EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{7, 7, 7, 7}));
    ASSERT_TRUE(h.run(conditional));
    EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{0, 1, 1, 1}));
    EXPECT_EQ(h.load<uint64_t>(Harness::kData), 10u);
  }
}

TEST(AtomicRows, LanesOnDifferentWordsAllSucceed) {
  Harness h;
  h.setX(1, {Harness::kData, Harness::kData + 8, Harness::kData + 16, Harness::kData + 24});
  h.setX(2, {1, 2, 3, 4});
  ASSERT_TRUE(h.run(Op::LR_D));
  ASSERT_TRUE(h.run(Op::SC_D));
  EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{0, 0, 0, 0}));
}

TEST(AtomicRows, AStoreEndsAReservation) {
  Harness h;
  h.setX(1, {Harness::kData, Harness::kData + 8, Harness::kData + 16, Harness::kData + 24});
  h.setX(2, {1, 2, 3, 4});
  h.setX(5, {Harness::kData + 8, Harness::kData + 8, Harness::kData + 8, Harness::kData + 8});
  ASSERT_TRUE(h.run(Op::LR_D));
  ASSERT_TRUE(h.run(Op::SB, {.rs1 = 5}));
  ASSERT_TRUE(h.run(Op::SC_D));
  EXPECT_EQ(h.lanesOfX(3), (std::vector<uint64_t>{0, 1, 0, 0}));
}

TEST(AtomicRows, MisalignedTraps) {
  Harness h;
  h.setX(1, {Harness::kData + 4, Harness::kData, Harness::kData, Harness::kData});
  EXPECT_FALSE(h.run(Op::AMOADD_D));
  EXPECT_EQ(h.trap().cause, TrapCause::Misaligned);
  EXPECT_EQ(h.trap().address, Harness::kData + 4);
}

} // namespace

/// Runs after all tests: the instruction table and the tests must cover each other.
class CoverageEnvironment : public testing::Environment {
public:
  void TearDown() override {
    if (testing::GTEST_FLAG(filter) != "*")
      return;
    for (const isa::InsnInfo &row : isa::kInsns)
      EXPECT_TRUE(executedRows().count(row.op)) << "no test executes " << row.mnemonic;
  }
};

static const auto *const coverage = testing::AddGlobalTestEnvironment(new CoverageEnvironment);
