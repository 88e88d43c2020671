// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as a service for programs that run: libnvrtc offers it, and the driver API loads
// that library when a module holds NVVM IR, or when modules are to be linked. So the runtime needs
// no LLVM, and a program that compiles nothing loads none.

#ifndef VX_ABI_RUNTIME_COMPILER_H
#define VX_ABI_RUNTIME_COMPILER_H

#include "intrinsics/abi/FatBinary.h"
#include <cstdint>

namespace vx::abi {

/// NVVM IR as text or bitcode.
struct RuntimeCompileInput {
  const char *data;
  uint64_t size;
  const char *name; ///< for messages
};

/// Compiles the inputs, linked with each other, into one image.
struct RuntimeCompileRequest {
  uint32_t version; ///< kAbiVersion
  uint32_t numInputs;
  const RuntimeCompileInput *inputs;
  // The device.
  uint32_t xlen;
  IsaProfile profile;
  uint32_t zicond;  ///< 1: has conditional-zero instructions
  uint32_t host;    ///< 1: the image is code of this CPU
  int32_t optLevel; ///< -1: what the sources were compiled with
  /// Sw: kernels that may have both lowerings get this one only.
  Lowering lowering;
  /// 1: the sw lowering of large kernels may be left out (kKernelSwDeferred); another request gets
  /// it.
  uint32_t defersSw;
};

enum class RuntimeCompileStatus : uint32_t {
  Done = 0,
  InvalidInput = 1, ///< an input is not NVVM IR
  Failed = 2,       ///< errors, which are in the log
  Internal = 3,
};

struct RuntimeCompileResult {
  RuntimeCompileStatus status;
  char *image; ///< a fat binary; null after errors
  uint64_t imageBytes;
  char *log; ///< errors and warnings, a string
};

/// Fills in RESULT, which the caller hands back to kRuntimeCompileFree. Any thread may call.
using RuntimeCompileFunction = void (*)(const RuntimeCompileRequest *request,
                                        RuntimeCompileResult *result);
using RuntimeCompileFreeFunction = void (*)(RuntimeCompileResult *result);

inline constexpr const char *kRuntimeCompilerLibrary = "libnvrtc.so.12";
inline constexpr const char *kRuntimeCompile = "__vx_runtime_compile";
inline constexpr const char *kRuntimeCompileFree = "__vx_runtime_compile_free";

} // namespace vx::abi

#endif // VX_ABI_RUNTIME_COMPILER_H
