// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/DeviceLanguage.h"
#include "frontend/clang/Dependencies.h"
#include "lib/Driver/OptionParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::opt;

namespace vx::driver {

void OptionParser::readLink() {
  if (args->hasArg(OPT_shared)) {
    result.linkArgs.push_back("-shared");
    result.hostArgs.push_back("-fPIC");
  }
  for (const std::string &value : args->getAllArgValues(OPT_L))
    for (const std::string &directory : readNames(value))
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

void OptionParser::readTool() {
  result.dryRun = args->hasArg(OPT_dryrun);
  result.verbose = args->hasArg(OPT_v);
  result.keep = args->hasArg(OPT_keep);
  result.keepDirectory = args->getLastArgValue(OPT_keep_dir, ".").str();
  result.run = args->hasArg(OPT_run);
  addWords(OPT_run_args, result.runArguments);
  result.clean = args->hasArg(OPT_clean);
  result.timeFile = args->getLastArgValue(OPT_time).str();
  result.timeTraceFile = args->getLastArgValue(OPT_fdevice_time_trace).str();
  std::vector<std::string> assembler;
  addWords(OPT_Xptxas, assembler);
  result.resourceUsage = args->hasArg(OPT_res_usage) || is_contained(assembler, "-v") ||
                         is_contained(assembler, "--verbose");
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

void OptionParser::readInputs() {
  // nvcc takes the language for that of all inputs; several are, as with C++ compilers, each for
  // the inputs that follow.
  std::vector<std::string> languages = args->getAllArgValues(OPT_x);
  std::optional<Language> forced;
  if (languages.size() == 1)
    forced = readLanguageName(languages.front());
  for (const Arg *a : args->filtered(OPT_INPUT, OPT_x, OPT_l, OPT_Xlinker, OPT_Wl)) {
    StringRef value = a->getValue();
    if (a->getOption().matches(OPT_x)) {
      if (languages.size() > 1)
        forced = readLanguageName(value);
    } else if (a->getOption().matches(OPT_l)) {
      for (const std::string &name : readNames(value))
        addLibrary(name);
    } else if (a->getOption().matches(OPT_Wl)) {
      result.inputs.push_back({InputKind::Linker, "-Wl," + value.str()});
    } else if (a->getOption().matches(OPT_Xlinker)) {
      result.inputs.push_back({InputKind::Linker, "-Wl," + join(readWords(value), ",")});
    } else {
      addInput(value, forced);
    }
  }
}

bool OptionParser::isCudaRuntime(StringRef library) const {
  if (result.cudart == Cudart::None && library.starts_with("cudart"))
    return false; // saying "none" is a choice, too
  return library == "cudart" || library == "cudart_static" || library == "cudadevrt";
}

void OptionParser::addLibrary(StringRef name) {
  if (!isCudaRuntime(name))
    result.inputs.push_back({InputKind::Linker, "-l" + name.str()});
}

std::optional<OptionParser::Language> OptionParser::readLanguageName(StringRef name) {
  for (const DeviceLanguage &language : deviceLanguages())
    if (name == language.name)
      return Language{InputKind::Language, &language};
  auto kind = StringSwitch<std::optional<InputKind>>(name)
                  .Case("cu", InputKind::Cuda)
                  .Case("cuda", InputKind::Cuda)
                  .Case("c++", InputKind::Cxx)
                  .Case("c", InputKind::C)
                  .Default(std::nullopt);
  if (kind)
    return Language{*kind};
  std::string others;
  for (const DeviceLanguage &language : deviceLanguages())
    others += (", " + language.name).str();
  if (name != "none")
    fail("value '" + name + "' is not defined for option 'x'; allowed: c, c++, cu" + others);
  return std::nullopt;
}

void OptionParser::addInput(StringRef path, std::optional<Language> forced) {
  StringRef extension = sys::path::extension(path);
  auto kind = StringSwitch<std::optional<InputKind>>(extension)
                  .Case(".cu", InputKind::Cuda)
                  .Cases({".cpp", ".cc", ".cxx", ".c++", ".C", ".ii"}, InputKind::Cxx)
                  .Cases({".c", ".i"}, InputKind::C)
                  .Cases({".s", ".S"}, InputKind::Assembler)
                  .Cases({".ll", ".bc"}, InputKind::LlvmIr)
                  .Cases({".o", ".a", ".so", ".obj", ".lo"}, InputKind::Linker)
                  .Default(std::nullopt);
  if (!kind && path.contains(".so."))
    kind = InputKind::Linker;
  const DeviceLanguage *through = nullptr;
  for (const DeviceLanguage &language : deviceLanguages())
    if (extension == language.suffix) {
      kind = InputKind::Language;
      through = &language;
    }
  if (forced && kind != InputKind::Linker) {
    kind = forced->kind;
    through = forced->language;
  }
  StringRef library = sys::path::filename(path);
  if (kind == InputKind::Linker && library.consume_front("lib") &&
      isCudaRuntime(library.split('.').first))
    return;
  if (!kind && args->hasArg(OPT_run) && result.program.empty()) {
    // Build tools quote it for the shell that nvcc runs it in.
    result.program = path.trim('"').str();
    return;
  }
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

void OptionParser::checkLanguages() {
  for (const Input &i : result.inputs)
    if (i.language != result.inputs.front().language) {
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

void OptionParser::checkTogether() {
  size_t sources =
      count_if(result.inputs, [](const Input &i) { return i.kind != InputKind::Linker; });
  if (!result.program.empty()) {
    if (!result.inputs.empty())
      fail("--run runs one program, '" + result.program + "', or what it links from its inputs");
    else if (!sys::fs::can_execute(result.program))
      fail("'" + Twine(result.program) + "' is not a program that can be run");
    return;
  }
  bool anything = any_of(result.inputs, [](const Input &i) {
    return i.kind != InputKind::Linker || i.text[0] != '-';
  });
  if (!anything) {
    fail("no input files; use --help for more information");
    return;
  }
  if (any_of(result.inputs, [](const Input &i) { return i.kind == InputKind::Language; }))
    checkLanguages();
  else if (!result.linksInputs() && sources > 1 && !result.output.empty())
    fail("one input file is required for a step that does not link when an output file is given");
  if (!result.dependencies.file.empty() && sources > 1)
    fail("one input file is required when -MF names the file of the make rule");
  for (const Input &i : result.inputs) {
    if (i.kind == InputKind::LlvmIr && result.action != Action::Device)
      fail("'" + i.text + "' is device code: it can only be used with --emit=");
    if (result.action == Action::Device && i.kind != InputKind::LlvmIr &&
        i.kind != InputKind::Language && i.kind != InputKind::Cuda && i.kind != InputKind::Linker)
      fail("'" + i.text + "' has no device code: --emit= is for CUDA sources");
  }
  if (result.run && result.action != Action::Link)
    fail("--run needs a linked program");
  if (result.keep && !sys::fs::is_directory(result.keepDirectory))
    fail("no such directory: '" + Twine(result.keepDirectory) + "'");
}

} // namespace vx::driver
