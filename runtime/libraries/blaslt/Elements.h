// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements whose type is known when they are read and written.

#ifndef VX_RUNTIME_LIBRARIES_BLASLT_ELEMENTS_H
#define VX_RUNTIME_LIBRARIES_BLASLT_ELEMENTS_H

#include "../blas/Types.h"
#include <library_types.h>

namespace vx::blaslt {

/// A matrix of real numbers, or each of a batch. Steps count elements.
struct Matrix {
  void *data = nullptr;
  cudaDataType type = CUDA_R_32F;
  long long rowStep = 1, columnStep = 0, batchStep = 0;
  VX_BLAS_BOTH long long place(long long i, long long j, long long batch) const {
    return i * rowStep + j * columnStep + batch * batchStep;
  }
};

/// Returns the bytes of an element, or 0: of none that there is here.
inline size_t sizeOf(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}
/// Returns true for types that load() and store() have.
inline bool isReal(cudaDataType type) {
  return sizeOf(type) && type != CUDA_C_32F && type != CUDA_C_64F;
}

template <class R>
__device__ __forceinline__ R load(const void *data, cudaDataType type, long long place) {
  switch (type) {
  case CUDA_R_16F:
    return R(float(static_cast<const __half *>(data)[place]));
  case CUDA_R_16BF:
    return R(float(static_cast<const __nv_bfloat16 *>(data)[place]));
  case CUDA_R_64F:
    return R(static_cast<const double *>(data)[place]);
  case CUDA_R_8I:
    return R(static_cast<const signed char *>(data)[place]);
  case CUDA_R_32I:
    return R(static_cast<const int *>(data)[place]);
  default:
    return R(static_cast<const float *>(data)[place]);
  }
}

/// Integers are rounded to the nearest, and saturated.
template <class R>
__device__ __forceinline__ void store(void *data, cudaDataType type, long long place, R value) {
  switch (type) {
  case CUDA_R_16F:
    static_cast<__half *>(data)[place] = __half(float(value));
    break;
  case CUDA_R_16BF:
    static_cast<__nv_bfloat16 *>(data)[place] = __nv_bfloat16(float(value));
    break;
  case CUDA_R_64F:
    static_cast<double *>(data)[place] = double(value);
    break;
  case CUDA_R_8I:
    value = rint(value);
    static_cast<signed char *>(data)[place] = (signed char)(value < R(-128)  ? R(-128)
                                                            : value > R(127) ? R(127)
                                                                             : value);
    break;
  case CUDA_R_32I:
    static_cast<int *>(data)[place] = int(rint(value));
    break;
  default:
    static_cast<float *>(data)[place] = float(value);
    break;
  }
}

} // namespace vx::blaslt

#endif // VX_RUNTIME_LIBRARIES_BLASLT_ELEMENTS_H
