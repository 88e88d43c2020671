// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared virtual memory: managed memory of the driver, which host and devices reach at one address.
// Where the device works on the program's own memory, there is nothing to do for mapping; where it
// has a memory of its own, the driver moves the bytes before and after each kernel.

#include "runtime/opencl/Svm.h"
#include "runtime/opencl/Api.h"

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

void freeSvm(cl_context context, void *pointer) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  {
    std::lock_guard lock(context->mutex);
    if (!context->svm.erase(address))
      return;
  }
  if (!context->home()->enter())
    cuMemFree(address);
}

} // namespace vx::cl

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
