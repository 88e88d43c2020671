// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, writing, copying and filling of buffers. ImageTransfer.cpp does it for images.

#include "runtime/opencl/Transfer.h"
#include "runtime/opencl/Api.h"
#include "runtime/opencl/Memory.h"
#include "runtime/opencl/Queue.h"

using namespace vx::cl;

namespace vx::cl {

static CUresult copyBytes(const Plane &to, const Plane &from, size_t bytes, CUstream stream) {
  auto *hostTo = reinterpret_cast<void *>(to.base);
  auto *hostFrom = reinterpret_cast<const void *>(from.base);
  if (to.isHost)
    return cuMemcpyDtoHAsync(hostTo, from.base, bytes, stream);
  return from.isHost ? cuMemcpyHtoDAsync(to.base, hostFrom, bytes, stream)
                     : cuMemcpyDtoDAsync(to.base, from.base, bytes, stream);
}

static CUresult copyRows(const Plane &to, const Plane &from, size_t bytes, size_t rows,
                         CUstream stream) {
  CUDA_MEMCPY2D copy = {};
  auto type = [](const Plane &p) { return p.isHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE; };
  copy.srcMemoryType = type(from);
  copy.srcHost = reinterpret_cast<const void *>(from.base);
  copy.srcDevice = from.base;
  copy.srcPitch = from.rowPitch;
  copy.dstMemoryType = type(to);
  copy.dstHost = reinterpret_cast<void *>(to.base);
  copy.dstDevice = to.base;
  copy.dstPitch = to.rowPitch;
  copy.WidthInBytes = bytes;
  copy.Height = rows;
  return cuMemcpy2DAsync(&copy, stream);
}

bool boxesOverlap(const size_t a[3], const size_t aRegion[3], const size_t b[3],
                  const size_t bRegion[3]) {
  for (int d = 0; d < 3; ++d)
    if (a[d] + aRegion[d] <= b[d] || b[d] + bRegion[d] <= a[d])
      return false;
  return true;
}

cl_int copyPlane(const Plane &to, const Plane &from, const size_t region[3], CUstream stream) {
  bool rowsTouch = to.rowPitch == region[0] && from.rowPitch == region[0];
  size_t sliceBytes = region[0] * region[1];
  bool slicesTouch = rowsTouch && to.slicePitch == sliceBytes && from.slicePitch == sliceBytes;
  if (slicesTouch || (rowsTouch && region[2] == 1) || (region[1] == 1 && region[2] == 1))
    return errorOf(copyBytes(to, from, sliceBytes * region[2], stream));
  for (size_t z = 0; z < region[2]; ++z) {
    Plane a = to.at(0, 0, z), b = from.at(0, 0, z);
    CUresult error = rowsTouch || region[1] == 1 ? copyBytes(a, b, sliceBytes, stream)
                                                 : copyRows(a, b, region[0], region[1], stream);
    if (error)
      return errorOf(error);
  }
  return CL_SUCCESS;
}

bool isPatternSize(size_t bytes) {
  return bytes && !(bytes & (bytes - 1)) && bytes <= 128;
}

cl_int fill(CUdeviceptr to, const std::vector<char> &pattern, size_t size, CUstream stream) {
  if (!size)
    return CL_SUCCESS;
  if (pattern.size() == 1)
    return errorOf(cuMemsetD8Async(to, pattern[0], size, stream));
  std::vector<char> all;
  all.reserve(size);
  while (all.size() < size)
    all.insert(all.end(), pattern.begin(), pattern.end());
  return errorOf(cuMemcpyHtoD(to, all.data(), size));
}

bool areMigrationFlags(cl_mem_migration_flags flags) {
  constexpr cl_mem_migration_flags kKnown =
      CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
  return !(flags & ~kKnown);
}

} // namespace vx::cl

