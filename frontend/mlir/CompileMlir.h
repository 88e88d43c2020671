// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR as a way into the device compiler.
//
//   x.mlir ── vx-mlir-translate, a process of its own ──► NVVM IR

#ifndef VX_FRONTEND_MLIR_COMPILEMLIR_H
#define VX_FRONTEND_MLIR_COMPILEMLIR_H

#include "frontend/DeviceLanguage.h"

namespace vx::mlir {

/// Reads a file of gpu.modules, in dialects that vx-lower-device-pipeline lowers, or bitcode of it.
std::unique_ptr<llvm::Module> parseMlir(const CompileRequest &request, const FrontendPaths &paths,
                                        llvm::LLVMContext &context, DiagnosticLog &log);

/// Does nothing: the module is NVVM IR.
inline bool finishMlir(llvm::Module &, llvm::StringRef, DiagnosticLog &) {
  return true;
}

} // namespace vx::mlir

#endif // VX_FRONTEND_MLIR_COMPILEMLIR_H
