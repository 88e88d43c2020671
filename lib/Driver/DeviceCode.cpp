// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/DeviceCode.h"
#include "frontend/DeviceLanguage.h"
#include "intrinsics/abi/FatBinaryNames.h"
#include "intrinsics/abi/RuntimeCompiler.h"
#include "lib/Driver/ResourceUsage.h"
#include "passes/ModuleOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx::driver {
namespace {

/// One image: its registers and its instructions, or code of the host.
struct Target {
  unsigned xlen;
  abi::IsaProfile profile;
  bool zicond = true;
  bool host = false;
};

std::vector<Target> targetsOf(const Options &options) {
  std::vector<Target> targets;
  if (options.forVortex)
    for (unsigned xlen : options.xlens)
      for (abi::IsaProfile profile : options.profiles)
        for (bool zicond : options.zicond)
          targets.push_back({xlen, profile, zicond});
  if (options.forHost)
    targets.push_back({64, options.profiles.front(), true, /*host=*/true});
  return targets;
}

/// Returns the suffix for the file of an image that --keep leaves.
std::string suffixOf(const Target &target, const Target &first) {
  if (target.host)
    return "host.elf";
  std::string suffix = target.xlen == 64 ? "elf" : "rv32.elf";
  if (target.zicond != first.zicond)
    suffix = "no-zicond." + suffix;
  if (target.profile == first.profile)
    return suffix;
  return std::string(abi::toString(target.profile)) + "." + suffix;
}

CodegenOptions makeCodegenOptions(const Options &options, const Target &target,
                                  const std::string &resources) {
  CodegenOptions codegen;
  codegen.xlen = target.xlen;
  codegen.profile = target.profile;
  codegen.zicond = target.zicond;
  codegen.device = options.device;
  codegen.host = target.host;
  codegen.lowering = options.lowering;
  codegen.kernelLowerings = options.kernelLowerings;
  codegen.threads = options.codegenThreads;
  codegen.debugInfo = true; // fault reports name source lines
  codegen.resourceDir = resources;
  codegen.linkArgs = options.deviceLinkArgs;
  return codegen;
}

EmitKind emitKind(DeviceOutput kind) {
  switch (kind) {
  case DeviceOutput::Nvvm:
  case DeviceOutput::Ir:
    return EmitKind::Ir;
  case DeviceOutput::Asm:
    return EmitKind::Asm;
  case DeviceOutput::Obj:
    return EmitKind::Obj;
  case DeviceOutput::Elf:
    return EmitKind::Elf;
  case DeviceOutput::VxBin:
    return EmitKind::VxBin;
  case DeviceOutput::FatBinary:
  case DeviceOutput::Language:
    break;
  }
  llvm_unreachable("covered switch");
}

/// Compiles MODULE for TARGET, and says what its kernels use if that is asked for.
bool compileFor(const Target &target, std::unique_ptr<Module> module, const Options &options,
                const CodegenOptions &codegen, EmitKind kind, DiagnosticLog &log, Bytes &output,
                abi::Lowering *lowering = nullptr) {
  if (!compileDeviceIr(std::move(module), codegen, kind, log, output, lowering))
    return false;
  if (options.resourceUsage && kind == EmitKind::Elf && !target.host) {
    std::string device =
        (Twine("rv") + Twine(target.xlen) + " " + abi::toString(target.profile)).str();
    std::string text = describeUsage(StringRef(output.data(), output.size()), device);
    log.add(Severity::Note, text, text);
  }
  return true;
}

/// Returns true if the host half could ask the device for anything in MODULE.
bool hasDeviceCode(const Module &module) {
  return any_of(module.functions(), [](const Function &f) { return !f.isDeclaration(); }) ||
         any_of(module.globals(), [](const GlobalVariable &g) { return !g.isDeclaration(); });
}

} // namespace

std::vector<std::string> imageSuffixes(const Options &options) {
  std::vector<std::string> suffixes;
  std::vector<Target> targets = targetsOf(options);
  for (const Target &target : targets)
    suffixes.push_back(suffixOf(target, targets.front()));
  return suffixes;
}

void routeDiagnostics(LLVMContext &context, const Options &options, DiagnosticLog &log) {
  if (options.briefDiagnostics)
    log.omitSource();
  vx::routeDiagnostics(context, {options.warnings, options.passWarnings}, log);
}

bool compileDeviceCode(std::unique_ptr<Module> module, const Options &options,
                       const std::string &resources, DeviceOutput kind, DiagnosticLog &log,
                       Bytes &output) {
  if (kind == DeviceOutput::Nvvm) {
    raw_svector_ostream os(output);
    module->print(os, nullptr);
    return true;
  }
  if (kind == DeviceOutput::FatBinary) {
    FatBinary fat;
    bool good = buildFatBinary(std::move(module), options, resources, log, fat);
    output = std::move(fat.bytes);
    return good;
  }
  Target target = targetsOf(options).front();
  CodegenOptions codegen = makeCodegenOptions(options, target, resources);
  if (kind != DeviceOutput::Language)
    return compileFor(target, std::move(module), options, codegen, emitKind(kind), log, output);
  return succeeded(importDeviceModule(*module, codegen), log) &&
         options.deviceLanguage->write(*module, log, output);
}

/// Returns true if device code can be compiled again when the program runs: it is not linked in a
/// way of its own.
static bool maySwBeDeferred(const Options &options) {
  return options.lowering == abi::Lowering::Auto && options.deviceLinkArgs.empty() &&
         options.device.deferSwLimit != kNoLimit;
}

/// Returns MODULE as it is compiled when a program runs.
static Bytes keepForLater(Module &module, const CodegenOptions &codegen) {
  keepModuleOptions(module, codegen);
  return writeBitcode(module);
}

bool buildFatBinary(std::unique_ptr<Module> module, const Options &options,
                    const std::string &resources, DiagnosticLog &log, FatBinary &result) {
  if (!hasDeviceCode(*module)) {
    makeFatBinary({}, result.bytes);
    return true;
  }
  std::vector<Target> targets = targetsOf(options);
  const bool mayDefer = maySwBeDeferred(options);
  const Bytes ir =
      mayDefer ? keepForLater(*module, makeCodegenOptions(options, targets.front(), "")) : Bytes();
  std::vector<abi::Lowering> lowerings; // the table of kernels says what each kernel offers
  for (const Target &target : targets) {
    bool last = &target == &targets.back();
    CodegenOptions codegen = makeCodegenOptions(options, target, resources);
    codegen.maySwBeDeferred = mayDefer;
    Bytes elf;
    if (!compileFor(target, last ? std::move(module) : CloneModule(*module), options, codegen,
                    EmitKind::Elf, log, elf, &lowerings.emplace_back()))
      return false;
    result.images.emplace_back(suffixOf(target, targets.front()), std::move(elf));
  }
  std::vector<FatImage> images;
  for (const auto &[target, image, lowering] : zip(targets, result.images, lowerings))
    images.push_back({lowering, target.profile, target.xlen, target.zicond, image.second});
  SmallString<128> compiler;
  if (mayDefer && is_contained(lowerings, abi::Lowering::Hw)) {
    images.push_back({abi::Lowering::Ir, abi::IsaProfile::Base, 64, false, ir});
    compiler = sys::path::parent_path(resources);
    sys::path::append(compiler, abi::kRuntimeCompilerLibrary);
  }
  makeFatBinary(images, result.bytes, compiler);
  return true;
}

} // namespace vx::driver
