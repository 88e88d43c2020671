// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/Stages.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/SharedPointers.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/ExpandVariadics.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace vx {
namespace {

void addFunctionPasses(ModulePassManager &mpm, FunctionPassManager fpm) {
  mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
}

/// A part of a pipeline: runs a function pass on modules that have volatile accesses.
class IfVolatileAccesses : public PassInfoMixin<IfVolatileAccesses> {
public:
  template <class Pass>
  explicit IfVolatileAccesses(Pass pass)
      : adaptor(createModuleToFunctionPassAdaptor(std::move(pass))) {}
  PreservedAnalyses run(Module &m, ModuleAnalysisManager &mam) {
    return hasVolatileAccesses(m) ? adaptor.run(m, mam) : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  ModuleToFunctionPassAdaptor adaptor;
};

/// A part of a pipeline: some passes for modules that are to be watched by the checkers, others for
/// those that are not.
class IfForCheckers : public PassInfoMixin<IfForCheckers> {
public:
  IfForCheckers(ModulePassManager checked, ModulePassManager others)
      : checked(std::move(checked)), others(std::move(others)) {}
  PreservedAnalyses run(Module &m, ModuleAnalysisManager &mam) {
    return (deviceOption::forCheckers(m) ? checked : others).run(m, mam);
  }
  static bool isRequired() { return true; }

private:
  ModulePassManager checked, others;
};

/// A part of a pipeline: passes for machines with a mask stack.
class UnlessPaths : public PassInfoMixin<UnlessPaths> {
public:
  explicit UnlessPaths(FunctionPassManager passes) : passes(std::move(passes)) {}
  PreservedAnalyses run(Function &f, FunctionAnalysisManager &fam) {
    return hasPaths(*f.getParent()) ? PreservedAnalyses::all() : passes.run(f, fam);
  }
  static bool isRequired() { return true; }

private:
  FunctionPassManager passes;
};

/// Gives what C++ leaves open the results that GPUs have. Before other passes make use of its being
/// open, and of the instructions of the source only.
void addOpenResults(ModulePassManager &mpm) {
  FunctionPassManager fpm;
  fpm.addPass(ClampShiftsPass());
  fpm.addPass(DefineConversionsPass());
  addFunctionPasses(mpm, std::move(fpm));
}

OptimizationLevel levelOf(const StageOptions &options) {
  return options.optLevel == 1   ? OptimizationLevel::O1
         : options.optLevel == 2 ? OptimizationLevel::O2
                                 : OptimizationLevel::O3;
}

/// Builds the pipeline for the checkers, in place of LLVM's own: it has nothing that makes one
/// access of two, which would be of no line. Functions are inlined first, so that accesses to
/// locals through references are seen to be such, and locals become values.
ModulePassManager buildCheckedOptimize(const StageOptions &options) {
  FunctionPassManager inlined;
  // A pointer to a local may lie in another local.
  for (unsigned rounds = 0; rounds < 3; ++rounds) {
    inlined.addPass(SROAPass(SROAOptions::PreserveCFG));
    inlined.addPass(ReleaseLocalsPass());
  }
  inlined.addPass(SROAPass(SROAOptions::ModifyCFG));
  inlined.addPass(SeparateLoadsPass());
  inlined.addPass(EarlyCSEPass());
  inlined.addPass(InstCombinePass());
  inlined.addPass(SimplifyCFGPass());
  ModuleInlinerWrapperPass inliner(getInlineParams(options.optLevel, 0));
  inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(std::move(inlined)));
  FunctionPassManager fpm;
  fpm.addPass(ReassociatePass());
  fpm.addPass(EarlyCSEPass());
  fpm.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
  fpm.addPass(GVNPass());
  fpm.addPass(InstCombinePass());
  fpm.addPass(SimplifyCFGPass());
  ModulePassManager all;
  all.addPass(RequireAnalysisPass<ProfileSummaryAnalysis, Module>());
  all.addPass(std::move(inliner));
  addFunctionPasses(all, std::move(fpm));
  return all;
}

void addOptimize(ModulePassManager &mpm, PassBuilder &pb, const StageOptions &options) {
  if (options.optLevel > 0) {
    ModulePassManager simplify;
    simplify.addPass(SimplifyInlinedPass());
    mpm.addPass(IfForCheckers(ModulePassManager(), std::move(simplify)));
  }
  mpm.addPass(AlwaysInlinerPass());
  // After the header functions are inlined (atomicCAS is one), before anything moves code.
  FunctionPassManager guards;
  guards.addPass(GuardSpinLoopsPass());
  guards.addPass(GuardWaitingIterationsPass());
  mpm.addPass(createModuleToFunctionPassAdaptor(std::move(guards)));
  if (options.optLevel == 0 && !options.host)
    mpm.addPass(KeepVariablesPass());
  // Locals whose values are addresses become values first.
  mpm.addPass(IfVolatileAccesses(SROAPass(SROAOptions::PreserveCFG)));
  mpm.addPass(InlineVolatileAccessesPass());
  mpm.addPass(IfVolatileAccesses(SROAPass(SROAOptions::PreserveCFG)));
  mpm.addPass(InsertImplicitSyncwarpPass()); // what it inserts is a boundary
  mpm.addPass(RemoveTailRecursionPass());
  mpm.addPass(InlineBoundariesPass());
  if (options.optLevel == 0) {
    FunctionPassManager fpm;
    fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
    fpm.addPass(SimplifyCFGPass());
    addFunctionPasses(mpm, std::move(fpm));
  } else {
    mpm.addPass(IfForCheckers(buildCheckedOptimize(options),
                              pb.buildPerModuleDefaultPipeline(levelOf(options))));
  }
  mpm.addPass(createModuleToFunctionPassAdaptor(ExpandHalvesPass()));
  mpm.addPass(createModuleToFunctionPassAdaptor(LocateHeadersPass()));
  // The CPU of the host runs ahead of its loads, and has an unroller that knows it.
  if (options.optLevel > 1 && !options.host) {
    FunctionPassManager fpm;
    fpm.addPass(UnrollLoopsPass());
    fpm.addPass(InstCombinePass());
    fpm.addPass(SimplifyCFGPass());
    fpm.addPass(EarlyCSEPass());
    addFunctionPasses(mpm, std::move(fpm));
  }
  mpm.addPass(GlobalDCEPass());
}

void addPrepare(ModulePassManager &mpm) {
  mpm.addPass(createModuleToFunctionPassAdaptor(CopyByValPass())); // for analyses of uniformity
  mpm.addPass(InlineWaitsPass());
  mpm.addPass(ExpandWarpCallsPass());
  mpm.addPass(MergeMeetingsPass());
  FunctionPassManager fpm;
  fpm.addPass(LowerSwitchPass());
  fpm.addPass(UnifyExitsPass());
  fpm.addPass(LowerNamedBarriersPass());
  fpm.addPass(LowerBarrierReductionsPass());
  fpm.addPass(PromotePass());
  fpm.addPass(FillUndefinedPhisPass());
  fpm.addPass(MergeBoundariesPass());
  fpm.addPass(YieldInWaitsPass());
  fpm.addPass(LowerNamedBarriersPass()); // groups of kernels that have waits only now
  addFunctionPasses(mpm, std::move(fpm));
  mpm.addPass(PrepareKernelsPass());
}

void addDecide(ModulePassManager &mpm) {
  mpm.addPass(DecideLoweringsPass());
  mpm.addPass(CloneLoweringsPass());
  mpm.addPass(InlineWarpFunctionsPass());
  FunctionPassManager fpm;
  fpm.addPass(FindLaneWaitsPass());
  fpm.addPass(SyncWarpsAtFencesPass());
  fpm.addPass(MergeBoundariesPass()); // inlining has brought new ones together
  addFunctionPasses(mpm, std::move(fpm));
  mpm.addPass(DecideMappingsPass());
}

void addSerialize(ModulePassManager &mpm, const StageOptions &options) {
  mpm.addPass(CloneMappingsPass());
  mpm.addPass(SerializeKernelsPass());
  // Functions that only software variants called may have what the hardware has no instruction for.
  mpm.addPass(GlobalDCEPass());
  mpm.addPass(FormRoundsPass());
  FunctionPassManager fpm;
  fpm.addPass(ExpandWarpFunctionsPass());
  if (options.optLevel > 1)
    fpm.addPass(UnrollWarpLoopsPass());
  fpm.addPass(AssumeFlatBlocksPass());
  fpm.addPass(WaitAtEndPass());
  addFunctionPasses(mpm, std::move(fpm));
}

void addMap(ModulePassManager &mpm) {
  mpm.addPass(PlaceTilesPass());
  mpm.addPass(MapKernelsPass());
}

void addLowerShared(ModulePassManager &mpm) {
  mpm.addPass(LowerSharedPass());
  mpm.addPass(LowerByValPass());
  mpm.addPass(createModuleToFunctionPassAdaptor(LowerFunctionsPass()));
  mpm.addPass(GlobalDCEPass());
}

/// A part of a pipeline: GVN, which in large functions merges no loads. It looks for what they
/// depend on through a hundred blocks before each of them, so for the loops over threads of large
/// kernels it took a third of all stages, and found no load that EarlyCSE had left. It runs in the
/// functions of mapping coarsened, or in all others.
class MergeValues : public PassInfoMixin<MergeValues> {
public:
  explicit MergeValues(bool inCoarsened) : inCoarsened(inCoarsened) {}

