// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names by which passes leave facts in the IR for each other: attributes, metadata and module
// flags. Besides, a module has a flag for each device option (DeviceOptions.def), and a kernel an
// attribute for each flag of its record (attributeOf, KernelInfo.h).

#ifndef VX_LIB_VORTEXIR_IRNAMES_H
#define VX_LIB_VORTEXIR_IRNAMES_H

#include "llvm/ADT/StringRef.h"

namespace vx {

using IRName = llvm::StringLiteral;

// Attributes of kernels.
/// Marks a kernel (passes/import).
inline constexpr IRName kKernelAttr = "vx-kernel";
/// The numbers of __launch_bounds__.
inline constexpr IRName kMaxThreadsAttr = "vx-max-threads";
inline constexpr IRName kMinBlocksAttr = "vx-min-blocks";
/// The number of __cluster_dims__, as KernelRecord::clusterDim.
inline constexpr IRName kClusterDimAttr = "vx-cluster-dim";
/// The lowering that is asked for, "hw", "sw" or "auto" (passes/regions/ChooseLowerings.h), and who
/// asks for it, in words.
inline constexpr IRName kLowerAttr = "vx-lower";
inline constexpr IRName kLowerByAttr = "vx-lower-by";
/// A function without recursion that the kernel holds was recursive and has warp functions
/// (vx-inline-boundaries).
inline constexpr IRName kRecursiveExchangeAttr = "vx-recursive-exchange";
/// Threads that must execute as one group (vx-place-tiles).
inline constexpr IRName kGroupThreadsAttr = "vx-group-threads";
/// The number of barriers that the state of a block has (vx-lower-named-barriers).
inline constexpr IRName kNamedBarriersAttr = "vx-named-barriers";
/// Lanes that wait for each other proceed in rounds: every lane may be a thread (vx-form-rounds).
inline constexpr IRName kRoundsAttr = "vx-rounds";
/// Attribute of a parameter: it differs between lanes although the function is a kernel.
inline constexpr IRName kDivergentAttr = "vx-divergent";

// Attributes of variants of kernels.
/// The kernel that the variant is made of.
inline constexpr IRName kSourceNameAttr = "vx-source-name";
/// Marks the variant for the sw lowering (vx-clone-lowerings).
inline constexpr IRName kSoftwareAttr = "vx-software";
/// Its lanes spin (passes/regions/WaitLoops.h).
inline constexpr IRName kLanesSpinAttr = "vx-lanes-spin";
/// A LogicalWarpPlan (vx-decide-mappings).
inline constexpr IRName kLogicalWarpPlanAttr = "vx-logical-warp-plan";
/// The mapping of a variant that vx-clone-mappings makes.
inline constexpr IRName kMappingAttr = "vx-mapping";

// Attributes of variants and their entries.
/// Marks an entry, which the start-up code calls.
inline constexpr IRName kEntryAttr = "vx-entry";
/// Hardware warps form logical warps: "uniform" or "early-exit", the kind of control flow around
/// warp functions.
inline constexpr IRName kLogicalWarpAttr = "vx-logical-warp";
inline constexpr IRName kUniformWarps = "uniform", kEarlyExitWarps = "early-exit";
/// A lane runs kCoarsenedParts threads.
inline constexpr IRName kCoarsenedAttr = "vx-coarsened";

/// Attribute of calls of warp functions: threads may come there in different rounds of a cycle
/// (vx-merge-meetings), and those that are first wait for the others that the mask names.
inline constexpr IRName kAwaitsMembersAttr = "vx-awaits-members";

// Metadata of instructions.
/// The value is the base of the block's shared memory.
inline constexpr IRName kSharedBaseMetadata = "vx.shared.base";
/// A volatile access that is not volatile in the source (SourceAccesses.h).
inline constexpr IRName kPlainMetadata = "vx.plain";
/// Kinds of waits (passes/regions/ThreadWaits.h).
inline constexpr IRName kInLoopMetadata = "vx.in.loop";
inline constexpr IRName kAmongLanesMetadata = "vx.among.lanes";
inline constexpr IRName kForLockMetadata = "vx.for.lock";

// Metadata of instructions.
/// On an alloca: it has elements for all threads of a warp.
inline constexpr IRName kLaneArrays = "vx.lane.arrays";

// Operands of !llvm.loop.
/// What the loop counts (LoopUnits.h).
inline constexpr IRName kLoopUnit = "vx.loop.unit";
/// The loop does four iterations in one; the original, after it, does the rest (vx-unroll-loops).
inline constexpr IRName kUnrolledLoop = "vx.loop.unrolled";

// Named metadata of modules.
/// The records of kernels (KernelInfo.h).
inline constexpr IRName kKernelsMetadata = "vx.kernels";
/// The decisions about mappings (MappingDecisions.h).
inline constexpr IRName kMappingsMetadata = "vx.mappings";

// Module flags (TargetFeatures.h).
inline constexpr IRName kZicondFlag = "vx.zicond";
inline constexpr IRName kXlenFlag = "vx.xlen";
inline constexpr IRName kIsaFlag = "vx.isa";
inline constexpr IRName kPathsFlag = "vx.paths";
inline constexpr IRName kHostFlag = "vx.host";
inline constexpr IRName kCanonicalNanFlag = "vx.canonical-nan";
/// A debugger is to find variables in memory (vx-keep-variables).
inline constexpr IRName kKeptFlag = "vx.kept";
/// The lowering of the command line: an abi::Lowering, and one more than its number.
inline constexpr IRName kLoweringFlag = "vx.lowering";

} // namespace vx

#endif // VX_LIB_VORTEXIR_IRNAMES_H
