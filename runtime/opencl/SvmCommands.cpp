// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What queues and kernels do with shared virtual memory.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Kernel.h"
#include "runtime/opencl/Queue.h"
#include "runtime/opencl/Svm.h"
#include "runtime/opencl/Transfer.h"
#include <algorithm>

using namespace vx::cl;

static CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

VX_CL clEnqueueSVMFree(cl_command_queue queue, cl_uint count, void *pointers[],
                       void(CL_CALLBACK *release)(cl_command_queue, cl_uint, void *[], void *),
                       void *userData, cl_uint numWaits, const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_SVM_FREE, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if ((count == 0) != (pointers == nullptr))
    return CL_INVALID_VALUE;
  std::vector<void *> list(pointers, pointers + count);
  // The command's event keeps the queue.
  return enqueue(call, [=](CUstream) mutable {
    if (release)
      release(queue, count, list.data(), userData);
    else
      for (void *pointer : list)
        freeSvm(queue->context.get(), pointer);
    return CL_SUCCESS;
  });
}

VX_CL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *to, const void *from,
                         size_t size, cl_uint numWaits, const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_SVM_MEMCPY, numWaits, waits, event, blocking != CL_FALSE};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!to || !from)
    return CL_INVALID_VALUE;
  CUdeviceptr a = addressOf(from), b = addressOf(to);
  if (a < b + size && b < a + size)
    return CL_MEM_COPY_OVERLAP;
  return enqueue(call, [=](CUstream stream) {
    return size ? errorOf(cuMemcpyAsync(b, a, size, stream)) : CL_SUCCESS;
  });
}

VX_CL clEnqueueSVMMemFill(cl_command_queue queue, void *to, const void *pattern, size_t patternSize,
                          size_t size, cl_uint numWaits, const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_SVM_MEMFILL, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!to || !pattern || !isPatternSize(patternSize) || addressOf(to) % patternSize ||
      size % patternSize)
    return CL_INVALID_VALUE;
  auto *bytes = static_cast<const char *>(pattern);
  return enqueue(call, [=, content = std::vector(bytes, bytes + patternSize)](CUstream stream) {
    return fill(addressOf(to), content, size, stream);
  });
}

VX_CL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
                      size_t size, cl_uint numWaits, const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_SVM_MAP, numWaits, waits, event, blocking != CL_FALSE};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!pointer || !size || !flags || !areMapFlags(flags))
    return CL_INVALID_VALUE;
  return enqueue(call, nullptr);
}

VX_CL clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint numWaits,
                        const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_SVM_UNMAP, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!pointer)
    return CL_INVALID_VALUE;
  return enqueue(call, nullptr);
}

VX_CL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint count, const void **pointers,
                             const size_t *sizes, cl_mem_migration_flags flags, cl_uint numWaits,
                             const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_SVM_MIGRATE_MEM, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!count || !pointers || !areMigrationFlags(flags))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i)
    if (!pointers[i] || !isSvm(queue->context.get(), pointers[i], sizes ? sizes[i] : 0))
      return CL_INVALID_VALUE;
  return enqueue(call, nullptr); // memory stays where it is
}

VX_CL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  if (!isValid(kernel))
    return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size())
    return CL_INVALID_ARG_INDEX;
  // Into an allocation, or to where it ends.
  if (kernel->info.arguments[index].kind != ArgumentInfo::Kind::Pointer ||
      (pointer && !isSvm(kernel->program->context.get(), pointer)))
    return CL_INVALID_ARG_VALUE;
  _cl_kernel::Argument argument;
  argument.isSet = true;
  argument.value = bytesOf(addressOf(pointer));
  std::lock_guard lock(kernel->mutex);
  kernel->arguments[index] = std::move(argument);
  return CL_SUCCESS;
}

VX_CL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                          const void *value) {
  if (!isValid(kernel))
    return CL_INVALID_KERNEL;
  switch (name) {
  case CL_KERNEL_EXEC_INFO_SVM_PTRS: {
    // Kernels reach all allocations, also those that no argument names. An empty list takes back
    // what was named.
    auto *pointers = static_cast<const void *const *>(value);
    if ((size == 0) != (value == nullptr) || size % sizeof *pointers ||
        !std::all_of(pointers, pointers + size / sizeof *pointers, [&](const void *pointer) {
          return isSvm(kernel->program->context.get(), pointer);
        }))
      return CL_INVALID_VALUE;
    return CL_SUCCESS;
  }
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    if (size != sizeof(cl_bool) || !value)
      return CL_INVALID_VALUE;
    return *static_cast<const cl_bool *>(value) ? CL_INVALID_OPERATION : CL_SUCCESS;
  default:
    return CL_INVALID_VALUE;
  }
}
