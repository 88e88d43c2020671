// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks clang's driver library how it would compile or link, instead of guessing: it knows where the
// C++ library of this system is and what each option means to each half.

#include "frontend/Frontend.h"
#include "frontend/clang/ClangDiagnostics.h"
#include "frontend/clang/Dependencies.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VersionTuple.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>

using namespace llvm;

namespace vx {
namespace {

/// Returns the CUDA release of the headers.
VersionTuple cudaVersion() {
  VersionTuple version;
  version.tryParse(VX_CUDA_VERSION);
  return version;
}

/// Returns the option of -cc1 that the launch code depends on that clang emits.
std::string sdkVersion() {
  VersionTuple version(cudaVersion().getMajor(), *cudaVersion().getMinor());
  return "-target-sdk-version=" + version.getAsString();
}

/// Options of the host's compiler that say what preprocessed text looks like.
constexpr StringLiteral kTextOptions[] = {"-C", "-CC", "-P", "-dD", "-dI", "-dM", "-dN"};

/// The driver with what it refers to.
class DriverSession {
public:
  DriverSession(const FrontendPaths &paths, DiagnosticLog &log)
      : consumer(options, log, "vxcc"),
        diagnostics(clang::DiagnosticIDs::create(), options, &consumer, /*ShouldOwnClient=*/false),
        driver(paths.llvmBin + "/clang++", sys::getDefaultTargetTriple(), diagnostics, "vxcc",
               vfs::getRealFileSystem()) {
    driver.setTitle("vxcc");
    driver.ResourceDir = paths.clangResource;
    // The caller has looked at the inputs; objects may not exist yet in a dry run.
    driver.setCheckInputsExist(false);
  }

