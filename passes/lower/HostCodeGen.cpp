// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation for the host CPU. The image must not need any library: no function is known to
// the optimizer by its name, and what code generation calls anyway is undefined for the linker.

#include "lib/VortexIR/Analyses.h"
#include "lib/VortexIR/LoopUnits.h"
#include "passes/Passes.h"
#include "passes/lower/CodeGen.h"
#include "passes/lower/CodegenSwitches.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include <mutex>

using namespace llvm;

namespace vx {

Expected<std::unique_ptr<TargetMachine>> createHostTargetMachine(const CodegenOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
  Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(error);
  TargetOptions to;
  to.AllowFPOpFusion = FPOpFusion::Standard; // the front end marks what may fuse
  auto level = options.device.optLevel == 0 ? CodeGenOptLevel::Less : CodeGenOptLevel::Default;
  // x86-64-v3 has fused multiply-add, as the device; the runtime checks the CPU.
  std::unique_ptr<TargetMachine> tm(target->createTargetMachine(
      triple, "x86-64-v3", "", to, Reloc::PIC_, CodeModel::Small, level));
  if (!tm)
    return createStringError("LLVM has no code generator for " + triple.str());
  return tm;
}

/// Runs passes on functions with loops over threads.
class WhereThreadsLoop : public PassInfoMixin<WhereThreadsLoop> {
public:
  explicit WhereThreadsLoop(FunctionPassManager passes) : passes(std::move(passes)) {}
  PreservedAnalyses run(Function &f, FunctionAnalysisManager &fam) {
    bool found = any_of(f, [](const BasicBlock &bb) {
      const Instruction *end = bb.getTerminator();
      return loopUnitOf(end->getMetadata(LLVMContext::MD_loop)) == LoopUnit::Thread;
    });
    return found ? passes.run(f, fam) : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  FunctionPassManager passes;
};

/// Returns vx-widen-threads after what brings loops over threads into its form, with what does not
/// differ between threads outside.
static FunctionPassManager widenThreads() {
  FunctionPassManager fpm;
  fpm.addPass(LowerSwitchPass());
  fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
  fpm.addPass(EarlyCSEPass(true));
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstCombinePass());
  LoopPassManager lpm;
  lpm.addPass(LICMPass(LICMOptions()));
  lpm.addPass(SimpleLoopUnswitchPass(/*NonTrivial=*/true));
  fpm.addPass(createFunctionToLoopPassAdaptor(std::move(lpm), /*UseMemorySSA=*/true));
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstCombinePass());
  fpm.addPass(LowerSwitchPass());
  fpm.addPass(WidenThreadsPass());
  return fpm;
}

void optimizeForHost(Module &module, TargetMachine &tm, unsigned optLevel) {
  TargetLibraryInfoImpl library(tm.getTargetTriple());
  library.disableAllFunctions();
  PassBuilder pb(&tm);
  Analyses analyses(pb, [&](FunctionAnalysisManager &fam) {
    fam.registerPass([&] { return TargetLibraryAnalysis(library); });
  });
  ModulePassManager mpm;
  if (optLevel > 1)
    mpm.addPass(createModuleToFunctionPassAdaptor(WhereThreadsLoop(widenThreads())));
  mpm.addPass(createModuleToFunctionPassAdaptor(LowerOwnAtomicsPass()));
  if (optLevel > 0)
    mpm.addPass(pb.buildPerModuleDefaultPipeline(optLevel == 1 ? OptimizationLevel::O1
                                                               : OptimizationLevel::O2));
  // Last: to the optimizer, all NaNs are one.
  mpm.addPass(createModuleToFunctionPassAdaptor(CanonicalizeNansPass()));
  mpm.addPass(
      createModuleToFunctionPassAdaptor(EarlyCSEPass())); // one test for all uses of a value
  mpm.addPass(VersionEntriesPass());
  mpm.run(module, analyses.module);
}

Error generateHostCode(Module &module, TargetMachine &tm, bool object,
                       SmallVectorImpl<char> &output) {
  CodegenSwitches switches(CodegenSwitches::Mode::Default);
  raw_svector_ostream os(output);
  legacy::PassManager pm;
  TargetLibraryInfoImpl library(tm.getTargetTriple());
  library.disableAllFunctions();
  pm.add(new TargetLibraryInfoWrapperPass(library));
  auto type = object ? CodeGenFileType::ObjectFile : CodeGenFileType::AssemblyFile;
  if (tm.addPassesToEmitFile(pm, os, nullptr, type))
    return createStringError("LLVM cannot emit this kind of file");
  pm.run(module);
  return Error::success();
}

} // namespace vx
