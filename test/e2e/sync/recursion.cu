// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursive functions with barriers: at their end, in the middle, in loops, through each other and through
// pointers, with local variables whose address is taken, and with warp functions. Compared with fibers on
// the host in hardware, in software, and as code of the host.
// RUN: %vxcc -O3 -std=c++17 -I%inputs %s -o %t
// RUN: %shapes --few %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t
// RUN: env VX_SW_MAPPING=thread-per-lane %shapes --few --lower=sw %t
// RUN: %vxcc -O0 -std=c++17 -I%inputs %s -o %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=8,core.num_threads=32 %run %t
// RUN: env VX_LOWERING=sw VX_SET=%no_warp_isa,core.num_warps=4,core.num_threads=8 %run %t.0
// RUN: %vxcc -O3 -std=c++17 --target=host -I%inputs %s -o %t.host
// RUN: env VX_HOST_THREADS=2 %run %t.host

#include "shapes.h"

#define BOTH __host__ __device__

BOTH unsigned size() {
  return blockSize().x * blockSize().y * blockSize().z;
}
BOTH unsigned input(const unsigned *in) {
  return in[linearThread() % 256] % 1000;
}

// --- at the end: a loop, however deep ---

BOTH unsigned halve(Shared &s, unsigned n) {
  if (n == 0)
    return s.a[0];
  sync();
  if (linearThread() < n && linearThread() + n < size())
    s.a[linearThread()] += s.a[linearThread() + n];
  sync();
  return halve(s, n / 2);
}
BOTH unsigned turn(Shared &s, unsigned x, unsigned times) {
  if (times == 0)
    return x;
  s.b[linearThread()] = x;
  sync();
  unsigned other = s.b[(linearThread() + times) % size()];
  sync();
  return turn(s, other + 1, times - 1);
}
SHAPE(atTheEnd) {
  s.a[linearThread()] = input(in);
  sync();
  unsigned sum = halve(s, 128);
  sync();
  *out = sum + turn(s, input(in), 70 + n);
}

// --- in the middle ---

BOTH unsigned nest(Shared &s, unsigned x, unsigned depth) {
  s.a[linearThread()] = x;
  sync();
  unsigned other = s.a[(linearThread() + depth) % size()];
  sync();
  if (depth == 0)
    return other;
  unsigned inner = nest(s, other ^ depth, depth - 1);
  s.b[linearThread()] = inner + x;
  sync();
  inner = s.b[size() - 1 - linearThread()];
  sync();
  return inner * 3 + other + depth;
}
SHAPE(inTheMiddle) { *out = nest(s, input(in), n % 11) + nest(s, n, 2); }

// --- twice, and in a loop ---

BOTH unsigned tree(Shared &s, unsigned x, unsigned depth, unsigned from, unsigned count) {
  if (count < 2 || depth == 0) {
    s.a[linearThread()] = x;
    sync();
    x += s.a[(from + linearThread()) % size()];
    sync();
    return x;
  }
  unsigned left = tree(s, x + 1, depth - 1, from, count / 2);
  unsigned right = tree(s, left, depth - 1, from + count / 2, count - count / 2);
  return left * 5 + right;
}
BOTH unsigned children(Shared &s, unsigned x, unsigned depth) {
  for (unsigned i = 0; i < depth; ++i) {
    s.a[linearThread()] = x;
    sync();
    unsigned y = s.a[(linearThread() + i + 1) % size()];
    sync();
    x = children(s, y + i, depth - 1 - i) ^ x;
  }
  return x + depth;
}
SHAPE(twice) { *out = tree(s, input(in), 3, n % 7, size()); }
SHAPE(inLoop) { *out = children(s, input(in), n % 2 + 3); }

// --- through each other ---

BOTH unsigned second(Shared &s, unsigned x, unsigned depth);
BOTH unsigned first(Shared &s, unsigned x, unsigned depth) {
  s.a[linearThread()] = x;
  sync();
  unsigned y = s.a[linearThread() ^ (size() > (linearThread() ^ 1))];
  sync();
  return depth == 0 ? y : second(s, y, depth - 1) + x;
}
BOTH unsigned second(Shared &s, unsigned x, unsigned depth) {
  if (depth % 3 == 2)
    return second(s, x * 2, depth - 1) + 1;
  unsigned r = first(s, x + depth, depth / 2);
  return r ^ x;
}
SHAPE(throughEachOther) { *out = first(s, input(in), n % 9) + second(s, n, n % 4); }

