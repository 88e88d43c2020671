// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-import-kernels: the first step from NVVM IR to common IR (vx-import-nvvm is the second).
// Triple and data layout become RISC-V; ptx_kernel functions get the attribute "vx-kernel" and
// those of their launch bounds; everything but kernels and device variables becomes internal, so
// that dead code can go before anything complains about it. Intrinsics, PTX and address spaces are
// as before.

#include "passes/Passes.h"
#include "passes/import/Import.h"

using namespace llvm;

namespace vx {

PreservedAnalyses ImportKernelsPass::run(Module &m, ModuleAnalysisManager &) {
  import::retarget(m);
  import::dropTypeBasedAliasing(m);
  import::importKernels(m);
  return PreservedAnalyses::none();
}

} // namespace vx
