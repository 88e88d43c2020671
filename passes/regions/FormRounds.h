// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_PASSES_REGIONS_FORMROUNDS_H
#define VX_PASSES_REGIONS_FORMROUNDS_H

#include "llvm/IR/PassManager.h"

namespace vx {

/// Lets the lanes of KERNEL that wait for each other (waitsDivergently) proceed in rounds:
/// vx-form-rounds. Its warp functions are in it. Leaves kRoundsAttr if every lane may be a thread
/// then.
void formRounds(llvm::Function &kernel, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_FORMROUNDS_H
