// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/Driver.h"
#include "frontend/DeviceLanguage.h"
#include "lib/Driver/DeviceCode.h"
#include "lib/Driver/DeviceUnits.h"
#include "lib/Driver/HostProcess.h"
#include "lib/Driver/Messages.h"
#include "lib/Driver/PartialOutput.h"
#include "lib/Driver/Results.h"
#include "lib/Driver/TempFolder.h"
#include "lib/Driver/TimeTrace.h"
#include "passes/regions/ChooseLowerings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::driver {
namespace {

std::string suffixOf(const Options &options) {
  if (options.action == Action::Device)
    return options.deviceFileSuffix();
  if (options.action == Action::Object && options.hasLanguageInputs())
    return "bc";
  return options.action == Action::Assembly ? "s" : "o";
}

const char *clangAction(Action action) {
  switch (action) {
  case Action::Assembly:
    return "-S";
  case Action::Preprocess:
    return "-E";
  case Action::Dependencies:
  case Action::UserDependencies:
    return "-M";
  default:
    return "-c";
  }
}

SourceLanguage languageOf(InputKind kind) {
  switch (kind) {
  case InputKind::Cuda:
    return SourceLanguage::Cuda;
  case InputKind::C:
    return SourceLanguage::C;
  case InputKind::Assembler:
    return SourceLanguage::Assembler;
  default:
    return SourceLanguage::Cxx;
  }
}

} // namespace

int Driver::run() {
  if (options.clean)
    return clean();
  if (!options.program.empty())
    return runProgram(options.program);
  TimeTrace trace(options.timeTraceFile);
  int code = compileAndLink();
  bool written = trace.write(options.linksInputs() || options.inputs.empty()
                                 ? linkedName()
                                 : outputFor(options.inputs.front()));
  written &= options.timeFile.empty() || times.write(options.timeFile);
  return written ? code : std::max(code, 1);
}

/// Removes what would be written and compiles nothing, as nvcc does.
int Driver::clean() const {
  std::vector<std::string> files;
  for (const Input &input : options.inputs) {
    if (input.kind == InputKind::Linker)
      continue;
    if (!options.linksInputs())
      files.push_back(outputFor(input));
    if (options.dependencies.alongside || onlyRules())
      files.push_back(ruleFileFor(input));
    if (!options.keep)
      continue;
    for (const std::string &suffix : imageSuffixes(options))
      files.push_back(keptFile(input.text, suffix));
    for (const char *suffix : {"nvvm.ll", "fatbin", "o"})
      if (options.linksInputs() || StringRef(suffix) != "o")
        files.push_back(keptFile(input.text, suffix));
  }
  if (options.linksInputs())
    files.push_back(linkedName());
  if (options.keep && options.linksInputs()) {
    std::vector<std::string> suffixes = imageSuffixes(options);
    suffixes.insert(suffixes.end(), {"fatbin", "o"});
    for (const std::string &suffix : suffixes)
      files.push_back(keptFile((sys::path::stem(linkedName()) + "_dlink").str(), suffix));
  }
  for (const std::string &file : files)
    if (file != "-") {
      if (showSteps())
        printStep({"rm", "-f", file});
      if (!options.dryRun)
        sys::fs::remove(file);
    }
  return 0;
}

/// Puts a source that comes through the standard input into a file, which takes the place of "-".
bool Driver::readStandardInput() {
  for (Input &input : options.inputs) {
    if (input.text != "-")
      continue;
    bool isLanguage = input.kind == InputKind::Language;
    StringRef suffix = input.kind == InputKind::Cuda ? ".cu"
                       : input.kind == InputKind::C  ? ".c"
                                                     : ".cpp";
    if (isLanguage)
      suffix = input.language->suffix;
    input.text = temps.createNamed(("stdin" + suffix).str());
    ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getSTDIN();
    std::error_code error = text.getError();
    if (!error) {
      raw_fd_ostream file(input.text, error);
      if (!isLanguage) // diagnostics and line tables name no temporary file
        file << "#line 1 \"<stdin>\"\n";
      file << (*text)->getBuffer();
      file.close();
      if (file.has_error())
        error = file.error();
      file.clear_error();
    }
    if (error) {
      printError("the standard input cannot be read: " + error.message());
      return false;
    }
    options.clangArgs.insert(options.clangArgs.end(), {"-iquote", "."});
  }
  return true;
}

