// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills with elements of one, two and four bytes.

#include "runtime/cuda/SubmitCopy.h"
#include "runtime/driver/Api.h"
#include <cstring>

using namespace vx::rt;
using namespace vx::rt::driver;

/// Fills ROWS rows of WIDTH elements of BYTES bytes each, at a pitch of PITCH bytes. The fill is a
/// copy of rows that hold the pattern, unless all bytes are the same.
static cudaError_t fill(CUdeviceptr address, size_t pitch, uint32_t value, size_t bytes,
                        size_t width, size_t rows, CUstream stream, bool async) {
  if (address % bytes || (rows > 1 && pitch % bytes))
    return cudaErrorInvalidValue;
  size_t row;
  if (__builtin_mul_overflow(width, bytes, &row) || (rows > 1 && row > pitch))
    return cudaErrorInvalidValue;
  uint8_t pattern[4];
  std::memcpy(pattern, &value, sizeof pattern);
  bool uniform = std::memcmp(pattern, pattern + 1, bytes - 1) == 0;
  if (uniform) {
    cudaError_t e =
        cudaMemset2DAsync(pointer(address), rows > 1 ? pitch : row, pattern[0], row, rows, stream);
    return e == cudaSuccess && !async ? cudaStreamSynchronize(stream) : e;
  }
  if (row == 0 || rows == 0)
    return cudaSuccess;
  std::vector<uint8_t> source(row);
  for (size_t i = 0; i < row; i += bytes)
    std::memcpy(source.data() + i, pattern, bytes);
  return callWithContext([&](Context &context) {
    Copy copy; // all rows from the one
    copy.destination = {address, rows > 1 ? pitch : row, 0};
    copy.source = {addressOf(source.data()), 0, 0};
    copy.extent = {row, rows, 1};
    return submitCopy(context, copy, cudaMemcpyHostToDevice, stream, async);
  });
}

static CUresult fillLine(CUdeviceptr address, uint32_t value, size_t bytes, size_t count,
                         CUstream stream, bool async) {
  return callInContext([&] { return fill(address, 0, value, bytes, count, 1, stream, async); });
}

static CUresult fillRows(CUdeviceptr address, size_t pitch, uint32_t value, size_t bytes,
                         size_t width, size_t rows, CUstream stream, bool async) {
  return callInContext(
      [&] { return fill(address, pitch, value, bytes, width, rows, stream, async); });
}

extern "C" CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return fillLine(to, value, 1, count, nullptr, false);
}
extern "C" CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return fillLine(to, value, 2, count, nullptr, false);
}
extern "C" CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
  return fillLine(to, value, 4, count, nullptr, false);
}
extern "C" CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                    CUstream stream) {
  return fillLine(to, value, 1, count, stream, true);
}
extern "C" CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                                     CUstream stream) {
  return fillLine(to, value, 2, count, stream, true);
}
extern "C" CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                                     CUstream stream) {
  return fillLine(to, value, 4, count, stream, true);
}
extern "C" CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                                 size_t height) {
  return fillRows(to, pitch, value, 1, width, height, nullptr, false);
}
extern "C" CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                                  size_t height) {
  return fillRows(to, pitch, value, 2, width, height, nullptr, false);
}
extern "C" CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                                  size_t height) {
  return fillRows(to, pitch, value, 4, width, height, nullptr, false);
}
extern "C" CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value,
                                      size_t width, size_t height, CUstream stream) {
  return fillRows(to, pitch, value, 1, width, height, stream, true);
}
extern "C" CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value,
                                       size_t width, size_t height, CUstream stream) {
  return fillRows(to, pitch, value, 2, width, height, stream, true);
}
extern "C" CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                                       size_t height, CUstream stream) {
  return fillRows(to, pitch, value, 4, width, height, stream, true);
}
