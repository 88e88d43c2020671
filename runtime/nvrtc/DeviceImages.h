// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVVM IR in the forms in which it leaves the library, and images made of it.

#ifndef VX_NVRTC_DEVICE_IMAGES_H
#define VX_NVRTC_DEVICE_IMAGES_H

#include "frontend/DiagnosticLog.h"
#include "passes/Pipelines.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace vx::nvrtc {

using Bytes = llvm::SmallVector<char, 0>;

/// Sends what passes report through CONTEXT to LOG, which must outlive it.
void routeDiagnostics(llvm::LLVMContext &context, DiagnosticLog &log);

std::string writeText(const llvm::Module &module);
Bytes writeBitcode(const llvm::Module &module);

/// Returns the device that images are for where no option says, which is as in vxcc without
/// options.
CodegenOptions defaultTarget();

/// Compiles MODULE for TARGET; false if there were errors, which are in LOG. HOLDS: what of its
/// kernels ELF holds (compileDeviceModule).
bool compileImage(std::unique_ptr<llvm::Module> module, const CodegenOptions &target,
                  DiagnosticLog &log, Bytes &elf, abi::Lowering &holds);

/// Returns all that LOG holds, as text.
std::string textOf(DiagnosticLog &log);

} // namespace vx::nvrtc

#endif // VX_NVRTC_DEVICE_IMAGES_H
