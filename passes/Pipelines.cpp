// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/Pipelines.h"
#include "lib/VortexIR/VxFunctions.h"
#include "lib/VortexIR/VxTTI.h"
#include "passes/Passes.h"
#include "passes/import/Import.h"
#include "passes/import/Math.h"
#include "passes/lower/CodeGen.h"
#include "passes/regions/ChooseLowerings.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace vx {
namespace {

/// Remembers whether a pass reported an error; the text has gone to the user already.
struct ErrorWatcher : DiagnosticHandler {
  explicit ErrorWatcher(std::unique_ptr<DiagnosticHandler> next) : next(std::move(next)) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    failed |= info.getSeverity() == DS_Error;
    return next && next->handleDiagnostics(info);
  }
  std::unique_ptr<DiagnosticHandler> next;
  bool failed = false;
};

class DeviceCompiler {
public:
  DeviceCompiler(Module &module, const CodegenOptions &options)
      : m(module), options(options), si(m.getContext(), false),
        pb(nullptr, tuning(options), std::nullopt, &pic) {
    si.registerCallbacks(pic, &mam);
    registerDivergenceTTI(fam);
    pb.registerModuleAnalyses(mam);
    pb.registerCGSCCAnalyses(cgam);
    pb.registerFunctionAnalyses(fam);
    pb.registerLoopAnalyses(lam);
    pb.crossRegisterProxies(lam, fam, cgam, mam);
  }

  Error run() {
    auto previous = m.getContext().getDiagnosticHandler();
    auto owned = std::make_unique<ErrorWatcher>(std::move(previous));
    ErrorWatcher *watcher = owned.get();
    m.getContext().setDiagnosticHandler(std::move(owned), true);
    Error e = runStages(*watcher);
    m.getContext().setDiagnosticHandler(std::move(watcher->next), true);
    return e;
  }

private:
  static PipelineTuningOptions tuning(const CodegenOptions &) {
    PipelineTuningOptions pto;
    // There are no vector registers; lanes are the vector.
    pto.LoopVectorization = false;
    pto.SLPVectorization = false;
    return pto;
  }

  Error runStages(const ErrorWatcher &watcher) {
    using Stage = Error (DeviceCompiler::*)();
    for (Stage stage :
         {&DeviceCompiler::import, &DeviceCompiler::optimize, &DeviceCompiler::map,
          &DeviceCompiler::fitRegisters, &DeviceCompiler::cleanUp,
          options.host ? &DeviceCompiler::leaveDevice : &DeviceCompiler::guardDivergence}) {
      if (Error e = (this->*stage)())
        return e;
      if (watcher.failed)
        return createStringError("device compilation failed");
    }
    return Error::success();
  }

  void runModule(ModulePassManager mpm) { mpm.run(m, mam); }

