// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublasLt against products on the host: types, operations, orders, batches, epilogues, and answers of
// heuristics.
// REQUIRES: blas
// RUN: %vxcc -O1 -std=c++17 -I%inputs %s -o %t -lcublasLt -lcublas
// RUN: %shapes --few %t
// RUN: env VX_LOWERING=sw %shapes --few %t
// RUN: env VX_BACKEND=host %run %t all | FileCheck %s
// CHECK: PASS

#include "harness.h"
#include <cmath>
#include <cublasLt.h>
#include <type_traits>

#define CHECK_LT(call)                                                                             \
  do {                                                                                             \
    cublasStatus_t status_ = (call);                                                               \
    if (status_ != CUBLAS_STATUS_SUCCESS) {                                                        \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasLtGetStatusName(status_));   \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

static cublasLtHandle_t handle;

template <class T>
constexpr cudaDataType typeOf = std::is_same_v<T, float>           ? CUDA_R_32F
                                : std::is_same_v<T, double>        ? CUDA_R_64F
                                : std::is_same_v<T, __half>        ? CUDA_R_16F
                                : std::is_same_v<T, __nv_bfloat16> ? CUDA_R_16BF
                                : std::is_same_v<T, signed char>   ? CUDA_R_8I
                                                                   : CUDA_R_32I;

template <class T> std::vector<T> randoms(size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T &value : values) {
    const double x = (seed = mixed(seed + 0x9e3779b9u)) * 0x1p-31 - 1;
    value = std::is_integral_v<T> ? T(x * 100) : T(float(x));
  }
  return values;
}
template <class T> double number(T x) {
  if constexpr (sizeof x == 2)
    return float(x);
  else
    return double(x);
}

/// A matrix, or a batch, with its layout.
template <class T> struct Matrix {
  int rows, cols, ld, batches;
  bool byRow;
  std::vector<T> host;
  DeviceArray<T> elements;
  cublasLtMatrixLayout_t layout;
  Matrix(int rows, int cols, bool byRow, int batches, unsigned seed)
      : rows(rows), cols(cols), ld((byRow ? cols : rows) + 1), batches(batches), byRow(byRow),
        host(randoms<T>(size_t(step()) * batches, seed)), elements(host) {
    CHECK_LT(cublasLtMatrixLayoutCreate(&layout, typeOf<T>, rows, cols, ld));
    const int32_t order = byRow ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL, count = batches;
    const int64_t offset = step();
    CHECK_LT(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                              sizeof order));
    CHECK_LT(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                              sizeof count));
    CHECK_LT(cublasLtMatrixLayoutSetAttribute(
        layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &offset, sizeof offset));
  }
  ~Matrix() { CHECK_LT(cublasLtMatrixLayoutDestroy(layout)); }
  int step() const { return ld * (byRow ? rows : cols); }
  size_t place(int i, int j, int batch = 0) const {
    return size_t(batch) * step() + (byRow ? i * ld + j : i + j * ld);
  }
};

struct Case {
  int m, n, k;
  bool transA, transB, rowsA, rowsB, rowsD;
  int batches;
  cublasLtEpilogue_t epilogue;
  bool inPlace; ///< C is D.
};

