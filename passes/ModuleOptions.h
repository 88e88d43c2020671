// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVVM IR that is compiled later, when a program runs, keeps what its source was to be compiled
// with.

#ifndef VX_PASSES_MODULE_OPTIONS_H
#define VX_PASSES_MODULE_OPTIONS_H

#include "passes/Pipelines.h"

namespace vx {

/// Writes what OPTIONS say about MODULE's source, lowerings and DeviceOptions, into MODULE.
void keepModuleOptions(llvm::Module &module, const CodegenOptions &options);

/// Sets in OPTIONS what keepModuleOptions has left in MODULE. The larger numbers of linked modules
/// count: what one of them wants, sw before hw, and both before one.
void readModuleOptions(const llvm::Module &module, CodegenOptions &options);

} // namespace vx

#endif // VX_PASSES_MODULE_OPTIONS_H
