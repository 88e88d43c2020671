// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp matrix functions (CUDA C++ Programming Guide, "Warp Matrix Functions"): all shapes and types
// of compute capability 8.0. The fragments of a warp hold a matrix once, spread over its 32 lanes;
// mma_sync() computes with the lanes exchanging elements by shuffles.
//
// A lane is (g, t) = (lane / 4, lane % 4). It holds
//   of the accumulator  rows g + 8r, columns 2t + 8c and 2t + 8c + 1: the elements that it
//   computes,
//                       in the order that PTX gives the accumulators of mma.m16n8k16;
//   of A                the same rows, every fourth k from t on;
//   of B                the same columns, every eighth k from g on.
// So the k-th step needs A from the lane (g, k % 4) and B from the lane (k % 8, t).

#ifndef VX_CUDA_MMA_H
#define VX_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__CUDA__)

#define __CUDA_MMA_H__
#define VX_MMA static __device__ __forceinline__

namespace nvcuda {
namespace wmma {

namespace precision {
class tf32;
} // namespace precision

namespace experimental {
namespace precision {
class u4;
class s4;
class b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace details {

/// How a fragment of elements T stores them: the type of a register, what pointers to matrices
/// point to, and the bits of an element.
template <class T> struct Storage {
  typedef T Register;
  typedef T Element;
  typedef T Memory;
  static constexpr int bits = 8 * sizeof(T);
};
template <> struct Storage<precision::tf32> {
  typedef float Register;
  typedef float Element;
  typedef float Memory;
  static constexpr int bits = 32;
};
template <> struct Storage<experimental::precision::u4> {
  typedef unsigned Register;
  typedef experimental::precision::u4 Element;
  typedef void Memory;
  static constexpr int bits = 4;
};
template <> struct Storage<experimental::precision::s4> {
  typedef int Register;
  typedef experimental::precision::s4 Element;
  typedef void Memory;
  static constexpr int bits = 4;
};
template <> struct Storage<experimental::precision::b1> {
  typedef unsigned Register;
  typedef experimental::precision::b1 Element;
  typedef void Memory;
  static constexpr int bits = 1;
};

/// True if MxNxK with factors of type T is a shape of compute capability 8.0.
template <int M, int N, int K, class T> struct IsShape {
  static constexpr bool value =
      K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
};
template <int M, int N, int K> struct IsShape<M, N, K, precision::tf32> {
  static constexpr bool value = M == 16 && N == 16 && K == 8;
};
template <int M, int N, int K> struct IsShape<M, N, K, double> {
  static constexpr bool value = M == 8 && N == 8 && K == 4;
};
template <int M, int N, int K> struct IsShape<M, N, K, experimental::precision::u4> {
  static constexpr bool value = M == 8 && N == 8 && K == 32;
};
template <int M, int N, int K>
struct IsShape<M, N, K, experimental::precision::s4>
    : IsShape<M, N, K, experimental::precision::u4> {};
template <int M, int N, int K> struct IsShape<M, N, K, experimental::precision::b1> {
  static constexpr bool value = M == 8 && N == 8 && K == 128;
};

/// True if elements T can be factors of an MxNxK product, or sums.
template <class T> struct IsFactor {
  static constexpr bool value = false;
};
template <> struct IsFactor<__half> {
  static constexpr bool value = true;
};
template <> struct IsFactor<__nv_bfloat16> {
  static constexpr bool value = true;
};
template <> struct IsFactor<signed char> {
  static constexpr bool value = true;
};
template <> struct IsFactor<unsigned char> {
  static constexpr bool value = true;
};
template <> struct IsFactor<double> {
  static constexpr bool value = true;
};
template <> struct IsFactor<precision::tf32> {
  static constexpr bool value = true;
};
template <> struct IsFactor<experimental::precision::u4> {
  static constexpr bool value = true;
};
template <> struct IsFactor<experimental::precision::s4> {
  static constexpr bool value = true;
};
template <> struct IsFactor<experimental::precision::b1> {
  static constexpr bool value = true;
};
template <int M, int N, int K, class T> struct IsSum {
  static constexpr bool value = false;
};
template <int M, int N, int K> struct IsSum<M, N, K, __half> : IsShape<M, N, K, __half> {};
template <int M, int N, int K> struct IsSum<M, N, K, double> : IsShape<M, N, K, double> {};
template <int M, int N, int K> struct IsSum<M, N, K, float> {
  static constexpr bool value =
      IsShape<M, N, K, __half>::value || IsShape<M, N, K, precision::tf32>::value;
};
template <int M, int N, int K> struct IsSum<M, N, K, int> {
  static constexpr bool value = IsShape<M, N, K, signed char>::value ||
                                IsShape<M, N, K, experimental::precision::s4>::value ||
                                IsShape<M, N, K, experimental::precision::b1>::value;
};

VX_MMA int lane() { return __nvvm_read_ptx_sreg_laneid(); }

/// The places of this lane's elements in the matrices. I counts elements of a fragment.
template <int M, int N, int K> struct Places {
  static constexpr int kRows = M / 8; ///< of the accumulator, in a lane
  static constexpr int kCols = N / 4;

  static constexpr int accumulatorIndex(int r, int c) {
    return (c & 1) + 2 * r + 2 * kRows * (c >> 1);
  }
  VX_MMA int accumulatorRow(int i) { return lane() / 4 + 8 * (i / 2 % kRows); }
  VX_MMA int accumulatorCol(int i) { return col(i % 2 + 2 * (i / (2 * kRows))); }

  VX_MMA int aRow(int i) { return lane() / 4 + 8 * (i % kRows); }
  VX_MMA int aK(int i) { return lane() % 4 + 4 * (i / kRows); }

  // A step of four ks leaves half of the lanes without an element of B; each of the others'
  // columns goes to one of two lanes.
  VX_MMA int bK(int i) { return K < 8 ? lane() / 8 : lane() / 4 + 8 * (i / kCols); }
  VX_MMA int bCol(int i) { return K < 8 ? col(lane() / 4 % 2) : col(i % kCols); }

private:
  VX_MMA int col(int c) { return 2 * (lane() % 4) + c % 2 + 8 * (c / 2); }
};

} // namespace details

/// The part of a matrix that the calling thread holds. The order of elements is not specified.
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
  static constexpr bool kIsSum = __is_same(Use, accumulator);
  static constexpr int kElements = (__is_same(Use, matrix_a)   ? M * K
                                    : __is_same(Use, matrix_b) ? K * N
                                                               : M * N) /
                                   32;
  static_assert(kIsSum ? details::IsSum<M, N, K, T>::value
                       : details::IsFactor<T>::value && details::IsShape<M, N, K, T>::value,
                "fragments of this type and shape do not exist in compute capability 8.0");

public:
  typedef typename details::Storage<T>::Element element_type;
  typedef typename details::Storage<T>::Register storage_element_type;
  static constexpr int num_elements = kElements;
  static constexpr int num_storage_elements =
      details::Storage<T>::bits < 8 ? kElements * details::Storage<T>::bits / 32 : kElements;

