// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp matrix functions: every shape and type of compute capability 8.0, both layouts, matrices
// with a leading dimension of their own, saturation; against products on the host.
// RUN: %vxcc -O2 --lower=hw -I%inputs %s -o %t
// RUN: %shapes --warp %t
// RUN: %vxcc -O2 --lower=sw -I%inputs %s -o %t.sw
// RUN: %shapes --few %t.sw

#include "harness.h"
#include <mma.h>
#include <type_traits>
#include <vector>
using namespace nvcuda;
namespace ex = wmma::experimental;

/// The type that a fragment of T is made of in memory, and its value.
template <class T> struct Memory { typedef T type; };
template <> struct Memory<wmma::precision::tf32> { typedef float type; };
template <class T> double valueOf(T x) {
  return (double)(float)x;
}
double valueOf(double x) {
  return x;
}
double valueOf(int x) {
  return x;
}

template <class T> T someValue(unsigned x) {
  if constexpr (std::is_same_v<T, unsigned char>)
    return (T)(x & 0xff);
  else if constexpr (std::is_integral_v<T>)
    return (T)(int(x & 0xff) - 128);
  else
    return (T)((int(x % 33) - 16) * 0.125f); // sums are exact in half precision
}

template <int M, int N, int K, class T, class Sum, class LA, class LB>
__global__ void multiply(const typename Memory<T>::type *a, const typename Memory<T>::type *b,
                         const Sum *c, Sum *d, int lda, int ldb, int ldc) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, fd;
  constexpr bool rows = std::is_same_v<LA, wmma::row_major>;
  wmma::layout_t layout = rows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, layout);
  wmma::fill_fragment(fd, Sum(1));
  wmma::mma_sync(fd, fa, fb, fc);
  for (int i = 0; i < fd.num_elements; ++i)
    fd.x[i] = fd.x[i] + fd.x[i];
  wmma::store_matrix_sync(d, fd, ldc, layout);
}

template <int M, int N, int K, class T, class Sum, class LA, class LB> void check() {
  typedef typename Memory<T>::type Factor;
  constexpr bool rowsA = std::is_same_v<LA, wmma::row_major>;
  constexpr bool rowsB = std::is_same_v<LB, wmma::row_major>;
  int lda = (rowsA ? K : M) + 8, ldb = (rowsB ? N : K) + 16, ldc = (rowsA ? N : M) + 8;
  std::vector<Factor> a(lda * (rowsA ? M : K)), b(ldb * (rowsB ? K : N));
  std::vector<Sum> c(ldc * (rowsA ? M : N)), d(c.size());
  unsigned seed = M * 7 + N * 5 + K * 3 + sizeof(Factor) + rowsA + 2 * rowsB;
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 16; };
  for (Factor &x : a)
    x = someValue<Factor>(next());
  for (Factor &x : b)
    x = someValue<Factor>(next());
  for (Sum &x : c)
    x = someValue<Sum>(next());
  DeviceArray<Factor> da(a), db(b);
  DeviceArray<Sum> dc(c), dd(d.size());
  multiply<M, N, K, T, Sum, LA, LB><<<1, 32>>>(da, db, dc, dd, lda, ldb, ldc);
  d = dd.host();
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      size_t at = rowsA ? i * ldc + j : j * ldc + i;
      double sum = valueOf(c[at]);
      for (int k = 0; k < K; ++k)
        sum += valueOf(a[rowsA ? i * lda + k : k * lda + i]) *
               valueOf(b[rowsB ? k * ldb + j : j * ldb + k]);
      if (!expect(valueOf(d[at]) == 2 * sum, __PRETTY_FUNCTION__, i * N + j))
        return;
    }
}

template <int M, int N, int K, class T, class Sum> void checkLayouts() {
  check<M, N, K, T, Sum, wmma::row_major, wmma::col_major>();
  check<M, N, K, T, Sum, wmma::col_major, wmma::row_major>();
}

