// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative launches: the grid synchronizes at grid.sync() with as many blocks as the device holds at
// once, whatever their size; one block more is an error; an ordinary launch has no valid grid.
// RUN: %vxcc -O0 -I%inputs %s -o %t-O0 && %shapes --warp %t-O0
// RUN: %vxcc -I%inputs %s -o %t && %shapes %t
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=8,core.num_threads=32 %run %t
// RUN: %vxcc --target=host -I%inputs %s -o %t.host && %run %t.host

#include "harness.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// In each phase every thread reads what a thread of another block wrote in the phase before.
__global__ void relay(unsigned *cells, int phases, unsigned *grid) {
  cg::grid_group all = cg::this_grid();
  unsigned n = (unsigned)all.num_threads(), me = (unsigned)all.thread_rank();
  for (int p = 0; p < phases; ++p) {
    unsigned other = (me + 7 * blockDim.x + p) % n;
    unsigned before = cells[(p & 1) * n + other];
    cells[((p + 1) & 1) * n + me] = before * 3 + other + p;
    all.sync();
  }
  if (me == n - 1) {
    grid[0] = (unsigned)all.num_blocks();
    grid[1] = (unsigned)all.size();
    grid[2] = (unsigned)all.block_rank();
    grid[3] = all.is_valid();
    grid[4] = all.dim_blocks().x;
    grid[5] = all.block_index().x;
  }
}

__global__ void ordinary(int *valid) {
  if (threadIdx.x == 0)
    valid[blockIdx.x] = cg::this_grid().is_valid();
}

// Through the type that can be any group, and in a function of its own.
__device__ __noinline__ void synchronize(const cg::thread_group &group) {
  group.sync();
}
__global__ void sums(unsigned *parts, unsigned *total) {
  cg::grid_group all = cg::this_grid();
  __shared__ unsigned sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, threadIdx.x + blockIdx.x);
  synchronize(cg::this_thread_block());
  if (threadIdx.x == 0)
    parts[blockIdx.x] = sum;
  synchronize(all);
  if (all.thread_rank() == 0) {
    *total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      *total += parts[i];
  }
}

static int blocksAtOnce(const void *kernel, int threads) {
  int perCore = 0, cores = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perCore, kernel, threads, 0));
  CHECK(cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0));
  return perCore * cores;
}

static void checkRelay(int blocks, int threads) {
  const int phases = 5;
  unsigned n = blocks * threads;
  std::vector<unsigned> start(2 * n), want(2 * n);
  for (unsigned i = 0; i < 2 * n; ++i)
    want[i] = start[i] = mixed(i);
  for (int p = 0; p < phases; ++p)
    for (unsigned me = 0; me < n; ++me) {
      unsigned other = (me + 7 * threads + p) % n;
      want[((p + 1) & 1) * n + me] = want[(p & 1) * n + other] * 3 + other + p;
    }
  DeviceArray<unsigned> cells(start), grid(6);
  unsigned *cellsArg = cells, *gridArg = grid;
  int phasesArg = phases;
  void *arguments[] = {&cellsArg, &phasesArg, &gridArg};
  CHECK(cudaLaunchCooperativeKernel((void *)relay, dim3(blocks), dim3(threads), arguments, 0, 0));
  std::vector<unsigned> got = cells.host(), about = grid.host();
  for (unsigned i = 0; i < 2 * n; ++i)
    expectEqual(got[i], want[i], "relay", i);
  unsigned wanted[] = {(unsigned)blocks,    n, (unsigned)blocks - 1, 1, (unsigned)blocks,
                       (unsigned)blocks - 1};
  for (int i = 0; i < 6; ++i)
    expectEqual(about[i], wanted[i], "grid", i);

  blocks = blocksAtOnce((void *)relay, threads) + 1;
  cudaError_t status =
      cudaLaunchCooperativeKernel((void *)relay, dim3(blocks), dim3(threads), arguments, 0, 0);
  expectEqual(status, cudaErrorCooperativeLaunchTooLarge, "one block too many", blocks);
  expectEqual(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge, "last error", blocks);
}

static void checkSums(int threads) {
  int blocks = blocksAtOnce((void *)sums, threads);
  DeviceArray<unsigned> parts(blocks), total(1);
  unsigned want = 0;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, sums, parts, total));
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < threads; ++t)
      want += t + b;
  expectEqual(total.host()[0], want, "sum", threads);
}

int main() {
  for (int threads : {32, 40, 96, 300}) {
    int most = blocksAtOnce((void *)relay, threads);
    expect(most > 0, "occupancy", threads);
    checkRelay(most, threads);
    checkRelay(1, threads);
    checkSums(threads);
  }
  DeviceArray<int> valid(std::vector<int>(3, 7));
  ordinary<<<3, 8>>>(valid);
  for (int v : valid.host())
    expectEqual(v, 0, "an ordinary launch has no valid grid");
  return finish();
}
