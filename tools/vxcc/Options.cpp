// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/vxcc/Options.h"
#include "doors/Door.h"
#include "frontend/Dependencies.h"
#include "tools/vxcc/Architectures.h"
#include "tools/vxcc/Messages.h"
#include "tools/vxcc/OptionTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {
namespace {

using namespace llvm::opt;

void printVersion() {
  // Build tools look for nvcc's name, the release, and a last line that ends with the version.
  StringRef version = VX_CUDA_VERSION;
  outs() << "vxcc " VX_VERSION " (LLVM " LLVM_VERSION_STRING "), device code for Vortex, "
         << "__CUDA_ARCH__ 800\n"
         << "Takes the place of nvcc: NVIDIA (R) Cuda compiler driver\n"
         << "Cuda compilation tools, release " << version.rsplit('.').first << ", V" << version
         << '\n';
}

/// One parse: reads the arguments into `result`, reporting what is wrong.
class Parser {
public:
  explicit Parser(ArrayRef<const char *> argv) {
    unsigned missingIndex = 0, missingCount = 0;
    args = std::make_unique<InputArgList>(table.ParseArgs(argv, missingIndex, missingCount));
    if (missingCount)
      fail("argument expected after '" + Twine(args->getArgString(missingIndex)) + "'");
  }

