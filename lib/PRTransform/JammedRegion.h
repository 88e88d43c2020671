// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequential region (SequentialRegions.h) in which the parts of a lane run side by side as long
// as all threads of the warp take the same path. The hardware warp votes at each branch; where
// threads differ, it starts again and runs the parts one after another, so there are no side
// effects before such a branch:
//
//     before --> region for some parts together ----------> after
//                   | some threads go here, others there      ^
//                   v                                         |
//                region for the first of them --> second -----+
//
// The loop that adds up every so many elements, say: all parts load side by side, and threads leave
// it together, except for the one warp in which the elements end. Or `if (i < n) a[i] = b[i];`,
// which all threads of all warps but one enter.

#ifndef VX_LIB_PRTRANSFORM_JAMMEDREGION_H
#define VX_LIB_PRTRANSFORM_JAMMEDREGION_H

#include "lib/PRTransform/PartStrides.h"
#include "lib/PRTransform/SequentialRegions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class BranchInst;
class LoopInfo;
} // namespace llvm

namespace vx {

class JammedRegion {
public:
  using IsDivergent = llvm::function_ref<bool(const llvm::Instruction &)>;

  /// Returns how many of PARTS parts of REGION may run together, a power of two; 1 where it does
  /// not pay or is not possible: its loops load so much that registers are short, or threads differ
  /// inside of them in other ways than in when they leave. LI is of the function as it is.
  static unsigned partsTogether(const SequentialRegion &region, unsigned parts,
                                const llvm::LoopInfo &li, IsDivergent isDivergentBranch);

  /// Is for REGION, isolated, of which SIZE parts run together. Gives it a block of its own after
  /// its exit.
  JammedRegion(SequentialRegion &region, unsigned size, const llvm::LoopInfo &li);

  /// The strides of common code; findStrides() adds those of BLOCKS, the region's in reverse
  /// post-order.
  std::optional<PartStrides> strides;
  void findStrides(llvm::ArrayRef<llvm::BasicBlock *> blocks);

  /// Builds a copy for each group of parts of the PARTS, where copies of the region for each of
  /// them are there (OFPART, for blocks as well), and connects them. MADE: what it makes for each
  /// part.
  void build(unsigned parts, OfPart ofPart, IsDivergent isDivergentBranch,
             llvm::SmallVectorImpl<std::pair<llvm::Instruction *, unsigned>> &made);

private:
  using Map = llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::Value *, 4>>;

  void findInductions(const llvm::LoopInfo &li);
  void checkInductions(OfPart ofPart);
  llvm::Value *valueOf(llvm::Value *v, unsigned n, OfPart ofPart) const;
  void copyBlocks(llvm::SmallVectorImpl<std::pair<llvm::Instruction *, unsigned>> &made);
  void mapOperands(OfPart ofPart);
  void makeBranches(OfPart ofPart, IsDivergent isDivergentBranch);
  void branch(llvm::IRBuilderBase &b, llvm::BranchInst &br,
              llvm::ArrayRef<llvm::Value *> conditions, bool isFalling);
  void runInTurn(OfPart ofPart, llvm::BasicBlock &after);
  void joinResults(OfPart ofPart, llvm::BasicBlock &after);
  llvm::BasicBlock *block(const llvm::Twine &name);
  bool leadsTo(llvm::BasicBlock &from, llvm::BasicBlock &to) const;

  /// The index of a loop: START before it, then NEXT, the sum of it and STEP, while NEXT < BOUND.
  /// Nothing says that the sum does not wrap; that is checked before the loop.
  struct Induction {
    llvm::BasicBlock *before;
    llvm::Value *start, *step, *bound;
    llvm::Instruction *next;
    bool isSigned;
  };

  SequentialRegion &region;
  const unsigned size; ///< of a group
  llvm::SmallVector<Induction, 2> inductions;
  // Of the current group:
  unsigned first = 0;                ///< its first part
  llvm::BasicBlock *apart = nullptr; ///< the block in which its parts start again
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> together;
  Map copies; ///< in those blocks, for each part of the group
  llvm::SmallVector<std::pair<llvm::Instruction *, unsigned>, 32> unmapped; ///< and which part
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_JAMMEDREGION_H
