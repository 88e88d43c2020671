// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/ArrayCopy.h"

namespace vx::rt {

ArrayUse findArray(Context &current, cudaArray_const_t constHandle) {
  cudaArray_t handle = const_cast<cudaArray_t>(constHandle);
  if (std::shared_ptr<ArrayRecord> array = current.handles().arrays.find(handle))
    return {array, &current, {}};
  std::shared_ptr<ArrayRecord> array;
  ContextUse owner = Runtime::get().findOwner([&](Context &context) {
    array = context.handles().arrays.find(handle);
    return array != nullptr;
  });
  Context *context = owner ? &*owner : nullptr;
  return {array, context, std::move(owner)};
}

static bool fits(uint64_t first, uint64_t count, uint64_t size) {
  return first <= size && count <= size - first;
}

cudaError_t placeArray(Context &context, cudaArray_const_t handle, const ArrayBox &box, Copy &copy,
                       CopySide &side) {
  ArrayUse use = findArray(context, handle);
  if (!use.array)
    return cudaErrorInvalidResourceHandle;
  const ArrayRecord &array = *use.array;
  const VxImageLevel &m = array.memory;
  if (!fits(box.x, box.width, array.rowBytes()) || !fits(box.y, box.height, m.height) ||
      !fits(box.z, box.depth, m.depth))
    return cudaErrorInvalidValue;
  side.address = m.data + box.z * m.slicePitch + box.y * m.rowPitch + box.x;
  side.pitch = m.rowPitch;
  side.slicePitch = m.slicePitch;
  side.context = use.context;
  if (use.owner)
    copy.uses.push_back(std::make_shared<ContextUse>(std::move(use.owner)));
  return cudaSuccess;
}

/// One side of a box that PARAMETERS name. Where arrays take part, widths and places in arrays
/// count elements of ELEMENT bytes.
static cudaError_t placeBox(Context &context, cudaArray_t array, const cudaPitchedPtr &memory,
                            const cudaPos &position, unsigned element, Copy &copy, CopySide &side) {
  if (!array) {
    const CopyExtent &box = copy.extent;
    if (!box.empty() &&
        (!fits(position.x, box.width, memory.pitch) || !fits(position.y, box.height, memory.ysize)))
      return cudaErrorInvalidValue;
    side = boxSide(memory, position);
    return cudaSuccess;
  }
  const CopyExtent &e = copy.extent;
  return placeArray(context, array,
                    {position.x * element, position.y, position.z, e.width, e.height, e.depth},
                    copy, side);
}

cudaError_t describeCopy(Context &context, const cudaMemcpy3DParms &p, Copy &copy) {
  // A side is one of both.
  if ((p.srcArray && p.srcPtr.ptr) || (p.dstArray && p.dstPtr.ptr))
    return cudaErrorInvalidValue;
  unsigned element = 1;
  for (cudaArray_t handle : {p.srcArray, p.dstArray})
    if (handle) {
      ArrayUse use = findArray(context, handle);
      if (!use.array)
        return cudaErrorInvalidResourceHandle;
      unsigned bytes = use.array->format.bytes();
      if (handle == p.dstArray && p.srcArray && bytes != element)
        return cudaErrorInvalidValue;
      element = bytes;
    }
  copy.extent = {p.extent.width * element, p.extent.height, p.extent.depth};
  cudaError_t e =
      placeBox(context, p.dstArray, p.dstPtr, p.dstPos, element, copy, copy.destination);
  return e == cudaSuccess
             ? placeBox(context, p.srcArray, p.srcPtr, p.srcPos, element, copy, copy.source)
             : e;
}

} // namespace vx::rt
