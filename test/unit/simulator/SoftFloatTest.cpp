// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SoftFloat against the host's IEEE arithmetic: results and flags, in the four rounding modes that
// a host has, on operands chosen to hit the corners. Round-to-nearest-max-magnitude, which hosts do
// not have, is checked against a definition of its own. This file is compiled with -frounding-math.

#include "simulator/func/SoftFloat.h"
#include <cfenv>
#include <gtest/gtest.h>
#include <random>

using namespace vx::sim::fp;

namespace {

constexpr int kHostModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

uint8_t flagsOfHost() {
  int raised = std::fetestexcept(FE_ALL_EXCEPT);
  return uint8_t((raised & FE_INEXACT ? kInexact : 0) | (raised & FE_UNDERFLOW ? kUnderflow : 0) |
                 (raised & FE_OVERFLOW ? kOverflow : 0) | (raised & FE_DIVBYZERO ? kDivByZero : 0) |
                 (raised & FE_INVALID ? kInvalid : 0));
}

/// Bit patterns where things happen: exponents near the ends and near each other, mantissas of
/// zeros, ones and noise.
template <typename T> class Operands {
public:
  using Bits = typename T::Bits;
  Bits next() {
    Bits sign = random() & 1 ? T::signBit : 0;
    return sign | Bits(exponent()) << T::manBits | (mantissa() & T::manMask);
  }

private:
  int exponent() {
    switch (random() % 8) {
    case 0:
      return 0;
    case 1:
      return T::maxField;
    case 2:
      return int(random() % 4);
    case 3:
      return T::maxField - 1 - int(random() % 3);
    case 4:
      return int(random() % T::maxField);
    default:
      return T::bias - 3 + int(random() % 7) + (random() % 4 == 0 ? T::manBits : 0);
    }
  }
  Bits mantissa() {
    switch (random() % 5) {
    case 0:
      return 0;
    case 1:
      return T::manMask;
    case 2:
      return Bits(1) << (random() % T::manBits);
    case 3:
      return T::manMask << (random() % T::manBits);
    default:
      return Bits(random());
    }
  }
  std::mt19937_64 random{12345};
};

template <typename T> bool sameResult(typename T::Bits soft, typename T::Bits host) {
  return isNan<T>(host) ? soft == T::nan : soft == host;
}

template <typename T, typename SoftOp, typename HostOp>
void compareWithHost(const char *name, SoftOp soft, HostOp host) {
  using Bits = typename T::Bits;
  using Host = typename T::Host;
  Operands<T> operands;
  unsigned failures = 0;
  for (int i = 0; i < 400000 && failures < 5; ++i) {
    Bits a = operands.next(), b = operands.next(), c = operands.next();
    int mode = i % 4;
    Env env{Rounding(mode), 0};
    Bits mine = soft(a, b, c, env);
    std::fesetround(kHostModes[mode]);
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile Host x = std::bit_cast<Host>(a), y = std::bit_cast<Host>(b),
                  z = std::bit_cast<Host>(c);
    volatile Host result = host(x, y, z);
    uint8_t flags = flagsOfHost();
    std::fesetround(FE_TONEAREST);
    Bits theirs = std::bit_cast<Bits>(Host(result));
    if (!sameResult<T>(mine, theirs) || env.flags != flags) {
      ++failures;
      ADD_FAILURE() << name << std::hex << " a " << a << " b " << b << " c " << c << " mode "
                    << mode << ": " << mine << " flags " << int(env.flags) << ", host " << theirs
                    << " flags " << int(flags);
    }
  }
}

template <typename T> void compareArithmetic() {
  compareWithHost<T>(
      "add", [](auto a, auto b, auto, Env &e) { return add<T>(a, b, e); },
      [](auto x, auto y, auto) { return x + y; });
  compareWithHost<T>(
      "sub", [](auto a, auto b, auto, Env &e) { return sub<T>(a, b, e); },
      [](auto x, auto y, auto) { return x - y; });
  compareWithHost<T>(
      "mul", [](auto a, auto b, auto, Env &e) { return mul<T>(a, b, e); },
      [](auto x, auto y, auto) { return x * y; });
  compareWithHost<T>(
      "div", [](auto a, auto b, auto, Env &e) { return div<T>(a, b, e); },
      [](auto x, auto y, auto) { return x / y; });
  compareWithHost<T>(
      "sqrt", [](auto a, auto, auto, Env &e) { return sqrt<T>(a, e); },
      [](auto x, auto, auto) { return std::sqrt(x); });
}

TEST(SoftFloat, SingleAgreesWithHost) {
  compareArithmetic<F32>();
}
TEST(SoftFloat, DoubleAgreesWithHost) {
  compareArithmetic<F64>();
}

/// A product of zero and infinity plus a NaN is invalid in RISC-V; IEEE 754 leaves it open and
/// hosts differ, so such operands are not compared.
template <typename T> void compareFma() {
  auto open = [](auto a, auto b, auto c) {
    auto magnitude = [](auto v) { return v & ~T::signBit; };
    return isNan<T>(c) && ((magnitude(a) == 0 && magnitude(b) == T::infinity) ||
                           (magnitude(b) == 0 && magnitude(a) == T::infinity));
  };
  compareWithHost<T>(
      "fma", [&](auto a, auto b, auto c, Env &e) { return fma<T>(a, b, open(a, b, c) ? 0 : c, e); },
      [&](auto x, auto y, auto z) {
        using Bits = typename T::Bits;
        bool skip = open(std::bit_cast<Bits>(x), std::bit_cast<Bits>(y), std::bit_cast<Bits>(z));
        return std::fma(x, y, skip ? decltype(z)(0) : z);
      });
  Env env;
  EXPECT_EQ(fma<T>(0, T::infinity, T::nan, env), T::nan);
  EXPECT_EQ(env.flags, kInvalid);
}

TEST(SoftFloat, SingleFmaAgreesWithHost) {
  compareFma<F32>();
}
TEST(SoftFloat, DoubleFmaAgreesWithHost) {
  compareFma<F64>();
}

TEST(SoftFloat, NarrowingAgreesWithHost) {
  Operands<F64> operands;
  for (int i = 0; i < 400000; ++i) {
    uint64_t a = operands.next();
    if (i % 2) // where floats are
      a = (a & ~F64::infinity) | uint64_t(1023 - 160 + i / 2 % 320) << 52;
    int mode = i % 4;
    Env env{Rounding(mode), 0};
    uint32_t mine = convert<F32, F64>(a, env);
    std::fesetround(kHostModes[mode]);
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile double x = std::bit_cast<double>(a);
    volatile float result = float(x);
    uint8_t flags = flagsOfHost();
    std::fesetround(FE_TONEAREST);
    uint32_t theirs = std::bit_cast<uint32_t>(float(result));
    ASSERT_TRUE(sameResult<F32>(mine, theirs) && env.flags == flags)
        << std::hex << a << " mode " << mode << ": " << mine << " flags " << int(env.flags)
        << ", host " << theirs << " flags " << int(flags);
  }
}

TEST(SoftFloat, FromIntegerAgreesWithHost) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    int64_t value = int64_t(random()) >> random() % 64;
    int mode = i % 4;
    Env single{Rounding(mode), 0}, wide{Rounding(mode), 0};
    uint32_t s = fromSigned<F32>(value, single);
    uint64_t d = fromSigned<F64>(value, wide);
    std::fesetround(kHostModes[mode]);
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile int64_t x = value;
    volatile float hostSingle = float(x);
    uint8_t singleFlags = flagsOfHost();
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile double hostDouble = double(x);
    uint8_t doubleFlags = flagsOfHost();
    std::fesetround(FE_TONEAREST);
    ASSERT_EQ(s, std::bit_cast<uint32_t>(float(hostSingle))) << value << " mode " << mode;
    ASSERT_EQ(d, std::bit_cast<uint64_t>(double(hostDouble))) << value << " mode " << mode;
    ASSERT_EQ(single.flags, singleFlags);
    ASSERT_EQ(wide.flags, doubleFlags);
  }
}