constexpr double kA = 0.79788456080286535588, kB = 0.044715; // sqrt(2 / pi)
static double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(kA * (x + kB * x * x * x)));
}
static double geluGradient(double x) {
  const double t = std::tanh(kA * (x + kB * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kA * (1 + 3 * kB * x * x);
}

/// SCALE: the type of alpha and beta, and of what is computed in.
template <class T, class Out, class Scale>
void product(const Case &x, cublasComputeType_t compute, bool onDevice) {
  Matrix<T> a(x.transA ? x.k : x.m, x.transA ? x.m : x.k, x.rowsA, x.batches, 1),
      b(x.transB ? x.n : x.k, x.transB ? x.k : x.n, x.rowsB, x.batches, 2);
  Matrix<Out> c(x.m, x.n, x.rowsD, x.batches, 3), d(x.m, x.n, x.rowsD, x.batches, 4);
  cublasLtMatmulDesc_t desc;
  CHECK_LT(cublasLtMatmulDescCreate(&desc, compute, typeOf<Scale>));
  auto set = [&](cublasLtMatmulDescAttributes_t attribute, auto value) {
    CHECK_LT(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value));
  };
  set(CUBLASLT_MATMUL_DESC_TRANSA, int32_t(x.transA ? CUBLAS_OP_T : CUBLAS_OP_N));
  set(CUBLASLT_MATMUL_DESC_TRANSB, int32_t(x.transB ? CUBLAS_OP_T : CUBLAS_OP_N));
  set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(x.epilogue));
  const unsigned kind = x.epilogue;
  const bool ofRelu = kind & 2 || kind == 136 || kind == 152, ofGelu = kind & 32,
             ofGradient = kind & 8 || (kind & 192) == 192;
  const std::vector<Out> bias = randoms<Out>(x.m, 5);
  DeviceArray<Out> biasThere(bias);
  if (kind & (4 | 16))
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, (void *)(Out *)biasThere);
  // Bits, or arguments; a case of the gradient has any of them.
  const int auxLd = 128;
  std::vector<unsigned char> bits(auxLd / 8 * x.n);
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = (unsigned char)mixed(unsigned(i));
  std::vector<Out> arguments = randoms<Out>(auxLd * x.n, 6);
  DeviceArray<unsigned char> bitsThere(bits);
  DeviceArray<Out> argumentsThere(arguments);
  if (kind & 128) {
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
        ofRelu ? (void *)(unsigned char *)bitsThere : (void *)(Out *)argumentsThere);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(auxLd));
  }
  Scale alpha = Scale(2.f), beta = Scale(-1.f);
  DeviceArray<Scale> scalars(std::vector<Scale>{alpha, beta});
  if (onDevice)
    set(CUBLASLT_MATMUL_DESC_POINTER_MODE, int32_t(CUBLASLT_POINTER_MODE_DEVICE));
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t result;
  int found = 0;
  CHECK_LT(cublasLtMatmulPreferenceCreate(&preference));
  const uint64_t workspace = 1 << 20;
  CHECK_LT(cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace));
  CHECK_LT(cublasLtMatmulAlgoGetHeuristic(handle, desc, a.layout, b.layout, c.layout, d.layout,
                                          preference, 1, &result, &found));
  EXPECT(found == 1 && result.state == CUBLAS_STATUS_SUCCESS && result.workspaceSize <= workspace);
  Matrix<Out> &into = x.inPlace ? c : d;
  CHECK_LT(cublasLtMatmul(handle, desc, onDevice ? (Scale *)scalars : &alpha, (T *)a.elements,
                          a.layout, (T *)b.elements, b.layout,
                          onDevice ? (Scale *)scalars + 1 : &beta, (Out *)c.elements, c.layout,
                          (Out *)into.elements, into.layout, &result.algo, nullptr, 0, nullptr));
  const std::vector<Out> got = into.elements.host(), sums = biasThere.host(),
                         stored = argumentsThere.host();
  const std::vector<unsigned char> storedBits = bitsThere.host();
  const double epsilon = sizeof(Out) == 2   ? (std::is_same_v<Out, __half> ? 2e-3 : 1.6e-2)
                         : sizeof(Out) == 4 ? 1e-5
                                            : 1e-13;
  for (int batch = 0; batch < x.batches; ++batch)
    for (int i = 0; i < x.m; ++i) {
      double gradient = 0;
      for (int j = 0; j < x.n; ++j) {
        double sum = 0;
        for (int l = 0; l < x.k; ++l)
          sum += number(a.host[x.transA ? a.place(l, i, batch) : a.place(i, l, batch)]) *
                 number(b.host[x.transB ? b.place(j, l, batch) : b.place(l, j, batch)]);
        double want = 2 * sum - number(c.host[c.place(i, j, batch)]);
        if (kind & 4)
          want += number(bias[i]);
        const double argument = want;
        const size_t at = i + size_t(j) * auxLd;
        if (ofGradient)
          want *= ofRelu ? bits[at / 8] >> at % 8 & 1 : geluGradient(number(arguments[at]));
        else if (ofRelu)
          want = std::max(want, 0.0);
        else if (ofGelu)
          want = gelu(want);
        const double bound = epsilon * (1 + std::fabs(want) + x.k / 4);
        const double value = number(got[into.place(i, j, batch)]);
        if (!expect(std::fabs(value - want) <= bound, "matmul", kind) && wrongResults() <= 10)
          std::printf("  got %g, wanted %g\n", value, want);
        gradient += value;
        if (kind & 128 && !ofGradient && ofRelu && std::fabs(argument) > 1e-2)
          expect((storedBits[at / 8] >> at % 8 & 1) == (argument > 0), "bits", kind);
        if (kind & 128 && !ofGradient && ofGelu)
          expect(std::fabs(number(stored[at]) - argument) <=
                     epsilon * (1 + std::fabs(argument) + x.k / 4),
                 "arguments", kind);
      }
      if (kind & 16)
        expect(std::fabs(number(sums[i]) - gradient) <= 10 * epsilon * (1 + std::fabs(gradient)),
               "sums", kind);
    }
  CHECK_LT(cublasLtMatmulPreferenceDestroy(preference));
  CHECK_LT(cublasLtMatmulDescDestroy(desc));
}

