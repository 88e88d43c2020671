// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/nvrtc/DeviceImages.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>

using namespace llvm;

namespace vx::nvrtc {

const Installation &installation() {
  static const Installation found = [] {
    Dl_info info = {};
    dladdr(reinterpret_cast<void *>(&installation), &info);
    return findInstallation(info.dli_fname ? info.dli_fname : "");
  }();
  return found;
}

void routeDiagnostics(LLVMContext &context, DiagnosticLog &log) {
  vx::routeDiagnostics(context, {.passes = false}, log);
}

CodegenOptions defaultTarget() {
  CodegenOptions target;
  target.lowering = abi::Lowering::Auto;
  target.debugInfo = true; // fault reports name source lines
  target.resourceDir = installation().resources;
  return target;
}

std::string textOf(DiagnosticLog &log) {
  std::string text;
  raw_string_ostream os(text);
  log.flush(os);
  log.printSummary(os);
  return text;
}

} // namespace vx::nvrtc
