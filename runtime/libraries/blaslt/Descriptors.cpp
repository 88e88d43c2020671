// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLt's descriptors: attributes by number, each of which is a member.

#include "Descriptors.h"
#include <cstring>
#include <new>

namespace vx::blaslt {
namespace {

/// An attribute: where it is, and its size.
struct Member {
  void *data = nullptr;
  size_t size = 0;
};
template <class T> Member member(T &value) {
  return {&value, sizeof value};
}

Member find(Layout &x, int attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_LAYOUT_TYPE:
    return member(x.type);
  case CUBLASLT_MATRIX_LAYOUT_ORDER:
    return member(x.order);
  case CUBLASLT_MATRIX_LAYOUT_ROWS:
    return member(x.rows);
  case CUBLASLT_MATRIX_LAYOUT_COLS:
    return member(x.cols);
  case CUBLASLT_MATRIX_LAYOUT_LD:
    return member(x.ld);
  case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
    return member(x.batches);
  case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
    return member(x.batchOffset);
  case CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET:
    return member(x.planeOffset);
  }
  return {};
}

Member find(MatmulDesc &x, int attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    return member(x.computeType);
  case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
    return member(x.scaleType);
  case CUBLASLT_MATMUL_DESC_POINTER_MODE:
    return member(x.pointerMode);
  case CUBLASLT_MATMUL_DESC_TRANSA:
    return member(x.transA);
  case CUBLASLT_MATMUL_DESC_TRANSB:
    return member(x.transB);
  case CUBLASLT_MATMUL_DESC_TRANSC:
    return member(x.transC);
  case CUBLASLT_MATMUL_DESC_FILL_MODE:
    return member(x.fillMode);
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    return member(x.epilogue);
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    return member(x.bias);
  case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
    return member(x.biasBatchStride);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
    return member(x.aux);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
    return member(x.auxLd);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
    return member(x.auxBatchStride);
  case CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE:
    return member(x.alphaBatchStride);
  case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
    return member(x.smCountTarget);
  case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
    return member(x.scales[0]);
  case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
    return member(x.scales[1]);
  case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
    return member(x.scales[2]);
  case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
    return member(x.scales[3]);
  case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER:
    return member(x.amax);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
    return member(x.auxType);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER:
    return member(x.auxScale);
  case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER:
    return member(x.auxAmax);
  case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
    return member(x.fastAccumulation);
  case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
    return member(x.biasType);
  }
  return {};
}

Member find(TransformDesc &x, int attribute) {
  switch (attribute) {
  case CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE:
    return member(x.scaleType);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE:
    return member(x.pointerMode);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA:
    return member(x.transA);
  case CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB:
    return member(x.transB);
  }
  return {};
}

Member find(Preference &x, int attribute) {
  switch (attribute) {
  case CUBLASLT_MATMUL_PREF_SEARCH_MODE:
    return member(x.searchMode);
  case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
    return member(x.workspaceBytes);
  case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
    return member(x.reductionMask);
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
  case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
    return member(x.alignment[attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES]);
  case CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT:
    return member(x.waves);
  case CUBLASLT_MATMUL_PREF_IMPL_MASK:
    return member(x.implementations);
  }
  return {};
}

Member find(Algorithm &x, int attribute) {
  switch (attribute) {
  case CUBLASLT_ALGO_CONFIG_ID:
    return member(x.id);
  case CUBLASLT_ALGO_CONFIG_TILE_ID:
    return member(x.tile);
  case CUBLASLT_ALGO_CONFIG_SPLITK_NUM:
    return member(x.splitK);
  case CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME:
    return member(x.reduction);
  case CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING:
    return member(x.swizzling);
  case CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION:
    return member(x.custom);
  case CUBLASLT_ALGO_CONFIG_STAGES_ID:
    return member(x.stages);
  case CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID:
    return member(x.innerShape);
  case CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID:
    return member(x.clusterShape);
  }
  return {};
}

