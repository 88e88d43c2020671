// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoded instruction, ready to run.

#ifndef VX_SIMULATOR_FUNC_INSN_H
#define VX_SIMULATOR_FUNC_INSN_H

#include "intrinsics/isa/InsnTable.h"
#include <cstdint>

namespace vx::sim {

class Exec;
struct Insn;

/// Runs one instruction for the active lanes of a warp.
using Handler = void (*)(Exec &, Insn &);

/// The effect of an instruction on memory.
enum class Access : uint8_t { NotDecoded, None, Load, Store, Atomic, Texture };

struct Insn {
  Handler run = nullptr;
  uint32_t rd = 0, rs1 = 0, rs2 = 0, rs3 = 0; ///< offsets of lane 0 in the register arrays
  int32_t imm = 0;                            ///< the format's immediate, 0 where it has none
  uint32_t word = 0;
  isa::Op op = isa::Op(0);
  /// Instructions from this one on that are known to follow each other, whatever they compute:
  /// their flow is isa::Flow::Straight. 0: its own is another.
  uint16_t straight = 0;
  uint8_t rm = 0; ///< rounding-mode field
  Access access = Access::NotDecoded;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_INSN_H
