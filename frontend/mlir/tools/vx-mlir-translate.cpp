// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-mlir-translate INPUT -o OUTPUT: the gpu.modules of a file as one module of NVVM IR, in
// bitcode. vxcc runs it for its inputs in MLIR. Ends with 1 if a file cannot be read or written,
// with 2 if what was read is at fault.

#include "frontend/mlir/dialect/Vx.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace {

constexpr int kBadFile = 1, kBadInput = 2;

/// Fails if MODULE has more than device code. Device code has no host half: what is outside of
/// gpu.modules would be lost without a word.
LogicalResult checkOnlyDevice(ModuleOp module, StringRef input) {
  bool good = true, any = false;
  for (Operation &op : module.getBody()->getOperations()) {
    any |= isa<gpu::GPUModuleOp>(op);
    if (isa<gpu::GPUModuleOp>(op))
      continue;
    good = false;
    op.emitError("vxcc compiles gpu.modules, and '")
        << op.getName() << "' is outside of them; for host code there is gpu-lower-to-vx-pipeline";
  }
  if (good && !any) {
    // The error is at the file, not at the operation, which may be one that the source does not
    // have.
    llvm::errs() << "vxcc: error: '" << input << "': there is no gpu.module in it\n";
    return failure();
  }
  return success(good);
}

/// Returns MODULE, which is in the LLVM dialect, as NVVM IR.
std::unique_ptr<llvm::Module> translate(gpu::GPUModuleOp module, llvm::LLVMContext &context) {
  auto target = vx::dialect::TargetAttr::get(module.getContext(), 3, "auto", "64", "warp", "vortex",
                                             /*lines=*/true, "", nullptr);
  if (std::optional<ArrayAttr> targets = module.getTargets())
    for (Attribute attribute : *targets)
      if (auto own = dyn_cast<vx::dialect::TargetAttr>(attribute))
        target = own;
  gpu::TargetOptions options("", {}, "", "", gpu::CompilationTarget::Offload);
  auto bitcode = target.serializeToObject(module, options);
  if (!bitcode)
    return nullptr;
  auto result = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(StringRef(bitcode->data(), bitcode->size()), module.getName()),
      context);
  if (result)
    return std::move(*result);
  module.emitError("its NVVM IR cannot be read: ") << llvm::toString(result.takeError());
  return nullptr;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  static llvm::cl::OptionCategory category("vx-mlir-translate options");
  static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<input>"),
                                          llvm::cl::init("-"), llvm::cl::cat(category));
  static llvm::cl::opt<std::string> output("o", llvm::cl::desc("Write the bitcode to <file>"),
                                           llvm::cl::value_desc("file"), llvm::cl::init("-"),
                                           llvm::cl::cat(category));
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "gpu.modules to NVVM IR\n");

  registerAllPasses();
  vx::dialect::registerPassesAndPipelines();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  vx::dialect::registerDialects(registry);
  MLIRContext context(registry);

  std::string problem;
  auto file = openInputFile(input, &problem);
  if (!file) {
    llvm::errs() << "'" << input << "': " << problem << "\n";
    return kBadFile;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(checkOnlyDevice(*module, input)))
    return kBadInput;
  PassManager passes(&context);
  if (failed(parsePassPipeline("vx-lower-device-pipeline", passes)) || failed(passes.run(*module)))
    return kBadInput;

  // Without a handler, an error of the linker would end the process.
  std::string reason;
  llvm::LLVMContext llvmContext;
  llvmContext.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *text) {
        llvm::raw_string_ostream os(*static_cast<std::string *>(text));
        llvm::DiagnosticPrinterRawOStream printer(os);
        info->print(printer);
      },
      &reason);
  llvm::Module linked(input, llvmContext);
  for (auto part : module->getOps<gpu::GPUModuleOp>()) {
    auto device = translate(part, llvmContext);
    if (!device)
      return kBadInput;
    if (linked.empty() && linked.global_empty()) {
      linked.setTargetTriple(device->getTargetTriple());
      linked.setDataLayout(device->getDataLayout());
    }
    if (llvm::Linker::linkModules(linked, std::move(device))) {
      part.emitError("it cannot be linked with the gpu.modules before it: ") << reason;
      return kBadInput;
    }
  }
  auto result = openOutputFile(output, &problem);
  if (!result) {
    llvm::errs() << problem << "\n";
    return kBadFile;
  }
  llvm::WriteBitcodeToFile(linked, result->os());
  result->keep();
  return 0;
}
