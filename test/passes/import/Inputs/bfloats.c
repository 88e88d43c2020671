// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what vx-expand-halves makes of bfloats.ll with the nearest of three neighbours, by exact
// distances.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef __float128 exact_t; // 113 bits

float widen(uint16_t), rounded(float);
uint16_t narrow(float), narrow_double(double);
double rounded_double(double);
uint16_t fused(uint16_t, uint16_t, uint16_t), sum(const uint16_t *, unsigned, uint16_t);

static unsigned wrong;

static float numberOf(uint16_t bits) {
  uint32_t all = (uint32_t)bits << 16;
  float f;
  memcpy(&f, &all, sizeof f);
  return f;
}

static exact_t distance(exact_t x, uint16_t bits) {
  // The number after the largest would be 2^128.
  exact_t other = (bits & 0x7fff) == 0x7f80 ? copysign(0x1p128, numberOf(bits)) : numberOf(bits);
  return x < other ? other - x : x - other;
}

/// The bits of the bfloat16 nearest to X, a number below 2^129.
static uint16_t nearest(exact_t x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  uint16_t best = bits >> 16;
  if ((best & 0x7fff) == 0x7f80)
    --best;
  for (int by = -1; by <= 1; by += 2) {
    uint16_t other = (bits >> 16) + by;
    if ((other & 0x7fff) > 0x7f80 || ((other ^ best) & 0x8000))
      continue;
    exact_t to = distance(x, other), least = distance(x, best);
    if (to < least || (to == least && other % 2 == 0))
      best = other;
  }
  return best;
}

static void check(const char *what, double input, uint16_t got, uint16_t expected) {
  if (got != expected && wrong++ < 10)
    printf("%s of %a is %04x, not %04x\n", what, input, got, expected);
}

static uint16_t bitsOf(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if (isnan(x))
    return 0x7fff;
  if ((double)f != x || bits & 0xffff)
    return 0xffff; // no bfloat16
  return bits >> 16;
}

static void checkNarrow(double x) {
  float f = (float)x;
  uint16_t ofFloat = isnan(f) ? 0x7fff : isinf(f) ? bitsOf(f) : nearest(f);
  uint16_t ofDouble = isnan(x) ? 0x7fff : fabs(x) >= 0x1p128 ? bitsOf(copysign(INFINITY, x)) : nearest(x);
  check("narrow", f, narrow(f), ofFloat);
  check("narrow_double", x, narrow_double(x), ofDouble);
  check("rounded", f, bitsOf(rounded(f)), ofFloat);
  check("rounded_double", x, bitsOf(rounded_double(x)), ofDouble);
}

static uint32_t next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/// A number with an exponent of 127 - SPREAD to 126 + SPREAD; or zero.
static uint16_t number(uint32_t *state, unsigned spread) {
  uint32_t random = next(state), exponent = 127 - spread + next(state) % (2 * spread);
  return random % 50 == 0 ? 0 : (random & 0x807f) | exponent << 7;
}

int main(void) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    double value = numberOf(bits);
    if (!isnan(value) && widen(bits) != value && wrong++ < 10)
      printf("widen of %04x\n", bits);
    checkNarrow(value);
    if (isnan(value) || isinf(value))
      continue;
    double above = (bits & 0x7fff) == 0x7f7f ? copysign(0x1p128, value) : (double)numberOf(bits + 1);
    double middle = (value + above) / 2;
    checkNarrow(middle);
    checkNarrow(nextafter(middle, 0));
    checkNarrow(nextafter(middle, 2 * above));
    checkNarrow(nextafterf(middle, 0));
    checkNarrow(nextafterf(middle, 2 * above));
  }
  // NaNs whose bits would carry into the sign or become those of infinity.
  for (uint32_t bits = 0x7f800001; bits < 0x7fffffff; bits += 32767) {
    const uint32_t both[] = {bits, bits | 0x80000000, 0x7fffffff, 0xffffffff};
    for (unsigned i = 0; i < 4; ++i) {
      float f;
      memcpy(&f, &both[i], sizeof f);
      checkNarrow(f);
    }
  }
  const double special[] = {0x1p-149, 0x1p-1074, 1e300, 3.4e38, 0x1.ffp127, 0x1p-134, 0x1.8p-134, INFINITY};
  for (unsigned i = 0; i < sizeof special / sizeof *special; ++i) {
    checkNarrow(special[i]);
    checkNarrow(-special[i]);
  }
  uint32_t state = 1;
  for (unsigned n = 0; n < 300000; ++n) {
    uint16_t a = number(&state, 20), b = number(&state, 20), c = number(&state, n % 2 ? 20 : 40);
    exact_t product = (exact_t)numberOf(a) * numberOf(b);
    if (n % 3 == 0) // next to the middle of two numbers, by much less than a double shows
      c = (c & 0x8000) | (127 - 60 + n % 7) << 7;
    check("fused", n, fused(a, b, c), nearest(product + numberOf(c)));
  }
  for (unsigned n = 0; n < 20000; ++n) {
    uint16_t p[16], scale = number(&state, 3);
    for (unsigned i = 0; i < 16; ++i)
      p[i] = number(&state, 6);
    float s = 1;
    for (unsigned i = 0; i <= n % 16; ++i) {
      float product = numberOf(nearest((exact_t)numberOf(p[i]) * numberOf(scale)));
      s = numberOf(nearest((exact_t)(product < 0 ? -product : numberOf(p[i])) + fabsf(s)));
    }
    check("sum in a loop", n, sum(p, n % 16 + 1, scale), bitsOf(s));
  }
  printf("%s\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