// --- variables whose address is taken, arrays, structures ---

struct Pair {
  unsigned a, b;
};
BOTH Pair walk(Shared &s, unsigned *upper, const Pair &given, unsigned depth) {
  unsigned mine[4] = {given.a, given.b, depth, *upper};
  *upper += depth;
  s.a[linearThread()] = mine[depth & 3];
  sync();
  mine[1] += s.a[(linearThread() + 1) % size()];
  sync();
  if (depth == 0)
    return {mine[1], mine[3]};
  Pair next{mine[1], mine[2]};
  Pair got = walk(s, &mine[3], next, depth - 1);
  sync();
  return {got.a + mine[3], got.b ^ next.a};
}
SHAPE(addresses) {
  unsigned local = n;
  Pair got = walk(s, &local, {input(in), n}, n % 6);
  *out = got.a + got.b * 7 + local;
}
BOTH unsigned byValue(Shared &s, Pair p, unsigned depth) {
  p.a += depth;
  s.a[linearThread()] = p.a + p.b;
  sync();
  p.b = s.a[size() - 1 - linearThread()];
  sync();
  return depth == 0 ? p.a : byValue(s, p, depth - 1) + p.b;
}
SHAPE(structures) {
  Pair p{input(in), n};
  *out = byValue(s, p, n % 5) + p.a + p.b;
}

// --- through pointers: a chain of callbacks is recursion as far as types show ---

struct Node {
  BOTH virtual unsigned run(Shared &s, unsigned x) const = 0;
};
struct Leaf : Node {
  BOTH unsigned run(Shared &s, unsigned x) const override {
    s.a[linearThread()] = x;
    sync();
    x = s.a[(linearThread() + 5) % size()];
    sync();
    return x;
  }
};
struct Add : Node {
  const Node &of;
  unsigned by;
  BOTH Add(const Node &of, unsigned by) : of(of), by(by) {}
  BOTH unsigned run(Shared &s, unsigned x) const override { return of.run(s, x + by) * 3 + by; }
};
struct Repeat : Node {
  const Node &of;
  unsigned times;
  BOTH Repeat(const Node &of, unsigned times) : of(of), times(times) {}
  BOTH unsigned run(Shared &s, unsigned x) const override {
    for (unsigned i = 0; i < times; ++i)
      x = of.run(s, x) + i;
    return x;
  }
};
SHAPE(throughPointers) {
  Leaf leaf;
  Add add(leaf, n);
  Repeat repeat(add, 2), more(repeat, 2);
  const Node *nodes[3] = {&add, &repeat, &more};
  *out = nodes[n % 3]->run(s, input(in));
}

// --- with warp functions; not all lanes call on ---

BOTH unsigned votes(Shared &s, unsigned x, unsigned depth) {
  unsigned present = presentLanes(), odd = ballot(present, x & 1);
  s.a[linearThread()] = x + bitsOf(odd);
  sync();
  x = s.a[(linearThread() + 1) % size()];
  sync();
  if (depth == 0)
    return x + reduceAdd(present, x & 3);
  return votes(s, x ^ depth, depth - 1) + shuffle<Xor>(present, present, x, 1);
}
BOTH unsigned some(unsigned mask, unsigned x) {
  if (x % 4 == 0)
    return bitsOf(mask);
  unsigned next = ballot(mask, x % 4 > 1);
  unsigned r = 0;
  if (x % 4 > 1)
    r = some(next, x - 1);
  return r * 3 + reduceAdd(mask, x & 3);
}
SHAPE(withWarpFunctions) {
  unsigned x = input(in), r = votes(s, x, n % 5);
  unsigned mask = ballot(presentLanes(), x % 4 != 0);
  if (x % 4 != 0)
    r += some(mask, x);
  *out = r;
}

int main() {
  COMPARE_SHAPE(atTheEnd, 1);
  COMPARE_SHAPE(inTheMiddle, 1);
  COMPARE_SHAPE(twice, 1);
  COMPARE_SHAPE(inLoop, 1);
  COMPARE_SHAPE(throughEachOther, 1);
  COMPARE_SHAPE(addresses, 1);
  COMPARE_SHAPE(structures, 1);
  COMPARE_SHAPE(throughPointers, 1);
  COMPARE_SHAPE(withWarpFunctions, 1);
  return finish();
}
