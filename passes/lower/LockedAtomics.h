// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RV32 has no 64-bit reservations. There, every atomic access to 64 bits holds a lock of the image,
// one of a table chosen by the address. The access is inside the loop that waits for the lock:
// lanes of a warp that wait for each other would never get out of a loop that only waits.

#ifndef VX_PASSES_LOWER_LOCKEDATOMICS_H
#define VX_PASSES_LOWER_LOCKEDATOMICS_H

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace vx {

/// Returns true if I is an atomic access that takes a lock.
bool needsLock(const llvm::Instruction &i);
/// Replaces I, which does.
void expandLocked(llvm::Instruction &i);

/// A do-while loop before an instruction.
struct AtomicLoop {
  llvm::BasicBlock *body;  ///< empty: gets its terminator from the caller
  llvm::BasicBlock *after; ///< begins with the instruction
};
/// Splits before I and puts an empty block between.
AtomicLoop makeAtomicLoop(llvm::Instruction &i);

} // namespace vx

#endif // VX_PASSES_LOWER_LOCKEDATOMICS_H
