// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-opt: runs passes on IR, one alone or a pipeline, the project's and LLVM's, or one machine pass
// on machine IR. For tests and for looking at what a stage does.

#include "frontend/DeviceLanguage.h"
#include "lib/VortexIR/Analyses.h"
#include "lib/VortexIR/VxTTI.h"
#include "passes/Passes.h"
#include "passes/lower/MachinePasses.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

static cl::OptionCategory category("vx-opt options");
static cl::opt<std::string> input(cl::Positional, cl::desc("<input .ll or .bc>"), cl::init("-"),
                                  cl::cat(category));
static cl::opt<std::string> outputPath("o", cl::desc("Write the result to <file>"), cl::init("-"),
                                       cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> pipeline("passes", cl::desc("Passes to run, in LLVM's pipeline syntax"),
                                     cl::cat(category));
static cl::opt<std::string> machinePass("machine-pass",
                                        cl::desc("Run a machine pass, on a .mir file"),
                                        cl::value_desc("name"), cl::cat(category));
static cl::opt<bool> listPasses("print-passes", cl::desc("List the project's passes"),
                                cl::cat(category));

namespace {

/// Prints diagnostics like the driver does and remembers errors for the exit code.
struct Handler : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    bool isError = info.getSeverity() == DS_Error;
    failed |= isError;
    DiagnosticPrinterRawOStream printer(errs());
    (isError ? WithColor::error() : WithColor::warning());
    info.print(printer);
    errs() << "\n";
    return true;
  }
  bool failed = false;
};

/// Lets WRITE write the output; the exit status.
int writeOutput(const char *tool, function_ref<int(raw_ostream &)> write) {
  std::error_code ec;
  ToolOutputFile out(outputPath, ec, sys::fs::OF_Text);
  if (ec) {
    WithColor::error(errs(), tool) << outputPath << ": " << ec.message() << "\n";
    return 1;
  }
  int status = write(out.os());
  if (status == 0)
    out.keep();
  return status;
}

int runPasses(const char *tool) {
  LLVMContext context;
  auto owned = std::make_unique<Handler>();
  Handler &handler = *owned;
  context.setDiagnosticHandler(std::move(owned));
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print(tool, errs());
    return 1;
  }
  PassInstrumentationCallbacks pic;
  StandardInstrumentations instrumentations(context, false, /*VerifyEach=*/true);
  PassBuilder pb(nullptr, PipelineTuningOptions(), std::nullopt, &pic);
  vx::registerPasses(pb);
  vx::registerLanguagePasses(pb);
  vx::Analyses analyses(pb, vx::registerDivergenceTTI);
  instrumentations.registerCallbacks(pic, &analyses.module);
  ModulePassManager mpm;
  if (Error e = pb.parsePassPipeline(mpm, pipeline)) {
    WithColor::error(errs(), tool) << toString(std::move(e)) << "\n";
    return 1;
  }
  mpm.run(*module, analyses.module);
  // The module could be read; what is wrong is in it.
  if (handler.failed || verifyModule(*module, &errs()))
    return 2;
  return writeOutput(tool, [&](raw_ostream &os) {
    module->print(os, nullptr);
    return 0;
  });
}

int runMachinePass(const char *tool) {
  auto mir = MemoryBuffer::getFileOrSTDIN(input, /*IsText=*/true);
  if (!mir) {
    WithColor::error(errs(), tool) << input << ": " << mir.getError().message() << "\n";
    return 1;
  }
  return writeOutput(tool, [&](raw_ostream &os) {
    Error e = vx::runMachinePass(machinePass, std::move(*mir), os);
    if (!e)
      return 0;
    WithColor::error(errs(), tool) << toString(std::move(e)) << "\n";
    return 2;
  });
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "vx-opt: run passes of the Vortex compiler on LLVM IR\n");
  if (listPasses) {
    vx::printPasses(outs());
    return 0;
  }
  return machinePass.empty() ? runPasses(argv[0]) : runMachinePass(argv[0]);
}
