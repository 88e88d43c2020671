// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASXt's handle, and how work is dealt out: the columns of the result, or its rows where the
// other factor stands on the right, in panels of the block dimension, one for each device at a
// time. What all panels need is copied to each device once.

#ifndef VX_LIBRARIES_BLAS_XT_PANELS_H
#define VX_LIBRARIES_BLAS_XT_PANELS_H

#include "Handle.h"
#include <algorithm>
#include <array>
#include <climits>
#include <cublasXt.h>
#include <vector>

namespace vx::blas::xt {

/// A device that takes part.
struct Board {
  int device;
  cublasHandle_t blas = nullptr;
  cudaStream_t stream = nullptr;
};

/// The part of an operand that a panel needs.
enum class Split { Whole, Columns, Rows };

constexpr int kMaxBoards = 32, kDefaultBlockDim = 2048;

} // namespace vx::blas::xt

struct cublasXtContext {
  std::vector<vx::blas::xt::Board> boards;
  int blockDim = vx::blas::xt::kDefaultBlockDim;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};

namespace vx::blas::xt {

/// The current device is the same afterwards.
struct KeepDevice {
  int device = 0;
  KeepDevice() { cudaGetDevice(&device); }
  KeepDevice(const KeepDevice &) = delete;
  ~KeepDevice() { cudaSetDevice(device); }
};

/// A matrix of the caller's, by columns.
template <class T> struct Operand {
  T *data;
  size_t rows, columns, step; ///< of the part of it that is used; elements from column to column
  Split split = Split::Whole;
  bool isResult = false;

  Operand(const T *data, size_t rows, size_t columns, size_t step, Split split = Split::Whole)
      : data(const_cast<T *>(data)), rows(rows), columns(columns), step(step), split(split) {}
  Operand asResult() const {
    Operand result = *this;
    result.isResult = true;
    return result;
  }

  bool isValid() const {
    return rows <= INT_MAX && columns <= INT_MAX && step <= INT_MAX &&
           step >= std::max<size_t>(rows, 1);
  }
  /// COUNT columns or rows from FIRST on.
  Operand part(size_t first, size_t count) const {
    Operand result = *this;
    if (split == Split::Columns) {
      result.data += first * step;
      result.columns = count;
    } else if (split == Split::Rows) {
      result.data += first;
      result.rows = count;
    }
    return result;
  }
};

/// An operand, or a part of it, in memory of a device.
template <class T> class DeviceMatrix {
public:
  DeviceMatrix() = default;
  DeviceMatrix(const DeviceMatrix &) = delete;
  ~DeviceMatrix() { cudaFree(elements); }

  T *data() const { return elements; }
  int step() const { return int(std::max<size_t>(rows, 1)); }

  /// Loads a part to the current device. The first part is the largest.
  cudaError_t load(const Operand<T> &from, cudaStream_t stream) {
    if (isLoaded && from.split == Split::Whole)
      return cudaSuccess;
    rows = from.rows;
    cudaError_t error = cudaSuccess;
    if (!elements)
      error = cudaMalloc(&elements, std::max<size_t>(from.rows * from.columns, 1) * sizeof(T));
    if (error == cudaSuccess && from.rows && from.columns)
      error = cudaMemcpy2DAsync(elements, rows * sizeof(T), from.data, from.step * sizeof(T),
                                rows * sizeof(T), from.columns, cudaMemcpyDefault, stream);
    isLoaded = error == cudaSuccess;
    return error;
  }
  cudaError_t store(const Operand<T> &to, cudaStream_t stream) const {
    if (!to.rows || !to.columns)
      return cudaSuccess;
    return cudaMemcpy2DAsync(to.data, to.step * sizeof(T), elements, rows * sizeof(T),
                             rows * sizeof(T), to.columns, cudaMemcpyDefault, stream);
  }

private:
  T *elements = nullptr;
  size_t rows = 0;
  bool isLoaded = false;
};

template <class T, size_t N> using Operands = std::array<Operand<T>, N>;
template <class T, size_t N> using DeviceMatrices = std::array<DeviceMatrix<T>, N>;

/// Copies the parts of OPERANDS to BOARD and calls CALL(handle, matrices, count) there.
template <class T, size_t N, class Call>
cublasStatus_t start(const Board &board, DeviceMatrices<T, N> &matrices,
                     const Operands<T, N> &operands, size_t first, size_t count, Call call) {
  cudaError_t error = cudaSetDevice(board.device);
  for (size_t i = 0; i != N && error == cudaSuccess; ++i)
    error = matrices[i].load(operands[i].part(first, count), board.stream);
  return error == cudaSuccess ? call(board.blas, matrices, int(count)) : statusOf(error);
}

template <class T, size_t N>
cublasStatus_t finish(const Board &board, const DeviceMatrices<T, N> &matrices,
                      const Operands<T, N> &operands, size_t first, size_t count) {
  cudaError_t error = cudaSetDevice(board.device);
  for (size_t i = 0; i != N && error == cudaSuccess; ++i)
    if (operands[i].isResult)
      error = matrices[i].store(operands[i].part(first, count), board.stream);
  if (error == cudaSuccess)
    error = cudaStreamSynchronize(board.stream);
  return statusOf(error);
}

/// EXTENT columns or rows of the operands that are split, in panels: one for each board at a time.
template <class T, size_t N, class Call>
cublasStatus_t compute(cublasXtHandle_t handle, size_t extent, const Operands<T, N> &operands,
                       Call call) {
  VX_BLAS_CHECK(handle && !handle->boards.empty(), true);
  bool isSplit = false;
  for (const Operand<T> &operand : operands) {
    if (!operand.isValid())
      return CUBLAS_STATUS_INVALID_VALUE;
    isSplit |= operand.split != Split::Whole;
  }
  const KeepDevice keep;
  const size_t panel = isSplit ? handle->blockDim : extent;
  std::vector<DeviceMatrices<T, N>> matrices(handle->boards.size());
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  auto forBoards = [&](size_t first, auto visit) {
    for (size_t b = 0; b != matrices.size(); ++b)
      if (size_t at = first + b * panel; at < extent && status == CUBLAS_STATUS_SUCCESS)
        status = visit(handle->boards[b], matrices[b], at, std::min(panel, extent - at));
  };
  for (size_t first = 0; first < extent && status == CUBLAS_STATUS_SUCCESS;
       first += panel * matrices.size()) {
    forBoards(first, [&](const Board &board, auto &own, size_t at, size_t count) {
      return start(board, own, operands, at, count, call);
    });
    forBoards(first, [&](const Board &board, auto &own, size_t at, size_t count) {
      return finish(board, own, operands, at, count);
    });
  }
  for (size_t b = 0; b != matrices.size() && status != CUBLAS_STATUS_SUCCESS; ++b) {
    cudaSetDevice(handle->boards[b].device); // nothing is under way when memory is freed
    cudaStreamSynchronize(handle->boards[b].stream);
  }
  return status;
}

} // namespace vx::blas::xt

#endif // VX_LIBRARIES_BLAS_XT_PANELS_H
