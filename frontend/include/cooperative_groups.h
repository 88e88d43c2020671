// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: sets of threads as values that can synchronise, exchange values and be split.
//
//   grid_group ⊃ thread_block ⊃ thread_block_tile<N> (a power of two: lanes of one warp up to 32,
//                                                     beyond that whole warps)
//                             ⊃ coalesced_group (those lanes of one warp that are here now)
//
// A group inside a warp is its member mask; everything it does is a warp function on that mask. A
// tile of several warps exchanges through shared memory that the program sets aside for it.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_H
#define VX_CUDA_COOPERATIVE_GROUPS_H

#if defined(__CUDA__) && defined(__cplusplus)

#include "cuda_runtime.h"
#include <type_traits>

#define VX_CG __device__ __forceinline__

namespace cooperative_groups {
namespace details {

VX_CG unsigned lane() {
  return __nvvm_read_ptx_sreg_laneid();
}
VX_CG unsigned lanesBelow() {
  return (1u << lane()) - 1u;
}

VX_CG unsigned threadRank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
VX_CG unsigned blockThreads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
VX_CG unsigned long long blockRank() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
VX_CG unsigned long long gridBlocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}

// A value of any trivially copyable type crosses lanes in words.
template <class T, class Exchange> VX_CG T exchangeWords(const T &value, Exchange exchange) {
  static_assert(std::is_trivially_copyable<T>::value, "only plain data can be exchanged");
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned buffer[words] = {};
  memcpy(buffer, &value, sizeof(T));
  for (unsigned i = 0; i < words; ++i)
    buffer[i] = exchange(buffer[i]);
  T result;
  memcpy(&result, buffer, sizeof(T));
  return result;
}

// The lane that holds the n-th set bit of MASK, counted from 0.
VX_CG unsigned nthLane(unsigned mask, unsigned n) {
  for (; n; --n)
    mask &= mask - 1;
  return __ffs(mask) - 1;
}

// All blocks meet. The top bit of the counter flips when the last one arrives: block 0 adds what
// the others leave of it.
static __device__ unsigned gridBarrier;
VX_CG void gridSync() {
  __syncthreads();
  if (threadRank() == 0) {
    unsigned others = (unsigned)gridBlocks() - 1;
    unsigned step = blockRank() == 0 ? 0x80000000u - others : 1u;
    __threadfence();
    unsigned before = atomicAdd(&gridBarrier, step);
    while (((before ^ *(volatile unsigned *)&gridBarrier) & 0x80000000u) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
}

} // namespace details

/// Any group, when its kind is known at run time only.
class thread_group {
public:
  enum kind_t { block_kind, grid_kind, warp_kind };

  VX_CG void sync() const {
    if (kind == block_kind)
      __syncthreads();
    else if (kind == grid_kind)
      details::gridSync();
    else
      __syncwarp(mask);
  }
  VX_CG unsigned long long num_threads() const {
    if (kind == block_kind)
      return details::blockThreads();
    if (kind == grid_kind)
      return details::gridBlocks() * details::blockThreads();
    return __popc(mask);
  }
  VX_CG unsigned long long size() const { return num_threads(); }
  VX_CG unsigned long long thread_rank() const {
    if (kind == block_kind)
      return details::threadRank();
    if (kind == grid_kind)
      return details::blockRank() * details::blockThreads() + details::threadRank();
    return __popc(mask & details::lanesBelow());
  }
  VX_CG bool is_valid() const { return true; }

protected:
  VX_CG explicit thread_group(kind_t kind, unsigned mask = 0) : kind(kind), mask(mask) {}
  kind_t kind;
  unsigned mask;
};

/// Shared memory for tiles of several warps: one slot of 8 bytes per warp.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
  unsigned long long slots[(MaxBlockSize + 31) / 32];
};

/// All threads of the block.
class thread_block : public thread_group {
public:
  struct arrival_token {};

  /// What block_tile_memory gave for tiles of several warps, or null.
  VX_CG unsigned long long *tile_memory() const { return slots; }

  static VX_CG void sync() { __syncthreads(); }
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
  static VX_CG dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static VX_CG dim3 dim_threads() { return group_dim(); }

private:
  VX_CG explicit thread_block(unsigned long long *slots = nullptr)
      : thread_group(block_kind), slots(slots) {}
  friend VX_CG thread_block this_thread_block();
  template <unsigned N> friend VX_CG thread_block this_thread_block(block_tile_memory<N> &);

