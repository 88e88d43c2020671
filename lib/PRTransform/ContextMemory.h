// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses in the context of a block: the memory for what threads keep across regions.
//
//     thread arrays   one element for each thread of the block (as many as fill its CUDA warps)
//     lane arrays     one element for each lane of the current CUDA warp, or of each of the warps
//                     (`keepsLanes`): then they lie among the thread arrays, as long as those
//     warp words      one word for each of the CUDA warps that a block may have
//
// The lanes of a hardware warp may run different blocks in lockstep. Their contexts are interleaved
// element by element, so that they touch neighbouring addresses: element i of hardware thread h,
// one of n, is at (i * n + h) * size.

#ifndef VX_LIB_PRTRANSFORM_CONTEXTMEMORY_H
#define VX_LIB_PRTRANSFORM_CONTEXTMEMORY_H

#include "intrinsics/abi/WarpSize.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include <cstdint>

namespace vx {

struct ContextMemory {
  llvm::Value *context = nullptr;    ///< ptr: of the interleaved hardware threads
  llvm::Value *count = nullptr;      ///< i32: elements of a thread array
  llvm::Value *interleave = nullptr; ///< i64: hardware threads
  llvm::Value *own = nullptr;        ///< i64: this one among them
  uint64_t threadBytes = 0;          ///< of all thread arrays, per thread
  uint64_t laneBytes = 0;            ///< of all lane arrays, per lane
  bool keepsLanes = false;           ///< each warp has its own lane arrays
  llvm::Value *warpFirst = nullptr;  ///< i32, with keepsLanes: place of the warp's first thread
  /// ptr: the lane arrays, unless they are in the context. They are not without keepsLanes on the
  /// host, where they become vectors.
  llvm::Value *lanes = nullptr;
  bool isForHost = false;

  /// Emits the address of element THREAD (i32), of SIZE bytes, of the thread array at OFFSET bytes
  /// per thread.
  llvm::Value *threadSlot(llvm::IRBuilderBase &b, uint64_t offset, uint64_t size,
                          llvm::Value *thread) const;
  llvm::Value *laneSlot(llvm::IRBuilderBase &b, uint64_t offset, uint64_t size,
                        llvm::Value *lane) const;
  /// Emits the address of a word of the current warp in ROW. SIZE: 4, or 8 for two rows.
  llvm::Value *warpWord(llvm::IRBuilderBase &b, unsigned row, llvm::Value *warp,
                        uint64_t size = 4) const;
  /// Emits the distance (i64) of two elements of SIZE bytes.
  llvm::Value *distance(llvm::IRBuilderBase &b, uint64_t size) const;
  /// Returns the number of bytes for each thread of the block.
  uint64_t bytesPerThread() const { return threadBytes + (keepsLanes ? laneBytes : 0); }
  /// Returns the number of bytes that do not depend on the number of threads, with ROWS of warp
  /// words.
  uint64_t fixedBytes(unsigned rows) const {
    return warpLaneBytes() + rows * abi::kMaxBlockWarps * 4;
  }

private:
  /// Returns the number of bytes of the lane arrays of the current warp, unless each warp has its
  /// own.
  uint64_t warpLaneBytes() const { return keepsLanes || lanes ? 0 : laneBytes * abi::kWarpSize; }
  llvm::Value *element(llvm::IRBuilderBase &b, llvm::Value *array, uint64_t size,
                       llvm::Value *index) const;
  llvm::Value *endOfThreads(llvm::IRBuilderBase &b, uint64_t offset) const;
};

/// Addresses of one element in each of many arrays, in the order in which a region uses them.
/// Worked out one by one they are as many pointers that do not change in the loop over threads, or
/// grow by the same in each iteration: the optimizer takes them all out of it, and there are no
/// registers for them. Here each is the one before it and a distance that the optimizer does not
/// know. On the host they stay known: neighbours are elements of vectors.
class ContextWalk {
public:
  /// From here on a chain of COUNT addresses is better than COUNT registers.
  static constexpr unsigned kManyArrays = 16;

  ContextWalk(const ContextMemory &memory, size_t count)
      : memory(memory), chained(count >= kManyArrays && !memory.isForHost) {}

  llvm::Value *threadSlot(llvm::IRBuilderBase &b, uint64_t offset, uint64_t size,
                          llvm::Value *thread);
  llvm::Value *laneSlot(llvm::IRBuilderBase &b, uint64_t offset, uint64_t size, llvm::Value *lane);

private:
  struct Place {
    llvm::Value *address = nullptr;
    uint64_t offset = 0;
  };
  /// Moves PLACE on to OFFSET; DISTANCE (i32): of two arrays, for each byte of their elements.
  llvm::Value *moveOn(llvm::IRBuilderBase &b, Place &place, uint64_t offset, llvm::Value *&distance,
                      llvm::Value *elements);

  const ContextMemory &memory;
  bool chained;
  /// By the size of elements: an array is as long as its elements are.
  llvm::DenseMap<uint64_t, Place> threads, lanes;
  llvm::Value *threadDistance = nullptr, *laneDistance = nullptr;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_CONTEXTMEMORY_H
