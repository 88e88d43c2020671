// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-map-kernels: the hw mapping. Each kernel becomes the entries that the start-up code calls on
// every lane of every warp with the launch descriptor (intrinsics/abi/LaunchDescriptor.h):
//
//   direct    a block occupies as many warps as its threads fill, one thread on each lane
//   chunked   a block larger than the core: the region form of the kernel (lib/PRTransform), in
//             which a lane loops over its threads of the block, from one barrier to the next
//
// Both walk over the blocks of their slot. A kernel in which some threads may miss a barrier, or
// lanes of a warp wait separately (ThreadWaits.h), uses its region form for blocks of any size. So
// does a large kernel without barriers, whose two entries would differ in the loop around its body
// only. The kernel itself disappears; its facts are left in the named metadata !vx.kernels for the
// kernel table.

#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/RegionBuilder.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/mappings/KernelMapping.h"
#include "passes/regions/EntryBuilder.h"
#include "passes/regions/FormRounds.h"
#include "passes/regions/NamedBarriers.h"
#include "passes/regions/ThreadWaits.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Instructions of a kernel without barriers from which on one entry serves blocks of all sizes:
/// its loop is little compared with the body, and code generation takes as long for each of them.
constexpr unsigned kLargeBody = 1000;
/// Instructions of a kernel with barriers, for each of them, from which on one entry serves blocks
/// of all sizes: values are saved and restored there.
constexpr unsigned kLargeRegion = 8000;

void mapKernel(Function &kernel, FunctionAnalysisManager &fam) {
  bool shared = usesShared(kernel);
  KernelInfo info = describeKernel(kernel);
  info.add(mappingOf(kernel));
  const KernelMapping &mapping = kernelMappingOf(mappingOf(kernel));
  // Without vx_tile a group is a hardware warp, or a logical warp of several.
  bool grouped = info.record.groupThreads && mapping.mergesWarps() &&
                 getIsa(*kernel.getParent()) == abi::IsaProfile::Warp;
  info.set(abi::kKernelRegroups, grouped);
  RegionFunction regions = buildRegionFunction(kernel, fam);
  info.record.contextBytes = regions.contextBytes;
  // Hardware warps wait by themselves, as long as their lanes do so together, or in rounds.
  bool waits = isRegularBesideWaits(kernel, fam);
  bool inRounds = waits && !hasPaths(*kernel.getParent()) &&
                  none_of(instructions(kernel), isWarpLevel) && waitsDivergently(kernel, fam);
  bool direct = regions.regular || waits || kernel.hasFnAttribute(kRoundsAttr);
  uint64_t barriers = count_if(instructions(kernel), isBoundary);
  direct &= mapping.keepsDirectEntry() ||
            kernel.getInstructionCount() < (barriers ? barriers * kLargeRegion : kLargeBody);
  info.set(abi::kKernelUsesBarrier, barriers != 0);
  bool tail = usesFn(kernel, VxFn::SharedTail) || !regions.regular;
  bool meets = lanesMeetBetweenThreads(kernel); // in front of the next block, too
  auto builder = [&](StringRef kind) {
    return EntryBuilder(kernel, kind + "." + kernel.getName(), mapping.slotOf(grouped), tail,
                        shared || tail || meets);
  };
  auto buildDirect = [&] {
    if (inRounds)
      formRounds(kernel, fam);
    info.direct = builder("direct").buildDirect();
  };
  // Their order here is that in the image. It decides which cache lines they share, and so a few
  // cycles: these orders are those of all cycle counts that have been published.
  if (direct && barriers)
    buildDirect();
  info.chunked = builder(direct ? "chunked" : "any").buildRegions(*regions.function);
  if (direct && !barriers)
    buildDirect();
  if (!direct)
    info.direct = info.chunked;
  fam.clear(*regions.function, regions.function->getName());
  regions.function->eraseFromParent();
  info.record.tailSharedBytes = tail ? kTailBytes + namedBarrierBytes(kernel) : 0;
  if (kernel.hasFnAttribute(kLogicalWarpAttr))
    for (Function *entry : {info.direct, info.chunked})
      entry->addFnAttr(kernel.getFnAttribute(kLogicalWarpAttr));
  appendKernelInfo(*kernel.getParent(), info);
}

} // namespace

PreservedAnalyses MapKernelsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  SmallVector<Function *, 8> kernels;
  for (Function &f : m)
    if (isKernel(f) && !f.isDeclaration())
      kernels.push_back(&f);
  for (Function *kernel : kernels) {
    mapKernel(*kernel, fam);
    fam.clear(*kernel, kernel->getName());
    // Where its address was taken there is a handle (vx-kernel-handles).
    kernel->replaceAllUsesWith(PoisonValue::get(kernel->getType()));
    kernel->eraseFromParent();
  }
  return kernels.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