namespace {

/// Returns an error unless OBJECT is a buffer that the queue's context can use.
cl_int checkBuffer(cl_mem object, cl_command_queue queue) {
  if (!isValid(object) || object->isImage())
    return CL_INVALID_MEM_OBJECT;
  return object->context.get() == queue->context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

bool isInside(cl_mem object, size_t offset, size_t size) {
  return offset <= object->size && size <= object->size - offset;
}

/// Returns true if the host may not do what it is about to.
bool mayNotTransfer(cl_mem object, cl_mem_flags exclusive) {
  return object->flags & (CL_MEM_HOST_NO_ACCESS | exclusive);
}

/// A box of a buffer, as the rectangle calls give it; false if it cannot be.
bool makeBox(const size_t *origin, const size_t *region, size_t &rowPitch, size_t &slicePitch) {
  if (!rowPitch)
    rowPitch = region[0];
  if (!slicePitch)
    slicePitch = region[1] * rowPitch;
  return origin && region[0] && region[1] && region[2] && rowPitch >= region[0] &&
         slicePitch >= region[1] * rowPitch && slicePitch % rowPitch == 0;
}
size_t endOf(const size_t *origin, const size_t *region, size_t rowPitch, size_t slicePitch) {
  return (origin[2] + region[2] - 1) * slicePitch + (origin[1] + region[1] - 1) * rowPitch +
         origin[0] + region[0];
}

cl_int transfer(const Enqueue &call, cl_mem buffer, size_t offset, size_t size, void *host,
                bool toHost) {
  if (cl_int error = checkEnqueue(call))
    return error;
  if (cl_int error = checkBuffer(buffer, call.queue))
    return error;
  if (!host || !isInside(buffer, offset, size))
    return CL_INVALID_VALUE;
  if (mayNotTransfer(buffer, toHost ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY))
    return CL_INVALID_OPERATION;
  return enqueue(call, [=, keep = Ref(buffer)](CUstream stream) {
    if (!size)
      return CL_SUCCESS;
    return errorOf(toHost ? cuMemcpyDtoHAsync(host, keep->data + offset, size, stream)
                          : cuMemcpyHtoDAsync(keep->data + offset, host, size, stream));
  });
}

cl_int transferRect(const Enqueue &call, cl_mem buffer, const size_t *origin,
                    const size_t *hostOrigin, const size_t *region, size_t rowPitch,
                    size_t slicePitch, size_t hostRowPitch, size_t hostSlicePitch, void *host,
                    bool toHost) {
  if (cl_int error = checkEnqueue(call))
    return error;
  if (cl_int error = checkBuffer(buffer, call.queue))
    return error;
  if (!host || !region || !makeBox(origin, region, rowPitch, slicePitch) ||
      !makeBox(hostOrigin, region, hostRowPitch, hostSlicePitch) ||
      !isInside(buffer, 0, endOf(origin, region, rowPitch, slicePitch)))
    return CL_INVALID_VALUE;
  if (mayNotTransfer(buffer, toHost ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY))
    return CL_INVALID_OPERATION;
  Plane device =
      Plane::ofDevice(buffer->data, rowPitch, slicePitch).at(origin[0], origin[1], origin[2]);
  Plane memory = Plane::ofHost(host, hostRowPitch, hostSlicePitch)
                     .at(hostOrigin[0], hostOrigin[1], hostOrigin[2]);
  std::vector<size_t> box(region, region + 3);
  return enqueue(call, [=, keep = Ref(buffer)](CUstream stream) {
    return toHost ? copyPlane(memory, device, box.data(), stream)
                  : copyPlane(device, memory, box.data(), stream);
  });
}

} // namespace

VX_CL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                          size_t size, void *host, cl_uint numWaits, const cl_event *waits,
                          cl_event *event) {
  return transfer({queue, CL_COMMAND_READ_BUFFER, numWaits, waits, event, blocking != CL_FALSE},
                  buffer, offset, size, host, true);
}

VX_CL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, const void *host, cl_uint numWaits, const cl_event *waits,
                           cl_event *event) {
  return transfer({queue, CL_COMMAND_WRITE_BUFFER, numWaits, waits, event, blocking != CL_FALSE},
                  buffer, offset, size, const_cast<void *>(host), false);
}

VX_CL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                              const size_t *origin, const size_t *hostOrigin, const size_t *region,
                              size_t rowPitch, size_t slicePitch, size_t hostRowPitch,
                              size_t hostSlicePitch, void *host, cl_uint numWaits,
                              const cl_event *waits, cl_event *event) {
  return transferRect(
      {queue, CL_COMMAND_READ_BUFFER_RECT, numWaits, waits, event, blocking != CL_FALSE}, buffer,
      origin, hostOrigin, region, rowPitch, slicePitch, hostRowPitch, hostSlicePitch, host, true);
}

