// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles NVVM IR for an open device, with the compiler in libnvrtc, which is loaded at the first
// use.

#ifndef VX_RUNTIME_IMAGE_RUNTIMECOMPILER_H
#define VX_RUNTIME_IMAGE_RUNTIMECOMPILER_H

#include "intrinsics/abi/FatBinary.h"
#include "runtime/core/Device.h"
#include "simulator/api/Result.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vx::rt {

struct IrInput {
  std::span<const uint8_t> bytes; ///< text or bitcode
  std::string name;               ///< for messages
};

enum class CompileOutcome { Done, NoCompiler, InvalidInput, Failed };

struct CompiledImage {
  CompileOutcome outcome = CompileOutcome::Failed;
  std::vector<uint8_t> fatBinary;
  std::string log; ///< errors, or warnings
};

/// How it is compiled.
struct CompileChoice {
  int optLevel = -1; ///< 0 to 3, or -1, as the sources say
  /// Sw: that one only, for kernels that may have both lowerings.
  abi::Lowering lowering = abi::Lowering::Auto;
  bool defersSw = false;  ///< Auto: without the sw lowering of large kernels
  std::string compiler{}; ///< a path to look for the library at, too
};

/// Links INPUTS and compiles them for DEVICE.
CompiledImage compileIr(std::span<const IrInput> inputs, const Device &device,
                        const CompileChoice &choice);

} // namespace vx::rt

#endif // VX_RUNTIME_IMAGE_RUNTIMECOMPILER_H