/// Elements of less than a byte: A by rows, B by columns.
template <int K, class T, bool AND>
__global__ void multiplyBits(const unsigned *a, const unsigned *b, const int *c, int *d, int ld) {
  wmma::fragment<wmma::matrix_a, 8, 8, K, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, K, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, K, int> fc;
  wmma::load_matrix_sync(fa, a, ld);
  wmma::load_matrix_sync(fb, b, ld);
  wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
  if constexpr (!std::is_same_v<T, ex::precision::b1>)
    wmma::mma_sync(fc, fa, fb, fc);
  else
    wmma::bmma_sync(fc, fa, fb, fc, AND ? ex::bmmaBitOpAND : ex::bmmaBitOpXOR);
  wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}

template <int K, class T, bool AND = false> void checkBits() {
  constexpr int bits = 128 / K, words = 5; // a row has a word that is not part of the matrix
  std::vector<unsigned> a(8 * words), b(8 * words);
  std::vector<int> c(64), d(64);
  unsigned seed = K;
  auto next = [&] { return mixed(seed += 3); };
  for (auto *m : {&a, &b})
    for (unsigned &x : *m)
      x = next();
  for (int &x : c)
    x = int(next()) >> 8;
  DeviceArray<unsigned> da(a), db(b);
  DeviceArray<int> dc(c), dd(d.size());
  multiplyBits<K, T, AND><<<1, 32>>>(da, db, dc, dd, words * 32 / bits);
  d = dd.host();
  auto element = [&](const std::vector<unsigned> &m, int row, int k) {
    int x = m[row * words + k * bits / 32] >> (k * bits % 32) & ((1 << bits) - 1);
    return std::is_same_v<T, ex::precision::s4> && x > 7 ? x - 16 : x;
  };
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      int sum = c[i * 8 + j];
      for (int k = 0; k < K; ++k) {
        int x = element(a, i, k), y = element(b, j, k);
        sum += bits > 1 ? x * y : AND ? x & y : x ^ y;
      }
      expectEqual(d[i * 8 + j], sum, __PRETTY_FUNCTION__, i * 8 + j);
    }
}

/// Sums beyond the type become its last value.
__global__ void saturate(int *ints, __half *halves) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(a, (signed char)127);
  wmma::fill_fragment(b, (signed char)127);
  wmma::fill_fragment(c, 2147483647 - 1000);
  wmma::mma_sync(c, a, b, c, true);
  wmma::store_matrix_sync(ints, c, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> ha;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> hb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> hc;
  wmma::fill_fragment(ha, __half(-200.0f));
  wmma::fill_fragment(hb, __half(200.0f));
  wmma::fill_fragment(hc, __half(0.0f));
  wmma::mma_sync(hc, ha, hb, hc, true);
  wmma::store_matrix_sync(halves, hc, 16, wmma::mem_row_major);
}

int main() {
  checkLayouts<16, 16, 16, __half, float>();
  checkLayouts<32, 8, 16, __half, __half>();
  checkLayouts<8, 32, 16, __nv_bfloat16, float>();
  checkLayouts<16, 16, 16, signed char, int>();
  checkLayouts<8, 32, 16, unsigned char, int>();
  checkLayouts<16, 16, 8, wmma::precision::tf32, float>();
  checkLayouts<8, 8, 4, double, double>();
  checkBits<32, ex::precision::u4>();
  checkBits<32, ex::precision::s4>();
  checkBits<128, ex::precision::b1>();
  checkBits<128, ex::precision::b1, true>();

  int *ints;
  __half *halves;
  CHECK(cudaMallocManaged(&ints, 256 * sizeof(int)));
  CHECK(cudaMallocManaged(&halves, 256 * sizeof(__half)));
  saturate<<<1, 32>>>(ints, halves);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) {
    expectEqual(ints[i], 2147483647, "saturated integer sum", i);
    expectEqual((float)halves[i], -65504.0f, "saturated half sum", i);
  }
  return finish();
}
