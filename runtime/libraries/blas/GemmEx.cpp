// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products whose types are arguments (GemmTypes.def), and those of half precision.

#include "Gemm.h"
#include "Handle.h"
#include <algorithm>

namespace vx::blas {
namespace {

/// The arguments of all forms of cublasGemmEx.
struct AnyProduct {
  cublasOperation_t transA, transB;
  int m, n, k;
  const void *alpha, *beta;
  cudaDataType factorType, otherType, resultType;
  Batch<const void> a, b;
  Batch<void> c;
  int lda, ldb, ldc, batches;
  cublasComputeType_t compute;
};

/// The type that COMPUTE adds up in, for real and for complex factors.
enum class Sums { Half, Float, Double, Integer, None };
Sums sumsOf(cublasComputeType_t compute) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return Sums::Half;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    return Sums::Float;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return Sums::Double;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return Sums::Integer;
  }
  return Sums::None;
}
template <class In, class Acc> bool computes(Sums sums) {
  if constexpr (std::is_same_v<Acc, int>)
    return sums == Sums::Integer;
  else if constexpr (std::is_same_v<RealOf<Acc>, double>)
    return sums == Sums::Double;
  else
    return sums == Sums::Float || (std::is_same_v<In, __half> && sums == Sums::Half);
}

template <class T>
Batch<T> typed(const Batch<std::conditional_t<std::is_const_v<T>, const void, void>> &batch) {
  return {static_cast<T *>(batch.first), batch.distance, reinterpret_cast<T *const *>(batch.array)};
}

template <class Acc> Scalar<Acc> scalarOf(cublasHandle_t handle, const void *pointer, bool half) {
  if (!half)
    return vx::blas::scalarOf(handle, static_cast<const Acc *>(pointer));
  Scalar<Acc> scalar;
  if (handle->pointerMode == CUBLAS_POINTER_MODE_DEVICE) {
    scalar.pointer = pointer;
    scalar.source = Source::HalfOnDevice;
  } else {
    scalar.value = Acc(float(*static_cast<const __half *>(pointer)));
  }
  return scalar;
}

template <class In, class Out, class Acc>
cublasStatus_t runTyped(cublasHandle_t handle, const AnyProduct &any) {
  Product<In, Out> product;
  product.rows = any.m;
  product.columns = any.n;
  product.inner = any.k;
  auto factor = [](const Batch<const void> &batch, int step, cublasOperation_t trans) {
    Factor<In> factor;
    factor.batch = typed<const In>(batch);
    factor.rowStep = trans == CUBLAS_OP_N ? 1 : step;
    factor.columnStep = trans == CUBLAS_OP_N ? step : 1;
    factor.conjugated = trans == CUBLAS_OP_C;
    return factor;
  };
  product.a = factor(any.a, any.lda, any.transA);
  product.b = factor(any.b, any.ldb, any.transB);
  product.c = typed<Out>(any.c);
  product.step = any.ldc;
  const bool half = sumsOf(any.compute) == Sums::Half;
  return statusOf(launchProduct<In, Out, Acc, false>(
      product, scalarOf<Acc>(handle, any.alpha, half), scalarOf<Acc>(handle, any.beta, half),
      any.batches, handle->stream));
}

cublasStatus_t run(cublasHandle_t handle, const AnyProduct &any) {
  auto known = [](cublasOperation_t trans) { return trans >= CUBLAS_OP_N && trans <= CUBLAS_OP_C; };
  VX_BLAS_CHECK(handle, known(any.transA) && known(any.transB) && any.m >= 0 && any.n >= 0 &&
                            any.k >= 0 && any.batches >= 0 && any.alpha && any.beta &&
                            any.lda >= std::max(1, any.transA == CUBLAS_OP_N ? any.m : any.k) &&
                            any.ldb >= std::max(1, any.transB == CUBLAS_OP_N ? any.k : any.n) &&
                            any.ldc >= std::max(1, any.m));
  const Sums sums = sumsOf(any.compute);
#define VX_GEMM_TYPES(FACTORS, IN, RESULT, OUT, ACC)                                               \
  if (any.factorType == FACTORS && any.otherType == FACTORS && any.resultType == RESULT &&         \
      computes<IN, ACC>(sums))                                                                     \
    return any.m && any.n && any.batches ? runTyped<IN, OUT, ACC>(handle, any)                     \
                                         : CUBLAS_STATUS_SUCCESS;
#include "GemmTypes.def"
#undef VX_GEMM_TYPES
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

} // namespace
} // namespace vx::blas

