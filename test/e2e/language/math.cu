// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Device math in diverged and uniform code: float and double functions within a few units in the
// last place of the host's, exact ones exactly, special values.

#include "../Inputs/harness.h"
#include <cmath>

enum Function {
  Sin,
  Cos,
  Tan,
  Exp,
  Exp2,
  Log,
  Log2,
  Log10,
  Sqrt,
  Cbrt,
  Pow,
  Atan,
  Atan2,
  Asin,
  Acos,
  Sinh,
  Cosh,
  Tanh,
  Erf,
  Erfc,
  Hypot,
  Expm1,
  Log1p,
  Lgamma,
  Tgamma,
  Fmod,
  Floor,
  Ceil,
  Trunc,
  Round,
  Rint,
  Fabs,
  Fmin,
  Fmax,
  Fma,
  Copysign,
  Ldexp,
  Count
};

// Written once for both types and both sides: <cmath>'s overloads.
template <class T> __host__ __device__ T evaluate(int function, T x, T y) {
  switch (function) {
  case Sin:
    return std::sin(x);
  case Cos:
    return std::cos(x);
  case Tan:
    return std::tan(x);
  case Exp:
    return std::exp(x);
  case Exp2:
    return exp2(x);
  case Log:
    return std::log(x);
  case Log2:
    return log2(x);
  case Log10:
    return std::log10(x);
  case Sqrt:
    return std::sqrt(x);
  case Cbrt:
    return cbrt(x);
  case Pow:
    return std::pow(x, y);
  case Atan:
    return std::atan(x);
  case Atan2:
    return std::atan2(x, y);
  case Asin:
    return std::asin(x / 30);
  case Acos:
    return std::acos(x / 30);
  case Sinh:
    return std::sinh(x);
  case Cosh:
    return std::cosh(x);
  case Tanh:
    return std::tanh(x);
  case Erf:
    return erf(x);
  case Erfc:
    return erfc(x / 4);
  case Hypot:
    return hypot(x, y);
  case Expm1:
    return expm1(x);
  case Log1p:
    return log1p(x);
  case Lgamma:
    return lgamma(x);
  case Tgamma:
    return tgamma(x);
  case Fmod:
    return std::fmod(x, y);
  case Floor:
    return std::floor(x);
  case Ceil:
    return std::ceil(x);
  case Trunc:
    return trunc(x);
  case Round:
    return round(x);
  case Rint:
    return rint(x);
  case Fabs:
    return std::fabs(x);
  case Fmin:
    return fmin(x, y);
  case Fmax:
    return fmax(x, y);
  case Fma:
    return fma(x, y, x);
  case Copysign:
    return copysign(x, y);
  case Ldexp:
    return std::ldexp(x, 5);
  }
  return 0;
}

template <class T> __global__ void table(const T *x, const T *y, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * Count)
    out[i] = evaluate(i % Count, x[i / Count], y[i / Count]); // neighbours take different cases
}

/// Returns the allowed difference in units in the last place.
static double allowed(int function) {
  switch (function) {
  case Sqrt:
  case Fmod:
  case Floor:
  case Ceil:
  case Trunc:
  case Round:
  case Rint:
  case Fabs:
  case Fmin:
  case Fmax:
  case Fma:
  case Copysign:
  case Ldexp:
    return 0;
  case Lgamma:
  case Tgamma:
  case Erfc:
    return 12;
  default:
    return 5;
  }
}

template <class T> static void check(const char *name) {
  std::vector<T> x = {0,       T(0.5),  1,        T(1.5), 2,       T(2.5),   3,
                      T(4.25), T(7.7),  10,       20,     T(29.5), T(0.001), T(-0.5),
                      -1,      T(-2.5), T(-7.25), -20,    T(1e-8), T(-0.0)};
  const int n = static_cast<int>(x.size());
  std::vector<T> y(n);
  for (int i = 0; i < n; ++i)
    y[i] = T(static_cast<int>(mixed(i) % 1000) - 500) / 97;
  DeviceArray<T> deviceX(x), deviceY(y), deviceOut(n * Count);
  table<T><<<(n * Count + 63) / 64, 64>>>(deviceX, deviceY, deviceOut, n);
  CHECK(cudaGetLastError());
  std::vector<T> out = deviceOut.host();
  for (int i = 0; i < n * Count; ++i) {
    // The host's double functions are the reference for float as well.
    double want = evaluate<double>(i % Count, x[i / Count], y[i / Count]);
    if (sizeof(T) == sizeof(float) && allowed(i % Count) == 0)
      want = evaluate<T>(i % Count, x[i / Count], y[i / Count]);
    T rounded = static_cast<T>(want), got = out[i];
    bool good;
    if (std::isnan(want) || std::isinf(rounded) || rounded == 0) {
      good = std::isnan(want) ? std::isnan(got) : got == rounded || std::fabs(got) < 1e-15;
    } else {
      T unit = std::nextafter(std::fabs(rounded), T(INFINITY)) - std::fabs(rounded);
      // Near a zero of the function the argument's own rounding dominates (lgamma at 1 and 2).
      double tolerance = allowed(i % Count) * unit + (i % Count == Lgamma ? 4 * unit + 1e-15 : 0);
      good = std::fabs(double(got) - want) <= tolerance + (allowed(i % Count) != 0) * unit;
    }
    if (!expect(good, name, i) && wrongResults() <= 10)
      std::printf("  function %d (%g, %g): got %.17g, wanted %.17g\n", i % Count,
                  double(x[i / Count]), double(y[i / Count]), double(got), want);
  }
}

