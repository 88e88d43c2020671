// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_fp16.h and cuda_bf16.h: conversions by rounding mode between all integers and both types,
// against references that compare with the neighbours; order of zeros and NaN; comparisons of pairs;
// a sum that a double does not hold; members of the classes. On the host, and the device gives the
// host's bits.
// RUN: %vxcc -O2 -I%inputs %s -o %t
// RUN: %shapes --few %t

#include "harness.h"
#include <cmath>
#include <cuda_bf16.h>

struct Half {
  using T = __half;
  using T2 = __half2;
  using Raw = __half_raw;
  static constexpr unsigned kInfinity = 0x7c00;
};
struct Bfloat {
  using T = __nv_bfloat16;
  using T2 = __nv_bfloat162;
  using Raw = __nv_bfloat16_raw;
  static constexpr unsigned kInfinity = 0x7f80;
};

template <class F> __host__ __device__ typename F::T number(unsigned bits) {
  return typename F::Raw{(unsigned short)bits};
}
template <class F> __host__ __device__ typename F::T2 pair(unsigned bits) {
  return {number<F>(bits), number<F>(bits >> 16)};
}
template <class T> __host__ __device__ unsigned bitsOf(T x) {
  return __builtin_bit_cast(unsigned short, x);
}

/// The bits of all four results of converting X, one in 16 bits.
template <class F, class I> struct From;
template <class F, class I> struct To;
#define INTEGER(F, NAME, INT, I)                                                                   \
  template <> struct From<F, I> {                                                                  \
    __host__ __device__ static ulonglong1 all(I x) {                                               \
      return {bitsOf(__##INT##2##NAME##_rn(x)) |                                                   \
              (unsigned long long)bitsOf(__##INT##2##NAME##_rz(x)) << 16 |                         \
              (unsigned long long)bitsOf(__##INT##2##NAME##_rd(x)) << 32 |                         \
              (unsigned long long)bitsOf(__##INT##2##NAME##_ru(x)) << 48};                         \
    }                                                                                              \
  };                                                                                               \
  template <> struct To<F, I> {                                                                    \
    __host__ __device__ static I rounded(F::T x, int mode) {                                       \
      return mode == 0   ? __##NAME##2##INT##_rn(x)                                                \
             : mode == 1 ? __##NAME##2##INT##_rz(x)                                                \
             : mode == 2 ? __##NAME##2##INT##_rd(x)                                                \
                         : __##NAME##2##INT##_ru(x);                                               \
    }                                                                                              \
  };
#define INTEGERS(F, NAME)                                                                          \
  INTEGER(F, NAME, short, short)                                                                   \
  INTEGER(F, NAME, ushort, unsigned short)                                                         \
  INTEGER(F, NAME, int, int)                                                                       \
  INTEGER(F, NAME, uint, unsigned)                                                                 \
  INTEGER(F, NAME, ll, long long)                                                                  \
  INTEGER(F, NAME, ull, unsigned long long)
INTEGERS(Half, half)
INTEGERS(Bfloat, bfloat16)

/// Returns integers of all sizes, many of them next to the middle between two numbers.
template <class I> __host__ __device__ I integer(unsigned a, unsigned b) {
  unsigned long long wide = ((unsigned long long)a << 32 | b) >> (a % 64);
  if (b % 2)
    wide = ((a >> 8 & 0xfff) * 2ull + 1) << (a % 52) | (unsigned long long)(a >> 20 & 1);
  return (I)(b & 4 ? -wide : wide);
}

template <class F, class I> void checkFrom(I x) {
  using Wide = long double; // has 64 bits of precision, so it is exact
  unsigned long long all = From<F, I>::all(x).x;
  Wide exact = (Wide)x;
  auto value = [](unsigned bits) { return (Wide)(float)number<F>(bits); };
  unsigned nearest = all & 0xffff, zero = all >> 16 & 0xffff, down = all >> 32 & 0xffff,
           up = all >> 48;
  expect(value(down) <= exact && exact <= value(up), "directed rounding", x);
  bool same = down == up;
  unsigned distance = (exact < 0 ? down - up : up - down);
  expect(same ? value(up) == exact : distance == 1, "a neighbour", x);
  expect(zero == (x < 0 ? up : down), "rounding to zero", x);
  expect(nearest == down || nearest == up, "one of both", x);
  unsigned small = x < 0 ? up : down, large = x < 0 ? down : up;
  if (!same && (large & 0x7fff) == F::kInfinity) {
    // The number after the largest would be a power of two.
    Wide limit = 2 * std::fabs(value(small)) - std::fabs(value(small - 1));
    Wide middle = (std::fabs(value(small)) + limit) / 2;
    expect((nearest == large) == (std::fabs(exact) >= middle), "overflow", x);
  } else if (!same) {
    Wide below = exact - value(down), above = value(up) - exact;
    expect(below < above ? nearest == down : below > above ? nearest == up : nearest % 2 == 0,
           "nearest", x);
  }
}

template <class F, class I> void checkTo() {
  const I least = std::is_signed<I>::value ? (I)(1ull << (sizeof(I) * 8 - 1)) : 0;
  for (unsigned bits = 0; bits < 65536; ++bits)
    for (int mode = 0; mode < 4; ++mode) {
      double x = (float)number<F>(bits);
      double whole = mode == 0   ? std::nearbyint(x)
                     : mode == 1 ? std::trunc(x)
                     : mode == 2 ? std::floor(x)
                                 : std::ceil(x);
      I want = x != x                                          ? (sizeof(I) == 8 ? 1ull << 63 : 0)
               : whole < (double)least                         ? least
               : whole >= std::ldexp(1.0, sizeof(I) * 8 - std::is_signed<I>::value) ? ~least
                                                                                    : (I)whole;
      expectEqual<I>(To<F, I>::rounded(number<F>(bits), mode), want, "to an integer", bits);
    }
}

template <class F, class I> void checkInteger() {
  for (unsigned i = 0; i < 3000; ++i)
    checkFrom<F, I>(integer<I>(mixed(i), mixed(i + 99)));
  checkTo<F, I>();
}

template <class F> __host__ __device__ unsigned convert(unsigned a, unsigned b) {
  unsigned long long r = From<F, int>::all(integer<int>(a, b)).x;
  r = r * 31 + From<F, unsigned short>::all((unsigned short)b).x;
  r = r * 31 + From<F, long long>::all(integer<long long>(a, b)).x;
  r = r * 31 + From<F, unsigned long long>::all(integer<unsigned long long>(a, b)).x;
  for (int mode = 0; mode < 4; ++mode) {
    r = r * 31 + To<F, short>::rounded(number<F>(a), mode);
    r = r * 31 + To<F, unsigned>::rounded(number<F>(b), mode);
    r = r * 31 + To<F, long long>::rounded(number<F>(b >> 16), mode);
  }
  typename F::T x = number<F>(a >> 16);
  r = r * 31 + (unsigned char)x + 3 * (signed char)x + 5 * (char)x + 7 * (long)x + (bool)x;
  return (unsigned)(r ^ r >> 32);
}

/// Everything about two pairs that has the same bits wherever it is computed.
template <class F> __host__ __device__ unsigned pairs(unsigned a, unsigned b) {
  if (a % 5 == 0)
    a = (a & 0x80008000) | (b >> 3 & 1 ? F::kInfinity << 16 : 0);
  if (b % 7 == 0)
    b = a ^ 0x80000000;
  typename F::T2 x = pair<F>(a), y = pair<F>(b), c = pair<F>(a * 77 + b);
  unsigned r = 0;
#define COMPARISON(NAME)                                                                           \
  r = r * 31 + __h##NAME##2_mask(x, y) % 1009 + 2 * __hb##NAME##2(x, y);                           \
  r = r * 31 + (unsigned)(int)(float)__h##NAME##2(x, y).y;
  COMPARISON(eq) COMPARISON(ne) COMPARISON(lt) COMPARISON(le) COMPARISON(gt) COMPARISON(ge)
  COMPARISON(equ) COMPARISON(neu) COMPARISON(ltu) COMPARISON(leu) COMPARISON(gtu) COMPARISON(geu)
  r = r * 31 + (x > y) + 2 * (x <= y) + 4 * (x != y);
  for (typename F::T2 p : {__hmax2(x, y), __hmin2(x, y), __hmax2_nan(x, y), __hmin2_nan(x, y),
                           __hadd2_rn(x, y), __hsub2_sat(x, y), __hfma2_sat(x, y, c),
                           __hfma2_relu(x, y, c), __hcmadd(x, y, c), -x, +y})
    for (typename F::T v : {p.x, p.y})
      r = r * 31 + (__hisnan(v) ? 0x7fff : bitsOf(v));
  r = r * 31 + (__hisnan(x.x) ? 1 : bitsOf((x++).x)) + (__hisnan(y.y) ? 1 : bitsOf((--y).y));
  return r;
}

/// Masks and extrema against the numbers as floats.
template <class F> void checkPairs(unsigned a, unsigned b) {
  typename F::T2 x = pair<F>(a), y = pair<F>(b);
  float xs[] = {(float)x.x, (float)x.y}, ys[] = {(float)y.x, (float)y.y};
  auto mask = [&](auto holds) {
    return (holds(xs[0], ys[0]) ? 0xffffu : 0) | (holds(xs[1], ys[1]) ? 0xffff0000u : 0);
  };
  expectEqual(__hlt2_mask(x, y), mask([](float p, float q) { return p < q; }), "lt", a);
  expectEqual(__hge2_mask(x, y), mask([](float p, float q) { return p >= q; }), "ge", a);
  expectEqual(__hne2_mask(x, y), mask([](float p, float q) { return p < q || p > q; }), "ne", a);
  expectEqual(__hneu2_mask(x, y), mask([](float p, float q) { return p != q; }), "neu", a);
  expectEqual(__hleu2_mask(x, y), mask([](float p, float q) { return !(p > q); }), "leu", a);
  float most = __hmax(x.x, y.x), least = __hmin(x.x, y.x);
  bool someNan = xs[0] != xs[0] || ys[0] != ys[0];
  expect(xs[0] != xs[0] && ys[0] != ys[0] ? most != most : most == std::fmax(xs[0], ys[0]), "max", a);
  expect(xs[0] != xs[0] && ys[0] != ys[0] ? least != least : least == std::fmin(xs[0], ys[0]), "min",
         a);
  expect(__hisnan(__hmax_nan(x.x, y.x)) == someNan, "max of a NaN", a);
}

template <class F> void checkMembers() {
  using T = typename F::T;
  constexpr T three = typename F::Raw{F::kInfinity == 0x7c00 ? 0x4200 : 0x4040};
  static_assert(typename F::Raw(three).x != 0 && (bool)three, "are constants");
  EXPECT((int)three == 3 && (float)three == 3.0f);
  EXPECT((signed char)T(-200.0f) == -128 && (unsigned char)T(-1.0f) == 0);
  EXPECT((unsigned short)T(-0.5f) == 0 && (long long)T(INFINITY) == (long long)(~0ull >> 1));
  T x = 7;
  T y = x++;
  EXPECT((float)y == 7.0f && (float)x == 8.0f && (float)--x == 7.0f);
  x = 2.5;
  x += T((short)1);
  EXPECT(x == T(3.5f));
  // Through a volatile one, as in code that exchanges values within a warp without barriers.
  volatile T place = y;
  typename F::Raw raw = place;
  EXPECT(raw.x == bitsOf(y));
  raw.x = bitsOf(three);
  place = raw;
  EXPECT((float)T((typename F::Raw)place) == 3.0f);
  typename F::T2 both = {three, y};
  both = {y, three};
  EXPECT(both == (typename F::T2(y, three)));
  both = {};
  EXPECT(!(float)both.x && !(float)both.y);
  both = pair<F>(0x3c003f80);
  T negative = number<F>(0x8000), positive = number<F>(0);
  EXPECT(bitsOf(__hmax(negative, positive)) == 0 && bitsOf(__hmax(positive, negative)) == 0);
  EXPECT(bitsOf(__hmin(negative, positive)) == 0x8000 && bitsOf(__hmin(positive, negative)) == 0x8000);
  EXPECT(bitsOf(T(-NAN)) == 0x7fff && bitsOf(__hadd(T(INFINITY), T(-INFINITY))) == 0x7fff);
}

/// A NaN of the host loses its bits where it becomes a float, unless those of a float are the same,
/// and where its sign changes.
template <class F> void checkNans() {
  for (unsigned i = F::kInfinity + 1; i < 0x8000; ++i)
    for (unsigned bits : {i, i | 0x8000}) {
      typename F::T x = number<F>(bits);
      unsigned single = F::kInfinity == 0x7c00 ? 0x7fffffff : bits << 16;
      expectEqual(__builtin_bit_cast(unsigned, (float)x), single, "float of a NaN", bits);
      expectEqual(bitsOf(-x) << 16 | bitsOf(__habs(x)), 0x7fff7fffu, "sign of a NaN", bits);
      typename F::T2 both = __hneg2(pair<F>(bits << 16)), sizes = __habs2(pair<F>(bits | 0x80000000));
      expectEqual(bitsOf(both.x) << 16 | bitsOf(both.y), 0x80007fffu, "signs of a pair", bits);
      expectEqual(bitsOf(sizes.x) << 16 | bitsOf(sizes.y), 0x7fff0000u, "sizes of a pair", bits);
    }
}

/// 7 * 37 and 9 * 29 lie in the middle between two numbers; what is added, too little for a double,
/// decides.
__host__ __device__ unsigned decided(unsigned a, unsigned b) {
  __nv_bfloat16 tiny(a % 3 == 0 ? 0.0f : a % 3 == 1 ? 0x1p-100f : -0x1p-100f);
  return b & 1 ? (unsigned)__hfma(__nv_bfloat16(7), __nv_bfloat16(37), tiny)
               : (unsigned)-(int)__hfma(__nv_bfloat16(-9), __nv_bfloat16(29), tiny);
}

/// Results that are computed with again and results that are stored, of numbers and of NaNs of all
/// bits.
template <class F> __host__ __device__ unsigned chained(unsigned a, unsigned b) {
  float x = __builtin_bit_cast(float, b % 4 ? a : a | 0x7f800000);
  typename F::T rounded(x), y = number<F>(b), product = rounded * y, sum = product + rounded;
  typename F::T of = b & 8 ? __hfma(sum, y, rounded) : sum;
  return bitsOf(product) << 16 ^ bitsOf(of) ^ (rounded == rounded) << 13 ^ bitsOf(rounded) << 7;
}

int main() {
  checkInteger<Half, short>();
  checkInteger<Half, unsigned short>();
  checkInteger<Half, int>();
  checkInteger<Half, unsigned>();
  checkInteger<Half, long long>();
  checkInteger<Half, unsigned long long>();
  checkInteger<Bfloat, short>();
  checkInteger<Bfloat, unsigned short>();
  checkInteger<Bfloat, int>();
  checkInteger<Bfloat, unsigned>();
  checkInteger<Bfloat, long long>();
  checkInteger<Bfloat, unsigned long long>();
  for (unsigned i = 0; i < 20000; ++i) {
    checkPairs<Half>(mixed(i), mixed(i + 5));
    checkPairs<Bfloat>(mixed(i), i % 3 ? mixed(i + 5) : mixed(i));
  }
  checkMembers<Half>();
  checkMembers<Bfloat>();
  checkNans<Half>();
  checkNans<Bfloat>();
  EXPECT(decided(0, 1) == 260 && decided(1, 1) == 260 && decided(2, 1) == 258);
  EXPECT(decided(0, 0) == 260 && decided(1, 0) == 260 && decided(2, 0) == 262);
  EXPECT(__half(__nv_bfloat16(1.5f)) == __half(1.5f) && __nv_bfloat16(__half(2)) == __nv_bfloat16(2));
  COMPARE(convert<Half>);
  COMPARE(convert<Bfloat>);
  COMPARE(pairs<Half>);
  COMPARE(pairs<Bfloat>);
  COMPARE(chained<Half>);
  COMPARE(chained<Bfloat>);
  COMPARE(decided);
  return finish();
}
