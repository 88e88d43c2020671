// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of device math with one right answer: special values, parts of numbers, conversions,
// integer functions, SIMD in a word. The expected values come from the host's C library or from a
// definition written out here.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>

extern "C" {
float __nv_expf(float), __nv_logf(float), __nv_powf(float, float), __nv_sinf(float);
float __nv_tgammaf(float), __nv_atan2f(float, float), __nv_roundf(float), __nv_hypotf(float, float);
double __nv_exp(double), __nv_log(double), __nv_log1p(double), __nv_expm1(double);
float __nv_lgammaf(float);
double __nv_tgamma(double), __nv_sinh(double), __nv_lgamma(double), __nv_cosh(double),
    __nv_rsqrt(double);
double __nv_erfinv(double), __nv_erfcinv(double), __nv_erfcx(double), __nv_normcdfinv(double);
double __nv_j0(double), __nv_jn(int, double), __nv_y0(double), __nv_yn(int, double);
double __nv_cyl_bessel_i0(double), __nv_rcbrt(double), __nv_pow(double, double);
double __nv_norm3d(double, double, double), __nv_norm4d(double, double, double, double);
double __nv_hypot(double, double), __nv_powi(double, int), __nv_round(double);
double __nv_ldexp(double, int), __nv_frexp(double, int *), __nv_modf(double, double *);
double __nv_remquo(double, double, int *), __nv_logb(double), __nv_fmod(double, double);
float __nv_ldexpf(float, int), __nv_frexpf(float, int *), __nv_nextafterf(float, float);
int __nv_ilogb(double), __nv_ilogbf(float), __nv_isnanf(float), __nv_isinfd(double);
long long __nv_llround(double), __nv_llrint(double);
int __nv_float2int_rn(float), __nv_float2int_rd(float), __nv_double2int_ru(double);
unsigned __nv_float2uint_rz(float), __nv_double2uint_rz(double);
long long __nv_double2ll_rz(double), __nv_float2ll_rz(float);
unsigned long long __nv_double2ull_rn(double);
float __nv_ll2float_rz(long long), __nv_ll2float_rd(long long), __nv_ll2float_ru(long long);
float __nv_uint2float_ru(unsigned), __nv_double2float_rz(double), __nv_double2float_rd(double);
float __nv_double2float_ru(double);
double __nv_ull2double_rd(unsigned long long), __nv_ll2double_ru(long long);
int __nv_clz(int), __nv_ffs(int), __nv_brev(int), __nv_mulhi(int, int),
    __nv_byte_perm(int, int, int);
uint32_t __vxm_prmt(uint32_t, uint32_t, uint32_t);
float __nv_fmodf(float, float), __nv_remainderf(float, float), __nv_remquof(float, float, int *);
long long __nv_mul64hi(long long, long long);
unsigned long long __nv_umul64hi(unsigned long long, unsigned long long);
unsigned __nv_sad(int, int, unsigned), __nv_vadd4(unsigned, unsigned);
unsigned __nv_vaddss2(unsigned, unsigned), __nv_vsubus4(unsigned, unsigned);
unsigned __nv_vabsdiffu4(unsigned, unsigned), __nv_vcmpgts2(unsigned, unsigned);
unsigned __nv_vavgs4(unsigned, unsigned), __nv_vsadu4(unsigned, unsigned);
uint32_t __vxm_bfe_u32(uint32_t, uint32_t, uint32_t), __vxm_fns(uint32_t, uint32_t, int);
int __vxm_bfe_s32(int, uint32_t, uint32_t), __vxm_dp4a_ss(uint32_t, uint32_t, int);
uint32_t __vxm_bfi_b32(uint32_t, uint32_t, uint32_t, uint32_t);
unsigned __int128 __vxm_udiv128(unsigned __int128, unsigned __int128);
unsigned __int128 __vxm_urem128(unsigned __int128, unsigned __int128);
__int128 __vxm_sdiv128(__int128, __int128), __vxm_srem128(__int128, __int128);
double __vxm_sitofp128d(__int128);
float __vxm_uitofp128f(unsigned __int128);
__int128 __vxm_fptosi128d(double);
unsigned __int128 __vxm_fptoui128f(float);
float __nv_fast_sinf(float), __nv_fast_cosf(float), __nv_fast_expf(float), __nv_fast_logf(float);
float __nv_fast_powf(float, float), __nv_fast_log2f(float), __nv_fast_exp10f(float);
}

namespace {

int failures = 0;

template <typename T> bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  else
    return a == b;
}

