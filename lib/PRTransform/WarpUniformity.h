// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are one for all threads of a CUDA warp, in code whose warp functions are taken apart
// (WarpOps.h). What is one value for a block is; so are the number of the warp, and what a vote or
// a reduction yields when all threads name the same mask.

#ifndef VX_LIB_PRTRANSFORM_WARPUNIFORMITY_H
#define VX_LIB_PRTRANSFORM_WARPUNIFORMITY_H

#include "lib/PRTransform/WarpOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include <optional>

namespace vx {

class WarpUniformity {
public:
  WarpUniformity(llvm::Function &f, const WarpOps &ops, llvm::FunctionAnalysisManager &fam);

  llvm::UniformityInfo &info() { return *ui; }

private:
  class Tti;
  bool findUniformResults(llvm::Function &f, const WarpOps &ops);

  llvm::SmallPtrSet<const llvm::Value *, 8> uniformResults;
  std::optional<llvm::TargetTransformInfo> tti;
  std::optional<llvm::UniformityInfo> ui;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_WARPUNIFORMITY_H