  unsigned long long *slots;
};

VX_CG thread_block this_thread_block() {
  return thread_block();
}
template <unsigned N> VX_CG thread_block this_thread_block(block_tile_memory<N> &memory) {
  return thread_block(memory.slots);
}

/// All threads of the grid. sync() needs a cooperative launch: every block must be resident.
class grid_group : public thread_group {
public:
  static VX_CG void sync() { details::gridSync(); }
  static VX_CG bool is_valid() { return true; }
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

private:
  VX_CG grid_group() : thread_group(grid_kind) {}
  friend VX_CG grid_group this_grid();
};

VX_CG grid_group this_grid() {
  return grid_group();
}

/// What all groups inside a warp share; the member mask comes with the object.
class warp_group : public thread_group {
public:
  VX_CG void sync() const { __syncwarp(mask); }
  VX_CG unsigned num_threads() const { return __popc(mask); }
  VX_CG unsigned size() const { return num_threads(); }
  VX_CG unsigned thread_rank() const { return __popc(mask & details::lanesBelow()); }
  VX_CG unsigned meta_group_rank() const { return metaRank; }
  VX_CG unsigned meta_group_size() const { return metaSize; }

  VX_CG int any(int predicate) const { return __any_sync(mask, predicate); }
  VX_CG int all(int predicate) const { return __all_sync(mask, predicate); }
  VX_CG unsigned ballot(int predicate) const { return pack(__ballot_sync(mask, predicate)); }
  template <class T> VX_CG unsigned match_any(T value) const {
    return pack(__match_any_sync(mask, value));
  }
  template <class T> VX_CG unsigned match_all(T value, int &predicate) const {
    return pack(__match_all_sync(mask, value, &predicate));
  }

  /// The lanes of the warp that are members.
  VX_CG unsigned member_mask() const { return mask; }

protected:
  VX_CG warp_group(unsigned mask, unsigned metaRank, unsigned metaSize)
      : thread_group(warp_kind, mask), metaRank(metaRank), metaSize(metaSize) {}

  // Bits of members, moved together in the order of ranks.
  VX_CG unsigned pack(unsigned lanes) const {
    unsigned result = 0, rank = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1, ++rank)
      if (lanes & rest & -rest)
        result |= 1u << rank;
    return result;
  }

  unsigned metaRank, metaSize;
};

/// The members of one warp that run together here, or a part of them.
class coalesced_group : public warp_group {
public:
  template <class T> VX_CG T shfl(T value, unsigned rank) const {
    unsigned source = details::nthLane(mask, rank % num_threads());
    return exchange(value, source);
  }
  template <class T> VX_CG T shfl_up(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    return exchange(value, rank < delta ? details::lane() : details::nthLane(mask, rank - delta));
  }
  template <class T> VX_CG T shfl_down(T value, unsigned delta) const {
    unsigned rank = thread_rank();
    bool inside = rank + delta < num_threads();
    return exchange(value, inside ? details::nthLane(mask, rank + delta) : details::lane());
  }

private:
  template <class T> VX_CG T exchange(const T &value, unsigned source) const {
    unsigned members = mask;
    return details::exchangeWords(
        value, [=] __device__(unsigned word) { return __shfl_sync(members, word, source); });
  }

  VX_CG coalesced_group(unsigned mask, unsigned metaRank = 0, unsigned metaSize = 1)
      : warp_group(mask, metaRank, metaSize) {}
  friend VX_CG coalesced_group coalesced_threads();
  template <class Group> friend VX_CG coalesced_group binary_partition(const Group &, bool);
  template <class Group, class Label>
  friend VX_CG coalesced_group labeled_partition(const Group &, Label);
  friend VX_CG coalesced_group tiled_partition(const coalesced_group &, unsigned);
};

VX_CG coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

