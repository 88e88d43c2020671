// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/WriteSpirv.h"
#include "frontend/spirv/ExpandIntrinsics.h"
#include "frontend/spirv/Lines.h"
#include "frontend/spirv/Normalize.h"
#include "frontend/spirv/Passes.h"
#include "frontend/spirv/Validate.h"
#include "lib/VortexIR/Analyses.h"
#include "lib/VortexIR/ReportUnsupported.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

extern "C" {
void LLVMInitializeSPIRVTargetInfo();
void LLVMInitializeSPIRVTarget();
void LLVMInitializeSPIRVTargetMC();
void LLVMInitializeSPIRVAsmPrinter();
}

using namespace llvm;

namespace vx::spirv {
namespace {

constexpr unsigned kGeneric = 4;
constexpr unsigned kSubGroupSize = 32;

/// Returns the target triple. Sub-groups with shuffles and ballots came with SPIR-V 1.3; everything
/// else is OpenCL 2.2's.
StringRef tripleFor(bool usesSubGroups) {
  return usesSubGroups ? "spirv64v1.3-unknown-unknown" : "spirv64v1.2-unknown-unknown";
}

bool isKernel(const Function &f) {
  return f.hasFnAttribute(kKernelAttr);
}

bool callsSubGroups(const Module &m) {
  return any_of(m, [](const Function &f) { return f.getName().contains("sub_group"); });
}

/// Inlines all functions, so that kernels alone are left: CUDA's functions are small and called
/// from few places.
void inlineAll(Module &m) {
  for (Function &f : m) {
    f.removeFnAttr(Attribute::NoInline);
    f.removeFnAttr(Attribute::OptimizeNone);
    if (!isKernel(f) && !f.isDeclaration()) {
      f.setLinkage(GlobalValue::InternalLinkage);
      f.addFnAttr(Attribute::AlwaysInline);
    }
  }
}

/// Leaves only what the back end has instructions for: atomic operations on integers.
void expandAtomics(Module &m) {
  auto isKnown = [](const AtomicRMWInst &rmw) {
    switch (rmw.getOperation()) {
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
      return rmw.getType()->isIntegerTy();
    default:
      return false;
    }
  };
  SmallVector<AtomicRMWInst *, 8> unknown; // expanding them divides blocks
  for (Function &f : m)
    for (llvm::Instruction &i : instructions(f))
      if (auto *rmw = dyn_cast<AtomicRMWInst>(&i); rmw && !isKnown(*rmw))
        unknown.push_back(rmw);
  for (AtomicRMWInst *rmw : unknown)
    expandAtomicRMWToCmpXchg(rmw, [](IRBuilderBase &b, Value *address, Value *loaded, Value *wanted,
                                     Align align, AtomicOrdering ordering, SyncScope::ID scope,
                                     Value *&success, Value *&result, llvm::Instruction *) {
      Type *type = loaded->getType();
      Type *integer = b.getIntNTy(type->getScalarSizeInBits());
      auto *pair = b.CreateAtomicCmpXchg(
          address, b.CreateBitCast(loaded, integer), b.CreateBitCast(wanted, integer), align,
          ordering, AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
      success = b.CreateExtractValue(pair, 1);
      result = b.CreateBitCast(b.CreateExtractValue(pair, 0), type);
    });
}

void optimize(Module &m) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopUnrolling = false;
  PassBuilder pb(nullptr, tuning);
  Analyses analyses(pb);
  auto inferSpaces = [] {
    FunctionPassManager fpm;
    fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
    fpm.addPass(InferAddressSpacesPass(kGeneric));
    return createModuleToFunctionPassAdaptor(std::move(fpm));
  };
  ModulePassManager mpm;
  mpm.addPass(AlwaysInlinerPass());
  mpm.addPass(inferSpaces());
  mpm.addPass(pb.buildPerModuleDefaultPipeline(OptimizationLevel::O2));
  mpm.addPass(inferSpaces());
  mpm.addPass(AddDynamicMemoryPass());
  mpm.addPass(GlobalDCEPass());
  mpm.run(m, analyses.module);
}

/// Reports calls through pointers, of which SPIR-V has none.
void reportIndirectCalls(const Module &m) {
  for (const Function &f : m)
    for (const llvm::Instruction &i : instructions(f))
      if (const auto *call = dyn_cast<CallBase>(&i); call && !call->getCalledFunction())
        reportUnsupported(i, "SPIR-V has no counterpart of calls through pointers to functions, "
                             "virtual ones included");
}

/// Gives kernels what the back end reads, and removes what would say more of the former target.
void finishKernels(Module &m) {
  LLVMContext &ctx = m.getContext();
  auto number = [&](unsigned n) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(ctx), n));
  };
  bool usesSubGroups = callsSubGroups(m);
  for (Function &f : m) {
    if (f.isIntrinsic())
      continue;
    if (isKernel(f)) {
      if (usesSubGroups)
        f.setMetadata("intel_reqd_sub_group_size", MDNode::get(ctx, {number(kSubGroupSize)}));
      f.setLinkage(GlobalValue::ExternalLinkage);
    }
    AttributeMask gone;
    for (Attribute a : f.getAttributes().getFnAttrs())
      if (a.isStringAttribute())
        gone.addAttribute(a.getKindAsString());
    f.removeFnAttrs(gone);
  }
  m.getOrInsertNamedMetadata("opencl.ocl.version")
      ->addOperand(MDNode::get(ctx, {number(2), number(0)}));
}

