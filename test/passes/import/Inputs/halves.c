// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what vx-expand-halves makes of halves.ll with the host compiler's _Float16.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

float widen(uint16_t);
uint16_t narrow(float), narrow_double(double);
float rounded(float);
double rounded_double(double);
uint16_t sum(const void *, unsigned, uint16_t), both(uint16_t, uint16_t, void *);
uint16_t joined(unsigned, uint16_t, uint16_t, void *);
uint16_t chosen(_Bool, uint16_t, uint16_t), swapped(unsigned, uint16_t, uint16_t);

static unsigned wrong;

static _Float16 halfOf(uint16_t bits) {
  _Float16 h;
  memcpy(&h, &bits, sizeof h);
  return h;
}

static uint16_t bitsOf(_Float16 h) {
  uint16_t bits;
  memcpy(&bits, &h, sizeof bits);
  return bits;
}

/// NaNs count as equal, numbers with their signs.
static void check(const char *what, double input, double got, double expected) {
  int same = isnan(expected) ? isnan(got) : got == expected && signbit(got) == signbit(expected);
  if (!same && wrong++ < 10)
    printf("%s of %a is %a, not %a\n", what, input, got, expected);
}

static void checkNarrow(double x) {
  float f = (float)x;
  check("narrow", f, halfOf(narrow(f)), (_Float16)f);
  check("narrow_double", x, halfOf(narrow_double(x)), (_Float16)x);
  check("rounded", f, rounded(f), (_Float16)f);
  check("rounded_double", x, rounded_double(x), (_Float16)x);
}

static uint16_t next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static _Float16 sumOf(const _Float16 *p, unsigned n, _Float16 scale) {
  _Float16 s = 1;
  for (unsigned i = 0; i < n; ++i) {
    _Float16 product = p[i] * scale;
    _Float16 one = product < 0 ? -product : p[i];
    s = (_Float16)((double)one * (double)scale + fabs((double)s));
  }
  return s;
}

int main(void) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    double value = halfOf(bits);
    check("widen", bits, widen(bits), value);
    checkNarrow(value);
    if (isnan(value)) {
      check("bits of NaN", bits, narrow(value), 0x7fff);
      continue;
    }
    // The middle between this half and the next one, and what is nearest to that.
    double above = (bits & 0x7fff) >= 0x7bff ? copysign(65536, value) : (double)halfOf(bits + 1);
    double middle = (value + above) / 2;
    checkNarrow(middle);
    checkNarrow(nextafter(middle, 0));
    checkNarrow(nextafter(middle, 2 * above));
    checkNarrow(nextafterf(middle, 0));
    checkNarrow(nextafterf(middle, 2 * above));
  }
  const double special[] = {0x1p-149, 0x1p-1074, 1e30, 1e300, 3.4e38, 65519.99, 65520, 0x1p-25, INFINITY};
  for (unsigned i = 0; i < sizeof special / sizeof *special; ++i) {
    checkNarrow(special[i]);
    checkNarrow(-special[i]);
  }
  uint32_t state = 1;
  for (unsigned n = 0; n < 100000; ++n) {
    _Float16 a = halfOf(next(&state)), b = halfOf(next(&state)), stored;
    uint16_t quotient = both(bitsOf(a), bitsOf(b), &stored);
    check("sum", n, stored, a + b);
    check("quotient", n, halfOf(quotient), (_Float16)(a + b) / a);
    check("joined", n, halfOf(joined(n % 3, bitsOf(a), bitsOf(b), &stored)), n % 3 == 2 ? a : a + b);
    check("product", n, stored, (_Float16)(a + b) * b);
    check("chosen", n, halfOf(chosen(n & 1, bitsOf(a), bitsOf(b))), -(n & 1 ? a : b));
    _Float16 x = a, y = b, last = x, difference = 0;
    for (unsigned i = 0; i <= n % 5; ++i) {
      difference = x - y;
      last = x;
      x = y;
      y = difference;
    }
    check("swapped", n, halfOf(swapped(n % 5 + 1, bitsOf(a), bitsOf(b))), last + difference);
    _Float16 p[16];
    for (unsigned i = 0; i < 16; ++i)
      p[i] = halfOf(next(&state) & 0xbfff);
    _Float16 scale = halfOf(0x3800 | (next(&state) & 0x87ff));
    unsigned count = n % 16 + 1;
    check("sum in a loop", n, halfOf(sum(p, count, bitsOf(scale))), sumOf(p, count, scale));
  }
  printf("%s\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
