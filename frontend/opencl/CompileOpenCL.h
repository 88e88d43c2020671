// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL C as a way into the device compiler.
//
//   x.cl ── clang, for nvptx64 ──► calls of OpenCL's functions ── opencl.bc linked ──► NVVM IR
//        ── vx-opencl-* ──► NVVM IR with CUDA's kernel arguments

#ifndef VX_FRONTEND_OPENCL_COMPILEOPENCL_H
#define VX_FRONTEND_OPENCL_COMPILEOPENCL_H

#include "frontend/DeviceLanguage.h"

namespace vx::opencl {

/// Reads OpenCL C 1.0 to 3.0, or bitcode of it.
std::unique_ptr<llvm::Module> parseOpenCL(const CompileRequest &request, const FrontendPaths &paths,
                                          llvm::LLVMContext &context, DiagnosticLog &log);

/// Returns the -cc1 line for an OpenCL C source.
std::optional<Cc1Args> planOpenCL(const CompileRequest &request, const FrontendPaths &paths,
                                  DiagnosticLog &log);

/// Turns MODULE, which calls OpenCL's functions by their mangled names, into NVVM IR: links the
/// OpenCL library of RESOURCES and runs the passes of this folder. Returns false if there were
/// errors, which went to the context's diagnostic handler or LOG.
bool finishOpenCL(llvm::Module &module, llvm::StringRef resources, DiagnosticLog &log);

} // namespace vx::opencl

#endif // VX_FRONTEND_OPENCL_COMPILEOPENCL_H
