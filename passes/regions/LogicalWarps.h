// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the mapping thread-per-lane of the sw lowering. A kernel is mapped to lanes as the hw
// lowering does it, one thread on each, and the hardware warps that hold a CUDA warp (or the
// segments of it that exchange values) are a *logical warp*: at a warp function they store values
// in local memory, wait at a hardware barrier, and load (passes/warp/LogicalWarpExchange.h). All of
// them must execute it, so it depends on the control flow around warp functions whether a kernel
// has the mapping:
//
//   uniform      the same for all threads of a warp
//   early-exit   the same, but threads may have ended before; those wait at the end, and take part
//   in
//                the exchanges of the others
//   divergent    anything else: no such mapping
//
// Where a kernel exchanges values within groups smaller than a warp, it is enough that control flow
// is uniform in each group, if no hardware warp and no logical warp has more threads than a group.
//
// The code may assume blocks of one dimension if that helps: threadIdx.x / 32 is then the number of
// the warp.

#ifndef VX_PASSES_REGIONS_LOGICALWARPS_H
#define VX_PASSES_REGIONS_LOGICALWARPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class PostDominatorTree;
} // namespace llvm

namespace vx {

/// Attribute of a copy of a kernel: the name of that kernel.
inline constexpr llvm::StringLiteral kSourceNameAttr = "vx-source-name";

/// What control flow around warp functions is like; the better the less.
enum class WarpFlow { Uniform, EarlyExit, Divergent };

/// True if threads of a warp that part before a boundary of F do so because some of them end. UI
/// tells what is one value for a warp.
bool onlyEndsDiffer(llvm::Function &f, llvm::UniformityInfo &ui,
                    const llvm::PostDominatorTree &pdt);

/// Makes a kernel for the mapping thread-per-lane from WHOLE, a copy of KERNEL into which all warp
/// functions are inlined, unless the hw variant of KERNEL will do: it uses no warp function.
/// Returns why there is no such mapping of KERNEL; empty if there is one.
llvm::StringRef makeLogicalWarpKernel(llvm::Function &whole, const llvm::Function &kernel,
                                      llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_LOGICALWARPS_H
