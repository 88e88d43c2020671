// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of an executed instruction that a timing model may know. Timing never sees register
// values.

#ifndef VX_SIMULATOR_FUNC_INSNTRACE_H
#define VX_SIMULATOR_FUNC_INSNTRACE_H

#include "intrinsics/isa/InsnTable.h"
#include <array>
#include <cstdint>
#include <vector>

namespace vx::sim {

/// A read of the texture unit: a channel of a texel, or a whole record that says what a texture is.
struct TextureRead {
  uint64_t address = 0;
  uint16_t bytes = 0;
  uint8_t lane = 0; ///< of the group
  bool isState = false;
};

struct InsnTrace {
  isa::Op op = isa::Op(0);
  uint32_t word = 0; ///< register numbers are its fields (isa::Fields)
  uint32_t core = 0;
  uint32_t slot = 0; ///< of the group, in Core::warps; a hardware warp's is its number
  uint32_t warp = 0; ///< hardware warp of the group's first thread
  uint32_t base = 0; ///< first thread of the group, counted over the core: warp * lanes + lane
  uint32_t size = 0; ///< threads of the group: NT unless vx_tile has regrouped
  uint64_t pc = 0, nextPc = 0;
  uint64_t mask = 0;                  ///< lanes of the group that were active
  uint32_t pathDelay = 0;             ///< core.divergence = paths: cycles to choose the next path
  uint8_t accessBytes = 0;            ///< per lane; 0: no memory access
  std::array<uint64_t, 64> addresses; ///< of the active lanes, when accessBytes is not 0
  std::vector<TextureRead> textureReads; ///< of a vx_tex; of other instructions nothing new

  /// Hardware warps of LANES lanes that the group occupies: warp, warp + 1, …. A merged group
  /// issues in that many beats; beat i concerns lanes i * LANES … of the group.
  unsigned beats(unsigned lanes) const { return size > lanes ? size / lanes : 1; }
  /// The active lanes of beat I, as lanes of that hardware warp.
  uint64_t beatMask(unsigned i, unsigned lanes) const {
    if (size < lanes)
      return mask << base % lanes;
    return mask >> i * lanes & ((uint64_t(1) << lanes) - 1);
  }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_INSNTRACE_H
