// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-import-nvvm: from NVVM IR, what clang emits for nvptx64, to common IR, the contract inside
// the compiler. In: what vx-import-kernels makes, without dead code: llvm.nvvm.* intrinsics, inline
// PTX, address spaces 1/3/4/5. Out: __vx_* calls (lib/VortexIR/VxFunctions.def), generic LLVM
// intrinsics, calls of device math (__nv_*, linked next by linkDeviceMath), generic pointers except
// for shared memory, which stays in address space 3.
//
// The order: intrinsics and PTX are rewritten while pointers still name their space (their
// signatures do); the address spaces go last, when only generic intrinsics mention them.

#include "passes/Passes.h"
#include "passes/import/Import.h"

using namespace llvm;

namespace vx {

PreservedAnalyses ImportNVVMPass::run(Module &m, ModuleAnalysisManager &) {
  import::placeAllocas(m);
  import::importLibraryCalls(m);
  import::importMathCalls(m);
  import::importMatrixIntrinsics(m);
  import::importIntrinsics(m);
  import::importInlinePtx(m);
  import::importContractCalls(m);
  import::makeSharedAddressesOffsets(m);
  import::makeAddressSpacesGeneric(m);
  import::reportUnresolved(m);
  return PreservedAnalyses::none();
}

} // namespace vx