template <typename T> void check(const char *what, T got, std::type_identity_t<T> want) {
  if (same<T>(got, want))
    return;
  ++failures;
  std::printf("%s: got %.17g, want %.17g\n", what, static_cast<double>(got),
              static_cast<double>(want));
}
#define CHECK(EXPRESSION, WANT) check(#EXPRESSION, EXPRESSION, WANT)

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr float kInfF = std::numeric_limits<float>::infinity();

void specialValues() {
  CHECK(__nv_exp(-kInf), 0.0);
  CHECK(__nv_expf(89.0f), kInfF);
  CHECK(__nv_expf(-104.5f), 0.0f);
  CHECK(__nv_exp(kNaN), kNaN);
  CHECK(__nv_log(0.0), -kInf);
  CHECK(__nv_log(-1.0), kNaN);
  CHECK(__nv_log(1.0), 0.0);
  CHECK(__nv_log(kInf), kInf);
  CHECK(__nv_logf(1.0f), 0.0f);
  CHECK(__nv_log1p(-1.0), -kInf);
  CHECK(__nv_expm1(-0.0), -0.0);
  CHECK(__nv_expm1(-kInf), -1.0);
  CHECK(__nv_expm1(710.0), kInf);
  CHECK(__nv_cosh(kInf), kInf);
  CHECK(__nv_cosh(710.4) < kInf, true);
  CHECK(__nv_sinf(kInfF), static_cast<float>(kNaN));
  CHECK(__nv_powf(0.0f, -1.0f), kInfF);
  CHECK(std::fabs(__nv_lgammaf(-0x1.890d3ep-70f) - 48.0908f) < 1e-3f, true);
  CHECK(__nv_lgammaf(-0.0f), kInfF);
  CHECK(__nv_pow(-2.0, 3.0), -8.0);
  CHECK(__nv_pow(1.0, kNaN), 1.0);
  for (double x :
       {0x1.fffffffffffffp1023, 1.5, 0x1.fffffffffffffp-1, -0x1.0000000000001p0, 1e-310, -3.0})
    for (double y : {0x1.fffffffffffffp1023, 0x1p70, 0x1p65, kInf})
      for (double sign : {-1.0, 1.0})
        CHECK(__nv_pow(x, sign * y), std::pow(x, sign * y));
  CHECK(__nv_pow(-8.0, 1.0 / 3), kNaN);
  CHECK(__nv_powi(-2.0, -3), -0.125);
  CHECK(std::fabs(__nv_tgamma(5.0) - 24.0) < 1e-14, true);
  CHECK(__nv_tgamma(0.0), kInf);
  CHECK(__nv_tgamma(-0.0), -kInf);
  CHECK(__nv_tgamma(-3.0), kNaN);
  CHECK(__nv_tgamma(172.0), kInf);
  CHECK(__nv_tgamma(-190.5), tgamma(-190.5));
  CHECK(__nv_tgamma(kInf), kInf);
  CHECK(__nv_tgammaf(6.0f), 120.0f);
  CHECK(__nv_lgamma(1.0), 0.0);
  CHECK(__nv_sinh(-kInf), -kInf);
  CHECK(__nv_sinh(719.0), kInf);
  CHECK(__nv_sinh(720.0), kInf);
  CHECK(__nv_sinh(-1e300), -kInf);
  CHECK(__nv_sinh(kNaN), kNaN);
  for (float x : {-kInfF, -0x1p23f, -3e38f, -3.0f, -0.0f, 0.0f, kInfF}) {
    CHECK(__nv_lgammaf(x), kInfF);
    CHECK(__nv_lgamma(x), kInf);
  }
  CHECK(__nv_erfinv(1.0), kInf);
  CHECK(__nv_erfinv(-0.0), -0.0);
  CHECK(__nv_erfinv(1.5), kNaN);
  CHECK(__nv_erfcinv(0.0), kInf);
  CHECK(__nv_erfcinv(2.0), -kInf);
  CHECK(__nv_erfcx(kInf), 0.0);
  CHECK(__nv_erfcx(-30.0), kInf);
  CHECK(__nv_normcdfinv(0.0), -kInf);
  CHECK(__nv_rsqrt(0.0), kInf);
  CHECK(__nv_rsqrt(kInf), 0.0);
  CHECK(__nv_rcbrt(-0.0), -kInf);
  CHECK(__nv_rcbrt(8.0), 0.5);
  CHECK(__nv_j0(kInf), 0.0);
  CHECK(__nv_y0(0.0), -kInf);
  CHECK(__nv_y0(-1.0), kNaN);
  CHECK(__nv_cyl_bessel_i0(kInf), kInf);
  CHECK(__nv_cyl_bessel_i0(0.0), 1.0);
  CHECK(__nv_hypot(kInf, kNaN), kInf);
  CHECK(__nv_hypot(3e300, 4e300), 5e300);
  CHECK(__nv_hypot(3e-320, 4e-320), 5e-320);
  CHECK(__nv_hypotf(3e38f, 4e37f), hypotf(3e38f, 4e37f));
  CHECK(__nv_norm3d(2.0, 3.0, 6.0), 7.0);
  CHECK(__nv_norm4d(1.0, 1.0, 1.0, 1.0), 2.0);
  CHECK(__nv_atan2f(-0.0f, -1.0f), -3.14159265f);
  CHECK(__nv_isnanf(NAN), 1);
  CHECK(__nv_isinfd(-kInf), 1);
}

