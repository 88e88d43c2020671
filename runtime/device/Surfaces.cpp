// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where accesses to surfaces go. Built to bitcode; include/vx/cuda/surfaces.h calls it.

#include "intrinsics/abi/TextureRecord.h"

namespace {

/// The index that stands for I of COUNT; OUTSIDE is set where there is none.
uint32_t bounded(int i, uint32_t count, bool &outside) {
  bool below = i < 0, above = !below && static_cast<uint32_t>(i) >= count;
  outside |= below || above;
  return below ? 0 : above ? count - 1 : static_cast<uint32_t>(i);
}

} // namespace

/// The address of BYTES bytes at byte X of row Y of slice Z. Outside of the surface, MODE (CUDA's
/// cudaSurfaceBoundaryMode) says what there is: 0 and 2, null, for no access and for one that
/// faults; 1: the nearest element.
extern "C" uint64_t __vx_surf_address(uint64_t surface, int x, int y, int z, unsigned bytes,
                                      unsigned mode) {
  const auto &level = *reinterpret_cast<const VxImageLevel *>(static_cast<uintptr_t>(surface));
  const auto &r =
      *reinterpret_cast<const vx::abi::TextureRecord *>(static_cast<uintptr_t>(surface));
  uint32_t rowBytes = level.width << r.texelShift;
  bool outside = false;
  // An access reaches BYTES far; the last place for it is that far from the end.
  uint32_t places = rowBytes < bytes ? 0 : rowBytes - bytes + 1;
  uint32_t column = bounded(x, places, outside);
  if (column + 1 == places) // the last whole element of this size
    column &= -bytes;
  uint32_t row = bounded(y, level.height, outside), slice = bounded(z, level.depth, outside);
  uint64_t address = level.data + slice * level.slicePitch + row * level.rowPitch + column;
  return (outside && mode != 1) || places == 0 ? 0 : address;
}
