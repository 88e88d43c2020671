// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipes, which OpenCL 3.0 leaves to the device: CL_DEVICE_PIPE_SUPPORT is false, and so the calls
// say.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Memory.h"

using namespace vx::cl;

extern "C" cl_mem CL_API_CALL clCreatePipe(cl_context, cl_mem_flags, cl_uint, cl_uint,
                                           const cl_pipe_properties *, cl_int *code) {
  return result<_cl_mem>(code, CL_INVALID_OPERATION);
}
VX_CL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *) {
  return CL_INVALID_MEM_OBJECT; // there are no pipes
}
