// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IEEE 754 arithmetic on bit patterns with RISC-V's choices: all five rounding modes, exception
// flags, canonical NaNs, tininess detected after rounding. Integer algorithms throughout, so the
// result does not depend on the host.
//
// A finite non-zero number is unpacked to sig / 2^63 * 2^exp with bit 63 of sig set. Operations
// deliver such a number whose lowest bit is "sticky" (set when anything below was lost); round()
// makes the final pattern of it. 64 bits leave at least ten below the 53 of a double, enough for
// a guard, a round and a sticky bit after any cancellation.

#ifndef VX_SIMULATOR_FUNC_SOFTFLOAT_H
#define VX_SIMULATOR_FUNC_SOFTFLOAT_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace vx::sim::fp {

enum Flag : uint8_t { kInexact = 1, kUnderflow = 2, kOverflow = 4, kDivByZero = 8, kInvalid = 16 };

/// In the order of the encodings of an instruction's rm field.
enum class Rounding : uint8_t { NearestEven, ToZero, Down, Up, NearestMax };

/// The rounding mode of an operation, and the flags it raised.
struct Env {
  Rounding rounding = Rounding::NearestEven;
  uint8_t flags = 0;
};

/// A format, named by its host type.
template <typename BitsT, typename HostT, int ExpBits, int ManBits> struct Format {
  using Bits = BitsT;
  using Host = HostT;
  static constexpr int manBits = ManBits;
  static constexpr int maxField = (1 << ExpBits) - 1; ///< exponent field of infinities and NaNs
  static constexpr int bias = maxField / 2;
  static constexpr Bits signBit = Bits(1) << (ExpBits + ManBits);
  static constexpr Bits infinity = Bits(maxField) << ManBits;
  static constexpr Bits quietBit = Bits(1) << (ManBits - 1);
  static constexpr Bits nan = infinity | quietBit;
  static constexpr Bits manMask = (Bits(1) << ManBits) - 1;
  static constexpr Bits largest = infinity - 1;
};
using F32 = Format<uint32_t, float, 8, 23>;
using F64 = Format<uint64_t, double, 11, 52>;

enum class Kind : uint8_t { Zero, Finite, Infinite, QuietNan, SignalingNan };

struct Unpacked {
  Kind kind;
  bool sign;
  int exp;
  uint64_t sig;
  bool isNan() const { return kind >= Kind::QuietNan; }
};

template <typename T> constexpr bool signOf(typename T::Bits bits) {
  return bits & T::signBit;
}
template <typename T> constexpr int fieldOf(typename T::Bits bits) {
  return int(bits >> T::manBits) & T::maxField;
}
template <typename T> constexpr bool isNan(typename T::Bits bits) {
  return (bits & ~T::signBit) > T::infinity;
}
template <typename T> constexpr bool isSignaling(typename T::Bits bits) {
  return isNan<T>(bits) && !(bits & T::quietBit);
}
/// Zero of a sign, infinity of a sign…
template <typename T> constexpr typename T::Bits withSign(bool sign, typename T::Bits magnitude) {
  return sign ? magnitude | T::signBit : magnitude;
}

template <typename T> Unpacked unpack(typename T::Bits bits) {
  bool sign = signOf<T>(bits);
  int field = fieldOf<T>(bits);
  uint64_t man = bits & T::manMask;
  if (field == T::maxField) {
    if (man == 0)
      return {Kind::Infinite, sign, 0, 0};
    return {man & T::quietBit ? Kind::QuietNan : Kind::SignalingNan, sign, 0, 0};
  }
  if (field == 0) {
    if (man == 0)
      return {Kind::Zero, sign, 0, 0};
    int shift = std::countl_zero(man);
    return {Kind::Finite, sign, 1 - T::bias - T::manBits + 63 - shift, man << shift};
  }
  return {Kind::Finite, sign, field - T::bias, uint64_t(1) << 63 | man << (63 - T::manBits)};
}

/// Right shift that keeps what it loses as the lowest bit.
template <typename U> constexpr U shiftSticky(U value, int count) {
  constexpr int width = sizeof(U) * 8;
  if (count <= 0)
    return value;
  if (count >= width)
    return value != 0;
  return value >> count | U((value & ((U(1) << count) - 1)) != 0);
}

