// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of the hardware threads that share a block.

#ifndef VX_LIB_VORTEXIR_BLOCKBARRIER_H
#define VX_LIB_VORTEXIR_BLOCKBARRIER_H

#include "lib/VortexIR/DeviceAsm.h"
#include "llvm/IR/IRBuilder.h"

namespace vx {

/// Waits at barrier ID for the COUNT hardware warps (both i32) that share the block, if they are
/// several: lanes of one run in lockstep. Orders memory for the compiler in any case. B, at the end
/// of its block, continues in a new block; new blocks come before BEFORE, or last.
inline void emitBlockBarrier(llvm::IRBuilderBase &b, llvm::Value *id, llvm::Value *count,
                             llvm::BasicBlock *before = nullptr) {
  emitMemoryBarrier(b);
  llvm::Function *f = b.GetInsertBlock()->getParent();
  auto *barrier = llvm::BasicBlock::Create(b.getContext(), "barrier", f, before);
  auto *after = llvm::BasicBlock::Create(b.getContext(), "barrier.end", f, before);
  b.CreateCondBr(b.CreateICmpUGT(count, b.getInt32(1)), barrier, after);
  b.SetInsertPoint(barrier);
  emitHwBarrier(b, id, count);
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

} // namespace vx

#endif // VX_LIB_VORTEXIR_BLOCKBARRIER_H
