// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of the variants of each kernel that are built: the attribute vx-lower ("hw", "sw" or
// "auto") and, for -Rvx-lower, who said so.

#ifndef VX_PASSES_REGIONS_CHOOSELOWERINGS_H
#define VX_PASSES_REGIONS_CHOOSELOWERINGS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace vx {

struct CodegenOptions;

/// Returns true if NAME, as a user writes it, means kernel F: its mangled name, or its name in the
/// source, qualified, with or without template arguments.
bool isNamed(const llvm::Function &f, llvm::StringRef name);

/// Gives every kernel of M its vx-lower. What the command line says of a kernel comes before what
/// its source says, and that before what the command line says of all.
void chooseLowerings(llvm::Module &m, const CodegenOptions &options);

/// Sets what --lower-kernel says as vx-lower of the kernels of M that it names, before or after
/// import.
void applyKernelLowerings(llvm::Module &m, const CodegenOptions &options);

/// Emits remark -Rvx-lower: why KERNEL has no variant of one of the two lowerings.
void remarkMissing(const llvm::Function &kernel, llvm::StringRef variant, llvm::StringRef why);

} // namespace vx

#endif // VX_PASSES_REGIONS_CHOOSELOWERINGS_H
