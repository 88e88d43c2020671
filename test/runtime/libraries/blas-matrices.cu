// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS's levels 2 and 3 against Debian's BLAS: every function in all its types, triangles,
// operations and sides, with scalars on the host and on the device.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcublas -lblas
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t | FileCheck %s
// CHECK: PASS

#include "blas.h"

BLAS(gemv)
BLAS(gbmv)
BLAS(trmv)
BLAS(tbmv)
BLAS(tpmv)
BLAS(trsv)
BLAS(tbsv)
BLAS(tpsv)
BLAS_PAIR(symv, hemv)
BLAS_PAIR(sbmv, hbmv)
BLAS_PAIR(spmv, hpmv)
BLAS_PAIR(ger, gerc)
BLAS_PAIR(syr, her)
BLAS_PAIR(spr, hpr)
BLAS_PAIR(syr2, her2)
BLAS_PAIR(spr2, hpr2)
BLAS(gemm)
BLAS(symm)
BLAS(syrk)
BLAS(syr2k)
BLAS(trmm)
BLAS(trsm)
namespace complex {
BLAS_PAIR(ger, geru)
BLAS_PAIR(symm, hemm)
BLAS_PAIR(syrk, herk)
BLAS_PAIR(syr2k, her2k)
} // namespace complex

static cublasHandle_t handle;
static int cases;

const cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const cublasFillMode_t kTriangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasDiagType_t kDiagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
const cublasSideMode_t kSides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
const char *letter(cublasOperation_t trans) {
  return &"N\0T\0C"[2 * trans];
}
const char *letter(cublasFillMode_t uplo) {
  return &"L\0U"[2 * uplo];
}
const char *letter(cublasDiagType_t diag) {
  return &"N\0U"[2 * diag];
}
const char *letter(cublasSideMode_t side) {
  return &"L\0R"[2 * side];
}

/// Runs a case: ON_HOST and ON_DEVICE change the vector of elements that starts as RESULT.
template <class T, class OnHost, class OnDevice>
void runCase(const char *name, std::vector<T> result, OnHost onHost, OnDevice onDevice) {
  CHECK_BLAS(cublasSetPointerMode(handle, cublasPointerMode_t(++cases % 2)));
  DeviceArray<T> device(result);
  onDevice(static_cast<T *>(device));
  onHost(result.data());
  compare(result, device.host(), name, cases);
}

template <class T> T scalar(double re, double im) {
  if constexpr (isComplex<T>)
    return {RealOf<T>(re), RealOf<T>(im)};
  else
    return re;
}

