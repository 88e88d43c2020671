// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-coarsen-kernels: the variants of kernels for mapping coarsened, whose lanes run several
// threads of a CUDA warp (lib/PRTransform/Coarsening.h), as vx-decide-mappings allows them:
//
//   @k.sw   ->   @k.sw and @k.coarse "vx-coarsened", flag flat
//
// The copies are mapped to lanes as a kernel of the hw lowering is (vx-map-kernels).

#include "passes/regions/CoarsenKernels.h"
#include "lib/PRTransform/Coarsening.h"
#include "lib/VortexIR/ExpandWarpFunctions.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/MappingDecisions.h"
#include "lib/VortexIR/UnrolledLoops.h"
#include "passes/Passes.h"
#include "passes/regions/FlatBlocks.h"
#include "passes/regions/LogicalWarps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace vx {

/// Parts of a lane side by side hide as much latency as iterations do, in fewer registers: leaves
/// loops that were unrolled (vx-unroll-loops) to their originals.
static void skipUnrolledLoops(Function &variant, FunctionAnalysisManager &fam) {
  SmallVector<BasicBlock *, 4> entries;
  for (Loop *loop : fam.getResult<LoopAnalysis>(variant).getLoopsInPreorder())
    if (findOptionMDForLoop(loop, kUnrolledLoop) && loop->getLoopPreheader())
      entries.push_back(loop->getLoopPreheader());
  for (BasicBlock *entry : entries) {
    BasicBlock *before = entry->getUniquePredecessor();
    auto *br = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!br || !br->isConditional())
      continue;
    br->setCondition(ConstantInt::getBool(br->getContext(), br->getSuccessor(0) != entry));
  }
  if (entries.empty())
    return;
  fam.invalidate(variant, PreservedAnalyses::none());
  FunctionPassManager fpm;
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstSimplifyPass());
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(ADCEPass());
  fpm.run(variant, fam);
  fam.invalidate(variant, PreservedAnalyses::none());
}

void prepareForCoarsening(Function &variant, FunctionAnalysisManager &fam) {
  expandWarpFunctions(variant);
  skipUnrolledLoops(variant, fam);
  assumeFlatBlocks(variant);
  useGroupNumbers(variant, kWarpShift);
}

static void coarsenCopy(Function &variant, FunctionAnalysisManager &fam) {
  ValueToValueMapTy map;
  Function &copy = *CloneFunction(&variant, map);
  copy.setName(sourceNameOf(variant) + ".coarse");
  copy.removeFnAttr(kSoftwareAttr);
  copy.removeFnAttr(kLogicalWarpPlanAttr);
  copy.addFnAttr(kCoarsenedAttr);
  setKernelFlag(copy, abi::kKernelFlat);
  prepareForCoarsening(copy, fam);
  coarsen(copy, fam, kCoarsenedWarp);
}

PreservedAnalyses CoarsenKernelsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  MappingDecisions decisions(m);
  SmallVector<Function *, 8> variants;
  for (Function &f : m)
    if (isSoftwareVariant(f) && !f.isDeclaration() &&
        decisions.of(f).allows(abi::Mapping::Coarsened))
      variants.push_back(&f);
  for (Function *f : variants)
    coarsenCopy(*f, fam);
  return variants.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