int Driver::compileAndLink() {
  if (!readStandardInput())
    return 1;
  if (options.hasLanguageInputs() && !options.makesText())
    return compileLanguageInputs();
  std::vector<std::string> linkInputs;
  for (const Input &input : options.inputs) {
    if (input.kind == InputKind::Linker) {
      linkInputs.push_back(input.text);
      continue;
    }
    std::string output = options.linksInputs() ? objectFor(input) : outputFor(input);
    if (output.empty())
      return 1;
    int code = compileInput(input, output);
    times.add(input.text, "compile", input.text, output);
    if (code)
      return code;
    linkInputs.push_back(output);
  }
  int code = options.linksInputs() ? makeOutput(linkInputs) : 0;
  if (code)
    return code;
  warnOfUnknownKernels();
  return options.run ? runProgram(linkedName()) : 0;
}

void Driver::noteKernels(const Module &module) {
  for (const Function &f : module)
    for (const auto &[name, lowering] : options.kernelLowerings)
      if (f.getCallingConv() == CallingConv::PTX_Kernel && isNamed(f, name))
        knownKernels.insert(name);
}

/// Warns of names that are spelled wrong and so have no effect. That is not an error: one command
/// line may serve for many sources.
void Driver::warnOfUnknownKernels() const {
  bool compilesDevice = options.linksInputs() || options.action == Action::Object ||
                        options.action == Action::Assembly || options.action == Action::Device;
  if (options.dryRun || !compilesDevice)
    return;
  for (const auto &[name, lowering] : options.kernelLowerings)
    if (!knownKernels.contains(name))
      printWarning("--lower-kernel=" + name + ": there is no kernel of this name here");
}

std::string Driver::outputFor(const Input &input) const {
  if (!options.output.empty())
    return options.output;
  // Text for people and for make goes to the standard output.
  if (options.makesText())
    return "-";
  SmallString<128> path(options.outputDirectory);
  sys::path::append(path, sys::path::stem(input.text) + "." + suffixOf(options));
  return path.str().str();
}

std::string Driver::objectFor(const Input &input) {
  if (options.keep)
    return keptFile(input.text, "o");
  if (options.dryRun)
    return (sys::path::stem(input.text) + ".o").str();
  if (options.action == Action::Archive) // the name of the member
    return temps.createNamed(sys::path::filename(keptFile(input.text, "o")));
  return temps.create(sys::path::stem(input.text), "o");
}

std::string Driver::keptFile(StringRef input, StringRef suffix) const {
  // The files of two inputs of one name in different folders are told from each other by a number.
  StringRef stem = sys::path::stem(input);
  unsigned earlier = 0;
  for (const Input &i : options.inputs) {
    if (i.text == input)
      break;
    earlier += i.kind != InputKind::Linker && sys::path::stem(i.text) == stem;
  }
  SmallString<128> path(options.keepDirectory);
  sys::path::append(path, stem + (earlier ? "-" + utostr(earlier) : std::string()) + "." + suffix);
  return path.str().str();
}

/// Tells this compilation from others whose objects may be linked together: it is the same again if
/// the command is, so that the object is, too.
std::string Driver::unitName(const Input &input) const {
  MD5 hash;
  auto add = [&](StringRef text) {
    hash.update(text);
    hash.update(StringRef("\0", 1));
  };
  SmallString<128> directory;
  sys::fs::current_path(directory);
  add(directory);
  add(input.text);
  add(options.output);
  for (const auto &list : {options.clangArgs, options.hostArgs})
    for (const std::string &arg : list)
      add(arg);
  return hash.final().digest().substr(0, 16).str();
}