__host__ __device__ unsigned reverse32(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i)
    r |= (x >> i & 1) << (31 - i);
  return r;
}

/// Compares integer intrinsics with plain C for the same thing.
__global__ void integers(const unsigned *a, const unsigned *b, unsigned *bad, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = a[i], y = b[i], ones = 0, leading = 32;
  for (int bit = 0; bit < 32; ++bit)
    if (x >> bit & 1) {
      ++ones;
      leading = 31 - bit;
    }
  unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y;
  unsigned first = 0;
  for (int bit = 31; bit >= 0; --bit)
    if (x >> bit & 1)
      first = bit + 1;
  int sx = static_cast<int>(x), sy = static_cast<int>(y);
  unsigned s = y & 31;
  unsigned wrong = 0;
  wrong |= (__popc(x) != static_cast<int>(ones)) << 0;
  wrong |= (__clz(sx) != static_cast<int>(leading)) << 1;
  wrong |= (__ffs(sx) != static_cast<int>(first)) << 2;
  wrong |= (__brev(x) != reverse32(x)) << 3;
  wrong |= (__umulhi(x, y) != static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32))
           << 4;
  wrong |= (__mulhi(sx, sy) != static_cast<int>(static_cast<long long>(sx) * sy >> 32)) << 5;
  wrong |= (__mul24(sx & 0xfff, sy & 0xfff) != (sx & 0xfff) * (sy & 0xfff)) << 6;
  wrong |= (__sad(sx >> 2, sy >> 2, 9u) !=
            9u + (sx >> 2 > sy >> 2 ? (sx >> 2) - (sy >> 2) : (sy >> 2) - (sx >> 2)))
           << 7;
  wrong |= (__byte_perm(x, y, 0x7531) !=
            ((x >> 8 & 255) | (x >> 24) << 8 | (y >> 8 & 255) << 16 | (y >> 24) << 24))
           << 8;
  wrong |= (__funnelshift_l(y, x, s) != static_cast<unsigned>((wide << s) >> 32)) << 9;
  wrong |= (__funnelshift_r(y, x, s) != static_cast<unsigned>(wide >> s)) << 10;
  wrong |= (__popcll(wide) != __popc(x) + __popc(y)) << 11;
  wrong |= (__clzll(static_cast<long long>(wide)) != (x ? __clz(sx) : 32 + __clz(sy))) << 12;
  wrong |= (__brevll(wide) != (static_cast<unsigned long long>(reverse32(y)) << 32 | reverse32(x)))
           << 13;
  wrong |= (__hadd(sx, sy) != static_cast<int>((static_cast<long long>(sx) + sy) >> 1)) << 14;
  wrong |= (__float_as_uint(__uint_as_float(x & 0x3fffffff)) != (x & 0x3fffffff)) << 15;
  wrong |= (__float2int_rz(static_cast<float>(s) + 0.75f) != static_cast<int>(s)) << 16;
  wrong |= (__double2int_rn(s + 0.5) != static_cast<int>(s + (s & 1))) << 17;
  wrong |= (abs(sx >> 1) != (sx >> 1 < 0 ? -(sx >> 1) : sx >> 1)) << 18;
  wrong |= (min(sx, sy) + max(sx, sy) != static_cast<int>(x + y)) << 19;
  wrong |= (__ffsll(static_cast<long long>(wide)) != (y ? __ffs(sy) : x ? 32 + first : 0)) << 20;
  bad[i] = wrong;
}

int main() {
  check<float>("float");
  check<double>("double");
  const int n = 120;
  std::vector<unsigned> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i % 10 == 0 ? i % 20 : mixed(i) >> i % 31;
    b[i] = i % 7 == 0 ? 0 : mixed(i + 500);
  }
  DeviceArray<unsigned> deviceA(a), deviceB(b), bad(n);
  integers<<<3, 40>>>(deviceA, deviceB, bad, n);
  CHECK(cudaGetLastError());
  std::vector<unsigned> got = bad.host();
  for (int i = 0; i < n; ++i)
    expectEqual(got[i], 0u, "integer intrinsics (bit = which)", i);
  return finish();
}
