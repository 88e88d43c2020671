// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/DeviceCompiler/DeviceCompiler.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {
namespace {

class LogHandler : public DiagnosticHandler {
public:
  LogHandler(WantedWarnings wanted, DiagnosticLog &log) : wanted(wanted), log(log) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    bool isWarning = info.getSeverity() == DS_Warning;
    bool isOfPass = info.getKind() == DK_OptimizationFailure;
    if (!isWarning || (wanted.any && (wanted.passes || !isOfPass)))
      log.add(info);
    return true;
  }

private:
  WantedWarnings wanted;
  DiagnosticLog &log;
};

} // namespace

void routeDiagnostics(LLVMContext &context, WantedWarnings wanted, DiagnosticLog &log) {
  context.setDiagnosticHandler(std::make_unique<LogHandler>(wanted, log));
}

std::unique_ptr<Module> readModule(MemoryBufferRef buffer, LLVMContext &context,
                                   DiagnosticLog &log) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIR(buffer, diagnostic, context);
  std::string text;
  raw_string_ostream os(text);
  if (!module) {
    diagnostic.print(nullptr, os, log.useColors());
    log.add(Severity::Error, text, text);
    return nullptr;
  }
  if (verifyModule(*module, &os)) {
    log.addPlain(Severity::Error, "'" + buffer.getBufferIdentifier() + "' is not valid: " + text);
    return nullptr;
  }
  return module;
}

Bytes writeBitcode(const Module &module) {
  Bytes bytes;
  raw_svector_ostream os(bytes);
  WriteBitcodeToFile(module, os);
  return bytes;
}

bool compileDeviceIr(std::unique_ptr<Module> module, const CodegenOptions &options, EmitKind emit,
                     DiagnosticLog &log, Bytes &output, abi::Lowering *holds) {
  return succeeded(compileDeviceModule(std::move(module), options, emit, output, holds), log);
}

bool succeeded(Error error, DiagnosticLog &log) {
  if (!error)
    return true;
  std::string text = toString(std::move(error));
  if (!log.hasErrors())
    log.addPlain(Severity::Error, text);
  return false;
}

} // namespace vx
