// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// setp, set, selp and slct in inline PTX: every comparison, with and, or and xor of a predicate and
// of its negation, of every type; both predicates of a pair.

#include "../Inputs/harness.h"
#include <cmath>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum Comparison { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan_ };

template <typename T> bool holds(Comparison op, T a, T b) {
  bool unordered = a != a || b != b;
  switch (op) {
  case eq: return a == b;
  case ne: return a != b && !unordered;
  case lt: case lo: return a < b;
  case le: case ls: return a <= b;
  case gt: case hi: return a > b;
  case ge: case hs: return a >= b;
  case equ: return a == b || unordered;
  case neu: return a != b;
  case ltu: return a < b || unordered;
  case leu: return a <= b || unordered;
  case gtu: return a > b || unordered;
  case geu: return a >= b || unordered;
  case num: return !unordered;
  case nan_: return unordered;
  }
  return false;
}

/// Seven pairs of bits: plain, then and, or and xor, each with the predicate and with its negation.
unsigned pairsOf(bool first, bool second, bool c) {
  unsigned bits = first * 2 + second;
  for (int op = 0; op < 3; ++op)
    for (bool other : {c, !c})
      for (bool v : {first, second})
        bits = bits * 2 + (op == 0 ? v && other : op == 1 ? v || other : v != other);
  return bits;
}

#define FIRST "selp.u32 t, 1, 0, p; mad.lo.u32 %0, %0, 2, t; "
#define BOTH FIRST "selp.u32 t, 1, 0, q; mad.lo.u32 %0, %0, 2, t; "
#define FORMS(OP, TYPE, TO, KEEP)                                                                  \
  "{ .reg .pred c, p, q; .reg .u32 t; setp.ne.u32 c, %3, 0; mov.u32 %0, 0; "                       \
  "setp." OP "." TYPE " " TO ", %1, %2; " KEEP "setp." OP ".and." TYPE " " TO ", %1, %2, c; " KEEP \
  "setp." OP ".and." TYPE " " TO ", %1, %2, !c; " KEEP "setp." OP ".or." TYPE " " TO               \
  ", %1, %2, c; " KEEP "setp." OP ".or." TYPE " " TO ", %1, %2, !c; " KEEP "setp." OP              \
  ".xor." TYPE " " TO ", %1, %2, c; " KEEP "setp." OP ".xor." TYPE " " TO ", %1, %2, !c; " KEEP "}"
#define ROW(OP, TYPE, TO, KEEP, CODE)                                                              \
  asm(FORMS(OP, TYPE, TO, KEEP) : "=r"(*out++) : CODE(a), CODE(b), "r"(c));

#define EQUAL(X, TYPE, CODE) X("eq", TYPE, CODE) X("ne", TYPE, CODE)
#define ORDER(X, TYPE, CODE)                                                                       \
  X("lt", TYPE, CODE) X("le", TYPE, CODE) X("gt", TYPE, CODE) X("ge", TYPE, CODE)
#define SIZES(X, TYPE, CODE)                                                                       \
  X("lo", TYPE, CODE) X("ls", TYPE, CODE) X("hi", TYPE, CODE) X("hs", TYPE, CODE)
#define UNORDERED(X, TYPE, CODE)                                                                   \
  X("equ", TYPE, CODE) X("neu", TYPE, CODE) X("ltu", TYPE, CODE) X("leu", TYPE, CODE)              \
  X("gtu", TYPE, CODE) X("geu", TYPE, CODE) X("num", TYPE, CODE) X("nan", TYPE, CODE)
#define SIGNED(X, TYPE, CODE) EQUAL(X, TYPE, CODE) ORDER(X, TYPE, CODE)
#define UNSIGNED(X, TYPE, CODE) SIGNED(X, TYPE, CODE) SIZES(X, TYPE, CODE)
#define FLOATS(X, TYPE, CODE) SIGNED(X, TYPE, CODE) UNORDERED(X, TYPE, CODE)
#define PAIR(OP, TYPE, CODE) ROW(OP, TYPE, "p|q", BOTH, CODE)
#define SINGLE(OP, TYPE, CODE) ROW(OP, TYPE, "p", FIRST, CODE)