/// Returns true if a magnitude is rounded up, given its lowest kept bit and what is below it.
inline bool roundsUp(Rounding mode, bool sign, bool odd, uint64_t below, uint64_t half) {
  switch (mode) {
  case Rounding::NearestEven:
    return below > half || (below == half && odd);
  case Rounding::ToZero:
    return false;
  case Rounding::Down:
    return sign && below != 0;
  case Rounding::Up:
    return !sign && below != 0;
  case Rounding::NearestMax:
    return below >= half;
  }
  return false;
}

template <typename T> typename T::Bits overflow(bool sign, Env &env) {
  env.flags |= kOverflow | kInexact;
  bool toInfinity = env.rounding == Rounding::NearestEven || env.rounding == Rounding::NearestMax ||
                    env.rounding == (sign ? Rounding::Down : Rounding::Up);
  return withSign<T>(sign, toInfinity ? T::infinity : T::largest);
}

/// The pattern nearest to sig / 2^63 * 2^exp (bit 63 set, bit 0 sticky).
template <typename T> typename T::Bits round(bool sign, int exp, uint64_t sig, Env &env) {
  constexpr int normalShift = 63 - T::manBits;
  int field = exp + T::bias;
  if (field >= T::maxField)
    return overflow<T>(sign, env);
  int shift = normalShift;
  bool tiny = false;
  if (field < 1) {
    // Tiny, unless rounding with an unlimited exponent range reaches the smallest normal number.
    uint64_t below = sig & ((uint64_t(1) << normalShift) - 1);
    bool carries = sig >> normalShift == (uint64_t(1) << (T::manBits + 1)) - 1 &&
                   roundsUp(env.rounding, sign, true, below, uint64_t(1) << (normalShift - 1));
    tiny = field < 0 || !carries;
    shift += 1 - field;
    if (shift > 62) {
      sig = shiftSticky(sig, shift - 62);
      shift = 62;
    }
  }
  uint64_t below = sig & ((uint64_t(1) << shift) - 1);
  uint64_t kept = sig >> shift;
  kept += roundsUp(env.rounding, sign, kept & 1, below, uint64_t(1) << (shift - 1));
  // The hidden bit in `kept` adds one to the exponent field, a carry out of it another.
  uint64_t bits = field < 1 ? kept : (uint64_t(field - 1) << T::manBits) + kept;
  if (bits >= T::infinity)
    return overflow<T>(sign, env);
  if (below)
    env.flags |= tiny ? kInexact | kUnderflow : kInexact;
  return withSign<T>(sign, typename T::Bits(bits));
}

/// Rounds like round(), a 128-bit significand with any leading zeros; VALUE is not 0 and value /
/// 2^127 * 2^exp is the number.
template <typename T>
typename T::Bits roundWide(bool sign, int exp, unsigned __int128 value, Env &env) {
  uint64_t high = uint64_t(value >> 64);
  int zeros = high ? std::countl_zero(high) : 64 + std::countl_zero(uint64_t(value));
  value <<= zeros;
  uint64_t sig = uint64_t(value >> 64) | (uint64_t(value) != 0);
  return round<T>(sign, exp - zeros, sig, env);
}

template <typename T> typename T::Bits invalid(Env &env) {
  env.flags |= kInvalid;
  return T::nan;
}

/// The result when at least one operand is a NaN.
template <typename T> typename T::Bits propagateNan(Env &env, bool signaling) {
  return signaling ? invalid<T>(env) : T::nan;
}

/// Sum of exact opposites: +0, but -0 when rounding down.
template <typename T> typename T::Bits exactZero(const Env &env) {
  return withSign<T>(env.rounding == Rounding::Down, 0);
}

