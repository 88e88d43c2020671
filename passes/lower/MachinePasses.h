// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine passes by name (passes/MachinePassRegistry.def), and running one alone on a file of
// machine IR.

#ifndef VX_PASSES_LOWER_MACHINEPASSES_H
#define VX_PASSES_LOWER_MACHINEPASSES_H

#include "passes/lower/CodeGen.h"

namespace llvm {
class MemoryBuffer;
class raw_ostream;
} // namespace llvm

namespace vx {

/// The findings of the machine passes that only look at code; the others change it.
struct MachineFindings {
  BranchCheckResult branches;
  UsageMap usage;
};

/// Returns the machine pass called NAME, or null.
llvm::MachineFunctionPass *createMachinePass(llvm::StringRef name, MachineFindings &findings);

/// Runs the machine pass NAME on machine IR in LLVM's format (.mir, for riscv64 or riscv32) and
/// prints the result. What the pass found out comes after it, as comments. The error is for a name
/// that there is not, a file that cannot be parsed, and problems of branches.
llvm::Error runMachinePass(llvm::StringRef name, std::unique_ptr<llvm::MemoryBuffer> mir,
                           llvm::raw_ostream &os);

} // namespace vx

#endif // VX_PASSES_LOWER_MACHINEPASSES_H