  /// After this: common IR only; kernels are marked; math and device services are linked in and
  /// everything but kernels and visible device variables is internal.
  Error import() {
    // What the hardware offers, for the passes (lower/TargetFeatures.h).
    auto setFlag = [&](StringRef key, unsigned value) {
      m.setModuleFlag(
          Module::Max, key,
          ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(m.getContext()), value)));
    };
    setFlag("vx.zicond", options.zicond);
    setFlag("vx.xlen", options.xlen);
    setFlag("vx.remarks", options.lowerRemarks);
    setFlag("vx.host", options.host);
    setFlag("vx.isa", static_cast<unsigned>(options.profile));
    setFlag("vx.tiles", options.exactTiles);
    ModulePassManager mpm;
    mpm.addPass(ImportNVVMPass());
    runModule(std::move(mpm));
    auto declares = [&](StringRef prefix) {
      return any_of(m, [&](const Function &f) { return f.getName().starts_with(prefix); });
    };
    if (declares("__vx_tex_")) // calls device math
      if (Error e = linkDeviceCode("vxtexture.bc"))
        return e;
    if (declares("__vx_surf_"))
      if (Error e = linkDeviceCode("vxsurface.bc"))
        return e;
    if (Error e = linkDeviceMath(m, options.resourceDir))
      return e;
    if (declares("__vx_launch_"))
      if (Error e = linkDeviceCode("vxlaunch.bc"))
        return e;
    if (declares("__vx_cluster_"))
      if (Error e = linkDeviceCode("vxcluster.bc"))
        return e;
    if (Error e = linkDeviceCode("vxdevice.bc"))
      return e;
    ModulePassManager handles;
    handles.addPass(KernelHandlesPass());
    runModule(std::move(handles));
    return Error::success();
  }

  /// Links what the module calls from bitcode of the resource folder.
  Error linkDeviceCode(StringRef file) {
    bool needed = any_of(m, [](const Function &f) {
      return f.isDeclaration() && !f.use_empty() && !f.isIntrinsic();
    });
    if (!needed)
      return Error::success();
    SMDiagnostic diagnostic;
    std::string path = options.resourceDir + "/" + file.str();
    auto services = parseIRFile(path, diagnostic, m.getContext());
    if (!services)
      return createStringError("cannot read " + path + ": " + diagnostic.getMessage());
    services->setDataLayout(m.getDataLayout());
    services->setTargetTriple(m.getTargetTriple());
    for (Function &f : *services) {
      f.removeFnAttr("target-features");
      f.removeFnAttr("target-cpu");
      f.removeFnAttr("tune-cpu");
      // Calls in the program do not extend their operands.
      for (Argument &a : f.args()) {
        a.removeAttr(Attribute::SExt);
        a.removeAttr(Attribute::ZExt);
      }
    }
    if (NamedMDNode *flags = services->getModuleFlagsMetadata())
      flags->eraseFromParent();
    SmallVector<std::string, 8> linked;
    if (Linker::linkModules(m, std::move(services), Linker::LinkOnlyNeeded,
                            [&](Module &, const StringSet<> &names) {
                              for (const auto &name : names)
                                linked.push_back(name.first().str());
                            }))
      return createStringError("cannot link " + path);
    for (const std::string &name : linked)
      if (GlobalValue *g = m.getNamedValue(name); g && !g->isDeclaration())
        g->setLinkage(GlobalValue::InternalLinkage);
    return Error::success();
  }

  /// After this: optimized common IR; every boundary is in a kernel.
  Error optimize() {
    for (Function &f : m)
      f.addFnAttr("no-jump-tables", "true");
    ModulePassManager mpm;
    mpm.addPass(AlwaysInlinerPass());
    // After the header functions are inlined (atomicCAS is one), before anything moves code.
    mpm.addPass(createModuleToFunctionPassAdaptor(GuardSpinLoopsPass()));
    mpm.addPass(KeepWarpsInStepPass()); // what it inserts is a boundary
    mpm.addPass(InlineBoundariesPass());
    if (options.optLevel == 0) {
      FunctionPassManager fpm;
      fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
      fpm.addPass(SimplifyCFGPass());
      mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
    } else {
      auto level = options.optLevel == 1   ? OptimizationLevel::O1
                   : options.optLevel == 2 ? OptimizationLevel::O2
                                           : OptimizationLevel::O3;
      mpm.addPass(pb.buildPerModuleDefaultPipeline(level));
    }
    // The CPU of the host runs ahead of its loads, and has an unroller that knows it.
    if (options.optLevel > 1 && !options.host) {
      FunctionPassManager fpm;
      fpm.addPass(UnrollLoopsPass());
      fpm.addPass(InstCombinePass());
      fpm.addPass(SimplifyCFGPass());
      fpm.addPass(EarlyCSEPass());
      mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
    }
    mpm.addPass(GlobalDCEPass());
    runModule(std::move(mpm));
    return Error::success();
  }

  /// After this: no kernels, only entries that walk over blocks; shared variables are offsets; no
  /// __vx_* function is left but those of the device library.
  Error map() {
    chooseLowerings(m, options);
    ModulePassManager mpm;
    FunctionPassManager exits;
    exits.addPass(LowerSwitchPass());
    exits.addPass(UnifyExitsPass());
    exits.addPass(LowerBarrierReductionsPass());
    exits.addPass(PromotePass());
    exits.addPass(MergeBoundariesPass());
    mpm.addPass(createModuleToFunctionPassAdaptor(std::move(exits)));
    mpm.addPass(PrepareKernelsPass());
    mpm.addPass(SerializeKernelsPass());
    runModule(std::move(mpm));
    if (Error e = linkDeviceCode("vxwarp.bc"))
      return e;
    mpm = ModulePassManager();
    mpm.addPass(GlobalDCEPass());
    mpm.addPass(createModuleToFunctionPassAdaptor(ExpandWarpFunctionsPass()));
    mpm.addPass(PlaceTilesPass());
    mpm.addPass(MapKernelsPass());
    runModule(std::move(mpm));
    if (m.getFunction("__vx_cluster_block")) // entries call it
      if (Error e = linkDeviceCode("vxcluster.bc"))
        return e;
    mpm = ModulePassManager();
    mpm.addPass(LowerSharedPass());
    mpm.addPass(LowerByValPass());
    mpm.addPass(createModuleToFunctionPassAdaptor(LowerFunctionsPass()));
    mpm.addPass(GlobalDCEPass());
    runModule(std::move(mpm));
    return Error::success();
  }

  /// After this: with 32-bit registers, pointers have 32 bits and no type's layout depends on that,
  /// and no operation on wider integers is left that code generation needs a library for. It comes
  /// after everything that asks for the layout of a type, and before the simplifications that make
  /// the address arithmetic narrow.
  Error fitRegisters() {
    if (options.xlen == 64)
      return Error::success();
    ModulePassManager wide;
    wide.addPass(LowerWidePass());
    runModule(std::move(wide));
    if (Error e = linkDeviceCode("vxwide.bc"))
      return e;
    ModulePassManager narrow;
    narrow.addPass(Narrow32Pass());
    runModule(std::move(narrow));
    return Error::success();
  }

  /// After this: the loops and loads that mapping made are simplified.
  Error cleanUp() {
    ModulePassManager mpm;
    FunctionPassManager fpm;
    fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
    fpm.addPass(EarlyCSEPass(true));
    fpm.addPass(SimplifyCFGPass());
    if (options.optLevel > 0) {
      fpm.addPass(InstCombinePass());
      fpm.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), true));
      fpm.addPass(GVNPass());
      fpm.addPass(SimplifyCFGPass());
      fpm.addPass(InstCombinePass());
    }
    fpm.addPass(DCEPass());
    mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
    runModule(std::move(mpm));
    return Error::success();
  }

  /// After this: every conditional branch is marked, and code generation has no reason to make
  /// more.
  Error guardDivergence() {
    ModulePassManager mpm;
    FunctionPassManager fpm;
    // Everything that makes control flow comes before the structurizer.
    fpm.addPass(LowerIndirectCallsPass());
    fpm.addPass(LowerFunctionsPass());
    fpm.addPass(ScalarizerPass());
    fpm.addPass(ExpandMemoryPass());
    fpm.addPass(ExpandAtomicsPass());
    fpm.addPass(LowerSwitchPass());
    fpm.addPass(UnifyExitsPass());
    fpm.addPass(MakeReduciblePass());
    fpm.addPass(LoopSimplifyPass());
    fpm.addPass(StructurizePass());
    fpm.addPass(AnnotateDivergencePass());
    fpm.addPass(LowerWarpPass());
    fpm.addPass(ExpandBranchyOpsPass());
    fpm.addPass(StripHintsPass());
    fpm.addPass(DCEPass());
    mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
    mpm.addPass(EmitKernelTablePass());
    runModule(std::move(mpm));
    return Error::success();
  }

  /// After this: code of the host CPU, before its own optimizations.
  Error leaveDevice() {
    ModulePassManager mpm;
    FunctionPassManager fpm;
    fpm.addPass(LowerFunctionsPass());
    fpm.addPass(ExpandMemoryPass());
    fpm.addPass(StripHintsPass());
    fpm.addPass(DCEPass());
    mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
    mpm.addPass(LowerHostPass());
    mpm.addPass(EmitKernelTablePass());
    runModule(std::move(mpm));
    return Error::success();
  }

  Module &m;
  const CodegenOptions &options;
  PassInstrumentationCallbacks pic;
  StandardInstrumentations si;
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  PassBuilder pb;
};

} // namespace

