// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/opencl/Memory.h"
#include "runtime/opencl/Api.h"
#include "runtime/opencl/Svm.h"
#include <new>

using namespace vx::cl;

// Flags of which one excludes the others, and those about the memory of the host.
constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostAccess =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHost = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

_cl_mem::~_cl_mem() {
  life->end();
  for (auto f = destructors.rbegin(); f != destructors.rend(); ++f)
    (*f)();
  if (context->home()->enter())
    return;
  if (description)
    cuMemFree(description);
  if (data && !parent && !usesSvm)
    cuMemFree(data);
}

char *_cl_mem::hostCopy(size_t offset) {
  if (parent && !isImage())
    return parent->hostCopy(origin + offset);
  if (hostPointer)
    return static_cast<char *>(hostPointer) + offset;
  if (host.empty()) {
    try {
      host.resize(size);
    } catch (const std::bad_alloc &) {
      return nullptr;
    }
  }
  return host.data() + offset;
}

namespace vx::cl {

cl_int checkFlags(cl_mem_flags flags, const void *host) {
  auto several = [&](cl_mem_flags of) { return (flags & of) & ((flags & of) - 1); };
  if (flags & ~(kAccess | kHostAccess | kHost | CL_MEM_KERNEL_READ_AND_WRITE))
    return CL_INVALID_VALUE;
  if (several(kAccess) || several(kHostAccess))
    return CL_INVALID_VALUE;
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
    return CL_INVALID_VALUE;
  bool needsHost = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
  return needsHost == (host != nullptr) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

cl_int allocate(_cl_mem &object, void *host) {
  if (cl_int error = object.context->home()->enter())
    return error;
  if (object.flags & CL_MEM_USE_HOST_PTR)
    object.hostPointer = host;
  object.usesSvm = object.hostPointer && !object.isImage() &&
                   isSvm(object.context.get(), object.hostPointer, object.size);
  if (object.usesSvm)
    object.data = reinterpret_cast<CUdeviceptr>(object.hostPointer);
  else if (CUresult error = cuMemAlloc(&object.data, object.size))
    return errorOf(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return CL_SUCCESS;
}

} // namespace vx::cl

static size_t largestAllocation(cl_context context) {
  cl_ulong most = 0;
  clGetDeviceInfo(context->home(), CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr);
  return most;
}

extern "C" cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                           const cl_mem_properties *properties,
                                                           cl_mem_flags flags, size_t size,
                                                           void *host, cl_int *code) {
  if (!isValid(context))
    return result<_cl_mem>(code, CL_INVALID_CONTEXT);
  if (properties && *properties)
    return result<_cl_mem>(code, CL_INVALID_PROPERTY);
  if (cl_int error = checkFlags(flags, host))
    return result<_cl_mem>(code, error);
  if (!size || size > largestAllocation(context))
    return result<_cl_mem>(code, CL_INVALID_BUFFER_SIZE);
  if ((flags & CL_MEM_USE_HOST_PTR) && isSvm(context, host, 1) && !isSvm(context, host, size))
    return result<_cl_mem>(code, CL_INVALID_BUFFER_SIZE);
  auto buffer = Ref<_cl_mem>::adopt(new _cl_mem(
      context, CL_MEM_OBJECT_BUFFER, flags ? flags : cl_mem_flags(CL_MEM_READ_WRITE), size));
  if (properties)
    buffer->properties = {0};
  if (cl_int error = allocate(*buffer, host))
    return result<_cl_mem>(code, error);
  if (host && !buffer->usesSvm)
    if (CUresult error = cuMemcpyHtoD(buffer->data, host, size))
      return result<_cl_mem>(code, errorOf(error));
  retain(buffer.get());
  return result(code, CL_SUCCESS, buffer.get());
}

extern "C" cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                             void *host, cl_int *code) {
  return clCreateBufferWithProperties(context, nullptr, flags, size, host, code);
}

