// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/MachinePasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include <map>

using namespace llvm;

namespace vx {
namespace {

/// Remembers the first error that reading machine IR reports.
struct FirstError : DiagnosticHandler {
  explicit FirstError(std::string &text) : text(text) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error && text.empty()) {
      raw_string_ostream os(text);
      DiagnosticPrinterRawOStream printer(os);
      info.print(printer);
    }
    return true;
  }
  std::string &text;
};

void print(const UsageMap &usage, raw_ostream &os) {
  std::map<StringRef, const FunctionUsage *> sorted;
  for (const auto &[name, u] : usage)
    sorted[name] = &u;
  for (const auto &[name, u] : sorted)
    os << "# " << name << ": " << u->registers << " registers, " << u->frameBytes
       << " bytes of stack" << (u->isOpen ? " or more" : "")
       << (u->callsUnknown ? ", calls through pointers" : "") << "\n";
}

} // namespace

MachineFunctionPass *createMachinePass(StringRef name, MachineFindings &findings) {
#define MACHINE_PASS(NAME, CREATE, SUMMARY)                                                        \
  if (name == NAME)                                                                                \
    return CREATE;
#include "passes/MachinePassRegistry.def"
  return nullptr;
}

Error runMachinePass(StringRef name, std::unique_ptr<MemoryBuffer> mir, raw_ostream &os) {
  MachineFindings findings;
  MachineFunctionPass *pass = createMachinePass(name, findings);
  if (!pass)
    return createStringError("there is no machine pass '" + name + "'");
  std::unique_ptr<MachineFunctionPass> owned(pass);
  LLVMContext context;
  std::string problem;
  context.setDiagnosticHandler(std::make_unique<FirstError>(problem));
  CodegenOptions options;
  options.xlen = mir->getBuffer().contains("riscv32") ? 32 : 64;
  auto tm = createTargetMachine(options);
  if (!tm)
    return tm.takeError();
  std::unique_ptr<MIRParser> parser = createMIRParser(std::move(mir), context);
  std::unique_ptr<Module> module = parser ? parser->parseIRModule() : nullptr;
  if (!module)
    return createStringError("not machine IR: " + problem);
  module->setTargetTriple((*tm)->getTargetTriple());
  module->setDataLayout((*tm)->createDataLayout());
  legacy::PassManager pm;
  TargetPassConfig *config = (*tm)->createPassConfig(pm);
  pm.add(config);
  auto *mmi = new MachineModuleInfoWrapperPass(tm->get());
  bool failed = parser->parseMachineFunctions(*module, mmi->getMMI());
  pm.add(mmi);
  if (failed)
    return createStringError("not machine IR: " + problem);
  config->setInitialized();
  pm.add(owned.release());
  pm.add(createPrintMIRPass(os));
  pm.add(createFreeMachineFunctionPass());
  pm.run(*module);
  print(findings.usage, os);
  std::string problems = join(findings.branches.problems, "\n");
  return problems.empty() ? Error::success() : createStringError(problems);
}

} // namespace vx
