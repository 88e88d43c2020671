// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that are not cut out of a warp: thread_group (any group, its kind known at run time only),
// thread_block, grid_group. A group is two words without a pointer: passed by value or by
// reference, nothing of it is left after inlining.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_GROUPS_H
#define VX_CUDA_COOPERATIVE_GROUPS_GROUPS_H

#include "lanes.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

extern "C" {
__device__ void __vx_group_sync(unsigned threads);
__device__ void __vx_grid_sync();
__device__ int __vx_grid_valid();
}

namespace cooperative_groups {
namespace details {

/// Synchronizes the aligned N threads of the block around the caller.
VX_CG void groupSync(unsigned n) {
  switch (n) {
  case 64:
    return __vx_group_sync(64);
  case 128:
    return __vx_group_sync(128);
  case 256:
    return __vx_group_sync(256);
  case 512:
    return __vx_group_sync(512);
  default:
    return __syncthreads();
  }
}

} // namespace details

/// Any group.
class thread_group {
public:
  VX_CG void sync() const {
    switch (kind) {
    case of_warp:
      return __syncwarp(members);
    case of_block:
      return __syncthreads();
    case of_warps:
      return details::groupSync(members);
    case of_grid:
      return __vx_grid_sync();
    case of_cluster:
      __vx_cluster_arrive();
      return __vx_cluster_wait();
    }
  }
  VX_CG unsigned long long num_threads() const {
    switch (kind) {
    case of_warp:
      return __popc(members);
    case of_block:
      return details::blockThreads();
    case of_warps:
      return members;
    case of_grid:
      return details::gridBlocks() * details::blockThreads();
    case of_cluster:
      return __vx_cluster_blocks() * details::blockThreads();
    }
    return 0;
  }
  VX_CG unsigned long long size() const { return num_threads(); }
  VX_CG unsigned long long thread_rank() const {
    switch (kind) {
    case of_warp:
      return __popc(members & details::lanesBelow());
    case of_block:
      return details::threadRank();
    case of_warps:
      return details::threadRank() & (members - 1);
    case of_grid:
      return details::blockRank() * details::blockThreads() + details::threadRank();
    case of_cluster:
      return __vx_cluster_rank() * details::blockThreads() + details::threadRank();
    }
    return 0;
  }
  VX_CG bool is_valid() const { return kind != of_grid || __vx_grid_valid() != 0; }

protected:
  enum kind_t : unsigned { of_warp, of_block, of_warps, of_grid, of_cluster };
  VX_CG constexpr explicit thread_group(kind_t kind, unsigned members = 0)
      : kind(kind), members(members) {}

  kind_t kind;
  unsigned members; // of_warp: a mask of lanes; of_warps: the number of threads

private:
  friend VX_CG thread_group tiled_partition(const thread_group &, unsigned);
};

/// Once needed for tiles of several warps; as on newer GPUs, they need nothing of the program now.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
  unsigned char unused;
};

/// All threads of the block.
class thread_block : public thread_group {
public:
  struct arrival_token {};

  static VX_CG void sync() { __syncthreads(); }
  /// Here, arriving is waiting: all of the barrier's effect comes with the arrival.
  static VX_CG arrival_token barrier_arrive() {
    __syncthreads();
    return arrival_token();
  }
  static VX_CG void barrier_wait(arrival_token &&) {}
  static VX_CG unsigned thread_rank() { return details::threadRank(); }
  static VX_CG unsigned num_threads() { return details::blockThreads(); }
  static VX_CG unsigned size() { return details::blockThreads(); }
  static VX_CG dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static VX_CG dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static VX_CG dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static VX_CG dim3 group_dim() { return dim_threads(); }

private:
  VX_CG constexpr thread_block() : thread_group(of_block) {}
  friend VX_CG thread_block this_thread_block();
  template <unsigned N> friend VX_CG thread_block this_thread_block(block_tile_memory<N> &);
};

VX_CG thread_block this_thread_block() { return thread_block(); }
template <unsigned N> VX_CG thread_block this_thread_block(block_tile_memory<N> &) {
  return thread_block();
}

/// All threads of the grid. sync() needs a cooperative launch: every block must be resident.
class grid_group : public thread_group {
public:
  struct arrival_token {};

  static VX_CG bool is_valid() { return __vx_grid_valid() != 0; }
  static VX_CG void sync() { __vx_grid_sync(); }
  static VX_CG arrival_token barrier_arrive() {
    __vx_grid_sync();
    return arrival_token();
  }
  static VX_CG void barrier_wait(arrival_token &&) {}
  static VX_CG unsigned long long thread_rank() {
    return details::blockRank() * details::blockThreads() + details::threadRank();
  }
  static VX_CG unsigned long long num_threads() {
    return details::gridBlocks() * details::blockThreads();
  }
  static VX_CG unsigned long long size() { return num_threads(); }
  static VX_CG unsigned long long block_rank() { return details::blockRank(); }
  static VX_CG unsigned long long num_blocks() { return details::gridBlocks(); }
  static VX_CG dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static VX_CG dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static VX_CG dim3 group_dim() { return dim_blocks(); }
  static VX_CG dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  static VX_CG unsigned long long num_clusters() {
    dim3 d = dim_clusters();
    return (unsigned long long)d.x * d.y * d.z;
  }
  static VX_CG dim3 cluster_index() { return __clusterIdx(); }
  static VX_CG unsigned long long cluster_rank() {
    dim3 d = dim_clusters(), i = cluster_index();
    return ((unsigned long long)i.z * d.y + i.y) * d.x + i.x;
  }

private:
  VX_CG constexpr grid_group() : thread_group(of_grid) {}
  friend VX_CG grid_group this_grid();
};

VX_CG grid_group this_grid() { return grid_group(); }

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_GROUPS_H
