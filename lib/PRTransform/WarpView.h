// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view of a kernel's warps before it is changed: a copy of it whose warp functions are split,
// with the values that are one for a warp.

#ifndef VX_LIB_PRTRANSFORM_WARPVIEW_H
#define VX_LIB_PRTRANSFORM_WARPVIEW_H

#include "lib/PRTransform/WarpUniformity.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace vx {

class WarpView {
public:
  WarpView(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam)
      : fam(fam), copy(llvm::CloneFunction(&kernel, map)) {
    ops.emplace(*copy);
    uniformity.emplace(*copy, *ops, fam);
  }
  ~WarpView() {
    uniformity.reset();
    fam.clear(*copy, copy->getName());
    copy->eraseFromParent();
  }
  WarpView(const WarpView &) = delete;
  WarpView &operator=(const WarpView &) = delete;

  llvm::Function &function() { return *copy; }
  llvm::UniformityInfo &warp() { return uniformity->info(); }
  /// Returns true if the value of I differs between the threads of a warp.
  bool isDivergent(const llvm::Instruction &i) {
    const llvm::Value *v = map.lookup(&i);
    return v && uniformity->info().isDivergent(v);
  }
  /// Returns true if threads of a warp may leave BB on different paths.
  bool hasDivergentTerminator(llvm::BasicBlock &bb) {
    return uniformity->info().hasDivergentTerminator(
        *llvm::cast<llvm::BasicBlock>(static_cast<llvm::Value *>(map[&bb])));
  }
  /// Returns the copy of I, which is not a warp function.
  llvm::Instruction &copyOf(llvm::Instruction &i) {
    return *llvm::cast<llvm::Instruction>(static_cast<llvm::Value *>(map[&i]));
  }

private:
  llvm::FunctionAnalysisManager &fam;
  llvm::ValueToValueMapTy map;
  llvm::Function *copy;
  std::optional<WarpOps> ops; // its placeholders are used until the copy is gone
  std::optional<WarpUniformity> uniformity;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_WARPVIEW_H