double relative(double got, double want) {
  return std::fabs(got - want) / std::fabs(want);
}

void higherOrders() {
  for (int n : {2, 3, 7, 20, 60})
    for (double x : {0.5, 3.0, 10.0, 55.0}) {
      double j = jn(n, x), y = yn(n, x);
      CHECK(std::fabs(__nv_jn(n, x) - j) <= 5e-15 + 1e-11 * std::fabs(j), true);
      CHECK(relative(__nv_yn(n, x), y) <= 1e-11 || std::fabs(__nv_yn(n, x) - y) < 5e-15, true);
    }
  CHECK(__nv_jn(3, -2.0), -__nv_jn(3, 2.0));
  CHECK(__nv_jn(4, 0.0), 0.0);
}

void parts() {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    double x = std::bit_cast<double>(static_cast<uint64_t>(random()));
    if (i < 64) // small integers, halves, subnormal numbers
      x = i % 2 ? i * 0.25 - 8 : std::bit_cast<double>(static_cast<uint64_t>(1) << (i / 2));
    float f = std::bit_cast<float>(static_cast<uint32_t>(random()));
    int n = static_cast<int>(random() % 2300) - 1150, e1 = 0, e2 = 0;
    double w1 = 0, w2 = 0;
    CHECK(__nv_ldexp(x, n), ldexp(x, n));
    CHECK(__nv_ldexpf(f, n / 4), ldexpf(f, n / 4));
    CHECK(__nv_frexp(x, &e1), frexp(x, &e2));
    if (std::isfinite(x))
      CHECK(e1, e2);
    CHECK(__nv_frexpf(f, &e1), frexpf(f, &e2));
    CHECK(__nv_modf(x, &w1), modf(x, &w2));
    CHECK(w1, w2);
    CHECK(__nv_round(x), round(x));
    CHECK(__nv_roundf(f), roundf(f));
    CHECK(__nv_logb(x), logb(x));
    if (std::isfinite(x) && x != 0)
      CHECK(__nv_ilogb(x), ilogb(x));
    if (std::isfinite(f) && f != 0)
      CHECK(__nv_ilogbf(f), ilogbf(f));
    CHECK(__nv_nextafterf(f, 1.0f), nextafterf(f, 1.0f));
  }
  int q1, q2;
  for (double x : {17.5, -17.5, 1e6, 0.3})
    for (double y : {3.0, -3.0, 0.7}) {
      CHECK(__nv_remquo(x, y, &q1), remquo(x, y, &q2));
      CHECK(q1 & 7, q2 & 7);
      CHECK(__nv_fmod(x, y), fmod(x, y));
    }
  CHECK(__nv_round(0.49999999999999994), 0.0);
  CHECK(__nv_llround(-2.5), -3LL);
  CHECK(__nv_llrint(2.5), 2LL);
}

/// Returns the float nearest to V on the side that MODE asks for: -1 down, 1 up, 0 toward zero.
float directed(long double v, int mode) {
  float r = static_cast<float>(v);
  if (mode == 0)
    mode = v < 0 ? 1 : -1;
  if (mode < 0 && r > v)
    return std::nextafterf(r, -kInfF);
  if (mode > 0 && r < v)
    return std::nextafterf(r, kInfF);
  return r;
}