bool isProvidedByDevice(const Function &f) {
  return import::isProvided(f);
}

Error compileDeviceModule(std::unique_ptr<Module> module, const CodegenOptions &options,
                          EmitKind emit, SmallVectorImpl<char> &output) {
  if (Error e = DeviceCompiler(*module, options).run())
    return e;
  std::string broken;
  raw_string_ostream brokenOs(broken);
  if (verifyModule(*module, &brokenOs))
    return createStringError("internal error: the device compiler made invalid IR:\n" + broken);
  auto tm = options.host ? createHostTargetMachine(options) : createTargetMachine(options);
  if (!tm)
    return tm.takeError();
  if (emit != EmitKind::Ir || options.host) {
    module->setTargetTriple((*tm)->getTargetTriple());
    module->setDataLayout((*tm)->createDataLayout());
  }
  if (options.host)
    optimizeForHost(*module, **tm, options.optLevel);
  if (emit == EmitKind::Ir) {
    raw_svector_ostream os(output);
    module->print(os, nullptr);
    return Error::success();
  }
  SmallVector<char, 0> object;
  UsageMap usage;
  bool asObject = emit != EmitKind::Asm;
  if (Error e = options.host ? generateHostCode(*module, **tm, asObject, object)
                             : generateCode(*module, **tm, asObject, object, usage))
    return e;
  if (emit == EmitKind::Asm || emit == EmitKind::Obj) {
    output.assign(object.begin(), object.end());
    return Error::success();
  }
  SmallVector<char, 0> elf;
  if (Error e = linkImage(object, options, elf))
    return e;
  if (!options.host)
    if (Error e = recordUsage(*module, usage, elf))
      return e;
  if (emit == EmitKind::VxBin)
    return makeVxBin(elf, output);
  output.assign(elf.begin(), elf.end());
  return Error::success();
}

} // namespace vx
