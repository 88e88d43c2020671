// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc -O3 %s -o %t.3 && %shapes --few %t.3
// RUN: %vxcc -O0 --target=host %s -o %t.host && %run %t.host
// RUN: %vxcc -O3 --target=host %s -o %t.host && %run %t.host
//
// Device functions with C's variable arguments: types of all sizes and alignments, a list that is
// copied and passed to other functions, calls through pointers, of members and in recursion,
// a catch-all overload, and printf with arguments of such a function.

#include "../Inputs/harness.h"
#include <cstdarg>

struct Pair {
  unsigned first;
  double second;
};
struct Odd {
  char text[7];
};
struct alignas(16) Wide {
  unsigned words[8];
};
struct Empty {};

__host__ __device__ __attribute__((noinline)) double byFormat(const char *format, ...) {
  va_list list;
  va_start(list, format);
  double sum = 0;
  for (unsigned position = 1; *format; ++format, ++position) {
    double value = 0;
    switch (*format) {
    case 'i': value = va_arg(list, int); break;
    case 'l': value = static_cast<double>(va_arg(list, long long)); break;
    case 'd': value = va_arg(list, double); break;
    case 'p': value = *va_arg(list, const unsigned *); break;
    case 'S': {
      Pair pair = va_arg(list, Pair);
      value = pair.first + pair.second;
      break;
    }
    case 'O': {
      Odd odd = va_arg(list, Odd);
      for (char c : odd.text)
        value = value * 3 + c;
      break;
    }
    case 'W': {
      Wide wide = va_arg(list, Wide);
      for (unsigned word : wide.words)
        value += word % 1000;
      break;
    }
    case 'E': va_arg(list, Empty); break;
    }
    sum += value * position;
  }
  va_end(list);
  return sum;
}

__host__ __device__ unsigned types(unsigned a, unsigned b) {
  Pair pair{a % 100, b % 100 * 0.5};
  Odd odd{{1, 2, static_cast<char>(a % 100), 4, 5, static_cast<char>(b % 100), 7}};
  Wide wide{{a, b, a + b, a - b, 1, 2, 3, a ^ b}};
  short small = static_cast<short>(a);
  float single = b % 1000 * 0.25f;
  double sum = byFormat("idlipSOWEi", small, single, 1ll << (a % 40), 'x', &b, pair, odd, wide, Empty(), a & 1);
  sum += byFormat("WiWdO", wide, 7, wide, 2.5, odd) + byFormat("OSOl", odd, pair, odd, -5ll) + byFormat("");
  return static_cast<unsigned>(static_cast<long long>(sum));
}

__host__ __device__ __attribute__((noinline)) unsigned next(va_list list) {
  return va_arg(list, unsigned);
}
__host__ __device__ __attribute__((noinline)) unsigned hash(unsigned count, va_list list) {
  unsigned h = 0;
  while (count--)
    h = h * 31 + va_arg(list, unsigned);
  return h;
}
__host__ __device__ __attribute__((noinline)) unsigned twice(unsigned count, ...) {
  va_list list, copy;
  va_start(list, count);
  unsigned skipped = va_arg(list, unsigned);
  va_copy(copy, list);
  unsigned once = hash(count - 1, list), again = hash(count - 1, copy), front;
  va_end(copy);
  va_end(list);
  va_start(list, count);
  front = next(list);
  va_end(list);
  return skipped * 7 + once * 5 + again * 3 + front;
}
__host__ __device__ unsigned lists(unsigned a, unsigned b) {
  return twice(4, a, b, a ^ b, 9u) + (a & 1 ? twice(2, b, a) : twice(1, b));
}

__host__ __device__ __attribute__((noinline)) unsigned add(unsigned n, ...) {
  va_list list;
  va_start(list, n);
  unsigned sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += va_arg(list, unsigned);
  va_end(list);
  return n > 2 ? sum + add(2, sum, n) : sum;
}
__host__ __device__ __attribute__((noinline)) unsigned multiply(unsigned n, ...) {
  va_list list;
  va_start(list, n);
  unsigned product = 1;
  for (unsigned i = 0; i < n; ++i)
    product *= va_arg(list, unsigned);
  va_end(list);
  return product;
}
struct Counter {
  unsigned start;
  __host__ __device__ __attribute__((noinline)) unsigned count(unsigned n, ...) const {
    va_list list;
    va_start(list, n);
    unsigned result = start + hash(n, list);
    va_end(list);
    return result;
  }
  __host__ __device__ virtual double mean(int n, ...) const {
    va_list list;
    va_start(list, n);
    double sum = start;
    for (int i = 0; i < n; ++i)
      sum += va_arg(list, double);
    va_end(list);
    return sum / n;
  }
};
struct Doubled : Counter {
  __host__ __device__ double mean(int n, ...) const override {
    va_list list;
    va_start(list, n);
    double first = va_arg(list, double);
    va_end(list);
    return first * 2;
  }
};
__host__ __device__ unsigned pointers(unsigned a, unsigned b) {
  unsigned (*table[2])(unsigned, ...) = {add, multiply};
  unsigned (Counter::*member)(unsigned, ...) const = &Counter::count;
  Counter counter;
  counter.start = a % 100;
  Doubled doubled;
  doubled.start = 1;
  const Counter *counters[2] = {&counter, &doubled};
  return table[a & 1](3, a, b, 5u) + table[b & 1](1, a) + (counter.*member)(2, a, b) +
         static_cast<unsigned>(counters[(a >> 1) & 1]->mean(2, b % 50 * 1.0, 4.0));
}

__host__ __device__ unsigned kind(...) { return 1; }
template <class T> __host__ __device__ unsigned kind(T *) { return 2; }
template <class F> __host__ __device__ auto hasSize(F f, int) -> decltype(f.size(), 10u) { return 10; }
template <class F> __host__ __device__ unsigned hasSize(F, ...) { return 20; }
struct Sized {
  __host__ __device__ int size() const { return 1; }
};
__host__ __device__ unsigned overloads(unsigned a, unsigned b) {
  auto lambda = [a](int n, ...) {
    va_list list;
    va_start(list, n);
    unsigned x = va_arg(list, unsigned);
    va_end(list);
    return a ^ x;
  };
  return kind(a) * 1000 + kind(&a) * 100 + hasSize(a, 0) + hasSize(Sized(), 0) + lambda(1, b);
}

__global__ void print(int n) {
  printf("%d %.1f %s %lld %u\n", n, byFormat("id", n, 2.5), "text", 1ll << 40, add(3, 1u, 2u, 3u));
}

int main() {
  COMPARE(types);
  COMPARE(lists);
  COMPARE(pointers);
  COMPARE(overloads);
  print<<<1, 1>>>(6);
  CHECK(cudaDeviceSynchronize());
  return finish();
}
