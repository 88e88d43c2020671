// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS's QR factorisations, least squares and inverses of batches, against their definitions.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcublas
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t | FileCheck %s
// CHECK: PASS

#include "blas.h"

namespace device {
DEVICE_BLAS(geqrf, cublasSgeqrfBatched, cublasDgeqrfBatched, cublasCgeqrfBatched,
            cublasZgeqrfBatched)
DEVICE_BLAS(gels, cublasSgelsBatched, cublasDgelsBatched, cublasCgelsBatched, cublasZgelsBatched)
DEVICE_BLAS(matinv, cublasSmatinvBatched, cublasDmatinvBatched, cublasCmatinvBatched,
            cublasZmatinvBatched)
} // namespace device

typedef std::complex<double> Number;
static cublasHandle_t handle;

template <class T> void expectNear(Number got, Number want, const char *what, int index) {
  const double tolerance = sizeof(RealOf<T>) == 4 ? 2e-3 : 1e-10;
  expect(std::abs(got - want) <= tolerance * (1 + std::abs(want)), what, index);
}

/// A batch of matrices of SIZE elements each, on the device.
template <class T> struct Matrices {
  DeviceArray<T> elements;
  DeviceArray<T *> pointers;
  Matrices(const std::vector<T> &host, size_t size)
      : elements(host), pointers(addresses(elements, host.size() / size, size)) {}
  static std::vector<T *> addresses(T *first, size_t count, size_t size) {
    std::vector<T *> all;
    for (size_t i = 0; i < count; ++i)
      all.push_back(first + i * size);
    return all;
  }
};

/// Returns Q R, from R and Householder's vectors below it.
template <class T>
std::vector<Number> product(int m, int n, const T *factors, int lda, const T *taus) {
  std::vector<Number> a(m * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= std::min(j, m - 1); ++i)
      a[i + j * m] = number(factors[i + j * lda]);
  for (int k = std::min(m, n) - 1; k >= 0; --k)
    for (int j = 0; j < n; ++j) {
      auto v = [&](int i) { return i == k ? Number(1) : number(factors[i + k * lda]); };
      Number sum = 0;
      for (int i = k; i < m; ++i)
        sum += std::conj(v(i)) * a[i + j * m];
      for (int i = k; i < m; ++i)
        a[i + j * m] -= number(taus[k]) * v(i) * sum;
    }
  return a;
}

template <class T> void factorizes(int m, int n, int lda) {
  const int count = 3, taus = std::min(m, n);
  auto a = randoms<T>(count * lda * n, 11);
  for (int i = 1; i < m; ++i)
    a[i] = T{}; // of the first matrix, one column needs no reflection
  Matrices<T> da(a, lda * n), dt(std::vector<T>(count * taus), taus);
  int info = 7;
  device::geqrf<T>(handle, m, n, (T **)da.pointers, lda, (T **)dt.pointers, &info, count);
  expectEqual(info, 0, "info of geqrf");
  const std::vector<T> factors = da.elements.host(), scales = dt.elements.host();
  for (int k = 0; k < count; ++k) {
    auto got = product(m, n, &factors[k * lda * n], lda, &scales[k * taus]);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        expectNear<T>(got[i + j * m], number(a[k * lda * n + i + j * lda]), "geqrf", k);
    for (int i = 0; i < taus; ++i) // R's diagonal is real
      expectEqual(number(factors[k * lda * n + i * (lda + 1)]).imag(), 0.0, "diagonal of geqrf");
  }
}

template <class T> void leastSquares(int m, int n, int columns) {
  const int count = 2, lda = m + 1, ldc = m + 2;
  auto a = randoms<T>(count * lda * n, 5), c = randoms<T>(count * ldc * columns, 6);
  Matrices<T> da(a, lda * n), dc(c, ldc * columns);
  DeviceArray<int> zeros(count);
  int info = 7;
  device::gels<T>(handle, CUBLAS_OP_N, m, n, columns, (T **)da.pointers, lda, (T **)dc.pointers,
                  ldc, &info, (int *)zeros, count);
  expectEqual(info, 0, "info of gels");
  for (int zero : zeros.host())
    expectEqual(zero, 0, "zero of gels");
  const std::vector<T> x = dc.elements.host();
  for (int k = 0; k < count; ++k)
    for (int r = 0; r < columns; ++r) {
      const T *solution = &x[(k * columns + r) * ldc], *side = &c[(k * columns + r) * ldc];
      std::vector<Number> rest(m);
      for (int i = 0; i < m; ++i) {
        rest[i] = -number(side[i]);
        for (int j = 0; j < n; ++j)
          rest[i] += number(a[k * lda * n + i + j * lda]) * number(solution[j]);
      }
      for (int j = 0; j < n; ++j) { // what is left is orthogonal to all columns
        Number sum = 0;
        for (int i = 0; i < m; ++i)
          sum += std::conj(number(a[k * lda * n + i + j * lda])) * rest[i];
        expectNear<T>(sum, 0, "gels", j);
      }
    }
  // A column of zeros: its place is told, with and without an array for it.
  for (int i = 0; i < lda; ++i)
    a[(n - 1) * lda + i] = T{};
  Matrices<T> singular(a, lda * n);
  device::gels<T>(handle, CUBLAS_OP_N, m, n, columns, (T **)singular.pointers, lda,
                  (T **)dc.pointers, ldc, &info, (int *)zeros, count);
  expectEqual(zeros.host()[0], n, "zero of a singular gels");
  expectEqual(zeros.host()[1], 0, "zero of the one next to it");
  device::gels<T>(handle, CUBLAS_OP_N, m, n, columns, (T **)da.pointers, lda, (T **)dc.pointers,
                  ldc, &info, (int *)nullptr, count);
}

