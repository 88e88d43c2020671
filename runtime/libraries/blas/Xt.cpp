// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLASXt: cuBLAS's level 3 for matrices in memory of the host or of any device (XtPanels.h).
// Updates of a triangle are one panel, of the first device.

#include "XtPanels.h"

namespace vx::blas::xt {

// Each of the functions below is cublasXt's of its name, by FUNCTION of cuBLAS.

template <class T, class Function> auto gemm(Function function) {
  return [=](cublasXtHandle_t handle, cublasOperation_t transA, cublasOperation_t transB, size_t m,
             size_t n, size_t k, const T *alpha, const T *a, size_t lda, const T *b, size_t ldb,
             const T *beta, T *c, size_t ldc) {
    const bool plainA = transA == CUBLAS_OP_N, plainB = transB == CUBLAS_OP_N;
    const Operands<T, 3> operands = {
        Operand<T>(a, plainA ? m : k, plainA ? k : m, lda),
        Operand<T>(b, plainB ? k : n, plainB ? n : k, ldb, plainB ? Split::Columns : Split::Rows),
        Operand<T>(c, m, n, ldc, Split::Columns).asResult()};
    return compute(handle, n, operands, [=](cublasHandle_t blas, auto &own, int count) {
      return function(blas, transA, transB, int(m), count, int(k), alpha, own[0].data(),
                      own[0].step(), own[1].data(), own[1].step(), beta, own[2].data(),
                      own[2].step());
    });
  };
}

/// The size of the square matrix on SIDE of one of M x N, how the latter is split, and how far.
struct Sided {
  Sided(cublasSideMode_t side, size_t m, size_t n)
      : size(side == CUBLAS_SIDE_LEFT ? m : n), extent(side == CUBLAS_SIDE_LEFT ? n : m),
        split(side == CUBLAS_SIDE_LEFT ? Split::Columns : Split::Rows) {}
  size_t size, extent;
  Split split;
  int rows(size_t m, int count) const { return split == Split::Columns ? int(m) : count; }
  int columns(size_t n, int count) const { return split == Split::Columns ? count : int(n); }
};

template <class T, class Function> auto symm(Function function) {
  return [=](cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m,
             size_t n, const T *alpha, const T *a, size_t lda, const T *b, size_t ldb,
             const T *beta, T *c, size_t ldc) {
    const Sided sided(side, m, n);
    const Operands<T, 3> operands = {Operand<T>(a, sided.size, sided.size, lda),
                                     Operand<T>(b, m, n, ldb, sided.split),
                                     Operand<T>(c, m, n, ldc, sided.split).asResult()};
    return compute(handle, sided.extent, operands, [=](cublasHandle_t blas, auto &own, int count) {
      return function(blas, side, uplo, sided.rows(m, count), sided.columns(n, count), alpha,
                      own[0].data(), own[0].step(), own[1].data(), own[1].step(), beta,
                      own[2].data(), own[2].step());
    });
  };
}
template <class T, class Function> auto hemm(Function function) {
  return symm<T>(function);
}

/// A triangle stored without gaps becomes a matrix first.
template <class T, class Function> auto spmm(Function function) {
  return
      [=](cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n,
          const T *alpha, const T *ap, const T *b, size_t ldb, const T *beta, T *c, size_t ldc) {
        const size_t size = Sided(side, m, n).size;
        if (size > INT_MAX)
          return CUBLAS_STATUS_INVALID_VALUE;
        std::vector<T> packed(size * (size + 1) / 2), full(size * size);
        if (size) {
          cudaError_t error =
              cudaMemcpy(packed.data(), ap, packed.size() * sizeof(T), cudaMemcpyDefault);
          if (error != cudaSuccess)
            return statusOf(error);
        }
        auto from = packed.begin();
        for (size_t j = 0; j != size; ++j) {
          const bool lower = uplo == CUBLAS_FILL_MODE_LOWER;
          const size_t first = lower ? j : 0, count = lower ? size - j : j + 1;
          std::copy_n(from, count, full.begin() + ptrdiff_t(j * size + first));
          from += ptrdiff_t(count);
        }
        return symm<T>(function)(handle, side, uplo, m, n, alpha, full.data(),
                                 std::max<size_t>(size, 1), b, ldb, beta, c, ldc);
      };
}

template <class T, class Function> auto trmm(Function function) {
  return [=](cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
             cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T *alpha,
             const T *a, size_t lda, const T *b, size_t ldb, T *c, size_t ldc) {
    const Sided sided(side, m, n);
    const Operands<T, 3> operands = {Operand<T>(a, sided.size, sided.size, lda),
                                     Operand<T>(b, m, n, ldb, sided.split),
                                     Operand<T>(c, m, n, ldc, sided.split).asResult()};
    return compute(handle, sided.extent, operands, [=](cublasHandle_t blas, auto &own, int count) {
      return function(blas, side, uplo, trans, diag, sided.rows(m, count), sided.columns(n, count),
                      alpha, own[0].data(), own[0].step(), own[1].data(), own[1].step(),
                      own[2].data(), own[2].step());
    });
  };
}

template <class T, class Function> auto trsm(Function function) {
  return [=](cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
             cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T *alpha,
             const T *a, size_t lda, T *b, size_t ldb) {
    const Sided sided(side, m, n);
    const Operands<T, 2> operands = {Operand<T>(a, sided.size, sided.size, lda),
                                     Operand<T>(b, m, n, ldb, sided.split).asResult()};
    return compute(handle, sided.extent, operands, [=](cublasHandle_t blas, auto &own, int count) {
      return function(blas, side, uplo, trans, diag, sided.rows(m, count), sided.columns(n, count),
                      alpha, own[0].data(), own[0].step(), own[1].data(), own[1].step());
    });
  };
}

/// C = alpha A A' + beta C.
template <class T, class Function> auto syrk(Function function) {
  return [=](cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n,
             size_t k, auto *alpha, const T *a, size_t lda, auto *beta, T *c, size_t ldc) {
    const bool plain = trans == CUBLAS_OP_N;
    const Operands<T, 2> operands = {Operand<T>(a, plain ? n : k, plain ? k : n, lda),
                                     Operand<T>(c, n, n, ldc).asResult()};
    return compute(handle, n, operands, [=](cublasHandle_t blas, auto &own, int count) {
      return function(blas, uplo, trans, count, int(k), alpha, own[0].data(), own[0].step(), beta,
                      own[1].data(), own[1].step());
    });
  };
}
template <class T, class Function> auto herk(Function function) {
  return syrk<T>(function);
}

/// Updates by two matrices.
template <class T, class Function> auto syr2k(Function function) {
  return [=](cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n,
             size_t k, const T *alpha, const T *a, size_t lda, const T *b, size_t ldb, auto *beta,
             T *c, size_t ldc) {
    const bool plain = trans == CUBLAS_OP_N;
    const size_t rows = plain ? n : k, columns = plain ? k : n;
    const Operands<T, 3> operands = {Operand<T>(a, rows, columns, lda),
                                     Operand<T>(b, rows, columns, ldb),
                                     Operand<T>(c, n, n, ldc).asResult()};
    return compute(handle, n, operands, [=](cublasHandle_t blas, auto &own, int count) {
      return function(blas, uplo, trans, count, int(k), alpha, own[0].data(), own[0].step(),
                      own[1].data(), own[1].step(), beta, own[2].data(), own[2].step());
    });
  };
}
template <class T, class Function> auto syrkx(Function function) {
  return syr2k<T>(function);
}
template <class T, class Function> auto her2k(Function function) {
  return syr2k<T>(function);
}
template <class T, class Function> auto herkx(Function function) {
  return syr2k<T>(function);
}

static void release(std::vector<Board> &boards) {
  const KeepDevice keep;
  for (const Board &board : boards) {
    cudaSetDevice(board.device);
    if (board.blas)
      cublasDestroy(board.blas);
    if (board.stream)
      cudaStreamDestroy(board.stream);
  }
  boards.clear();
}

static cublasStatus_t prepare(Board &board) {
  if (cudaSetDevice(board.device) != cudaSuccess)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (cudaError_t error = cudaStreamCreate(&board.stream); error != cudaSuccess)
    return statusOf(error);
  if (cublasStatus_t status = cublasCreate(&board.blas); status != CUBLAS_STATUS_SUCCESS)
    return status;
  return cublasSetStream(board.blas, board.stream);
}

} // namespace vx::blas::xt