TEST(SoftFloat, NearestMaxMagnitudeTiesGoAway) {
  // 1 + 2^-24 lies half-way between two floats; so does 1 + 3 * 2^-24.
  for (uint32_t sign : {0u, F32::signBit}) {
    Env even, away{Rounding::NearestMax, 0};
    uint32_t one = 0x3f800000 | sign, half = 0x33800000 | sign;
    EXPECT_EQ(add<F32>(one, half, even), one);
    EXPECT_EQ(add<F32>(one, half, away), one + 1);
    EXPECT_EQ(add<F32>(one + 1, half, away), one + 2);
    EXPECT_EQ(away.flags, kInexact);
  }
  Env away{Rounding::NearestMax, 0};
  EXPECT_EQ((toInteger<F64, int32_t>(std::bit_cast<uint64_t>(2.5), away)), 3);
  EXPECT_EQ((toInteger<F64, int32_t>(std::bit_cast<uint64_t>(-2.5), away)), -3);
  EXPECT_EQ((toInteger<F64, int32_t>(std::bit_cast<uint64_t>(0.49999999999999994), away)), 0);
  Env even;
  EXPECT_EQ((toInteger<F64, int32_t>(std::bit_cast<uint64_t>(2.5), even)), 2);
}

TEST(SoftFloat, ToIntegerSaturates) {
  auto convertTo = [](double value, auto type, uint8_t flags, Rounding mode = Rounding::ToZero) {
    Env env{mode, 0};
    auto result = toInteger<F64, decltype(type)>(std::bit_cast<uint64_t>(value), env);
    EXPECT_EQ(env.flags, flags) << value;
    return result;
  };
  EXPECT_EQ(convertTo(2147483647.5, int32_t(), kInexact), INT32_MAX);
  EXPECT_EQ(convertTo(2147483648.0, int32_t(), kInvalid), INT32_MAX);
  EXPECT_EQ(convertTo(2147483647.5, int32_t(), kInvalid, Rounding::Up), INT32_MAX);
  EXPECT_EQ(convertTo(-2147483648.0, int32_t(), 0), INT32_MIN);
  EXPECT_EQ(convertTo(-2147483649.0, int32_t(), kInvalid), INT32_MIN);
  EXPECT_EQ(convertTo(-0.9, uint32_t(), kInexact), 0u);
  EXPECT_EQ(convertTo(-1.0, uint32_t(), kInvalid), 0u);
  EXPECT_EQ(convertTo(4294967295.0, uint32_t(), 0), UINT32_MAX);
  EXPECT_EQ(convertTo(4294967296.0, uint32_t(), kInvalid), UINT32_MAX);
  EXPECT_EQ(convertTo(9223372036854775808.0, int64_t(), kInvalid), INT64_MAX);
  EXPECT_EQ(convertTo(-9223372036854775808.0, int64_t(), 0), INT64_MIN);
  EXPECT_EQ(convertTo(9223372036854775808.0, uint64_t(), 0), uint64_t(1) << 63);
  EXPECT_EQ(convertTo(18446744073709551616.0, uint64_t(), kInvalid), UINT64_MAX);
  EXPECT_EQ(convertTo(NAN, int32_t(), kInvalid), INT32_MAX);
  EXPECT_EQ(convertTo(-INFINITY, int64_t(), kInvalid), INT64_MIN);
  EXPECT_EQ(convertTo(-INFINITY, uint64_t(), kInvalid), 0u);
  EXPECT_EQ(convertTo(5e-324, int32_t(), kInexact), 0);
  EXPECT_EQ(convertTo(5e-324, int32_t(), kInexact, Rounding::Up), 1);
  EXPECT_EQ(convertTo(-5e-324, int32_t(), kInexact, Rounding::Down), -1);
}

