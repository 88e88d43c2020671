// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over the threads of a block or of a warp, in the form in which loops are widened:
//
//     preheader --> header ------------> exit
//                     |  ^
//                     v  |
//                  entry … latch
//
//     header: index = phi [first, preheader], [index + 1, latch];  br (index <u limit), entry, exit
//
// Loops in it leave to the loop around them only, and everything is in loop-closed form.

#ifndef VX_LIB_WIDENING_THREADLOOP_H
#define VX_LIB_WIDENING_THREADLOOP_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace vx {

struct ThreadLoop {
  llvm::Loop *loop;
  llvm::PHINode *index;
  llvm::Value *first, *limit;
  llvm::BasicBlock *preheader, *header, *entry, *latch, *exit;

  bool contains(const llvm::Value *v) const {
    const auto *i = llvm::dyn_cast<llvm::Instruction>(v);
    return i && loop->contains(i);
  }
};

/// Returns LOOP as a loop over threads, or nullopt if it has another form.
std::optional<ThreadLoop> matchThreadLoop(llvm::Loop &loop, const llvm::LoopInfo &li);

/// Returns why the threads of LOOP cannot be lanes of vectors: an instruction that has no such
/// form, or that threads may use to wait for each other; empty if they can.
llvm::StringRef findObstacle(const ThreadLoop &loop, const llvm::LoopInfo &li);

/// Returns true if CALL is executed for one lane after the other.
bool isCalledByLane(const llvm::CallBase &call);

} // namespace vx

#endif // VX_LIB_WIDENING_THREADLOOP_H
