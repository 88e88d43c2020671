// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units that the loops of generated code count. The mark is metadata of the loop (!llvm.loop),
// and is still there when costs are counted in machine code (passes/lower/MachineCosts.h):
//
//     br i1 %more, label %lane, label %done, !llvm.loop !{self, !{!"vx.loop.unit", i32 2}}

#ifndef VX_LIB_VORTEXIR_LOOPUNITS_H
#define VX_LIB_VORTEXIR_LOOPUNITS_H

#include "lib/VortexIR/IRNames.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

namespace vx {

enum class LoopUnit : unsigned {
  None,   ///< a loop of the source
  Block,  ///< blocks of the grid
  Warp,   ///< CUDA warps of a block
  Thread, ///< threads of a block or of a CUDA warp
  Rest,   ///< the turns that are left: it goes round once, as a rule
};

/// Marks the loop whose latch ends in BRANCH.
inline void markLoop(llvm::Instruction &branch, LoopUnit unit) {
  llvm::LLVMContext &ctx = branch.getContext();
  auto *number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(ctx), unsigned(unit));
  auto *mark = llvm::MDNode::get(
      ctx, {llvm::MDString::get(ctx, kLoopUnit), llvm::ConstantAsMetadata::get(number)});
  llvm::MDNode *loop = llvm::MDNode::getDistinct(ctx, {nullptr, mark});
  loop->replaceOperandWith(0, loop);
  branch.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

/// Returns the operand of a loop's mark that begins with NAME, or null; LOOP may be null.
inline const llvm::MDNode *findLoopMark(const llvm::MDNode *loop, llvm::StringRef name) {
  for (unsigned i = 1; loop && i < loop->getNumOperands(); ++i) {
    const auto *mark = llvm::dyn_cast_or_null<llvm::MDNode>(loop->getOperand(i));
    if (!mark || mark->getNumOperands() == 0)
      continue;
    const auto *word = llvm::dyn_cast_or_null<llvm::MDString>(mark->getOperand(0));
    if (word && word->getString() == name)
      return mark;
  }
  return nullptr;
}

inline LoopUnit loopUnitOf(const llvm::MDNode *loop) {
  const llvm::MDNode *mark = findLoopMark(loop, kLoopUnit);
  if (!mark || mark->getNumOperands() != 2)
    return LoopUnit::None;
  const auto *unit = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(mark->getOperand(1));
  return unit && unit->getZExtValue() <= unsigned(LoopUnit::Rest) ? LoopUnit(unit->getZExtValue())
                                                                  : LoopUnit::None;
}

} // namespace vx

#endif // VX_LIB_VORTEXIR_LOOPUNITS_H
