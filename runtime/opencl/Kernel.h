// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_OPENCL_KERNEL_H
#define VX_RUNTIME_OPENCL_KERNEL_H

#include "runtime/opencl/Memory.h"
#include "runtime/opencl/Program.h"

struct _cl_kernel : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Kernel;
  _cl_kernel(cl_program program, vx::cl::KernelInfo info);
  ~_cl_kernel();

  struct Argument {
    bool isSet = false;
    std::vector<char> value; ///< what the kernel gets; of local memory nothing
    size_t localBytes = 0;   ///< of local memory
    /// A memory object, which the argument does not keep (OpenCL 3.0, clSetKernelArg): a program
    /// could not know when its memory is free.
    std::shared_ptr<vx::cl::Lifeline<_cl_mem>> memory;
  };

  /// The kernel on DEVICE.
  cl_int function(cl_device_id device, CUfunction &function) const;

  vx::cl::Ref<_cl_program> program;
  vx::cl::KernelInfo info;
  std::vector<Argument> arguments;
  mutable std::mutex mutex;
};

namespace vx::cl {

/// The bytes that a kernel gets for a 64-bit number.
std::vector<char> bytesOf(uint64_t number);

/// Returns where local arguments of these sizes lie after BYTES of the kernel's own local memory:
/// an offset for each from the start of dynamic memory. The last is where the memory ends.
std::vector<size_t> placeLocals(const _cl_kernel &kernel, size_t bytes);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_KERNEL_H
