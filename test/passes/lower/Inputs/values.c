// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the functions of values.ll with the C library, bit for bit, for millions of numbers: every
// exponent, small integers and halves, the limits, infinities, NaN and both zeros.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EACH(OP) OP(floor) OP(ceil) OP(trunc) OP(rint) OP(round)
#define DECLARE(OP) float my_##OP##_f32(float); double my_##OP##_f64(double);
EACH(DECLARE)
float my_roundeven_f32(float);
double my_roundeven_f64(double);
uint8_t my_ctlz_i8(uint8_t), my_cttz_i8(uint8_t);
uint32_t my_ctlz_i32(uint32_t), my_cttz_i32(uint32_t);
uint64_t my_ctlz_i64(uint64_t), my_cttz_i64(uint64_t);
float my_select_f32(int, float, float);
double my_select_f64(int, double, double);

static unsigned bad, checked;

static void same(const char *name, double x, double got, double want) {
  ++checked;
  uint64_t a, b;
  memcpy(&a, &got, 8);
  memcpy(&b, &want, 8);
  if (a != b && !(isnan(got) && isnan(want)) && ++bad <= 10)
    printf("%s(%a) = %a, wanted %a\n", name, x, got, want);
}

static void checkFloat(float x) {
#define CHECK_FLOAT(OP) same(#OP "f", x, my_##OP##_f32(x), OP##f(x));
  EACH(CHECK_FLOAT)
  same("roundevenf", x, my_roundeven_f32(x), rintf(x));
  same("selectf", x, my_select_f32(x > 1, x, -x), x > 1 ? x : -x);
}

static void checkDouble(double x) {
#define CHECK_DOUBLE(OP) same(#OP, x, my_##OP##_f64(x), OP(x));
  EACH(CHECK_DOUBLE)
  same("roundeven", x, my_roundeven_f64(x), rint(x));
  same("select", x, my_select_f64(x > 1, x, -x), x > 1 ? x : -x);
}

static void checkBits(uint64_t v) {
  uint8_t b = v;
  uint32_t w = v;
  same("ctlz8", b, my_ctlz_i8(b), b ? __builtin_clz(b) - 24 : 8);
  same("cttz8", b, my_cttz_i8(b), b ? __builtin_ctz(b) : 8);
  same("ctlz32", w, my_ctlz_i32(w), w ? __builtin_clz(w) : 32);
  same("cttz32", w, my_cttz_i32(w), w ? __builtin_ctz(w) : 32);
  same("ctlz64", v, my_ctlz_i64(v), v ? __builtin_clzll(v) : 64);
  same("cttz64", v, my_cttz_i64(v), v ? __builtin_ctzll(v) : 64);
}

int main(void) {
  for (uint32_t i = 0; i < 1u << 20; ++i) {
    uint32_t bits = i << 12 | (i * 2654435761u >> 20);
    float f;
    memcpy(&f, &bits, 4);
    checkFloat(f);
    uint64_t wide = (uint64_t)i << 44 | i * 0x9e3779b97f4a7c15ull >> 20;
    double d;
    memcpy(&d, &wide, 8);
    checkDouble(d);
  }
  for (int i = -4000; i <= 4000; ++i) {
    double quarter = i * 0.25;
    for (int way = -1; way <= 1; ++way) {
      checkDouble(way ? nextafter(quarter, way * INFINITY) : quarter);
      checkFloat(way ? nextafterf(quarter, way * INFINITY) : quarter);
    }
    checkFloat(0x1p23f + i);
    checkFloat(-0x1p22f + i * 0.5f);
    checkDouble(0x1p52 + i);
    checkDouble(-0x1p51 + i * 0.5);
  }
  for (double x = 0;; x = INFINITY) {
    checkFloat(x), checkFloat(-x), checkDouble(x), checkDouble(-x);
    if (x)
      break;
  }
  checkFloat(NAN);
  checkDouble(NAN);
  for (unsigned i = 0; i < 64; ++i) {
    checkBits(0);
    checkBits(1ull << i);
    checkBits(~0ull >> i);
    checkBits(~0ull << i);
  }
  printf("%u values, %u wrong\n", checked, bad);
  return bad != 0;
}
