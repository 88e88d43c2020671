// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An analysis that tells which branches decide whether a block is executed (Ferrante, Ottenstein
// and Warren, "The Program Dependence Graph and Its Use in Optimization", 1987), among the paths
// that lead to a return: one that ends in `unreachable`, such as that of a failed assert, joins no
// other.

#ifndef VX_LIB_VORTEXIR_CONTROLDEPENDENCE_H
#define VX_LIB_VORTEXIR_CONTROLDEPENDENCE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace vx {

class ControlDependence {
public:
  explicit ControlDependence(llvm::Function &f);

  /// Returns the immediate post-dominators of the branches that BLOCK is control-dependent on,
  /// directly or through other branches: there, lanes that have gone past BLOCK meet those that
  /// have executed it. They are in the order of the function's blocks, without those of branches
  /// whose sides only meet after the function.
  llvm::SmallVector<llvm::BasicBlock *, 4> joinsOf(llvm::BasicBlock &block) const;

private:
  void findPostDominators(llvm::Function &f);
  void findDependences();

  /// The immediate post-dominator of each block that leads to a return; null: the end.
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> postDominators;
  /// The blocks whose branches directly decide.
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<llvm::BasicBlock *, 2>> branches;
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_CONTROLDEPENDENCE_H