namespace details {

/// N neighbouring lanes of one warp.
template <unsigned N> class warp_tile : public warp_group {
public:
  static VX_CG unsigned num_threads() { return N; }
  static VX_CG unsigned size() { return N; }
  static VX_CG unsigned thread_rank() { return lane() & (N - 1); }

  // The lanes of a tile are neighbours, so ranks need no search.
  VX_CG unsigned ballot(int predicate) const { return place(__ballot_sync(mask, predicate)); }
  template <class T> VX_CG unsigned match_any(T value) const {
    return place(__match_any_sync(mask, value));
  }
  template <class T> VX_CG unsigned match_all(T value, int &predicate) const {
    return place(__match_all_sync(mask, value, &predicate));
  }

  template <class T> VX_CG T shfl(T value, int rank) const {
    unsigned members = mask;
    return exchangeWords(
        value, [=] __device__(unsigned word) { return __shfl_sync(members, word, rank, N); });
  }
  template <class T> VX_CG T shfl_up(T value, unsigned delta) const {
    unsigned members = mask;
    return exchangeWords(
        value, [=] __device__(unsigned word) { return __shfl_up_sync(members, word, delta, N); });
  }
  template <class T> VX_CG T shfl_down(T value, unsigned delta) const {
    unsigned members = mask;
    return exchangeWords(
        value, [=] __device__(unsigned word) { return __shfl_down_sync(members, word, delta, N); });
  }
  template <class T> VX_CG T shfl_xor(T value, unsigned bits) const {
    unsigned members = mask;
    return exchangeWords(
        value, [=] __device__(unsigned word) { return __shfl_xor_sync(members, word, bits, N); });
  }

protected:
  template <class Group>
  VX_CG explicit warp_tile(const Group &parent)
      : warp_group(kLanes << firstLane(), (unsigned)parent.thread_rank() / N,
                   ((unsigned)parent.num_threads() + N - 1) / N) {}

private:
  static constexpr unsigned kLanes = N == 32 ? 0xffffffffu : (1u << (N & 31)) - 1u;
  static VX_CG unsigned firstLane() { return lane() & ~(N - 1); }
  static VX_CG unsigned place(unsigned lanes) { return (lanes >> firstLane()) & kLanes; }
};

/// N threads of several warps, a divisor of the block.
template <unsigned N> class block_tile {
public:
  VX_CG void sync() const {
    if (N >= blockThreads())
      __syncthreads();
    else
      __barrier_sync_count(1 + meta_group_rank(), N);
  }
  static VX_CG unsigned num_threads() { return N; }
  static VX_CG unsigned size() { return N; }
  static VX_CG unsigned thread_rank() { return threadRank() & (N - 1); }
  static VX_CG unsigned meta_group_rank() { return threadRank() / N; }
  static VX_CG unsigned meta_group_size() { return (blockThreads() + N - 1) / N; }

  template <class T> VX_CG T shfl(T value, unsigned rank) const {
    if (thread_rank() == rank)
      store(0, value);
    sync();
    T result = load<T>(0);
    sync();
    return result;
  }
  VX_CG int any(int predicate) const {
    return combine(__any_sync(0xffffffffu, predicate),
                   [] __device__(int a, int b) { return a | b; });
  }
  VX_CG int all(int predicate) const {
    return combine(__all_sync(0xffffffffu, predicate),
                   [] __device__(int a, int b) { return a & b; });
  }

  /// OP over one value per warp (any lane's will do), in every thread.
  template <class T, class Op> VX_CG T combine(T ofWarp, Op op) const {
    if (lane() == 0)
      store(thread_rank() / 32, ofWarp);
    sync();
    T result = load<T>(0);
    for (unsigned warp = 1; warp < N / 32; ++warp)
      result = op(result, load<T>(warp));
    sync();
    return result;
  }

protected:
  VX_CG explicit block_tile(const thread_block &block)
      : slots(block.tile_memory() + threadRank() / N * (N / 32)) {}

private:
  template <class T> VX_CG void store(unsigned slot, const T &value) const {
    static_assert(sizeof(T) <= 8, "a slot of block_tile_memory holds 8 bytes");
    memcpy(&slots[slot], &value, sizeof(T));
  }
  template <class T> VX_CG T load(unsigned slot) const {
    T value;
    memcpy(&value, &slots[slot], sizeof(T));
    return value;
  }

  unsigned long long *slots;
};

template <unsigned N>
using tile_of = typename std::conditional<(N <= 32), warp_tile<N>, block_tile<N>>::type;

} // namespace details

