// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLt's products, which cuBLAS's kernel makes, and its transformations of matrices.

#include "../common/Launch.h"
#include "../common/Memory.h"
#include "Descriptors.h"
#include "Epilogue.h"
#include <cstring>
#include <cublas_v2.h>
#include <mutex>
#include <tuple>
#include <utility>

namespace vx::blaslt {
namespace {

/// A handle is one of cuBLAS's, as in NVIDIA's library, where either may be used here. Its stream
/// and pointer mode are set for a call.
std::mutex handles;
class Blas {
public:
  Blas(cublasLtHandle_t lt, cudaStream_t stream, cublasPointerMode_t mode)
      : guard(handles), handle(reinterpret_cast<cublasHandle_t>(lt)) {
    cublasGetStream(handle, &oldStream);
    cublasGetPointerMode(handle, &oldMode);
    cublasSetStream(handle, stream);
    cublasSetPointerMode(handle, mode);
  }
  ~Blas() {
    cublasSetStream(handle, oldStream);
    cublasSetPointerMode(handle, oldMode);
  }
  operator cublasHandle_t() const { return handle; }

private:
  std::lock_guard<std::mutex> guard;
  cublasHandle_t handle;
  cudaStream_t oldStream = nullptr;
  cublasPointerMode_t oldMode = CUBLAS_POINTER_MODE_HOST;
};

cublasStatus_t statusOf(cudaError_t error) {
  return error == cudaSuccess                 ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// A product as cuBLAS has it: of matrices in the order of columns, the transposed one if D is in
/// the order of rows.
struct Product {
  MatmulDesc desc;
  Layout a, b, c, d;
  bool isSwapped = false;
  cublasOperation_t opA, opB;
  int m, n, k;
};

cublasOperation_t operationOf(int trans, bool isTransposed) {
  if (!isTransposed)
    return cublasOperation_t(trans);
  return trans == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

bool isLayout(const Layout &x) {
  const int64_t line = x.order == CUBLASLT_ORDER_ROW ? x.cols : x.rows;
  return x.rows <= INT32_MAX && x.cols <= INT32_MAX && x.ld <= INT32_MAX && x.ld >= line &&
         x.ld > 0 && x.batches >= 1;
}

/// Returns the type of the scalars of a computation; -1: of none.
int scaleTypeOf(int compute, int type) {
  const bool isComplex = type == CUDA_C_32F || type == CUDA_C_64F;
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUDA_R_16F;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return isComplex ? CUDA_C_64F : CUDA_R_64F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUDA_R_32I;
  default:
    return isComplex ? CUDA_C_32F : CUDA_R_32F;
  }
}

/// Finds what cuBLAS is to be asked for, or what is wrong.
cublasStatus_t plan(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                    Product &x) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  x.desc = *descOf(desc);
  x.a = *layoutOf(a);
  x.b = *layoutOf(b);
  x.c = *layoutOf(c);
  x.d = *layoutOf(d);
  for (const Layout &layout : {x.a, x.b, x.c, x.d})
    if (layout.order != CUBLASLT_ORDER_COL && layout.order != CUBLASLT_ORDER_ROW)
      return CUBLAS_STATUS_NOT_SUPPORTED;
    else if (!isLayout(layout) || layout.batches != x.d.batches)
      return CUBLAS_STATUS_INVALID_VALUE;
  const MatmulDesc &y = x.desc;
  for (int trans : {y.transA, y.transB})
    if (trans < CUBLAS_OP_N || trans > CUBLAS_OP_C)
      return CUBLAS_STATUS_INVALID_VALUE;
  const bool plainA = y.transA == CUBLAS_OP_N, plainB = y.transB == CUBLAS_OP_N;
  const uint64_t inner = plainA ? x.a.cols : x.a.rows;
  if ((plainA ? x.a.rows : x.a.cols) != x.d.rows || (plainB ? x.b.cols : x.b.rows) != x.d.cols ||
      (plainB ? x.b.rows : x.b.cols) != inner || x.c.rows != x.d.rows || x.c.cols != x.d.cols)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool isComplex = x.a.type == CUDA_C_32F || x.a.type == CUDA_C_64F;
  const bool conjugates = isComplex && (y.transA == CUBLAS_OP_C || y.transB == CUBLAS_OP_C);
  const bool hasRows = x.a.order == CUBLASLT_ORDER_ROW || x.b.order == CUBLASLT_ORDER_ROW ||
                       x.d.order == CUBLASLT_ORDER_ROW;
  if ((y.pointerMode != CUBLASLT_POINTER_MODE_HOST &&
       y.pointerMode != CUBLASLT_POINTER_MODE_DEVICE) ||
      y.transC != CUBLAS_OP_N || y.fillMode != CUBLAS_FILL_MODE_FULL || y.amax || y.auxScale ||
      y.auxAmax || x.c.type != x.d.type || x.c.order != x.d.order || (conjugates && hasRows) ||
      y.scaleType != scaleTypeOf(y.computeType, int(x.a.type)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  for (void *scale : y.scales)
    if (scale)
      return CUBLAS_STATUS_NOT_SUPPORTED;
  x.opA = operationOf(y.transA, x.a.order == CUBLASLT_ORDER_ROW);
  x.opB = operationOf(y.transB, x.b.order == CUBLASLT_ORDER_ROW);
  x.m = int(x.d.rows);
  x.n = int(x.d.cols);
  x.k = int(inner);
  if (x.d.order == CUBLASLT_ORDER_ROW) { // D^T = op(B)^T op(A)^T
    x.isSwapped = true;
    std::swap(x.a, x.b);
    std::swap(x.m, x.n);
    const cublasOperation_t left = x.opA;
    x.opA = operationOf(x.opB, true);
    x.opB = operationOf(left, true);
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// Finds what is to be done to the product; -1 as a type is that of D.
cublasStatus_t epilogueOf(const Product &x, Epilogue &e) {
  const MatmulDesc &y = x.desc;
  const unsigned kind = y.epilogue;
  if (kind == CUBLASLT_EPILOGUE_DEFAULT)
    return CUBLAS_STATUS_SUCCESS;
  if (kind & ~unsigned(CUBLASLT_EPILOGUE_RELU_AUX_BIAS | CUBLASLT_EPILOGUE_GELU_AUX_BIAS |
                       CUBLASLT_EPILOGUE_DRELU_BGRAD | CUBLASLT_EPILOGUE_DGELU_BGRAD))
    return CUBLAS_STATUS_NOT_SUPPORTED; // the gradients of a bias from A or B
  switch (kind) {
  case CUBLASLT_EPILOGUE_BIAS:
    break;
  case CUBLASLT_EPILOGUE_RELU:
  case CUBLASLT_EPILOGUE_RELU_AUX:
  case CUBLASLT_EPILOGUE_RELU_BIAS:
  case CUBLASLT_EPILOGUE_RELU_AUX_BIAS:
    e.function = Function::Relu;
    break;
  case CUBLASLT_EPILOGUE_GELU:
  case CUBLASLT_EPILOGUE_GELU_AUX:
  case CUBLASLT_EPILOGUE_GELU_BIAS:
  case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    e.function = Function::Gelu;
    break;
  case CUBLASLT_EPILOGUE_DRELU:
  case CUBLASLT_EPILOGUE_DRELU_BGRAD:
    e.function = Function::ReluGradient;
    break;
  case CUBLASLT_EPILOGUE_DGELU:
  case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    e.function = Function::GeluGradient;
    break;
  default:
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const cudaDataType type = cudaDataType(x.d.type);
  if (type != CUDA_R_16F && type != CUDA_R_16BF && type != CUDA_R_32F && type != CUDA_R_64F)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool ofGradient =
      e.function == Function::ReluGradient || e.function == Function::GeluGradient;
  constexpr unsigned biasBit = 4, sumBit = 16, auxBit = 128;
  e.addsBias = kind & biasBit;
  e.sumsGradient = kind & sumBit;
  e.storesAux = kind & auxBit && !ofGradient;
  e.bias = y.bias;
  e.biasType = y.biasType < 0 ? type : cudaDataType(y.biasType);
  e.biasStep = y.biasBatchStride;
  e.aux = y.aux;
  e.auxType = y.auxType < 0 ? type : cudaDataType(y.auxType);
  e.auxLd = y.auxLd;
  e.auxStep = y.auxBatchStride;
  const bool ofBits = e.function == Function::Relu || e.function == Function::ReluGradient;
  const bool usesAux = e.storesAux || ofGradient;
  if ((e.addsBias || e.sumsGradient) && !isReal(e.biasType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (usesAux && (e.auxLd < (long long)x.d.rows || (ofBits && (e.auxLd % 8 || e.auxStep % 8))))
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

/// The matrix D in the coordinates of the caller.
Matrix matrixOf(const Layout &layout, void *data) {
  const bool byRow = layout.order == CUBLASLT_ORDER_ROW;
  return {data, cudaDataType(layout.type), byRow ? layout.ld : 1, byRow ? 1 : layout.ld,
          layout.batchOffset};
}

/// Copies elements of SIZE bytes from C to D.
template <class T>
cudaError_t copyElements(const Matrix &c, const Matrix &d, const Sizes &sizes,
                         cudaStream_t stream) {
  const long long rows = sizes.rows, columns = sizes.columns;
  return launch(stream, rows * columns * sizes.batches, [=] __device__(long long index) {
    const long long i = index % rows, j = index / rows % columns, batch = index / rows / columns;
    static_cast<T *>(d.data)[d.place(i, j, batch)] =
        static_cast<const T *>(c.data)[c.place(i, j, batch)];
  });
}
cudaError_t copy(const Matrix &c, const Matrix &d, const Sizes &sizes, cudaStream_t stream) {
  switch (sizeOf(c.type)) {
  case 1:
    return copyElements<char>(c, d, sizes, stream);
  case 2:
    return copyElements<short>(c, d, sizes, stream);
  case 4:
    return copyElements<float>(c, d, sizes, stream);
  case 8:
    return copyElements<double>(c, d, sizes, stream);
  default:
    return copyElements<blas::Complex<double>>(c, d, sizes, stream);
  }
}

/// Returns true for a scalar on the host that is 0, of any type: all its bits but those of signs
/// are.
bool isZero(const MatmulDesc &desc, const void *scalar) {
  if (desc.pointerMode != CUBLASLT_POINTER_MODE_HOST)
    return false;
  unsigned char bytes[16] = {};
  const size_t size = sizeOf(cudaDataType(desc.scaleType));
  std::memcpy(bytes, scalar, size);
  const bool isComplex = desc.scaleType == CUDA_C_32F || desc.scaleType == CUDA_C_64F;
  if (desc.scaleType != CUDA_R_32I)
    for (size_t end = isComplex ? size / 2 : size; end <= size; end += size / 2)
      bytes[end - 1] &= 0x7f;
  for (unsigned char byte : bytes)
    if (byte)
      return false;
  return true;
}

/// Asks cuBLAS for RESULT = alpha op(A) op(B) + beta RESULT; of no size, whether it has the types.
cublasStatus_t multiply(cublasHandle_t blas, const Product &x, bool ofSize, const void *alpha,
                        const void *a, const void *b, const void *beta, void *result,
                        cudaDataType type, long long ld, long long step) {
  return cublasGemmStridedBatchedEx(blas, x.opA, x.opB, ofSize ? x.m : 0, ofSize ? x.n : 0, x.k,
                                    alpha, a, cudaDataType(x.a.type), int(x.a.ld), x.a.batchOffset,
                                    b, cudaDataType(x.b.type), int(x.b.ld), x.b.batchOffset, beta,
                                    result, type, int(ld), step, x.d.batches,
                                    cublasComputeType_t(x.desc.computeType), CUBLAS_GEMM_DEFAULT);
}

/// Halves are rounded once, at the end: an epilogue is of the product in float.
cudaDataType computedType(const Product &x) {
  const cudaDataType type = cudaDataType(x.d.type);
  const bool isHalf = type == CUDA_R_16F || type == CUDA_R_16BF;
  return isHalf && x.desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT ? CUDA_R_32F : type;
}

/// Returns whether there is such a product.
cublasStatus_t check(cublasLtHandle_t handle, const Product &x) {
  Epilogue epilogue;
  if (cublasStatus_t status = epilogueOf(x, epilogue); status != CUBLAS_STATUS_SUCCESS)
    return status;
  double scalar[2] = {};
  Blas blas(handle, nullptr, CUBLAS_POINTER_MODE_HOST);
  return multiply(blas, x, false, scalar, scalar, scalar, scalar, scalar, computedType(x), x.d.ld,
                  0);
}

cublasStatus_t run(cublasLtHandle_t handle, Product &x, const void *alpha, const void *a,
                   const void *b, const void *beta, const void *c, void *d, cudaStream_t stream) {
  Epilogue epilogue;
  cublasStatus_t status = epilogueOf(x, epilogue);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const bool usesBias = epilogue.addsBias || epilogue.sumsGradient,
             usesAux = epilogue.storesAux || epilogue.function == Function::ReluGradient ||
                       epilogue.function == Function::GeluGradient;
  if ((usesBias && !epilogue.bias) || (usesAux && !epilogue.aux))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (x.isSwapped)
    std::swap(a, b);
  const Sizes sizes{(long long)x.d.rows, (long long)x.d.cols, x.d.batches};
  const Matrix last = matrixOf(x.d, d), first = matrixOf(x.c, const_cast<void *>(c));
  const bool usesC = !isZero(x.desc, beta);
  StreamMemory<float> memory;
  Matrix product = last;
  long long ld = x.d.ld, step = x.d.batchOffset;
  if (computedType(x) != last.type) {
    if (!memory.allocate(stream, size_t(sizes.rows) * sizes.columns * sizes.batches))
      return CUBLAS_STATUS_ALLOC_FAILED;
    ld = x.m;
    step = (long long)x.m * x.n;
    product = {memory, CUDA_R_32F, x.isSwapped ? ld : 1, x.isSwapped ? 1 : ld, step};
  }
  if (usesC && !c)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (usesC && product.data != first.data) {
    const cudaError_t error = product.type == first.type
                                  ? copy(first, product, sizes, stream)
                                  : apply(Epilogue(), sizes, first, product, stream);
    if (error != cudaSuccess)
      return statusOf(error);
  }
  {
    Blas blas(handle, stream,
              x.desc.pointerMode == CUBLASLT_POINTER_MODE_HOST ? CUBLAS_POINTER_MODE_HOST
                                                               : CUBLAS_POINTER_MODE_DEVICE);
    status = multiply(blas, x, true, alpha, a, b, beta, product.data, product.type, ld, step);
  }
  if (status != CUBLAS_STATUS_SUCCESS || x.desc.epilogue == CUBLASLT_EPILOGUE_DEFAULT)
    return status;
  return statusOf(apply(epilogue, sizes, product, last, stream));
}

/// C = alpha op(A) + beta op(B); either factor may be missing.
template <class R>
cudaError_t transform(const Sizes &sizes, const blas::Scalar<R> &alphas, const Matrix &a,
                      const blas::Scalar<R> &betas, const Matrix &b, const Matrix &c,
                      cudaStream_t stream) {
  const long long rows = sizes.rows, columns = sizes.columns;
  return launch(stream, rows * columns * sizes.batches, [=] __device__(long long index) {
    const long long i = index % rows, j = index / rows % columns, batch = index / rows / columns;
    const R alpha = alphas.get(), beta = betas.get();
    R sum = 0;
    if (a.data && alpha != R(0))
      sum += alpha * load<R>(a.data, a.type, a.place(i, j, batch));
    if (b.data && beta != R(0))
      sum += beta * load<R>(b.data, b.type, b.place(i, j, batch));
    store(c.data, c.type, c.place(i, j, batch), sum);
  });
}

template <class R> blas::Scalar<R> scalarOf(const TransformDesc &desc, const void *pointer) {
  blas::Scalar<R> scalar;
  if (!pointer)
    return scalar;
  if (desc.pointerMode == CUBLASLT_POINTER_MODE_HOST) {
    scalar.value = blas::readUnaligned<R>(pointer);
  } else {
    scalar.pointer = pointer;
    scalar.source = blas::Source::Device;
  }
  return scalar;
}

/// An operand in the coordinates of the result.
cublasStatus_t operandOf(cublasLtMatrixLayout_t handed, const void *data, int trans,
                         const Layout &c, Matrix &matrix) {
  if (!data)
    return CUBLAS_STATUS_SUCCESS;
  if (!handed)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Layout &layout = *layoutOf(handed);
  const bool plain = trans == CUBLAS_OP_N;
  if (layout.order != CUBLASLT_ORDER_COL && layout.order != CUBLASLT_ORDER_ROW)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!isReal(cudaDataType(layout.type)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!isLayout(layout) || layout.batches != c.batches || trans < CUBLAS_OP_N ||
      trans > CUBLAS_OP_C || (plain ? layout.rows : layout.cols) != c.rows ||
      (plain ? layout.cols : layout.rows) != c.cols)
    return CUBLAS_STATUS_INVALID_VALUE;
  matrix = matrixOf(layout, const_cast<void *>(data));
  if (!plain)
    std::swap(matrix.rowStep, matrix.columnStep);
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace
} // namespace vx::blaslt

using namespace vx::blaslt;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  cublasHandle_t blas;
  cublasStatus_t status = cublasCreate(&blas);
  if (status == CUBLAS_STATUS_SUCCESS)
    *handle = reinterpret_cast<cublasLtHandle_t>(blas);
  return status;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
const char *cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}
const char *cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}
size_t cublasLtGetVersion(void) {
  return CUBLAS_VERSION;
}
size_t cublasLtGetCudartVersion(void) {
  return CUDART_VERSION;
}
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int *value) {
  return cublasGetProperty(type, value);
}
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
  if (!capacity)
    return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) {
  return 0;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t layoutA, const void *b,
                              cublasLtMatrixLayout_t layoutB, const void *beta, const void *c,
                              cublasLtMatrixLayout_t layoutC, void *d,
                              cublasLtMatrixLayout_t layoutD, const cublasLtMatmulAlgo_t *, void *,
                              size_t, cudaStream_t stream) {
  Product product;
  cublasStatus_t status = plan(handle, desc, layoutA, layoutB, layoutC, layoutD, product);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (!alpha || !beta || !a || !b || !d)
    return CUBLAS_STATUS_INVALID_VALUE;
  return run(handle, product, alpha, a, b, beta, c, d, stream);
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t desc,
                                       const void *alpha, const void *a,
                                       cublasLtMatrixLayout_t layoutA, const void *beta,
                                       const void *b, cublasLtMatrixLayout_t layoutB, void *c,
                                       cublasLtMatrixLayout_t layoutC, cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !c || !layoutC || (a && !alpha) || (b && !beta))
    return CUBLAS_STATUS_INVALID_VALUE;
  const TransformDesc &x = *descOf(desc);
  const Layout &layout = *layoutOf(layoutC);
  Matrix left, right, result;
  for (auto [matrix, data, handed, trans] :
       {std::tuple{&left, a, layoutA, x.transA}, std::tuple{&right, b, layoutB, x.transB},
        std::tuple{&result, (const void *)c, layoutC, int(CUBLAS_OP_N)}})
    if (cublasStatus_t status = operandOf(handed, data, trans, layout, *matrix);
        status != CUBLAS_STATUS_SUCCESS)
      return status;
  const Sizes sizes{(long long)layout.rows, (long long)layout.cols, layout.batches};
  if (x.scaleType == CUDA_R_32F)
    return statusOf(transform(sizes, scalarOf<float>(x, alpha), left, scalarOf<float>(x, beta),
                              right, result, stream));
  if (x.scaleType == CUDA_R_64F)
    return statusOf(transform(sizes, scalarOf<double>(x, alpha), left, scalarOf<double>(x, beta),
                              right, result, stream));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result) {
  if (!algo || !result)
    return CUBLAS_STATUS_INVALID_VALUE;
  Product product;
  cublasStatus_t status = plan(handle, desc, a, b, c, d, product);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = check(handle, product);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  const cublasLtMatmulAlgo_t copy = *algo;
  *result = {};
  result->algo = copy;
  result->wavesCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int requested,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *returned) {
  if (requested < 1 || !results || !returned)
    return CUBLAS_STATUS_INVALID_VALUE;
  *returned = 0;
  const cublasLtMatmulAlgo_t algorithm = {};
  cublasStatus_t status =
      cublasLtMatmulAlgoCheck(handle, desc, a, b, c, d, &algorithm, &results[0]);
  if (status == CUBLAS_STATUS_SUCCESS)
    *returned = 1;
  return status;
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t,
                                        cudaDataType_t, cudaDataType_t, cudaDataType_t,
                                        cudaDataType_t, cudaDataType_t, int requested, int ids[],
                                        int *returned) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (requested < 1 || !ids || !returned)
    return CUBLAS_STATUS_INVALID_VALUE;
  ids[0] = 0;
  *returned = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType_t,
                                      cudaDataType_t, cudaDataType_t, cudaDataType_t,
                                      cudaDataType_t, int id, cublasLtMatmulAlgo_t *algo) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (id != 0 || !algo)
    return CUBLAS_STATUS_INVALID_VALUE;
  *algo = {};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetFile(FILE *) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerOpenFile(const char *) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetLevel(int) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetMask(int) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerForceDisable(void) {
  return CUBLAS_STATUS_SUCCESS;
}

} // extern "C"