  PreservedAnalyses run(Function &f, FunctionAnalysisManager &fam) {
    constexpr unsigned large = 2000;
    if (f.hasFnAttribute(kCoarsenedAttr) != inCoarsened)
      return PreservedAnalyses::all();
    return (f.getInstructionCount() < large ? all : withoutLoads).run(f, fam);
  }

private:
  bool inCoarsened;
  GVNPass all, withoutLoads{GVNOptions().setMemDep(false).setLoadPRE(false)};
};

void addCleanUp(ModulePassManager &mpm, const StageOptions &options) {
  FunctionPassManager fpm;
  fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
  fpm.addPass(EarlyCSEPass(true));
  fpm.addPass(SimplifyCFGPass());
  if (options.optLevel > 0) {
    // The threads of a lane compute many equal values, which leave a loop as one if they have been
    // merged. Elsewhere values that are merged first live longer: through loops over threads, say.
    fpm.addPass(MergeValues(true));
    // Before InstCombine, which makes several values that do not change in a loop of one.
    fpm.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
    fpm.addPass(InstCombinePass());
    fpm.addPass(MergeValues(false));
    fpm.addPass(SimplifyCFGPass());
    fpm.addPass(InstCombinePass());
  }
  fpm.addPass(DCEPass());
  addFunctionPasses(mpm, std::move(fpm));
}

void addGuard(ModulePassManager &mpm) {
  FunctionPassManager masks;
  masks.addPass(MakeReduciblePass());
  masks.addPass(LoopSimplifyPass());
  masks.addPass(StructurizePass());
  masks.addPass(AnnotateDivergencePass());
  FunctionPassManager calls;
  calls.addPass(LowerIndirectCallsPass());
  FunctionPassManager fpm;
  // Everything that makes control flow comes before the structurizer.
  fpm.addPass(UnlessPaths(std::move(calls)));
  fpm.addPass(LowerFunctionsPass());
  fpm.addPass(ScalarizeMaskedMemIntrinPass());
  fpm.addPass(ScalarizerPass());
  fpm.addPass(ExpandMemoryPass());
  fpm.addPass(ExpandAtomicsPass());
  fpm.addPass(LowerSwitchPass());
  fpm.addPass(UnifyExitsPass());
  fpm.addPass(UnlessPaths(std::move(masks)));
  fpm.addPass(LowerLogicalWarpsPass());
  fpm.addPass(LowerWarpPass());
  fpm.addPass(ExpandBranchyOpsPass());
  fpm.addPass(StripHintsPass());
  fpm.addPass(DCEPass());
  fpm.addPass(FreezeLoopBasesPass());
  addFunctionPasses(mpm, std::move(fpm));
  mpm.addPass(SeparateVariablesPass());
  mpm.addPass(EmitKernelTablePass());
}

void addHost(ModulePassManager &mpm) {
  FunctionPassManager fpm;
  fpm.addPass(LowerFunctionsPass());
  fpm.addPass(ExpandMemoryPass());
  fpm.addPass(StripHintsPass());
  fpm.addPass(DCEPass());
  fpm.addPass(FreezeLoopBasesPass());
  addFunctionPasses(mpm, std::move(fpm));
  mpm.addPass(LowerHostPass());
  mpm.addPass(EmitKernelTablePass());
}

void addExport(ModulePassManager &mpm) {
  mpm.addPass(AlwaysInlinerPass());
  FunctionPassManager fpm;
  fpm.addPass(ExpandHalvesPass());
  fpm.addPass(ExpandWarpFunctionsPass());
  addFunctionPasses(mpm, std::move(fpm));
  mpm.addPass(GlobalDCEPass());
}

} // namespace

