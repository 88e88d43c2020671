// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../common/Launch.h"
#include "Epilogue.h"

namespace vx::blaslt {
namespace {

/// The approximation by tanh that cublasLt specifies: x / 2 (1 + tanh(a (x + b x^3))).
template <class R> __device__ R tangent(R x) {
  return tanh(R(0.79788456080286535588) * (x + R(0.044715) * x * x * x));
}
template <class R> __device__ R gelu(R x) {
  return R(0.5) * x * (R(1) + tangent(x));
}
template <class R> __device__ R geluGradient(R x) {
  const R t = tangent(x), inner = R(0.79788456080286535588) * (R(1) + R(3) * R(0.044715) * x * x);
  return R(0.5) * (R(1) + t) + R(0.5) * x * (R(1) - t * t) * inner;
}

/// A thread has 8 rows of a column, whose bits are one byte.
template <class R>
cudaError_t applyIn(const Epilogue &e, const Sizes &sizes, const Matrix &product, const Matrix &d,
                    cudaStream_t stream) {
  const long long groups = (sizes.rows + 7) / 8, columns = sizes.columns, rows = sizes.rows;
  return launch(stream, groups * columns * sizes.batches, [=] __device__(long long index) {
    const long long first = index % groups * 8, j = index / groups % columns,
                    batch = index / groups / columns;
    const bool hasBits = e.function == Function::Relu || e.function == Function::ReluGradient;
    unsigned char *const bits =
        static_cast<unsigned char *>(e.aux) + (first + j * e.auxLd + batch * e.auxStep) / 8;
    unsigned mask = hasBits && e.function == Function::ReluGradient ? *bits : 0;
    for (int k = 0; k < 8 && first + k < rows; ++k) {
      const long long i = first + k, aux = i + j * e.auxLd + batch * e.auxStep;
      R x = load<R>(product.data, product.type, product.place(i, j, batch));
      if (e.addsBias)
        x += load<R>(e.bias, e.biasType, i + batch * e.biasStep);
      switch (e.function) {
      case Function::None:
        break;
      case Function::Relu:
        mask |= unsigned(x > R(0)) << k;
        x = x > R(0) ? x : x == x ? R(0) : x;
        break;
      case Function::Gelu:
        if (e.storesAux)
          store(e.aux, e.auxType, aux, x);
        x = gelu(x);
        break;
      case Function::ReluGradient:
        x = mask >> k & 1 ? x : R(0);
        break;
      case Function::GeluGradient:
        x *= geluGradient(load<R>(e.aux, e.auxType, aux));
        break;
      }
      store(d.data, d.type, d.place(i, j, batch), x);
    }
    if (e.storesAux && e.function == Function::Relu)
      *bits = (unsigned char)mask;
  });
}

/// The sums of D's rows.
template <class R>
cudaError_t sumGradient(const Epilogue &e, const Sizes &sizes, const Matrix &d,
                        cudaStream_t stream) {
  const long long rows = sizes.rows, columns = sizes.columns;
  return launch(stream, rows * sizes.batches, [=] __device__(long long index) {
    const long long i = index % rows, batch = index / rows;
    R sum = 0;
    for (long long j = 0; j < columns; ++j)
      sum += load<R>(d.data, d.type, d.place(i, j, batch));
    store(e.bias, e.biasType, i + batch * e.biasStep, sum);
  });
}

} // namespace

cudaError_t apply(const Epilogue &epilogue, const Sizes &sizes, const Matrix &product,
                  const Matrix &d, cudaStream_t stream) {
  const bool isDouble = product.type == CUDA_R_64F;
  cudaError_t error =
      (isDouble ? applyIn<double> : applyIn<float>)(epilogue, sizes, product, d, stream);
  if (error == cudaSuccess && epilogue.sumsGradient)
    error = (isDouble ? sumGradient<double> : sumGradient<float>)(epilogue, sizes, d, stream);
  return error;
}

} // namespace vx::blaslt