constexpr Comparison kEqual[] = {eq, ne}, kSigned[] = {eq, ne, lt, le, gt, ge},
                     kUnsigned[] = {eq, ne, lt, le, gt, ge, lo, ls, hi, hs},
                     kFloats[] = {eq,  ne,  lt,  le,  gt,  ge,  equ,
                                  neu, ltu, leu, gtu, geu, num, nan_};
constexpr int kRows = 200;

/// The values that a thread compares: integers and floats of every width.
struct Values {
  long long integer;
  double real;
};

__global__ void compareIntegers(const Values *x, const Values *y, unsigned *results) {
  int i = threadIdx.x;
  unsigned c = i & 1, *out = results + i * kRows;
  {
    short a = x[i].integer, b = y[i].integer;
    EQUAL(PAIR, "b16", "h")
    SIGNED(PAIR, "s16", "h")
    UNSIGNED(PAIR, "u16", "h")
  }
  {
    int a = x[i].integer, b = y[i].integer;
    EQUAL(PAIR, "b32", "r")
    SIGNED(PAIR, "s32", "r")
    UNSIGNED(PAIR, "u32", "r")
  }
  {
    long long a = x[i].integer, b = y[i].integer;
    EQUAL(PAIR, "b64", "l")
    SIGNED(PAIR, "s64", "l")
    UNSIGNED(PAIR, "u64", "l")
  }
}

__global__ void compareFloats(const Values *x, const Values *y, unsigned *results) {
  int i = threadIdx.x;
  unsigned c = i & 1, *out = results + i * kRows;
  {
    float a = x[i].real, b = y[i].real;
    FLOATS(PAIR, "f32", "f")
    FLOATS(PAIR, "ftz.f32", "f")
  }
  {
    double a = x[i].real, b = y[i].real;
    FLOATS(PAIR, "f64", "d")
  }
  {
    unsigned short a = __half_as_ushort(__half(x[i].real)), b = __half_as_ushort(__half(y[i].real));
    FLOATS(SINGLE, "f16", "h")
  }
  {
    unsigned short a = __bfloat16_as_ushort(__nv_bfloat16(x[i].real)),
                   b = __bfloat16_as_ushort(__nv_bfloat16(y[i].real));
    FLOATS(SINGLE, "bf16", "h")
  }
  // The low elements are compared as above, the high ones the other way round.
  __half2 ah(x[i].real, y[i].real), bh(y[i].real, x[i].real);
  __nv_bfloat162 ab(x[i].real, y[i].real), bb(y[i].real, x[i].real);
  unsigned a, b;
  memcpy(&a, &ah, 4), memcpy(&b, &bh, 4);
  FLOATS(PAIR, "f16x2", "r")
  memcpy(&a, &ab, 4), memcpy(&b, &bb, 4);
  FLOATS(PAIR, "bf16x2", "r")
}

struct Sets {
  unsigned u32, s64, f16, low, high;
  float f32, fromHalf;
  unsigned short u16, half, brain;
  unsigned halves, brains, masks;
  unsigned discarded[2];
  short selected16, chosen16;
  float selected, chosen;
  double chosenByFloat;
};

__global__ void sets(const Values *x, const Values *y, Sets *out) {
  int i = threadIdx.x, c = i & 1;
  Sets r;
  int a = x[i].integer, b = y[i].integer;
  float f = x[i].real, g = y[i].real;
  __half h(x[i].real), k(y[i].real);
  __half2 hh(h, k), kk(k, h);
  unsigned p, q;
  memcpy(&p, &hh, 4), memcpy(&q, &kk, 4);
  __nv_bfloat162 bb(x[i].real, y[i].real), dd(y[i].real, x[i].real);
  unsigned u, v;
  memcpy(&u, &bb, 4), memcpy(&v, &dd, 4);
  unsigned short hBits = __half_as_ushort(h), kBits = __half_as_ushort(k), uBits = u, vBits = v;
  asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(r.u32) : "r"(a), "r"(b));
