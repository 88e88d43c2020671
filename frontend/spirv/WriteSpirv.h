// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA kernels as SPIR-V kernel modules.
//
//   common IR ── vx-spirv-export-* ──► OpenCL's functions and address spaces
//             ── LLVM's optimizer and SPIR-V back end ──► words ── SPIRV-Tools: valid?

#ifndef VX_FRONTEND_SPIRV_WRITESPIRV_H
#define VX_FRONTEND_SPIRV_WRITESPIRV_H

#include "frontend/DiagnosticLog.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Module;
} // namespace llvm

namespace vx::spirv {

/// Writes MODULE, common IR with all it calls (importDeviceModule), into OUTPUT; false if there
/// were errors, which LOG or the context's diagnostic handler has. MODULE is used up.
bool writeSpirv(llvm::Module &module, DiagnosticLog &log, llvm::SmallVectorImpl<char> &output);

} // namespace vx::spirv

#endif // VX_FRONTEND_SPIRV_WRITESPIRV_H
