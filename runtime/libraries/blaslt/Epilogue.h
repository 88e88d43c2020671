// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to a product before it is written.

#ifndef VX_RUNTIME_LIBRARIES_BLASLT_EPILOGUE_H
#define VX_RUNTIME_LIBRARIES_BLASLT_EPILOGUE_H

#include "Elements.h"
#include <cuda_runtime_api.h>

namespace vx::blaslt {

enum class Function : char { None, Relu, Gelu, ReluGradient, GeluGradient };

struct Epilogue {
  Function function = Function::None;
  bool addsBias = false, storesAux = false, sumsGradient = false;
  void *bias = nullptr; ///< A vector of the rows of D: added, or the sums of the gradient.
  cudaDataType biasType = CUDA_R_32F;
  long long biasStep = 0; ///< From matrix to matrix of a batch.
  /// Of ReLU, bits (1: positive), of which a column has a multiple of 8; of GELU, its arguments.
  void *aux = nullptr;
  cudaDataType auxType = CUDA_R_32F;
  long long auxLd = 0, auxStep = 0;
};

struct Sizes {
  long long rows = 0, columns = 0, batches = 1;
};

/// Writes D = EPILOGUE(PRODUCT), which may be the same matrix. Computed in double for products of
/// double, else in float.
cudaError_t apply(const Epilogue &epilogue, const Sizes &sizes, const Matrix &product,
                  const Matrix &d, cudaStream_t stream);

} // namespace vx::blaslt

#endif // VX_RUNTIME_LIBRARIES_BLASLT_EPILOGUE_H