/// N neighbouring threads, a power of two. PARENT only documents what was divided. More than 32
/// come from a thread_block that was made with block_tile_memory.
template <unsigned N, class Parent = void> class thread_block_tile : public details::tile_of<N> {
  static_assert(N >= 1 && N <= 1024 && (N & (N - 1)) == 0, "a tile is a power of two up to 1024");

public:
  /// Who was divided is forgotten when a function does not ask.
  template <class Other>
  VX_CG thread_block_tile(const thread_block_tile<N, Other> &other) : details::tile_of<N>(other) {
    static_assert(std::is_void<Parent>::value, "tiles of different parents");
  }

private:
  struct divide {};
  template <class Group>
  VX_CG thread_block_tile(const Group &parent, divide) : details::tile_of<N>(parent) {}
  template <unsigned M, class Group>
  friend VX_CG thread_block_tile<M, Group> tiled_partition(const Group &);
};

/// Divides a block or a tile into tiles of N threads.
template <unsigned N, class Group>
VX_CG thread_block_tile<N, Group> tiled_partition(const Group &parent) {
  return thread_block_tile<N, Group>(parent, typename thread_block_tile<N, Group>::divide());
}

/// A tile whose size is known at run time.
class dynamic_tile : public warp_group {
  friend VX_CG thread_group tiled_partition(const thread_group &, unsigned);
  VX_CG dynamic_tile(unsigned mask, unsigned rank, unsigned size) : warp_group(mask, rank, size) {}
};
VX_CG thread_group tiled_partition(const thread_group &parent, unsigned n) {
  unsigned lanes = n >= 32 ? 0xffffffffu : (1u << n) - 1u;
  unsigned first = details::lane() & ~(n - 1);
  unsigned threads = (unsigned)parent.num_threads();
  return dynamic_tile(lanes << first, (unsigned)parent.thread_rank() / n, (threads + n - 1) / n);
}
VX_CG coalesced_group tiled_partition(const coalesced_group &parent, unsigned n) {
  unsigned rank = parent.thread_rank(), tile = rank / n, members = 0;
  unsigned at = 0;
  for (unsigned rest = parent.member_mask(); rest; rest &= rest - 1, ++at)
    if (at / n == tile)
      members |= rest & -rest;
  return coalesced_group(members, tile, (parent.num_threads() + n - 1) / n);
}

/// Splits a group inside a warp by a predicate, or by the value of a label.
template <class Group> VX_CG coalesced_group binary_partition(const Group &group, bool predicate) {
  unsigned yes = __ballot_sync(group.member_mask(), predicate);
  return predicate ? coalesced_group(yes, 1, 2) : coalesced_group(group.member_mask() & ~yes, 0, 2);
}
template <class Group, class Label>
VX_CG coalesced_group labeled_partition(const Group &group, Label label) {
  unsigned mine = __match_any_sync(group.member_mask(), label);
  // Parts are numbered by their first lanes.
  unsigned leaders = __ballot_sync(group.member_mask(), (mine & details::lanesBelow()) == 0);
  unsigned first = __ffs(mine) - 1;
  return coalesced_group(mine, __popc(leaders & ((1u << first) - 1u)), __popc(leaders));
}

template <class Group> VX_CG void sync(const Group &group) {
  group.sync();
}
template <class Group> VX_CG auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group> VX_CG auto group_size(const Group &group) -> decltype(group.size()) {
  return group.size();
}

/// One member runs the function; with _broadcast, all get its result.
template <class Group, class Function, class... Args>
VX_CG void invoke_one(const Group &group, Function &&function, Args &&...args) {
  if (group.thread_rank() == 0)
    function(static_cast<Args &&>(args)...);
}
template <class Group, class Function, class... Args>
VX_CG auto invoke_one_broadcast(const Group &group, Function &&function, Args &&...args)
    -> decltype(function(static_cast<Args &&>(args)...)) {
  decltype(function(static_cast<Args &&>(args)...)) result{};
  if (group.thread_rank() == 0)
    result = function(static_cast<Args &&>(args)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#undef VX_CG

#endif // __CUDA__

#endif // VX_CUDA_COOPERATIVE_GROUPS_H
