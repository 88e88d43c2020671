// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on 64-bit integers for 32-bit registers, called where vx-lower-wide finds it. Built to
// bitcode and linked into a kernel's module before divergence is handled. Nothing here may use the
// operations that it implements: no 64-bit division and no conversion of 64-bit integers.

#include <stdint.h>

namespace {

struct Divided {
  uint64_t quotient, remainder;
};

/// One quotient bit for each step, from the first that can be set. Needs divisor != 0.
Divided divideByBits(uint64_t value, uint64_t divisor) {
  if (value < divisor)
    return {0, value};
  int shift = __builtin_clzll(divisor) - __builtin_clzll(value);
  uint64_t quotient = 0, d = divisor << shift;
  for (int i = 0; i <= shift; ++i) {
    uint64_t fits = value >= d ? ~uint64_t(0) : 0;
    value -= d & fits;
    quotient = (quotient << 1) | (fits & 1);
    d >>= 1;
  }
  return {quotient, value};
}

/// A divisor of up to 16 bits: four digits of 16 bits, each by a 32-bit division.
Divided divideBySmall(uint64_t value, uint32_t divisor) {
  auto high = static_cast<uint32_t>(value >> 32), low = static_cast<uint32_t>(value);
  uint32_t q2 = high / divisor, r = high % divisor;
  uint32_t digit = (r << 16) | (low >> 16);
  uint32_t q1 = digit / divisor;
  digit = ((digit % divisor) << 16) | (low & 0xffff);
  uint32_t q0 = digit / divisor;
  uint64_t quotient = (static_cast<uint64_t>(q2) << 32) + ((q1 << 16) | q0);
  return {quotient, digit % divisor};
}

/// Division by zero yields what the machine's instructions do: all ones, and the value.
Divided divide(uint64_t value, uint64_t divisor) {
  auto smallDivisor = static_cast<uint32_t>(divisor);
  if (((value | divisor) >> 32) == 0) {
    auto smallValue = static_cast<uint32_t>(value);
    if (smallDivisor == 0)
      return {~uint64_t(0), value};
    return {smallValue / smallDivisor, smallValue % smallDivisor};
  }
  if (divisor == 0)
    return {~uint64_t(0), value};
  if (divisor < 0x10000)
    return divideBySmall(value, smallDivisor);
  return divideByBits(value, divisor);
}

/// Rounds towards zero; the remainder has the sign of VALUE.
Divided divideSigned(int64_t value, int64_t divisor) {
  uint64_t valueSign = value < 0 ? ~uint64_t(0) : 0, divisorSign = divisor < 0 ? ~uint64_t(0) : 0;
  Divided r = divide((static_cast<uint64_t>(value) ^ valueSign) - valueSign,
                     (static_cast<uint64_t>(divisor) ^ divisorSign) - divisorSign);
  uint64_t sign = valueSign ^ divisorSign;
  // The quotient of a division by zero is -1 whatever the sign of the value.
  uint64_t quotient = divisor == 0 ? ~uint64_t(0) : (r.quotient ^ sign) - sign;
  return {quotient, (r.remainder ^ valueSign) - valueSign};
}

/// X with at most 53 significant bits and the same rounding to float: what does not fit is kept as
/// one bit that says that there was something ("sticky"), far below a float's last bit.
template <typename T> T roundToOdd(T x) {
  uint64_t lost = static_cast<uint64_t>(x) & 0x7ff;
  return static_cast<T>((static_cast<uint64_t>(x) & ~uint64_t(0x7ff)) |
                        (lost != 0 ? uint64_t(0x800) : 0));
}

double toDouble(uint64_t x) {
  return static_cast<uint32_t>(x >> 32) * 0x1p32 + static_cast<uint32_t>(x);
}
double toDouble(int64_t x) {
  return static_cast<int32_t>(x >> 32) * 0x1p32 + static_cast<uint32_t>(x);
}

/// X in [0, 2^64), cut off to an integer.
uint64_t truncate(double x) {
  auto high = static_cast<uint32_t>(x * 0x1p-32);
  auto low = static_cast<uint32_t>(x - high * 0x1p32);
  return (static_cast<uint64_t>(high) << 32) | low;
}

} // namespace

extern "C" {

uint64_t __vx_udiv64(uint64_t x, uint64_t y) {
  return divide(x, y).quotient;
}
uint64_t __vx_urem64(uint64_t x, uint64_t y) {
  return divide(x, y).remainder;
}
int64_t __vx_sdiv64(int64_t x, int64_t y) {
  return static_cast<int64_t>(divideSigned(x, y).quotient);
}
int64_t __vx_srem64(int64_t x, int64_t y) {
  return static_cast<int64_t>(divideSigned(x, y).remainder);
}

double __vx_uitof64(uint64_t x) {
  return toDouble(x);
}
double __vx_sitof64(int64_t x) {
  return toDouble(x);
}
float __vx_uitof32(uint64_t x) {
  return static_cast<float>(toDouble((x >> 53) != 0 ? roundToOdd(x) : x));
}
float __vx_sitof32(int64_t x) {
  int64_t top = x >> 53;
  return static_cast<float>(toDouble(top != 0 && top != -1 ? roundToOdd(x) : x));
}

uint64_t __vx_f64toui(double x) {
  if (!(x > 0))
    return 0;
  return x >= 0x1p64 ? ~uint64_t(0) : truncate(x);
}
int64_t __vx_f64tosi(double x) {
  if (x != x)
    return 0;
  if (x >= 0x1p63)
    return INT64_MAX;
  if (x <= -0x1p63)
    return INT64_MIN;
  auto magnitude = static_cast<int64_t>(truncate(__builtin_fabs(x)));
  return x < 0 ? -magnitude : magnitude;
}

} // extern "C"
