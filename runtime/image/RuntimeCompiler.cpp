// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/RuntimeCompiler.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "intrinsics/abi/RuntimeCompiler.h"
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

namespace vx::rt {

namespace {

struct Compiler {
  abi::RuntimeCompileFunction compile = nullptr;
  abi::RuntimeCompileFreeFunction release = nullptr;
  std::string problem;
};

/// Returns the library next to the object that holds the runtime, if it is a shared one.
std::string nextToRuntime() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&nextToRuntime), &info) || !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1) + abi::kRuntimeCompilerLibrary;
}

/// RECORDED: where it was when the program was compiled, or nothing.
Compiler findCompiler(const std::string &recorded) {
  Compiler result;
  std::vector<std::string> candidates;
  if (const char *home = std::getenv("VXCC_HOME"))
    candidates.push_back(std::string(home) + "/lib/" + abi::kRuntimeCompilerLibrary);
  candidates.push_back(abi::kRuntimeCompilerLibrary); // loaded already, or on the search path
  if (std::string near = nextToRuntime(); !near.empty())
    candidates.push_back(near);
  if (!recorded.empty())
    candidates.push_back(recorded);
  for (const std::string &path : candidates) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      if (result.problem.empty())
        result.problem = dlerror();
      continue;
    }
    result.compile =
        reinterpret_cast<abi::RuntimeCompileFunction>(dlsym(library, abi::kRuntimeCompile));
    result.release =
        reinterpret_cast<abi::RuntimeCompileFreeFunction>(dlsym(library, abi::kRuntimeCompileFree));
    if (result.compile && result.release)
      return result;
    result.problem = path + " is not vxcc's";
    dlclose(library);
  }
  result.compile = nullptr;
  return result;
}

/// The compiler, once it has been found; programs may name several places.
Compiler compilerAt(const std::string &recorded) {
  static std::mutex guard;
  static Compiler found;
  std::lock_guard lock(guard);
  if (!found.compile)
    found = findCompiler(recorded);
  return found;
}

} // namespace

CompiledImage compileIr(std::span<const IrInput> inputs, const Device &device,
                        const CompileChoice &choice) {
  const Compiler compiler = compilerAt(choice.compiler);
  CompiledImage result;
  if (!compiler.compile) {
    result.outcome = CompileOutcome::NoCompiler;
    result.log = "NVVM IR needs the compiler in " + std::string(abi::kRuntimeCompilerLibrary) +
                 ": " + compiler.problem;
    return result;
  }
  std::vector<abi::RuntimeCompileInput> list;
  for (const IrInput &input : inputs)
    list.push_back({reinterpret_cast<const char *>(input.bytes.data()), input.bytes.size(),
                    input.name.c_str()});
  abi::RuntimeCompileRequest request{};
  request.version = abi::kAbiVersion;
  request.numInputs = uint32_t(list.size());
  request.inputs = list.data();
  request.xlen = uint32_t(device.caps(Cap::Xlen));
  request.profile = abi::IsaProfile(device.caps(Cap::WarpIsa));
  request.zicond = device.caps(Cap::Zicond) != 0;
  request.host = device.caps(Cap::HostCode) != 0;
  request.optLevel = choice.optLevel;
  request.lowering = choice.lowering;
  request.defersSw = choice.defersSw;
  abi::RuntimeCompileResult compiled{};
  compiler.compile(&request, &compiled);
  if (compiled.log)
    result.log = compiled.log;
  while (!result.log.empty() && result.log.back() == '\n')
    result.log.pop_back();
  switch (compiled.status) {
  case abi::RuntimeCompileStatus::Done:
    result.outcome = CompileOutcome::Done;
    result.fatBinary.assign(compiled.image, compiled.image + compiled.imageBytes);
    break;
  case abi::RuntimeCompileStatus::InvalidInput:
    result.outcome = CompileOutcome::InvalidInput;
    break;
  case abi::RuntimeCompileStatus::Failed:
    result.outcome = CompileOutcome::Failed;
    break;
  case abi::RuntimeCompileStatus::Internal:
    result.outcome = CompileOutcome::NoCompiler;
    break;
  }
  compiler.release(&compiled);
  return result;
}

} // namespace vx::rt
