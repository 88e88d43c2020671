// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of boxes of bytes between the host and devices.

#ifndef VX_RUNTIME_OPENCL_TRANSFER_H
#define VX_RUNTIME_OPENCL_TRANSFER_H

#include "runtime/opencl/Device.h"

namespace vx::cl {

/// Rows and slices of bytes in the host's or the device's memory.
struct Plane {
  static Plane ofHost(const void *base, size_t rowPitch, size_t slicePitch) {
    return {true, reinterpret_cast<uintptr_t>(base), rowPitch, slicePitch};
  }
  static Plane ofDevice(CUdeviceptr base, size_t rowPitch, size_t slicePitch) {
    return {false, base, rowPitch, slicePitch};
  }
  /// The plane that begins at (x bytes, y, z).
  Plane at(size_t x, size_t y, size_t z) const {
    Plane moved = *this;
    moved.base += x + y * rowPitch + z * slicePitch;
    return moved;
  }

  bool isHost;
  uintptr_t base;
  size_t rowPitch, slicePitch;
};

/// Returns true if two boxes of these regions at A and B have an element in common.
bool boxesOverlap(const size_t a[3], const size_t aRegion[3], const size_t b[3],
                  const size_t bRegion[3]);

/// Copies a box of REGION[0] bytes, REGION[1] rows, REGION[2] slices, in order with STREAM.
cl_int copyPlane(const Plane &to, const Plane &from, const size_t region[3], CUstream stream);

/// Returns true if a pattern to fill memory with may have BYTES.
bool isPatternSize(size_t bytes);
/// Fills SIZE bytes from TO, a multiple of the pattern's.
cl_int fill(CUdeviceptr to, const std::vector<char> &pattern, size_t size, CUstream stream);

/// Returns true if FLAGS are such as mapping and migration take.
bool areMapFlags(cl_map_flags flags);
bool areMigrationFlags(cl_mem_migration_flags flags);

} // namespace vx::cl

#endif // VX_RUNTIME_OPENCL_TRANSFER_H
