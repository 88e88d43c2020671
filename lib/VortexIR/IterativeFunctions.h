// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterative functions (IterativeFunction.h) in place of the recursive ones that are to be inlined
// into kernels, made when they are asked for. Functions of a cycle that call each other through
// pointers call each other directly after that.

#ifndef VX_LIB_VORTEXIR_ITERATIVEFUNCTIONS_H
#define VX_LIB_VORTEXIR_ITERATIVEFUNCTIONS_H

#include "lib/VortexIR/TransitiveCallers.h"

namespace vx {

class IterativeFunctions {
public:
  /// Handles the cycles of CALLERS that TEST is true for and whose functions have frames. CALLERS
  /// expands calls through pointers accordingly.
  IterativeFunctions(
      TransitiveCallers &callers,
      llvm::function_ref<bool(const Functions &)> test = [](const Functions &) { return true; });

  /// Returns what computes the same as F without recursion: F if it is of none of these cycles.
  llvm::Function &of(llvm::Function &f);

  /// Erases what was made, once it is inlined.
  void erase();

private:
  llvm::SmallVector<Functions, 2> cycles;
  llvm::DenseMap<llvm::Function *, llvm::Function *> made;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_ITERATIVEFUNCTIONS_H
