// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/ContextMemory.h"

using namespace llvm;

namespace vx {

Value *ContextMemory::threadSlot(IRBuilderBase &b, uint64_t offset, uint64_t size,
                                 Value *thread) const {
  Value *array = b.CreateMul(b.CreateZExt(count, b.getInt64Ty()), b.getInt64(offset));
  return element(b, array, size, thread);
}

Value *ContextMemory::laneSlot(IRBuilderBase &b, uint64_t offset, uint64_t size,
                               Value *lane) const {
  return element(b, endOfThreads(b, offset * abi::kWarpSize), size, lane);
}

Value *ContextMemory::warpWord(IRBuilderBase &b, unsigned row, Value *warp, uint64_t size) const {
  uint64_t offset = laneBytes * abi::kWarpSize + row * abi::kMaxBlockWarps * 4;
  return element(b, endOfThreads(b, offset), size, warp);
}

Value *ContextMemory::distance(IRBuilderBase &b, uint64_t size) const {
  return b.CreateMul(interleave, b.getInt64(size));
}

/// OFFSET bytes after the thread arrays.
Value *ContextMemory::endOfThreads(IRBuilderBase &b, uint64_t offset) const {
  Value *threads = b.CreateMul(b.CreateZExt(count, b.getInt64Ty()), b.getInt64(threadBytes));
  return b.CreateAdd(threads, b.getInt64(offset));
}

Value *ContextMemory::element(IRBuilderBase &b, Value *array, uint64_t size, Value *index) const {
  Value *base = b.CreateInBoundsPtrAdd(context, b.CreateMul(array, interleave));
  Value *at = b.CreateAdd(b.CreateMul(b.CreateZExt(index, b.getInt64Ty()), interleave), own);
  return b.CreateInBoundsPtrAdd(base, b.CreateMul(at, b.getInt64(size)));
}

} // namespace vx
