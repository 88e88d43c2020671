// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of CLBlast, a BLAS library in OpenCL that Debian has: each result against the host's.
//
//   blas [NAME...]

#include "harness.h"
#include <algorithm>
#include <clblast.h>
#include <cmath>

using namespace clblast;

static Harness *h;

/// Numbers between -1 and 1, always the same.
template <class T> static std::vector<T> numbers(size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T &value : values) {
    seed = seed * 1664525 + 1013904223;
    value = T(int(seed >> 8) % 2000 - 1000) / T(1000);
  }
  return values;
}

template <class T>
static void compare(const char *name, const std::vector<T> &got, const std::vector<T> &wanted) {
  double bound = sizeof(T) == 8 ? 1e-12 : 1e-4;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!(std::fabs(double(got[i]) - double(wanted[i])) <= bound)) {
      std::printf("%s: element %zu is %g, not %g\n", name, i, double(got[i]), double(wanted[i]));
      std::exit(1);
    }
  std::printf("%s: %zu elements\n", name, wanted.size());
}

#define BLAS(CALL) OK(int(CALL))

template <class T> static void axpy(const char *name, size_t n) {
  auto x = numbers<T>(n, 1), y = numbers<T>(n, 2), wanted = y;
  cl_mem dx = h->buffer(x), dy = h->buffer(y);
  BLAS(Axpy<T>(n, T(1.5), dx, 0, 1, dy, 0, 1, &h->queue));
  for (size_t i = 0; i < n; ++i)
    wanted[i] += T(1.5) * x[i];
  compare(name, h->read<T>(dy, n), wanted);
}

template <class T> static void dot(const char *name, size_t n) {
  auto x = numbers<T>(n, 3), y = numbers<T>(n, 4);
  cl_mem dx = h->buffer(x), dy = h->buffer(y), result = h->buffer(std::vector<T>(1));
  BLAS(Dot<T>(n, result, 0, dx, 0, 1, dy, 0, 1, &h->queue));
  T sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += x[i] * y[i];
  compare(name, h->read<T>(result, 1), {sum});
}

template <class T> static void gemv(const char *name, size_t m, size_t n) {
  auto a = numbers<T>(m * n, 5), x = numbers<T>(n, 6), y = numbers<T>(m, 7), wanted = y;
  cl_mem da = h->buffer(a), dx = h->buffer(x), dy = h->buffer(y);
  BLAS(Gemv<T>(Layout::kRowMajor, Transpose::kNo, m, n, T(0.5), da, 0, n, dx, 0, 1, T(2), dy, 0, 1,
               &h->queue));
  for (size_t i = 0; i < m; ++i) {
    T sum = 0;
    for (size_t j = 0; j < n; ++j)
      sum += a[i * n + j] * x[j];
    wanted[i] = T(0.5) * sum + T(2) * y[i];
  }
  compare(name, h->read<T>(dy, m), wanted);
}

template <class T> static void gemm(const char *name, size_t m, size_t n, size_t k) {
  auto a = numbers<T>(m * k, 8), b = numbers<T>(k * n, 9), c = numbers<T>(m * n, 10), wanted = c;
  cl_mem da = h->buffer(a), db = h->buffer(b), dc = h->buffer(c);
  BLAS(Gemm<T>(Layout::kRowMajor, Transpose::kNo, Transpose::kNo, m, n, k, T(2), da, 0, k, db, 0, n,
               T(0.5), dc, 0, n, &h->queue));
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      T sum = 0;
      for (size_t l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      wanted[i * n + j] = T(2) * sum + T(0.5) * c[i * n + j];
    }
  compare(name, h->read<T>(dc, m * n), wanted);
}

int main(int argc, char **argv) {
  Harness harness(0);
  h = &harness;
  // All of them, or those that are named.
  auto wanted = [&](const char *name) {
    return argc == 1 || std::find(argv + 1, argv + argc, std::string(name)) != argv + argc;
  };
#define TRY(KIND, TYPE, NAME, ...)                                                                 \
  if (wanted(NAME))                                                                                \
  KIND<TYPE>(NAME, __VA_ARGS__)
  TRY(axpy, float, "saxpy", 1000);
  TRY(axpy, double, "daxpy", 512);
  TRY(dot, float, "sdot", 1000);
  TRY(dot, double, "ddot", 300);
  TRY(gemv, float, "sgemv", 50, 70);
  TRY(gemv, double, "dgemv", 20, 30);
  TRY(gemm, float, "sgemm", 37, 29, 41);
  TRY(gemm, double, "dgemm", 16, 16, 16);
  ClearCache();
}
