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
//                in the exchanges of the others
//   divergent    anything else: no such mapping
//
// Where a kernel exchanges values within groups smaller than a warp, it is enough that control flow
// is uniform in each group, if no hardware warp and no logical warp has more threads than a group.
//
// This is the analysis, for vx-decide-mappings; vx-clone-mappings, vx-assume-flat-blocks and
// vx-wait-at-end follow its plan. The code may assume blocks of one dimension if that helps:
// threadIdx.x / 32 is then the number of the warp.

#ifndef VX_PASSES_REGIONS_LOGICALWARPS_H
#define VX_PASSES_REGIONS_LOGICALWARPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
class PostDominatorTree;
} // namespace llvm

namespace vx {

/// The kind of control flow around warp functions; the better the less.
enum class WarpFlow { Uniform, EarlyExit, Divergent };

/// Returns true if threads of a warp that diverge before a boundary of F do so because some of them
/// end. UI tells what is one value for a warp.
bool onlyEndsDiffer(llvm::Function &f, llvm::UniformityInfo &ui,
                    const llvm::PostDominatorTree &pdt);

/// The layout of a kernel on logical warps.
struct LogicalWarpPlan {
  WarpFlow flow = WarpFlow::Divergent; ///< Divergent: it cannot be
  bool flat = false;                   ///< for blocks of one dimension only
  bool exactGroups = false;            ///< logical warps hold the groups that exchange values

  /// Returns the value of the attribute kLogicalWarpPlanAttr.
  std::string toString() const;
  static std::optional<LogicalWarpPlan> parse(llvm::StringRef text);
};

/// Finds the best plan for VARIANT, into which all warp functions are inlined. It stays as it is.
LogicalWarpPlan planLogicalWarps(llvm::Function &variant, llvm::FunctionAnalysisManager &fam);

} // namespace vx

#endif // VX_PASSES_REGIONS_LOGICALWARPS_H
