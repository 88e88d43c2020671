// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mapping: the part is copied to the host copy of the object, and back when it is unmapped.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Memory.h"
#include "runtime/opencl/Queue.h"
#include "runtime/opencl/Transfer.h"
#include <algorithm>

using namespace vx::cl;

bool vx::cl::areMapFlags(cl_map_flags flags) {
  constexpr cl_map_flags kReadWrite = CL_MAP_READ | CL_MAP_WRITE;
  return !(flags & ~(kReadWrite | CL_MAP_WRITE_INVALIDATE_REGION)) &&
         !((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & kReadWrite));
}

namespace {

bool mayNotMap(cl_mem object, cl_map_flags flags) {
  cl_mem_flags not_ = CL_MEM_HOST_NO_ACCESS;
  if (flags & CL_MAP_READ)
    not_ |= CL_MEM_HOST_WRITE_ONLY;
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    not_ |= CL_MEM_HOST_READ_ONLY;
  return object->flags & not_;
}

/// Copies a mapping's box between the device and the host copy.
cl_int copyMapping(cl_mem object, const _cl_mem::Mapping &m, bool toHost, CUstream stream) {
  if (object->usesSvm)
    return CL_SUCCESS; // it is its own host copy
  const auto &[origin, region] = m.box;
  size_t row = object->isImage() ? object->rowPitch : region[0];
  size_t slice = object->isImage() ? object->slicePitch : region[0];
  size_t element = object->isImage() ? object->elementSize : 1;
  Plane device =
      Plane::ofDevice(object->data, row, slice).at(origin[0] * element, origin[1], origin[2]);
  Plane host = Plane::ofHost(m.pointer, row, slice);
  size_t bytes[3] = {region[0] * element, region[1], region[2]};
  return toHost ? copyPlane(host, device, bytes, stream) : copyPlane(device, host, bytes, stream);
}

void *map(const Enqueue &call, cl_mem object, _cl_mem::Mapping mapping, size_t offset,
          cl_int *code) {
  {
    std::lock_guard lock(object->mutex);
    mapping.pointer = object->hostCopy(offset);
    if (!mapping.pointer)
      return result<void>(code, CL_MAP_FAILURE);
    object->mappings.push_back(mapping);
  }
  cl_int error = enqueue(call, [=, keep = Ref(object)](CUstream stream) {
    bool needed = !(mapping.flags & CL_MAP_WRITE_INVALIDATE_REGION);
    return needed ? copyMapping(keep.get(), mapping, true, stream) : CL_SUCCESS;
  });
  return result<void>(code, error, error ? nullptr : mapping.pointer);
}

} // namespace

extern "C" void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                                cl_bool blocking, cl_map_flags flags, size_t offset,
                                                size_t size, cl_uint numWaits,
                                                const cl_event *waits, cl_event *event,
                                                cl_int *code) {
  Enqueue call{queue, CL_COMMAND_MAP_BUFFER, numWaits, waits, event, blocking != CL_FALSE};
  if (cl_int error = checkEnqueue(call))
    return result<void>(code, error);
  if (!isValid(buffer) || buffer->isImage())
    return result<void>(code, CL_INVALID_MEM_OBJECT);
  if (buffer->context.get() != queue->context.get())
    return result<void>(code, CL_INVALID_CONTEXT);
  if (!areMapFlags(flags) || !size || offset > buffer->size || size > buffer->size - offset)
    return result<void>(code, CL_INVALID_VALUE);
  if (mayNotMap(buffer, flags))
    return result<void>(code, CL_INVALID_OPERATION);
  return map(call, buffer, {nullptr, flags, {{offset, 0, 0}, {size, 1, 1}}}, offset, code);
}

extern "C" void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image,
                                               cl_bool blocking, cl_map_flags flags,
                                               const size_t *origin, const size_t *region,
                                               size_t *rowPitch, size_t *slicePitch,
                                               cl_uint numWaits, const cl_event *waits,
                                               cl_event *event, cl_int *code) {
  Enqueue call{queue, CL_COMMAND_MAP_IMAGE, numWaits, waits, event, blocking != CL_FALSE};
  if (cl_int error = checkEnqueue(call))
    return result<void>(code, error);
  if (!isValid(image) || !image->isImage())
    return result<void>(code, CL_INVALID_MEM_OBJECT);
  if (image->context.get() != queue->context.get())
    return result<void>(code, CL_INVALID_CONTEXT);
  _cl_mem::Mapping m = {nullptr, flags, {}};
  if (!areMapFlags(flags) || !rowPitch || !boxOf(*image, origin, region, m.box))
    return result<void>(code, CL_INVALID_VALUE);
  bool hasSlices = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                   image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                   image->type == CL_MEM_OBJECT_IMAGE3D;
  if (hasSlices && !slicePitch)
    return result<void>(code, CL_INVALID_VALUE);
  if (mayNotMap(image, flags))
    return result<void>(code, CL_INVALID_OPERATION);
  *rowPitch = image->rowPitch;
  if (slicePitch)
    *slicePitch = hasSlices ? image->slicePitch : 0;
  const size_t *at = m.box.origin;
  size_t offset = at[0] * image->elementSize + at[1] * image->rowPitch + at[2] * image->slicePitch;
  return map(call, image, m, offset, code);
}

VX_CL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem object, void *pointer,
                              cl_uint numWaits, const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_UNMAP_MEM_OBJECT, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!isValid(object))
    return CL_INVALID_MEM_OBJECT;
  if (object->context.get() != queue->context.get())
    return CL_INVALID_CONTEXT;
  _cl_mem::Mapping mapping;
  {
    std::lock_guard lock(object->mutex);
    auto found = std::find_if(object->mappings.begin(), object->mappings.end(),
                              [&](const _cl_mem::Mapping &m) { return m.pointer == pointer; });
    if (found == object->mappings.end())
      return CL_INVALID_VALUE;
    mapping = *found;
    object->mappings.erase(found);
  }
  return enqueue(call, [=, keep = Ref(object)](CUstream stream) {
    bool written = mapping.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    return written ? copyMapping(keep.get(), mapping, false, stream) : CL_SUCCESS;
  });
}
