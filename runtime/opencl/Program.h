// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_OPENCL_PROGRAM_H
#define VX_RUNTIME_OPENCL_PROGRAM_H

#include "runtime/opencl/Compiler.h"
#include "runtime/opencl/Context.h"
#include "runtime/opencl/KernelInfo.h"
#include <map>

struct _cl_program : vx::cl::Object {
  static constexpr vx::cl::Kind kKind = vx::cl::Kind::Program;
  explicit _cl_program(cl_context context)
      : Object(kKind), context(context), devices(context->devices) {}
  ~_cl_program();

  /// The module on DEVICE, loaded when it is needed first.
  cl_int load(cl_device_id device, CUmodule &module);
  /// Loads the image and reads what it says of its kernels.
  cl_int finishBuild();
  const vx::cl::KernelInfo *find(const std::string &kernel) const;

  vx::cl::Ref<_cl_context> context;
  std::vector<cl_device_id> devices;
  std::string source;                        ///< OpenCL C
  std::string il;                            ///< SPIR-V
  std::map<cl_uint, uint64_t> specConstants; ///< bits by SpecId
  std::string binary; ///< an image, or an object or library of clCompileProgram and clLinkProgram
  cl_program_binary_type binaryType = CL_PROGRAM_BINARY_TYPE_NONE;
  cl_build_status status = CL_BUILD_NONE;
  std::string options, log;
  std::string loadError; ///< why the driver has not loaded the image
  std::vector<vx::cl::KernelInfo> kernels;
  size_t globalBytes = 0; ///< of variables at program scope
  std::map<cl_device_id, CUmodule> modules;
  std::atomic<cl_uint> numKernels{0}; ///< kernel objects, while there are some nothing is built
  std::mutex mutex;
};

#endif // VX_RUNTIME_OPENCL_PROGRAM_H
