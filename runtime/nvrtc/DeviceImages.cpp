// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/nvrtc/DeviceImages.h"
#include "runtime/nvrtc/Installation.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx::nvrtc {

namespace {
class LogHandler : public DiagnosticHandler {
public:
  explicit LogHandler(DiagnosticLog &log) : log(log) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    // Remarks about loops that could not be unrolled or vectorized say nothing about correctness.
    if (info.getSeverity() == DS_Error || info.getKind() != DK_OptimizationFailure)
      log.add(info);
    return true;
  }

private:
  DiagnosticLog &log;
};
} // namespace

void routeDiagnostics(LLVMContext &context, DiagnosticLog &log) {
  context.setDiagnosticHandler(std::make_unique<LogHandler>(log));
}

std::string writeText(const Module &module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

Bytes writeBitcode(const Module &module) {
  Bytes bytes;
  raw_svector_ostream os(bytes);
  WriteBitcodeToFile(module, os);
  return bytes;
}

CodegenOptions defaultTarget() {
  CodegenOptions target;
  target.lowering = abi::Lowering::Auto;
  target.debugInfo = true; // fault reports name source lines
  target.resourceDir = installation().resources;
  return target;
}

bool compileImage(std::unique_ptr<Module> module, const CodegenOptions &target, DiagnosticLog &log,
                  Bytes &elf, abi::Lowering &holds) {
  Error error = compileDeviceModule(std::move(module), target, EmitKind::Elf, elf, &holds);
  if (!error)
    return true;
  std::string text = toString(std::move(error));
  // What has a place in the source has been reported by now.
  if (!log.hasErrors())
    log.addPlain(Severity::Error, text);
  return false;
}

std::string textOf(DiagnosticLog &log) {
  std::string text;
  raw_string_ostream os(text);
  log.flush(os);
  log.printSummary(os);
  return text;
}

} // namespace vx::nvrtc
