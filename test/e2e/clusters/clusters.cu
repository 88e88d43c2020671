// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -I%inputs %s -o %t && env VX_SET=num_cores=4,core.num_warps=4,core.num_threads=8 %run %t | FileCheck %s
// RUN: env VX_SET=core.num_warps=16,core.num_threads=16 timeout 120 %t | FileCheck %s
// RUN: env VX_SET=num_cores=3,core.num_warps=8,core.num_threads=4 timeout 120 %t | FileCheck %s
// RUN: env VX_SET=num_cores=8,core.num_warps=1,core.num_threads=4 timeout 120 %t | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SET=num_cores=2,core.num_warps=4,core.num_threads=4,%no_warp_isa timeout 120 %t | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane VX_SET=core.num_warps=8,core.num_threads=4 timeout 120 %t | FileCheck %s
// RUN: %vxcc -O0 -I%inputs %s -o %t-O0 && env VX_SET=num_cores=2,core.num_warps=8,core.num_threads=8 %run %t-O0 | FileCheck %s
// RUN: %vxcc --target=host -I%inputs %s -o %t-host && %run %t-host | FileCheck %s
// RUN: env VX_HOST_THREADS=1 timeout 120 %t-host | FileCheck %s
// CHECK: PASS
//
// Clusters of blocks: coordinates in one and more dimensions, barriers, reads, writes and atomics in
// the shared memory of other blocks, blocks that end before others synchronize, on cores that hold a whole
// cluster and on cores that do not.

#include "harness.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// CELL of this block's shared memory as it is in the block of rank RANK.
static __device__ unsigned load(unsigned *cell, unsigned rank, int way) {
  unsigned value, at = (unsigned)__cvta_generic_to_shared(cell);
  if (way == 0)
    return *cg::this_cluster().map_shared_rank(cell, rank);
  if (way == 1)
    asm volatile("{ .reg .u64 p; mapa.u64 p, %1, %2; ld.u32 %0, [p]; }"
                 : "=r"(value) : "l"(cell), "r"(rank) : "memory");
  else if (way == 2)
    asm volatile("{ .reg .u32 p; mapa.shared::cluster.u32 p, %1, %2; ld.shared::cluster.u32 %0, [p]; }"
                 : "=r"(value) : "r"(at), "r"(rank) : "memory");
  else
    asm volatile("{ .reg .u32 p; .reg .u64 q, g; mapa.shared::cluster.u32 p, %1, %2;"
                 "  cvt.u64.u32 q, p; cvta.shared::cluster.u64 g, q; ld.u32 %0, [g]; }"
                 : "=r"(value) : "r"(at), "r"(rank) : "memory");
  return value;
}

// In each phase each block reads what its neighbour in the cluster has in shared memory.
__global__ void ring(unsigned *out, int phases) {
  extern __shared__ unsigned cells[]; // two rows of a block
  cg::cluster_group cluster = cg::this_cluster();
  unsigned t = threadIdx.x, n = blockDim.x, blocks = cluster.num_blocks();
  cells[t] = blockIdx.x * 1000 + t;
  cluster.sync();
  for (int p = 0; p < phases; ++p) {
    unsigned other = (cluster.block_rank() + 1) % blocks;
    cells[((p + 1) & 1) * n + t] = load(cells + (p & 1) * n + (t + 1) % n, other, p & 3) * 3 + p;
    cluster.sync();
  }
  out[blockIdx.x * n + t] = cells[(phases & 1) * n + t];
}

static unsigned ringValue(unsigned block, unsigned t, unsigned n, unsigned blocks, int phase) {
  if (phase == 0)
    return block * 1000 + t;
  unsigned base = block / blocks * blocks;
  return ringValue(base + (block - base + 1) % blocks, (t + 1) % n, n, blocks, phase - 1) * 3 +
         phase - 1;
}

// A histogram that is spread over the cluster's blocks.
__global__ void __cluster_dims__(2, 1, 1) histogram(const int *values, int count, int *bins) {
  __shared__ int part[16];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 16)
    part[threadIdx.x] = 0;
  cluster.sync();
  for (unsigned i = cluster.thread_rank(); i < unsigned(count); i += cluster.num_threads()) {
    int bin = values[i] & 31;
    atomicAdd(cluster.map_shared_rank(part, bin / 16) + bin % 16, 1);
  }
  cluster.sync();
  if (threadIdx.x < 16)
    atomicAdd(&bins[cluster.block_rank() * 16 + threadIdx.x], part[threadIdx.x]);
}