ModulePassManager buildStage(Stage stage, PassBuilder &pb, const StageOptions &options) {
  ModulePassManager mpm;
  switch (stage) {
  case Stage::Import:
    // Variable arguments as NVPTX has them, for which the front end has made va_arg: a pointer.
    mpm.addPass(ExpandVariadicsPass(ExpandVariadicsMode::Lowering));
    mpm.addPass(ImportKernelsPass());
    mpm.addPass(GlobalDCEPass()); // before anything complains about it
    mpm.addPass(AlignVariablesPass());
    addOpenResults(mpm);
    mpm.addPass(ImportNVVMPass());
    mpm.addPass(KeepAccessesPass());
    mpm.addPass(MarkLocalsPass());
    mpm.addPass(InsertSyncHintsPass());
    break;
  case Stage::Handles:
    mpm.addPass(KernelHandlesPass());
    break;
  case Stage::Optimize:
    addOptimize(mpm, pb, options);
    break;
  case Stage::Prepare:
    addPrepare(mpm);
    break;
  case Stage::Decide:
    addDecide(mpm);
    break;
  case Stage::Serialize:
    addSerialize(mpm, options);
    break;
  case Stage::Map:
    addMap(mpm);
    break;
  case Stage::LowerShared:
    addLowerShared(mpm);
    break;
  case Stage::LowerWide:
    mpm.addPass(LowerWidePass());
    break;
  case Stage::Narrow:
    mpm.addPass(Narrow32Pass());
    break;
  case Stage::CleanUp:
    addCleanUp(mpm, options);
    break;
  case Stage::Guard:
    addGuard(mpm);
    break;
  case Stage::Host:
    addHost(mpm);
    break;
  case Stage::Export:
    addExport(mpm);
    break;
  }
  return mpm;
}