static void transforms() {
  for (bool byRow : {false, true})
    for (bool trans : {false, true}) {
      Matrix<float> a(trans ? 5 : 7, trans ? 7 : 5, false, 1, 7);
      Matrix<__half> b(7, 5, byRow, 1, 8), c(7, 5, true, 1, 9);
      cublasLtMatrixTransformDesc_t desc;
      CHECK_LT(cublasLtMatrixTransformDescCreate(&desc, CUDA_R_32F));
      const int32_t op = trans ? CUBLAS_OP_T : CUBLAS_OP_N;
      CHECK_LT(cublasLtMatrixTransformDescSetAttribute(
          desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &op, sizeof op));
      const float alpha = 2, beta = 3;
      CHECK_LT(cublasLtMatrixTransform(handle, desc, &alpha, (float *)a.elements, a.layout, &beta,
                                       (__half *)b.elements, b.layout, (__half *)c.elements,
                                       c.layout, nullptr));
      const std::vector<__half> got = c.elements.host();
      for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 5; ++j) {
          const double want = 2 * a.host[trans ? a.place(j, i) : a.place(i, j)] +
                              3 * number(b.host[b.place(i, j)]);
          expect(std::fabs(number(got[c.place(i, j)]) - want) <= 1e-3 * (1 + std::fabs(want)),
                 "transform", trans);
        }
      CHECK_LT(cublasLtMatrixTransformDescDestroy(desc));
    }
}