/// The flags of a part: what it does not say is the whole's; it may not allow more.
static cl_int inheritFlags(cl_mem_flags &flags, cl_mem_flags whole) {
  auto conflict = [&](cl_mem_flags in, cl_mem_flags part) {
    return (whole & in) && (flags & part);
  };
  if ((flags & kHost) || conflict(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY) ||
      conflict(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY) ||
      conflict(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY) ||
      conflict(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY) ||
      conflict(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))
    return CL_INVALID_VALUE;
  if (!(flags & kAccess))
    flags |= whole & kAccess;
  if (!(flags & kHostAccess))
    flags |= whole & kHostAccess;
  flags |= whole & kHost;
  return CL_SUCCESS;
}

extern "C" cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
                                                cl_buffer_create_type type, const void *info,
                                                cl_int *code) {
  if (!isValid(buffer) || buffer->isImage() || buffer->parent)
    return result<_cl_mem>(code, CL_INVALID_MEM_OBJECT);
  if (type != CL_BUFFER_CREATE_TYPE_REGION || !info)
    return result<_cl_mem>(code, CL_INVALID_VALUE);
  if (cl_int error = inheritFlags(flags, buffer->flags))
    return result<_cl_mem>(code, error);
  const auto &region = *static_cast<const cl_buffer_region *>(info);
  if (!region.size)
    return result<_cl_mem>(code, CL_INVALID_BUFFER_SIZE);
  if (region.origin > buffer->size || region.size > buffer->size - region.origin)
    return result<_cl_mem>(code, CL_INVALID_VALUE);
  if (region.origin % kAlignment)
    return result<_cl_mem>(code, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  auto *part = new _cl_mem(buffer->context.get(), CL_MEM_OBJECT_BUFFER, flags, region.size);
  part->parent = buffer;
  part->origin = region.origin;
  part->data = buffer->data + region.origin;
  if (buffer->hostPointer)
    part->hostPointer = static_cast<char *>(buffer->hostPointer) + region.origin;
  part->usesSvm = buffer->usesSvm;
  return result(code, CL_SUCCESS, part);
}

VX_CL clRetainMemObject(cl_mem object) {
  return retainHandle(object, CL_INVALID_MEM_OBJECT);
}
VX_CL clReleaseMemObject(cl_mem object) {
  return releaseHandle(object, CL_INVALID_MEM_OBJECT);
}

VX_CL clSetMemObjectDestructorCallback(cl_mem object, void(CL_CALLBACK *notify)(cl_mem, void *),
                                       void *userData) {
  if (!isValid(object))
    return CL_INVALID_MEM_OBJECT;
  if (!notify)
    return CL_INVALID_VALUE;
  std::lock_guard lock(object->mutex);
  object->destructors.push_back([=] { notify(object, userData); });
  return CL_SUCCESS;
}

VX_CL clGetMemObjectInfo(cl_mem object, cl_mem_info name, size_t size, void *value,
                         size_t *needed) {
  if (!isValid(object))
    return CL_INVALID_MEM_OBJECT;
  InfoWriter out(size, value, needed);
  switch (name) {
  case CL_MEM_TYPE:
    return out.number(object->type);
  case CL_MEM_FLAGS:
    return out.number(object->flags);
  case CL_MEM_SIZE:
    return out.number(object->size);
  case CL_MEM_HOST_PTR:
    return out.number(object->hostPointer);
  case CL_MEM_MAP_COUNT: {
    std::lock_guard lock(object->mutex);
    return out.number(cl_uint(object->mappings.size()));
  }
  case CL_MEM_REFERENCE_COUNT:
    return out.number(object->references.load());
  case CL_MEM_CONTEXT:
    return out.number(object->context.get());
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return out.number(object->parent.get());
  case CL_MEM_OFFSET:
    return out.number(object->origin);
  case CL_MEM_USES_SVM_POINTER:
    return out.number(cl_bool(object->usesSvm));
  case CL_MEM_PROPERTIES:
    return out.list(object->properties);
  default:
    return CL_INVALID_VALUE;
  }
}
