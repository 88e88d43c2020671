// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Handlers.h"

namespace vx::sim {

Handler handlerOf(isa::Op op, unsigned xlen) {
  struct Pair {
    Handler narrow, wide;
  };
  static constexpr Pair table[] = {
#define VX_INSN(id, ...) {handlers::exec32_##id, handlers::exec64_##id},
#include "intrinsics/isa/RiscvInsns.def"
#define VX_INSN(id, ...) {handlers::exec32_##id, handlers::exec64_##id},
#include "intrinsics/isa/VortexInsns.def"
  };
  const Pair &pair = table[size_t(op)];
  return xlen == 32 ? pair.narrow : pair.wide;
}

} // namespace vx::sim