template <typename T>
typename T::Bits add(typename T::Bits left, typename T::Bits right, Env &env) {
  Unpacked a = unpack<T>(left), b = unpack<T>(right);
  if (a.isNan() || b.isNan())
    return propagateNan<T>(env, a.kind == Kind::SignalingNan || b.kind == Kind::SignalingNan);
  if (a.kind == Kind::Infinite)
    return b.kind == Kind::Infinite && a.sign != b.sign ? invalid<T>(env) : left;
  if (b.kind == Kind::Infinite || a.kind == Kind::Zero) {
    if (b.kind == Kind::Zero) // both are zero
      return a.sign == b.sign ? left : exactZero<T>(env);
    return right;
  }
  if (b.kind == Kind::Zero)
    return left;
  if (a.exp < b.exp || (a.exp == b.exp && a.sig < b.sig))
    std::swap(a, b);
  unsigned __int128 high = static_cast<unsigned __int128>(a.sig) << 63; // bit 126: room for a carry
  unsigned __int128 low = shiftSticky(static_cast<unsigned __int128>(b.sig) << 63, a.exp - b.exp);
  unsigned __int128 sum = a.sign == b.sign ? high + low : high - low;
  return sum == 0 ? exactZero<T>(env) : roundWide<T>(a.sign, a.exp + 1, sum, env);
}

template <typename T>
typename T::Bits sub(typename T::Bits left, typename T::Bits right, Env &env) {
  return add<T>(left, isNan<T>(right) ? right : right ^ T::signBit, env);
}

template <typename T>
typename T::Bits mul(typename T::Bits left, typename T::Bits right, Env &env) {
  Unpacked a = unpack<T>(left), b = unpack<T>(right);
  bool sign = a.sign != b.sign;
  if (a.isNan() || b.isNan())
    return propagateNan<T>(env, a.kind == Kind::SignalingNan || b.kind == Kind::SignalingNan);
  if (a.kind == Kind::Infinite || b.kind == Kind::Infinite)
    return a.kind == Kind::Zero || b.kind == Kind::Zero ? invalid<T>(env)
                                                        : withSign<T>(sign, T::infinity);
  if (a.kind == Kind::Zero || b.kind == Kind::Zero)
    return withSign<T>(sign, 0);
  // A product of two numbers in [1, 2) has its leading one in bit 126 or 127.
  return roundWide<T>(sign, a.exp + b.exp + 1, static_cast<unsigned __int128>(a.sig) * b.sig, env);
}

/// left * right + addend with one rounding.
template <typename T>
typename T::Bits fma(typename T::Bits left, typename T::Bits right, typename T::Bits addend,
                     Env &env) {
  Unpacked a = unpack<T>(left), b = unpack<T>(right), c = unpack<T>(addend);
  bool sign = a.sign != b.sign;
  bool zeroTimesInfinity = (a.kind == Kind::Zero && b.kind == Kind::Infinite) ||
                           (a.kind == Kind::Infinite && b.kind == Kind::Zero);
  if (a.isNan() || b.isNan() || c.isNan())
    return propagateNan<T>(env, zeroTimesInfinity || a.kind == Kind::SignalingNan ||
                                    b.kind == Kind::SignalingNan || c.kind == Kind::SignalingNan);
  if (zeroTimesInfinity)
    return invalid<T>(env);
  if (a.kind == Kind::Infinite || b.kind == Kind::Infinite)
    return c.kind == Kind::Infinite && c.sign != sign ? invalid<T>(env)
                                                      : withSign<T>(sign, T::infinity);
  if (c.kind == Kind::Infinite)
    return addend;
  if (a.kind == Kind::Zero || b.kind == Kind::Zero) {
    if (c.kind == Kind::Zero)
      return c.sign == sign ? addend : exactZero<T>(env);
    return addend;
  }
  // Both terms with their leading one in bit 126. A product has at most 106 significant bits, so
  // aligning by one position, the only case with massive cancellation, loses nothing.
  unsigned __int128 product = static_cast<unsigned __int128>(a.sig) * b.sig;
  int exp = a.exp + b.exp;
  if (product >> 127) {
    product = shiftSticky(product, 1);
    ++exp;
  }
  if (c.kind == Kind::Zero)
    return roundWide<T>(sign, exp + 1, product, env);
  unsigned __int128 term = static_cast<unsigned __int128>(c.sig) << 63;
  bool productIsLarger = exp > c.exp || (exp == c.exp && product >= term);
  if (exp > c.exp)
    term = shiftSticky(term, exp - c.exp);
  else
    product = shiftSticky(product, c.exp - exp);
  int top = std::max(exp, c.exp);
  if (sign == c.sign)
    return roundWide<T>(sign, top + 1, product + term, env);
  unsigned __int128 difference = productIsLarger ? product - term : term - product;
  if (difference == 0)
    return exactZero<T>(env);
  return roundWide<T>(productIsLarger ? sign : c.sign, top + 1, difference, env);
}