std::optional<CompileRequest> Driver::makeRequest(const Input &input, const std::string &output) {
  CompileRequest request;
  request.language = languageOf(input.kind);
  request.input = input.text;
  request.output = output;
  request.action = clangAction(options.action);
  request.args = options.clangArgs;
  request.languageArgs = options.languageArgs;
  request.hostArgs = options.hostArgs;
  request.deviceOptLevel = options.device.optLevel;
  request.deviceDebug = options.deviceDebug;
  request.contractFp = options.contractFp;
  request.approxMath = options.fastMath;
  request.relocatable = isRelocatable(input);
  if (request.relocatable)
    request.unit = unitName(input);
  if (!addRules(request, input))
    return std::nullopt;
  return request;
}

std::optional<CompilePlan> Driver::plan(const CompileRequest &request, DiagnosticLog &log) const {
  auto plan = planCompile(request, installation.paths, log);
  if (plan && plan->host.empty() && plan->external.empty())
    plan.reset();
  if (plan && options.inputs.size() > 1)
    plan->freeMemory();
  if (plan && showSteps())
    showPlan(*plan);
  return plan;
}

bool Driver::runHostHalf(const CompilePlan &plan, DiagnosticLog &log) const {
  for (const Command &command : plan.external)
    if (execute(command))
      return false;
  return plan.host.empty() || runFrontend(plan.host, log);
}

void Driver::showPlan(const CompilePlan &plan) const {
  auto show = [](const Cc1Args &args) {
    std::vector<std::string> line = {"vxcc", "-cc1"};
    line.insert(line.end(), args.begin(), args.end());
    printStep(line);
  };
  if (!plan.device.empty()) {
    show(plan.device);
    // Build tools take the default architecture from here.
    printStep({"DEVICE_FLAGS=-arch", "compute_80"});
  }
  if (!plan.host.empty() && options.action != Action::Device)
    show(plan.host);
  for (const Command &command : plan.external)
    printStep(command);
}

int Driver::compileInput(const Input &input, const std::string &output) {
  switch (options.action) {
  case Action::Device:
    return emitDevice(input, output);
  case Action::Preprocess:
  case Action::Dependencies:
  case Action::UserDependencies:
    return makeText(input, output);
  default:
    return input.kind == InputKind::Cuda ? compileCuda(input, output)
                                         : compileHostOnly(input, output);
  }
}

int Driver::compileCuda(const Input &input, const std::string &output) {
  auto request = makeRequest(input, output);
  if (!request)
    return 1;
  std::string stem = sys::path::stem(input.text).str();
  request->fatBinary = options.dryRun ? stem + ".fatbin" : temps.create(stem, "fatbin");
  if (request->fatBinary.empty())
    return 1;
  DiagnosticLog log(errs().has_colors());
  auto steps = plan(*request, log);
  if (!steps || steps->device.empty() || steps->host.empty()) {
    report(log);
    return 1;
  }
  if (options.dryRun)
    return 0;
  if (int code = compileBothHalves(*request, *steps))
    return code;
  return writeRule(input, *request);
}

