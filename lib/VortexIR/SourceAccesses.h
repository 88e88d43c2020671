// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that are volatile for the checkers' sake (docs/user/checkers.md): no pass removes,
// merges or moves them, although they are plain ones to the language. A mark, metadata !vx.plain,
// tells them from those that the source calls volatile.

#ifndef VX_LIB_VORTEXIR_SOURCEACCESSES_H
#define VX_LIB_VORTEXIR_SOURCEACCESSES_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace vx {

/// Returns true for a volatile access of the source.
bool isVolatileInSource(const llvm::Instruction &i);
/// Returns true for an access that markPlain has made volatile.
bool isMarkedPlain(const llvm::Instruction &i);
/// Makes I, a load or store that is not volatile, volatile for the checkers.
void markPlain(llvm::Instruction &i);
/// Takes that back.
void unmarkPlain(llvm::Instruction &i);

} // namespace vx

#endif // VX_LIB_VORTEXIR_SOURCEACCESSES_H
