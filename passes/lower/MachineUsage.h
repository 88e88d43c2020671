// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers and stack that the generated code of each function takes. Kernels report it to
// cudaFuncGetAttributes through the kernel table.

#ifndef VX_PASSES_LOWER_MACHINEUSAGE_H
#define VX_PASSES_LOWER_MACHINEUSAGE_H

#include "intrinsics/abi/KernelTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace llvm {
class MachineFunctionPass;
class Module;
} // namespace llvm

namespace vx {

struct FunctionUsage {
  abi::EntryCost cost{};     ///< of an entry
  unsigned registers = 0;    ///< integer and floating-point registers written
  uint64_t frameBytes = 0;   ///< of its own stack frame
  bool callsUnknown = false; ///< through a pointer
  bool isOpen = false;       ///< its frame has variable-length arrays
  llvm::StringSet<> callees;
};
using UsageMap = llvm::StringMap<FunctionUsage>;

/// Collects the usage of every function after the last machine pass.
llvm::MachineFunctionPass *createMachineUsagePass(UsageMap &usage);

/// Writes numRegs, localBytes and kKernelOpenStack into the kernel table of the linked image ELF,
/// whose kernels are those of MODULE in order.
llvm::Error recordUsage(const llvm::Module &module, const UsageMap &usage,
                        llvm::MutableArrayRef<char> elf);

} // namespace vx

#endif // VX_PASSES_LOWER_MACHINEUSAGE_H
