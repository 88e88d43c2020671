// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point rows: operands and order of operands, boxing, rounding mode and flags. That the
// arithmetic itself is exact is SoftFloatTest's business.

#include "simulator/func/FloatBox.h"
#include "test/unit/simulator/Harness.h"
#include <cmath>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;
using isa::Op;

namespace {

constexpr uint64_t kNan32 = kBox | 0x7fc00000, kNan64 = 0x7ff8000000000000;

uint64_t s(float value) {
  return kBox | std::bit_cast<uint32_t>(value);
}
uint64_t d(double value) {
  return std::bit_cast<uint64_t>(value);
}

struct FloatCase {
  Op op;
  uint64_t a, b, c; ///< fs1, fs2, fs3
  uint64_t result;
};

/// Executes an instruction twice: with no flag set it takes the exact path, with the inexact flag
/// set the host may compute it.
void checkFp(std::initializer_list<FloatCase> cases) {
  for (const FloatCase &c : cases)
    for (uint8_t flags : {0, 1}) {
      SCOPED_TRACE(isa::info(c.op).mnemonic);
      Harness h;
      h.warp().fflags = flags;
      h.setF(1, {c.a, c.a, c.a, c.a});
      h.setF(2, {c.b, c.b, c.b, c.b});
      h.setF(4, {c.c, c.c, c.c, c.c});
      ASSERT_TRUE(h.run(c.op));
      EXPECT_EQ(h.f(3, 0), c.result);
      EXPECT_EQ(h.f(3, 3), c.result);
    }
}

TEST(FloatRows, Arithmetic) {
  checkFp({
      {Op::FADD_S, s(1.5f), s(2.25f), 0, s(3.75f)},
      {Op::FSUB_S, s(1.5f), s(2.25f), 0, s(-0.75f)},
      {Op::FMUL_S, s(1.5f), s(-2), 0, s(-3)},
      {Op::FDIV_S, s(1), s(3), 0, s(1.0f / 3.0f)},
      {Op::FSQRT_S, s(2), 0, 0, s(std::sqrt(2.0f))},
      {Op::FMADD_S, s(3), s(4), s(5), s(17)},
      {Op::FMSUB_S, s(3), s(4), s(5), s(7)},
      {Op::FNMSUB_S, s(3), s(4), s(5), s(-7)},
      {Op::FNMADD_S, s(3), s(4), s(5), s(-17)},
      {Op::FADD_D, d(1.5), d(2.25), 0, d(3.75)},
      {Op::FSUB_D, d(1.5), d(2.25), 0, d(-0.75)},
      {Op::FMUL_D, d(1.5), d(-2), 0, d(-3)},
      {Op::FDIV_D, d(1), d(3), 0, d(1.0 / 3.0)},
      {Op::FSQRT_D, d(2), 0, 0, d(std::sqrt(2.0))},
      {Op::FMADD_D, d(3), d(4), d(5), d(17)},
      {Op::FMSUB_D, d(3), d(4), d(5), d(7)},
      {Op::FNMSUB_D, d(3), d(4), d(5), d(-7)},
      {Op::FNMADD_D, d(3), d(4), d(5), d(-17)},
      // Special values.
      {Op::FADD_S, s(INFINITY), s(-INFINITY), 0, kNan32},
      {Op::FSQRT_D, d(-1), 0, 0, kNan64},
      {Op::FDIV_S, s(1), s(-0.0f), 0, s(-INFINITY)},
      {Op::FMUL_S, s(1e-30f), s(1e-30f), 0, s(0)},
      {Op::FMUL_S, s(3e38f), s(10), 0, s(INFINITY)},
      {Op::FMUL_S, s(1e-38f), s(0.25f), 0, s(1e-38f * 0.25f)}, // subnormal
      {Op::FADD_S, 0x3f800000, s(1), 0, kNan32},               // not boxed
      {Op::FADD_D, d(std::nan("7")), d(1), 0, kNan64},         // canonical
  });
}

TEST(FloatRows, SignsMinMaxConvert) {
  checkFp({
      {Op::FSGNJ_S, s(1), s(-2), 0, s(-1)},
      {Op::FSGNJN_S, s(1), s(-2), 0, s(1)},
      {Op::FSGNJX_S, s(-1), s(-2), 0, s(1)},
      {Op::FSGNJ_S, 0x3f800000, s(-2), 0, kBox | 0xffc00000}, // not boxed
      {Op::FSGNJ_D, d(1), d(-2), 0, d(-1)},
      {Op::FSGNJN_D, d(1), d(2), 0, d(-1)},
      {Op::FSGNJX_D, d(1), d(-2), 0, d(-1)},
      {Op::FMIN_S, s(-0.0f), s(0.0f), 0, s(-0.0f)},
      {Op::FMAX_S, s(-0.0f), s(0.0f), 0, s(0.0f)},
      {Op::FMIN_D, d(NAN), d(3), 0, d(3)},
      {Op::FMAX_D, d(NAN), d(NAN), 0, kNan64},
      {Op::FCVT_S_D, d(0.1), 0, 0, s(0.1f)},
      {Op::FCVT_D_S, s(0.5f), 0, 0, d(0.5)},
  });
}

TEST(FloatRows, CompareAndClassify) {
  struct {
    Op op;
    uint64_t a, b, result;
  } cases[] = {{Op::FEQ_S, s(1), s(1), 1},         {Op::FLT_S, s(1), s(2), 1},
               {Op::FLE_S, s(2), s(1), 0},         {Op::FEQ_D, d(1), d(NAN), 0},
               {Op::FLT_D, d(-1), d(1), 1},        {Op::FLE_D, d(1), d(1), 1},
               {Op::FCLASS_S, s(-INFINITY), 0, 1}, {Op::FCLASS_S, 1, 0, 1 << 9},
               {Op::FCLASS_D, d(1), 0, 1 << 6}};
  for (auto &c : cases) {
    SCOPED_TRACE(isa::info(c.op).mnemonic);
    Harness h;
    h.setF(1, {c.a, c.a, c.a, c.a});
    h.setF(2, {c.b, c.b, c.b, c.b});
    ASSERT_TRUE(h.run(c.op));
    EXPECT_EQ(h.x(3, 2), c.result);
  }
}

TEST(FloatRows, ToInteger) {
  struct {
    Op op;
    uint64_t a, result;
  } cases[] = {{Op::FCVT_W_S, s(-1.5f), uint64_t(-2)},
               {Op::FCVT_WU_S, s(3e9f), 0xffffffffb2d05e00},
               {Op::FCVT_L_S, s(-1e18f), uint64_t(-999999984306749440)},
               {Op::FCVT_LU_S, s(1e19f), 9999999980506447872u},
               {Op::FCVT_W_D, d(1e10), 0x7fffffff},
               {Op::FCVT_WU_D, d(-1), 0},
               {Op::FCVT_L_D, d(-1e15), uint64_t(-1000000000000000)},
               {Op::FCVT_LU_D, d(1e19), 10000000000000000000u},
               {Op::FMV_X_W, 0x1234567880000000, 0xffffffff80000000},
               {Op::FMV_X_D, d(-0.0), uint64_t(1) << 63}};
  for (auto &c : cases) {
    SCOPED_TRACE(isa::info(c.op).mnemonic);
    Harness h;
    h.setF(1, {c.a, c.a, c.a, c.a});
    ASSERT_TRUE(h.run(c.op));
    EXPECT_EQ(h.x(3, 1), c.result);
  }
}

TEST(FloatRows, FromInteger) {
  struct {
    Op op;
    uint64_t a, result;
  } cases[] = {{Op::FCVT_S_W, 0x1ffffffff, s(-1)},
               {Op::FCVT_S_WU, 0x1ffffffff, s(4294967296.0f)},
               {Op::FCVT_S_L, uint64_t(-3), s(-3)},
               {Op::FCVT_S_LU, uint64_t(1) << 63, s(9223372036854775808.0f)},
               {Op::FCVT_D_W, 0x80000000, d(-2147483648.0)},
               {Op::FCVT_D_WU, 0x80000000, d(2147483648.0)},
               {Op::FCVT_D_L, uint64_t(-3), d(-3)},
               {Op::FCVT_D_LU, ~uint64_t(0), d(18446744073709551616.0)},
               {Op::FMV_W_X, 0x123456789, kBox | 0x23456789},
               {Op::FMV_D_X, 0x123456789, 0x123456789}};
  for (auto &c : cases) {
    SCOPED_TRACE(isa::info(c.op).mnemonic);
    Harness h;
    h.setX(1, {c.a, c.a, c.a, c.a});
    ASSERT_TRUE(h.run(c.op));
    EXPECT_EQ(h.f(3, 1), c.result);
  }
}

TEST(FloatRows, RoundingModesOfInstructionAndWarp) {
  constexpr float third = 1.0f / 3.0f; // rounded up from 0.33333333…
  const float down = std::nextafter(third, 0.0f);
  struct {
    unsigned rm;
    float result;
  } modes[] = {{0, third}, {1, down}, {2, down}, {3, third}, {4, third}};
  for (bool dynamic : {false, true})
    for (auto &mode : modes) {
      Harness h;
      h.warp().frm = dynamic ? uint8_t(mode.rm) : 0;
      h.setF(1, {s(1), s(1), s(1), s(1)});
      h.setF(2, {s(3), s(3), s(3), s(3)});
      ASSERT_TRUE(h.run(Op::FDIV_S, {.rm = dynamic ? 7 : mode.rm}));
      EXPECT_EQ(h.f(3, 0), s(mode.result)) << "mode " << mode.rm;
      EXPECT_EQ(h.warp().fflags, 1);
    }
}

TEST(FloatRows, ReservedRoundingModesAreIllegal) {
  Harness h;
  EXPECT_FALSE(h.run(Op::FADD_S, {.rm = 5}));
  EXPECT_EQ(h.trap().cause, TrapCause::IllegalInstruction);
  h.warp().frm = 6;
  EXPECT_FALSE(h.run(Op::FCVT_W_D, {.rm = 7}));
  EXPECT_EQ(h.trap().cause, TrapCause::IllegalInstruction);
  EXPECT_TRUE(h.run(Op::FCVT_W_D, {.rm = 1}));
}

TEST(FloatRows, FlagsComeFromActiveLanesOnly) {
  Harness h;
  h.setF(1, {s(1), s(1), s(1), s(1)});
  h.setF(2, {s(0), s(2), s(2), s(2)});
  h.warp().mask = 0b1110;
  ASSERT_TRUE(h.run(Op::FDIV_S));
  EXPECT_EQ(h.warp().fflags, 0);
  h.warp().mask = 0b1111;
  ASSERT_TRUE(h.run(Op::FDIV_S));
  EXPECT_EQ(h.warp().fflags, 8);
}

} // namespace
