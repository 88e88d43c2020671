// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From annotated IR to RISC-V: stock code generation with the passes left out that would tear
// branches from their markers, the machine-level check, and the link.

#ifndef VX_PASSES_LOWER_CODEGEN_H
#define VX_PASSES_LOWER_CODEGEN_H

#include "passes/Pipelines.h"
#include "passes/lower/MachineUsage.h"
#include <map>

namespace llvm {
class MachineFunctionPass;
class TargetMachine;
} // namespace llvm

namespace vx {

/// Returns the stock target machine for OPTIONS, or an error text.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const CodegenOptions &options);

/// The findings of the machine-level check in a module.
struct BranchCheckResult {
  std::vector<std::string> problems; ///< one line each, with function and source line
  /// Functions that code generation called into being, each with the place of its first call.
  std::map<std::string, std::string> libcalls;
};

/// Checks every function after the last machine pass: each conditional branch has exactly one
/// marker in its block, no marker is duplicated, there are no indirect branches.
llvm::MachineFunctionPass *createBranchCheckPass(BranchCheckResult &result);

/// Creates the pass that lets entries end their warps and save no registers; it runs before
/// register allocation.
llvm::MachineFunctionPass *createEndEntriesPass();

/// Makes the prologue of entries all that comes before the first statement of a thread, in code for
/// a debugger; runs after all passes that place code.
llvm::MachineFunctionPass *createMarkProloguesPass();

/// Makes the scheduler of ScheduleInstructions.cpp known to LLVM as -misched=vortex. Once per
/// process.
void registerMachineScheduler();

/// Makes constants and operands of inline assembly once, in functions of LEASTINSTRUCTIONS and
/// more; runs on SSA form.
llvm::MachineFunctionPass *createShareOperandsPass(unsigned leastInstructions);

/// Lets branches to a block that only jumps go where it jumps; runs after block placement.
llvm::MachineFunctionPass *createForwardJumpsPass();

/// Moves spilled values of entries to the spill area; runs after register allocation. The name is
/// that of the start-up code's function that sets gp; it returns through t0 and changes t0 to t2.
llvm::MachineFunctionPass *createSpillSlotsPass();
inline constexpr const char *kSpillAreaFunction = "__vx_spill_area";

/// Returns the names of the functions that MODULE defines.
llvm::StringSet<> definedFunctions(const llvm::Module &module);

/// Generates code and says what each function takes. MODULE must be annotated. Anything the check
/// finds is an error, and so is a call of a run-time library function that is not DEFINED: there is
/// none on the device.
llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &tm, bool object,
                         llvm::SmallVectorImpl<char> &output, UsageMap &usage,
                         const llvm::StringSet<> &defined);

/// Generates the code of an image, as one object or, for a large module, several, on as many
/// threads as OPTIONS allow. What is internal in MODULE may be hidden then.
llvm::Error generateObjects(llvm::Module &module, llvm::TargetMachine &tm,
                            const CodegenOptions &options,
                            std::vector<llvm::SmallVector<char, 0>> &objects, UsageMap &usage);

/// These are for kernels as code of the host CPU (Lowering::Host): the target machine, LLVM's
/// optimizations for it, and code generation.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createHostTargetMachine(const CodegenOptions &options);
void optimizeForHost(llvm::Module &module, llvm::TargetMachine &tm, unsigned optLevel);
llvm::Error generateHostCode(llvm::Module &module, llvm::TargetMachine &tm, bool object,
                             llvm::SmallVectorImpl<char> &output);

/// Links objects into an image: with the start-up code into a Vortex ELF, or by themselves for the
/// host.
llvm::Error linkImage(llvm::ArrayRef<llvm::SmallVector<char, 0>> objects,
                      const CodegenOptions &options, llvm::SmallVectorImpl<char> &output);

} // namespace vx

#endif // VX_PASSES_LOWER_CODEGEN_H