template <class T> void inverts(int n, int lda) {
  const int count = 2, ldInverse = n + 1;
  auto a = randoms<T>(count * lda * n, 9);
  for (int i = 0; i < n; ++i) // not near a singular one
    a[i * (lda + 1)] = a[lda * n + i * (lda + 1)] = a[0] = []() {
      if constexpr (isComplex<T>)
        return T{RealOf<T>(8), RealOf<T>(1)};
      else
        return T(8);
    }();
  Matrices<T> da(a, lda * n), inverse(std::vector<T>(count * ldInverse * n), ldInverse * n);
  DeviceArray<int> info(count);
  device::matinv<T>(handle, n, (T **)da.pointers, lda, (T **)inverse.pointers, ldInverse,
                    (int *)info, count);
  for (int zero : info.host())
    expectEqual(zero, 0, "info of matinv");
  compare(a, da.elements.host(), "matinv's argument", n);
  const std::vector<T> got = inverse.elements.host();
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        Number sum = 0;
        for (int l = 0; l < n; ++l)
          sum += number(a[k * lda * n + i + l * lda]) *
                 number(got[k * ldInverse * n + l + j * ldInverse]);
        expectNear<T>(sum, i == j, "matinv", n);
      }
}

template <class T> void all() {
  factorizes<T>(1, 1, 1);
  factorizes<T>(9, 5, 11);
  factorizes<T>(5, 9, 5);
  factorizes<T>(21, 20, 21);
  leastSquares<T>(7, 7, 3);
  leastSquares<T>(23, 6, 18);
  inverts<T>(1, 1);
  inverts<T>(20, 23);
}

int main() {
  CHECK_BLAS(cublasCreate(&handle));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  // What is too large stays exact: the norm of a column overflows if squares are added up.
  const std::vector<float> large{3e30f, 4e30f};
  Matrices<float> column(large, 2), tau(std::vector<float>(1), 1);
  int info = 7;
  CHECK_BLAS(cublasSgeqrfBatched(handle, 2, 1, column.pointers, 2, tau.pointers, &info, 1));
  expect(std::abs(column.elements.host()[0] + 5e30f) <= 1e25f, "large numbers", 0);
  // Arguments.
  EXPECT(cublasSgeqrfBatched(handle, -1, 1, nullptr, 1, nullptr, &info, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  expectEqual(info, -1, "info of a wrong m");
  EXPECT(cublasSgeqrfBatched(handle, 4, 1, nullptr, 3, nullptr, &info, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  expectEqual(info, -4, "info of a wrong lda");
  EXPECT(cublasSgelsBatched(handle, CUBLAS_OP_N, 1, 1, 1, nullptr, 1, nullptr, 0, &info, nullptr,
                            1) == CUBLAS_STATUS_INVALID_VALUE);
  expectEqual(info, -8, "info of a wrong ldc");
  EXPECT(cublasSgelsBatched(handle, CUBLAS_OP_T, 2, 1, 1, nullptr, 2, nullptr, 2, &info, nullptr,
                            1) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasSgelsBatched(handle, CUBLAS_OP_N, 1, 2, 1, nullptr, 2, nullptr, 2, &info, nullptr,
                            1) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasSmatinvBatched(handle, 33, nullptr, 33, nullptr, 33, &info, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  CHECK_BLAS(cublasSgeqrfBatched(handle, 0, 0, nullptr, 1, nullptr, &info, 3));
  CHECK_BLAS(cublasDestroy(handle));
  return finish();
}
