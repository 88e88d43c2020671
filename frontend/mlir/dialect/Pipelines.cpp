// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-attach-target, and the pipelines as text: they are made of stock passes, which the program
// that has loaded this has registered.

#include "frontend/mlir/dialect/Vx.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace vx::dialect {

#define GEN_PASS_DEF_VXATTACHTARGET
#include "frontend/mlir/dialect/VxPasses.h.inc"

namespace {

struct AttachPass : impl::VxAttachTargetBase<AttachPass> {
  using VxAttachTargetBase::VxAttachTargetBase;
  void runOnOperation() override {
    llvm::Regex matcher(module.empty() ? ".*" : StringRef(module));
    std::string problem;
    if (!matcher.isValid(problem)) {
      getOperation()->emitError("vx-attach-target: \"") << module << "\": " << problem;
      return signalPassFailure();
    }
    OpBuilder builder(&getContext());
    SmallVector<StringRef> files(link.begin(), link.end());
    auto target = TargetAttr::getChecked(
        [&] { return getOperation()->emitError("vx-attach-target: "); }, &getContext(),
        int(optLevel), StringRef(lower), StringRef(xlen), StringRef(isa), StringRef(this->target),
        bool(lines), StringRef(compilerOptions),
        files.empty() ? nullptr : builder.getStrArrayAttr(files));
    if (!target)
      return signalPassFailure();
    for (Region &region : getOperation()->getRegions())
      for (auto op : region.getOps<gpu::GPUModuleOp>()) {
        if (!matcher.match(op.getName()))
          continue;
        SmallVector<Attribute> targets;
        if (std::optional<ArrayAttr> old = op.getTargets())
          targets.append(old->begin(), old->end());
        if (!is_contained(targets, target))
          targets.push_back(target);
        op.setTargetsAttr(builder.getArrayAttr(targets));
      }
  }
};

/// The options have the names that those of gpu-lower-to-nvvm-pipeline have, as far as they mean
/// something here.
struct LowerOptions : PassPipelineOptions<LowerOptions> {
  Option<int64_t> indexBits{*this, "index-bitwidth", llvm::cl::desc("width of the type index"),
                            llvm::cl::init(64)};
  Option<std::string> format{*this, "cubin-format",
                             llvm::cl::desc("what is embedded: fatbin, bin, isa or llvm"),
                             llvm::cl::init("fatbin")};
  Option<int> optLevel{*this, "opt-level", llvm::cl::desc("level of optimization"),
                       llvm::cl::init(3)};
  Option<bool> kernelBare{*this, "kernel-bare-ptr-calling-convention",
                          llvm::cl::desc("kernels take memrefs as pointers"),
                          llvm::cl::init(false)};
  Option<bool> hostBare{*this, "host-bare-ptr-calling-convention",
                        llvm::cl::desc("host functions take memrefs as pointers"),
                        llvm::cl::init(false)};
  Option<bool> rollback{*this, "allow-pattern-rollback",
                        llvm::cl::desc("whether conversions in gpu.modules may roll back"),
                        llvm::cl::init(true)};
  Option<std::string> lower{*this, "lower", llvm::cl::desc("variants of the kernels"),
                            llvm::cl::init("auto")};
  Option<std::string> xlen{*this, "xlen", llvm::cl::desc("widths of registers"),
                           llvm::cl::init("64")};
  Option<std::string> isa{*this, "isa", llvm::cl::desc("instructions of the device"),
                          llvm::cl::init("warp")};
  Option<std::string> target{*this, "target", llvm::cl::desc("whose code is embedded"),
                             llvm::cl::init("vortex")};
  Option<bool> lines{*this, "lines", llvm::cl::desc("whether reports know source lines"),
                     llvm::cl::init(true)};
  Option<std::string> opts{*this, "opts", llvm::cl::desc("further options of vxcc"),
                           llvm::cl::init("")};
};

using ErrorHandler = function_ref<LogicalResult(const Twine &)>;

/// Adds the passes that TEXT names. Values of options are part of TEXT, and may be such that it is
/// not a pipeline.
LogicalResult add(OpPassManager &pm, const Twine &text, ErrorHandler onError) {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (succeeded(parsePassPipeline(text.str(), pm, os)))
    return success();
  return onError(StringRef(problem).trim());
}

StringRef word(bool value) {
  return value ? "true" : "false";
}

/// Returns the passes that take everything in gpu.modules to the LLVM and NVVM dialects. Arithmetic
/// is to come as it is: convert-gpu-to-nvvm has functions of the device for some of it, and for
/// most of `math`.
std::string devicePasses(int64_t indexBits, bool barePointers, bool rollback) {
  return llvm::formatv(
      "gpu.module(vx-promote-printf,vx-lower-subgroup-reduce,vx-lower-subgroup-ops,"
      "vx-lower-vectors,"
      "convert-gpu-to-nvvm{{index-bitwidth={0} use-bare-ptr-memref-call-conv={1} has-redux=true "
      "allow-pattern-rollback={2}},convert-math-to-llvm,canonicalize,cse,"
      "reconcile-unrealized-casts)",
      indexBits, word(barePointers), word(rollback));
}

constexpr StringLiteral kStructure = "convert-vector-to-scf,convert-scf-to-cf,convert-nvvm-to-llvm";

LogicalResult buildLowerPipeline(OpPassManager &pm, StringRef text, ErrorHandler onError) {
  LowerOptions options;
  if (failed(options.parseFromString(text)))
    return failure();
  std::string target =
      llvm::formatv("vx-attach-target{{O={0} lower={1} xlen={2} isa={3} target={4} lines={5} "
                    "opts=\"{6}\"}",
                    options.optLevel, options.lower, options.xlen, options.isa, options.target,
                    word(options.lines), options.opts);
  std::string host =
      llvm::formatv("gpu-to-llvm{{use-bare-pointers-for-host={0} "
                    "use-bare-pointers-for-kernels={1}},"
                    "gpu-module-to-binary{{format={2}}",
                    word(options.hostBare), word(options.kernelBare), options.format);
  return add(pm,
             "gpu-kernel-outlining," + kStructure +
                 ",convert-func-to-llvm,expand-strided-metadata," + target +
                 ",lower-affine,convert-index-to-llvm{index-bitwidth=" + Twine(options.indexBits) +
                 "},canonicalize,cse," +
                 devicePasses(options.indexBits, options.kernelBare, options.rollback) +
                 ",convert-arith-to-llvm," + host +
                 ",convert-math-to-llvm,canonicalize,cse,reconcile-unrealized-casts",
             onError);
}

LogicalResult buildDevicePipeline(OpPassManager &pm, StringRef, ErrorHandler onError) {
  return add(pm,
             "gpu.module(" + kStructure +
                 ",expand-strided-metadata,lower-affine,convert-index-to-llvm,canonicalize,cse)," +
                 devicePasses(64, false, true),
             onError);
}

} // namespace

void registerDialects(DialectRegistry &registry) {
  registry.insert<VxDialect>();
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void registerPassesAndPipelines() {
  registerVxPasses();
  registerPassPipeline(
      "gpu-lower-to-vx-pipeline",
      "Lowers arith, memref, scf, vector, gpu, nvvm and vx to the LLVM dialect, with binaries for "
      "Vortex in place of gpu.modules and calls of the mgpu functions for the host.",
      buildLowerPipeline,
      [](function_ref<void(const mlir::detail::PassOptions &)> use) { use(LowerOptions()); });
  registerPassPipeline("vx-lower-device-pipeline",
                       "Lowers what is in gpu.modules to the LLVM and NVVM dialects, and nothing "
                       "else.",
                       buildDevicePipeline,
                       [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}

} // namespace vx::dialect