using namespace vx::blas::xt;

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasXtContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  VX_BLAS_CHECK(handle, true);
  release(handle->boards);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

/// Each device is a board of its own.
cublasStatus_t cublasXtGetNumBoards(int deviceCount, int devices[], int *boards) {
  if (deviceCount <= 0 || !devices || !boards)
    return CUBLAS_STATUS_INVALID_VALUE;
  *boards = deviceCount;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtMaxBoards(int *boards) {
  if (!boards)
    return CUBLAS_STATUS_INVALID_VALUE;
  *boards = kMaxBoards;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int deviceCount, int devices[]) {
  VX_BLAS_CHECK(handle, deviceCount > 0 && deviceCount <= kMaxBoards && devices);
  const KeepDevice keep;
  std::vector<Board> boards;
  for (int i = 0; i != deviceCount; ++i) {
    boards.push_back({devices[i]});
    if (cublasStatus_t status = prepare(boards.back()); status != CUBLAS_STATUS_SUCCESS) {
      release(boards);
      return status;
    }
  }
  release(handle->boards);
  handle->boards = std::move(boards);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim) {
  VX_BLAS_CHECK(handle, blockDim > 0);
  handle->blockDim = blockDim;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim) {
  VX_BLAS_CHECK(handle, blockDim);
  *blockDim = handle->blockDim;
  return CUBLAS_STATUS_SUCCESS;
}

/// Accepted: copies are as fast without.
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  VX_BLAS_CHECK(handle, true);
  handle->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t *mode) {
  VX_BLAS_CHECK(handle, mode);
  *mode = handle->pinning;
  return CUBLAS_STATUS_SUCCESS;
}

/// Accepted, as is a ratio: the devices do all of the work.
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t, cublasXtOpType_t,
                                     void *) {
  VX_BLAS_CHECK(handle, true);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t, cublasXtOpType_t,
                                   float ratio) {
  VX_BLAS_CHECK(handle, ratio >= 0 && ratio <= 1);
  return CUBLAS_STATUS_SUCCESS;
}

#define VX_BLAS_DEFINE_XT(PREFIX, NAME, FUNCTION, PARAMETERS, ARGUMENTS)                           \
  cublasStatus_t cublasXt##PREFIX##NAME PARAMETERS {                                               \
    return NAME<VX_BLAS_T>(cublas##PREFIX##FUNCTION) ARGUMENTS;                                    \
  }
#define VX_BLAS_XT(PREFIX, NAME, FUNCTION, PARAMETERS, ARGUMENTS)                                  \
  VX_BLAS_DEFINE_XT(PREFIX, NAME, FUNCTION, PARAMETERS, ARGUMENTS)
#define VX_BLAS_LEVEL "vx/blas/xt.def"
#include "vx/blas/rows.h"

} // extern "C"
