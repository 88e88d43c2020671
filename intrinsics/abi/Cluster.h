// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters: blocks that are resident together, share barriers and reach each other's shared
// memory. Slots for blocks are numbered over the device (core * blocksPerCore + slot); each run of
// `blocks` slots works on one cluster after the other, block by block in the order of the blocks'
// ranks. Shared memory of these slots lies in the same distances wherever it is: in one core's
// local memory, or in global memory.
//
// The functions are plain C++ for the device's code and for the workers of the host target.

#ifndef VX_ABI_CLUSTER_H
#define VX_ABI_CLUSTER_H

#include "intrinsics/abi/LaunchDescriptor.h"

namespace vx::abi {

/// CUDA's portable limit, and what a kernel may allow itself.
inline constexpr uint32_t kMaxClusterBlocks = 8;
inline constexpr uint32_t kMaxClusterBlocksOptIn = 16;

/// Written by the runtime for a launch with clusters of more than one block. ClusterGroup[groups]
/// follows, then uint32_t[groups * blocks]: what each slot saw when it arrived.
struct ClusterState {
  uint32_t dim[3];     // blocks
  uint32_t blocks;     // product of dim
  uint32_t gridDim[3]; // clusters
  uint32_t groups;     // clusters that are resident at a time
};

/// The barrier of the slots that work on a cluster.
struct ClusterGroup {
  uint32_t word; // see below
  uint32_t unused[15];
};

inline constexpr uint32_t kClusterArrived = 1;     // 8 bits: blocks that wait
inline constexpr uint32_t kClusterGone = 1 << 8;   // 8 bits: blocks that have ended
inline constexpr uint32_t kClusterPhase = 1 << 16; // changes when all have arrived
inline constexpr uint32_t kClusterTurn = 1 << 17;  // changes when all have ended

inline uint64_t clusterStateBytes(uint32_t groups, uint32_t blocks) {
  return sizeof(ClusterState) + uint64_t(groups) * (sizeof(ClusterGroup) + 4 * uint64_t(blocks));
}
inline ClusterGroup *clusterGroup(ClusterState *state, uint32_t group) {
  return reinterpret_cast<ClusterGroup *>(state + 1) + group;
}
inline uint32_t *clusterSlot(ClusterState *state, uint32_t slot) {
  return reinterpret_cast<uint32_t *>(clusterGroup(state, state->groups)) + slot;
}

/// Returns the linear number of the block that is the V-th in the order of clusters and ranks.
inline uint64_t clusterBlock(const LaunchDescriptor &d, const ClusterState &s, uint64_t v) {
  if (s.dim[1] * s.dim[2] == 1)
    return v;
  uint32_t n = static_cast<uint32_t>(v);
  uint32_t cluster = n / s.blocks, rank = n - cluster * s.blocks;
  uint32_t row = cluster / s.gridDim[0], z = row / s.gridDim[1];
  uint32_t x = cluster - row * s.gridDim[0], y = row - z * s.gridDim[1];
  uint32_t rankRow = rank / s.dim[0], rankZ = rankRow / s.dim[1];
  x = x * s.dim[0] + (rank - rankRow * s.dim[0]);
  y = y * s.dim[1] + (rankRow - rankZ * s.dim[1]);
  z = z * s.dim[2] + rankZ;
  return (uint64_t(z) * d.gridDim[1] + y) * d.gridDim[0] + x;
}

/// Returns WORD after one more of BLOCKS blocks has arrived.
inline uint32_t clusterAfterArrival(uint32_t word, uint32_t blocks) {
  uint32_t arrived = (word & 255) + 1, gone = word >> 8 & 255;
  return arrived + gone == blocks ? (word & ~255u) ^ kClusterPhase : word + kClusterArrived;
}

/// Returns WORD after one more of BLOCKS blocks has ended: no block waits for it any more.
inline uint32_t clusterAfterEnd(uint32_t word, uint32_t blocks) {
  uint32_t arrived = word & 255, gone = (word >> 8 & 255) + 1;
  if (gone == blocks)
    return (word & ~0xffffu) ^ kClusterTurn;
  word += kClusterGone;
  return arrived && arrived + gone == blocks ? (word & ~255u) ^ kClusterPhase : word;
}

/// Replaces the word of GROUP by what NEXT makes of it; the one before.
template <typename F> uint32_t clusterUpdate(ClusterGroup &group, F next) {
  uint32_t word = __atomic_load_n(&group.word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&group.word, &word, next(word), false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
    ;
  return word;
}

/// Ends a block of GROUP. Waits, calling YIELD, until the others have ended: the next cluster
/// begins with a fresh barrier.
template <typename F> void clusterEnd(ClusterState &state, ClusterGroup &group, F yield) {
  uint32_t before =
      clusterUpdate(group, [&](uint32_t w) { return clusterAfterEnd(w, state.blocks); });
  while (((before ^ __atomic_load_n(&group.word, __ATOMIC_ACQUIRE)) & kClusterTurn) == 0)
    yield();
}

} // namespace vx::abi

#endif // VX_ABI_CLUSTER_H
