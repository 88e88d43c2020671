// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuSPARSE's functions of a sparse and a dense vector. The indices of a sparse vector are different
// ones.

#include "../common/Launch.h"
#include "Rows.h"

namespace vx::sparse {
namespace {

Indices indicesOf(const cusparseSpVecDescr &x) {
  return vx::sparse::indicesOf(x.indices, x.indexType, x.base);
}

bool fit(cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y) {
  return x && y && x->size == y->size && x->valueType == y->valueType;
}

template <class T>
cusparseStatus_t addScaled(cusparseHandle_t handle, const Scalar<T> &alphas,
                           const cusparseSpVecDescr &x, const Scalar<T> &betas,
                           const cusparseDnVecDescr &y) {
  T *const out = static_cast<T *>(y.values);
  const T *const values = static_cast<const T *>(x.values);
  const Indices indices = indicesOf(x);
  VX_SPARSE_TRY(statusOf(launch(handle->stream, y.size, [=] __device__(long long i) {
    const T beta = betas.get();
    out[i] = beta == T(0) ? T(0) : beta * out[i];
  })));
  return statusOf(launch(handle->stream, x.nnz, [=] __device__(long long e) {
    out[indices[e]] += alphas.get() * values[e];
  }));
}

template <class T>
cusparseStatus_t gather(cusparseHandle_t handle, const cusparseDnVecDescr &y,
                        const cusparseSpVecDescr &x) {
  const T *const from = static_cast<const T *>(y.values);
  T *const values = static_cast<T *>(x.values);
  const Indices indices = indicesOf(x);
  return statusOf(
      launch(handle->stream, x.nnz, [=] __device__(long long e) { values[e] = from[indices[e]]; }));
}
template <class T>
cusparseStatus_t scatter(cusparseHandle_t handle, const cusparseSpVecDescr &x,
                         const cusparseDnVecDescr &y) {
  T *const to = static_cast<T *>(y.values);
  const T *const values = static_cast<const T *>(x.values);
  const Indices indices = indicesOf(x);
  return statusOf(
      launch(handle->stream, x.nnz, [=] __device__(long long e) { to[indices[e]] = values[e]; }));
}

/// Rotates the pairs of elements of x and y.
template <class T>
cusparseStatus_t rotate(cusparseHandle_t handle, const Scalar<T> &cs, const Scalar<T> &ss,
                        const cusparseSpVecDescr &x, const cusparseDnVecDescr &y) {
  T *const to = static_cast<T *>(y.values), *const values = static_cast<T *>(x.values);
  const Indices indices = indicesOf(x);
  return statusOf(launch(handle->stream, x.nnz, [=] __device__(long long e) {
    const T c = cs.get(), s = ss.get(), a = values[e], b = to[indices[e]];
    values[e] = c * a + s * b;
    to[indices[e]] = c * b - s * a;
  }));
}

/// The sum in one block, in an order that depends on the size only.
template <class T>
cusparseStatus_t dot(cusparseHandle_t handle, bool conjugated, const cusparseSpVecDescr &x,
                     const cusparseDnVecDescr &y, T *result) {
  const bool onHost = handle->pointerMode == CUSPARSE_POINTER_MODE_HOST;
  StreamMemory<T> memory(handle->stream, kLibraryThreads + 1);
  if (!memory)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  T *const parts = memory, *const sum = onHost ? parts + kLibraryThreads : result;
  const T *const from = static_cast<const T *>(y.values);
  const T *const values = static_cast<const T *>(x.values);
  const Indices indices = indicesOf(x);
  const long long count = x.nnz;
  VX_SPARSE_TRY(statusOf(launchBlocks(handle->stream, 1, [=] __device__() {
    T part(0);
    for (long long e = threadIdx.x; e < count; e += kLibraryThreads)
      part += conjugateIf(conjugated, values[e]) * from[indices[e]];
    parts[threadIdx.x] = part;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 1; i < kLibraryThreads; ++i)
        part += parts[i];
      *sum = part;
    }
  })));
  if (!onHost)
    return CUSPARSE_STATUS_SUCCESS;
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaError_t error =
      cudaMemcpyAsync(result, sum, sizeof(T), cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess)
    error = cudaStreamIsCapturing(handle->stream, &capture);
  // Of a stream that is captured, the result is there when the graph has run.
  if (error == cudaSuccess && capture == cudaStreamCaptureStatusNone)
    error = cudaStreamSynchronize(handle->stream);
  return statusOf(error);
}

} // namespace
} // namespace vx::sparse

using namespace vx::sparse;

extern "C" {

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y) {
  VX_SPARSE_CHECK(handle, fit(x, y) && alpha && beta);
  VX_SPARSE_WITH_TYPE(x->valueType, {
    return addScaled(handle, scalarOf<T>(handle, alpha), *x, scalarOf<T>(handle, beta), *y);
  });
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  VX_SPARSE_CHECK(handle, fit(x, y));
  VX_SPARSE_COPY(x->valueType, gather, handle, *y, *x)
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  VX_SPARSE_CHECK(handle, fit(x, y));
  VX_SPARSE_COPY(x->valueType, scatter, handle, *x, *y)
}
cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y) {
  VX_SPARSE_CHECK(handle, fit(x, y) && c && s);
  VX_SPARSE_WITH_TYPE(x->valueType, {
    return rotate(handle, scalarOf<T>(handle, c), scalarOf<T>(handle, s), *x, *y);
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType, size_t *bufferSize) {
  VX_SPARSE_CHECK(handle, isOperation(opX) && fit(x, y) && result && bufferSize);
  *bufferSize = kBufferSize;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void *result, cudaDataType computeType, void *) {
  VX_SPARSE_CHECK(handle, isOperation(opX) && fit(x, y) && result);
  if (x->valueType != computeType)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  VX_SPARSE_WITH_TYPE(computeType, {
    return dot(handle, opX == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, *x, *y,
               static_cast<T *>(result));
  });
}

} // extern "C"
