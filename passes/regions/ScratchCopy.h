// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of a function for questions that only a changed function answers.

#ifndef VX_PASSES_REGIONS_SCRATCHCOPY_H
#define VX_PASSES_REGIONS_SCRATCHCOPY_H

#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace vx {

/// A copy of a function that is looked at, changed at will and erased.
class ScratchCopy {
public:
  ScratchCopy(llvm::Function &f, llvm::FunctionAnalysisManager &fam) : fam(fam) {
    llvm::ValueToValueMapTy map;
    copy = llvm::CloneFunction(&f, map);
  }
  ~ScratchCopy() {
    fam.clear(*copy, copy->getName());
    copy->eraseFromParent();
  }
  ScratchCopy(const ScratchCopy &) = delete;
  ScratchCopy &operator=(const ScratchCopy &) = delete;
  llvm::Function &operator*() { return *copy; }

private:
  llvm::FunctionAnalysisManager &fam;
  llvm::Function *copy;
};

} // namespace vx

#endif // VX_PASSES_REGIONS_SCRATCHCOPY_H
