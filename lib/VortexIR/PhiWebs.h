// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phi webs: sets of values of a function that can share a variable. A web has phis and values that
// flow into them, no two of which are live at the same place, as the values of a variable of the
// source mostly are.

#ifndef VX_LIB_VORTEXIR_PHIWEBS_H
#define VX_LIB_VORTEXIR_PHIWEBS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;
} // namespace llvm

namespace vx {

class PhiWebs {
public:
  /// Forms the webs of VALUES, instructions of F, which has no unreachable block. A web is found
  /// for each phi among them; other values have a web of their own unless one takes them.
  PhiWebs(llvm::Function &f, llvm::ArrayRef<llvm::Instruction *> values, llvm::DominatorTree &dt);

  /// Returns the number of VALUE's web: that of one of its values.
  unsigned webOf(const llvm::Instruction &value) const;

private:
  void findLiveness(unsigned value);
  void markLiveOut(unsigned value, const llvm::BasicBlock &bb);
  bool isLiveAfter(unsigned value, const llvm::Instruction &place) const;
  bool interfere(unsigned a, unsigned b) const;
  void join(unsigned a, unsigned b);

  using Place = std::pair<unsigned, unsigned>; // a value and a block

  llvm::DominatorTree &dt;
  std::vector<llvm::Instruction *> values;
  llvm::DenseMap<const llvm::Instruction *, unsigned> numbers;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> blocks;
  std::vector<llvm::BitVector> liveOut; ///< of each value: the blocks at whose end it is live
  llvm::DenseMap<Place, const llvm::Instruction *> lastUse; ///< of a value in a block, no phi
  std::vector<unsigned> web;                                ///< of each value
  std::vector<std::vector<unsigned>> members;               ///< of each web
  size_t checks = 0;                                        ///< pairs that were compared
};

} // namespace vx

#endif // VX_LIB_VORTEXIR_PHIWEBS_H
