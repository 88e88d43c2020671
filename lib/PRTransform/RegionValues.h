// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that live across a region boundary, and where each of them is kept:
//
//   Recompute  cheap expressions over kernel arguments, constants and thread coordinates: cloned to
//              their uses, nothing is kept
//   Scalar     one value for the whole block (uniform): one register
//   Context    differs between threads: a slot in the context, an array over the block's threads
//
// Values of one size that are never live at the same time share a slot.
//
// Local variables in memory (allocas) are moved to the context as well, unless one region alone
// uses them and is run once.

#ifndef VX_LIB_PRTRANSFORM_REGIONVALUES_H
#define VX_LIB_PRTRANSFORM_REGIONVALUES_H

#include "lib/PRTransform/ParallelRegions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
class DataLayout;
} // namespace llvm

namespace vx {

/// A value demoted to memory of its own (an alloca that promotes again inside each region).
struct CrossingValue {
  llvm::AllocaInst *slot;               ///< stored after the definition, loaded before uses
  bool uniform;                         ///< kept as a scalar
  llvm::SmallSet<unsigned, 4> liveInto; ///< regions at whose entry it is live
  uint64_t offset = 0;                  ///< Context: bytes before its array, per thread
  bool ofWarp = false;                  ///< nested form: a lane array, or a scalar of the warp
  bool ofEachWarp = false;              ///< such a scalar that lives across barriers of the block
  unsigned row = 0;                     ///< ofEachWarp: its first row of warp words
};

/// A local variable of the source whose bytes live across a boundary.
struct CrossingLocal {
  llvm::AllocaInst *local;
  uint64_t size;       ///< bytes of one thread's copy, a multiple of its alignment
  uint64_t offset = 0; ///< bytes before its array, per thread
};

struct RegionStorage {
  llvm::SmallVector<CrossingValue, 16> values;
  llvm::SmallVector<CrossingLocal, 8> locals;
  uint64_t contextBytes = 0; ///< per thread, a multiple of 16
  uint64_t laneBytes = 0;    ///< of lane arrays, per lane, a multiple of 16
  unsigned warpRows = 0;     ///< rows of warp words
};

/// Returns the number of bytes of one element of an array for V.
uint64_t elementSize(const llvm::DataLayout &dl, const CrossingValue &v);
/// Returns true if X and Y, both kept in arrays, may have the same place.
bool canShare(const CrossingValue &x, const CrossingValue &y);

/// Returns the instructions of F (in canonical form) that live across some boundary.
llvm::SmallVector<llvm::Instruction *, 16> findCrossing(llvm::Function &f,
                                                        const ParallelRegions &regions);

/// Clones cheap crossing values to their uses. Returns true if anything changed.
bool recomputeCheapValues(llvm::Function &f, const ParallelRegions &regions);

/// The rules for what values that cross boundaries may be kept as.
struct StorageRules {
  const llvm::UniformityInfo &block; ///< tells what is one value for the block
  /// All threads reach the same boundaries, in the same order: what is one value for the block is a
  /// scalar. If not, threads may be in different regions, and everything is per thread; but in the
  /// nested form what each thread sets once is a scalar.
  bool regular;
  /// Nested form: which boundaries are of the block; the others are of its warps, and what is live
  /// across those only is kept per lane. Null: all are of the block.
  BoundaryTest blockLevel = nullptr;
  /// Nested form, regular: what is one value for a warp is a scalar, too.
  const llvm::UniformityInfo *warp = nullptr;
};

/// Demotes what still crosses to slots in the entry block and lays the context out.
RegionStorage assignStorage(llvm::Function &f, const ParallelRegions &regions,
                            const StorageRules &rules);

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_REGIONVALUES_H
