// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared virtual memory: managed memory of the driver, which host and devices reach at one address.
// Where the device works on the program's own memory, there is nothing to do for mapping; where it
// has a memory of its own, the driver moves the bytes before and after each kernel.

#include "runtime/opencl/Svm.h"
#include "runtime/opencl/Api.h"
#include "runtime/opencl/Kernel.h"
#include "runtime/opencl/Queue.h"
#include "runtime/opencl/Transfer.h"
#include <algorithm>

using namespace vx::cl;

namespace vx::cl {

cl_device_svm_capabilities svmCapabilities(cl_device_id device) {
  cl_device_svm_capabilities can = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
  if (device->attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS))
    can |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
  return can;
}

bool isSvm(cl_context context, const void *pointer, size_t size) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard lock(context->mutex);
  auto next = context->svm.upper_bound(address);
  if (next == context->svm.begin())
    return false;
  auto [base, bytes] = *std::prev(next);
  return address - base <= bytes && size <= bytes - (address - base);
}

} // namespace vx::cl

namespace {

CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

/// Frees an allocation of clSVMAlloc; other pointers are left alone.
void freeSvm(cl_context context, void *pointer) {
  {
    std::lock_guard lock(context->mutex);
    if (!context->svm.erase(reinterpret_cast<uintptr_t>(pointer)))
      return;
  }
  if (!context->home()->enter())
    cuMemFree(addressOf(pointer));
}

} // namespace

_cl_context::~_cl_context() {
  for (auto f = destructors.rbegin(); f != destructors.rend(); ++f)
    (*f)();
  if (svm.empty() || home()->enter())
    return;
  for (auto [base, size] : svm)
    cuMemFree(base);
}

extern "C" void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                        cl_uint alignment) {
  if (!isValid(context))
    return nullptr;
  constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_svm_mem_flags kFine = CL_MEM_SVM_FINE_GRAIN_BUFFER, kAtomics = CL_MEM_SVM_ATOMICS;
  cl_svm_mem_flags access = flags & kAccess;
  if ((flags & ~(kAccess | kFine | kAtomics)) || (access & (access - 1)) ||
      ((flags & kAtomics) && !(flags & kFine)))
    return nullptr;
  for (cl_device_id device : context->devices) {
    cl_device_svm_capabilities can = svmCapabilities(device);
    if (((flags & kFine) && !(can & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) ||
        ((flags & kAtomics) && !(can & CL_DEVICE_SVM_ATOMICS)))
      return nullptr;
    cl_ulong most = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
    if (!size || size > most)
      return nullptr;
  }
  // Allocations begin on pages.
  if ((alignment & (alignment - 1)) || alignment > kAlignment)
    return nullptr;
  CUdeviceptr base = 0;
  if (context->home()->enter() || cuMemAllocManaged(&base, size, CU_MEM_ATTACH_GLOBAL))
    return nullptr;
  std::lock_guard lock(context->mutex);
  context->svm[base] = size;
  return reinterpret_cast<void *>(base);
}

extern "C" void CL_API_CALL clSVMFree(cl_context context, void *pointer) {
  if (isValid(context) && pointer)
    freeSvm(context, pointer);
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
