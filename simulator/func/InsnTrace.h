// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a timing model may know about an executed instruction. Timing never sees register values.

#ifndef VX_SIMULATOR_FUNC_INSNTRACE_H
#define VX_SIMULATOR_FUNC_INSNTRACE_H

#include "intrinsics/isa/InsnTable.h"
#include <array>
#include <cstdint>

namespace vx::sim {

struct InsnTrace {
  isa::Op op = isa::Op(0);
  uint32_t word = 0; ///< register numbers are its fields (isa::Fields)
  uint32_t core = 0, warp = 0;
  uint64_t pc = 0, nextPc = 0;
  uint64_t mask = 0;                  ///< lanes that were active
  uint8_t accessBytes = 0;            ///< per lane; 0: no memory access
  std::array<uint64_t, 64> addresses; ///< of the active lanes, when accessBytes is not 0
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_INSNTRACE_H
