// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters of blocks: CUDA's functions, over contract functions of the compiler. In a launch
// without clusters each block is one.

#ifndef VX_CUDA_CLUSTER_H
#define VX_CUDA_CLUSTER_H

extern "C" {
__device__ unsigned __vx_cluster_dim(unsigned axis);
__device__ unsigned __vx_cluster_grid_dim(unsigned axis);
__device__ unsigned __vx_cluster_block_idx(unsigned axis);
__device__ unsigned __vx_cluster_idx(unsigned axis);
__device__ unsigned __vx_cluster_rank();
__device__ unsigned __vx_cluster_blocks();
__device__ void __vx_cluster_arrive();
__device__ void __vx_cluster_wait();
__device__ void *__vx_cluster_map(void *pointer, unsigned rank);
__device__ int __vx_cluster_rank_of(void *pointer);
}

#define VX_DEVICE static __device__ __forceinline__ __attribute__((__nodebug__))

VX_DEVICE dim3 __clusterDim() {
  return dim3(__vx_cluster_dim(0), __vx_cluster_dim(1), __vx_cluster_dim(2));
}
VX_DEVICE dim3 __clusterRelativeBlockIdx() {
  return dim3(__vx_cluster_block_idx(0), __vx_cluster_block_idx(1), __vx_cluster_block_idx(2));
}
VX_DEVICE dim3 __clusterGridDimInClusters() {
  return dim3(__vx_cluster_grid_dim(0), __vx_cluster_grid_dim(1), __vx_cluster_grid_dim(2));
}
VX_DEVICE dim3 __clusterIdx() {
  return dim3(__vx_cluster_idx(0), __vx_cluster_idx(1), __vx_cluster_idx(2));
}
VX_DEVICE unsigned __clusterRelativeBlockRank() { return __vx_cluster_rank(); }
VX_DEVICE unsigned __clusterSizeInBlocks() { return __vx_cluster_blocks(); }
VX_DEVICE unsigned __clusterDimIsSpecified() { return __vx_cluster_blocks() > 1; }
VX_DEVICE void __cluster_barrier_arrive() { __vx_cluster_arrive(); }
VX_DEVICE void __cluster_barrier_arrive_relaxed() { __vx_cluster_arrive(); }
VX_DEVICE void __cluster_barrier_wait() { __vx_cluster_wait(); }
VX_DEVICE void *__cluster_map_shared_rank(const void *pointer, unsigned rank) {
  return __vx_cluster_map((void *)pointer, rank);
}
VX_DEVICE unsigned __cluster_query_shared_rank(const void *pointer) {
  return (unsigned)__vx_cluster_rank_of((void *)pointer);
}
VX_DEVICE unsigned __isClusterShared(const void *pointer) {
  return __vx_cluster_rank_of((void *)pointer) >= 0;
}

#undef VX_DEVICE

#endif // VX_CUDA_CLUSTER_H
