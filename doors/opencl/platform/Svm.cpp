// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared virtual memory and pipes, which OpenCL 3.0 leaves to the device:
// CL_DEVICE_SVM_CAPABILITIES is 0, and so the calls say.

#include "doors/opencl/platform/Api.h"
#include "doors/opencl/platform/Kernel.h"
#include "doors/opencl/platform/Queue.h"

using namespace vx::cl;

static cl_int unsupported(cl_command_queue queue) {
  return isValid(queue) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

extern "C" void *CL_API_CALL clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint) {
  return nullptr;
}
extern "C" void CL_API_CALL clSVMFree(cl_context, void *) {}
VX_CL clEnqueueSVMFree(cl_command_queue queue, cl_uint, void *[],
                       void(CL_CALLBACK *)(cl_command_queue, cl_uint, void *[], void *), void *,
                       cl_uint, const cl_event *, cl_event *) {
  return unsupported(queue);
}
VX_CL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool, void *, const void *, size_t, cl_uint,
                         const cl_event *, cl_event *) {
  return unsupported(queue);
}
VX_CL clEnqueueSVMMemFill(cl_command_queue queue, void *, const void *, size_t, size_t, cl_uint,
                          const cl_event *, cl_event *) {
  return unsupported(queue);
}
VX_CL clEnqueueSVMMap(cl_command_queue queue, cl_bool, cl_map_flags, void *, size_t, cl_uint,
                      const cl_event *, cl_event *) {
  return unsupported(queue);
}
VX_CL clEnqueueSVMUnmap(cl_command_queue queue, void *, cl_uint, const cl_event *, cl_event *) {
  return unsupported(queue);
}
VX_CL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint, const void **, const size_t *,
                             cl_mem_migration_flags, cl_uint, const cl_event *, cl_event *) {
  return unsupported(queue);
}
VX_CL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint, const void *) {
  return isValid(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}
VX_CL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info, size_t, const void *) {
  return isValid(kernel) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}
extern "C" cl_mem CL_API_CALL clCreatePipe(cl_context, cl_mem_flags, cl_uint, cl_uint,
                                           const cl_pipe_properties *, cl_int *code) {
  return result<_cl_mem>(code, CL_INVALID_OPERATION);
}
VX_CL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void *, size_t *) {
  return CL_INVALID_MEM_OBJECT; // there are no pipes
}
