// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no mapping coarsened with paths.
// UNSUPPORTED: paths
// RUN: %vxcc -O3 -I%inputs %s -o %t
// RUN: env VX_HW_MAPPING=coarsened %shapes --warp --lower=hw %t
// RUN: env VX_LOWERING=hw VX_HW_MAPPING=coarsened VX_SET=num_cores=2,core.num_warps=4,core.num_threads=8 VX_STATS=text %run %t 2>&1 | FileCheck %s
// CHECK-DAG: rowSums(unsigned int const*, unsigned int*, int){{.*}} launches (hw, coarsened)
// CHECK-DAG: PASS
//
// Blocks of one to three dimensions in mapping coarsened, whose warps are then rows, several rows or parts of
// rows; of more threads than the core has lanes, with dynamic shared memory.

#include "harness.h"
#include <vector>

__global__ void rowSums(const unsigned *in, unsigned *out, int rounds) {
  extern __shared__ unsigned sums[];
  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned threads = blockDim.x * blockDim.y * blockDim.z, base = blockIdx.x * threads;
  unsigned v = in[base + t] + threadIdx.y * 1000 + threadIdx.z;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned by = 16; by > 0; by /= 2)
      v += __shfl_xor_sync(~0u, v, by) * (by + round);
    if (t % 32 == 0)
      sums[t / 32] = v;
    __syncthreads();
    v += sums[(t / 32 + 1) % (threads / 32)] + (t & 7);
    __syncthreads();
  }
  out[base + t] = v;
}

void check(dim3 block) {
  const unsigned blocks = 5, threads = block.x * block.y * block.z;
  const int rounds = 3;
  std::vector<unsigned> in(blocks * threads);
  for (unsigned i = 0; i < in.size(); ++i)
    in[i] = mixed(i);
  DeviceArray<unsigned> deviceIn(in), out(in.size());
  rowSums<<<blocks, block, threads / 32 * sizeof(unsigned)>>>(deviceIn, out, rounds);
  CHECK(cudaGetLastError());
  std::vector<unsigned> got = out.host();
  for (unsigned b = 0; b < blocks; ++b) {
    std::vector<unsigned> v(threads), other(threads);
    for (unsigned t = 0; t < threads; ++t)
      v[t] = in[b * threads + t] + t / block.x % block.y * 1000 + t / block.x / block.y;
    for (int round = 0; round < rounds; ++round) {
      for (unsigned by = 16; by > 0; by /= 2) {
        for (unsigned t = 0; t < threads; ++t)
          other[t] = v[t] + v[t ^ by] * (by + unsigned(round));
        v.swap(other);
      }
      for (unsigned t = 0; t < threads; ++t)
        other[t] = v[t] + v[(t / 32 + 1) % (threads / 32) * 32] + (t & 7);
      v.swap(other);
    }
    for (unsigned t = 0; t < threads; ++t)
      expectEqual(got[b * threads + t], v[t], "row sums", b * threads + t);
  }
}

int main() {
  for (dim3 block : {dim3(32), dim3(96), dim3(1024), dim3(32, 3), dim3(8, 4), dim3(4, 8, 3), dim3(16, 16), dim3(2, 4, 32)})
    check(block);
  return finish();
}
