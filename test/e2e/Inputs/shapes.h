// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are compared with their bodies on fibers on the host (lockstep.h).

#ifndef TEST_E2E_SHAPES_H
#define TEST_E2E_SHAPES_H

#include "lockstep-warp.h"

struct Shared {
  unsigned a[1024], b[1024];
};

/// Returns the lanes of the caller's warp that the block has threads for.
__host__ __device__ inline unsigned presentLanes() {
  unsigned count = blockSize().x * blockSize().y * blockSize().z;
  unsigned left = count - warpId() * 32;
  return left >= 32 ? ~0u : below(left);
}

#define SHAPE(NAME)                                                                                \
  __host__ __device__ void NAME##Body(Shared &s, const unsigned *in, unsigned *out, unsigned n);   \
  __global__ void NAME(const unsigned *in, unsigned *out, unsigned n) {                            \
    __shared__ Shared s;                                                                           \
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;                                       \
    NAME##Body(s, in, out + linearBlock() * threads + linearThread(), n);                          \
  }                                                                                                \
  __host__ __device__ void NAME##Body(Shared &s, const unsigned *in, unsigned *out, unsigned n)

typedef void (*Kernel)(const unsigned *, unsigned *, unsigned);
typedef void (*Body)(Shared &, const unsigned *, unsigned *, unsigned);

static void compare(const char *name, Kernel kernel, Body body, dim3 grid, dim3 block, unsigned n) {
  std::vector<unsigned> in(256);
  for (unsigned i = 0; i < 256; ++i)
    in[i] = mixed(i + n);
  size_t threads = block.x * block.y * block.z, count = size_t(grid.x) * grid.y * threads;
  DeviceArray<unsigned> deviceIn(in), out(count);
  kernel<<<grid, block>>>(deviceIn, out, n);
  CHECK(cudaGetLastError());
  std::vector<unsigned> got = out.host(), want(count);
  static Shared shared;
  runOnHost(grid, block, [] { std::memset(&shared, 0, sizeof(shared)); }, [&] {
    body(shared, in.data(), &want[linearBlock() * threads + linearThread()], n);
  });
  for (size_t i = 0; i < count; ++i)
    if (!expectEqual(got[i], want[i], name, i) && wrongResults() <= 10)
      std::printf("  block %u %u %u n %u\n", block.x, block.y, block.z, n);
}

/// Compares SHAPE NAME for blocks of several sizes whose threads are a multiple of UNIT.
#define COMPARE_SHAPE(NAME, UNIT)                                                                  \
  for (unsigned n : {1u, 77u})                                                                     \
    for (dim3 block : {dim3(32), dim3(40), dim3(7), dim3(12, 4), dim3(200), dim3(4, 4, 6)})        \
      if (block.x * block.y * block.z % UNIT == 0)                                                 \
  compare(#NAME, NAME, NAME##Body, n == 1 ? dim3(2) : dim3(2, 2), block, n)

#endif // TEST_E2E_SHAPES_H
