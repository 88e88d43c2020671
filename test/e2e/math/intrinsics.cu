// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Device-only intrinsics: arithmetic in the four rounding modes against the host's fesetround,
// conversions, integer functions against their definitions.

#include "../Inputs/harness.h"
#include <cfenv>
#include <cmath>

constexpr int kCount = 256;

template <class T> struct Modes { T add[4], mul[4], div[4], root[4], fused[4]; };
struct Conversions {
  float narrow[4], fromInt[4];
  int toInt[4];
  long long toLong[4];
};
struct Integers {
  unsigned popc, clz, ffs, brev, mulhi, umulhi, mul24, sad, perm, left, right, clamped, dp4a;
  unsigned vectors[6]; // dp4a, dp2a_lo and dp2a_hi of char4, short2 and their unsigned ones
  unsigned long long mul64hi, popcll;
  unsigned simd[6];
};

__global__ void floats(const float *a, const float *b, Modes<float> *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = b[i], p = fabsf(x);
  Modes<float> m = {
      {__fadd_rn(x, y), __fadd_rz(x, y), __fadd_rd(x, y), __fadd_ru(x, y)},
      {__fmul_rn(x, y), __fmul_rz(x, y), __fmul_rd(x, y), __fmul_ru(x, y)},
      {__fdiv_rn(x, y), __fdiv_rz(x, y), __fdiv_rd(x, y), __fdiv_ru(x, y)},
      {__fsqrt_rn(p), __fsqrt_rz(p), __fsqrt_rd(p), __fsqrt_ru(p)},
      {__fmaf_rn(x, y, p), __fmaf_rz(x, y, p), __fmaf_rd(x, y, p), __fmaf_ru(x, y, p)}};
  out[i] = m;
}

__global__ void doubles(const float *a, const float *b, Modes<double> *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i] * 1.1, y = b[i] * 0.7, p = fabs(x);
  Modes<double> m = {{__dadd_rn(x, y), __dadd_rz(x, y), __dadd_rd(x, y), __dadd_ru(x, y)},
                     {__dmul_rn(x, y), __dmul_rz(x, y), __dmul_rd(x, y), __dmul_ru(x, y)},
                     {__ddiv_rn(x, y), __ddiv_rz(x, y), __ddiv_rd(x, y), __ddiv_ru(x, y)},
                     {__dsqrt_rn(p), __dsqrt_rz(p), __dsqrt_rd(p), __dsqrt_ru(p)},
                     {__fma_rn(x, y, p), __fma_rz(x, y, p), __fma_rd(x, y, p), __fma_ru(x, y, p)}};
  out[i] = m;
}

__global__ void conversions(const float *a, const unsigned *u, Conversions *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double d = a[i] * 1.1;
  float x = a[i];
  int n = u[i];
  Conversions c = {
      {__double2float_rn(d), __double2float_rz(d), __double2float_rd(d), __double2float_ru(d)},
      {__int2float_rn(n), __int2float_rz(n), __int2float_rd(n), __int2float_ru(n)},
      {__float2int_rn(x), __float2int_rz(x), __float2int_rd(x), __float2int_ru(x)},
      {__double2ll_rn(d), __double2ll_rz(d), __double2ll_rd(d), __double2ll_ru(d)}};
  out[i] = c;
}

__global__ void integers(const unsigned *u, const unsigned *v, Integers *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = u[i], y = v[i];
  Integers r = {};
  r.popc = __popc(x), r.clz = __clz(x), r.ffs = __ffs(x), r.brev = __brev(x);
  r.mulhi = __mulhi((int)x, (int)y), r.umulhi = __umulhi(x, y), r.mul24 = __mul24(x, y);
  r.sad = __sad((int)x, (int)y, 7u), r.perm = __byte_perm(x, y, 0x5142);
  r.left = __funnelshift_l(x, y, y & 63), r.right = __funnelshift_r(x, y, y & 63);
  r.clamped = __funnelshift_lc(x, y, y & 63), r.dp4a = __dp4a((int)x, (int)y, 5);
  auto c4 = __builtin_bit_cast(char4, y);
  auto uc4 = __builtin_bit_cast(uchar4, y);
  auto s2 = __builtin_bit_cast(short2, x);
  auto us2 = __builtin_bit_cast(ushort2, x);
  r.vectors[0] = __dp4a(__builtin_bit_cast(char4, x), c4, 5);
  r.vectors[1] = __dp4a(__builtin_bit_cast(uchar4, x), uc4, 5u);
  r.vectors[2] = __dp2a_lo(s2, c4, 5), r.vectors[3] = __dp2a_lo(us2, uc4, 5u);
  r.vectors[4] = __dp2a_hi(s2, c4, 5), r.vectors[5] = __dp2a_hi(us2, uc4, 5u);
  r.mul64hi = __umul64hi(x * 0x100000001ull, y * 0x300000007ull);
  r.popcll = __popcll((unsigned long long)x << 32 | y) + __clzll(x) + __ffsll((long long)y << 20);
  unsigned simd[] = {__vadd4(x, y),    __vabsdiffu4(x, y), __vmaxs2(x, y),
                     __vcmpgtu2(x, y), __vsadu4(x, y),     __vsubss2(x, y)};
  for (int k = 0; k < 6; ++k)
    r.simd[k] = simd[k];
  out[i] = r;
}

