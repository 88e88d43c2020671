// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warp mapping of the sw lowering. A kernel is mapped to lanes as the hw lowering does, one
// thread on each, and the hardware warps that hold a CUDA warp (or the segments of it that exchange
// values) are a *team*: at a warp function they leave values in local memory, meet at a hardware
// barrier, and read (passes/warp/TeamExchange.h). All of them must come by, which makes three kinds
// of kernels:
//
//   together   threads of a warp go the same way around each warp function
//   ends       the same, but threads may have ended before; those wait at the end and keep meeting
//   alone      anything else; such kernels have the serial mapping only
//
// Where a kernel exchanges values within groups smaller than a warp, it is enough that the threads
// of a group go together, if no hardware warp and no team has more threads than a group.
//
// The code may assume blocks of one dimension if that helps: threadIdx.x / 32 is then the number of
// the warp.

#ifndef VX_PASSES_REGIONS_TEAMKERNELS_H
#define VX_PASSES_REGIONS_TEAMKERNELS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class PostDominatorTree;
} // namespace llvm

namespace vx {

struct KernelInfo;

/// Kernels and entries of the warp mapping; the value is the kind.
inline constexpr llvm::StringLiteral kTeamAttr = "vx-team";
enum class TeamKind { Together, Ends, Alone };
llvm::StringRef toString(TeamKind kind);

/// True if threads of a warp that part before a boundary of F do so because some of them end. UI
/// tells what is one value for a warp.
bool onlyEndsDiffer(llvm::Function &f, llvm::UniformityInfo &ui,
                    const llvm::PostDominatorTree &pdt);

/// Makes a kernel for the warp mapping from WHOLE, a copy of KERNEL into which all warp functions
/// are inlined, unless the hw variant of KERNEL will do: it uses no warp function. Returns why
/// there is no warp mapping of KERNEL; empty if there is one.
llvm::StringRef makeTeamKernel(llvm::Function &whole, const llvm::Function &kernel,
                               llvm::FunctionAnalysisManager &fam);

/// Fills in what INFO says of teams; the name becomes that of the kernel in the source.
void describeTeams(const llvm::Function &kernel, KernelInfo &info);

} // namespace vx

#endif // VX_PASSES_REGIONS_TEAMKERNELS_H