  ParseResult run(const ParseActions &actions) {
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

  std::optional<Options> runForDevice() {
    checkUnknown();
    readVortex();
    return failed ? std::nullopt : std::optional(std::move(result));
  }

private:
  void fail(const Twine &message) {
    printError(message);
    failed = true;
  }

  void checkUnknown() {
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

  std::string hintFor(StringRef unknown) const {
    std::string nearest;
    if (table.findNearest(unknown, nearest, opt::Visibility()) <= 2)
      return "; did you mean '" + nearest + "'?";
    return "; if it is for the host compiler, write -Xcompiler " + unknown.str() +
           " or add --forward-unknown-to-host-compiler";
  }

  void readAction() {
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

  void readSeparateCompilation() {
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
    for (const std::string &value : args->getAllArgValues(OPT_Xarchive))
      splitInto(value, result.archiveOptions);
  }

  /// Whether what is made of device code is one image.
  bool wantsOneImage() const {
    return (result.action == Action::Device || result.deviceLinkToImage) &&
           result.deviceOutput != DeviceOutput::FatBinary;
  }

  void readDependencies() {
    DependencyOptions &d = result.dependencies;
    d.beside = args->hasArg(OPT_MD, OPT_MMD);
    d.systemHeaders = !args->hasArg(OPT_MM, OPT_MMD);
    d.phony = args->hasArg(OPT_MP);
    d.file = args->getLastArgValue(OPT_MF).str();
    for (const Arg *a : args->filtered(OPT_MT, OPT_MQ))
      d.targets.push_back(a->getOption().matches(OPT_MT) ? a->getValue()
                                                         : quoteForMake(a->getValue()));
  }

  void readLanguage() {
    static constexpr StringLiteral standards[] = {"03", "11", "14", "17", "20", "23"};
    if (const Arg *a = args->getLastArg(OPT_std)) {
      StringRef value = a->getValue(), number = value;
      if ((number.consume_front("c++") || number.consume_front("gnu++")) &&
          is_contained(standards, number))
        // Like nvcc with its host compiler, c++17 does not switch GNU extensions off.
        result.clangArgs.push_back("-std=gnu++" + number.str());
      else
        fail("value '" + value + "' is not defined for option 'std'");
    }
    // In the order given: -D and -U depend on it.
    for (const Arg *a : args->filtered(OPT_I, OPT_isystem, OPT_preinclude, OPT_D, OPT_U, OPT_W)) {
      std::string value = a->getValue();
      if (a->getOption().matches(OPT_I) || a->getOption().matches(OPT_isystem))
        addHeaderDirectory(a->getOption().matches(OPT_I) ? "-I" : "-isystem", value);
      else if (a->getOption().matches(OPT_preinclude))
        addList("-include", value);
      else if (a->getOption().matches(OPT_D))
        result.clangArgs.push_back("-D" + value);
      else if (a->getOption().matches(OPT_U))
        result.clangArgs.push_back("-U" + value);
      else
        addWarning(value);
    }
    if (args->hasArg(OPT_w)) {
      result.clangArgs.push_back("-w");
      result.warnings = false;
    }
    if (args->hasArg(OPT_pedantic))
      result.clangArgs.push_back("-pedantic");
    for (const Arg *a : args->filtered(OPT_cl_))
      result.languageArgs.push_back(a->getAsString(*args));
    for (const std::string &value : args->getAllArgValues(OPT_spec_constant))
      result.languageArgs.push_back("--spec-constant=" + value);
    if (args->hasArg(OPT_expt_relaxed_constexpr))
      result.clangArgs.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
    if (args->hasArg(OPT_expt_extended_lambda))
      result.clangArgs.push_back("-D__CUDACC_EXTENDED_LAMBDA__");
    // As with nvcc the link step sees them too: -fopenmp, -fsanitize=, … concern both.
    for (const std::string &value : args->getAllArgValues(OPT_Xcompiler)) {
      splitInto(value, result.hostArgs);
      splitInto(value, result.linkArgs);
    }
    if (args->hasArg(OPT_fopenmp)) {
      result.hostArgs.push_back("-fopenmp");
      result.linkArgs.push_back("-fopenmp");
    }
  }

  /// The headers of NVIDIA's toolkit do not go with ours; makefiles name them all the same.
  void addHeaderDirectory(const char *option, StringRef directory) {
    SmallString<128> mark(directory);
    sys::path::append(mark, "crt", "host_runtime.h");
    if (!sys::fs::exists(mark))
      return addList(option, directory);
    if (!args->hasArg(OPT_w))
      printWarning("'" + Twine(option) + " " + directory +
                   "' is ignored: vxcc has CUDA headers of its own");
  }

  void addList(const char *option, StringRef value) {
    result.clangArgs.insert(result.clangArgs.end(), {option, value.str()});
  }

  /// Warnings that only nvcc's front end knows are dropped.
  void addWarning(StringRef value) {
    static constexpr StringLiteral nvccOnly[] = {
        "no-deprecated-gpu-targets", "default-stream-launch", "missing-launch-bounds",
        "ext-lambda-captures-this", "cross-execution-space-call"};
    if (value.starts_with("l,")) {
      result.linkArgs.push_back("-Wl," + value.drop_front(2).str());
      return;
    }
    bool asError = value.consume_front("error=");
    if (asError && value == "all-warnings") {
      result.clangArgs.push_back("-Werror");
      return;
    }
    if (is_contained(nvccOnly, value))
      return;
    if (value.starts_with("pass-failed") || value.starts_with("no-pass-failed"))
      result.passWarnings = !value.starts_with("no-");
    result.clangArgs.push_back((asError ? "-Werror=" : "-W") + value.str());
  }

  static void splitInto(StringRef value, std::vector<std::string> &list) {
    value = value.trim("\"'");
    // "-Wall -O3" in one argument also works with nvcc, whose commands pass through a shell.
    SmallVector<StringRef> parts;
    SplitString(value, parts, ", ");
    for (StringRef p : parts)
      list.push_back(p.str());
  }

  void readCodegen() {
    if (const Arg *a = args->getLastArg(OPT_O)) {
      unsigned level = 0;
      if (StringRef(a->getValue()).getAsInteger(10, level))
        fail("value '" + Twine(a->getValue()) + "' is not defined for option 'O'");
      level = std::min(level, 3u); // as with nvcc and GCC, "-O9" asks for all there is
      result.deviceOptLevel = level;
      result.hostArgs.push_back("-O" + utostr(level));
    }
    if (args->hasArg(OPT_g))
      result.hostArgs.push_back("-g");
    if (args->hasArg(OPT_G)) {
      result.deviceOptLevel = 0;
      result.deviceDebug = true;
      result.clangArgs.push_back("-D__CUDACC_DEBUG__");
    }
    result.deviceDebug |= args->hasArg(OPT_g);
    if (args->hasArg(OPT_use_fast_math)) {
      result.fastMath = true;
      result.clangArgs.push_back("-D__USE_FAST_MATH__");
    }
    result.contractFp = readBool(OPT_fmad, true);
    if (args->hasArg(OPT_fPIC))
      result.hostArgs.push_back("-fPIC");
    if (args->hasArg(OPT_noeh))
      result.hostArgs.push_back("-fno-exceptions");
    if (args->hasArg(OPT_pg)) {
      result.hostArgs.push_back("-pg");
      result.linkArgs.push_back("-pg");
    }
    for (auto id : {OPT_arch, OPT_gpucode})
      for (const std::string &value : args->getAllArgValues(id))
        checkArchitectures(value);
    for (const std::string &value : args->getAllArgValues(OPT_gencode))
      checkGenerateCode(value);
    bool narrow = args->hasArg(OPT_m32);
    for (auto id : {OPT_m, OPT_machine})
      narrow |= args->getLastArgValue(id, "64") != "64";
    if (narrow)
      fail("only 64-bit host code is supported");
  }

  bool readBool(OptionId id, bool otherwise) {
    StringRef value = args->getLastArgValue(id, otherwise ? "true" : "false");
    if (value != "true" && value != "false")
      fail("value '" + value + "' is not defined for option '" + table.getOptionName(id) +
           "'; use true or false");
    return value == "true";
  }

  void checkArchitectures(StringRef list) {
    SmallVector<StringRef> names;
    list.trim("[]\"'").split(names, ',');
    for (StringRef name : names)
      if (!isArchitecture(name.trim("[]\"'")))
        fail("unsupported GPU architecture '" + name + "'");
  }

  /// arch=compute_80,code=[sm_80,compute_80]
  void checkGenerateCode(StringRef spec) {
    auto [arch, code] = spec.split(",code=");
    if (!arch.consume_front("arch=") || code.empty()) {
      fail("value '" + spec + "' of option 'gencode' is not of the form arch=...,code=...");
      return;
    }
    checkArchitectures(arch);
    checkArchitectures(code);
  }

  void readVortex() {
    for (const Arg *a : args->filtered(OPT_lower, OPT_lower_kernel, OPT_Rvx_lower, OPT_target,
                                       OPT_vx_xlen, OPT_vx_isa, OPT_vx_zicond, OPT_vx_tiles,
                                       OPT_vx_split_warps, OPT_vx_coarsen, OPT_Xvxlink)) {
      bool isSwitch = a->getOption().matches(OPT_Rvx_lower);
      std::string name = "-" + std::string(isSwitch ? "" : "-") + a->getOption().getName().str();
      result.deviceArgs.push_back(isSwitch ? name : name + "=" + a->getValue());
    }
    if (const Arg *a = args->getLastArg(OPT_emit)) {
      if (result.action == Action::DeviceLink)
        result.deviceLinkToImage = true;
      else
        result.action = Action::Device;
      auto kind = StringSwitch<std::optional<DeviceOutput>>(a->getValue())
                      .Case("nvvm", DeviceOutput::Nvvm)
                      .Case("ir", DeviceOutput::Ir)
                      .Case("asm", DeviceOutput::Asm)
                      .Case("obj", DeviceOutput::Obj)
                      .Case("elf", DeviceOutput::Elf)
                      .Case("vxbin", DeviceOutput::VxBin)
                      .Default(std::nullopt);
      std::string kinds = "nvvm, ir, asm, obj, elf, vxbin";
      for (const Door &door : doors()) {
        if (!door.write)
          continue;
        kinds += (", " + door.name).str();
        if (door.name == a->getValue()) {
          kind = DeviceOutput::Door;
          result.deviceLanguage = &door;
        }
      }
      if (kind)
        result.deviceOutput = *kind;
      else
        badValue(a, kinds.c_str());
    }
    if (const Arg *a = args->getLastArg(OPT_lower))
      readLowering(a);
    result.lowerRemarks = args->hasArg(OPT_Rvx_lower);
    for (const Arg *a : args->filtered(OPT_lower_kernel))
      readKernelLowering(a);
    if (const Arg *a = args->getLastArg(OPT_target))
      readTargets(a);
    if (const Arg *a = args->getLastArg(OPT_vx_xlen))
      readWidths(a);
    if (const Arg *a = args->getLastArg(OPT_vx_isa))
      readProfiles(a);
    if (const Arg *a = args->getLastArg(OPT_vx_zicond))
      readZicond(a);
    if (const Arg *a = args->getLastArg(OPT_vx_tiles)) {
      result.exactTiles = StringRef(a->getValue()) == "exact";
      if (!result.exactTiles && StringRef(a->getValue()) != "wide")
        badValue(a, "wide, exact");
    }
    result.splitWarps = readBool(OPT_vx_split_warps, false);
    result.coarsen = readBool(OPT_vx_coarsen, true);
    result.forCheckers = args->hasArg(OPT_fvx_check);
    for (const std::string &value : args->getAllArgValues(OPT_Xvxlink))
      splitInto(value, result.deviceLinkArgs);
  }

  /// One profile or, for a fat binary, several.
  void readProfiles(const Arg *a) {
    SmallVector<StringRef, 3> names;
    StringRef(a->getValue()).split(names, ',');
    result.profiles.clear();
    for (StringRef name : names) {
      auto profile = StringSwitch<std::optional<abi::IsaProfile>>(name)
                         .Case("base", abi::IsaProfile::Base)
                         .Case("upstream", abi::IsaProfile::Upstream)
                         .Case("warp", abi::IsaProfile::Warp)
                         .Case("paths", abi::IsaProfile::Paths)
                         .Default(std::nullopt);
      bool tooMany = wantsOneImage() && !result.profiles.empty();
      if (!profile || tooMany)
        return badValue(a, tooMany ? "base, upstream, warp, paths: one of them here"
                                   : "base, upstream, warp, paths");
      if (!is_contained(result.profiles, *profile))
        result.profiles.push_back(*profile);
    }
  }

  /// One way or, for a fat binary, both.
  void readZicond(const Arg *a) {
    bool one = wantsOneImage();
    auto ways = StringSwitch<std::vector<bool>>(a->getValue())
                    .Case("true", {true})
                    .Case("false", {false})
                    .Cases({"true,false", "false,true"}, {true, false})
                    .Default({});
    if (ways.empty() || (one && ways.size() > 1))
      badValue(a, one ? "true, false" : "true, false and \"true,false\"");
    else
      result.zicond = ways;
  }

  /// One target or, for a fat binary, both.
  void readTargets(const Arg *a) {
    StringRef value = a->getValue();
    bool both = value == "vortex,host" || value == "host,vortex";
    bool one = wantsOneImage();
    if ((value != "vortex" && value != "host" && !both) || (one && both))
      return badValue(a, one ? "vortex, host" : "vortex, host and \"vortex,host\"");
    result.forVortex = value != "host";
    result.forHost = value != "vortex";
  }

  /// One width or, for a fat binary, both.
  void readWidths(const Arg *a) {
    auto widths = StringSwitch<std::vector<unsigned>>(a->getValue())
                      .Case("32", {32})
                      .Case("64", {64})
                      .Cases({"32,64", "64,32"}, {32, 64})
                      .Default({});
    bool one = wantsOneImage();
    if (widths.empty() || (one && widths.size() > 1))
      badValue(a, one ? "32, 64" : "32, 64 and \"32,64\"");
    else
      result.xlens = widths;
  }

  static std::optional<abi::Lowering> lowering(StringRef name) {
    return StringSwitch<std::optional<abi::Lowering>>(name)
        .Case("hw", abi::Lowering::Hw)
        .Case("sw", abi::Lowering::Sw)
        .Case("auto", abi::Lowering::Auto)
        .Default(std::nullopt);
  }

  void readLowering(const Arg *a) {
    if (auto how = lowering(a->getValue()))
      result.lowering = *how;
    else
      badValue(a, "hw, sw, auto");
  }

  void readKernelLowering(const Arg *a) {
    auto [kernel, name] = StringRef(a->getValue()).rsplit('=');
    auto how = lowering(name);
    if (how && !kernel.empty())
      result.kernelLowerings.push_back({kernel.str(), *how});
    else
      badValue(a, "KERNEL=hw, KERNEL=sw, KERNEL=auto");
  }

  void badValue(const Arg *a, const char *allowed) {
    fail("value '" + Twine(a->getValue()) + "' is not defined for option '" +
         a->getOption().getName() + "'; allowed: " + allowed);
  }

  void readLink() {
    if (args->hasArg(OPT_shared)) {
      result.linkArgs.push_back("-shared");
      result.hostArgs.push_back("-fPIC");
    }
    for (const std::string &directory : args->getAllArgValues(OPT_L))
      result.linkArgs.push_back("-L" + directory);
    if (const Arg *a = args->getLastArg(OPT_cudart)) {
      auto kind = StringSwitch<std::optional<Cudart>>(a->getValue())
                      .Case("static", Cudart::Static)
                      .Case("shared", Cudart::Shared)
                      .Case("none", Cudart::None)
                      .Default(std::nullopt);
      if (kind)
        result.cudart = *kind;
      else
        badValue(a, "static, shared, none");
    }
  }

  void readTool() {
    result.dryRun = args->hasArg(OPT_dryrun);
    result.verbose = args->hasArg(OPT_v);
    result.keep = args->hasArg(OPT_keep);
    result.keepDirectory = args->getLastArgValue(OPT_keep_dir, ".").str();
    result.run = args->hasArg(OPT_run);
    for (const std::string &value : args->getAllArgValues(OPT_run_args))
      splitInto(value, result.runArguments);
    result.clean = args->hasArg(OPT_clean);
    result.timeFile = args->getLastArgValue(OPT_time).str();
    result.timeTraceFile = args->getLastArgValue(OPT_fdevice_time_trace).str();
    result.briefDiagnostics = readBool(OPT_brief_diag, false);
    if (result.briefDiagnostics)
      result.clangArgs.push_back("-fno-caret-diagnostics");
    for (auto id : {OPT_t, OPT_threads, OPT_split_compile})
      if (unsigned count = 0; const Arg *a = args->getLastArg(id)) {
        if (StringRef(a->getValue()).getAsInteger(10, count))
          badValue(a, "a number of threads");
        if (id == OPT_split_compile)
          result.codegenThreads = count;
      }
  }

  void readInputs() {
    std::optional<Language> forced;
    for (const Arg *a : args->filtered(OPT_INPUT, OPT_x, OPT_l, OPT_Xlinker, OPT_Wl)) {
      StringRef value = a->getValue();
      if (a->getOption().matches(OPT_x))
        forced = readLanguageName(value);
      else if (a->getOption().matches(OPT_l))
        addLibrary(value);
      else if (a->getOption().matches(OPT_Wl))
        result.inputs.push_back({InputKind::Linker, "-Wl," + value.str()});
      else if (a->getOption().matches(OPT_Xlinker))
        result.inputs.push_back({InputKind::Linker, "-Wl," + value.trim("\"'").str()});
      else
        addInput(value, forced);
    }
  }

  /// The runtime is linked as -cudart says; NVIDIA's, under any of its names, would take its place.
  bool isCudaRuntime(StringRef library) const {
    if (result.cudart == Cudart::None && library.starts_with("cudart"))
      return false; // whoever says "none" chooses one
    return library == "cudart" || library == "cudart_static" || library == "cudadevrt";
  }

  void addLibrary(StringRef name) {
    if (!isCudaRuntime(name))
      result.inputs.push_back({InputKind::Linker, "-l" + name.str()});
  }

  /// What -x or a suffix says of an input.
  struct Language {
    InputKind kind;
    const Door *door = nullptr;
  };

  std::optional<Language> readLanguageName(StringRef name) {
    for (const Door &door : doors())
      if (name == door.name)
        return Language{InputKind::Door, &door};
    auto kind = StringSwitch<std::optional<InputKind>>(name)
                    .Case("cu", InputKind::Cuda)
                    .Case("cuda", InputKind::Cuda)
                    .Case("c++", InputKind::Cxx)
                    .Case("c", InputKind::C)
                    .Default(std::nullopt);
    if (kind)
      return Language{*kind};
    std::string others;
    for (const Door &door : doors())
      others += (", " + door.name).str();
    if (name != "none")
      fail("value '" + name + "' is not defined for option 'x'; allowed: c, c++, cu" + others);
    return std::nullopt;
  }

  void addInput(StringRef path, std::optional<Language> forced) {
    StringRef extension = sys::path::extension(path);
    auto kind = StringSwitch<std::optional<InputKind>>(extension)
                    .Case(".cu", InputKind::Cuda)
                    .Cases({".cpp", ".cc", ".cxx", ".c++", ".C"}, InputKind::Cxx)
                    .Case(".c", InputKind::C)
                    .Cases({".s", ".S"}, InputKind::Assembler)
                    .Cases({".ll", ".bc"}, InputKind::LlvmIr)
                    .Cases({".o", ".a", ".so", ".obj", ".lo"}, InputKind::Linker)
                    .Default(std::nullopt);
    if (!kind && path.contains(".so."))
      kind = InputKind::Linker;
    const Door *through = nullptr;
    for (const Door &door : doors())
      if (extension == door.suffix) {
        kind = InputKind::Door;
        through = &door;
      }
    if (forced && kind != InputKind::Linker) {
      kind = forced->kind;
      through = forced->door;
    }
    StringRef library = sys::path::filename(path);
    if (kind == InputKind::Linker && library.consume_front("lib") &&
        isCudaRuntime(library.split('.').first))
      return;
    if (!kind) {
      fail("don't know what to do with '" + path + "'");
      return;
    }
    if (path != "-" && !sys::fs::exists(path)) // "-": what the standard input holds
      fail("no such file: '" + path + "'");
    else if (sys::fs::is_directory(path))
      fail("'" + path + "' is a directory");
    result.inputs.push_back({*kind, path.str(), through});
  }

  /// Device code in another language is linked into an image, and with nothing else.
  void checkDoors() {
    for (const Input &i : result.inputs)
      if (i.door != result.inputs.front().door) {
        fail("'" + i.text + "' cannot be compiled together with '" + result.inputs.front().text +
             "'");
        return;
      }
    if (result.action == Action::Link) {
      result.action = Action::Device;
      result.deviceOutput = DeviceOutput::FatBinary;
      result.deviceSuffix = "fatbin";
    }
    if (result.action != Action::Device && result.action != Action::Object && !result.makesText())
      fail("'" + result.inputs.front().text + "' is device code: what can be made of it is an " +
           "image, -c, -E, -M and --emit=");
  }

  void checkTogether() {
    size_t sources =
        count_if(result.inputs, [](const Input &i) { return i.kind != InputKind::Linker; });
    bool anything = any_of(result.inputs, [](const Input &i) {
      return i.kind != InputKind::Linker || i.text[0] != '-';
    });
    if (!anything) {
      fail("no input files; use --help for more information");
      return;
    }
    if (any_of(result.inputs, [](const Input &i) { return i.kind == InputKind::Door; }))
      checkDoors();
    else if (!result.linksInputs() && sources > 1 && !result.output.empty())
      fail("one input file is required for a step that does not link when an output file is given");
    if (!result.dependencies.file.empty() && sources > 1)
      fail("one input file is required when -MF names the file of the make rule");
    for (const Input &i : result.inputs) {
      if (i.kind == InputKind::LlvmIr && result.action != Action::Device)
        fail("'" + i.text + "' is device code: it can only be used with --emit=");
      if (result.action == Action::Device && i.kind != InputKind::LlvmIr &&
          i.kind != InputKind::Door && i.kind != InputKind::Cuda && i.kind != InputKind::Linker)
        fail("'" + i.text + "' has no device code: --emit= is for CUDA sources");
    }
    if (result.run && result.action != Action::Link)
      fail("--run needs a linked program");
    if (result.keep && !sys::fs::is_directory(result.keepDirectory))
      fail("no such directory: '" + Twine(result.keepDirectory) + "'");
  }

  const OptTable &table = optionTable();
  std::unique_ptr<InputArgList> args;
  Options result;
  bool failed = false;
};

/// nvcc writes `-Werror all-warnings`, where C++ compilers know no separate argument.
void joinWerror(SmallVectorImpl<const char *> &argv, StringSaver &saver) {
  static constexpr StringLiteral kinds[] = {
      "all-warnings",           "cross-execution-space-call", "reorder",
      "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
      "deprecated-declarations"};
  for (size_t i = 0; i + 1 < argv.size(); ++i) {
    StringRef arg = argv[i];
    if ((arg == "-Werror" || arg == "--Werror") && is_contained(kinds, StringRef(argv[i + 1]))) {
      argv[i] = saver.save(arg + "=" + argv[i + 1]).data();
      argv.erase(argv.begin() + i + 1);
    }
  }
}

/// `-optf file` and its spellings are @file.
void rewriteOptionFiles(SmallVectorImpl<const char *> &argv, StringSaver &saver) {
  for (size_t i = 0; i < argv.size(); ++i) {
    StringRef arg = argv[i];
    size_t dashes = arg.find_first_not_of('-');
    if (dashes == 0 || dashes > 2)
      continue;
    arg = arg.drop_front(dashes);
    if (!arg.consume_front("optf") && !arg.consume_front("options-file"))
      continue;
    if (arg.consume_front("="))
      argv[i] = saver.save("@" + arg).data();
    else if (arg.empty() && i + 1 < argv.size()) {
      argv[i] = saver.save(Twine("@") + argv[i + 1]).data();
      argv.erase(argv.begin() + i + 1);
    }
  }
}

} // namespace

std::string Options::deviceFileSuffix() const {
  if (!deviceSuffix.empty())
    return deviceSuffix;
  switch (deviceOutput) {
  case DeviceOutput::Nvvm:
    return "nvvm.ll";
  case DeviceOutput::Ir:
    return "ll";
  case DeviceOutput::Asm:
    return "s";
  case DeviceOutput::Obj:
    return "o";
  case DeviceOutput::Elf:
    return "elf";
  case DeviceOutput::VxBin:
    return "vxbin";
  case DeviceOutput::FatBinary:
    return "fatbin";
  case DeviceOutput::Door:
    return deviceLanguage->suffix.drop_front().str();
  }
  return "";
}

std::optional<Options> parseDeviceOptions(ArrayRef<std::string> given) {
  std::vector<const char *> argv;
  for (const std::string &arg : given)
    argv.push_back(arg.c_str());
  return Parser(argv).runForDevice();
}

/// The options in the environment variable NAME, as nvcc's users put them around every command
/// line.
static void appendVariable(const char *name, SmallVectorImpl<const char *> &argv,
                           StringSaver &saver) {
  if (std::optional<std::string> value = sys::Process::GetEnv(name))
    cl::TokenizeGNUCommandLine(*value, saver, argv);
}

ParseResult parseOptions(ArrayRef<const char *> given, const ParseActions &actions) {
  SmallVector<const char *, 32> argv;
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  appendVariable("NVCC_PREPEND_FLAGS", argv, saver);
  argv.append(given.begin(), given.end());
  appendVariable("NVCC_APPEND_FLAGS", argv, saver);
  rewriteOptionFiles(argv, saver);
  for (StringRef arg : argv)
    if (arg.starts_with("@") && !sys::fs::exists(arg.drop_front())) {
      printError("no such file: '" + arg.drop_front() + "'");
      return {std::nullopt, 1};
    }
  cl::ExpansionContext expansion(allocator, cl::TokenizeGNUCommandLine);
  if (Error e = expansion.expandResponseFiles(argv)) {
    printError(toString(std::move(e)));
    return {std::nullopt, 1};
  }
  joinWerror(argv, saver);
  return Parser(argv).run(actions);
}

} // namespace vx::driver