VX_CL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               const size_t *origin, const size_t *hostOrigin, const size_t *region,
                               size_t rowPitch, size_t slicePitch, size_t hostRowPitch,
                               size_t hostSlicePitch, const void *host, cl_uint numWaits,
                               const cl_event *waits, cl_event *event) {
  return transferRect(
      {queue, CL_COMMAND_WRITE_BUFFER_RECT, numWaits, waits, event, blocking != CL_FALSE}, buffer,
      origin, hostOrigin, region, rowPitch, slicePitch, hostRowPitch, hostSlicePitch,
      const_cast<void *>(host), false);
}

VX_CL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset,
                          size_t toOffset, size_t size, cl_uint numWaits, const cl_event *waits,
                          cl_event *event) {
  Enqueue call{queue, CL_COMMAND_COPY_BUFFER, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  for (cl_mem buffer : {from, to})
    if (cl_int error = checkBuffer(buffer, queue))
      return error;
  if (!size || !isInside(from, fromOffset, size) || !isInside(to, toOffset, size))
    return CL_INVALID_VALUE;
  CUdeviceptr a = from->data + fromOffset, b = to->data + toOffset;
  if (a < b + size && b < a + size)
    return CL_MEM_COPY_OVERLAP;
  return enqueue(call, [=, keep = std::pair(Ref(from), Ref(to))](CUstream stream) {
    return errorOf(cuMemcpyDtoDAsync(b, a, size, stream));
  });
}

VX_CL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                              const size_t *fromOrigin, const size_t *toOrigin,
                              const size_t *region, size_t fromRowPitch, size_t fromSlicePitch,
                              size_t toRowPitch, size_t toSlicePitch, cl_uint numWaits,
                              const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_COPY_BUFFER_RECT, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  for (cl_mem buffer : {from, to})
    if (cl_int error = checkBuffer(buffer, queue))
      return error;
  if (!region || !makeBox(fromOrigin, region, fromRowPitch, fromSlicePitch) ||
      !makeBox(toOrigin, region, toRowPitch, toSlicePitch) ||
      !isInside(from, 0, endOf(fromOrigin, region, fromRowPitch, fromSlicePitch)) ||
      !isInside(to, 0, endOf(toOrigin, region, toRowPitch, toSlicePitch)))
    return CL_INVALID_VALUE;
  if (from == to) {
    if (fromRowPitch != toRowPitch || fromSlicePitch != toSlicePitch)
      return CL_INVALID_VALUE;
    if (boxesOverlap(fromOrigin, region, toOrigin, region))
      return CL_MEM_COPY_OVERLAP;
  }
  Plane a = Plane::ofDevice(from->data, fromRowPitch, fromSlicePitch)
                .at(fromOrigin[0], fromOrigin[1], fromOrigin[2]);
  Plane b =
      Plane::ofDevice(to->data, toRowPitch, toSlicePitch).at(toOrigin[0], toOrigin[1], toOrigin[2]);
  std::vector<size_t> box(region, region + 3);
  return enqueue(call, [=, keep = std::pair(Ref(from), Ref(to))](CUstream stream) {
    return copyPlane(b, a, box.data(), stream);
  });
}

VX_CL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                          size_t patternSize, size_t offset, size_t size, cl_uint numWaits,
                          const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_FILL_BUFFER, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (cl_int error = checkBuffer(buffer, queue))
    return error;
  if (!pattern || !isPatternSize(patternSize) || offset % patternSize || size % patternSize ||
      !isInside(buffer, offset, size))
    return CL_INVALID_VALUE;
  auto *bytes = static_cast<const char *>(pattern);
  std::vector<char> content(bytes, bytes + patternSize);
  return enqueue(call, [=, keep = Ref(buffer)](CUstream stream) {
    return fill(keep->data + offset, content, size, stream);
  });
}

VX_CL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count, const cl_mem *objects,
                                 cl_mem_migration_flags flags, cl_uint numWaits,
                                 const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (!count || !objects || !areMigrationFlags(flags))
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    if (!isValid(objects[i]))
      return CL_INVALID_MEM_OBJECT;
    if (objects[i]->context.get() != queue->context.get())
      return CL_INVALID_CONTEXT;
  }
  return enqueue(call, nullptr); // memory stays where it is
}
