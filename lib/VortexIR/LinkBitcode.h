// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_LIB_VORTEXIR_LINKBITCODE_H
#define VX_LIB_VORTEXIR_LINKBITCODE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class GlobalValue;
class Module;
} // namespace llvm

namespace vx {

/// Links what MODULE needs of the bitcode file PATH, and makes it internal. Nothing else of the
/// file is read. PREPARE may change the library before that; its functions have no bodies yet.
/// Returns the definitions that came from it.
llvm::Expected<llvm::SmallVector<llvm::GlobalValue *>>
linkBitcode(llvm::Module &module, llvm::StringRef path,
            llvm::function_ref<void(llvm::Module &)> prepare = {});

} // namespace vx

#endif // VX_LIB_VORTEXIR_LINKBITCODE_H
