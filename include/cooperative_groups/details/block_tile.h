// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of several warps. Warps exchange values through shared memory that is there for it, one
// slot for each warp of the block; a slot is written by its own warp only, and again only after
// every thread that might read it has passed the second of the two barriers of an exchange.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_BLOCK_TILE_H
#define VX_CUDA_COOPERATIVE_GROUPS_BLOCK_TILE_H

#include "groups.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {
namespace details {

/// The size of a slot.
constexpr unsigned kSlotBytes = 32;

VX_CG char *slotOfWarp(unsigned warp) {
  static __shared__ unsigned long long slots[32 * kSlotBytes / sizeof(unsigned long long)];
  return reinterpret_cast<char *>(slots) + warp * kSlotBytes;
}

/// N neighbouring threads of several warps, a divisor of the block.
template <unsigned N> class block_tile : public thread_group {
public:
  VX_CG void sync() const { groupSync(N); }
  static VX_CG constexpr unsigned num_threads() { return N; }
  static VX_CG constexpr unsigned size() { return N; }
  static VX_CG unsigned thread_rank() { return threadRank() & (N - 1); }
  VX_CG unsigned meta_group_rank() const { return metaRank; }
  VX_CG unsigned meta_group_size() const { return metaSize; }

  template <class T> VX_CG T shfl(T value, unsigned rank) const {
    if (thread_rank() == rank)
      store(0, value);
    sync();
    T result = load<T>(0);
    sync();
    return result;
  }
  VX_CG int any(int predicate) const {
    return combine(__any_sync(0xffffffffu, predicate), [](int a, int b) { return a | b; });
  }
  VX_CG int all(int predicate) const {
    return combine(__all_sync(0xffffffffu, predicate), [](int a, int b) { return a & b; });
  }

  /// OP over one value per warp (its first lane's), in every thread.
  template <class T, class Op> VX_CG T combine(T ofWarp, Op op) const {
    if (lane() == 0)
      store(warpRank(), ofWarp);
    sync();
    T result = load<T>(0);
#pragma unroll
    for (unsigned warp = 1; warp < N / 32; ++warp)
      result = op(result, load<T>(warp));
    sync();
    return result;
  }

  /// OP over one value per warp (its last lane's) for the warps before the own one. FIRST tells
  /// whether there is none; the result has no meaning then.
  template <class T, class Op> VX_CG T combineBefore(T ofWarp, bool &first, Op op) const {
    if (lane() == 31)
      store(warpRank(), ofWarp);
    sync();
    T result = load<T>(0);
#pragma unroll
    for (unsigned warp = 1; warp < N / 32; ++warp) {
      T next = op(result, load<T>(warp));
      result = warp < warpRank() ? next : result;
    }
    first = warpRank() == 0;
    sync();
    return result;
  }

protected:
  VX_CG block_tile(unsigned metaRank, unsigned metaSize)
      : thread_group(of_warps, N), metaRank(metaRank), metaSize(metaSize) {}

private:
  static VX_CG unsigned warpRank() { return thread_rank() / 32; }
  static VX_CG char *slot(unsigned warp) {
    return slotOfWarp((threadRank() & ~(N - 1)) / 32 + warp);
  }
  template <class T> static VX_CG void store(unsigned warp, const T &value) {
    static_assert(std::is_trivially_copyable<T>::value, "only plain data can be exchanged");
    static_assert(sizeof(T) <= kSlotBytes, "a value to exchange has at most 32 bytes");
    memcpy(slot(warp), &value, sizeof(T));
  }
  template <class T> static VX_CG T load(unsigned warp) {
    T value;
    memcpy(&value, slot(warp), sizeof(T));
    return value;
  }

  unsigned metaRank, metaSize;
};

} // namespace details
} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_BLOCK_TILE_H
