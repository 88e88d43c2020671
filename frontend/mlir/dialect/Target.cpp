// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #vx.target as gpu::TargetAttrInterface: a gpu.module in the LLVM and NVVM dialects becomes NVVM
// IR, the contract with the device compiler, and vxcc makes the images of it.

#include "frontend/mlir/dialect/Vx.h"
#include "frontend/mlir/dialect/VxccProcess.h"
#include "lib/VortexIR/VxFunctions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace vx::dialect {
namespace {

constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";
constexpr StringLiteral kChip = "sm_80"; // as for CUDA: __CUDA_ARCH__ is 800

std::string bitcodeOf(const llvm::Module &module) {
  std::string bitcode;
  llvm::raw_string_ostream os(bitcode);
  llvm::WriteBitcodeToFile(module, os);
  return bitcode;
}

/// Makes shared arrays without elements external. Such an array is the dynamic shared memory of the
/// launch: an array of unknown size, for which the optimizer must not take the size that MLIR gives
/// it.
void openDynamicShared(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == kSharedAS &&
        layout.getTypeAllocSize(global.getValueType()) == 0) {
      global.setInitializer(nullptr);
      global.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
}

/// Drops wrappers that nothing needs. convert-gpu-to-nvvm makes of a func.func without a body a
/// wrapper around `_mlir_ciface_NAME`, as for functions in C, which the device has no library of.
/// Where no library in LIBRARIES has that one either, NAME is what is missing: a function of the
/// device, of another gpu.module, or the user's mistake, whose message is to name what the source
/// calls.
void dropUnusedWrappers(llvm::Module &module, ArrayRef<std::unique_ptr<llvm::Module>> libraries) {
  constexpr llvm::StringLiteral kPrefix = "_mlir_ciface_";
  auto isInLibrary = [&](llvm::StringRef name) {
    return llvm::any_of(libraries, [&](const std::unique_ptr<llvm::Module> &library) {
      const llvm::Function *f = library->getFunction(name);
      return f && !f->isDeclaration();
    });
  };
  for (llvm::Function &inner : llvm::make_early_inc_range(module)) {
    llvm::StringRef name = inner.getName();
    if (!inner.isDeclaration() || !name.consume_front(kPrefix) || isInLibrary(inner.getName()))
      continue;
    if (llvm::Function *wrapper = module.getFunction(name)) {
      wrapper->deleteBody();
      if (inner.use_empty())
        inner.eraseFromParent();
    }
  }
}

class Serializer : public LLVM::ModuleToObject {
public:
  Serializer(Operation &module, TargetAttr target, const gpu::TargetOptions &options)
      : ModuleToObject(module, kTriple, "", "", target.getO(), options.getInitialLlvmIRCallback(),
                       options.getLinkedLlvmIRCallback(), options.getOptimizedLlvmIRCallback(),
                       options.getISACallback()),
        target(target), options(options) {}

protected:
  void setDataLayoutAndTriple(llvm::Module &module) override {
    llvm::Triple triple(kTriple);
    module.setTargetTriple(triple);
    module.setDataLayout(triple.computeDataLayout());
  }

  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &module) override {
    SmallVector<Attribute> files(options.getLibrariesToLink());
    if (target.getLink())
      llvm::append_range(files, target.getLink());
    SmallVector<std::unique_ptr<llvm::Module>> modules;
    if (failed(loadBitcodeFilesFromList(module.getContext(), files, modules)))
      return std::nullopt;
    dropUnusedWrappers(module, modules);
    return modules;
  }

  void handleModulePreLink(llvm::Module &module) override { openDynamicShared(module); }

  // vxcc optimizes.
  LogicalResult optimizeModule(llvm::Module &, int) override { return success(); }