  /// Plans the compilation of GIVEN. The result refers to the strings of this object.
  std::unique_ptr<clang::driver::Compilation> build(ArrayRef<std::string> given) {
    args.assign(given.begin(), given.end());
    std::vector<const char *> argv = {"clang++"};
    for (const std::string &a : args)
      argv.push_back(a.c_str());
    std::unique_ptr<clang::driver::Compilation> c(driver.BuildCompilation(argv));
    if (!c || c->containsError() || diagnostics.hasErrorOccurred())
      return nullptr;
    return c;
  }

private:
  std::vector<std::string> args;
  clang::DiagnosticOptions options;
  ClangDiagnosticRecorder consumer;
  clang::DiagnosticsEngine diagnostics;
  clang::driver::Driver driver;
};

void append(std::vector<std::string> &to, ArrayRef<std::string> from) {
  to.insert(to.end(), from.begin(), from.end());
}

bool given(ArrayRef<std::string> args, StringRef prefix) {
  return any_of(args, [&](const std::string &a) { return StringRef(a).starts_with(prefix); });
}

/// One half of a CUDA source. Other sources have a host half only.
enum class Half { Device, Host };

/// Returns true if ARGS leave MACRO defined.
bool definesMacro(ArrayRef<std::string> args, StringRef macro) {
  for (const std::string &a : reverse(args))
    if (StringRef text = a;
        (text.consume_front("-D") || text.consume_front("-U")) && text.split('=').first == macro)
      return a[1] == 'D';
  return false;
}

/// Makes clang take a source for CUDA with our headers.
std::vector<std::string> cudaArguments(Half half) {
  std::vector<std::string> args = {"-x",
                                   "cuda",
                                   "--offload-arch=sm_80",
                                   "-nocudainc",
                                   "-nocudalib",
                                   "--cuda-path=/nonexistent",
                                   half == Half::Device ? "--cuda-device-only"
                                                        : "--cuda-host-only"};
  // nvcc accepts `X::template f(v)`, which older CUDA libraries have.
  args.push_back("-Wno-missing-template-arg-list-after-template-kw");
  // C++17 has no `register`; nvcc warns.
  args.push_back("-Wno-error=register");
  // int{n} of a larger integer that is not a constant; a warning of nvcc and its host compiler.
  append(args, {"-Wno-error=c++11-narrowing", "-Wno-error=c++11-narrowing-const-reference"});
  // "a"b, where b is a macro: before C++11 two literals, and a warning of nvcc's host compiler.
  args.push_back("-Wno-error=reserved-user-defined-literal");
  // Functions that are constexpr and use what is known when the program runs only.
  args.push_back("-Wno-error=invalid-constexpr");
  // What overloads of the other half would have to be called is an error where code is made of it
  // only: nvcc's front ends do not choose overloads by halves.
  append(args, {"-Xclang", "-fgpu-defer-diag"});
  append(args, predefinedMacros());
  append(args, {"-include", "vx/cuda/wrapper.h"});
  return args;
}

/// Returns what the device half takes of the options HOST of the host half: what decides which
/// macros the host's processor and libraries are known by. With nvcc the host compiler preprocesses
/// both.
std::vector<std::string> deviceOptions(ArrayRef<std::string> host) {
  const opt::OptTable &table = clang::getDriverOptTable();
  SmallVector<const char *, 16> words;
  for (const std::string &word : host)
    words.push_back(word.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  opt::InputArgList given = table.ParseArgs(words, missingIndex, missingCount);
  std::vector<std::string> result;
  for (const opt::Arg *a :
       given.filtered(clang::options::OPT_march_EQ, clang::options::OPT_mcpu_EQ,
                      clang::options::OPT_m_x86_Features_Group, clang::options::OPT_pthread))
    result.push_back(a->getAsString(given));
  if (given.hasFlag(clang::options::OPT_fopenmp, clang::options::OPT_fopenmp_EQ,
                    clang::options::OPT_fno_openmp, false))
    result.push_back("-D_OPENMP=202011"); // of OpenMP 5.1, clang's default
  return result;
}

std::vector<std::string> driverArguments(const CompileRequest &r, const FrontendPaths &paths,
                                         Half half) {
  std::vector<std::string> args = {"-resource-dir", paths.clangResource};
  switch (r.language) {
  case SourceLanguage::Cuda:
    append(args, cudaArguments(half));
    args.push_back("--no-offload-new-driver");
    if (r.relocatable)
      append(args, {"-fgpu-rdc", "-cuid=" + r.unit, "-D__CUDACC_RDC__"});
    if (r.atRunTime) {
      append(args, {"-U__NVCC__", "-D__CUDACC_RTC__", "-nostdinc", "-nostdinc++"});
      if (!given(r.args, "-std="))
        args.push_back("-std=c++17");
    }
    // The headers go by the macro; what clang makes of <<<>>> calls the function of its option.
    if (constexpr StringLiteral macro = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
        definesMacro(r.args, macro) || definesMacro(r.hostArgs, macro))
      append(args, {"-Xclang", "-fgpu-default-stream=per-thread"});
    if (r.approxMath)
      args.push_back("-fgpu-approx-transcendentals");
    break;
  case SourceLanguage::Cxx:
    append(args, {"-x", StringRef(r.input).ends_with(".ii") ? "c++-cpp-output" : "c++"});
    break;
  case SourceLanguage::C:
    // Old C that gcc (nvcc's compiler for C) takes with a warning.
    append(args, {"-x", StringRef(r.input).ends_with(".i") ? "cpp-output" : "c",
                  "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
                  "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types",
                  "-Wno-error=return-mismatch"});
    break;
  case SourceLanguage::Assembler:
    append(args, {"-x", "assembler-with-cpp"});
    break;
  }
  bool isCxx = r.language == SourceLanguage::Cuda || r.language == SourceLanguage::Cxx;
  if (isCxx && !r.atRunTime && !given(r.args, "-std=") && !given(r.hostArgs, "-std="))
    args.push_back("-std=gnu++17");
  // A C++ standard that is given with C sources among others is not meant for them.
  for (const std::string &a : r.args)
    if (isCxx || !StringRef(a).starts_with("-std="))
      args.push_back(a);
  if (half == Half::Device)
    append(args, deviceOptions(r.hostArgs));
  for (const std::string &a : r.hostArgs)
    if (half == Half::Host || (r.action == "-E" && is_contained(kTextOptions, a)))
      args.push_back(a);
  // After the user's -I and -isystem, before the system's own.
  append(args, {"-isystem", paths.headers});
  if (r.atRunTime)
    append(args,
           {"-isystem", paths.headers + "/rtc", "-isystem", paths.clangResource + "/include"});
  // finishArguments() makes what the driver would not.
  args.push_back(r.language == SourceLanguage::Cuda && r.action == "-S" ? "-c"
                 : r.action == "-M"                                     ? "-E"
                                                                        : r.action);
  const std::string &output =
      half == Half::Device && !r.deviceOutput.empty() ? r.deviceOutput : r.output;
  if (!output.empty())
    append(args, {"-o", output});
  args.push_back(r.input);
  return args;
}

/// Adds what the driver does not know of: the file to embed, text instead of an object, make rules.
void finishArguments(Cc1Args &args, const CompileRequest &request, Half half) {
  bool isCuda = request.language == SourceLanguage::Cuda;
  if (isCuda)
    args.push_back(sdkVersion());
  for (std::string &arg : args) {
    if (arg == "-emit-obj" && request.action == "-S")
      arg = "-S";
    else if (arg == "-E" && request.action == "-M")
      arg = "-Eonly";
  }
  if (isCuda && half == Half::Host && !request.fatBinary.empty()) {
    // A relocatable object registers itself only if it has a fat binary: a byte that nothing reads.
    append(args,
           {"-fcuda-include-gpubinary", request.relocatable ? "/dev/null" : request.fatBinary});
    if (request.relocatable)
      args.push_back("-fembed-offload-object=" + request.fatBinary);
  }
  append(args, ruleArguments(request, half == Half::Host ? request.hostRule : request.deviceRule));
}

/// Returns the -cc1 line for one half of REQUEST, or nothing after errors.
std::optional<Cc1Args> planHalf(const CompileRequest &request, const FrontendPaths &paths,
                                Half half, DiagnosticLog &log) {
  auto args = planCc1(driverArguments(request, paths, half), paths, log);
  if (args && !args->empty())
    finishArguments(*args, request, half);
  return args;
}

/// Returns the command that assembles the host half: the assembler's front end is part of the clang
/// program, not of its library.
Command planAssembler(const CompileRequest &request, const FrontendPaths &paths) {
  Command command{paths.llvmBin + "/clang++"};
  append(command, driverArguments(request, paths, Half::Host));
  if (!request.hostRule.empty()) {
    const char *option = request.systemHeaders ? "-MD" : "-MMD";
    append(command, {option, "-MF", request.hostRule, "-MT", kRuleTarget});
  }
  return command;
}

} // namespace

FrontendPaths findLlvmPaths() {
  FrontendPaths paths;
  paths.llvmBin = VX_LLVM_BIN_DIR;
  paths.clangResource = VX_CLANG_RESOURCE_DIR;
  Dl_info info;
  SmallString<256> library;
  auto *symbol = reinterpret_cast<void *>(&clang::driver::Driver::getDefaultModuleCachePath);
  if (!dladdr(symbol, &info) || sys::fs::real_path(info.dli_fname, library))
    return paths;
  SmallString<256> candidate = sys::path::parent_path(library);
  sys::path::append(candidate, "clang", VX_CLANG_MAJOR);
  if (!sys::fs::is_directory(candidate))
    return paths;
  paths.clangResource = candidate.str().str();
  SmallString<256> bin = sys::path::parent_path(sys::path::parent_path(library));
  sys::path::append(bin, "bin");
  paths.llvmBin = bin.str().str();
  return paths;
}

Cc1Args ruleArguments(const CompileRequest &request, const std::string &rule) {
  if (rule.empty())
    return {};
  Cc1Args args = {"-dependency-file", rule, "-MT", kRuleTarget};
  if (request.systemHeaders)
    args.push_back("-sys-header-deps");
  return args;
}

std::optional<Cc1Args> planCc1(ArrayRef<std::string> driverArgs, const FrontendPaths &paths,
                               DiagnosticLog &log) {
  DriverSession session(paths, log);
  auto compilation = session.build(driverArgs);
  if (!compilation)
    return std::nullopt;
  for (const clang::driver::Command &job : compilation->getJobs()) {
    const auto &argv = job.getArguments();
    // What is left is ptxas and its kin: the device half needs no PTX assembler.
    if (!argv.empty() && StringRef(argv[0]) == "-cc1")
      return Cc1Args(argv.begin() + 1, argv.end());
  }
  return Cc1Args();
}

bool hasToolkitHeaders(StringRef folder) {
  SmallString<128> mark(folder);
  sys::path::append(mark, "crt", "host_runtime.h");
  return sys::fs::exists(mark);
}

std::vector<std::string> predefinedMacros() {
  VersionTuple version = cudaVersion();
  return {"-D__NVCC__",
          "-D__CUDACC__",
          "-D__CUDACC_VER_MAJOR__=" + utostr(version.getMajor()),
          "-D__CUDACC_VER_MINOR__=" + utostr(*version.getMinor()),
          "-D__CUDACC_VER_BUILD__=" + utostr(*version.getSubminor()),
          "-D__CUDA_API_VER_MAJOR__=" + utostr(version.getMajor()),
          "-D__CUDA_API_VER_MINOR__=" + utostr(*version.getMinor()),
          "-D__VXCC__=1"};
}

ToolArguments argumentsForClangTools(const FrontendPaths &paths, ArrayRef<std::string> options) {
  ToolArguments result;
  // Clang's default standard is ours, and its resource directory is the tool's own.
  result.added = cudaArguments(Half::Host);
  append(result.added, {"-Xclang", sdkVersion(), "-isystem", paths.headers});
  const opt::OptTable &table = clang::getDriverOptTable();
  for (const std::string &option : options) {
    std::string word = option.back() == '=' ? option + "value" : option;
    unsigned index = 0, count = 0;
    opt::InputArgList parsed =
        table.ParseArgs({word.c_str()}, index, count, opt::Visibility(clang::options::ClangOption));
    if (parsed.hasArg(clang::options::OPT_UNKNOWN))
      result.removed.push_back(option.back() == '=' ? option + "*" : option);
  }
  return result;
}

void CompilePlan::freeMemory() {
  for (Cc1Args *args : {&device, &host})
    llvm::erase(*args, "-disable-free");
}

std::optional<CompilePlan> planCompile(const CompileRequest &request, const FrontendPaths &paths,
                                       DiagnosticLog &log) {
  CompilePlan plan;
  if (request.language == SourceLanguage::Assembler) {
    plan.external.push_back(planAssembler(request, paths));
    return plan;
  }
  if (request.atRunTime) {
    auto device = planHalf(request, paths, Half::Device, log);
    if (!device)
      return std::nullopt;
    plan.device = std::move(*device);
    return plan;
  }
  auto host = planHalf(request, paths, Half::Host, log);
  if (!host)
    return std::nullopt;
  plan.host = std::move(*host);
  if (request.language != SourceLanguage::Cuda)
    return plan;
  DiagnosticLog again(log.useColors()); // most of what the host half gave
  auto device = planHalf(request, paths, Half::Device, again);
  log.merge(again);
  if (!device)
    return std::nullopt;
  plan.device = std::move(*device);
  return plan;
}

std::optional<Command> planLink(ArrayRef<std::string> args, const FrontendPaths &paths,
                                DiagnosticLog &log) {
  DriverSession session(paths, log);
  auto compilation = session.build(args);
  if (!compilation)
    return std::nullopt;
  for (const clang::driver::Command &job : compilation->getJobs()) {
    Command command{job.getExecutable()};
    const auto &argv = job.getArguments();
    command.insert(command.end(), argv.begin(), argv.end());
    return command;
  }
  return std::nullopt;
}

} // namespace vx