/// What there is not is refused by the heuristic and by the product.
static void refusals() {
  Matrix<float> a(4, 4, false, 1, 1), wrong(5, 4, false, 1, 1);
  cublasLtMatmulDescOpaque_t memory;
  CHECK_LT(cublasLtMatmulDescInit(&memory, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  cublasLtMatmulHeuristicResult_t result;
  int found = 7;
  const float one = 1;
  float *const data = a.elements;
  auto heuristic = [&](cublasLtMatrixLayout_t d) {
    return cublasLtMatmulAlgoGetHeuristic(handle, &memory, a.layout, a.layout, d, d, nullptr, 1,
                                          &result, &found);
  };
  auto multiply = [&](cublasLtHandle_t h, cublasLtMatrixLayout_t d) {
    return cublasLtMatmul(h, &memory, &one, data, a.layout, data, a.layout, &one, data, d, data, d,
                          nullptr, nullptr, 0, nullptr);
  };
  EXPECT(heuristic(wrong.layout) == CUBLAS_STATUS_INVALID_VALUE && found == 0);
  EXPECT(multiply(handle, wrong.layout) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(multiply(nullptr, a.layout) == CUBLAS_STATUS_NOT_INITIALIZED);
  uint32_t epilogue = CUBLASLT_EPILOGUE_BGRADA;
  CHECK_LT(cublasLtMatmulDescSetAttribute(&memory, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                          sizeof epilogue));
  EXPECT(heuristic(a.layout) == CUBLAS_STATUS_NOT_SUPPORTED && found == 0);
  epilogue = CUBLASLT_EPILOGUE_BIAS; // without a bias
  CHECK_LT(cublasLtMatmulDescSetAttribute(&memory, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                          sizeof epilogue));
  EXPECT(multiply(handle, a.layout) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasLtMatmulDescSetAttribute(&memory, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  size_t written = 0;
  uint32_t read = 0;
  CHECK_LT(cublasLtMatmulDescGetAttribute(&memory, CUBLASLT_MATMUL_DESC_EPILOGUE, &read,
                                          sizeof read, &written));
  EXPECT(read == CUBLASLT_EPILOGUE_BIAS && written == sizeof read);
  CHECK_LT(cublasLtMatmulDescInit(&memory, CUBLAS_COMPUTE_64F, CUDA_R_64F));
  EXPECT(heuristic(a.layout) == CUBLAS_STATUS_NOT_SUPPORTED); // of float
}

int main(int argc, char **) {
  CHECK_LT(cublasLtCreate(&handle));
  const cublasLtEpilogue_t epilogues[] = {
      CUBLASLT_EPILOGUE_DEFAULT,  CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_BIAS,
      CUBLASLT_EPILOGUE_GELU,     CUBLASLT_EPILOGUE_RELU_BIAS,     CUBLASLT_EPILOGUE_GELU_BIAS,
      CUBLASLT_EPILOGUE_RELU_AUX, CUBLASLT_EPILOGUE_RELU_AUX_BIAS, CUBLASLT_EPILOGUE_GELU_AUX,
      CUBLASLT_EPILOGUE_DRELU,    CUBLASLT_EPILOGUE_DRELU_BGRAD,   CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
      CUBLASLT_EPILOGUE_DGELU,    CUBLASLT_EPILOGUE_DGELU_BGRAD};
  for (cublasLtEpilogue_t epilogue : epilogues)
    for (bool onDevice : {false, true}) {
      const Case x{11, 5, 6, false, true, false, false, false, 1, epilogue, onDevice};
      product<float, float, float>(x, CUBLAS_COMPUTE_32F, onDevice);
      product<__half, __half, float>(x, CUBLAS_COMPUTE_32F, onDevice);
      if (argc > 1) {
        product<double, double, double>(x, CUBLAS_COMPUTE_64F, onDevice);
        product<__nv_bfloat16, __nv_bfloat16, float>(x, CUBLAS_COMPUTE_32F, onDevice);
        product<__half, __half, __half>(x, CUBLAS_COMPUTE_16F, onDevice);
      }
    }
  for (int bits = 0; bits < 32; ++bits)
    if (argc > 1 || bits % 11 == 5) {
      const Case x{9, 7, 5, bool(bits & 1), bool(bits & 2), bool(bits & 4), bool(bits & 8),
                   bool(bits & 16), 2, CUBLASLT_EPILOGUE_DEFAULT, false};
      product<float, float, float>(x, CUBLAS_COMPUTE_32F_FAST_TF32, false);
      Case withEpilogue = x;
      withEpilogue.epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
      product<__half, __half, float>(withEpilogue, CUBLAS_COMPUTE_32F, false);
      product<signed char, int, int>(x, CUBLAS_COMPUTE_32I, false);
    }
  transforms();
  refusals();
  CHECK_LT(cublasLtDestroy(handle));
  return finish();
}
