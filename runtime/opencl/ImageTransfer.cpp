// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, writing, copying and filling of images.

#include "runtime/opencl/Api.h"
#include "runtime/opencl/Memory.h"
#include "runtime/opencl/PixelFormat.h"
#include "runtime/opencl/Queue.h"
#include "runtime/opencl/Transfer.h"

using namespace vx::cl;

namespace {

cl_int checkImage(cl_mem object, cl_command_queue queue) {
  if (!isValid(object) || !object->isImage())
    return CL_INVALID_MEM_OBJECT;
  return object->context.get() == queue->context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

Plane planeOf(cl_mem image, const Box &box) {
  return Plane::ofDevice(image->data, image->rowPitch, image->slicePitch)
      .at(box.origin[0] * image->elementSize, box.origin[1], box.origin[2]);
}

std::vector<size_t> bytesOf(cl_mem image, const Box &box) {
  return {box.region[0] * image->elementSize, box.region[1], box.region[2]};
}

cl_int transfer(const Enqueue &call, cl_mem image, const size_t *origin, const size_t *region,
                size_t rowPitch, size_t slicePitch, void *host, bool toHost) {
  if (cl_int error = checkEnqueue(call))
    return error;
  if (cl_int error = checkImage(image, call.queue))
    return error;
  Box box;
  if (!host || !boxOf(*image, origin, region, box))
    return CL_INVALID_VALUE;
  std::vector<size_t> bytes = bytesOf(image, box);
  if (!rowPitch)
    rowPitch = bytes[0];
  // The rows of a 1D array are its layers.
  if (!slicePitch)
    slicePitch = rowPitch * box.region[1];
  if (rowPitch < bytes[0] || slicePitch < rowPitch * box.region[1])
    return CL_INVALID_VALUE;
  cl_mem_flags exclusive = toHost ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY;
  if (image->flags & (CL_MEM_HOST_NO_ACCESS | exclusive))
    return CL_INVALID_OPERATION;
  Plane device = planeOf(image, box), memory = Plane::ofHost(host, rowPitch, slicePitch);
  return enqueue(call, [=, keep = Ref(image)](CUstream stream) {
    return toHost ? copyPlane(memory, device, bytes.data(), stream)
                  : copyPlane(device, memory, bytes.data(), stream);
  });
}

} // namespace

VX_CL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                         const size_t *origin, const size_t *region, size_t rowPitch,
                         size_t slicePitch, void *host, cl_uint numWaits, const cl_event *waits,
                         cl_event *event) {
  return transfer({queue, CL_COMMAND_READ_IMAGE, numWaits, waits, event, blocking != CL_FALSE},
                  image, origin, region, rowPitch, slicePitch, host, true);
}

VX_CL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                          const size_t *origin, const size_t *region, size_t rowPitch,
                          size_t slicePitch, const void *host, cl_uint numWaits,
                          const cl_event *waits, cl_event *event) {
  return transfer({queue, CL_COMMAND_WRITE_IMAGE, numWaits, waits, event, blocking != CL_FALSE},
                  image, origin, region, rowPitch, slicePitch, const_cast<void *>(host), false);
}

VX_CL clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *fromOrigin,
                         const size_t *toOrigin, const size_t *region, cl_uint numWaits,
                         const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_COPY_IMAGE, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  for (cl_mem image : {from, to})
    if (cl_int error = checkImage(image, queue))
      return error;
  if (std::memcmp(&from->format, &to->format, sizeof from->format))
    return CL_IMAGE_FORMAT_MISMATCH;
  Box a, b;
  if (!boxOf(*from, fromOrigin, region, a) || !boxOf(*to, toOrigin, region, b))
    return CL_INVALID_VALUE;
  if (from == to && boxesOverlap(a.origin, a.region, b.origin, b.region))
    return CL_MEM_COPY_OVERLAP;
  Plane source = planeOf(from, a), target = planeOf(to, b);
  // Layers may be rows in one of them and slices in the other: both boxes have as many of each.
  if (a.region[1] != b.region[1]) {
    Plane &flat = a.region[1] == 1 ? target : source;
    flat.slicePitch = flat.rowPitch;
  }
  std::vector<size_t> bytes = bytesOf(from, a.region[1] == 1 ? a : b);
  return enqueue(call, [=, keep = std::pair(Ref(from), Ref(to))](CUstream stream) {
    return copyPlane(target, source, bytes.data(), stream);
  });
}

/// Between an image and a buffer whose rows touch.
static cl_int copyBetween(const Enqueue &call, cl_mem image, cl_mem buffer, const size_t *origin,
                          const size_t *region, size_t offset, bool toBuffer) {
  if (cl_int error = checkEnqueue(call))
    return error;
  if (cl_int error = checkImage(image, call.queue))
    return error;
  if (!isValid(buffer) || buffer->isImage())
    return CL_INVALID_MEM_OBJECT;
  if (buffer->context.get() != call.queue->context.get())
    return CL_INVALID_CONTEXT;
  Box box;
  if (!boxOf(*image, origin, region, box))
    return CL_INVALID_VALUE;
  std::vector<size_t> bytes = bytesOf(image, box);
  size_t all = bytes[0] * bytes[1] * bytes[2];
  if (offset > buffer->size || all > buffer->size - offset)
    return CL_INVALID_VALUE;
  Plane a = planeOf(image, box);
  Plane b = Plane::ofDevice(buffer->data + offset, bytes[0], bytes[0] * bytes[1]);
  return enqueue(call, [=, keep = std::pair(Ref(image), Ref(buffer))](CUstream stream) {
    return toBuffer ? copyPlane(b, a, bytes.data(), stream) : copyPlane(a, b, bytes.data(), stream);
  });
}

VX_CL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                 const size_t *origin, const size_t *region, size_t offset,
                                 cl_uint numWaits, const cl_event *waits, cl_event *event) {
  return copyBetween({queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, numWaits, waits, event}, image,
                     buffer, origin, region, offset, true);
}

VX_CL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image, size_t offset,
                                 const size_t *origin, const size_t *region, cl_uint numWaits,
                                 const cl_event *waits, cl_event *event) {
  return copyBetween({queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, numWaits, waits, event}, image,
                     buffer, origin, region, offset, false);
}

VX_CL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color,
                         const size_t *origin, const size_t *region, cl_uint numWaits,
                         const cl_event *waits, cl_event *event) {
  Enqueue call{queue, CL_COMMAND_FILL_IMAGE, numWaits, waits, event};
  if (cl_int error = checkEnqueue(call))
    return error;
  if (cl_int error = checkImage(image, queue))
    return error;
  Box box;
  if (!color || !boxOf(*image, origin, region, box))
    return CL_INVALID_VALUE;
  std::vector<char> pixel = packPixel(image->format, image->elementSize, color);
  std::vector<size_t> bytes = bytesOf(image, box);
  Plane target = planeOf(image, box);
  return enqueue(call, [=, keep = Ref(image)](CUstream stream) {
    std::vector<char> all;
    all.reserve(bytes[0] * bytes[1] * bytes[2]);
    while (all.size() < bytes[0] * bytes[1] * bytes[2])
      all.insert(all.end(), pixel.begin(), pixel.end());
    cl_int error = copyPlane(target, Plane::ofHost(all.data(), bytes[0], bytes[0] * bytes[1]),
                             bytes.data(), stream);
    return error ? error : errorOf(cuStreamSynchronize(stream)); // `all` goes
  });
}
