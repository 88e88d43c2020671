// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling NVVM IR when a program loads it. The driver API can do that in the process, but
// programs that use this library often have an LLVM of their own in it, such as mlir-runner, and
// LLVM's options exist once in a process: vxcc does it in one of its own.

#ifndef VX_RUNTIME_MLIR_LOADIR_H
#define VX_RUNTIME_MLIR_LOADIR_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vx::mgpu {

/// The fat binary that vxcc makes of IR (text) with OPTIONS; nothing after an error, of which
/// MESSAGES says what vxcc had to say. vxcc is that of $VXCC_HOME, the one in `bin` next to this
/// library's folder, or the one on the PATH.
std::optional<std::string> compileIr(std::string_view ir, const std::vector<std::string> &options,
                                     std::string &messages);

} // namespace vx::mgpu

#endif // VX_RUNTIME_MLIR_LOADIR_H