template <class T> void level2() {
  const int m = 11, n = 7, lda = 13, k = 2, kl = 3, ku = 1, incx = 2, incy = -3;
  auto a = randoms<T>(lda * lda, 1), x = randoms<T>(64, 2), y = randoms<T>(64, 3);
  // Triangular systems stay tame if their diagonals are large, in each way of storage.
  auto tame = a;
  for (T &element : tame)
    if constexpr (isComplex<T>)
      element.x *= RealOf<T>(0.2), element.y *= RealOf<T>(0.2);
    else
      element *= T(0.2);
  DeviceArray<T> da(a), dx(x), dy(y);
  const T alpha = scalar<T>(0.7, -0.3), beta = scalar<T>(-0.4, 0.2);
  const RealOf<T> real = 0.6;
  for (auto trans : kOperations) {
    runCase<T>(
        "gemv", y,
        [&](T *r) {
          host::gemv<T>(letter(trans), &m, &n, &alpha, a.data(), &lda, x.data(), &incx, &beta, r,
                        &incy);
        },
        [&](T *r) {
          ScalarArgument<T> p(handle, alpha), q(handle, beta);
          device::gemv<T>(handle, trans, m, n, (const T *)p, (T *)da, lda, (T *)dx, incx,
                          (const T *)q, r, incy);
        });
    runCase<T>(
        "gbmv", y,
        [&](T *r) {
          host::gbmv<T>(letter(trans), &m, &n, &kl, &ku, &alpha, a.data(), &lda, x.data(), &incx,
                        &beta, r, &incy);
        },
        [&](T *r) {
          ScalarArgument<T> p(handle, alpha), q(handle, beta);
          device::gbmv<T>(handle, trans, m, n, kl, ku, (const T *)p, (T *)da, lda, (T *)dx, incx,
                          (const T *)q, r, incy);
        });
  }
  for (auto uplo : kTriangles)
    for (auto trans : kOperations)
      for (auto diag : kDiagonals) {
        const char *u = letter(uplo), *t = letter(trans), *d = letter(diag);
        for (bool solve : {false, true}) {
          auto full = tame, band = tame, packed = tame;
          const T one = scalar<T>(1.5, 0.5);
          for (int i = 0; i < n; ++i) {
            full[i + i * lda] = one;
            band[(uplo == CUBLAS_FILL_MODE_LOWER ? 0 : k) + i * lda] = one;
            packed[uplo == CUBLAS_FILL_MODE_LOWER ? i + i * (2 * n - i - 1) / 2
                                                  : i + i * (i + 1) / 2] = one;
          }
          DeviceArray<T> df(full), db(band), dp(packed);
          T *const f = df, *const b = db, *const p = dp;
          runCase<T>(
              solve ? "trsv" : "trmv", x,
              [&](T *r) {
                solve ? host::trsv<T>(u, t, d, &n, full.data(), &lda, r, &incy)
                      : host::trmv<T>(u, t, d, &n, full.data(), &lda, r, &incy);
              },
              [&](T *r) {
                solve ? device::trsv<T>(handle, uplo, trans, diag, n, f, lda, r, incy)
                      : device::trmv<T>(handle, uplo, trans, diag, n, f, lda, r, incy);
              });
          runCase<T>(
              solve ? "tbsv" : "tbmv", x,
              [&](T *r) {
                solve ? host::tbsv<T>(u, t, d, &n, &k, band.data(), &lda, r, &incx)
                      : host::tbmv<T>(u, t, d, &n, &k, band.data(), &lda, r, &incx);
              },
              [&](T *r) {
                solve ? device::tbsv<T>(handle, uplo, trans, diag, n, k, b, lda, r, incx)
                      : device::tbmv<T>(handle, uplo, trans, diag, n, k, b, lda, r, incx);
              });
          runCase<T>(
              solve ? "tpsv" : "tpmv", x,
              [&](T *r) {
                solve ? host::tpsv<T>(u, t, d, &n, packed.data(), r, &incx)
                      : host::tpmv<T>(u, t, d, &n, packed.data(), r, &incx);
              },
              [&](T *r) {
                solve ? device::tpsv<T>(handle, uplo, trans, diag, n, p, r, incx)
                      : device::tpmv<T>(handle, uplo, trans, diag, n, p, r, incx);
              });
        }
      }
  for (auto uplo : kTriangles) {
    const char *u = letter(uplo);
    T *const d = da, *const vx = dx, *const vy = dy;
    typedef ScalarArgument<T> Argument;
    runCase<T>(
        "symv, hemv", y,
        [&](T *r) {
          host::symv<T>(u, &n, &alpha, a.data(), &lda, x.data(), &incx, &beta, r, &incy);
        },
        [&](T *r) {
          Argument p(handle, alpha), q(handle, beta);
          device::symv<T>(handle, uplo, n, (const T *)p, d, lda, vx, incx, (const T *)q, r, incy);
        });
    runCase<T>(
        "sbmv, hbmv", y,
        [&](T *r) {
          host::sbmv<T>(u, &n, &k, &alpha, a.data(), &lda, x.data(), &incx, &beta, r, &incy);
        },
        [&](T *r) {
          Argument p(handle, alpha), q(handle, beta);
          device::sbmv<T>(handle, uplo, n, k, (const T *)p, d, lda, vx, incx, (const T *)q, r,
                          incy);
        });
    runCase<T>(
        "spmv, hpmv", y,
        [&](T *r) { host::spmv<T>(u, &n, &alpha, a.data(), x.data(), &incx, &beta, r, &incy); },
        [&](T *r) {
          Argument p(handle, alpha), q(handle, beta);
          device::spmv<T>(handle, uplo, n, (const T *)p, d, vx, incx, (const T *)q, r, incy);
        });
    runCase<T>(
        "syr, her", a, [&](T *r) { host::syr<T>(u, &n, &real, x.data(), &incx, r, &lda); },
        [&](T *r) {
          ScalarArgument<RealOf<T>> p(handle, real);
          device::syr<T>(handle, uplo, n, (const RealOf<T> *)p, vx, incx, r, lda);
        });
    runCase<T>(
        "spr, hpr", a, [&](T *r) { host::spr<T>(u, &n, &real, x.data(), &incx, r); },
        [&](T *r) {
          ScalarArgument<RealOf<T>> p(handle, real);
          device::spr<T>(handle, uplo, n, (const RealOf<T> *)p, vx, incx, r);
        });
    runCase<T>(
        "syr2, her2", a,
        [&](T *r) { host::syr2<T>(u, &n, &alpha, x.data(), &incx, y.data(), &incy, r, &lda); },
        [&](T *r) {
          Argument p(handle, alpha);
          device::syr2<T>(handle, uplo, n, (const T *)p, vx, incx, vy, incy, r, lda);
        });
    runCase<T>(
        "spr2, hpr2", a,
        [&](T *r) { host::spr2<T>(u, &n, &alpha, x.data(), &incx, y.data(), &incy, r); },
        [&](T *r) {
          Argument p(handle, alpha);
          device::spr2<T>(handle, uplo, n, (const T *)p, vx, incx, vy, incy, r);
        });
  }
  runCase<T>(
      "ger, gerc", a,
      [&](T *r) { host::ger<T>(&m, &n, &alpha, x.data(), &incx, y.data(), &incy, r, &lda); },
      [&](T *r) {
        ScalarArgument<T> p(handle, alpha);
        device::ger<T>(handle, m, n, (const T *)p, (T *)dx, incx, (T *)dy, incy, r, lda);
      });
  runCase<T>(
      "geru", a,
      [&](T *r) {
        complex::host::ger<T>(&m, &n, &alpha, x.data(), &incx, y.data(), &incy, r, &lda);
      },
      [&](T *r) {
        ScalarArgument<T> p(handle, alpha);
        complex::device::ger<T>(handle, m, n, (const T *)p, (T *)dx, incx, (T *)dy, incy, r, lda);
      });
}

