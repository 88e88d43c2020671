// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/ContextMemory.h"
#include "lib/VortexIR/DeviceAsm.h"

using namespace llvm;

namespace vx {

Value *ContextMemory::threadSlot(IRBuilderBase &b, uint64_t offset, uint64_t size,
                                 Value *thread) const {
  Value *array = b.CreateMul(b.CreateZExt(count, b.getInt64Ty()), b.getInt64(offset));
  return element(b, array, size, thread);
}

Value *ContextMemory::laneSlot(IRBuilderBase &b, uint64_t offset, uint64_t size,
                               Value *lane) const {
  if (keepsLanes)
    return threadSlot(b, threadBytes + offset, size, b.CreateNUWAdd(warpFirst, lane));
  if (lanes)
    return b.CreateInBoundsPtrAdd(
        lanes, b.CreateAdd(b.getInt64(offset * abi::kWarpSize),
                           b.CreateMul(b.CreateZExt(lane, b.getInt64Ty()), b.getInt64(size))));
  return element(b, endOfThreads(b, offset * abi::kWarpSize), size, lane);
}

Value *ContextMemory::warpWord(IRBuilderBase &b, unsigned row, Value *warp, uint64_t size) const {
  uint64_t offset = warpLaneBytes() + row * abi::kMaxBlockWarps * 4;
  return element(b, endOfThreads(b, offset), size, warp);
}

Value *ContextMemory::distance(IRBuilderBase &b, uint64_t size) const {
  return b.CreateMul(interleave, b.getInt64(size));
}

/// Emits the address OFFSET bytes after the thread arrays.
Value *ContextMemory::endOfThreads(IRBuilderBase &b, uint64_t offset) const {
  Value *threads = b.CreateMul(b.CreateZExt(count, b.getInt64Ty()), b.getInt64(bytesPerThread()));
  return b.CreateAdd(threads, b.getInt64(offset));
}

Value *ContextMemory::element(IRBuilderBase &b, Value *array, uint64_t size, Value *index) const {
  Value *base = b.CreateInBoundsPtrAdd(context, b.CreateMul(array, interleave));
  Value *at = b.CreateAdd(b.CreateMul(b.CreateZExt(index, b.getInt64Ty()), interleave), own);
  return b.CreateInBoundsPtrAdd(base, b.CreateMul(at, b.getInt64(size)));
}

Value *ContextWalk::threadSlot(IRBuilderBase &b, uint64_t offset, uint64_t size, Value *thread) {
  Place &place = threads[size];
  if (chained && place.address)
    return moveOn(b, place, offset, threadDistance, memory.count);
  return (place = {memory.threadSlot(b, offset, size, thread), offset}).address;
}

Value *ContextWalk::laneSlot(IRBuilderBase &b, uint64_t offset, uint64_t size, Value *lane) {
  Place &place = lanes[size];
  if (chained && place.address)
    return moveOn(b, place, offset, laneDistance,
                  memory.keepsLanes ? memory.count : b.getInt32(abi::kWarpSize));
  return (place = {memory.laneSlot(b, offset, size, lane), offset}).address;
}

Value *ContextWalk::moveOn(IRBuilderBase &b, Place &place, uint64_t offset, Value *&distance,
                           Value *elements) {
  if (!distance) {
    // Fits: a block has 1,024 threads at most, and a hardware warp as many lanes.
    Value *known = b.CreateMul(elements, b.CreateTrunc(memory.interleave, b.getInt32Ty()));
    distance = b.CreateSExt(emitOpaque(b, known), b.getInt64Ty());
  }
  int64_t arrays = int64_t(offset) - int64_t(place.offset);
  place.offset = offset;
  return place.address =
             b.CreateInBoundsPtrAdd(place.address, b.CreateMul(distance, b.getInt64(arrays)));
}

} // namespace vx