void conversions() {
  CHECK(__nv_float2int_rn(2.5f), 2);
  CHECK(__nv_float2int_rd(-2.5f), -3);
  CHECK(__nv_float2int_rn(NAN), 0);
  CHECK(__nv_float2int_rn(1e20f), std::numeric_limits<int>::max());
  CHECK(__nv_float2uint_rz(-5.0f), 0u);
  CHECK(__nv_double2int_ru(1.25), 2);
  CHECK(__nv_double2int_ru(kNaN), std::numeric_limits<int>::min());
  CHECK(__nv_double2uint_rz(4294967295.9), 4294967295u);
  CHECK(__nv_double2ll_rz(-kInf), std::numeric_limits<long long>::min());
  CHECK(__nv_float2ll_rz(NAN), std::numeric_limits<long long>::min());
  CHECK(__nv_double2ull_rn(1e30), std::numeric_limits<unsigned long long>::max());
  std::mt19937_64 random(11);
  for (int i = 0; i < 200000; ++i) {
    long long v = static_cast<long long>(random()) >> (random() % 64);
    CHECK(__nv_ll2float_rz(v), directed(v, 0));
    CHECK(__nv_ll2float_rd(v), directed(v, -1));
    CHECK(__nv_ll2float_ru(v), directed(v, 1));
    CHECK(__nv_uint2float_ru(static_cast<unsigned>(v)), directed(static_cast<unsigned>(v), 1));
    long double up = __nv_ll2double_ru(v), down = __nv_ull2double_rd(v);
    long double exact = v;
    CHECK(up >= exact && std::nextafter(static_cast<double>(up), -kInf) < exact, true);
    auto u = static_cast<unsigned long long>(v);
    exact = u;
    CHECK(down <= exact && std::nextafter(static_cast<double>(down), kInf) > exact, true);
    double d = std::bit_cast<double>(static_cast<uint64_t>(random()));
    d = std::ldexp(std::fmod(d, 1.0), static_cast<int>(random() % 290) - 150);
    CHECK(__nv_double2float_rd(d), directed(d, -1));
    CHECK(__nv_double2float_ru(d), directed(d, 1));
    CHECK(__nv_double2float_rz(d), directed(d, 0));
  }
}

/// Compares with the host's, whose results are exact.
void remainders() {
  const float special[] = {0.0f,
                           -0.0f,
                           1.0f,
                           -2.5f,
                           kInfF,
                           -kInfF,
                           NAN,
                           0x1p-149f,
                           0x1.fffffcp-127f,
                           0x1p-126f,
                           0x1.fffffep127f,
                           0x1.8p127f,
                           0x1.2c1042p+24f,
                           0x1.b4895cp-127f};
  std::mt19937_64 random(5);
  auto any = [&](int i) {
    float f = std::bit_cast<float>(static_cast<uint32_t>(random()));
    return i % 3 == 0   ? std::ldexp(std::fmod(f, 1.0f), -120 - static_cast<int>(random() % 29))
           : i % 3 == 1 ? static_cast<float>(static_cast<int>(random() % 200) - 100) / 4
                        : f;
  };
  auto agree = [](float x, float y) {
    CHECK(__nv_fmodf(x, y), std::fmod(x, y));
    CHECK(__nv_remainderf(x, y), std::remainder(x, y));
    int q = 0, expected = 0;
    float r = __nv_remquof(x, y, &q);
    CHECK(r, std::remquo(x, y, &expected));
    if (r == r)
      CHECK(q & 7, expected & 7);
  };
  for (float x : special)
    for (float y : special)
      agree(x, y);
  for (int i = 0; i < 300000; ++i)
    agree(any(i), any(i / 3));
}

void integers() {
  CHECK(__nv_clz(0), 32);
  CHECK(__nv_clz(1), 31);
  CHECK(__nv_ffs(0), 0);
  CHECK(__nv_ffs(8), 4);
  CHECK(static_cast<unsigned>(__nv_brev(1)), 0x80000000u);
  CHECK(__nv_mulhi(-1, 1), -1);
  CHECK(static_cast<unsigned>(__nv_byte_perm(0x33221100, 0x77665544, 0x7531)), 0x77553311u);
  CHECK(static_cast<unsigned>(__nv_byte_perm(0x80, 0, 0x8008)), 0x80808080u);
  CHECK(__vxm_prmt(0x80, 0, 0x8008), 0xff8080ffu);
  CHECK(__nv_sad(-5, 7, 3), 15u);
  CHECK(__vxm_bfe_u32(0xabcd1234, 8, 8), 0x12u);
  CHECK(__vxm_bfe_s32(0x0000ff00, 8, 8), -1);
  CHECK(__vxm_bfe_u32(0xffffffff, 40, 8), 0u);
  CHECK(__vxm_bfi_b32(0x5, 0xffffffff, 4, 4), 0xffffff5fu);
  CHECK(__vxm_fns(0b101100, 0, 2), 3u);
  CHECK(__vxm_fns(0b101100, 31, -1), 5u);
  CHECK(__vxm_fns(0b101100, 0, 4), 0xffffffffu);
  CHECK(__vxm_dp4a_ss(0x01ff0203, 0x04050607, 10), 1 * 4 - 1 * 5 + 2 * 6 + 3 * 7 + 10);
  CHECK(__nv_vadd4(0xff01ff01, 0x01010101), 0x00020002u);
  CHECK(__nv_vaddss2(0x7fff8000, 0x0001ffff), 0x7fff8000u);
  CHECK(__nv_vsubus4(0x05050505, 0x04050607), 0x01000000u);
  CHECK(__nv_vabsdiffu4(0x05050505, 0x04050607), 0x01000102u);
  CHECK(__nv_vcmpgts2(0x00018000, 0x00000000), 0xffff0000u);
  CHECK(__nv_vavgs4(0x00ff7f80, 0x01007f80), 0x01ff7f80u);
  CHECK(__nv_vsadu4(0x05050505, 0x04050607), 4u);
  std::mt19937_64 random(17);
  for (int i = 0; i < 100000; ++i) {
    auto x = static_cast<uint64_t>(random()), y = static_cast<uint64_t>(random());
    CHECK(__nv_umul64hi(x, y), static_cast<unsigned long long>((unsigned __int128)x * y >> 64));
    auto sx = static_cast<int64_t>(x), sy = static_cast<int64_t>(y);
    CHECK(__nv_mul64hi(sx, sy), static_cast<long long>((__int128)sx * sy >> 64));
  }
}

