// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel for products of matrices, in all types. A block computes a tile of C; tiles of A and B
// pass through shared memory, and each thread keeps a square of C's elements in registers.

#include "Gemm.h"

namespace vx::blas {

/// The shape of tiles for an element of SIZE bytes: MICRO x MICRO elements for each of 4 x 4
/// threads.
template <int Size> struct Tiling {
  static constexpr int threads = 4;
  static constexpr int count = threads * threads;
  static constexpr int micro = Size <= 8 ? 4 : 2;
  static constexpr int tile = threads * micro;
  static constexpr int depth = 8;
};

/// One thread's part in bringing tiles of a factor into shared memory. In a tile, r runs along the
/// result and k along the sum: rows and columns of A, columns and rows of B.
template <class In, class Acc, bool Structured, bool Right> class TileReader {
public:
  typedef Tiling<sizeof(Acc)> T;
  typedef Acc Tile[T::depth][T::tile + 1];

  /// The part of THREAD in the tiles from FIRST on of LENGTH rows of A or columns of B.
  __device__ __forceinline__ TileReader(const Factor<In> &factor, const In *data, int first,
                                        int length, int thread)
      : factor(factor), data(data) {
    rStep = Right ? factor.columnStep : factor.rowStep;
    kStep = Right ? factor.rowStep : factor.columnStep;
    // Neighbouring threads read along the dimension in which the factor is dense.
    const bool dense = rStep == 1;
    r = dense ? thread % T::tile : thread / T::depth;
    k = dense ? thread / T::tile : thread % T::depth;
    rAdvance = dense ? 0 : T::count / T::depth;
    kAdvance = dense ? T::count / T::tile : 0;
    const int start = r + first;
    left = length - first;
    this->first = first;
    next = data + start * rStep + k * kStep;
  }

  /// Reads the elements of the sum from BASE to INNER, as many as a tile has.
  __device__ __forceinline__ void read(Tile &tile, int base, int inner) {
    const In *from = next;
    int row = r, depth = k;
#pragma unroll 1
    for (int i = 0; i < T::tile * T::depth / T::count; ++i) {
      Acc element(0);
      if (row < left && base + depth < inner)
        element = get(from, first + row, base + depth);
      tile[depth][row] = element;
      row += rAdvance;
      depth += kAdvance;
      from += rAdvance * rStep + kAdvance * kStep;
    }
    next += T::depth * kStep;
  }

private:
  __device__ __forceinline__ Acc get(const In *from, int row, int depth) const {
    if constexpr (Structured)
      if (factor.structured)
        return convert<Acc>(Right ? view().at(depth, row) : view().at(row, depth));
    return conjugateIf(factor.conjugated, convert<Acc>(*from));
  }
  __device__ __forceinline__ View<In> view() const {
    View<In> view = factor.view;
    view.data = data;
    return view;
  }

  const Factor<In> &factor;
  const In *data, *next;
  long long rStep, kStep;
  int r, k, rAdvance, kAdvance, first, left;
};

/// Blocks: tiles of rows, tiles of columns, the batch.
template <class In, class Out, class Acc, bool Structured>
__global__ void __launch_bounds__(16)
    multiply(Product<In, Out> product, Scalar<Acc> alphas, Scalar<Acc> betas) {
  typedef Tiling<sizeof(Acc)> T;
  __shared__ Acc tileA[T::depth][T::tile + 1], tileB[T::depth][T::tile + 1];
  const int thread = threadIdx.x, x = thread % T::threads, y = thread / T::threads;
  const int firstRow = blockIdx.x * T::tile, firstColumn = blockIdx.y * T::tile;
  if (Structured && product.part != Part::All &&
      (product.part == Part::Lower ? firstRow + T::tile <= firstColumn
                                   : firstColumn + T::tile <= firstRow))
    return;
  const Acc alpha = alphas.get(), beta = betas.get();
  const In *a = product.a.batch.at(blockIdx.z), *b = product.b.batch.at(blockIdx.z);
  Out *c = product.c.at(blockIdx.z);
  constexpr int Unrolled = Structured ? 1 : 4;
  // One pointer each: what is read through them lies at constant distances.
  const Acc *const leftTile = &tileA[0][x], *const rightTile = &tileB[0][y];
  Acc sums[T::micro][T::micro] = {};
  // The loop does not depend on alpha, whose value may come from memory: barriers that all threads
  // of a block are seen to reach make for the better code.
  const int inner = product.inner;
  TileReader<In, Acc, Structured, false> readerA(product.a, a, firstRow, product.rows, thread);
  TileReader<In, Acc, Structured, true> readerB(product.b, b, firstColumn, product.columns, thread);
  for (int base = 0; base < inner; base += T::depth) {
    readerA.read(tileA, base, inner);
    readerB.read(tileB, base, inner);
    __syncthreads();
#pragma unroll Unrolled
    for (int k = 0; k < T::depth; ++k) {
      Acc left[T::micro], right[T::micro];
#pragma unroll
      for (int i = 0; i < T::micro; ++i) {
        left[i] = leftTile[k * (T::tile + 1) + i * T::threads];
        right[i] = rightTile[k * (T::tile + 1) + i * T::threads];
      }
#pragma unroll
      for (int i = 0; i < T::micro; ++i)
#pragma unroll
        for (int j = 0; j < T::micro; ++j)
          sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < T::micro; ++j)
#pragma unroll
    for (int i = 0; i < T::micro; ++i) {
      const int row = firstRow + x + i * T::threads, column = firstColumn + y + j * T::threads;
      if (row >= product.rows || column >= product.columns)
        continue;
      if (Structured && product.part != Part::All &&
          (product.part == Part::Lower ? row < column : row > column))
        continue;
      Out &out = c[row + (long long)column * product.step];
      Acc result = alpha == Acc(0) ? Acc(0) : alpha * sums[i][j];
      if (!(beta == Acc(0)))
        result += beta * convert<Acc>(out);
      if (Structured && product.realDiagonal && row == column)
        result = Acc(realPart(result));
      out = convert<Out>(result);
    }
}

template <class In, class Out, class Acc, bool Structured>
cudaError_t launchProduct(const Product<In, Out> &product, Scalar<Acc> alpha, Scalar<Acc> beta,
                          int batches, cudaStream_t stream) {
  constexpr int tile = Tiling<sizeof(Acc)>::tile, threads = Tiling<sizeof(Acc)>::threads;
  const dim3 blocks((product.rows + tile - 1) / tile, (product.columns + tile - 1) / tile, batches);
  multiply<In, Out, Acc, Structured>
      <<<blocks, threads * threads, 0, stream>>>(product, alpha, beta);
  return cudaGetLastError();
}

// Of matrices as they are, in the types that cublasGemmEx has, and of structured ones.
#define VX_GEMM_TYPES(FACTORS, IN, RESULT, OUT, ACC)                                               \
  template cudaError_t launchProduct<IN, OUT, ACC, false>(const Product<IN, OUT> &, Scalar<ACC>,   \
                                                          Scalar<ACC>, int, cudaStream_t);
#include "GemmTypes.def"
#undef VX_GEMM_TYPES
#define VX_GEMM_STRUCTURED(T)                                                                      \
  template cudaError_t launchProduct<T, T, T, true>(const Product<T, T> &, Scalar<T>, Scalar<T>,   \
                                                    int, cudaStream_t);
VX_GEMM_STRUCTURED(float)
VX_GEMM_STRUCTURED(double)
VX_GEMM_STRUCTURED(Complex<float>)
VX_GEMM_STRUCTURED(Complex<double>)

} // namespace vx::blas
