// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks clang's driver library how it would compile or link, instead of guessing: it knows where the
// C++ library of this system is and what each option means to each half.

#include "frontend/ClangDiagnostics.h"
#include "frontend/Frontend.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>

using namespace llvm;

namespace vx {
namespace {

/// Which CUDA release the headers speak; the launch code that clang emits depends on it.
constexpr const char *kSdkVersion = "-target-sdk-version=12.3";

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
    // Whoever calls has looked at the inputs; objects may not exist yet in a dry run.
    driver.setCheckInputsExist(false);
  }

  /// The compilation refers to the strings of this object.
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

std::vector<std::string> driverArguments(const CompileRequest &r, const FrontendPaths &paths) {
  std::vector<std::string> args = {"-resource-dir", paths.clangResource};
  switch (r.language) {
  case SourceLanguage::Cuda:
    append(args, {"-x", "cuda", "--offload-arch=sm_80", "-nocudainc", "-nocudalib",
                  "--cuda-path=/nonexistent", "--no-offload-new-driver"});
    append(args, predefinedMacros());
    if (r.approxMath)
      args.push_back("-fgpu-approx-transcendentals");
    append(args, {"-include", "__vx_cuda_wrapper.h"});
    break;
  case SourceLanguage::Cxx:
    append(args, {"-x", "c++"});
    break;
  case SourceLanguage::C:
    // Old C that gcc (nvcc's compiler for C) takes with a warning.
    append(args, {"-x", "c", "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
                  "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types",
                  "-Wno-error=return-mismatch"});
    break;
  case SourceLanguage::Assembler:
    append(args, {"-x", "assembler-with-cpp"});
    break;
  }
  bool isCxx = r.language == SourceLanguage::Cuda || r.language == SourceLanguage::Cxx;
  if (isCxx && !given(r.args, "-std=") && !given(r.hostArgs, "-std="))
    args.push_back("-std=gnu++17");
  // A C++ standard that is given with C sources among others is not meant for them.
  for (const std::string &a : r.args)
    if (isCxx || !StringRef(a).starts_with("-std="))
      args.push_back(a);
  for (const std::string &a : r.hostArgs) {
    if (r.language == SourceLanguage::Cuda)
      args.push_back("-Xarch_host");
    args.push_back(a);
  }
  // After the user's -I and -isystem, before the system's own.
  append(args, {"-isystem", paths.headers});
  // The driver would write the assembly of both halves; planCompile() turns the host's object into
  // text.
  bool cudaText = r.language == SourceLanguage::Cuda && r.action == "-S";
  if (r.language == SourceLanguage::Cuda && r.action != "-c" && !cudaText)
    args.push_back("--cuda-host-only");
  args.push_back(cudaText ? "-c" : r.action);
  if (!r.output.empty())
    append(args, {"-o", r.output});
  args.push_back(r.input);
  return args;
}

/// Names the file to embed, and asks for text where that is wanted.
void adjustHostArguments(Cc1Args &args, const CompileRequest &request) {
  for (size_t i = 0; i + 1 < args.size(); ++i) {
    if (args[i] == "-fcuda-include-gpubinary")
      args[i + 1] = request.fatBinary;
    if (args[i] == "-emit-obj" && request.action == "-S")
      args[i] = "-S";
  }
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

std::vector<std::string> predefinedMacros() {
  return {"-D__NVCC__",
          "-D__CUDACC__",
          "-D__CUDACC_VER_MAJOR__=12",
          "-D__CUDACC_VER_MINOR__=3",
          "-D__CUDACC_VER_BUILD__=107",
          "-D__VXCC__=1"};
}

std::optional<CompilePlan> planCompile(const CompileRequest &request, const FrontendPaths &paths,
                                       DiagnosticLog &log) {
  CompilePlan plan;
  if (request.language == SourceLanguage::Assembler) {
    // The assembler's front end is part of the clang program, not of its library.
    Command command{paths.llvmBin + "/clang++"};
    append(command, driverArguments(request, paths));
    plan.external.push_back(std::move(command));
    return plan;
  }
  DriverSession session(paths, log);
  auto compilation = session.build(driverArguments(request, paths));
  if (!compilation)
    return std::nullopt;
  for (const clang::driver::Command &job : compilation->getJobs()) {
    const auto &argv = job.getArguments();
    bool isCc1 = !argv.empty() && StringRef(argv[0]) == "-cc1";
    // What is left is ptxas and its kin: the device half needs no PTX assembler.
    if (!isCc1)
      continue;
    Cc1Args args(argv.begin() + 1, argv.end());
    bool device = is_contained(args, "-fcuda-is-device");
    if (request.language == SourceLanguage::Cuda)
      args.push_back(kSdkVersion);
    if (!device)
      adjustHostArguments(args, request);
    (device ? plan.device : plan.host) = std::move(args);
  }
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
