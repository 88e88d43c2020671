// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
//
// Device functions: recursion (also mutual and lane-dependent depth), function pointers in locals,
// tables and arguments, virtual functions, references, default arguments, many arguments.

#include "../Inputs/harness.h"

__host__ __device__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__host__ __device__ bool isOdd(unsigned n);
__host__ __device__ bool isEven(unsigned n) {
  return n == 0 ? true : isOdd(n - 1);
}
__host__ __device__ bool isOdd(unsigned n) {
  return n == 0 ? false : isEven(n - 1);
}
__host__ __device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ unsigned recursion(unsigned a, unsigned b) {
  return fibonacci(a % 9) * 1000 + isEven(b % 20) * 100 + ackermann(a % 3, b % 3);
}

__host__ __device__ __attribute__((noinline)) unsigned addOne(unsigned x) {
  return x + 1;
}
__host__ __device__ __attribute__((noinline)) unsigned timesThree(unsigned x) {
  return x * 3;
}
__host__ __device__ __attribute__((noinline)) unsigned halve(unsigned x) {
  return x / 2;
}

typedef unsigned (*Step)(unsigned);
__host__ __device__ unsigned compose(Step first, Step second, unsigned x) {
  return second(first(x));
}

__host__ __device__ unsigned pointers(unsigned a, unsigned b) {
  Step steps[3] = {addOne, timesThree, halve};
  unsigned x = b;
  for (unsigned i = 0; i < a % 5; ++i)
    x = steps[(a >> i) % 3](x);
  return compose(steps[a % 3], b & 1 ? addOne : halve, x);
}

struct Shape {
  __host__ __device__ virtual unsigned area() const = 0;
  __host__ __device__ virtual unsigned twice() const { return 2 * area(); }
};
struct Rectangle : Shape {
  unsigned w, h;
  __host__ __device__ Rectangle(unsigned w, unsigned h) : w(w), h(h) {}
  __host__ __device__ unsigned area() const override { return w * h; }
};
struct Square : Rectangle {
  __host__ __device__ explicit Square(unsigned s) : Rectangle(s, s) {}
  __host__ __device__ unsigned twice() const override { return area() + area() + 1; }
};

__host__ __device__ unsigned virtuals(unsigned a, unsigned b) {
  Rectangle rectangle(a % 100, b % 100);
  Square square(a % 50);
  const Shape *shapes[2] = {&rectangle, &square};
  unsigned sum = 0;
  for (unsigned i = 0; i < 2; ++i)
    sum += shapes[(a + i) & 1]->twice() * (i + 1);
  return sum + shapes[b & 1]->area();
}

__host__ __device__ __attribute__((noinline)) double
many(int a, float b, double c, char d, short e, long long f, unsigned g, float h, double i, int j,
     bool k, double l, float m, int n, const int &o, int p = 16) {
  return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
}
__host__ __device__ unsigned arguments(unsigned a, unsigned b) {
  int o = b % 7;
  double x =
      many(a % 10, 1.5f, 2.5, 'c', -4, 1ll << 20, a % 99, 0.25f, 4.0, -8, a & 1, 7.0, 3.0f, 2, o);
  return static_cast<unsigned>(x * 4);
}

struct Big {
  unsigned words[20];
};
__host__ __device__ __attribute__((noinline)) Big makeBig(unsigned seed) {
  Big big;
  for (unsigned i = 0; i < 20; ++i)
    big.words[i] = seed * (i + 1);
  return big;
}
__host__ __device__ unsigned largeResults(unsigned a, unsigned b) {
  return makeBig(a).words[b % 20] ^ makeBig(b).words[a % 20];
}

int main() {
  COMPARE(recursion);
  COMPARE(pointers);
  COMPARE(virtuals);
  COMPARE(arguments);
  COMPARE(largeResults);
  return finish();
}