template <class T> void level3() {
  const int m = 19, n = 10, k = 21, ld = 23;
  auto a = randoms<T>(ld * ld, 4), b = randoms<T>(ld * ld, 5), c = randoms<T>(ld * ld, 6);
  for (int i = 0; i < ld; ++i)
    a[i + i * ld] = scalar<T>(4, 0.5);
  DeviceArray<T> da(a), db(b);
  T *const va = da, *const vb = db;
  const T alpha = scalar<T>(0.7, -0.3), beta = scalar<T>(-0.4, 0.2);
  const RealOf<T> realAlpha = 0.6, realBeta = -0.5;
  typedef ScalarArgument<T> Argument;
  typedef ScalarArgument<RealOf<T>> RealArgument;
  for (auto ta : kOperations)
    for (auto tb : kOperations)
      runCase<T>(
          "gemm", c,
          [&](T *r) {
            host::gemm<T>(letter(ta), letter(tb), &m, &n, &k, &alpha, a.data(), &ld, b.data(), &ld,
                          &beta, r, &ld);
          },
          [&](T *r) {
            Argument p(handle, alpha), q(handle, beta);
            device::gemm<T>(handle, ta, tb, m, n, k, (const T *)p, va, ld, vb, ld, (const T *)q, r,
                            ld);
          });
  for (auto uplo : kTriangles) {
    const char *u = letter(uplo);
    for (auto side : kSides)
      for (bool hermitian : {false, true})
        runCase<T>(
            hermitian ? "hemm" : "symm", c,
            [&](T *r) {
              if (hermitian)
                complex::host::symm<T>(letter(side), u, &m, &n, &alpha, a.data(), &ld, b.data(),
                                       &ld, &beta, r, &ld);
              else
                host::symm<T>(letter(side), u, &m, &n, &alpha, a.data(), &ld, b.data(), &ld, &beta,
                              r, &ld);
            },
            [&](T *r) {
              Argument p(handle, alpha), q(handle, beta);
              if (hermitian)
                complex::device::symm<T>(handle, side, uplo, m, n, (const T *)p, va, ld, vb, ld,
                                         (const T *)q, r, ld);
              else
                device::symm<T>(handle, side, uplo, m, n, (const T *)p, va, ld, vb, ld,
                                (const T *)q, r, ld);
            });
    for (auto trans : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const char *t = letter(trans);
      runCase<T>(
          "syrk", c,
          [&](T *r) { host::syrk<T>(u, t, &n, &k, &alpha, a.data(), &ld, &beta, r, &ld); },
          [&](T *r) {
            Argument p(handle, alpha), q(handle, beta);
            device::syrk<T>(handle, uplo, trans, n, k, (const T *)p, va, ld, (const T *)q, r, ld);
          });
      runCase<T>(
          "syr2k", c,
          [&](T *r) {
            host::syr2k<T>(u, t, &n, &k, &alpha, a.data(), &ld, b.data(), &ld, &beta, r, &ld);
          },
          [&](T *r) {
            Argument p(handle, alpha), q(handle, beta);
            device::syr2k<T>(handle, uplo, trans, n, k, (const T *)p, va, ld, vb, ld, (const T *)q,
                             r, ld);
          });
      const auto other = trans == CUBLAS_OP_N ? CUBLAS_OP_N : CUBLAS_OP_C;
      runCase<T>(
          "herk", c,
          [&](T *r) {
            complex::host::syrk<T>(u, letter(other), &n, &k, &realAlpha, a.data(), &ld, &realBeta,
                                   r, &ld);
          },
          [&](T *r) {
            RealArgument p(handle, realAlpha), q(handle, realBeta);
            complex::device::syrk<T>(handle, uplo, other, n, k, (const RealOf<T> *)p, va, ld,
                                     (const RealOf<T> *)q, r, ld);
          });
      runCase<T>(
          "her2k", c,
          [&](T *r) {
            complex::host::syr2k<T>(u, letter(other), &n, &k, &alpha, a.data(), &ld, b.data(), &ld,
                                    &realBeta, r, &ld);
          },
          [&](T *r) {
            Argument p(handle, alpha);
            RealArgument q(handle, realBeta);
            complex::device::syr2k<T>(handle, uplo, other, n, k, (const T *)p, va, ld, vb, ld,
                                      (const RealOf<T> *)q, r, ld);
          });
    }
    for (auto side : kSides)
      for (auto trans : kOperations)
        for (auto diag : kDiagonals) {
          const char *s = letter(side), *t = letter(trans), *d = letter(diag);
          runCase<T>(
              "trmm", c,
              [&](T *r) { host::trmm<T>(s, u, t, d, &m, &n, &alpha, a.data(), &ld, r, &ld); },
              [&](T *r) {
                Argument p(handle, alpha);
                device::trmm<T>(handle, side, uplo, trans, diag, m, n, (const T *)p, va, ld, r, ld,
                                r, ld);
              });
          // A unit diagonal does not tame what is next to it: fewer unknowns.
          const int rows = 6, columns = 5;
          runCase<T>(
              "trsm", c,
              [&](T *r) {
                host::trsm<T>(s, u, t, d, &rows, &columns, &alpha, a.data(), &ld, r, &ld);
              },
              [&](T *r) {
                Argument p(handle, alpha);
                device::trsm<T>(handle, side, uplo, trans, diag, rows, columns, (const T *)p, va,
                                ld, r, ld);
              });
        }
  }
}

