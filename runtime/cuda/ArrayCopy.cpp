// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies from and to arrays.

#include "runtime/context/ArrayCopy.h"
#include "runtime/cuda/SubmitCopy.h"
#include <algorithm>

using namespace vx::rt;

namespace {

/// COUNT bytes from byte X of row Y on, over the ends of rows: boxes in the order of their bytes.
std::vector<ArrayBox> boxesOf(uint64_t rowBytes, uint64_t x, uint64_t y, uint64_t count) {
  std::vector<ArrayBox> boxes;
  if (x) {
    boxes.push_back({x, y++, 0, std::min(count, rowBytes - x)});
    count -= boxes.back().width;
  }
  if (uint64_t rows = count / rowBytes) {
    boxes.push_back({0, y, 0, rowBytes, rows});
    y += rows;
    count -= rows * rowBytes;
  }
  if (count)
    boxes.push_back({0, y, 0, count});
  return boxes;
}

/// A copy between an array and memory whose bytes are adjacent.
cudaError_t copyBytes(cudaArray_const_t handle, size_t x, size_t y, const void *memory,
                      size_t count, cudaMemcpyKind kind, cudaStream_t stream, bool toArray,
                      bool async) {
  return callWithContext([&](Context &context) {
    ArrayUse use = findArray(context, handle);
    if (!use.array)
      return cudaErrorInvalidResourceHandle;
    uint64_t rowBytes = use.array->rowBytes();
    if (x >= rowBytes)
      return cudaErrorInvalidValue;
    uint64_t offset = 0;
    for (const ArrayBox &box : boxesOf(rowBytes, x, y, count)) {
      Copy copy;
      copy.extent = {box.width, box.height, 1};
      CopySide &array = toArray ? copy.destination : copy.source;
      CopySide &other = toArray ? copy.source : copy.destination;
      if (cudaError_t e = placeArray(context, handle, box, copy, array); e != cudaSuccess)
        return e;
      other = {addressOf(memory) + offset, box.width, 0};
      offset += box.width * box.height;
      if (cudaError_t e = submitCopy(context, copy, kind, stream, async); e != cudaSuccess)
        return e;
    }
    return cudaSuccess;
  });
}

cudaError_t copyRows(cudaArray_const_t handle, size_t x, size_t y, const void *memory, size_t pitch,
                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                     bool toArray, bool async) {
  return callWithContext([&](Context &context) {
    if (kind == (toArray ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice))
      return cudaErrorInvalidMemcpyDirection;
    // A single row has no need of a pitch: CUDA takes 0.
    if (width > pitch && !(pitch == 0 && height <= 1))
      return cudaErrorInvalidPitchValue;
    Copy copy;
    copy.extent = {width, height, 1};
    ArrayBox box{x, y, 0, width, height, 1};
    CopySide &array = toArray ? copy.destination : copy.source;
    (toArray ? copy.source : copy.destination) = {addressOf(memory), pitch, 0};
    if (cudaError_t e = placeArray(context, handle, box, copy, array); e != cudaSuccess)
      return e;
    return submitCopy(context, copy, kind, stream, async);
  });
}

/// A place in an array where copies of bytes begin.
struct ArrayPlace {
  cudaArray_const_t handle;
  size_t x, y;
};

cudaError_t copyBox(const ArrayPlace &to, const ArrayPlace &from, size_t width, size_t height,
                    cudaMemcpyKind kind) {
  return callWithContext([&](Context &context) {
    Copy copy;
    copy.extent = {width, height, 1};
    cudaError_t e =
        placeArray(context, to.handle, {to.x, to.y, 0, width, height, 1}, copy, copy.destination);
    if (e == cudaSuccess)
      e = placeArray(context, from.handle, {from.x, from.y, 0, width, height, 1}, copy,
                     copy.source);
    return e == cudaSuccess ? submitCopy(context, copy, kind, nullptr, false) : e;
  });
}

/// Copies COUNT bytes over the ends of rows.
cudaError_t copyBytes(ArrayPlace to, ArrayPlace from, size_t count, cudaMemcpyKind kind) {
  return callWithContext([&](Context &context) {
    ArrayUse target = findArray(context, to.handle), source = findArray(context, from.handle);
    if (!target.array || !source.array)
      return cudaErrorInvalidResourceHandle;
    auto step = [](ArrayPlace &place, size_t bytes, size_t rowBytes) {
      place.x += bytes;
      place.y += place.x / rowBytes;
      place.x %= rowBytes;
    };
    size_t targetRow = target.array->rowBytes(), sourceRow = source.array->rowBytes();
    if (to.x >= targetRow || from.x >= sourceRow)
      return cudaErrorInvalidValue;
    while (count) {
      size_t part = std::min({count, targetRow - to.x, sourceRow - from.x});
      if (cudaError_t e = copyBox(to, from, part, 1, kind); e != cudaSuccess)
        return e;
      step(to, part, targetRow);
      step(from, part, sourceRow);
      count -= part;
    }
    return cudaSuccess;
  });
}

} // namespace

extern "C" cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void *source,
                                         size_t count, cudaMemcpyKind kind) {
  return copyBytes(array, x, y, source, count, kind, nullptr, true, false);
}
extern "C" cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y,
                                              const void *source, size_t count, cudaMemcpyKind kind,
                                              cudaStream_t stream) {
  return copyBytes(array, x, y, source, count, kind, stream, true, true);
}
extern "C" cudaError_t cudaMemcpyFromArray(void *destination, cudaArray_const_t array, size_t x,
                                           size_t y, size_t count, cudaMemcpyKind kind) {
  return copyBytes(array, x, y, destination, count, kind, nullptr, false, false);
}
extern "C" cudaError_t cudaMemcpyFromArrayAsync(void *destination, cudaArray_const_t array,
                                                size_t x, size_t y, size_t count,
                                                cudaMemcpyKind kind, cudaStream_t stream) {
  return copyBytes(array, x, y, destination, count, kind, stream, false, true);
}
extern "C" cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY,
                                              cudaArray_const_t from, size_t fromX, size_t fromY,
                                              size_t count, cudaMemcpyKind kind) {
  return copyBytes({to, toX, toY}, {from, fromX, fromY}, count, kind);
}

extern "C" cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y,
                                           const void *source, size_t pitch, size_t width,
                                           size_t height, cudaMemcpyKind kind) {
  return copyRows(array, x, y, source, pitch, width, height, kind, nullptr, true, false);
}
extern "C" cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y,
                                                const void *source, size_t pitch, size_t width,
                                                size_t height, cudaMemcpyKind kind,
                                                cudaStream_t stream) {
  return copyRows(array, x, y, source, pitch, width, height, kind, stream, true, true);
}
extern "C" cudaError_t cudaMemcpy2DFromArray(void *destination, size_t pitch,
                                             cudaArray_const_t array, size_t x, size_t y,
                                             size_t width, size_t height, cudaMemcpyKind kind) {
  return copyRows(array, x, y, destination, pitch, width, height, kind, nullptr, false, false);
}
extern "C" cudaError_t cudaMemcpy2DFromArrayAsync(void *destination, size_t pitch,
                                                  cudaArray_const_t array, size_t x, size_t y,
                                                  size_t width, size_t height, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
  return copyRows(array, x, y, destination, pitch, width, height, kind, stream, false, true);
}
extern "C" cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY,
                                                cudaArray_const_t from, size_t fromX, size_t fromY,
                                                size_t width, size_t height, cudaMemcpyKind kind) {
  return copyBox({to, toX, toY}, {from, fromX, fromY}, width, height, kind);
}
