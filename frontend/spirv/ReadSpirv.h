// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V kernel modules as a way into the device compiler.
//
//   x.spv ── SPIRV-Tools: valid? ── normalise ── llvm-spirv, a process of its own ──► LLVM 15
//   bitcode
//         ── vx-spirv-* ──► what clang makes of OpenCL C for nvptx64; frontend/opencl takes over

#ifndef VX_FRONTEND_SPIRV_READSPIRV_H
#define VX_FRONTEND_SPIRV_READSPIRV_H

#include "frontend/DeviceLanguage.h"

namespace vx::spirv {

/// Reads a SPIR-V module, or bitcode made of one. Specialization constants have the values that
/// --spec-constant gives.
std::unique_ptr<llvm::Module> parseSpirv(const CompileRequest &request, const FrontendPaths &paths,
                                         llvm::LLVMContext &context, DiagnosticLog &log);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_READSPIRV_H