#define WITH(SET) "{ .reg .pred c; setp.ne.u32 c, %3, 0; " SET " }"
  asm(WITH("set.ge.xor.s32.s64 %0, %1, %2, !c;")
      : "=r"(r.s64)
      : "l"(x[i].integer), "l"(y[i].integer), "r"(c));
  asm(WITH("set.hi.or.f32.u32 %0, %1, %2, c;") : "=f"(r.f32) : "r"(a), "r"(b), "r"(c));
  asm("set.ltu.u32.f16 %0, %1, %2;" : "=r"(r.f16) : "h"(hBits), "h"(kBits));
  asm("set.le.u16.f16 %0, %1, %2;" : "=h"(r.u16) : "h"(hBits), "h"(kBits));
  asm("set.neu.f16.f32 %0, %1, %2;" : "=h"(r.half) : "f"(f), "f"(g));
  asm(WITH("set.gt.and.bf16.bf16 %0, %1, %2, c;") : "=h"(r.brain) : "h"(uBits), "h"(vBits), "r"(c));
  asm(WITH("set.lt.xor.f16x2.f16x2 %0, %1, %2, c;") : "=r"(r.halves) : "r"(p), "r"(q), "r"(c));
  asm("set.gtu.bf16x2.bf16x2 %0, %1, %2;" : "=r"(r.brains) : "r"(u), "r"(v));
  asm(WITH("set.lt.or.u32.f16x2 %0, %1, %2, c;") : "=r"(r.masks) : "r"(p), "r"(q), "r"(c));
  asm("{ .reg .pred p, q; setp.lt.s32 p | _, %2, %3; setp.lt.s32 _|q, %2, %3; "
      "selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
      : "=r"(r.discarded[0]), "=r"(r.discarded[1])
      : "r"(a), "r"(b));
  asm("{ .reg .pred c; setp.ne.u32 c, %3, 0; selp.b16 %0, %1, %2, c; }"
      : "=h"(r.selected16)
      : "h"((short)a), "h"((short)b), "r"(c));
  asm("{ .reg .pred c; setp.ne.u32 c, %3, 0; selp.f32 %0, %1, %2, !c; }"
      : "=f"(r.selected)
      : "f"(f), "f"(g), "r"(c));
  asm("slct.u16.s32 %0, %1, %2, %3;" : "=h"(r.chosen16) : "h"((short)a), "h"((short)b), "r"(a));
  asm("slct.f32.s32 %0, 0f3F800000, 0f40000000, %1;" : "=f"(r.chosen) : "r"(b));
  asm("slct.f64.f32 %0, %1, %2, %3;" : "=d"(r.chosenByFloat) : "d"(1.5), "d"(-2.5), "f"(f));
  out[i] = r;
}

template <typename T, size_t N>
void check(const unsigned *&row, const Comparison (&ops)[N], T a, T b, int i, const char *what) {
  for (Comparison op : ops)
    expectEqual(*row++, pairsOf(holds(op, a, b), !holds(op, a, b), i & 1), what, i);
}

void checkHalves(const unsigned *&row, double a, double b, int i, const char *what) {
  for (Comparison op : kFloats) {
    unsigned pairs = pairsOf(holds(op, a, b), false, i & 1), firsts = 0;
    for (int bit = 13; bit > 0; bit -= 2)
      firsts = firsts * 2 + (pairs >> bit & 1);
    expectEqual(*row++, firsts, what, i);
  }
}

void checkPacked(const unsigned *&row, double a, double b, int i, const char *what) {
  for (Comparison op : kFloats)
    expectEqual(*row++, pairsOf(holds(op, a, b), holds(op, b, a), i & 1), what, i);
}

