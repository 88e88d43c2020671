// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/OptionParser.h"
#include "frontend/clang/Dependencies.h"
#include "lib/Driver/Architectures.h"
#include "lib/Driver/Messages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;

namespace vx::driver {

static void printVersion() {
  // Build tools look for nvcc's name, the release, and a last line that ends with the version.
  StringRef version = VX_CUDA_VERSION;
  outs() << "vxcc " VX_VERSION " (LLVM " LLVM_VERSION_STRING "), device code for Vortex, "
         << "__CUDA_ARCH__ 800\n"
         << "Takes the place of nvcc: NVIDIA (R) Cuda compiler driver\n"
         << "Cuda compilation tools, release " << version.rsplit('.').first << ", V" << version
         << '\n';
}

OptionParser::OptionParser(ArrayRef<const char *> argv) {
  unsigned missingIndex = 0, missingCount = 0;
  args = std::make_unique<InputArgList>(table.ParseArgs(argv, missingIndex, missingCount));
  if (missingCount)
    fail("argument expected after '" + Twine(args->getArgString(missingIndex)) + "'");
}

ParseResult OptionParser::run(const ParseActions &actions) {
  if (args->hasArg(OPT_help)) {
    table.printHelp(outs(), "vxcc [options] file...", "CUDA compiler for Vortex",
                    /*ShowHidden=*/false, /*ShowAllAliases=*/false);
    return {std::nullopt, 0};
  }
  if (args->hasArg(OPT_version)) {
    printVersion();
    return {std::nullopt, 0};
  }
  if (args->hasArg(OPT_list_gpu_arch, OPT_list_gpu_code)) {
    listArchitectures(args->hasArg(OPT_list_gpu_arch) ? "compute_" : "sm_", outs());
    return {std::nullopt, 0};
  }
  if (args->hasArg(OPT_v, OPT_dryrun))
    actions.showEnvironment();
  if (args->hasArg(OPT_clangd_config))
    return {std::nullopt, actions.printClangdConfiguration() ? 0 : 1};
  checkUnknown();
  readAction();
  readLanguage();
  readCodegen();
  readVortex();
  readLink();
  readTool();
  readInputs();
  if (!failed)
    checkTogether();
  if (failed)
    return {std::nullopt, 1};
  return {std::move(result), 0};
}

std::optional<Options> OptionParser::runForDevice() {
  checkUnknown();
  readVortex();
  return failed ? std::nullopt : std::optional(std::move(result));
}

void OptionParser::fail(const Twine &message) {
  printError(message);
  failed = true;
}

void OptionParser::checkUnknown() {
  bool forward = args->hasArg(OPT_forward_unknown);
  for (const Arg *a : args->filtered(OPT_UNKNOWN)) {
    std::string text = a->getAsString(*args);
    if (forward) {
      result.hostArgs.push_back(text);
      result.linkArgs.push_back(text);
      continue;
    }
    fail("unknown option '" + text + "'" + hintFor(text));
  }
}

std::string OptionParser::hintFor(StringRef unknown) const {
  std::string nearest;
  if (table.findNearest(unknown, nearest, opt::Visibility()) <= 2)
    return "; did you mean '" + nearest + "'?";
  return "; if it is for the host compiler, write -Xcompiler " + unknown.str() +
         " or add --forward-unknown-to-host-compiler";
}

void OptionParser::readAction() {
  result.output = args->getLastArgValue(OPT_o).str();
  result.outputDirectory = args->getLastArgValue(OPT_odir).str();
  if (args->hasArg(OPT_c))
    result.action = Action::Object;
  if (args->hasArg(OPT_S))
    result.action = Action::Assembly;
  if (args->hasArg(OPT_E))
    result.action = Action::Preprocess;
  if (args->hasArg(OPT_M))
    result.action = Action::Dependencies;
  if (args->hasArg(OPT_MM))
    result.action = Action::UserDependencies;
  for (auto id : {OPT_ltoir, OPT_optix_ir})
    if (const Arg *a = args->getLastArg(id))
      fail("'" + a->getAsString(*args) +
           "' makes code for NVIDIA's GPUs; --emit= gives the device code for Vortex");
  if (args->hasArg(OPT_cuda))
    fail("'-cuda' asks for the C++ source that nvcc makes of the host half; there is none, as the "
         "same compiler reads both halves: -E prints the source after preprocessing");
  if (args->hasArg(OPT_fatbin, OPT_cubin, OPT_ptx)) {
    result.action = Action::Device;
    bool fat = args->hasArg(OPT_fatbin), image = args->hasArg(OPT_cubin);
    result.deviceOutput = fat     ? DeviceOutput::FatBinary
                          : image ? DeviceOutput::Elf
                                  : DeviceOutput::Nvvm;
    result.deviceSuffix = fat ? "fatbin" : image ? "cubin" : "ptx";
  }
  readSeparateCompilation();
  readDependencies();
}

void OptionParser::readSeparateCompilation() {
  result.relocatable = readBool(OPT_rdc, false);
  if (const Arg *a = args->getLastArg(OPT_dc, OPT_dw)) {
    result.action = Action::Object;
    result.relocatable = a->getOption().matches(OPT_dc);
  }
  if (args->hasArg(OPT_dlink)) {
    result.deviceLinkToImage = result.action == Action::Device;
    result.action = Action::DeviceLink;
    result.relocatable = true; // of sources among the inputs
  }
  if (args->hasArg(OPT_lib))
    result.action = Action::Archive;
  result.linkDevice = !args->hasArg(OPT_no_device_link);
  result.archiver = args->getLastArgValue(OPT_arbin, "ar").str();
  addWords(OPT_Xarchive, result.archiveOptions);
}

bool OptionParser::wantsOneImage() const {
  return (result.action == Action::Device || result.deviceLinkToImage) &&
         result.deviceOutput != DeviceOutput::FatBinary;
}

void OptionParser::readDependencies() {
  DependencyOptions &d = result.dependencies;
  d.alongside = args->hasArg(OPT_MD, OPT_MMD);
  d.systemHeaders = !args->hasArg(OPT_MM, OPT_MMD);
  d.phony = args->hasArg(OPT_MP);
  d.file = args->getLastArgValue(OPT_MF).str();
  if (!d.file.empty() && !args->hasArg(OPT_M, OPT_MM, OPT_MD, OPT_MMD))
    fail("'-MF' names a file for the make rule that -M, -MM, -MD or -MMD asks for");
  for (const Arg *a : args->filtered(OPT_MT, OPT_MQ))
    d.targets.push_back(a->getOption().matches(OPT_MT) ? a->getValue()
                                                       : quoteForMake(a->getValue()));
}

} // namespace vx::driver
