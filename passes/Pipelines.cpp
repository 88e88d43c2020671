// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/Pipelines.h"
#include "lib/VortexIR/Analyses.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/LinkBitcode.h"
#include "lib/VortexIR/VxFunctions.h"
#include "lib/VortexIR/VxTTI.h"
#include "passes/Stages.h"
#include "passes/import/Import.h"
#include "passes/import/Math.h"
#include "passes/lower/CodeGen.h"
#include "passes/regions/ChooseLowerings.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Target/TargetMachine.h"

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
        pb(nullptr, tuning(options), std::nullopt, &pic), analyses(pb, registerDivergenceTTI) {
    si.registerCallbacks(pic, &analyses.module);
  }

  Error run() { return reportingErrors(&DeviceCompiler::runStages); }

  /// Runs only the first stage, for another back end.
  Error runImport() { return reportingErrors(&DeviceCompiler::importOnly); }

private:
  Error reportingErrors(Error (DeviceCompiler::*what)(const ErrorWatcher &)) {
    auto previous = m.getContext().getDiagnosticHandler();
    auto owned = std::make_unique<ErrorWatcher>(std::move(previous));
    ErrorWatcher *watcher = owned.get();
    m.getContext().setDiagnosticHandler(std::move(owned), true);
    Error e = (this->*what)(*watcher);
    m.getContext().setDiagnosticHandler(std::move(watcher->next), true);
    return e;
  }

  /// Leaves common IR that another back end takes over.
  Error importOnly(const ErrorWatcher &watcher) {
    setFlag(kCanonicalNanFlag, false);
    run(Stage::Import);
    if (Error e = linkDeviceMath(m, options.resourceDir))
      return e;
    run(Stage::Export);
    return watcher.failed ? createStringError("device compilation failed") : Error::success();
  }

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

  void run(Stage stage) {
    TimeTraceScope scope("DeviceStage", nameOf(stage));
    buildStage(stage, pb, {options.device.optLevel, options.host}).run(m, analyses.module);
  }

  void setFlag(StringRef key, unsigned value) { setModuleFlag(m, key, value); }

  /// Tells the passes what the hardware offers and the options say.
  void setFlags() {
    setFlag(kZicondFlag, options.zicond);
    setFlag(kXlenFlag, options.xlen);
    setFlag(kHostFlag, options.host);
    setFlag(kCanonicalNanFlag, !options.host);
    setFlag(kIsaFlag, static_cast<unsigned>(std::min(options.profile, abi::IsaProfile::Warp)));
    setFlag(kPathsFlag, options.profile == abi::IsaProfile::Paths && !options.host);
    DeviceOptions device = options.device;
    device.forCheckers &= !options.host;
    if (!options.maySwBeDeferred)
      device.deferSwLimit = kNoLimit;
    device.write(m);
  }

  Error import() {
    setFlags();
    run(Stage::Import);
    auto declares = [&](StringRef prefix) {
      return any_of(m, [&](const Function &f) { return f.getName().starts_with(prefix); });
    };
    if (declares("__vx_tex_")) // calls device math
      if (Error e = linkDeviceCode(options.host ? "vxtexture-host.bc" : "vxtexture.bc"))
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
    if (declares("__vx_mbarrier_"))
      if (Error e = linkDeviceCode("vxmbarrier.bc"))
        return e;
    if (Error e = linkDeviceCode("vxdevice.bc"))
      return e;
    run(Stage::Handles);
    return Error::success();
  }

  /// Links what the module calls from bitcode of the resource folder.
  Error linkDeviceCode(StringRef file) {
    bool needed = any_of(m, [](const Function &f) {
      return f.isDeclaration() && !f.use_empty() && !f.isIntrinsic();
    });
    if (!needed)
      return Error::success();
    auto linked = linkBitcode(m, options.resourceDir + "/" + file.str(), [](Module &services) {
      for (Function &f : services) {
        f.removeFnAttr("target-features");
        f.removeFnAttr("target-cpu");
        f.removeFnAttr("tune-cpu");
        // Calls in the program do not extend their operands.
        for (Argument &a : f.args()) {
          a.removeAttr(Attribute::SExt);
          a.removeAttr(Attribute::ZExt);
        }
      }
      if (NamedMDNode *flags = services.getModuleFlagsMetadata())
        flags->eraseFromParent();
    });
    return linked.takeError();
  }

  Error optimize() {
    for (Function &f : m)
      f.addFnAttr("no-jump-tables", "true");
    run(Stage::Optimize);
    return Error::success();
  }

  Error map() {
    chooseLowerings(m, options);
    run(Stage::Prepare);
    run(Stage::Decide);
    run(Stage::Serialize);
    if (Error e = linkDeviceCode("vxwarp.bc"))
      return e;
    run(Stage::Map);
    if (m.getFunction("__vx_named_reset")) // entries and kernels call these
      if (Error e = linkDeviceCode("vxnamedbarrier.bc"))
        return e;
    if (m.getFunction("__vx_cluster_block")) // entries call it
      if (Error e = linkDeviceCode("vxcluster.bc"))
        return e;
    run(Stage::LowerShared);
    return Error::success();
  }

  /// Makes pointers 32 bits wide if registers are: after everything that asks for the layout of a
  /// type, and before the simplifications that make the address arithmetic narrow.
  Error fitRegisters() {
    if (options.xlen == 64)
      return Error::success();
    run(Stage::LowerWide);
    if (Error e = linkDeviceCode("vxwide.bc"))
      return e;
    run(Stage::Narrow);
    return Error::success();
  }

  Error cleanUp() {
    run(Stage::CleanUp);
    return Error::success();
  }

  Error guardDivergence() {
    run(Stage::Guard);
    return Error::success();
  }

  Error leaveDevice() {
    run(Stage::Host);
    return Error::success();
  }

  Module &m;
  const CodegenOptions &options;
  PassInstrumentationCallbacks pic;
  StandardInstrumentations si;
  PassBuilder pb;
  Analyses analyses;
};

} // namespace