cublasStatus_t set(Member member, const void *value, size_t size) {
  if (!member.data || !value || size != member.size)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(member.data, value, size);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t get(Member member, void *value, size_t size, size_t *written) {
  if (!member.data || (size == 0 && !written) || (size != 0 && !value))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (written)
    *written = member.size;
  if (size == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (size != member.size)
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, member.data, size);
  return CUBLAS_STATUS_SUCCESS;
}

/// Makes a T in memory of SIZE bytes.
template <class T, class Opaque> cublasStatus_t make(Opaque *memory, size_t size, const T &value) {
  if (!memory || size < sizeof(T))
    return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(memory, 0, size);
  new (memory) T(value);
  return CUBLAS_STATUS_SUCCESS;
}
template <class T, class Opaque> cublasStatus_t create(Opaque **memory, const T &value) {
  if (!memory)
    return CUBLAS_STATUS_INVALID_VALUE;
  *memory = new Opaque;
  return make(*memory, sizeof(Opaque), value);
}

Layout newLayout(cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld) {
  return {rows, cols, ld, 0, 0, uint32_t(type), CUBLASLT_ORDER_COL, 1};
}
MatmulDesc newMatmulDesc(cublasComputeType_t computeType, cudaDataType scaleType) {
  MatmulDesc desc = {};
  desc.computeType = computeType;
  desc.scaleType = scaleType;
  desc.fillMode = CUBLAS_FILL_MODE_FULL;
  desc.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  desc.auxType = desc.biasType = -1; // those of D
  return desc;
}
TransformDesc newTransformDesc(cudaDataType scaleType) {
  return {scaleType, CUBLASLT_POINTER_MODE_HOST, CUBLAS_OP_N, CUBLAS_OP_N};
}
Preference newPreference() {
  return {0,    CUBLASLT_SEARCH_BEST_FIT, CUBLASLT_REDUCTION_SCHEME_MASK, {256, 256, 256, 256}, 0,
          ~0ull};
}

} // namespace
} // namespace vx::blaslt

using namespace vx::blaslt;

extern "C" {

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t cols,
                                                 int64_t ld) {
  return make(layout, size, newLayout(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  return create(layout, newLayout(type, rows, cols, ld));
}
cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, size_t size,
                                               cublasComputeType_t computeType,
                                               cudaDataType_t scaleType) {
  return make(desc, size, newMatmulDesc(computeType, scaleType));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t computeType,
                                        cudaDataType_t scaleType) {
  return create(desc, newMatmulDesc(computeType, scaleType));
}
cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t desc,
                                                        size_t size, cudaDataType scaleType) {
  return make(desc, size, newTransformDesc(scaleType));
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *desc,
                                                 cudaDataType scaleType) {
  return create(desc, newTransformDesc(scaleType));
}
cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     size_t size) {
  return make(preference, size, newPreference());
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  return create(preference, newPreference());
}

#define VX_BLASLT_DESCRIPTOR(NAME, TYPE, ATTRIBUTE)                                                \
  cublasStatus_t cublasLt##NAME##Destroy(cublasLt##NAME##_t descriptor) {                          \
    delete descriptor;                                                                             \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  cublasStatus_t cublasLt##NAME##SetAttribute(cublasLt##NAME##_t descriptor, ATTRIBUTE attribute,  \
                                              const void *value, size_t size) {                    \
    return descriptor ? set(find(*reinterpret_cast<TYPE *>(descriptor), attribute), value, size)   \
                      : CUBLAS_STATUS_INVALID_VALUE;                                               \
  }                                                                                                \
  cublasStatus_t cublasLt##NAME##GetAttribute(cublasLt##NAME##_t descriptor, ATTRIBUTE attribute,  \
                                              void *value, size_t size, size_t *written) {         \
    return descriptor                                                                              \
               ? get(find(*reinterpret_cast<TYPE *>(descriptor), attribute), value, size, written) \
               : CUBLAS_STATUS_INVALID_VALUE;                                                      \
  }
VX_BLASLT_DESCRIPTOR(MatrixLayout, Layout, cublasLtMatrixLayoutAttribute_t)
VX_BLASLT_DESCRIPTOR(MatmulDesc, MatmulDesc, cublasLtMatmulDescAttributes_t)
VX_BLASLT_DESCRIPTOR(MatrixTransformDesc, TransformDesc, cublasLtMatrixTransformDescAttributes_t)
VX_BLASLT_DESCRIPTOR(MatmulPreference, Preference, cublasLtMatmulPreferenceAttributes_t)

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *value, size_t size) {
  return algo ? set(find(*reinterpret_cast<Algorithm *>(algo), attribute), value, size)
              : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void *value, size_t size, size_t *written) {
  if (!algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  Algorithm copy = *reinterpret_cast<const Algorithm *>(algo);
  return get(find(copy, attribute), value, size, written);
}
cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute,
                                                 void *value, size_t size, size_t *written) {
  if (!algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  int32_t no = 0, yes = 1,
          modes = CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE;
  uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_NONE, tile = CUBLASLT_MATMUL_TILE_UNDEFINED,
           alignment = 1;
  switch (attribute) {
  case CUBLASLT_ALGO_CAP_SPLITK_SUPPORT:
  case CUBLASLT_ALGO_CAP_UPLO_SUPPORT:
  case CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX:
  case CUBLASLT_ALGO_CAP_LD_NEGATIVE:
    return get(member(no), value, size, written);
  case CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT:
    return get(member(no), value, size, written);
  case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
  case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
    return get(member(yes), value, size, written);
  case CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK:
    return get(member(schemes), value, size, written);
  case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK:
    return get(member(modes), value, size, written);
  case CUBLASLT_ALGO_CAP_TILE_IDS:
    return get(member(tile), value, size, written);
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
  case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES:
    return get(member(alignment), value, size, written);
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

} // extern "C"
