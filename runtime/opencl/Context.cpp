// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/Context.h"
#include "runtime/opencl/Api.h"
#include <algorithm>

using namespace vx::cl;

bool _cl_context::has(cl_device_id device) const {
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

/// Copies PROPERTIES to LIST; an error if there is one that is not known.
static cl_int readProperties(const cl_context_properties *properties,
                             std::vector<cl_context_properties> &list) {
  if (!properties)
    return CL_SUCCESS;
  for (; *properties; properties += 2) {
    switch (properties[0]) {
    case CL_CONTEXT_PLATFORM:
      if (reinterpret_cast<cl_platform_id>(properties[1]) != platform())
        return CL_INVALID_PLATFORM;
      break;
    case CL_CONTEXT_INTEROP_USER_SYNC:
      if (properties[1] != CL_TRUE && properties[1] != CL_FALSE)
        return CL_INVALID_PROPERTY;
      break;
    default:
      return CL_INVALID_PROPERTY;
    }
    for (size_t i = 0; i < list.size(); i += 2)
      if (list[i] == properties[0])
        return CL_INVALID_PROPERTY;
    list.insert(list.end(), {properties[0], properties[1]});
  }
  list.push_back(0);
  return CL_SUCCESS;
}

extern "C" cl_context CL_API_CALL
clCreateContext(const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                void *userData, cl_int *code) {
  std::vector<cl_context_properties> list;
  if (cl_int error = readProperties(properties, list))
    return result<_cl_context>(code, error);
  if (!devices || !count || (!notify && userData))
    return result<_cl_context>(code, CL_INVALID_VALUE);
  auto context = Ref<_cl_context>::adopt(new _cl_context);
  context->notify = notify;
  context->userData = userData;
  for (cl_uint i = 0; i < count; ++i) {
    if (!isValid(devices[i]))
      return result<_cl_context>(code, CL_INVALID_DEVICE);
    if (cl_int error = devices[i]->enter())
      return result<_cl_context>(code, error);
    if (!context->has(devices[i]))
      context->devices.push_back(devices[i]);
  }
  // Buffers lie in the first device's memory; kernels of the others reach them there.
  for (size_t i = 1; i < context->devices.size(); ++i) {
    CUresult error = context->devices[i]->enter()
                         ? CUDA_ERROR_INVALID_DEVICE
                         : cuCtxEnablePeerAccess(context->home()->context, 0);
    if (error && error != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
      return result<_cl_context>(code, CL_INVALID_OPERATION);
  }
  context->properties = std::move(list);
  retain(context.get());
  return result(code, CL_SUCCESS, context.get());
}

extern "C" cl_context CL_API_CALL
clCreateContextFromType(const cl_context_properties *properties, cl_device_type type,
                        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                        void *userData, cl_int *code) {
  cl_uint count = 0;
  if (cl_int error = clGetDeviceIDs(platform(), type, 0, nullptr, &count))
    return result<_cl_context>(code, error);
  std::vector<cl_device_id> found(count);
  clGetDeviceIDs(platform(), type, count, found.data(), nullptr);
  return clCreateContext(properties, count, found.data(), notify, userData, code);
}

VX_CL clRetainContext(cl_context context) {
  return retainHandle(context, CL_INVALID_CONTEXT);
}
VX_CL clReleaseContext(cl_context context) {
  return releaseHandle(context, CL_INVALID_CONTEXT);
}

VX_CL clGetContextInfo(cl_context context, cl_context_info name, size_t size, void *value,
                       size_t *needed) {
  if (!isValid(context))
    return CL_INVALID_CONTEXT;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_CONTEXT_REFERENCE_COUNT:
    return out.number(context->references.load());
  case CL_CONTEXT_NUM_DEVICES:
    return out.number(cl_uint(context->devices.size()));
  case CL_CONTEXT_DEVICES:
    return out.list(context->devices);
  case CL_CONTEXT_PROPERTIES:
    return out.list(context->properties);
  default:
    return CL_INVALID_VALUE;
  }
}

VX_CL clSetContextDestructorCallback(cl_context context,
                                     void(CL_CALLBACK *notify)(cl_context, void *),
                                     void *userData) {
  if (!isValid(context))
    return CL_INVALID_CONTEXT;
  if (!notify)
    return CL_INVALID_VALUE;
  std::lock_guard lock(context->mutex);
  context->destructors.push_back([=] { notify(context, userData); });
  return CL_SUCCESS;
}
