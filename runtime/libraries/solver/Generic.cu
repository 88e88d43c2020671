// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSOLVER's dense functions whose types are arguments: each calls the function of its type. Sizes
// are below 2^31.

#include "../common/Launch.h"
#include "Handle.h"

using namespace vx::solver;

// Calls the function of TYPE; T and R are its elements, and their parts.
#define VX_SOLVER_CASE(TYPE, ELEMENT, PART, FUNCTION, ...)                                         \
  case TYPE: {                                                                                     \
    typedef ELEMENT T;                                                                             \
    [[maybe_unused]] typedef PART R;                                                               \
    return cusolverDn##FUNCTION(__VA_ARGS__);                                                      \
  }
#define VX_SOLVER_CALL(TYPE, REAL, COMPLEX, ...)                                                   \
  do {                                                                                             \
    switch (TYPE) {                                                                                \
      VX_SOLVER_CASE(CUDA_R_32F, float, float, S##REAL, __VA_ARGS__)                               \
      VX_SOLVER_CASE(CUDA_R_64F, double, double, D##REAL, __VA_ARGS__)                             \
      VX_SOLVER_CASE(CUDA_C_32F, cuComplex, float, C##COMPLEX, __VA_ARGS__)                        \
      VX_SOLVER_CASE(CUDA_C_64F, cuDoubleComplex, double, Z##COMPLEX, __VA_ARGS__)                 \
    default:                                                                                       \
      return CUSOLVER_STATUS_NOT_SUPPORTED;                                                        \
    }                                                                                              \
  } while (0)

namespace {

/// Returns true if all sizes are what the functions of one type have.
bool fit(std::initializer_list<int64_t> sizes) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [](int64_t size) { return size >= 0 && size <= INT32_MAX; });
}

cudaDataType partOf(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

/// Returns the sizes of work areas, or what is wrong with types.
cusolverStatus_t sizes(cusolverDnHandle_t handle, bool typesFit, size_t *deviceBytes,
                       size_t *hostBytes) {
  VX_SOLVER_CHECK(handle, deviceBytes && hostBytes);
  if (!typesFit)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  *deviceBytes = kWorkSize;
  *hostBytes = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t factorize(cusolverDnHandle_t handle, int m, int n, cudaDataType type, void *a,
                           int lda, int *pivots, int *info) {
  VX_SOLVER_CALL(type, getrf, getrf, handle, m, n, static_cast<T *>(a), lda, nullptr, pivots, info);
}
cusolverStatus_t solve(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                       cudaDataType type, const void *a, int lda, const int *pivots, void *b,
                       int ldb, int *info) {
  VX_SOLVER_CALL(type, getrs, getrs, handle, trans, n, nrhs, static_cast<const T *>(a), lda, pivots,
                 static_cast<T *>(b), ldb, info);
}

} // namespace

extern "C" {

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cublasFillMode_t, int64_t, cudaDataType typeA,
                                             const void *, int64_t, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes) {
  return sizes(handle, typeA == computeType, deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType typeA, void *a,
                                  int64_t lda, cudaDataType computeType, void *, size_t, void *,
                                  size_t, int *info) {
  VX_SOLVER_CHECK(handle, fit({n, lda}));
  if (typeA != computeType)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  VX_SOLVER_CALL(typeA, potrf, potrf, handle, uplo, int(n), static_cast<T *>(a), int(lda), nullptr,
                 0, info);
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  cudaDataType typeB, void *b, int64_t ldb, int *info) {
  VX_SOLVER_CHECK(handle, fit({n, nrhs, lda, ldb}));
  if (typeA != typeB)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  VX_SOLVER_CALL(typeA, potrs, potrs, handle, uplo, int(n), int(nrhs), static_cast<const T *>(a),
                 int(lda), static_cast<T *>(b), int(ldb), info);
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t,
                                             int64_t, cudaDataType typeA, const void *, int64_t,
                                             cudaDataType computeType, size_t *deviceBytes,
                                             size_t *hostBytes) {
  return sizes(handle, typeA == computeType, deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  int64_t *pivots, cudaDataType computeType, void *, size_t, void *,
                                  size_t, int *info) {
  VX_SOLVER_CHECK(handle, fit({m, n, lda}));
  if (typeA != computeType)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (!pivots)
    return factorize(handle, int(m), int(n), typeA, a, int(lda), nullptr, info);
  const int64_t count = std::min(m, n);
  vx::StreamMemory<int> memory(handle->stream, count);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  int *const narrow = memory;
  VX_SOLVER_TRY(factorize(handle, int(m), int(n), typeA, a, int(lda), narrow, info));
  return statusOf(
      vx::launch(handle->stream, count, [=] __device__(long long i) { pivots[i] = narrow[i]; }));
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType typeA, const void *a, int64_t lda,
                                  const int64_t *pivots, cudaDataType typeB, void *b, int64_t ldb,
                                  int *info) {
  VX_SOLVER_CHECK(handle, fit({n, nrhs, lda, ldb}));
  if (typeA != typeB)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  vx::StreamMemory<int> memory(handle->stream, n);
  if (!memory)
    return CUSOLVER_STATUS_ALLOC_FAILED;
  int *const narrow = memory;
  if (pivots)
    VX_SOLVER_TRY(statusOf(vx::launch(
        handle->stream, n, [=] __device__(long long i) { narrow[i] = int(pivots[i]); })));
  return solve(handle, trans, int(n), int(nrhs), typeA, a, int(lda), pivots ? narrow : nullptr, b,
               int(ldb), info);
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t,
                                             int64_t, cudaDataType typeA, const void *, int64_t,
                                             cudaDataType typeTau, const void *,
                                             cudaDataType computeType, size_t *deviceBytes,
                                             size_t *hostBytes) {
  return sizes(handle, typeA == computeType && typeA == typeTau, deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType typeA, void *a, int64_t lda,
                                  cudaDataType typeTau, void *tau, cudaDataType computeType, void *,
                                  size_t, void *, size_t, int *info) {
  VX_SOLVER_CHECK(handle, fit({m, n, lda}));
  if (typeA != computeType || typeA != typeTau)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  VX_SOLVER_CALL(typeA, geqrf, geqrf, handle, int(m), int(n), static_cast<T *>(a), int(lda),
                 static_cast<T *>(tau), nullptr, 0, info);
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cusolverEigMode_t, cublasFillMode_t, int64_t,
                                             cudaDataType typeA, const void *, int64_t,
                                             cudaDataType typeW, const void *,
                                             cudaDataType computeType, size_t *deviceBytes,
                                             size_t *hostBytes) {
  return sizes(handle, typeA == computeType && typeW == partOf(typeA), deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType typeA, void *a, int64_t lda, cudaDataType typeW,
                                  void *w, cudaDataType computeType, void *, size_t, void *, size_t,
                                  int *info) {
  VX_SOLVER_CHECK(handle, fit({n, lda}));
  if (typeA != computeType || typeW != partOf(typeA))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  VX_SOLVER_CALL(typeA, syevd, heevd, handle, jobz, uplo, int(n), static_cast<T *>(a), int(lda),
                 static_cast<R *>(w), nullptr, 0, info);
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             signed char, signed char, int64_t, int64_t,
                                             cudaDataType typeA, const void *, int64_t,
                                             cudaDataType typeS, const void *, cudaDataType typeU,
                                             const void *, int64_t, cudaDataType typeVt,
                                             const void *, int64_t, cudaDataType computeType,
                                             size_t *deviceBytes, size_t *hostBytes) {
  return sizes(handle,
               typeA == computeType && typeU == typeA && typeVt == typeA && typeS == partOf(typeA),
               deviceBytes, hostBytes);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType typeA,
                                  void *a, int64_t lda, cudaDataType typeS, void *s,
                                  cudaDataType typeU, void *u, int64_t ldu, cudaDataType typeVt,
                                  void *vt, int64_t ldvt, cudaDataType computeType, void *, size_t,
                                  void *, size_t, int *info) {
  VX_SOLVER_CHECK(handle, fit({m, n, lda, ldu, ldvt}));
  if (typeA != computeType || typeU != typeA || typeVt != typeA || typeS != partOf(typeA))
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  VX_SOLVER_CALL(typeA, gesvd, gesvd, handle, jobu, jobvt, int(m), int(n), static_cast<T *>(a),
                 int(lda), static_cast<R *>(s), static_cast<T *>(u), int(ldu), static_cast<T *>(vt),
                 int(ldvt), nullptr, 0, nullptr, info);
}

} // extern "C"