/// Compiles both halves. An object is made with a placeholder as its fat binary while the device
/// half is compiled; assembly text needs the fat binary first.
int Driver::compileBothHalves(const CompileRequest &request, const CompilePlan &plan) {
  PartialOutput output(request.output);
  Cc1Args hostArgs = plan.host;
  for (size_t i = hostArgs.size(); i-- > 1;)
    if (hostArgs[i - 1] == "-o") {
      hostArgs[i] = output.path();
      break;
    }
  bool parallel = request.action == "-c";
  static constexpr char placeholder[16] = {};
  if (writeFile(request.fatBinary, placeholder))
    return 1;
  std::optional<HostProcess> host;
  if (parallel)
    host.emplace(hostArgs, errs().has_colors());

  DiagnosticLog log(errs().has_colors());
  LLVMContext context;
  routeDiagnostics(context, options, log);
  FatBinary fat;
  auto module = compileDevice(plan.device, request, context, log);
  if (module)
    noteKernels(*module);
  if (module && options.keep) {
    Bytes text;
    raw_svector_ostream os(text);
    module->print(os, nullptr);
    writeFile(keptFile(request.input, "nvvm.ll"), text);
  }
  bool good = module != nullptr;
  if (good && request.relocatable)
    writeDeviceUnit(*module, options, fat.bytes);
  else if (good)
    good = buildFatBinary(std::move(module), options, installation.resources, log, fat);
  if (good && !parallel) {
    if (writeFile(request.fatBinary, fat.bytes))
      return 1;
    host.emplace(hostArgs, errs().has_colors());
  }
  if (host)
    good &= host->finish(log);
  if (good && request.relocatable)
    good = embedDeviceCode(output.path(), fat.bytes, /*isText=*/!parallel, log);
  else if (good && parallel)
    good = embedFatBinary(output.path(), fat.bytes, log);
  report(log);
  if (!good) {
    if (request.output != "-" && sys::fs::is_regular_file(request.output))
      sys::fs::remove(request.output);
    return compileErrorCode(log);
  }
  if (!output.commit())
    return 1;
  if (options.keep) {
    for (auto &[suffix, elf] : fat.images)
      writeFile(keptFile(request.input, suffix), elf);
    if (!request.relocatable)
      writeFile(keptFile(request.input, "fatbin"), fat.bytes);
  }
  return 0;
}

int Driver::compileHostOnly(const Input &input, const std::string &output) {
  auto request = makeRequest(input, output);
  if (!request)
    return 1;
  DiagnosticLog log(errs().has_colors());
  auto steps = plan(*request, log);
  if (steps && options.dryRun)
    return 0;
  bool good = steps && runHostHalf(*steps, log);
  report(log);
  return good ? writeRule(input, *request) : 1;
}

int Driver::emitDevice(const Input &input, const std::string &output) {
  auto request = makeRequest(input, output);
  if (!request)
    return 1;
  DiagnosticLog log(errs().has_colors());
  LLVMContext context;
  routeDiagnostics(context, options, log);
  std::unique_ptr<Module> module;
  if (input.kind == InputKind::LlvmIr) {
    if (options.dryRun)
      return 0;
    auto buffer = MemoryBuffer::getFile(input.text);
    if (buffer)
      module = readModule(**buffer, context, log);
    else
      log.addPlain(Severity::Error,
                   "cannot read '" + input.text + "': " + buffer.getError().message());
  } else {
    auto steps = plan(*request, log);
    if (steps && options.dryRun)
      return 0;
    if (steps)
      module = compileDevice(steps->device, *request, context, log);
  }
  if (module)
    noteKernels(*module);
  Bytes bytes;
  bool good = module && compileDeviceCode(std::move(module), options, installation.resources,
                                          options.deviceOutput, log, bytes);
  report(log);
  if (!good)
    return compileErrorCode(log);
  if (int code = writeFile(output, bytes))
    return code;
  return writeRule(input, *request);
}

int Driver::execute(const Command &command, const std::string &output) const {
  std::vector<StringRef> argv(command.begin(), command.end());
  std::string error;
  outs().flush();
  int code = sys::ExecuteAndWait(command[0], argv, std::nullopt, {}, 0, 0, &error);
  if (!error.empty())
    printError("'" + command[0] + "': " + error);
  if (code < 0 && sys::fs::is_regular_file(output))
    sys::fs::remove(output);
  return code < 0 ? 1 : code;
}

int Driver::runProgram(const std::string &program) {
  TempFolder::restoreEnvironment();
  std::string path = program;
  if (!StringRef(path).contains('/'))
    path = "./" + path;
  Command command = {path};
  command.insert(command.end(), options.runArguments.begin(), options.runArguments.end());
  if (showSteps())
    printStep(command);
  if (options.dryRun)
    return 0;
  // This is as with nvcc: a program that a C++ compiler has linked may not know where the libraries
  // are.
  std::string folders = installation.libraries;
  if (std::optional<std::string> others = sys::Process::GetEnv("LD_LIBRARY_PATH"))
    folders += ":" + *others;
  setenv("LD_LIBRARY_PATH", folders.c_str(), /*overwrite=*/1);
  return execute(command);
}

} // namespace vx::driver