template <typename T>
typename T::Bits div(typename T::Bits left, typename T::Bits right, Env &env) {
  Unpacked a = unpack<T>(left), b = unpack<T>(right);
  bool sign = a.sign != b.sign;
  if (a.isNan() || b.isNan())
    return propagateNan<T>(env, a.kind == Kind::SignalingNan || b.kind == Kind::SignalingNan);
  if (a.kind == Kind::Infinite)
    return b.kind == Kind::Infinite ? invalid<T>(env) : withSign<T>(sign, T::infinity);
  if (b.kind == Kind::Infinite)
    return withSign<T>(sign, 0);
  if (b.kind == Kind::Zero) {
    if (a.kind == Kind::Zero)
      return invalid<T>(env);
    env.flags |= kDivByZero;
    return withSign<T>(sign, T::infinity);
  }
  if (a.kind == Kind::Zero)
    return withSign<T>(sign, 0);
  // Scale the dividend so that the quotient has exactly 64 bits.
  int exp = a.exp - b.exp;
  unsigned __int128 dividend = static_cast<unsigned __int128>(a.sig) << 63;
  if (a.sig < b.sig) {
    dividend <<= 1;
    --exp;
  }
  uint64_t quotient = uint64_t(dividend / b.sig);
  bool rest = static_cast<unsigned __int128>(quotient) * b.sig != dividend;
  return round<T>(sign, exp, quotient | rest, env);
}

/// The integer square root of VALUE < 2^112.
inline uint64_t integerSqrt(unsigned __int128 value) {
  uint64_t root = uint64_t(std::sqrt(double(value)));
  // The estimate is good to 52 bits; one Newton step and a step of one make it exact.
  __int128 error = static_cast<__int128>(value) - static_cast<__int128>(root) * root;
  root += uint64_t(int64_t(double(error) / (2.0 * double(root))));
  while (static_cast<unsigned __int128>(root) * root > value)
    --root;
  while (static_cast<unsigned __int128>(root + 1) * (root + 1) <= value)
    ++root;
  return root;
}

template <typename T> typename T::Bits sqrt(typename T::Bits operand, Env &env) {
  Unpacked a = unpack<T>(operand);
  if (a.isNan())
    return propagateNan<T>(env, a.kind == Kind::SignalingNan);
  if (a.kind == Kind::Zero)
    return operand;
  if (a.sign)
    return invalid<T>(env);
  if (a.kind == Kind::Infinite)
    return operand;
  // With an even exponent, sqrt(sig * 2^63) has bit 63 set; 8 bits fewer are enough.
  bool odd = a.exp & 1;
  unsigned __int128 radicand = static_cast<unsigned __int128>(a.sig) << (odd ? 48 : 47);
  uint64_t root = integerSqrt(radicand);
  bool rest = static_cast<unsigned __int128>(root) * root != radicand;
  return round<T>(false, (a.exp - odd) / 2, root << 8 | rest, env);
}

/// From an integer's sign and magnitude.
template <typename T> typename T::Bits fromMagnitude(bool sign, uint64_t magnitude, Env &env) {
  if (magnitude == 0)
    return 0;
  int zeros = std::countl_zero(magnitude);
  return round<T>(sign, 63 - zeros, magnitude << zeros, env);
}
template <typename T> typename T::Bits fromSigned(int64_t value, Env &env) {
  return fromMagnitude<T>(value < 0, value < 0 ? -uint64_t(value) : uint64_t(value), env);
}
template <typename T> typename T::Bits fromUnsigned(uint64_t value, Env &env) {
  return fromMagnitude<T>(false, value, env);
}

