// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop over threads costs thread by thread, and in groups.

#ifndef VX_LIB_WIDENING_WIDECOST_H
#define VX_LIB_WIDENING_WIDECOST_H

#include "lib/Widening/LaneValues.h"

namespace vx {

struct WideCost {
  double single; ///< of as many threads as a group has
  double group;

  bool pays() const { return group < 0.9 * single; }
};

/// Estimates the cost of one turn in groups of WIDTH, in scalar instructions; vectors have
/// VECTORBITS bits.
WideCost estimateCost(const ThreadLoop &t, const LaneValues &lanes, const llvm::LoopInfo &li,
                      unsigned width, unsigned vectorBits);

} // namespace vx

#endif // VX_LIB_WIDENING_WIDECOST_H
