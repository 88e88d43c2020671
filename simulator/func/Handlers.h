// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One handler per row of the instruction table and register width. The declarations expand the
// table, so a row without semantics is a link error; VX_EXEC in simulator/func/insns/ defines them.

#ifndef VX_SIMULATOR_FUNC_HANDLERS_H
#define VX_SIMULATOR_FUNC_HANDLERS_H

#include "simulator/func/Exec.h"
#include "simulator/func/Insn.h"

namespace vx::sim {

namespace handlers {
#define VX_INSN(id, ...)                                                                           \
  void exec32_##id(Exec &, Insn &);                                                                \
  void exec64_##id(Exec &, Insn &);
#include "intrinsics/isa/RiscvInsns.def"
#define VX_INSN(id, ...)                                                                           \
  void exec32_##id(Exec &, Insn &);                                                                \
  void exec64_##id(Exec &, Insn &);
#include "intrinsics/isa/VortexInsns.def"
} // namespace handlers

/// The handler of an instruction.
Handler handlerOf(isa::Op op, unsigned xlen);

/// Defines the semantics of a row: `VX_EXEC(ADD) { … }` sees XLEN, `e` (Exec) and `d` (Insn).
#define VX_EXEC(id)                                                                                \
  template <unsigned XLEN> static void body_##id(Exec &e, Insn &d);                                \
  void exec32_##id(Exec &e, Insn &d) {                                                             \
    body_##id<32>(e, d);                                                                           \
  }                                                                                                \
  void exec64_##id(Exec &e, Insn &d) {                                                             \
    body_##id<64>(e, d);                                                                           \
  }                                                                                                \
  template <unsigned XLEN> static void body_##id([[maybe_unused]] Exec &e, [[maybe_unused]] Insn &d)

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_HANDLERS_H
