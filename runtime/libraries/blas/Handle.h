// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS's handle, and what all functions do with their arguments.

#ifndef VX_RUNTIME_LIBRARIES_BLAS_HANDLE_H
#define VX_RUNTIME_LIBRARIES_BLAS_HANDLE_H

#include "Types.h"
#include <cublas_v2.h>

/// Blocks of a reduction; each leaves one partial result.
constexpr int kReductionBlocks = 64;

/// Memory of the device for reductions; the counter is 0 between calls.
struct ReductionSpace {
  unsigned arrived;
  alignas(16) char result[16];
  alignas(16) char partial[kReductionBlocks][16];
};

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomicsMode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
  ReductionSpace *space = nullptr;
};

namespace vx::blas {

inline cublasStatus_t statusOf(cudaError_t error) {
  return error == cudaSuccess                 ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// Returns the scalar that POINTER points to.
template <class T> Scalar<T> scalarOf(cublasHandle_t handle, const T *pointer) {
  Scalar<T> scalar;
  if (handle->pointerMode == CUBLAS_POINTER_MODE_HOST) {
    scalar.value = readUnaligned<T>(pointer);
  } else {
    scalar.pointer = pointer;
    scalar.source = Source::Device;
  }
  return scalar;
}
template <class T> Scalar<T> realScalarOf(cublasHandle_t handle, const RealOf<T> *pointer) {
  Scalar<T> scalar;
  if (handle->pointerMode == CUBLAS_POINTER_MODE_HOST) {
    scalar.value = T(*pointer);
  } else {
    scalar.pointer = pointer;
    scalar.source = Source::RealOnDevice;
  }
  return scalar;
}
template <class T> Scalar<T> scalarOf(T value) {
  Scalar<T> scalar;
  scalar.value = value;
  return scalar;
}

/// Memory of the device for the time of a call; freed in the order of the stream.
template <class T> class Temporary {
public:
  Temporary(cublasHandle_t handle, size_t count) : stream(handle->stream) {
    if (cudaMallocAsync(&data, count * sizeof(T), stream) != cudaSuccess)
      data = nullptr;
  }
  Temporary(const Temporary &) = delete;
  ~Temporary() {
    if (data)
      cudaFreeAsync(data, stream);
  }
  operator T *() { return data; }

private:
  cudaStream_t stream;
  T *data = nullptr;
};

/// A vector of BLAS: with a negative increment its first element is the last one in memory.
template <class T> struct Vector {
  T *first;
  long long step;
  Vector(T *data, int n, int step)
      : first(step < 0 && n > 0 ? data - (n - 1LL) * step : data), step(step) {}
  VX_BLAS_BOTH T &operator[](int i) const { return first[i * step]; }
};

/// Returns true if the caller passed an enumerator, not just any integer.
inline bool isOperation(cublasOperation_t trans) {
  return trans >= CUBLAS_OP_N && trans <= CUBLAS_OP_C;
}
inline bool isTriangle(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER;
}
inline bool isDiagonal(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT;
}

} // namespace vx::blas

// Functions return what is wrong with their arguments before anything is done.
#define VX_BLAS_CHECK(HANDLE, CONDITION)                                                           \
  do {                                                                                             \
    if (!(HANDLE))                                                                                 \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!(CONDITION))                                                                              \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
  } while (0)

// The functions of the interface, each of which calls the template of its name.
#define VX_BLAS_DEFINE(PREFIX, NAME, SUFFIX, PARAMETERS, ARGUMENTS)                                \
  extern "C" cublasStatus_t cublas##PREFIX##NAME##SUFFIX PARAMETERS {                              \
    using vx::blas::E;                                                                             \
    return vx::blas::NAME ARGUMENTS;                                                               \
  }
#define VX_BLAS_FUNCTION(PREFIX, NAME, SUFFIX, PARAMETERS, ARGUMENTS)                              \
  VX_BLAS_DEFINE(PREFIX, NAME, SUFFIX, PARAMETERS, ARGUMENTS)

#endif // VX_RUNTIME_LIBRARIES_BLAS_HANDLE_H
