// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a block's named barriers (bar.sync and its kin with a number or a count), in shared
// memory before the bookkeeping words of barriers of the whole block. What the words hold is said
// in runtime/device/NamedBarrier.cpp; all are 0 when a block starts, except `warps` and the
// threads that the last warp lacks.

#ifndef VX_ABI_NAMED_BARRIERS_H
#define VX_ABI_NAMED_BARRIERS_H

#include "intrinsics/abi/WarpSize.h"
#include <stddef.h>
#include <stdint.h>

namespace vx::abi {

/// Barriers of a block that programs name.
inline constexpr unsigned kNamedBarriers = 16;

struct NamedBarriers {
  struct Warp {
    uint32_t gathered, what, done;
  };
  uint32_t warps; ///< with threads that have not ended
  uint32_t reserved[3];
  Warp ofWarp[kMaxBlockWarps];
  uint64_t barrier[kNamedBarriers];
  uint64_t group[kMaxBlockWarps]; ///< of aligned groups of warps, by their first one

  /// Returns the number of bytes of a block's state, with barriers of groups or without.
  static constexpr uint64_t bytes(bool groups) {
    return groups ? sizeof(NamedBarriers) : offsetof(NamedBarriers, group);
  }
};
static_assert(NamedBarriers::bytes(false) == 528 && NamedBarriers::bytes(true) == 784);

} // namespace vx::abi

#endif // VX_ABI_NAMED_BARRIERS_H