  storage_element_type x[num_storage_elements];
};

/// Rounds to the 10 explicit bits of tf32's significand, to nearest, ties away from zero.
VX_MMA float __float_to_tf32(float f) {
  unsigned bits = __vx_float_bits(f);
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return f;
  return __vx_bits_float((bits + 0x1000u) & 0xffffe000u);
}

template <class Use, int M, int N, int K, class T, class Layout>
VX_MMA void fill_fragment(fragment<Use, M, N, K, T, Layout> &f,
                          const typename details::Storage<T>::Register &value) {
#pragma unroll
  for (int i = 0; i < f.num_storage_elements; ++i)
    f.x[i] = value;
}

// --- memory ---

namespace details {
/// The word of 32 / BITS elements of row (column) lane / 4 that this lane holds.
template <int BITS> VX_MMA unsigned loadWord(const void *p, unsigned ldm) {
  return static_cast<const unsigned *>(p)[lane() / 4 * (ldm * BITS / 32) + lane() % 4];
}
} // namespace details

/// LDM is the distance of two rows (columns) in elements.
template <int M, int N, int K, class T, class Layout>
VX_MMA void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout> &f,
                             const typename details::Storage<T>::Memory *p, unsigned ldm) {
  typedef details::Places<M, N, K> At;
  constexpr int bits = details::Storage<T>::bits;
  static_assert(bits >= 8 || __is_same(Layout, row_major), "A must be row_major");
  if constexpr (bits < 8) {
    f.x[0] = details::loadWord<bits>(p, ldm);
  } else {
#pragma unroll
    for (int i = 0; i < f.num_elements; ++i)
      f.x[i] = __is_same(Layout, row_major) ? p[At::aRow(i) * ldm + At::aK(i)]
                                            : p[At::aK(i) * ldm + At::aRow(i)];
  }
}

template <int M, int N, int K, class T, class Layout>
VX_MMA void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout> &f,
                             const typename details::Storage<T>::Memory *p, unsigned ldm) {
  typedef details::Places<M, N, K> At;
  constexpr int bits = details::Storage<T>::bits;
  static_assert(bits >= 8 || __is_same(Layout, col_major), "B must be col_major");
  if constexpr (bits < 8) {
    f.x[0] = details::loadWord<bits>(p, ldm);
  } else {
#pragma unroll
    for (int i = 0; i < f.num_elements; ++i)
      f.x[i] = __is_same(Layout, row_major) ? p[At::bK(i) * ldm + At::bCol(i)]
                                            : p[At::bCol(i) * ldm + At::bK(i)];
  }
}

template <int M, int N, int K, class T>
VX_MMA void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm,
                             layout_t layout) {
  typedef details::Places<M, N, K> At;
  unsigned row = layout == mem_row_major ? ldm : 1, col = layout == mem_row_major ? 1 : ldm;
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i)
    f.x[i] = p[At::accumulatorRow(i) * row + At::accumulatorCol(i) * col];
}

