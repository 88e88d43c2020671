// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one instruction of an image that knows how large stacks are: the start-up code finds a lane's
// stack by `slli rd, mhartid, VX_STACK_LOG2_SIZE`, at the symbol kStackShiftSymbol. A loader
// that wants stacks of another size writes another shift there. So stacks of the usual size cost
// nothing, and the device needs no notion of a stack.

#ifndef VX_ABI_STACK_SHIFT_H
#define VX_ABI_STACK_SHIFT_H

#include "intrinsics/abi/AddressMap.h"
#include <cstdint>
#include <optional>

namespace vx::abi {

inline constexpr const char *kStackShiftSymbol = "__vx_stack_shift";

/// Returns the instruction word for stacks of 1 << LOG2 bytes in place of WORD; none if WORD is not
/// an `slli` or no register of the device is wide enough.
constexpr std::optional<uint32_t> withStackShift(uint32_t word, uint32_t log2) {
  constexpr uint32_t kSlliMask = 0xfc00707f, kSlli = 0x00001013;
  if ((word & kSlliMask) != kSlli || log2 > 31)
    return std::nullopt;
  return (word & ~(uint32_t(63) << 20)) | log2 << 20;
}

} // namespace vx::abi

#endif // VX_ABI_STACK_SHIFT_H