  FailureOr<SmallVector<char, 0>> moduleToObject(llvm::Module &module) override {
    switch (options.getCompilationTarget()) {
    case gpu::CompilationTarget::Offload: {
      std::string bitcode = bitcodeOf(module);
      return SmallVector<char, 0>(bitcode.begin(), bitcode.end());
    }
    case gpu::CompilationTarget::Assembly: {
      std::string text;
      llvm::raw_string_ostream(text) << module;
      if (isaCallback)
        isaCallback(text);
      SmallVector<char, 0> bytes(text.begin(), text.end());
      bytes.push_back(0); // it is loaded as a string
      return bytes;
    }
    case gpu::CompilationTarget::Binary:
      return compile(module, "--emit=elf");
    case gpu::CompilationTarget::Fatbin:
      return compile(module, "-fatbin");
    }
    return failure();
  }

private:
  FailureOr<SmallVector<char, 0>> compile(const llvm::Module &module, StringRef emit) {
    std::vector<std::string> args = {emit.str(),
                                     "-O" + std::to_string(target.getO()),
                                     ("--lower=" + target.getLower()).str(),
                                     ("--vx-xlen=" + target.getXlen()).str(),
                                     ("--vx-isa=" + target.getIsa()).str(),
                                     ("--target=" + target.getTarget()).str()};
    for (StringRef text : {target.getOptions(), options.getCmdOptions()})
      for (const char *option : gpu::TargetOptions::tokenizeCmdOptions(text.str()).second)
        args.push_back(option);
    auto output = compileBitcode(bitcodeOf(module), args, options.getToolkitPath());
    if (!output) {
      getOperation().emitError("vxcc cannot compile this module\n")
          << llvm::toString(output.takeError());
      return failure();
    }
    if (!output->messages.empty())
      getOperation().emitWarning("vxcc says\n") << output->messages;
    return std::move(output->bytes);
  }

  TargetAttr target;
  const gpu::TargetOptions &options;
};

/// Returns a copy of MODULE whose functions have what a line table takes.
OwningOpRef<ModuleOp> withLines(gpu::GPUModuleOp module) {
  OwningOpRef<ModuleOp> outer = ModuleOp::create(module.getLoc());
  outer->push_back(module->clone());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
  PassManager passes(module.getContext());
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return succeeded(passes.run(*outer)) ? std::move(outer) : nullptr;
}

} // namespace

std::optional<SmallVector<char, 0>>
TargetAttr::serializeToObject(Operation *op, const gpu::TargetOptions &options) const {
  auto module = dyn_cast<gpu::GPUModuleOp>(op);
  if (!module) {
    op->emitError("#vx.target is for a gpu.module");
    return std::nullopt;
  }
  OwningOpRef<ModuleOp> copy;
  if (getLines()) {
    copy = withLines(module);
    if (!copy)
      return std::nullopt;
    module = *copy->getOps<gpu::GPUModuleOp>().begin();
  }
  return Serializer(*module, *this, options).run();
}

// The object names an #nvvm.target, with this attribute as its flag `vx`: programs such as
// mlir-runner know that dialect, and cannot be told of another.
Attribute TargetAttr::createObject(Operation *op, const SmallVector<char, 0> &object,
                                   const gpu::TargetOptions &options) const {
  Builder builder(op->getContext());
  // mgpuModuleLoadJIT gets the level.
  DictionaryAttr properties;
  if (options.getCompilationTarget() == gpu::CompilationTarget::Assembly)
    properties =
        builder.getDictionaryAttr(builder.getNamedAttr("O", builder.getI32IntegerAttr(getO())));
  std::string own;
  llvm::raw_string_ostream(own) << *this;
  auto target = NVVM::NVVMTargetAttr::get(
      op->getContext(), getO(), kTriple, kChip, /*features=*/"",
      builder.getDictionaryAttr(builder.getNamedAttr("vx", builder.getStringAttr(own))));
  return gpu::ObjectAttr::get(op->getContext(), target, options.getCompilationTarget(),
                              builder.getStringAttr(StringRef(object.data(), object.size())),
                              properties, /*kernels=*/nullptr);
}

} // namespace vx::dialect