void wideIntegers() {
  std::mt19937_64 random(19);
  for (int i = 0; i < 20000; ++i) {
    auto draw = [&] {
      auto v = static_cast<unsigned __int128>(random()) << 64 | random();
      return v >> (random() % 127);
    };
    unsigned __int128 x = draw(), y = draw();
    if (y == 0)
      continue;
    CHECK(__vxm_udiv128(x, y) == x / y && __vxm_urem128(x, y) == x % y, true);
    auto sx = random() % 2 ? -static_cast<__int128>(x >> 1) : static_cast<__int128>(x >> 1);
    auto sy = random() % 2 ? -static_cast<__int128>(y) : static_cast<__int128>(y);
    CHECK(__vxm_sdiv128(sx, sy) == sx / sy && __vxm_srem128(sx, sy) == sx % sy, true);
    CHECK(__vxm_sitofp128d(sx), static_cast<double>(sx));
    CHECK(__vxm_uitofp128f(x >> 1), static_cast<float>(x >> 1));
    double d = static_cast<double>(sx) / 3;
    CHECK(__vxm_fptosi128d(d) == static_cast<__int128>(d), true);
    float f = static_cast<float>(x >> 1);
    CHECK(__vxm_fptoui128f(f / 7) == static_cast<unsigned __int128>(f / 7), true);
  }
  CHECK(__vxm_udiv128(5, 0) == ~static_cast<unsigned __int128>(0), true);
}

/// Checks CUDA's documented errors of the fast forms.
void fastForms() {
  double sine = 0, exponential = 0, logarithm = 0, power = 0;
  for (int i = 0; i <= 200000; ++i) {
    float x = static_cast<float>(-3.14159265 + 6.2831853 * i / 200000);
    sine = std::fmax(sine, std::fabs(__nv_fast_sinf(x) - std::sin(static_cast<double>(x))));
    sine = std::fmax(sine, std::fabs(__nv_fast_cosf(x) - std::cos(static_cast<double>(x))));
    double e = std::exp(static_cast<double>(x));
    exponential = std::fmax(exponential, std::fabs(__nv_fast_expf(x) - e) / e);
    float m = static_cast<float>(0.5 + 1.5 * i / 200000);
    logarithm = std::fmax(logarithm, std::fabs(__nv_fast_log2f(m) - std::log2(double(m))));
    double p = std::pow(static_cast<double>(m), 2.5);
    power = std::fmax(power, std::fabs(__nv_fast_powf(m, 2.5f) - p) / p);
  }
  CHECK(sine < std::exp2(-21.19), true);
  CHECK(exponential < std::exp2(-20.0), true);
  CHECK(logarithm < std::exp2(-22.0), true);
  CHECK(power < std::exp2(-19.0), true);
  CHECK(__nv_fast_expf(-kInfF), 0.0f);
  CHECK(__nv_fast_expf(200.0f), kInfF);
  CHECK(__nv_fast_logf(0.0f), -kInfF);
  CHECK(__nv_fast_exp10f(0.0f), 1.0f);
}

} // namespace

int main() {
  specialValues();
  higherOrders();
  parts();
  conversions();
  remainders();
  integers();
  wideIntegers();
  fastForms();
  std::printf("%d failures\n", failures);
  return failures != 0;
}
