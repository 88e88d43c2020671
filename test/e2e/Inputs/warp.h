// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that tests of warp functions share: member masks, blocks of many sizes, values of every
// type, and the sets of lanes that a call is about.

#ifndef TEST_E2E_WARP_H
#define TEST_E2E_WARP_H

#include "harness.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// Member masks: all, prefixes, others, single lanes.
static const unsigned kMasks[] = {0xffffffffu, 0x0000001fu, 0x0001ffffu, 0x5a3c96e1u,
                                  0x80000001u, 0xfff000f0u, 0x00000001u, 0x40000000u};

/// Blocks: a warp, a part of one, several with the last one partial, more than small cores have
/// lanes for, two- and three-dimensional ones.
static const dim3 kBlocks[] = {dim3(32),    dim3(7),   dim3(40),     dim3(96),
                               dim3(10, 5), dim3(200), dim3(4, 4, 8)};
constexpr int kGrid = 3;

inline int threadsOf(dim3 block) {
  return int(block.x * block.y * block.z);
}

__device__ inline unsigned rankInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned threadsInBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}

/// Returns the lanes of the warp of thread RANK that a block of THREADS threads has.
__host__ __device__ inline unsigned presentLanes(unsigned rank, unsigned threads) {
  unsigned left = threads - (rank & ~31u);
  return left >= 32 ? 0xffffffffu : (1u << left) - 1u;
}

inline int countBits(unsigned x) {
  return __builtin_popcount(x);
}

/// Returns a value of type T for X: all bits of an integer; small whole numbers for floating point,
/// whose sums are exact in any order.
template <class T> struct Make {
  __host__ __device__ static T of(unsigned x) {
    return (T)(((unsigned long long)mixed(x) << 32 | mixed(~x)) * 0x9e3779b97f4a7c15ull);
  }
};
template <> struct Make<float> {
  __host__ __device__ static float of(unsigned x) {
    return (float)((int)(mixed(x) % 20001) - 10000);
  }
};
template <> struct Make<double> {
  __host__ __device__ static double of(unsigned x) {
    return (double)((long long)(((unsigned long long)mixed(x) << 12 | (x & 0xfff)) - (1ll << 43)));
  }
};
template <class T> struct MakeSmall {
  __host__ __device__ static T of(unsigned x) { return T((float)((int)(mixed(x) % 17) - 8)); }
};
template <> struct Make<__half> : MakeSmall<__half> {};
template <> struct Make<__nv_bfloat16> : MakeSmall<__nv_bfloat16> {};
template <> struct Make<__half2> {
  __host__ __device__ static __half2 of(unsigned x) {
    return __half2(Make<__half>::of(x), Make<__half>::of(~x));
  }
};
template <> struct Make<__nv_bfloat162> {
  __host__ __device__ static __nv_bfloat162 of(unsigned x) {
    return __nv_bfloat162(Make<__nv_bfloat16>::of(x), Make<__nv_bfloat16>::of(~x));
  }
};
template <class T> __host__ __device__ T make(unsigned x) {
  return Make<T>::of(x);
}
/// Returns what thread RANK of block BLOCK has.
template <class T> __host__ __device__ T valueOf(unsigned block, unsigned rank) {
  return make<T>(block * 4096 + rank);
}

template <class T> bool sameBits(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Calls ACTION(block, rank, first thread of the warp, lane, present lanes) for each thread.
template <class Action> void forThreads(dim3 block, Action action) {
  unsigned threads = threadsOf(block);
  for (unsigned b = 0; b < kGrid; ++b)
    for (unsigned rank = 0; rank < threads; ++rank)
      action(b, rank, rank & ~31u, rank & 31u, presentLanes(rank, threads));
}

#endif // TEST_E2E_WARP_H
