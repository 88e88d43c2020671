// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what stopped a kernel into CUDA's error code and a report for the user.

#ifndef VX_RUNTIME_LAUNCH_FAULTREPORT_H
#define VX_RUNTIME_LAUNCH_FAULTREPORT_H

#include "driver_types.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "runtime/core/Device.h"
#include <functional>
#include <optional>
#include <string>

namespace vx::rt {

/// The facts of the launch that the report needs.
struct FaultContext {
  std::string kernelName; ///< mangled
  std::string launchedBy; ///< the kernel that launched it; empty: the host
  abi::LaunchDescriptor descriptor{};
  abi::StatusBlock status{};                         ///< as the device left it
  std::function<std::string(uint64_t)> readString;   ///< device string
  std::function<std::string(uint64_t)> describeCode; ///< "name+0x12, file.cu:7", may be empty
  std::function<uint64_t(uint64_t)> linkedAddress;   ///< what the image's files call a pc
  /// As Module::partOf().
  std::function<std::optional<uint32_t>(uint64_t)> partOf;
};

struct FaultReport {
  cudaError_t error = cudaSuccess;
  std::string text; ///< lines for stderr
};

FaultReport reportFault(const Fault &fault, const FaultContext &context);

} // namespace vx::rt

#endif // VX_RUNTIME_LAUNCH_FAULTREPORT_H