struct Where {
  dim3 block, inCluster, cluster, clusterDim, clusters;
  unsigned rank, threadRank, owner, next;
};
template <int X, int Y>
__global__ void __cluster_dims__(X, Y, 2) place(Where *out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) {
    *cluster.map_shared_rank(&mine, cluster.block_rank()) = block;
    Where &w = out[block];
    w.block = dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    w.inCluster = cluster.block_index();
    w.cluster = __clusterIdx();
    w.clusterDim = cluster.dim_blocks();
    w.clusters = __clusterGridDimInClusters();
    w.rank = cluster.block_rank();
    w.threadRank = cluster.thread_rank();
    w.owner = cluster.query_shared_rank(
        cluster.map_shared_rank(&mine, cluster.num_blocks() - 1 - cluster.block_rank()));
  }
  cluster.sync();
  if (threadIdx.x == 0)
    out[block].next =
        *cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % cluster.num_blocks());
  cluster.sync();
}

// The two halves of a barrier with work of other blocks between them; odd clusters have a block that
// ends before the others synchronize.
__global__ void halves(unsigned *flags, unsigned *out) {
  unsigned rank = __clusterRelativeBlockRank(), cluster = __clusterIdx().x;
  if (cluster % 2 && rank == 1)
    return;
  __cluster_barrier_arrive();
  if (threadIdx.x == 0)
    atomicAdd(&flags[cluster], 1u << 8 * rank);
  __cluster_barrier_wait();
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (threadIdx.x == 0)
    out[blockIdx.x] = atomicAdd(&flags[cluster], 0);
}

template <class... Parameters, class... Arguments>
static void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared, dim3 dims,
                   Arguments... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = dims.x;
  attribute.val.clusterDim.y = dims.y;
  attribute.val.clusterDim.z = dims.z;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

static void checkRing(unsigned blocks, unsigned clusters, unsigned n) {
  DeviceArray<unsigned> out(blocks * clusters * n);
  launch(ring, blocks * clusters, n, 8 * n, blocks, (unsigned *)out, 5);
  std::vector<unsigned> got = out.host();
  for (unsigned b = 0; b < blocks * clusters; ++b)
    for (unsigned t = 0; t < n; ++t)
      expectEqual(got[b * n + t], ringValue(b, t, n, blocks, 5), "ring", b * n + t);
}

static bool same(dim3 d, unsigned x, unsigned y, unsigned z) {
  return d.x == x && d.y == y && d.z == z;
}

template <int X, int Y> static void checkPlaces(dim3 clusters) {
  dim3 grid(clusters.x * X, clusters.y * Y, clusters.z * 2);
  unsigned blocks = grid.x * grid.y * grid.z;
  DeviceArray<Where> out(blocks);
  place<X, Y><<<grid, 3>>>(out);
  std::vector<Where> got = out.host();
  for (unsigned z = 0, b = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x, ++b) {
        const Where &w = got[b];
        unsigned rank = (z % 2 * Y + y % Y) * X + x % X, next = (rank + 1) % (2 * X * Y);
        unsigned nx = x / X * X + next % X, ny = y / Y * Y + next / X % Y,
                 nz = z / 2 * 2 + next / X / Y;
        bool good = same(w.block, x, y, z) && same(w.inCluster, x % X, y % Y, z % 2) &&
                    same(w.cluster, x / X, y / Y, z / 2) && same(w.clusterDim, X, Y, 2) &&
                    same(w.clusters, clusters.x, clusters.y, clusters.z) && w.rank == rank &&
                    w.threadRank == 3 * rank && w.owner == 2 * X * Y - 1 - rank &&
                    w.next == (nz * grid.y + ny) * grid.x + nx;
        expect(good, "place", b);
      }
}

int main() {
  checkRing(2, 3, 32);
  checkRing(2, 1, 8);
  checkRing(4, 5, 7);
  checkRing(1, 2, 16);

  std::vector<int> values(300), want(32);
  for (int i = 0; i < 300; ++i) {
    values[i] = i * i / 3;
    ++want[values[i] & 31];
  }
  DeviceArray<int> in(values), bins(32);
  histogram<<<2, 32>>>(in, 300, bins);
  for (int i = 0; i < 32; ++i)
    expectEqual(bins.host()[i], want[i], "bin", i);
  if (histogram<<<3, 32>>>(in, 300, bins); cudaGetLastError() != cudaErrorInvalidClusterSize)
    expect(false, "a grid that is not a multiple of the cluster");

  checkPlaces<2, 1>(dim3(3, 2, 1));
  checkPlaces<1, 2>(dim3(2, 2, 2));
  checkPlaces<1, 1>(dim3(2, 1, 3));

  DeviceArray<unsigned> flags(4), out(8);
  launch(halves, 8, 4, 0, 2, (unsigned *)flags, (unsigned *)out);
  for (unsigned b = 0; b < 8; ++b) {
    bool odd = b / 2 % 2;
    expectEqual(out.host()[b], odd && b % 2 ? 0u : odd ? 1u : 0x101u, "halves", b);
  }
  return finish();
}
