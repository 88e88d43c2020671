// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel table says of a kernel, carried through the pipeline as named metadata so that
// each stage can be run by itself.

#ifndef VX_PASSES_REGIONS_KERNELINFO_H
#define VX_PASSES_REGIONS_KERNELINFO_H

#include "intrinsics/abi/KernelTable.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace vx {

/// Marks the instruction of an entry whose value is the base of the block's shared memory.
inline constexpr const char *kSharedBaseMetadata = "vx.shared.base";

/// Kernel attribute: lanes of a warp may wait for each other, which only the sw variant survives.
inline constexpr llvm::StringLiteral kLanesWaitAttr = "vx-lanes-wait";

/// Kernel attribute: may launch kernels (vx-kernel-handles).
inline constexpr llvm::StringLiteral kLaunchesAttr = "vx-launches";
/// Kernel attribute: uses its cluster (vx-kernel-handles).
inline constexpr llvm::StringLiteral kClustersAttr = "vx-clusters";

struct KernelInfo {
  std::string name; ///< mangled, as the host registers it
  llvm::Function *direct = nullptr;
  llvm::Function *chunked = nullptr;
  llvm::SmallVector<abi::KernelParam, 8> params;
  uint64_t contextBytes = 0, contextFixedBytes = 0;
  uint64_t staticShared = 0;
  uint64_t maxThreads = 0, minBlocks = 0;
  bool usesBarrier = false;
  bool usesTail = false;
  uint64_t groupThreads = 0; ///< as in KernelRecord
  bool exactGroups = false;  ///< a group may not be larger
  bool regroups = false;     ///< the entries can merge hardware warps
  bool serial = false;       ///< the sw lowering: one hardware thread runs a whole block
  bool teams = false;        ///< the sw lowering: hardware warps exchange values in memory
  bool flat = false, loneTeams = false, spreads = false, waits = false; ///< as in KernelFlags
  bool lanesWait = false, launches = false, clusters = false;           ///< the same
  uint64_t clusterDim = 0;                                              ///< as in KernelRecord
};

/// What can be said of KERNEL before it is mapped: name, parameters, launch bounds.
KernelInfo describeKernel(const llvm::Function &kernel);

void appendKernelInfo(llvm::Module &m, const KernelInfo &info);
llvm::SmallVector<KernelInfo, 8> readKernelInfos(const llvm::Module &m);
/// Replaces all entries.
void writeKernelInfos(llvm::Module &m, llvm::ArrayRef<KernelInfo> infos);

} // namespace vx

#endif // VX_PASSES_REGIONS_KERNELINFO_H
