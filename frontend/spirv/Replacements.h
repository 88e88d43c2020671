// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Globals and functions that a pass makes anew because their types change.

#ifndef VX_FRONTEND_SPIRV_REPLACEMENTS_H
#define VX_FRONTEND_SPIRV_REPLACEMENTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace vx::spirv {

/// Pairs of what there was and what replaces it.
struct Replacements {
  llvm::SmallVector<std::pair<llvm::GlobalVariable *, llvm::GlobalVariable *>, 8> globals;
  llvm::SmallVector<std::pair<llvm::Function *, llvm::Function *>, 16> functions;

  /// Lists everything in M, yet without replacements.
  explicit Replacements(llvm::Module &m);

  /// To be called once nothing of M refers to what there was: erases it, gives its names to the
  /// replacements, and intrinsics the names of their new types.
  void finish(llvm::Module &m);
};

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_REPLACEMENTS_H