void registerStages(PassBuilder &pb) {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  pb.registerPipelineParsingCallback([&pb](StringRef name, ModulePassManager &mpm, Elements) {
    StageOptions options;
    StringRef stage = name;
    if (stage.consume_back(">")) { // <O0> to <O3>
      if (stage.empty() || stage.back() < '0' || stage.back() > '3')
        return false;
      options.optLevel = stage.back() - '0';
      if (!(stage = stage.drop_back()).consume_back("<O"))
        return false;
    }
#define STAGE(ENUM, NAME, AFTER)                                                                   \
  if (stage == NAME) {                                                                             \
    options.host = Stage::ENUM == Stage::Host;                                                     \
    mpm.addPass(buildStage(Stage::ENUM, pb, options));                                             \
    return true;                                                                                   \
  }
#include "passes/Stages.def"
    return false;
  });
}

StringRef nameOf(Stage stage) {
  switch (stage) {
#define STAGE(ENUM, NAME, AFTER)                                                                   \
  case Stage::ENUM:                                                                                \
    return NAME;
#include "passes/Stages.def"
  }
  llvm_unreachable("not a stage");
}

void printStages(raw_ostream &os) {
#define STAGE(ENUM, NAME, AFTER) os << format("%-30s ", NAME) << AFTER << "\n";
#include "passes/Stages.def"
}

} // namespace vx