TEST(SoftFloat, MinMaxAndCompare) {
  constexpr uint32_t quiet = F32::nan, signaling = F32::infinity | 1, zero = 0, one = 0x3f800000;
  constexpr uint32_t minusZero = F32::signBit;
  Env env;
  EXPECT_EQ(minMax<F32>(zero, minusZero, false, env), minusZero);
  EXPECT_EQ(minMax<F32>(minusZero, zero, true, env), zero);
  EXPECT_EQ(minMax<F32>(quiet, one, false, env), one);
  EXPECT_EQ(minMax<F32>(quiet | 5, quiet | 7, true, env), quiet);
  EXPECT_TRUE(equal<F32>(zero, minusZero, env));
  EXPECT_FALSE(less<F32>(minusZero, zero, env));
  EXPECT_TRUE(lessEqual<F32>(zero, minusZero, env));
  EXPECT_FALSE(equal<F32>(quiet, quiet, env));
  EXPECT_EQ(env.flags, 0);
  EXPECT_FALSE(less<F32>(quiet, one, env));
  EXPECT_EQ(env.flags, kInvalid);
  env.flags = 0;
  EXPECT_EQ(minMax<F32>(signaling, one, false, env), one);
  EXPECT_EQ(env.flags, kInvalid);
  env.flags = 0;
  EXPECT_FALSE(equal<F32>(signaling, one, env));
  EXPECT_EQ(env.flags, kInvalid);
}

TEST(SoftFloat, Classify) {
  EXPECT_EQ(classify<F64>(F64::signBit | F64::infinity), 1u << 0);
  EXPECT_EQ(classify<F64>(std::bit_cast<uint64_t>(-1.0)), 1u << 1);
  EXPECT_EQ(classify<F64>(F64::signBit | 1), 1u << 2);
  EXPECT_EQ(classify<F64>(F64::signBit), 1u << 3);
  EXPECT_EQ(classify<F64>(0), 1u << 4);
  EXPECT_EQ(classify<F64>(1), 1u << 5);
  EXPECT_EQ(classify<F64>(std::bit_cast<uint64_t>(1.0)), 1u << 6);
  EXPECT_EQ(classify<F64>(F64::infinity), 1u << 7);
  EXPECT_EQ(classify<F64>(F64::infinity | 1), 1u << 8);
  EXPECT_EQ(classify<F64>(F64::nan), 1u << 9);
}

} // namespace