std::string &fatalMessage() {
  static std::string message;
  return message;
}

/// Sets OUTPUT to the back end's words, or PROBLEM to why there are none. What it cannot do ends
/// the process elsewhere.
bool generate(Module &m, SmallVectorImpl<char> &output, std::string &problem) {
  LLVMInitializeSPIRVTargetInfo();
  LLVMInitializeSPIRVTarget();
  LLVMInitializeSPIRVTargetMC();
  LLVMInitializeSPIRVAsmPrinter();
  const Target *target = TargetRegistry::lookupTarget(m.getTargetTriple(), problem);
  if (!target)
    return false;
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(m.getTargetTriple(), "", "", TargetOptions(), Reloc::PIC_,
                                  std::nullopt, CodeGenOptLevel::Default));
  m.setDataLayout(machine->createDataLayout());
  // It would make additions with carry again.
  if (cl::Option *option = cl::getRegisteredOptions().lookup("disable-cgp"))
    option->addOccurrence(0, "disable-cgp", "true");
  fatalMessage().clear();
  install_fatal_error_handler([](void *, const char *message, bool) {
    fatalMessage() = message;
    CrashRecoveryContext::GetCurrent()->HandleExit(1);
  });
  CrashRecoveryContext::Enable();
  CrashRecoveryContext recovery;
  bool done = recovery.RunSafely([&] {
    raw_svector_ostream os(output);
    legacy::PassManager passes;
    machine->addPassesToEmitFile(passes, os, nullptr, CodeGenFileType::ObjectFile);
    passes.run(m);
  });
  CrashRecoveryContext::Disable();
  remove_fatal_error_handler();
  if (!done)
    problem = "LLVM's SPIR-V back end cannot write this module" +
              (fatalMessage().empty() ? "" : ": " + fatalMessage());
  return done;
}

} // namespace

bool writeSpirv(Module &m, DiagnosticLog &log, SmallVectorImpl<char> &output) {
  auto report = [&](const Twine &problem) {
    log.addPlain(Severity::Error, problem);
    return false;
  };
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *g = m.getNamedGlobal(name))
      g->eraseFromParent();
  ModuleAnalysisManager mam;
  PassBuilder().registerModuleAnalyses(mam);
  ExportFunctionsPass().run(m, mam);
  if (log.hasErrors())
    return false;
  inlineAll(m);
  ExportPointersPass().run(m, mam);
  std::string problem;
  raw_string_ostream os(problem);
  if (verifyModule(m, &os))
    return report("SPIR-V cannot express pointers of this module: " + problem);
  Triple triple(tripleFor(callsSubGroups(m)));
  m.setTargetTriple(triple);
  m.setDataLayout(triple.computeDataLayout());
  optimize(m);
  reportIndirectCalls(m);
  if (log.hasErrors())
    return false;
  expandAtomics(m);
  expandIntrinsics(m);
  finishKernels(m);
  Lines lines;
  lines.mark(m);
  if (!generate(m, output, problem))
    return report(problem);
  std::optional<Words> words = readWords(StringRef(output.data(), output.size()));
  if (!words)
    return report("LLVM's SPIR-V back end has written no module");
  Declarations declarations(*words);
  rewriteNulls(*words, declarations); // for readers such as SPIRV-LLVM-Translator
  lines.write(*words);
  rewritePrintfFormats(*words);
  if (auto found = findProblem(*words))
    return report("LLVM's SPIR-V back end has written a module that is not valid: " + *found);
  output.assign(reinterpret_cast<const char *>(words->data()),
                reinterpret_cast<const char *>(words->data() + words->size()));
  return true;
}

} // namespace vx::spirv
