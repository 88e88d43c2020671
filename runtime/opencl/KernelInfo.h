// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an image says of its kernels (Convention.h).

#ifndef VX_RUNTIME_OPENCL_KERNELINFO_H
#define VX_RUNTIME_OPENCL_KERNELINFO_H

#include "runtime/opencl/Objects.h"
#include <string_view>

namespace vx::cl {

struct ArgumentInfo {
  enum class Kind { Value, Pointer, Local, Image, Sampler };
  cl_kernel_arg_address_qualifier addressSpace = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
  cl_kernel_arg_type_qualifier qualifiers = CL_KERNEL_ARG_TYPE_NONE;
  std::string type, name;
  size_t size = 0; ///< bytes that clSetKernelArg takes; 0 for local memory
  Kind kind = Kind::Value;
};

struct KernelInfo {
  std::string name;
  std::vector<ArgumentInfo> arguments;
  size_t requiredGroup[3] = {}, groupHint[3] = {}; ///< 0: not said
  std::string vectorHint;
  size_t subGroupSize = 0; ///< 0: not said
  std::string attributes;  ///< as CL_KERNEL_ATTRIBUTES lists them
};

struct ProgramInfo {
  std::vector<KernelInfo> kernels;
  size_t globalBytes = 0; ///< of variables at program scope
};

/// Reads the text of an image's kKernelInfoSymbol.
ProgramInfo parseProgramInfo(std::string_view text);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_KERNELINFO_H
