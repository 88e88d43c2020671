// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches and reductions as votes and shuffles, in common IR, and what the shuffle instructions of
// the hardware do not have: a shuffle up with a lower bound (PTX's clamp) in its segment.
//
// A reduction of a segment of 2^k lanes that all take part is a butterfly: k shuffles and k
// operations. One over an arbitrary mask tests first, by a vote, whether the mask is the whole warp
// and all of it is there; if not, members find each other by pointer jumping:
//
//     lanes   a . b c . d      each member points to the next one; in every round it takes in what
//             |--->|->|--->    its target has collected and then points to its target's target;
//     1       ab   bc cd d     after five rounds the lowest member has everything, and the others
//     2       abcd bcd cd d    read it there
//
// Lanes with different masks (tiles) go through this side by side. The lowest member collects
// neighbours 1, 2, 4, … ranks apart, the order of a butterfly, so that the result of a full warp
// does not depend on the way.
//
// match.any is a loop over the distinct values of the lanes that are here; match.all compares with
// the lowest member.

#ifndef VX_LIB_VORTEXIR_EXPANDWARPFUNCTIONS_H
#define VX_LIB_VORTEXIR_EXPANDWARPFUNCTIONS_H

namespace llvm {
class Function;
} // namespace llvm

namespace vx {

/// Expands the matches, reductions and bounded shuffles of F. Returns true if there were any.
bool expandWarpFunctions(llvm::Function &f);

} // namespace vx

#endif // VX_LIB_VORTEXIR_EXPANDWARPFUNCTIONS_H
