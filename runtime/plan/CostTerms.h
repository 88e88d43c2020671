// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cost model (CostModel.h) adds up for one launch.

#ifndef VX_RUNTIME_PLAN_COSTTERMS_H
#define VX_RUNTIME_PLAN_COSTTERMS_H

#include "intrinsics/abi/KernelTable.h"

namespace vx::rt {

/// The work of one hardware warp.
struct Work {
  double instructions = 0, cycles = 0, near = 0, far = 0, stack = 0, warp = 0;

  Work &add(const abi::LevelCost &cost, double times) {
    times /= abi::kCostUnit;
    instructions += times * cost.instructions;
    cycles += times * cost.cycles;
    near += times * (double(cost.accesses) - cost.far - cost.stack);
    far += times * cost.far;
    stack += times * cost.stack;
    warp += times * cost.warp;
    return *this;
  }
};

/// How a core executes the work.
struct Streams {
  double count = 1;                                   ///< side by side on a core
  double merged = 1;                                  ///< hardware warps of each
  double ofBlock = 1;                                 ///< that run one block together
  double nearLines = 1, farLines = 1, stackLines = 1; ///< cache lines of an access
  bool apart = false;                                 ///< lanes run different blocks
};

} // namespace vx::rt

#endif // VX_RUNTIME_PLAN_COSTTERMS_H
