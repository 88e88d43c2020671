// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions without calls of each other, for recursive functions whose boundaries have to be in a
// kernel: they become one function, in which each call of one of them stores a frame on a stack of
// the thread's own and jumps, and each return jumps back.
//
//     unsigned f(n) {             f.iterative(n):   frame = first of the stack, with n
//       if (n == 0)               f:                n = frame.n
//         return 0;                                 if (n == 0) { result = 0; goto return; }
//       sync();                                     sync();
//       x = f(n - 1);       ->                      push a frame with n - 1 and call 1; goto f
//       return n * x;             call 1:           result = frame.n * result
//     }                           return:           if (frame.call == 1) { pop; goto call 1; }
//                                                   return result
//
// A frame has the parameters of a call, the function's local variables, and values that live across
// a call. A thread that needs more frames than the stack (FrameStack.h) has room for traps.

#ifndef VX_LIB_VORTEXIR_ITERATIVEFUNCTION_H
#define VX_LIB_VORTEXIR_ITERATIVEFUNCTION_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace vx {

/// Returns what keeps FUNCTIONS from having frames: a local array without a constant size. Null if
/// there is none.
const llvm::Instruction *findWithoutFrame(llvm::ArrayRef<llvm::Function *> functions);

/// Makes a function that computes what F does, without calls of MEMBERS: F and functions that have
/// frames and call each other directly.
llvm::Function &makeIterative(llvm::Function &f, llvm::ArrayRef<llvm::Function *> members);

} // namespace vx

#endif // VX_LIB_VORTEXIR_ITERATIVEFUNCTION_H
