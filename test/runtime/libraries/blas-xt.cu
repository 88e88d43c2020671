// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLASXt, whose matrices are the host's, against cuBLAS, on one device and on three.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcublas
// RUN: %run %t | FileCheck %s
// RUN: env VX_DEVICES=3 %run %t | FileCheck %s
// CHECK: PASS

#include "blas.h"
#include <cublasXt.h>
#include <cstdlib>

#define BOTH(NAME, REAL, COMPLEX)                                                                  \
  namespace xt {                                                                                   \
  DEVICE_BLAS(NAME, cublasXtS##REAL, cublasXtD##REAL, cublasXtC##COMPLEX, cublasXtZ##COMPLEX)      \
  }                                                                                                \
  namespace plain {                                                                                \
  DEVICE_BLAS(NAME, cublasS##REAL, cublasD##REAL, cublasC##COMPLEX, cublasZ##COMPLEX)              \
  }
BOTH(gemm, gemm, gemm)
BOTH(symm, symm, symm)
BOTH(hemm, symm, hemm)
BOTH(syrk, syrk, syrk)
BOTH(herk, syrk, herk)
BOTH(syr2k, syr2k, syr2k)
BOTH(her2k, syr2k, her2k)
BOTH(syrkx, syrkx, syrkx)
BOTH(herkx, syrkx, herkx)
BOTH(trmm, trmm, trmm)
BOTH(trsm, trsm, trsm)
namespace xt {
DEVICE_BLAS(spmm, cublasXtSspmm, cublasXtDspmm, cublasXtCspmm, cublasXtZspmm)
}

static cublasHandle_t handle;
static cublasXtHandle_t xtHandle;
static const cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
static const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/// Matrices are parts of such of kStep x kRows elements.
constexpr int kRows = 17, kStep = 20, m = 13, n = 17, k = 11;
constexpr size_t xm = m, xn = n, xk = k, xStep = kStep;

template <class T> T real(double value) {
  if constexpr (isComplex<T>)
    return {RealOf<T>(value), 0};
  else
    return T(value);
}

/// XT(a, b, c) with matrices of the host, and PLAIN(a, b, c) of the device, leave the same in c, and in
/// what is around it.
template <class T, class Xt, class Plain>
void agree(const char *what, int where, Xt xt, Plain plain) {
  auto a = randoms<T>(kStep * kRows, 1), b = randoms<T>(kStep * kRows, 2),
       c = randoms<T>(kStep * kRows, 3);
  for (int i = 0; i < kRows; ++i)
    a[i + i * kStep] = real<T>(5); // triangular systems have solutions of the size of c
  DeviceArray<T> da(a), db(b), dc(c);
  plain(static_cast<T *>(da), static_cast<T *>(db), static_cast<T *>(dc));
  const std::vector<T> before = a;
  xt(a.data(), b.data(), c.data());
  compare(dc.host(), c, what, where);
  compare(before, a, "a", where);
}

/// One triangle of the first SIZE columns of A, without gaps.
template <class T> std::vector<T> packed(const T *a, int size, cublasFillMode_t uplo) {
  std::vector<T> result;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i)
      if (uplo == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j)
        result.push_back(a[i + j * kStep]);
  return result;
}

template <class T> void products(T alpha, T beta) {
  for (cublasOperation_t p : operations)
    for (cublasOperation_t q : operations)
      agree<T>("gemm", p * 3 + q,
               [=](T *a, T *b, T *c) {
                 xt::gemm<T>(xtHandle, p, q, xm, xn, xk, &alpha, a, xStep, b, xStep, &beta, c, xStep);
               },
               [=](T *a, T *b, T *c) {
                 plain::gemm<T>(handle, p, q, m, n, k, &alpha, a, kStep, b, kStep, &beta, c, kStep);
               });
  for (cublasSideMode_t side : sides)
    for (cublasFillMode_t uplo : triangles) {
      const int where = side * 2 + uplo;
      auto symmetric = [=](T *a, T *b, T *c) {
        plain::symm<T>(handle, side, uplo, m, n, &alpha, a, kStep, b, kStep, &beta, c, kStep);
      };
      agree<T>("symm", where,
               [=](T *a, T *b, T *c) {
                 xt::symm<T>(xtHandle, side, uplo, xm, xn, &alpha, a, xStep, b, xStep, &beta, c, xStep);
               },
               symmetric);
      agree<T>("spmm", where,
               [=](T *a, T *b, T *c) {
                 auto ap = packed(a, side == CUBLAS_SIDE_LEFT ? m : n, uplo);
                 xt::spmm<T>(xtHandle, side, uplo, xm, xn, &alpha, ap.data(), b, xStep, &beta, c,
                             xStep);
               },
               symmetric);
      agree<T>("hemm", where,
               [=](T *a, T *b, T *c) {
                 xt::hemm<T>(xtHandle, side, uplo, xm, xn, &alpha, a, xStep, b, xStep, &beta, c, xStep);
               },
               [=](T *a, T *b, T *c) {
                 plain::hemm<T>(handle, side, uplo, m, n, &alpha, a, kStep, b, kStep, &beta, c, kStep);
               });
    }
}

template <class T> void triangular(T alpha) {
  for (cublasSideMode_t side : sides)
    for (cublasFillMode_t uplo : triangles)
      for (cublasOperation_t trans : operations) {
        const cublasDiagType_t diag = trans == CUBLAS_OP_T ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        const int where = (side * 2 + uplo) * 3 + trans;
        agree<T>("trmm", where,
                 [=](T *a, T *b, T *c) {
                   xt::trmm<T>(xtHandle, side, uplo, trans, diag, xm, xn, &alpha, a, xStep, b, xStep,
                               c, xStep);
                 },
                 [=](T *a, T *b, T *c) {
                   plain::trmm<T>(handle, side, uplo, trans, diag, m, n, &alpha, a, kStep, b, kStep,
                                  c, kStep);
                 });
        agree<T>("trsm", where,
                 [=](T *a, T *, T *c) {
                   xt::trsm<T>(xtHandle, side, uplo, trans, CUBLAS_DIAG_NON_UNIT, xm, xn, &alpha, a,
                               xStep, c, xStep);
                 },
                 [=](T *a, T *, T *c) {
                   plain::trsm<T>(handle, side, uplo, trans, CUBLAS_DIAG_NON_UNIT, m, n, &alpha, a,
                                  kStep, c, kStep);
                 });
      }
}

template <class T> void updates(T alpha, T beta) {
  const RealOf<T> realAlpha = 0.75, realBeta = -0.5;
  for (cublasFillMode_t uplo : triangles)
    for (cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      const int where = uplo * 3 + trans;
      if (trans != CUBLAS_OP_C) {
#define UPDATE(NAME, ALPHA, BETA)                                                                  \
  agree<T>(#NAME, where,                                                                           \
           [=](T *a, T *b, T *c) {                                                                 \
             xt::NAME<T>(xtHandle, uplo, trans, xn, xk, ALPHA, a, xStep, b, xStep, BETA, c, xStep); \
           },                                                                                      \
           [=](T *a, T *b, T *c) {                                                                 \
             plain::NAME<T>(handle, uplo, trans, n, k, ALPHA, a, kStep, b, kStep, BETA, c, kStep); \
           });
#define UPDATE_BY_ONE(NAME, ALPHA, BETA)                                                           \
  agree<T>(#NAME, where,                                                                           \
           [=](T *a, T *, T *c) {                                                                  \
             xt::NAME<T>(xtHandle, uplo, trans, xn, xk, ALPHA, a, xStep, BETA, c, xStep);          \
           },                                                                                      \
           [=](T *a, T *, T *c) {                                                                  \
             plain::NAME<T>(handle, uplo, trans, n, k, ALPHA, a, kStep, BETA, c, kStep);           \
           });
        UPDATE_BY_ONE(syrk, &alpha, &beta)
        UPDATE(syr2k, &alpha, &beta)
        UPDATE(syrkx, &alpha, &beta)
      }
      if (trans != CUBLAS_OP_T) {
        UPDATE_BY_ONE(herk, &realAlpha, &realBeta)
        UPDATE(her2k, &alpha, &realBeta)
        UPDATE(herkx, &alpha, &realBeta)
      }
    }
}

template <class T> void all() {
  const T alpha = [] {
    unsigned seed = 5;
    return random<T>(seed);
  }();
  const T beta = real<T>(0.5);
  products(alpha, beta);
  triangular(alpha);
  updates(alpha, beta);
}

/// Matrices may be a device's, too.
static void onDevice() {
  auto a = randoms<float>(kStep * kRows, 1), c = randoms<float>(kStep * kRows, 3);
  DeviceArray<float> da(a), dc(c), got(c);
  const float alpha = 2, beta = 1;
  float *pa = da, *pc = dc, *pgot = got;
  plain::gemm<float>(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, k, &alpha, pa, kStep, pa, kStep, &beta, pc,
                     kStep);
  xt::gemm<float>(xtHandle, CUBLAS_OP_N, CUBLAS_OP_T, xn, xn, xk, &alpha, pa, xStep, a.data(), xStep,
                  &beta, pgot, xStep);
  compare(dc.host(), got.host(), "on the device", 0);
}

static void errors() {
  cublasXtHandle_t fresh;
  CHECK_BLAS(cublasXtCreate(&fresh));
  float x[4] = {1, 2, 3, 4}, one = 1;
  auto multiply = [&](cublasXtHandle_t with, size_t size, size_t step) {
    return cublasXtSgemm(with, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, x, step, x, step, &one,
                         x, step);
  };
  expectEqual(multiply(fresh, 1, 1), CUBLAS_STATUS_NOT_INITIALIZED, "no devices", 0);
  expectEqual(multiply(nullptr, 1, 1), CUBLAS_STATUS_NOT_INITIALIZED, "no handle", 0);
  int missing = 99, first = 0, value = 0;
  expectEqual(cublasXtDeviceSelect(fresh, 1, &missing), CUBLAS_STATUS_INVALID_VALUE, "no device", 0);
  CHECK_BLAS(cublasXtGetBlockDim(fresh, &value));
  expectEqual(value, 2048, "block dimension", 0);
  expectEqual(cublasXtSetBlockDim(fresh, 0), CUBLAS_STATUS_INVALID_VALUE, "empty blocks", 0);
  CHECK_BLAS(cublasXtDeviceSelect(fresh, 1, &first));
  expectEqual(multiply(fresh, 2, 1), CUBLAS_STATUS_INVALID_VALUE, "leading dimension", 0);
  expectEqual(multiply(fresh, size_t(1) << 40, size_t(1) << 40), CUBLAS_STATUS_INVALID_VALUE, "size", 0);
  expectEqual(multiply(fresh, 0, 1), CUBLAS_STATUS_SUCCESS, "empty matrices", 0);
  expectEqual(cublasXtSgemm(fresh, cublasOperation_t(9), CUBLAS_OP_N, 1, 1, 1, &one, x, 1, x, 1, &one, x,
                            1),
              CUBLAS_STATUS_INVALID_VALUE, "operation", 0);
  CHECK_BLAS(cublasXtDestroy(fresh));
}

int main() {
  int devices[8], count = 0, current = -1, boards = 0;
  CHECK(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; ++i)
    devices[i] = i;
  CHECK_BLAS(cublasCreate(&handle));
  CHECK_BLAS(cublasXtCreate(&xtHandle));
  CHECK_BLAS(cublasXtGetNumBoards(count, devices, &boards));
  expectEqual(boards, count, "boards", 0);
  CHECK_BLAS(cublasXtDeviceSelect(xtHandle, count, devices));
  CHECK_BLAS(cublasXtSetBlockDim(xtHandle, 5));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  onDevice();
  errors();
  CHECK(cudaGetDevice(&current));
  expectEqual(current, 0, "current device", 0);
  CHECK_BLAS(cublasXtDestroy(xtHandle));
  CHECK_BLAS(cublasDestroy(handle));
  return finish();
}
