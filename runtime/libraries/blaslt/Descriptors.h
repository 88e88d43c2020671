// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLt's descriptors, which are in memory that callers may have.

#ifndef VX_RUNTIME_LIBRARIES_BLASLT_DESCRIPTORS_H
#define VX_RUNTIME_LIBRARIES_BLASLT_DESCRIPTORS_H

#include <cublasLt.h>

namespace vx::blaslt {

struct Layout {
  uint64_t rows, cols;
  int64_t ld, batchOffset;
  uint64_t planeOffset;
  uint32_t type;
  int32_t order, batches;
};

struct MatmulDesc {
  int32_t computeType, scaleType, pointerMode, transA, transB, transC, fillMode;
  uint32_t epilogue;
  void *bias;
  int64_t biasBatchStride;
  void *aux;
  int64_t auxLd, auxBatchStride, alphaBatchStride;
  void *scales[4]; ///< Of A, B, C and D: refused unless null.
  void *amax, *auxScale, *auxAmax;
  int32_t smCountTarget, auxType, biasType;
  int8_t fastAccumulation;
};

struct TransformDesc {
  int32_t scaleType, pointerMode, transA, transB;
};

struct Preference {
  uint64_t workspaceBytes;
  uint32_t searchMode, reductionMask, alignment[4];
  float waves;
  uint64_t implementations;
};

struct Algorithm {
  int32_t id;
  uint32_t tile;
  int32_t splitK;
  uint32_t reduction, swizzling, custom, stages;
  uint16_t innerShape, clusterShape;
};

static_assert(sizeof(Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(MatmulDesc) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(TransformDesc) <= sizeof(cublasLtMatrixTransformDescOpaque_t));
static_assert(sizeof(Preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));
static_assert(sizeof(Algorithm) <= sizeof(cublasLtMatmulAlgo_t));

inline Layout *layoutOf(cublasLtMatrixLayout_t layout) {
  return reinterpret_cast<Layout *>(layout);
}
inline MatmulDesc *descOf(cublasLtMatmulDesc_t desc) {
  return reinterpret_cast<MatmulDesc *>(desc);
}
inline TransformDesc *descOf(cublasLtMatrixTransformDesc_t desc) {
  return reinterpret_cast<TransformDesc *>(desc);
}

} // namespace vx::blaslt

#endif // VX_RUNTIME_LIBRARIES_BLASLT_DESCRIPTORS_H
