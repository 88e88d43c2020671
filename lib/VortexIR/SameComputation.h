// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether two values are the same because they are computed in the same way, before any
// pass has made one value of them.

#ifndef VX_LIB_VORTEXIR_SAMECOMPUTATION_H
#define VX_LIB_VORTEXIR_SAMECOMPUTATION_H

namespace llvm {
class Value;
} // namespace llvm

namespace vx {

/// The results of two loads of one place: they Differ if memory may change in between.
enum class Reloads { Differ, Agree };

/// The operations, one on the result of another, that analyses of conditions and waits follow at
/// most.
inline constexpr unsigned kMaxSteps = 12;

/// Returns true if A and B are one value, or made by the same operations on the same values, DEPTH
/// levels of operands deep at most.
bool isSameComputation(const llvm::Value *a, const llvm::Value *b, Reloads reloads, unsigned depth);

} // namespace vx

#endif // VX_LIB_VORTEXIR_SAMECOMPUTATION_H
