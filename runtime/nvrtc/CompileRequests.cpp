// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler for programs that run (intrinsics/abi/RuntimeCompiler.h): IR that was left for
// later, or several modules to link.

#include "intrinsics/abi/LaunchDescriptor.h"
#include "intrinsics/abi/RuntimeCompiler.h"
#include "passes/ModuleOptions.h"
#include "runtime/nvrtc/CompileCache.h"
#include "runtime/nvrtc/DeviceImages.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace vx::nvrtc {
namespace {

CodegenOptions targetOf(const abi::RuntimeCompileRequest &request, const Module &module) {
  CodegenOptions target = defaultTarget();
  readModuleOptions(module, target);
  target.xlen = request.xlen;
  target.profile = request.profile;
  target.zicond = request.zicond != 0;
  target.host = request.host != 0;
  target.threads = 0; // the program waits
  if (request.optLevel >= 0)
    target.device.optLevel = unsigned(std::min(request.optLevel, 3));
  if (target.lowering == abi::Lowering::Auto && request.lowering == abi::Lowering::Sw)
    target.lowering = abi::Lowering::Sw;
  target.maySwBeDeferred = request.defersSw != 0;
  target.device.lowerRemarks = false; // they were made when it was compiled first
  return target;
}

abi::RuntimeCompileStatus compile(const abi::RuntimeCompileRequest &request, DiagnosticLog &log,
                                  Bytes &image) {
  using Status = abi::RuntimeCompileStatus;
  if (!installation().problem.empty()) {
    log.addPlain(Severity::Error, installation().problem);
    return Status::Internal;
  }
  LLVMContext context;
  routeDiagnostics(context, log);
  std::unique_ptr<Module> whole;
  for (uint32_t i = 0; i < request.numInputs; ++i) {
    const abi::RuntimeCompileInput &input = request.inputs[i];
    auto buffer = MemoryBuffer::getMemBufferCopy(StringRef(input.data, input.size),
                                                 input.name ? input.name : "device code");
    std::unique_ptr<Module> module = readModule(*buffer, context, log);
    if (!module)
      return Status::InvalidInput;
    if (!whole) {
      whole = std::move(module);
    } else if (Linker::linkModules(*whole, std::move(module))) {
      if (!log.hasErrors())
        log.addPlain(Severity::Error, "the device modules cannot be linked");
      return Status::Failed;
    }
  }
  if (!whole)
    return Status::InvalidInput;
  CodegenOptions target = targetOf(request, *whole);
  Bytes elf;
  abi::Lowering holds{};
  if (!compileDeviceIr(std::move(whole), target, EmitKind::Elf, log, elf, &holds))
    return Status::Failed;
  makeFatBinary({{holds, target.profile, target.xlen, target.zicond, elf}}, image);
  return Status::Done;
}

char *copyOf(StringRef bytes) {
  char *copy = static_cast<char *>(std::malloc(bytes.size() + 1));
  if (copy) {
    std::memcpy(copy, bytes.data(), bytes.size());
    copy[bytes.size()] = 0;
  }
  return copy;
}

} // namespace
} // namespace vx::nvrtc

extern "C" __attribute__((visibility("default"))) void
__vx_runtime_compile(const vx::abi::RuntimeCompileRequest *request,
                     vx::abi::RuntimeCompileResult *result) {
  using namespace vx::nvrtc;
  vx::DiagnosticLog log;
  vx::Bytes image;
  *result = {};
  if (request->version != vx::abi::kAbiVersion) { // its fields may be others
    result->status = vx::abi::RuntimeCompileStatus::Internal;
    result->log = copyOf("libnvrtc.so is of another version than the runtime");
    return;
  }
  const CompileCache cache(*request);
  if (!cache.find(image)) {
    result->status = compile(*request, log, image);
    std::string text = textOf(log);
    if (result->status == vx::abi::RuntimeCompileStatus::Done && text.empty())
      cache.keep(image); // else warnings would be said once only
    result->log = copyOf(text);
  }
  if (result->status != vx::abi::RuntimeCompileStatus::Done)
    return;
  result->image = copyOf(StringRef(image.data(), image.size()));
  result->imageBytes = image.size();
  if (!result->image)
    result->status = vx::abi::RuntimeCompileStatus::Internal;
}

extern "C" __attribute__((visibility("default"))) void
__vx_runtime_compile_free(vx::abi::RuntimeCompileResult *result) {
  std::free(result->image);
  std::free(result->log);
  *result = {};
}
