// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points of the functions of one type, each of which calls a template; and cuBLAS's functions
// by the type of elements.

#ifndef VX_RUNTIME_LIBRARIES_SOLVER_ENTRY_H
#define VX_RUNTIME_LIBRARIES_SOLVER_ENTRY_H

#include "Handle.h"

namespace vx::blas {
inline Complex<float> *const *E(cuComplex **p) {
  return reinterpret_cast<Complex<float> *const *>(p);
}
inline Complex<double> *const *E(cuDoubleComplex **p) {
  return reinterpret_cast<Complex<double> *const *>(p);
}
} // namespace vx::blas

namespace vx::solver {

template <class T> struct ElementOf {
  typedef T type;
};
template <> struct ElementOf<cuComplex> {
  typedef Complex<float> type;
};
template <> struct ElementOf<cuDoubleComplex> {
  typedef Complex<double> type;
};

// The pointer mode of the library's cuBLAS is that of the host.
#define VX_SOLVER_BLAS(T, NATIVE, LETTER, RANKK, SCALAR)                                           \
  inline cusolverStatus_t gemm(cusolverDnHandle_t handle, cublasOperation_t opA,                   \
                               cublasOperation_t opB, int m, int n, int k, T alpha, const T *a,    \
                               int lda, const T *b, int ldb, T beta, T *c, int ldc) {              \
    return statusOf(cublas##LETTER##gemm(                                                          \
        handle->blas, opA, opB, m, n, k, reinterpret_cast<const NATIVE *>(&alpha),                 \
        reinterpret_cast<const NATIVE *>(a), lda, reinterpret_cast<const NATIVE *>(b), ldb,        \
        reinterpret_cast<const NATIVE *>(&beta), reinterpret_cast<NATIVE *>(c), ldc));             \
  }                                                                                                \
  inline cusolverStatus_t trsm(cusolverDnHandle_t handle, cublasSideMode_t side,                   \
                               cublasFillMode_t uplo, cublasOperation_t op,                        \
                               cublasDiagType_t diagonal, int m, int n, const T *a, int lda, T *b, \
                               int ldb) {                                                          \
    const T one(1);                                                                                \
    return statusOf(cublas##LETTER##trsm(                                                          \
        handle->blas, side, uplo, op, diagonal, m, n, reinterpret_cast<const NATIVE *>(&one),      \
        reinterpret_cast<const NATIVE *>(a), lda, reinterpret_cast<NATIVE *>(b), ldb));            \
  }                                                                                                \
  /* C -= op(A) op(A)^H in a triangle. */                                                          \
  inline cusolverStatus_t subtractSquare(cusolverDnHandle_t handle, cublasFillMode_t uplo,         \
                                         cublasOperation_t op, int n, int k, const T *a, int lda,  \
                                         T *c, int ldc) {                                          \
    const SCALAR minus = -1, one = 1;                                                              \
    return statusOf(cublas##LETTER##RANKK(handle->blas, uplo, op, n, k, &minus,                    \
                                          reinterpret_cast<const NATIVE *>(a), lda, &one,          \
                                          reinterpret_cast<NATIVE *>(c), ldc));                    \
  }
VX_SOLVER_BLAS(float, float, S, syrk, float)
VX_SOLVER_BLAS(double, double, D, syrk, double)
VX_SOLVER_BLAS(Complex<float>, cuComplex, C, herk, float)
VX_SOLVER_BLAS(Complex<double>, cuDoubleComplex, Z, herk, double)
#undef VX_SOLVER_BLAS

} // namespace vx::solver

#define VX_SOLVER_FUNCTION(NAME, TEMPLATE, PARAMETERS, ARGUMENTS)                                  \
  VX_SOLVER_ENTRY(VX_SOLVER_LETTER, NAME, TEMPLATE, PARAMETERS, ARGUMENTS)
#define VX_SOLVER_ENTRY(LETTER, NAME, TEMPLATE, PARAMETERS, ARGUMENTS)                             \
  VX_SOLVER_ENTRY_(LETTER, NAME, TEMPLATE, PARAMETERS, ARGUMENTS)
#define VX_SOLVER_ENTRY_(LETTER, NAME, TEMPLATE, PARAMETERS, ARGUMENTS)                            \
  extern "C" cusolverStatus_t cusolverDn##LETTER##NAME PARAMETERS {                                \
    using vx::blas::E;                                                                             \
    return vx::solver::TEMPLATE<vx::solver::ElementOf<VX_SOLVER_T>::type> ARGUMENTS;               \
  }

#endif // VX_RUNTIME_LIBRARIES_SOLVER_ENTRY_H