bool isProvidedByDevice(const Function &f) {
  return import::isProvided(f);
}

Error importDeviceModule(Module &module, const CodegenOptions &options) {
  return DeviceCompiler(module, options).runImport();
}

/// Returns the lowerings of its kernels that the compiled MODULE holds.
static abi::Lowering loweringOf(const Module &module, const CodegenOptions &options) {
  if (options.host)
    return abi::Lowering::Host;
  if (any_of(readKernelInfos(module),
             [](const KernelInfo &kernel) { return kernel.has(abi::kKernelSwDeferred); }))
    return abi::Lowering::Hw;
  return options.kernelLowerings.empty() ? options.lowering : abi::Lowering::Auto;
}

Error compileDeviceModule(std::unique_ptr<Module> module, const CodegenOptions &options,
                          EmitKind emit, SmallVectorImpl<char> &output, abi::Lowering *holds) {
  if (Error e = DeviceCompiler(*module, options).run())
    return e;
  if (holds)
    *holds = loweringOf(*module, options);
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
    optimizeForHost(*module, **tm, options.device.optLevel);
  if (emit == EmitKind::Ir) {
    raw_svector_ostream os(output);
    module->print(os, nullptr);
    return Error::success();
  }
  UsageMap usage;
  if (emit == EmitKind::Asm || emit == EmitKind::Obj) {
    bool asObject = emit != EmitKind::Asm;
    return options.host
               ? generateHostCode(*module, **tm, asObject, output)
               : generateCode(*module, **tm, asObject, output, usage, definedFunctions(*module));
  }
  std::vector<SmallVector<char, 0>> objects(1);
  if (Error e = options.host ? generateHostCode(*module, **tm, /*object=*/true, objects.front())
                             : generateObjects(*module, **tm, options, objects, usage))
    return e;
  SmallVector<char, 0> elf;
  if (Error e = linkImage(objects, options, elf))
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
