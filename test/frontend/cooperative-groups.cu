// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups become barriers and warp functions on the members' masks.
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s
// RUN: %vxcc -std=c++11 --emit=nvvm %s -o - | FileCheck %s
// The headers can be copied to another folder, as programs do for NVRTC.
// RUN: mkdir -p %t.copy && cp -r %root/include/cooperative_groups* %t.copy
// RUN: %vxcc -I %t.copy --emit=nvvm %s -o - | FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct Wide {
  double a;
  int b;
};

__device__ int anyTile(cg::thread_block_tile<16> tile, int v) { return tile.shfl_down(v, 1); }
__device__ unsigned long long anyGroup(const cg::thread_group &group) {
  group.sync();
  return group.thread_rank() + group.size();
}

__global__ void k(int *p, float *f, Wide *w) {
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  p[0] = block.thread_rank() + block.group_index().x + block.size();

  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<16>(warp);
  p[1] = anyTile(tile, p[0]) + anyGroup(block) + anyGroup(tile) + tile.meta_group_rank();
  p[2] = cg::reduce(warp, p[0], cg::plus<int>()) + (int)cg::reduce(tile, f[0], cg::greater<float>());
  w[0] = tile.shfl_xor(w[1], 3);
  p[3] = tile.any(p[0]) + tile.ballot(p[1]) + tile.match_any(p[2]);

  cg::coalesced_group active = cg::coalesced_threads();
  p[4] = active.shfl(p[0], 0) + active.size() + cg::inclusive_scan(active, p[1]) +
         cg::exclusive_scan(tile, p[2], cg::plus<int>());
  p[5] = cg::reduce(active, p[4], cg::bit_xor<int>());
  auto part = cg::labeled_partition(active, p[0] & 3);
  p[6] = part.meta_group_rank() + cg::binary_partition(warp, p[0] > 0).size();

  __shared__ int staged[64];
  cg::memcpy_async(block, staged, p, sizeof(staged));
  cg::wait(block);
  p[7] = staged[block.thread_rank()];
  cg::this_grid().sync();
}

// A tile of several warps synchronizes as a group; memory for it is accepted and not needed.
__global__ void manyWarps(float *f) {
  __shared__ cg::block_tile_memory<256> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<128>(block);
  f[0] = cg::reduce(tile, f[threadIdx.x], cg::plus<float>()) + tile.shfl(f[1], 77);
  f[1] = tile.any(f[2] > 0) + tile.all(f[3] > 0) + tile.meta_group_rank();
  f[2] = cg::exclusive_scan(cg::tiled_partition<64>(cg::this_thread_block()), f[3]);
}

// A size that is deduced, a parent that is forgotten, sizes that are constants.
template <unsigned N> __device__ unsigned sizeOf(const cg::thread_block_tile<N> &tile) {
  static_assert(cg::thread_block_tile<N>::num_threads() == N, "");
  return N + tile.num_threads();
}
__global__ void deduced(unsigned *u) {
  u[0] = sizeOf(cg::tiled_partition<4>(cg::tiled_partition<8>(cg::this_thread_block())));
  u[1] = cg::reduce(cg::this_thread(), u[1], [](unsigned a, unsigned b) { return a * b; });
}

// CHECK: define {{.*}}ptx_kernel void @_Z1k
// CHECK-DAG: @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// CHECK-DAG: @llvm.nvvm.bar.warp.sync(
// CHECK-DAG: call i32 @__vx_reduce_add_i32(i32 {{.*}}, i32 {{.*}}, i32
// CHECK-DAG: call contract float @__vx_reduce_max_f32(
// CHECK-DAG: call i32 @__vx_reduce_xor_i32(
// CHECK-DAG: @llvm.nvvm.shfl.sync.idx.i32(
// CHECK-DAG: call i64 @__vx_shfl_bfly_64(
// CHECK-DAG: @llvm.nvvm.activemask()
// CHECK-DAG: @llvm.nvvm.match.any.sync.i32(
// CHECK-DAG: @llvm.nvvm.vote.ballot.sync(
// CHECK-DAG: @llvm.nvvm.read.ptx.sreg.laneid()
// CHECK-DAG: call void @__vx_grid_sync(
// CHECK-DAG: define {{.*}}ptx_kernel void @_Z9manyWarpsPf
// CHECK-DAG: call void @__vx_group_sync(i32 128)
// CHECK-DAG: define {{.*}}ptx_kernel void @_Z7deducedPj
// CHECK-NOT: declare {{.*}}@_Z
