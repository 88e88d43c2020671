// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t && %shapes %t
// RUN: env VX_SW_MAPPING=block-per-lane %shapes --lower=sw %t
// RUN: env VX_SW_MAPPING=warps-per-lane %shapes --few --lower=sw %t
// RUN: %vxcc -O0 %s -o %t.0 && env VX_SW_MAPPING=block-per-lane %shapes --few --lower=sw %t.0
//
// Blocks that come to grid.sync() by different paths, with barriers on some of them, in kernels whose
// threads do not go from barrier to barrier together: a loop over barriers that some blocks enter; waits
// at an mbarrier in one block.

#include "../Inputs/harness.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cuda_awbarrier.h>
namespace cg = cooperative_groups;

constexpr unsigned kThreads = 96;

/// Returns true if ROUND is the last one of BLOCK, which is one earlier for half of the blocks.
__host__ __device__ inline bool isLast(unsigned block, int round, int rounds) {
  return round > rounds || round == rounds - int(block / 4 % 2);
}

__global__ void someLoop(unsigned *out, int rounds) {
  __shared__ unsigned numbers[kThreads];
  unsigned t = threadIdx.x, number = t * 3 + blockIdx.x;
  if (blockIdx.x % 4 == 0)
    for (int i = 0;; ++i) {
      numbers[t] = number;
      __syncthreads();
      unsigned other = numbers[(t + i + 1) % kThreads];
      __syncthreads();
      if (isLast(blockIdx.x, i, rounds))
        break;
      number = number * 5 + other;
    }
  if (t < 32) // a warp by itself
    number += __popc(__ballot_sync(~0u, number & 1));
  out[blockIdx.x * kThreads + t] = number;
  cg::this_grid().sync();
  unsigned next = (blockIdx.x + 1) % gridDim.x;
  number ^= out[next * kThreads + t];
  cg::this_grid().sync();
  out[blockIdx.x * kThreads + t] = number;
}

__global__ void oneWaits(unsigned *out, int rounds) {
  __shared__ nvcuda::experimental::awbarrier barrier;
  __shared__ unsigned numbers[kThreads];
  unsigned t = threadIdx.x, number = t * 3 + blockIdx.x;
  if (t == 0)
    init(&barrier, kThreads);
  __syncthreads();
  if (blockIdx.x == 0)
    for (int i = 0; i < rounds; ++i) {
      numbers[t] = number;
      barrier.arrive_and_wait();
      number = number * 5 + numbers[(t + i + 1) % kThreads];
      barrier.arrive_and_wait();
    }
  out[blockIdx.x * kThreads + t] = number;
  cg::this_grid().sync();
  unsigned next = (blockIdx.x + 1) % gridDim.x;
  number ^= out[next * kThreads + t];
  cg::this_grid().sync();
  out[blockIdx.x * kThreads + t] = number;
}

using Numbers = std::vector<unsigned>;

static Numbers advanced(const Numbers &now, int round) {
  Numbers next(kThreads);
  for (unsigned t = 0; t < kThreads; ++t)
    next[t] = now[t] * 5 + now[(t + unsigned(round) + 1) % kThreads];
  return next;
}

static Numbers wantedOfLoop(unsigned block, int rounds) {
  Numbers now(kThreads);
  for (unsigned t = 0; t < kThreads; ++t)
    now[t] = t * 3 + block;
  if (block % 4 == 0)
    for (int i = 0; !isLast(block, i, rounds); ++i)
      now = advanced(now, i);
  unsigned odd = 0;
  for (unsigned t = 0; t < 32; ++t)
    odd += now[t] & 1;
  for (unsigned t = 0; t < 32; ++t)
    now[t] += odd;
  return now;
}

static Numbers wantedOfWait(unsigned block, int rounds) {
  Numbers now(kThreads);
  for (unsigned t = 0; t < kThreads; ++t)
    now[t] = t * 3 + block;
  if (block == 0)
    for (int i = 0; i < rounds; ++i)
      now = advanced(now, i);
  return now;
}

static void check(const char *name, void (*kernel)(unsigned *, int), Numbers (*wanted)(unsigned, int)) {
  int perCore = 0, cores = 0, rounds = 3;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perCore, kernel, int(kThreads), 0));
  CHECK(cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0));
  unsigned blocks = std::min(perCore * cores, 24);
  EXPECT(blocks > 0);
  DeviceArray<unsigned> out(size_t(blocks) * kThreads);
  unsigned *argument = out;
  void *arguments[] = {&argument, &rounds};
  CHECK(cudaLaunchCooperativeKernel((void *)kernel, dim3(blocks), dim3(kThreads), arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  Numbers got = out.host();
  for (unsigned b = 0; b < blocks; ++b) {
    Numbers mine = wanted(b, rounds), next = wanted((b + 1) % blocks, rounds);
    for (unsigned t = 0; t < kThreads; ++t)
      expectEqual(got[b * kThreads + t], mine[t] ^ next[t], name, b * kThreads + t);
  }
}

int main() {
  check("a loop in some blocks", someLoop, wantedOfLoop);
  check("waits in one block", oneWaits, wantedOfWait);
  return finish();
}
