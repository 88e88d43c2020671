// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_RUNTIME_OPENCL_SVM_H
#define VX_RUNTIME_OPENCL_SVM_H

#include "runtime/opencl/Context.h"

namespace vx::cl {

/// Returns the capabilities that CL_DEVICE_SVM_CAPABILITIES reports.
cl_device_svm_capabilities svmCapabilities(cl_device_id device);

/// Returns true if SIZE bytes from POINTER are in one allocation of clSVMAlloc.
bool isSvm(cl_context context, const void *pointer, size_t size = 0);

/// Frees an allocation of clSVMAlloc; other pointers are left alone.
void freeSvm(cl_context context, void *pointer);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_SVM_H
