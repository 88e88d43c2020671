// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where accesses to surfaces go. Built to bitcode; frontend/include/__vx_cuda_surfaces.h calls it.

#include "intrinsics/abi/TextureRecord.h"

extern "C" void __vx_trap();

namespace {

/// The index that stands for I of COUNT; OUTSIDE is set where there is none.
uint32_t bounded(int i, uint32_t count, bool &outside) {
  bool below = i < 0, above = !below && static_cast<uint32_t>(i) >= count;
  outside |= below || above;
  return below ? 0 : above ? count - 1 : static_cast<uint32_t>(i);
}

} // namespace

/// The address of BYTES bytes at byte X of row Y of slice Z. Outside of the surface, MODE (CUDA's
/// cudaSurfaceBoundaryMode) says what there is: 0, for no access; 1: the nearest element; 2: a
/// trap.
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
  uint32_t row = bounded(y, level.height, outside), slice = bounded(z, level.depth, outside);
  if (outside && mode == 2)
    __vx_trap();
  uint64_t address = level.data + slice * level.slicePitch + row * level.rowPitch + column;
  return (outside && mode == 0) || places == 0 ? 0 : address;
}
