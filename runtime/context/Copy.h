// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of rows of bytes between host and device memory: what they touch, and doing
// them.

#ifndef VX_RUNTIME_CONTEXT_COPY_H
#define VX_RUNTIME_CONTEXT_COPY_H

#include "runtime/context/Runtime.h"
#include "runtime/core/Addresses.h"
#include <memory>
#include <vector>

namespace vx::rt {

/// Rows of WIDTH bytes, HEIGHT of them in a slice, DEPTH slices.
struct CopyExtent {
  uint64_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// The memory that a pointer of the program points to.
enum class PointerSpace { Host, Device };

/// One end of a copy: byte (x, y, z) is at address + x + y * pitch + z * slicePitch.
struct CopySide {
  uint64_t address = 0;
  uint64_t pitch = 0, slicePitch = 0;
  PointerSpace space = PointerSpace::Host;
  /// PointerSpace::Device: whose memory it is. If it is set before a copy is resolved, the side
  /// must be that context's memory; else the current context is asked first, then the others.
  Context *context = nullptr;
};

/// Keeps other contexts than the current one for as long as a copy uses them.
using ContextUses = std::vector<std::shared_ptr<ContextUse>>;

struct Copy {
  CopySide destination, source;
  CopyExtent extent;
  ContextUses uses;
};

/// The part of a pitched box that begins at POSITION.
inline CopySide boxSide(const cudaPitchedPtr &box, const cudaPos &position) {
  uint64_t slice = box.pitch * box.ysize;
  return {addressOf(box.ptr) + position.x + position.y * box.pitch + position.z * slice, box.pitch,
          slice};
}

/// Returns true if SIDE is memory of another device than CONTEXT's.
bool isForeign(const Context &context, const CopySide &side);
/// Copies the source's rows, which the host has, to memory that COPY reads from then on: the
/// result, to be kept until the copy has run.
std::shared_ptr<std::vector<uint8_t>> stageSource(Copy &copy);

/// Decides which side is where, by KIND and by what the pointers point to, and checks that each
/// side has the memory that the copy touches.
cudaError_t resolveCopy(Context &context, Copy &copy, cudaMemcpyKind kind);
inline bool isCopyKind(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}
/// Decides the same of memory that must be a device's (or managed).
cudaError_t resolveDeviceSide(Context &context, CopySide &side, const CopyExtent &extent,
                              ContextUses &uses);

/// In an operation of CONTEXT: does it.
cudaError_t performCopy(Context &context, const Copy &copy);
/// The extent's width is in bytes, a multiple of ELEMENTBYTES (1, 2 or 4); these many low bytes of
/// VALUE are repeated.
cudaError_t performFill(Context &context, const CopySide &side, const CopyExtent &extent,
                        uint32_t value, unsigned elementBytes = 1);

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_COPY_H
