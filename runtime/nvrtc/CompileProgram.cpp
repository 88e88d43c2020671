// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program: text, to NVVM IR, to images.

#include "frontend/Frontend.h"
#include "passes/ModuleOptions.h"
#include "runtime/nvrtc/NameExpressions.h"
#include "runtime/nvrtc/Program.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <chrono>

using namespace llvm;

namespace vx::nvrtc {
namespace {

/// The folder of the sources that exist in memory only.
constexpr StringLiteral kFolder = "/vx-nvrtc";

std::string quote(StringRef text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// Returns TEXT, whose lines are named as those of NAME.
std::string named(StringRef name, StringRef text) {
  return "#line 1 " + quote(name) + "\n" + text.str() + "\n";
}

std::string mainFile(const _nvrtcProgram &program, const Options &options) {
  std::string text;
  if (options.defaultDevice)
    text += "#pragma clang diagnostic ignored \"-Wpragma-clang-attribute\"\n" // without variables
            "#pragma clang attribute push(__attribute__((device)), apply_to = "
            "variable(is_global))\n#pragma clang force_cuda_host_device begin\n";
  text += named(program.name, program.source);
  if (options.defaultDevice)
    text += "#pragma clang force_cuda_host_device end\n#pragma clang attribute pop\n";
  return text + declareNames(program.expressions);
}

CompileRequest makeRequest(const _nvrtcProgram &program, const Options &options) {
  CompileRequest request;
  request.atRunTime = true;
  request.input = (kFolder + "/source.cu").str();
  request.files.emplace_back(request.input, mainFile(program, options));
  for (const auto &[name, text] : program.headers) {
    SmallString<128> path = StringRef(name);
    if (!sys::path::is_absolute(path))
      path = (kFolder + "/" + name).str();
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    request.files.emplace_back(path.str().str(), named(name, text));
  }
  request.args.push_back(("-I" + kFolder).str());
  if (options.sourceInclude) {
    StringRef folder = sys::path::parent_path(program.name);
    request.args.push_back("-iquote");
    request.args.push_back(folder.empty() ? "." : folder.str());
  }
  request.args.insert(request.args.end(), options.clangArgs.begin(), options.clangArgs.end());
  request.deviceOptLevel = options.device.optLevel;
  request.deviceDebug = options.debug;
  request.contractFp = options.contractFp;
  request.approxMath = options.fastMath;
  return request;
}

Bytes fatBinary(ArrayRef<FatImage> images) {
  Bytes bytes;
  makeFatBinary(images, bytes);
  return bytes;
}

/// Makes the outputs that OPTIONS ask for; false after errors.
bool makeResults(_nvrtcProgram &program, const Options &options, std::unique_ptr<Module> module,
                 DiagnosticLog &log) {
  CodegenOptions target = defaultTarget();
  target.device = options.device;
  target.lowering = options.lowering;
  keepModuleOptions(*module, target);
  raw_string_ostream(program.text) << *module;
  program.bitcode = writeBitcode(*module);
  FatImage ir{abi::Lowering::Ir, abi::IsaProfile::Base, 64, false, program.bitcode};
  if (options.linkTime || (options.wantsImage && options.relocatable))
    program.linkable = fatBinary({ir});
  if (!options.wantsImage)
    return true;
  if (options.relocatable || options.linkTime) {
    program.image = program.linkable;
    return true;
  }
  target.maySwBeDeferred = true;
  Bytes elf;
  abi::Lowering holds{};
  if (!compileDeviceIr(std::move(module), target, EmitKind::Elf, log, elf, &holds))
    return false;
  // Devices that the image does not suit take the IR.
  program.image = fatBinary({{holds, target.profile, target.xlen, target.zicond, elf}, ir});
  return true;
}

class Stopwatch {
public:
  explicit Stopwatch(StringRef file) : file(file) {}
  /// Appends a line to the file; false if that cannot be written.
  bool write(StringRef source) const {
    if (file.empty())
      return true;
    std::error_code error;
    raw_fd_ostream os(file, error, sys::fs::OF_Append | sys::fs::OF_Text);
    if (error)
      return false;
    double spent =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    os << source << " , nvrtc , " << format("%.3f", spent) << " , ms\n";
    os.flush();
    return !os.has_error();
  }

private:
  StringRef file;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

} // namespace

nvrtcResult compileProgram(_nvrtcProgram &program, const Options &options) {
  if (!installation().problem.empty()) {
    program.log = "nvrtc: error: " + installation().problem + "\n";
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
  Stopwatch watch(options.timeFile);
  DiagnosticLog log;
  if (options.brief)
    log.omitSource();
  LLVMContext context;
  routeDiagnostics(context, log);
  CompileRequest request = makeRequest(program, options);
  std::optional<CompilePlan> plan = planCompile(request, installation().paths, log);
  std::unique_ptr<Module> module;
  if (plan) {
    plan->freeMemory();
    module = compileDevice(plan->device, request, context, log);
  }
  bool good = module != nullptr;
  if (good) {
    module->setModuleIdentifier(program.name);
    module->setSourceFileName(program.name);
    program.loweredNames = takeNames(*module, program.expressions.size());
    if (!options.relocatable && !options.linkTime)
      exposeStaticVariables(*module);
    for (size_t i = 0; i < program.expressions.size(); ++i)
      if (program.loweredNames[i].empty()) {
        log.addPlain(Severity::Error,
                     "name expression '" + program.expressions[i] +
                         "': it is neither a kernel nor the address of a variable");
        good = false;
      }
  }
  good = good && makeResults(program, options, std::move(module), log);
  program.log = hideDeclarations(textOf(log));
  program.compiled = good;
  if (!good)
    return NVRTC_ERROR_COMPILATION;
  return watch.write(program.name) ? NVRTC_SUCCESS : NVRTC_ERROR_TIME_FILE_WRITE_FAILED;
}

} // namespace vx::nvrtc
