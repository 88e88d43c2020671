// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells stock LLVM what diverges on Vortex: a TargetTransformInfo whose only opinions are about
// uniformity. It makes UniformityAnalysis work for common IR and for IR after the lowerings, and
// keeps the optimizer from duplicating or hoisting across divergent branches.

#ifndef VX_LIB_VORTEXIR_VXTTI_H
#define VX_LIB_VORTEXIR_VXTTI_H

#include "llvm/IR/PassManager.h"

namespace vx {

/// Registers the divergence-aware TargetIRAnalysis. Call BEFORE
/// PassBuilder::registerFunctionAnalyses: the first registration wins.
void registerDivergenceTTI(llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_LIB_VORTEXIR_VXTTI_H