/// To an integer type I, saturating.
template <typename T, typename I> I toInteger(typename T::Bits operand, Env &env) {
  using Limits = std::numeric_limits<I>;
  Unpacked a = unpack<T>(operand);
  if (a.kind == Kind::Zero)
    return 0;
  auto saturated = [&](bool negative) {
    env.flags |= kInvalid;
    return negative ? Limits::min() : Limits::max();
  };
  if (a.isNan())
    return saturated(false);
  if (a.kind == Kind::Infinite || a.exp > 63)
    return saturated(a.sign);
  int shift = 63 - a.exp; // the integer is sig >> shift
  uint64_t kept = shift < 64 ? a.sig >> shift : 0;
  uint64_t below = shift == 0 ? 0 : shift < 64 ? a.sig << (64 - shift) : shift == 64 ? a.sig : 1;
  kept += roundsUp(env.rounding, a.sign, kept & 1, below, uint64_t(1) << 63);
  uint64_t limit = a.sign ? -uint64_t(Limits::min()) : uint64_t(Limits::max());
  if constexpr (std::is_signed_v<I> && sizeof(I) < 8)
    limit = a.sign ? uint64_t(-int64_t(Limits::min())) : uint64_t(Limits::max());
  if (kept > limit)
    return saturated(a.sign);
  if (below)
    env.flags |= kInexact;
  return I(a.sign ? -kept : kept);
}

/// Between formats.
template <typename To, typename From>
typename To::Bits convert(typename From::Bits operand, Env &env) {
  Unpacked a = unpack<From>(operand);
  switch (a.kind) {
  case Kind::Zero:
    return withSign<To>(a.sign, 0);
  case Kind::Infinite:
    return withSign<To>(a.sign, To::infinity);
  case Kind::Finite:
    return round<To>(a.sign, a.exp, a.sig, env);
  default:
    return propagateNan<To>(env, a.kind == Kind::SignalingNan);
  }
}

/// A key that orders all numbers but treats the zeros as different.
template <typename T> constexpr int64_t orderKey(typename T::Bits bits) {
  int64_t magnitude = int64_t(bits & ~T::signBit);
  return signOf<T>(bits) ? -magnitude - 1 : magnitude;
}
template <typename T> constexpr bool bothZero(typename T::Bits a, typename T::Bits b) {
  return ((a | b) & ~T::signBit) == 0;
}

template <typename T> bool equal(typename T::Bits a, typename T::Bits b, Env &env) {
  if (isNan<T>(a) || isNan<T>(b)) {
    if (isSignaling<T>(a) || isSignaling<T>(b))
      env.flags |= kInvalid;
    return false;
  }
  return a == b || bothZero<T>(a, b);
}
template <typename T> bool less(typename T::Bits a, typename T::Bits b, Env &env) {
  if (isNan<T>(a) || isNan<T>(b)) {
    env.flags |= kInvalid;
    return false;
  }
  return orderKey<T>(a) < orderKey<T>(b) && !bothZero<T>(a, b);
}
template <typename T> bool lessEqual(typename T::Bits a, typename T::Bits b, Env &env) {
  if (isNan<T>(a) || isNan<T>(b)) {
    env.flags |= kInvalid;
    return false;
  }
  return orderKey<T>(a) <= orderKey<T>(b) || bothZero<T>(a, b);
}

/// minimumNumber and maximumNumber: a NaN loses against a number, -0 is less than +0.
template <typename T>
typename T::Bits minMax(typename T::Bits a, typename T::Bits b, bool max, Env &env) {
  if (isSignaling<T>(a) || isSignaling<T>(b))
    env.flags |= kInvalid;
  if (isNan<T>(a))
    return isNan<T>(b) ? T::nan : b;
  if (isNan<T>(b))
    return a;
  return (orderKey<T>(a) < orderKey<T>(b)) != max ? a : b;
}

/// The ten classes of fclass, one bit each.
template <typename T> uint32_t classify(typename T::Bits bits) {
  bool sign = signOf<T>(bits);
  int field = fieldOf<T>(bits);
  if (isNan<T>(bits))
    return isSignaling<T>(bits) ? 1 << 8 : 1 << 9;
  if (field == T::maxField)
    return sign ? 1 << 0 : 1 << 7;
  if ((bits & ~T::signBit) == 0)
    return sign ? 1 << 3 : 1 << 4;
  if (field == 0)
    return sign ? 1 << 2 : 1 << 5;
  return sign ? 1 << 1 : 1 << 6;
}

} // namespace vx::sim::fp

#endif // VX_SIMULATOR_FUNC_SOFTFLOAT_H
