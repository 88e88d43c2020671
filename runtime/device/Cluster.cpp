// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters of blocks (intrinsics/abi/Cluster.h). Built to bitcode, ordinary C++ run by every lane.
// In a launch without clusters each block is one.

#include "intrinsics/abi/Cluster.h"
#include "runtime/device/Contract.h"

using namespace vx::abi;
using vx::device::at;

namespace {

ClusterState *state(const LaunchDescriptor &d) {
  return at<ClusterState>(d.cluster);
}

unsigned blockIdx(unsigned axis) {
  return axis == 0 ? __vx_block_idx_x() : axis == 1 ? __vx_block_idx_y() : __vx_block_idx_z();
}

unsigned rankOf(const ClusterState &s) {
  unsigned x = __vx_block_idx_x() % s.dim[0], y = __vx_block_idx_y() % s.dim[1];
  unsigned z = __vx_block_idx_z() % s.dim[2];
  return (z * s.dim[1] + y) * s.dim[0] + x;
}

/// Which of the groups of slots the calling block is in.
unsigned groupOf(const LaunchDescriptor &d, const ClusterState &s) {
  unsigned x = __vx_block_idx_x() / s.dim[0], y = __vx_block_idx_y() / s.dim[1];
  unsigned z = __vx_block_idx_z() / s.dim[2];
  unsigned cluster = (z * s.gridDim[1] + y) * s.gridDim[0] + x;
  return (cluster - static_cast<unsigned>(d.firstBlock) / s.blocks) % s.groups;
}

bool isFirstThread() {
  return (__vx_thread_idx_x() | __vx_thread_idx_y() | __vx_thread_idx_z()) == 0;
}

} // namespace

extern "C" unsigned __vx_cluster_dim(unsigned axis) {
  const ClusterState *s = state(*__vx_descriptor());
  return s ? s->dim[axis] : 1;
}

extern "C" unsigned __vx_cluster_grid_dim(unsigned axis) {
  const LaunchDescriptor &d = *__vx_descriptor();
  const ClusterState *s = state(d);
  return s ? s->gridDim[axis] : d.gridDim[axis];
}

extern "C" unsigned __vx_cluster_block_idx(unsigned axis) {
  const ClusterState *s = state(*__vx_descriptor());
  return s ? blockIdx(axis) % s->dim[axis] : 0;
}

extern "C" unsigned __vx_cluster_idx(unsigned axis) {
  const ClusterState *s = state(*__vx_descriptor());
  return s ? blockIdx(axis) / s->dim[axis] : blockIdx(axis);
}

extern "C" unsigned __vx_cluster_rank() {
  const ClusterState *s = state(*__vx_descriptor());
  return s ? rankOf(*s) : 0;
}

extern "C" unsigned __vx_cluster_blocks() {
  const ClusterState *s = state(*__vx_descriptor());
  return s ? s->blocks : 1;
}

/// All threads of the block have come; then the block has. The first thread remembers how the
/// barrier was, for the wait.
extern "C" __attribute__((convergent)) void __vx_cluster_arrive() {
  __vx_barrier();
  const LaunchDescriptor &d = *__vx_descriptor();
  ClusterState *s = state(d);
  if (!s || !isFirstThread())
    return;
  unsigned group = groupOf(d, *s);
  uint32_t before = clusterUpdate(*clusterGroup(s, group),
                                  [&](uint32_t w) { return clusterAfterArrival(w, s->blocks); });
  *clusterSlot(s, group * s->blocks + rankOf(*s)) = before;
}

extern "C" __attribute__((convergent)) void __vx_cluster_wait() {
  const LaunchDescriptor &d = *__vx_descriptor();
  ClusterState *s = state(d);
  if (s && isFirstThread()) {
    unsigned group = groupOf(d, *s);
    uint32_t before = *clusterSlot(s, group * s->blocks + rankOf(*s));
    uint32_t *word = &clusterGroup(s, group)->word;
    while (((before ^ __atomic_load_n(word, __ATOMIC_ACQUIRE)) & kClusterPhase) == 0)
      __vx_nanosleep(0);
  }
  __vx_barrier();
}

/// Returns the place that P in the caller's shared memory has in that of the block of rank RANK.
extern "C" void *__vx_cluster_map(void *p, unsigned rank) {
  const LaunchDescriptor &d = *__vx_descriptor();
  const ClusterState *s = state(d);
  if (!s)
    return p;
  auto distance = static_cast<intptr_t>(rank) - static_cast<intptr_t>(rankOf(*s));
  return reinterpret_cast<void *>(reinterpret_cast<intptr_t>(p) +
                                  distance * static_cast<intptr_t>(d.sharedStride));
}

/// The rank of the block in whose shared memory P is; -1: in none of the cluster's.
extern "C" int __vx_cluster_rank_of(void *p) {
  const LaunchDescriptor &d = *__vx_descriptor();
  const ClusterState *s = state(d);
  unsigned rank = s ? rankOf(*s) : 0, blocks = s ? s->blocks : 1;
  intptr_t first = reinterpret_cast<intptr_t>(__vx_shared_base()) -
                   static_cast<intptr_t>(rank) * static_cast<intptr_t>(d.sharedStride);
  intptr_t offset = reinterpret_cast<intptr_t>(p) - first;
  for (unsigned i = 0; i < blocks; ++i, offset -= d.sharedStride)
    if (offset >= 0 && offset < static_cast<intptr_t>(d.sharedStride))
      return static_cast<int>(i);
  return -1;
}

// What the entries of kernels with clusters call (passes/regions/EntryBuilder.cpp).

extern "C" unsigned __vx_cluster_block(const LaunchDescriptor *d, unsigned v) {
  const ClusterState *s = state(*d);
  return s ? static_cast<unsigned>(clusterBlock(*d, *s, v)) : v;
}

extern "C" void __vx_cluster_end(const LaunchDescriptor *d, unsigned slot) {
  if (ClusterState *s = state(*d))
    clusterEnd(*s, *clusterGroup(s, slot / s->blocks), [] { __vx_nanosleep(0); });
}