using namespace vx::blas;

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transA,
                            cublasOperation_t transB, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType typeA, int lda, const void *b,
                            cudaDataType typeB, int ldb, const void *beta, void *c,
                            cudaDataType typeC, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t) {
  return run(handle, {transA,
                      transB,
                      m,
                      n,
                      k,
                      alpha,
                      beta,
                      typeA,
                      typeB,
                      typeC,
                      {a},
                      {b},
                      {c},
                      lda,
                      ldb,
                      ldc,
                      1,
                      compute});
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transA,
                                   cublasOperation_t transB, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType typeA, int lda,
                                   const void *const b[], cudaDataType typeB, int ldb,
                                   const void *beta, void *const c[], cudaDataType typeC, int ldc,
                                   int batchCount, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return run(handle, {transA,
                      transB,
                      m,
                      n,
                      k,
                      alpha,
                      beta,
                      typeA,
                      typeB,
                      typeC,
                      {nullptr, 0, a},
                      {nullptr, 0, b},
                      {nullptr, 0, c},
                      lda,
                      ldb,
                      ldc,
                      batchCount,
                      compute});
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType typeA, int lda, long long strideA, const void *b,
    cudaDataType typeB, int ldb, long long strideB, const void *beta, void *c, cudaDataType typeC,
    int ldc, long long strideC, int batchCount, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return run(handle, {transA,
                      transB,
                      m,
                      n,
                      k,
                      alpha,
                      beta,
                      typeA,
                      typeB,
                      typeC,
                      {a, strideA},
                      {b, strideB},
                      {c, strideC},
                      lda,
                      ldb,
                      ldc,
                      batchCount,
                      compute});
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transA,
                             cublasOperation_t transB, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType typeA, int lda, const void *b,
                             cudaDataType typeB, int ldb, const float *beta, void *c,
                             cudaDataType typeC, int ldc) {
  return cublasGemmEx(handle, transA, transB, m, n, k, alpha, a, typeA, lda, b, typeB, ldb, beta, c,
                      typeC, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transA,
                           cublasOperation_t transB, int m, int n, int k, const __half *alpha,
                           const __half *a, int lda, const __half *b, int ldb, const __half *beta,
                           __half *c, int ldc) {
  return cublasGemmEx(handle, transA, transB, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F,
                      ldb, beta, c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transA,
                                  cublasOperation_t transB, int m, int n, int k,
                                  const __half *alpha, const __half *const a[], int lda,
                                  const __half *const b[], int ldb, const __half *beta,
                                  __half *const c[], int ldc, int batchCount) {
  return cublasGemmBatchedEx(handle, transA, transB, m, n, k, alpha,
                             reinterpret_cast<const void *const *>(a), CUDA_R_16F, lda,
                             reinterpret_cast<const void *const *>(b), CUDA_R_16F, ldb, beta,
                             reinterpret_cast<void *const *>(c), CUDA_R_16F, ldc, batchCount,
                             CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transA,
                                         cublasOperation_t transB, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda,
                                         long long strideA, const __half *b, int ldb,
                                         long long strideB, const __half *beta, __half *c, int ldc,
                                         long long strideC, int batchCount) {
  return cublasGemmStridedBatchedEx(handle, transA, transB, m, n, k, alpha, a, CUDA_R_16F, lda,
                                    strideA, b, CUDA_R_16F, ldb, strideB, beta, c, CUDA_R_16F, ldc,
                                    strideC, batchCount, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
