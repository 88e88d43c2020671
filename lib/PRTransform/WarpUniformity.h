// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An analysis that tells which values are one for all threads of a CUDA warp, in code whose warp
// functions are split (WarpOps.h). What is one value for a block is; so are the number of the warp,
// and what a vote, a reduction or a shuffle from one lane of the warp yields when all threads name
// the same mask.

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
  bool isUniform(const llvm::Value *v) const;
  bool isBroadcast(const llvm::CallInst &call, const WarpCall &op) const;

  llvm::SmallPtrSet<const llvm::Value *, 8> uniformResults;
  std::optional<llvm::TargetTransformInfo> tti;
  std::optional<llvm::UniformityInfo> ui;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_WARPUNIFORMITY_H
