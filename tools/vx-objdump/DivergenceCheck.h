// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves on the finished code that no warp can reach a conditional branch whose lanes disagree
// without the machine being told first. The unit is the basic block: code that is entered at its
// first instruction only. A conditional branch, which always ends its block, is guarded when before
// it, in the same block, there is
//   - a vx_split or vx_pred, and what the branch compares is computed from the predicate of that
//     instruction and constants alone, so that the lanes on one side decide alike; or
//   - a point listed in section .vx.uniform: the compiler proved all lanes equal there.
// A jump through a register that is neither a return nor a call is reported too (a jump table,
// say).

#ifndef VX_TOOLS_OBJDUMP_DIVERGENCECHECK_H
#define VX_TOOLS_OBJDUMP_DIVERGENCECHECK_H

#include "tools/vx-objdump/ImageFile.h"

namespace vx {

struct Violation {
  enum Kind {
    Unguarded,    ///< a conditional branch without a marker
    Mismatched,   ///< a split or pred whose predicate is not what the branch compares
    IndirectJump, ///< a jump through a register
    Undecodable,  ///< compressed or unknown code, which cannot be judged
  } kind;
  uint64_t address;
};

struct DivergenceReport {
  unsigned bySplit = 0, byPred = 0, byUniform = 0;
  std::vector<Violation> violations; ///< in order of address
  unsigned count(Violation::Kind kind) const;
};

/// Checks all code of a linked IMAGE.
llvm::Expected<DivergenceReport> checkDivergence(const ImageFile &image);

} // namespace vx

#endif // VX_TOOLS_OBJDUMP_DIVERGENCECHECK_H
