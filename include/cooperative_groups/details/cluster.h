// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group of all threads of a cluster of blocks.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_CLUSTER_H
#define VX_CUDA_COOPERATIVE_GROUPS_CLUSTER_H

#include "groups.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {

class cluster_group : public thread_group {
public:
  struct arrival_token {};

  static VX_CG void sync() {
    __vx_cluster_arrive();
    __vx_cluster_wait();
  }
  static VX_CG arrival_token barrier_arrive() {
    __vx_cluster_arrive();
    return arrival_token();
  }
  static VX_CG void barrier_wait() { __vx_cluster_wait(); }
  static VX_CG void barrier_wait(arrival_token &&) { __vx_cluster_wait(); }

  /// The rank of the block whose shared memory ADDRESS is in.
  static VX_CG unsigned query_shared_rank(const void *address) {
    return __cluster_query_shared_rank(address);
  }
  /// Returns the place that ADDRESS of the caller's shared memory has in that of the block of rank
  /// RANK.
  template <class T> static VX_CG T *map_shared_rank(T *address, int rank) {
    return (T *)__vx_cluster_map((void *)address, (unsigned)rank);
  }

  static VX_CG dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static VX_CG unsigned block_rank() { return __vx_cluster_rank(); }
  static VX_CG dim3 thread_index() {
    dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static VX_CG unsigned thread_rank() {
    return __vx_cluster_rank() * details::blockThreads() + details::threadRank();
  }
  static VX_CG dim3 dim_blocks() { return __clusterDim(); }
  static VX_CG unsigned num_blocks() { return __vx_cluster_blocks(); }
  static VX_CG dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static VX_CG unsigned num_threads() { return __vx_cluster_blocks() * details::blockThreads(); }
  static VX_CG unsigned size() { return num_threads(); }

private:
  VX_CG constexpr cluster_group() : thread_group(of_cluster) {}
  friend VX_CG cluster_group this_cluster();
};

VX_CG cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_CLUSTER_H