int main() {
  const long long integers[] = {0, 1, -1, 0x7fff, 0x8000, 0x80000000, 0x7fffffff, 1ll << 40};
  const double reals[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 0.5};
  std::vector<Values> x, y;
  for (int i = 0; i < 128; ++i) {
    x.push_back({integers[i / 2 % 8], reals[i / 2 % 8]});
    y.push_back({integers[i / 16], reals[i / 16]});
  }
  DeviceArray<Values> dx(x), dy(y);
  DeviceArray<unsigned> whole(128 * kRows), real(128 * kRows);
  DeviceArray<Sets> set(128);
  compareIntegers<<<1, 128>>>(dx, dy, whole);
  compareFloats<<<1, 128>>>(dx, dy, real);
  sets<<<1, 128>>>(dx, dy, set);
  auto wholeRows = whole.host(), realRows = real.host();
  auto setRows = set.host();
  for (int i = 0; i < 128; ++i) {
    long long a = x[i].integer, b = y[i].integer;
    double f = x[i].real, g = y[i].real;
    bool c = i & 1;
    const unsigned *row = &wholeRows[i * kRows];
    check(row, kEqual, short(a), short(b), i, "b16");
    check(row, kSigned, short(a), short(b), i, "s16");
    check(row, kUnsigned, (unsigned short)a, (unsigned short)b, i, "u16");
    check(row, kEqual, int(a), int(b), i, "b32");
    check(row, kSigned, int(a), int(b), i, "s32");
    check(row, kUnsigned, unsigned(a), unsigned(b), i, "u32");
    check(row, kEqual, a, b, i, "b64");
    check(row, kSigned, a, b, i, "s64");
    check(row, kUnsigned, (unsigned long long)a, (unsigned long long)b, i, "u64");
    row = &realRows[i * kRows];
    check(row, kFloats, f, g, i, "f32");
    check(row, kFloats, f, g, i, "ftz.f32");
    check(row, kFloats, f, g, i, "f64");
    checkHalves(row, f, g, i, "f16");
    checkHalves(row, f, g, i, "bf16");
    checkPacked(row, f, g, i, "f16x2");
    checkPacked(row, f, g, i, "bf16x2");
    const Sets &s = setRows[i];
    bool less = f < g, more = f > g;
    expectEqual(s.u32, int(a) < int(b) ? ~0u : 0u, "set.u32", i);
    expectEqual(s.s64, (a >= b) != !c ? ~0u : 0u, "set.s32.s64", i);
    expectEqual(s.f32, unsigned(a) > unsigned(b) || c ? 1.0f : 0.0f, "set.f32", i);
    expectEqual(s.f16, holds(ltu, f, g) ? ~0u : 0u, "set.u32.f16", i);
    expectEqual<unsigned>(s.u16, f <= g ? 0xffff : 0, "set.u16.f16", i);
    expectEqual<unsigned>(s.half, holds(neu, f, g) ? 0x3c00 : 0, "set.f16.f32", i);
    expectEqual<unsigned>(s.brain, more && c ? 0x3f80 : 0, "set.bf16", i);
    expectEqual(s.halves, (less != c) * 0x3c00u | (more != c) * 0x3c000000u, "set.f16x2", i);
    expectEqual(s.brains, holds(gtu, f, g) * 0x3f80u | holds(gtu, g, f) * 0x3f800000u,
                "set.bf16x2", i);
    expectEqual(s.masks, (less || c) * 0xffffu | (more || c) * 0xffff0000u, "set.u32.f16x2", i);
    expectEqual<unsigned>(s.discarded[0], int(a) < int(b), "setp p|_", i);
    expectEqual<unsigned>(s.discarded[1], int(a) >= int(b), "setp _|q", i);
    expectEqual<int>(s.selected16, short(c ? a : b), "selp.b16", i);
    float selected = c ? g : f;
    expectEqual(memcmp(&s.selected, &selected, 4), 0, "selp.f32", i);
    expectEqual<int>(s.chosen16, short(int(a) >= 0 ? a : b), "slct.u16", i);
    expectEqual(s.chosen, int(b) >= 0 ? 1.0f : 2.0f, "slct.f32", i);
    expectEqual(s.chosenByFloat, f >= 0 ? 1.5 : -2.5, "slct.f64.f32", i);
  }
  return finish();
}