/// Checks arguments that the interface does not have, and matrices that are read where written.
void refusals() {
  float one = 1, *m = nullptr;
  const auto bad = CUBLAS_STATUS_INVALID_VALUE;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const auto left = CUBLAS_SIDE_LEFT;
  const auto n = CUBLAS_OP_N, t = CUBLAS_OP_T;
  const auto unit = CUBLAS_DIAG_UNIT, none = cublasDiagType_t(7);
  EXPECT(cublasStrmv(handle, lower, n, none, 0, m, 1, m, 1) == bad);
  EXPECT(cublasStbsv(handle, lower, n, none, 0, 0, m, 1, m, 1) == bad);
  EXPECT(cublasStpsv(handle, lower, n, none, 0, m, m, 1) == bad);
  EXPECT(cublasStpsv(handle, lower, n, unit, 0, m, m, 0) == bad);
  EXPECT(cublasStrsv(handle, cublasFillMode_t(5), n, unit, 0, m, 1, m, 1) == bad);
  EXPECT(cublasStrmm(handle, left, lower, n, none, 0, 0, &one, m, 1, m, 1, m, 1) == bad);
  EXPECT(cublasStrsm(handle, left, lower, n, none, 0, 0, &one, m, 1, m, 1) == bad);
  CHECK_BLAS(cublasStrsm(handle, left, lower, n, unit, 0, 0, &one, m, 1, m, 1));
  DeviceArray<float> a(64), b(64);
  float *pa = a, *pb = b;
  EXPECT(cublasSgeam(handle, t, n, 4, 4, &one, pa, 4, &one, pb, 4, pa, 4) == bad);
  EXPECT(cublasSgeam(handle, n, t, 4, 4, &one, pa, 4, &one, pb, 4, pb, 4) == bad);
  EXPECT(cublasSgeam(handle, n, n, 4, 4, &one, pa, 8, &one, pb, 4, pa, 4) == bad);
  CHECK_BLAS(cublasSgeam(handle, n, t, 4, 4, &one, pa, 4, &one, pb, 4, pa, 4));
  EXPECT(cublasSetWorkspace(handle, reinterpret_cast<char *>(pa) + 8, 8) == bad);
  CHECK_BLAS(cublasSetWorkspace(handle, pa, 64));
  EXPECT(cublasSetPointerMode(handle, cublasPointerMode_t(2)) == bad);
  EXPECT(cublasSetAtomicsMode(handle, cublasAtomicsMode_t(-1)) == bad);
  EXPECT(cublasSetMathMode(handle, cublasMath_t(4)) == bad);
  CHECK_BLAS(cublasSetMathMode(
      handle, cublasMath_t(CUBLAS_TF32_TENSOR_OP_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)));
  CHECK_BLAS(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
}

int main() {
  CHECK_BLAS(cublasCreate(&handle));
  refusals();
  level2<float>();
  level2<double>();
  level2<cuComplex>();
  level2<cuDoubleComplex>();
  level3<float>();
  level3<double>();
  level3<cuComplex>();
  level3<cuDoubleComplex>();
  CHECK_BLAS(cublasDestroy(handle));
  std::printf("%d cases\n", cases);
  return finish();
}
