// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clGetPlatformIDs, clGetPlatformInfo, clGetDeviceIDs and what belongs to devices as handles.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Context.h"
#include "runtime/opencl/Device.h"

using namespace vx::cl;

namespace vx::cl {

cl_platform_id platform() {
  static _cl_platform_id only;
  return &only;
}

const std::vector<cl_device_id> &devices() {
  // They live as long as the process: handles may be used by destructors of static objects.
  static const auto *all = [] {
    auto *found = new std::vector<cl_device_id>;
    int count = 0;
    if (cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&count) == CUDA_SUCCESS)
      for (int i = 0; i < count; ++i)
        found->push_back(new _cl_device_id(i));
    return found;
  }();
  return *all;
}

const std::vector<std::string> &extensions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = {"cl_khr_icd", "cl_khr_extended_versioning",
                                     "cl_khr_image2d_from_buffer"};
    auto add = [&](const char *name, bool reported) {
      if (reported)
        list.push_back(name);
    };
#define OPENCL_EXTENSION(NAME, REPORTED) add(#NAME, REPORTED);
#include "intrinsics/opencl/Extensions.def"
    return list;
  }();
  return names;
}

cl_int errorOf(CUresult result, cl_int fallback) {
  switch (result) {
  case CUDA_SUCCESS:
    return CL_SUCCESS;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_DEVICE:
    return CL_DEVICE_NOT_AVAILABLE;
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return CL_OUT_OF_RESOURCES;
  default:
    return fallback;
  }
}

std::string extensionText() {
  std::string text;
  for (const std::string &name : extensions())
    text += (text.empty() ? "" : " ") + name;
  return text;
}

} // namespace vx::cl

cl_int _cl_device_id::enter() {
  std::lock_guard lock(mutex);
  if (!context)
    if (CUresult error = cuDevicePrimaryCtxRetain(&context, device))
      return errorOf(error, CL_DEVICE_NOT_AVAILABLE);
  return errorOf(cuCtxSetCurrent(context));
}

int _cl_device_id::attribute(CUdevice_attribute which) const {
  int value = 0;
  return cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

VX_CL clGetPlatformIDs(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  if ((!platforms && !count) || (platforms && !entries))
    return CL_INVALID_VALUE;
  if (count)
    *count = 1;
  if (platforms)
    *platforms = platform();
  return CL_SUCCESS;
}

VX_CL clIcdGetPlatformIDsKHR(cl_uint entries, cl_platform_id *platforms, cl_uint *count) {
  return clGetPlatformIDs(entries, platforms, count);
}

VX_CL clGetPlatformInfo(cl_platform_id id, cl_platform_info name, size_t size, void *value,
                        size_t *needed) {
  if (id && id != platform())
    return CL_INVALID_PLATFORM;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_PLATFORM_PROFILE:
    return out.text("FULL_PROFILE");
  case CL_PLATFORM_VERSION:
    return out.text("OpenCL 3.0 vxcc");
  case CL_PLATFORM_NUMERIC_VERSION:
    return out.number(kVersion);
  case CL_PLATFORM_NAME:
    return out.text("Vortex");
  case CL_PLATFORM_VENDOR:
    return out.text("vxcc");
  case CL_PLATFORM_EXTENSIONS:
    return out.text(extensionText());
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
    return out.list(namesWithVersion(extensions()));
  case CL_PLATFORM_HOST_TIMER_RESOLUTION:
    return out.number(cl_ulong(1));
  case CL_PLATFORM_ICD_SUFFIX_KHR:
    return out.text("VX");
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint entries, cl_device_id *list,
                     cl_uint *count) {
  if (id && id != platform())
    return CL_INVALID_PLATFORM;
  if ((!list && !count) || (list && !entries))
    return CL_INVALID_VALUE;
  constexpr cl_device_type kKnown = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                    CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                    CL_DEVICE_TYPE_CUSTOM;
  if (!type || (type != CL_DEVICE_TYPE_ALL && (type & ~kKnown)))
    return CL_INVALID_DEVICE_TYPE;
  std::vector<cl_device_id> found;
  if (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT))
    found = devices();
  if (type == CL_DEVICE_TYPE_DEFAULT && found.size() > 1)
    found.resize(1);
  if (count)
    *count = cl_uint(found.size());
  if (found.empty())
    return CL_DEVICE_NOT_FOUND;
  for (size_t i = 0; list && i < found.size() && i < entries; ++i)
    list[i] = found[i];
  return CL_SUCCESS;
}

// Root devices are not counted.
VX_CL clRetainDevice(cl_device_id device) {
  return isValid(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}
VX_CL clReleaseDevice(cl_device_id device) {
  return isValid(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}
VX_CL clCreateSubDevices(cl_device_id device, const cl_device_partition_property *, cl_uint,
                         cl_device_id *, cl_uint *) {
  return isValid(device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE; // no way of partition is supported
}

VX_CL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *deviceTime, cl_ulong *hostTime) {
  if (!isValid(device))
    return CL_INVALID_DEVICE;
  if (!deviceTime || !hostTime)
    return CL_INVALID_VALUE;
  *hostTime = hostNanoseconds();
  *deviceTime = simulatedNanoseconds(device);
  return CL_SUCCESS;
}
VX_CL clGetHostTimer(cl_device_id device, cl_ulong *hostTime) {
  if (!isValid(device))
    return CL_INVALID_DEVICE;
  if (!hostTime)
    return CL_INVALID_VALUE;
  *hostTime = hostNanoseconds();
  return CL_SUCCESS;
}
VX_CL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id, cl_command_queue) {
  return isValid(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT; // no queues on the device
}