/// Overloads and former names against what they stand for.
__global__ void synonyms(const float *a, unsigned *differences) {
  int i = threadIdx.x, local = i;
  float s, c, s2, c2;
  sincos(a[i], &s, &c);
  sincosf(a[i], &s2, &c2);
  bool odd = i & 1;
  bool good = s == s2 && c == c2 && syncthreads_count(odd) == blockDim.x / 2 &&
              !syncthreads_and(odd) && syncthreads_or(odd) &&
              __cvta_local_to_generic(__cvta_generic_to_local(&local)) == &local;
  differences[i] = !good;
}

const int kRounding[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/// The host's results; volatile keeps the operations inside the rounding mode.
template <class T> Modes<T> hostModes(T a, T b) {
  Modes<T> m;
  volatile T x = a, y = b, p = std::fabs(a);
  for (int k = 0; k < 4; ++k) {
    std::fesetround(kRounding[k]);
    volatile T sum = x + y, product = x * y, quotient = x / y;
    volatile T root = std::sqrt(T(p)), fused = std::fma(T(x), T(y), T(p));
    m.add[k] = sum, m.mul[k] = product, m.div[k] = quotient, m.root[k] = root, m.fused[k] = fused;
  }
  std::fesetround(FE_TONEAREST);
  return m;
}

template <class T> void compareModes(const Modes<T> &got, const Modes<T> &want, int i) {
  for (int k = 0; k < 4; ++k) {
    expectEqual(got.add[k], want.add[k], "add", i);
    expectEqual(got.mul[k], want.mul[k], "mul", i);
    expectEqual(got.div[k], want.div[k], "div", i);
    expectEqual(got.root[k], want.root[k], "sqrt", i);
    expectEqual(got.fused[k], want.fused[k], "fma", i);
  }
}

void compareConversions(const Conversions &got, float a, int n, int i) {
  volatile double d = a * 1.1;
  volatile float x = a;
  volatile int whole = n;
  for (int k = 0; k < 4; ++k) {
    std::fesetround(kRounding[k]);
    volatile float narrow = static_cast<float>(d), fromInt = static_cast<float>(whole);
    volatile float whole1 = std::nearbyint(float(x));
    volatile double whole2 = std::nearbyint(double(d));
    int toInt = static_cast<int>(whole1);
    long long toLong = static_cast<long long>(whole2);
    std::fesetround(FE_TONEAREST);
    expectEqual<float>(got.narrow[k], narrow, "double2float", i);
    expectEqual<float>(got.fromInt[k], fromInt, "int2float", i);
    expectEqual(got.toInt[k], toInt, "float2int", i);
    expectEqual(got.toLong[k], toLong, "double2ll", i);
  }
}

unsigned lanes(unsigned x, unsigned y, int bits, bool isSigned,
               long long (*f)(long long, long long)) {
  unsigned r = 0;
  for (int at = 0; at < 32; at += bits) {
    unsigned mask = (1u << bits) - 1;
    long long a = x >> at & mask, b = y >> at & mask;
    if (isSigned && a >> (bits - 1))
      a -= 1ll << bits;
    if (isSigned && b >> (bits - 1))
      b -= 1ll << bits;
    r |= (static_cast<unsigned>(f(a, b)) & mask) << at;
  }
  return r;
}

void compareIntegers(const Integers &got, unsigned x, unsigned y, int i) {
  unsigned long long both = (unsigned long long)x << 32 | y, wide = (unsigned long long)y << 20;
  expectEqual<unsigned>(got.popc, __builtin_popcount(x), "popc", i);
  expectEqual<unsigned>(got.clz, x ? __builtin_clz(x) : 32, "clz", i);
  expectEqual<unsigned>(got.ffs, __builtin_ffs(x), "ffs", i);
  expectEqual<unsigned>(got.brev, __builtin_bitreverse32(x), "brev", i);
  expectEqual<unsigned>(got.mulhi, (long long)(int)x * (int)y >> 32, "mulhi", i);
  expectEqual<unsigned>(got.umulhi, (unsigned long long)x * y >> 32, "umulhi", i);
  expectEqual<unsigned>(got.mul24, (unsigned)((int)(x << 8) >> 8) * ((int)(y << 8) >> 8), "mul24",
                        i);
  expectEqual<unsigned>(got.sad, std::llabs((long long)(int)x - (int)y) + 7, "sad", i);
  unsigned perm = 0;
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  for (int k = 0; k < 4; ++k)
    perm |= (unsigned)(bytes >> 8 * (0x5142 >> 4 * k & 7) & 0xff) << 8 * k;
  expectEqual(got.perm, perm, "byte_perm", i);
  unsigned n = y & 31, m = (y & 63) < 32 ? y & 63 : 32;
  expectEqual<unsigned>(got.left, bytes << n >> 32, "funnelshift_l", i);
  expectEqual<unsigned>(got.right, bytes >> n, "funnelshift_r", i);
  expectEqual<unsigned>(got.clamped, m == 32 ? x : bytes << m >> 32, "funnelshift_lc", i);
  int dot = 5;
  for (int k = 0; k < 32; k += 8)
    dot += (signed char)(x >> k) * (signed char)(y >> k);
  expectEqual<unsigned>(got.dp4a, dot, "dp4a", i);
  unsigned unsignedDot = 5, halves[4] = {5, 5, 5, 5}; // low, unsigned, high, unsigned
  for (int k = 0; k < 32; k += 8)
    unsignedDot += (x >> k & 0xff) * (y >> k & 0xff);
  for (int k = 0; k < 2; ++k) {
    unsigned half = x >> 16 * k, low = y >> 8 * k, high = y >> (16 + 8 * k);
    halves[0] += (short)half * (signed char)low, halves[1] += (half & 0xffff) * (low & 0xff);
    halves[2] += (short)half * (signed char)high, halves[3] += (half & 0xffff) * (high & 0xff);
  }
  const unsigned wanted[6] = {(unsigned)dot, unsignedDot, halves[0],
                              halves[1],     halves[2],   halves[3]};
  for (int k = 0; k < 6; ++k)
    expectEqual(got.vectors[k], wanted[k], "dot products of vectors", i);
  unsigned __int128 product = (unsigned __int128)(x * 0x100000001ull) * (y * 0x300000007ull);
  expectEqual<unsigned long long>(got.mul64hi, product >> 64, "umul64hi", i);
  expectEqual<unsigned long long>(got.popcll,
                                  __builtin_popcountll(both) + (x ? __builtin_clzll(x) : 64) +
                                      __builtin_ffsll(wide),
                                  "popcll clzll ffsll", i);
  auto add = [](long long a, long long b) { return a + b; };
  auto distance = [](long long a, long long b) { return a > b ? a - b : b - a; };
  auto larger = [](long long a, long long b) { return a > b ? a : b; };
  auto greater = [](long long a, long long b) { return a > b ? -1ll : 0; };
  auto subtract = [](long long a, long long b) {
    return a - b < -32768 ? -32768 : a - b > 32767 ? 32767 : a - b;
  };
  unsigned distances = lanes(x, y, 8, false, distance), sum = 0;
  for (int k = 0; k < 32; k += 8)
    sum += distances >> k & 0xff;
  unsigned want[] = {lanes(x, y, 8, false, add),      distances, lanes(x, y, 16, true, larger),
                     lanes(x, y, 16, false, greater), sum,       lanes(x, y, 16, true, subtract)};
  for (int k = 0; k < 6; ++k)
    expectEqual(got.simd[k], want[k], "simd", i * 10 + k);
}

int main() {
  std::vector<float> a(kCount), b(kCount);
  std::vector<unsigned> u(kCount), v(kCount);
  for (int i = 0; i < kCount; ++i) {
    u[i] = i == 0 ? 0 : mixed(i), v[i] = mixed(i + 1000);
    a[i] = static_cast<int>(u[i]) * 1e-4f, b[i] = static_cast<int>(v[i]) * 3e-7f;
  }
  DeviceArray<float> da(a), db(b);
  DeviceArray<unsigned> du(u), dv(v);
  DeviceArray<Modes<float>> f(kCount);
  DeviceArray<Modes<double>> d(kCount);
  DeviceArray<Conversions> c(kCount);
  DeviceArray<Integers> n(kCount);
  floats<<<4, kCount / 4>>>(da, db, f);
  doubles<<<4, kCount / 4>>>(da, db, d);
  conversions<<<4, kCount / 4>>>(da, du, c);
  integers<<<4, kCount / 4>>>(du, dv, n);
  DeviceArray<unsigned> differences(kCount / 4);
  synonyms<<<1, kCount / 4>>>(da, differences);
  for (unsigned differs : differences.host())
    EXPECT(!differs);
  float sine, cosine;
  sincos(1.0f, &sine, &cosine);
  EXPECT(sine == std::sin(1.0f) && cosine == std::cos(1.0f));
  auto gotF = f.host();
  auto gotD = d.host();
  auto gotC = c.host();
  auto gotN = n.host();
  for (int i = 0; i < kCount; ++i) {
    compareModes(gotF[i], hostModes<float>(a[i], b[i]), i);
    compareModes(gotD[i], hostModes<double>(a[i] * 1.1, b[i] * 0.7), i);
    compareConversions(gotC[i], a[i], static_cast<int>(u[i]), i);
    compareIntegers(gotN[i], u[i], v[i], i);
  }
  return finish();
}