template <int M, int N, int K, class T>
VX_MMA void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,
                              layout_t layout) {
  typedef details::Places<M, N, K> At;
  unsigned row = layout == mem_row_major ? ldm : 1, col = layout == mem_row_major ? 1 : ldm;
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i)
    p[At::accumulatorRow(i) * row + At::accumulatorCol(i) * col] = f.x[i];
}

// --- products ---

namespace details {

VX_MMA float widen(__half x) { return __half2float(x); }
VX_MMA float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
// The unit does not read the last bits.
VX_MMA float widen(float x) { return __vx_bits_float(__vx_float_bits(x) & 0xffffe000u); }
VX_MMA double widen(double x) { return x; }
VX_MMA int widen(signed char x) { return x; }
VX_MMA int widen(unsigned char x) { return x; }

VX_MMA float multiplyAdd(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
VX_MMA double multiplyAdd(double a, double b, double c) { return __builtin_fma(a, b, c); }
VX_MMA int multiplyAdd(int a, int b, int c) { return a * b + c; }

template <class T> VX_MMA T exchange(T x, int from) { return __shfl_sync(0xffffffffu, x, from); }

template <int M, int N, int K, class Wide>
VX_MMA void multiply(Wide (&sums)[M / 8][N / 4], const Wide (&a)[M * K / 32],
                     const Wide (&b)[K * N / 32]) {
  constexpr int kRows = M / 8, kCols = N / 4;
  int t = lane() & 3, row = lane() & ~3;
#pragma unroll 1
  for (int step = 0; step < 4; ++step) {
#pragma unroll
    for (int q = 0; q < K / 4; ++q) { // k = 4q + step
      Wide as[kRows], bs[kCols];
#pragma unroll
      for (int r = 0; r < kRows; ++r)
        as[r] = exchange(a[q * kRows + r], row | step);
#pragma unroll
      for (int c = 0; c < kCols; ++c)
        bs[c] = K < 8 ? exchange(b[0], (2 * step + c) * 4 | t)
                      : exchange(b[q / 2 * kCols + c], (q % 2 * 4 + step) * 4 | t);
#pragma unroll
      for (int r = 0; r < kRows; ++r)
#pragma unroll
        for (int c = 0; c < kCols; ++c)
          sums[r][c] = multiplyAdd(as[r], bs[c], sums[r][c]);
    }
  }
}

VX_MMA __half saturated(__half x) {
  float f = __half2float(x);
  float bounded = __builtin_fmaxf(-65504.0f, __builtin_fminf(f, 65504.0f));
  return __float2half(f != f ? 0.0f : bounded);
}
VX_MMA float saturated(float x) { return x; }
VX_MMA double saturated(double x) { return x; }
VX_MMA int saturatedSum(int a, int b) {
  int sum;
  return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? -2147483647 - 1 : 2147483647) : sum;
}

} // namespace details

