// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups inside a warp: a group is its member mask, and everything it does is a warp function on
// that mask.

#ifndef VX_CUDA_COOPERATIVE_GROUPS_WARP_GROUPS_H
#define VX_CUDA_COOPERATIVE_GROUPS_WARP_GROUPS_H

#include "groups.h"

#define VX_CG __device__ __forceinline__ __attribute__((__nodebug__))

namespace cooperative_groups {

/// The base of all groups inside a warp.
class warp_group : public thread_group {
public:
  VX_CG void sync() const { __syncwarp(members); }
  VX_CG unsigned num_threads() const { return __popc(members); }
  VX_CG unsigned size() const { return num_threads(); }
  VX_CG unsigned thread_rank() const { return __popc(members & details::lanesBelow()); }
  VX_CG unsigned meta_group_rank() const { return metaRank; }
  VX_CG unsigned meta_group_size() const { return metaSize; }

  VX_CG int any(int predicate) const { return __any_sync(members, predicate); }
  VX_CG int all(int predicate) const { return __all_sync(members, predicate); }
  /// One bit for each rank, as in the results of match_any and match_all.
  VX_CG unsigned ballot(int predicate) const { return pack(__ballot_sync(members, predicate)); }
  template <class T> VX_CG unsigned match_any(T value) const {
    return pack(__match_any_sync(members, +value));
  }
  template <class T> VX_CG unsigned match_all(T value, int &predicate) const {
    return pack(__match_all_sync(members, +value, &predicate));
  }

  /// The lanes of the warp that are members.
  VX_CG unsigned member_mask() const { return members; }

protected:
  VX_CG warp_group(unsigned members, unsigned metaRank, unsigned metaSize)
      : thread_group(of_warp, members), metaRank(metaRank), metaSize(metaSize) {}

private:
  VX_CG unsigned pack(unsigned lanes) const { return details::gatherBits(lanes, members); }

  unsigned metaRank, metaSize;
};

/// The members of one warp that run together here, or a part of them.
class coalesced_group : public warp_group {
public:
  template <class T> VX_CG T shfl(T value, unsigned rank) const { return read(value, rank); }
  template <class T> VX_CG T shfl_up(T value, unsigned delta) const {
    return read(value, thread_rank() - delta);
  }
  template <class T> VX_CG T shfl_down(T value, unsigned delta) const {
    return read(value, thread_rank() + delta);
  }
  template <class T> VX_CG T shfl_xor(T value, unsigned bits) const {
    return read(value, thread_rank() ^ bits);
  }

  /// Nothing is known about the shape of the mask (the width operand of a reduction).
  static constexpr unsigned kWidth = 0;
  /// The most members there can be.
  static constexpr unsigned kMaxThreads = 32;

private:
  // What the member of that rank has; a rank that no member has reads the own value.
  template <class T> VX_CG T read(const T &value, unsigned rank) const {
    unsigned source = details::nthLane(members, rank);
    return details::exchange(
        value, details::ShuffleIdx{members, source < 32 ? source : details::lane(), 32});
  }

  VX_CG coalesced_group(unsigned members, unsigned metaRank = 0, unsigned metaSize = 1)
      : warp_group(members, metaRank, metaSize) {}
  friend VX_CG coalesced_group coalesced_threads();
  template <class Group> friend VX_CG coalesced_group binary_partition(const Group &, bool);
  template <class Group, class Label>
  friend VX_CG coalesced_group labeled_partition(const Group &, Label);
  friend VX_CG coalesced_group tiled_partition(const coalesced_group &, unsigned);
};

VX_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

namespace details {

/// N neighbouring lanes of one warp. They are neighbours, so ranks need no search.
template <unsigned N> class warp_tile : public warp_group {
public:
  static VX_CG constexpr unsigned num_threads() { return N; }
  static VX_CG constexpr unsigned size() { return N; }
  static VX_CG unsigned thread_rank() { return lane() & (N - 1); }

  VX_CG unsigned ballot(int predicate) const { return place(__ballot_sync(members, predicate)); }
  template <class T> VX_CG unsigned match_any(T value) const {
    return place(__match_any_sync(members, +value));
  }
  template <class T> VX_CG unsigned match_all(T value, int &predicate) const {
    return place(__match_all_sync(members, +value, &predicate));
  }

  template <class T> VX_CG T shfl(T value, unsigned rank) const {
    return exchange(value, ShuffleIdx{members, rank, N});
  }
  template <class T> VX_CG T shfl_up(T value, unsigned delta) const {
    return exchange(value, ShuffleUp{members, delta, N});
  }
  template <class T> VX_CG T shfl_down(T value, unsigned delta) const {
    return exchange(value, ShuffleDown{members, delta, N});
  }
  template <class T> VX_CG T shfl_xor(T value, unsigned bits) const {
    return exchange(value, ShuffleXor{members, bits & (N - 1), N}); // never beyond the tile
  }

  static constexpr unsigned kWidth = N;
  static constexpr unsigned kMaxThreads = N;

protected:
  VX_CG warp_tile(unsigned metaRank, unsigned metaSize)
      : warp_group(N == 32 ? kLanes : kLanes << firstLane(), metaRank, metaSize) {}

private:
  static constexpr unsigned kLanes = N == 32 ? 0xffffffffu : (1u << (N & 31)) - 1u;
  static VX_CG unsigned firstLane() { return lane() & ~(N - 1); }
  static VX_CG unsigned place(unsigned lanes) {
    return N == 32 ? lanes : (lanes >> firstLane()) & kLanes;
  }
};

} // namespace details
} // namespace cooperative_groups

#undef VX_CG

#endif // VX_CUDA_COOPERATIVE_GROUPS_WARP_GROUPS_H
