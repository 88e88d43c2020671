// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code from NVVM IR to images, as vxcc and NVRTC compile it: errors are in a log.

#ifndef VX_LIB_DEVICECOMPILER_DEVICECOMPILER_H
#define VX_LIB_DEVICECOMPILER_DEVICECOMPILER_H

#include "frontend/DiagnosticLog.h"
#include "passes/Pipelines.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace vx {

using Bytes = llvm::SmallVector<char, 0>;

/// The warnings of passes that are reported. PASSES: of loops that could not be unrolled as the
/// source says, which say nothing about correctness.
struct WantedWarnings {
  bool any = true, passes = true;
};

/// Sends what passes report through CONTEXT to LOG, which must outlive it.
void routeDiagnostics(llvm::LLVMContext &context, WantedWarnings wanted, DiagnosticLog &log);

/// Reads a device module, bitcode or text; null if it is not valid.
std::unique_ptr<llvm::Module> readModule(llvm::MemoryBufferRef buffer, llvm::LLVMContext &context,
                                         DiagnosticLog &log);

/// Returns MODULE as bitcode.
Bytes writeBitcode(const llvm::Module &module);

/// Compiles MODULE (compileDeviceModule); returns false if there were errors, which are in LOG.
bool compileDeviceIr(std::unique_ptr<llvm::Module> module, const CodegenOptions &options,
                     EmitKind emit, DiagnosticLog &log, Bytes &output,
                     abi::Lowering *holds = nullptr);

/// Adds ERROR to LOG unless it has errors, which have a place in the source; returns true if there
/// was none.
bool succeeded(llvm::Error error, DiagnosticLog &log);

} // namespace vx

#endif // VX_LIB_DEVICECOMPILER_DEVICECOMPILER_H