/// D = A * B + C. SATF: halves are cut to finite values, NaN becoming 0, and integers to 32 bits.
template <int M, int N, int K, class TA, class LA, class TB, class LB, class TC, class TD>
VX_MMA void mma_sync(fragment<accumulator, M, N, K, TD> &d,
                     const fragment<matrix_a, M, N, K, TA, LA> &a,
                     const fragment<matrix_b, M, N, K, TB, LB> &b,
                     const fragment<accumulator, M, N, K, TC> &c, bool satf = false) {
  using namespace details;
  typedef decltype(widen(a.x[0])) Wide;
  constexpr bool kIntegers = __is_same(Wide, int);
  static_assert(__is_same(TA, TB) && kIntegers == __is_same(TD, int) &&
                    __is_same(Wide, double) == __is_same(TD, double) &&
                    (__is_same(TC, TD) || __is_same(TA, __half)) &&
                    (__is_same(TA, __half) || !__is_same(TD, __half)),
                "mma_sync() does not exist for these types in compute capability 8.0");
  Wide as[M * K / 32], bs[K * N / 32], sums[M / 8][N / 4];
#pragma unroll
  for (int i = 0; i < a.num_elements; ++i)
    as[i] = widen(a.x[i]);
#pragma unroll
  for (int i = 0; i < b.num_elements; ++i)
    bs[i] = widen(b.x[i]);
#pragma unroll
  for (int r = 0; r < M / 8; ++r)
#pragma unroll
    for (int j = 0; j < N / 4; ++j)
      sums[r][j] = kIntegers ? Wide(0) : Wide(c.x[Places<M, N, K>::accumulatorIndex(r, j)]);
  multiply<M, N, K>(sums, as, bs);
#pragma unroll
  for (int r = 0; r < M / 8; ++r)
#pragma unroll
    for (int j = 0; j < N / 4; ++j) {
      constexpr bool isInt = kIntegers;
      int i = Places<M, N, K>::accumulatorIndex(r, j);
      if constexpr (isInt)
        d.x[i] = satf ? saturatedSum(sums[r][j], c.x[i]) : int((unsigned)sums[r][j] + c.x[i]);
      else
        d.x[i] = satf ? saturated(TD(sums[r][j])) : TD(sums[r][j]);
    }
}

namespace details {

/// The sum of the products of eight elements of four bits.
VX_MMA int multiplyWords(int a, int b) {
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 32; i += 4)
    sum += ((a << (28 - i)) >> 28) * ((b << (28 - i)) >> 28);
  return sum;
}
VX_MMA int multiplyWords(unsigned a, unsigned b) {
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < 32; i += 4)
    sum += ((a >> i) & 15) * ((b >> i) & 15);
  return (int)sum;
}

/// The sums of this lane's two elements, of words that MULTIPLY takes.
template <class Word, class Multiply>
VX_MMA void multiplyRows(int (&sums)[2], Word a, Word b, Multiply multiply) {
  int row = lane() & ~3, col = 8 * (lane() & 3);
#pragma unroll 1
  for (int step = 0; step < 4; ++step) {
    Word as = exchange(a, row | step);
#pragma unroll
    for (int c = 0; c < 2; ++c)
      sums[c] += multiply(as, exchange(b, col + 4 * c + step));
  }
}

} // namespace details

#define VX_MMA_WORDS(T)                                                                            \
  template <int M, int N, int K>                                                                   \
  VX_MMA void mma_sync(                                                                            \
      fragment<accumulator, M, N, K, int> &d,                                                      \
      const fragment<matrix_a, M, N, K, experimental::precision::T, row_major> &a,                 \
      const fragment<matrix_b, M, N, K, experimental::precision::T, col_major> &b,                 \
      const fragment<accumulator, M, N, K, int> &c, bool satf = false) {                           \
    int sums[2] = {0, 0};                                                                          \
    typedef typename details::Storage<experimental::precision::T>::Register Word;                  \
    details::multiplyRows(sums, a.x[0], b.x[0],                                                    \
                          [](Word x, Word y) { return details::multiplyWords(x, y); });            \
    for (int i = 0; i < 2; ++i)                                                                    \
      d.x[i] = satf ? details::saturatedSum(sums[i], c.x[i]) : int((unsigned)sums[i] + c.x[i]);    \
  }
VX_MMA_WORDS(u4)
VX_MMA_WORDS(s4)
#undef VX_MMA_WORDS

/// D = C + the number of bits that are set in A xor B (A and B), summed over k.
template <int M, int N, int K>
VX_MMA void bmma_sync(fragment<accumulator, M, N, K, int> &d,
                      const fragment<matrix_a, M, N, K, experimental::precision::b1, row_major> &a,
                      const fragment<matrix_b, M, N, K, experimental::precision::b1, col_major> &b,
                      const fragment<accumulator, M, N, K, int> &c,
                      experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                      experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  int sums[2] = {0, 0};
  details::multiplyRows(sums, a.x[0], b.x[0], [=](unsigned x, unsigned y) {
    return __builtin_popcount(op == experimental::bmmaBitOpXOR ? x ^ y : x & y);
  });
  for (int i = 0; i < 2; ++i)
    d.x[i] = c.x[i] + sums[i];
}

namespace experimental {
using wmma::bmma_sync;
} // namespace experimental

} // namespace wmma
} // namespace nvcuda

#undef VX_MMA

#endif // __CUDA__

#endif // VX_CUDA_MMA_H
