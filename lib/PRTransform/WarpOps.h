// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits warp functions into deposits and collects. A call at which the threads of a warp
// synchronize and exchange values becomes
//
//     deposit K (mask, operands)   each thread stores what the others need
//     boundary K                   all that take part have done so
//     r = collect K (operands)     each thread works out its result
//
// so that deposits and collects belong to the parallel regions before and after the boundary.
// Shuffles of a block whose values are known before the first of them share its boundary: one loop
// over the threads stores all values, not one each. They
// are calls of placeholder functions, which the builder of the loops replaces; what a collect needs
// of the thread itself crosses the boundary like any other value.

#ifndef VX_LIB_PRTRANSFORM_WARPOPS_H
#define VX_LIB_PRTRANSFORM_WARPOPS_H

#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace vx {

struct WarpCall {
  VxFn fn;
  unsigned id;
  unsigned leader;                    ///< the operation, maybe this one, whose boundary it is
  llvm::Function *deposit = nullptr;  ///< (mask, value); null: nothing to store
  llvm::Function *boundary = nullptr; ///< ()
  llvm::Function *collect = nullptr;  ///< (the call's operands); null: no result
  llvm::Type *valueType = nullptr;    ///< of values exchanged through memory; null: none
  llvm::Constant *constantMask = nullptr;
  bool fixedMask = true; ///< a thread names the same lanes whenever it comes here
  unsigned width = 0;    ///< reductions: size of the aligned segments, 0: any mask

  bool isVote() const { return vx::isVote(fn); }
  bool isShuffle() const { return vx::isShuffle(fn); }
  bool isMatch() const { return vx::isMatch(fn); }
  bool isReduction() const { return vx::isReduction(fn); }
  /// Returns false if the threads that wait here are released, since there are no others to wait
  /// for.
  bool hasMask() const { return fn != VxFn::ActiveMask && !isMarker; }
  bool isMarker = false; ///< made by addMarker()
};

/// Returns true for a boundary of the nested form: a barrier of the block, or one inside its warps.
bool isNestedBoundary(const llvm::Instruction &i);
/// Returns true for a call that stands for a part of a warp function (WarpOps).
bool isWarpPart(const llvm::Instruction &i);
/// Returns true for a nested boundary at which warps of the block wait for each other.
bool isBlockLevel(const llvm::Instruction &boundary);

class WarpOps {
public:
  /// Splits the warp functions that F calls.
  explicit WarpOps(llvm::Function &f);
  /// Erases the placeholders; nothing may use them any more.
  ~WarpOps();
  WarpOps(const WarpOps &) = delete;
  WarpOps &operator=(const WarpOps &) = delete;

  llvm::ArrayRef<std::unique_ptr<WarpCall>> all() const { return ops; }
  /// Puts a boundary after what is collected after OP's: what threads stored there is read by all
  /// that read it before any of them stores something there again.
  void separate(const WarpCall &op);
  /// Puts a boundary before AT where threads reconverge that execute it together.
  void addMarker(llvm::Instruction &at);
  /// Returns the operation that the placeholder called by V belongs to, or null.
  const WarpCall *of(const llvm::Value *v) const;

private:
  void decompose(llvm::CallInst &call, VxFn fn);
  void shareBoundaries(llvm::BasicBlock &bb);
  /// The places of the instructions of a block, in their order, or of the boundary that they were
  /// moved before. Instructions that move make LLVM number the whole block anew.
  using Places = llvm::DenseMap<const llvm::Instruction *, unsigned>;
  bool share(const WarpCall &leader, WarpCall &op, Places &places);

  llvm::Function &f;
  llvm::SmallVector<std::unique_ptr<WarpCall>, 16> ops;
  llvm::DenseMap<const llvm::Function *, const WarpCall *> byPlaceholder;
};

} // namespace vx

#endif // VX_LIB_PRTRANSFORM_WARPOPS_H
