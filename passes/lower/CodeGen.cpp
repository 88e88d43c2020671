// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/CodeGen.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "passes/lower/AsmDiagnostics.h"
#include "passes/lower/CodegenSwitches.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace llvm;

namespace vx {

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(const CodegenOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTarget();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVAsmPrinter();
    LLVMInitializeRISCVAsmParser();
  });
  bool is64 = options.xlen == 64;
  Triple triple(is64 ? "riscv64-unknown-elf" : "riscv32-unknown-elf");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(error);
  TargetOptions to;
  to.MCOptions.ABIName = is64 ? "lp64d" : "ilp32d";
  to.AllowFPOpFusion = FPOpFusion::Standard; // the front end marks what may fuse (contract)
  std::string features = "+m,+a,+f,+d,-relax";
  if (options.zicond)
    features += ",+zicond";
  auto level = options.device.optLevel == 0 ? CodeGenOptLevel::Less : CodeGenOptLevel::Default;
  std::unique_ptr<TargetMachine> tm(target->createTargetMachine(
      triple, "", features, to, Reloc::Static, CodeModel::Medium, level));
  if (!tm)
    return createStringError("LLVM has no code generator for " + triple.str());
  tm->Options.EnableCFIFixup = false; // nothing unwinds, and prologues stay where they are
  return tm;
}

/// Returns true if a block is so large that MachineCombiner, which works out the depth of all its
/// instructions anew after each change, takes longer than all else (half arithmetic, unrolled a
/// thousand times).
static bool hasHugeBlock(const Module &module) {
  constexpr size_t huge = 5000;
  return any_of(module, [](const Function &f) {
    return any_of(f, [](const BasicBlock &block) { return block.size() > huge; });
  });
}

/// Machine instructions of a function whose operands are shared. In smaller ones it makes no
/// difference to the time, and other registers would be chosen.
static constexpr unsigned kLargeFunction = 10000;

Error generateCode(Module &module, TargetMachine &tm, bool object, SmallVectorImpl<char> &output,
                   UsageMap &usage, const StringSet<> &defined) {
  CodegenSwitches switches(CodegenSwitches::Mode::Device);
  BranchCheckResult check;
  AsmDiagnostics diagnostics(module);
  raw_svector_ostream os(output);
  {
    legacy::PassManager pm;
    TargetLibraryInfoImpl tlii(tm.getTargetTriple());
    tlii.disableAllFunctions();
    pm.add(new TargetLibraryInfoWrapperPass(tlii));
    auto *mmi = new MachineModuleInfoWrapperPass(&tm);
    TargetPassConfig *config = tm.createPassConfig(pm);
    config->setDisableVerify(true); // the stages before have verified the module
    pm.add(config);
    pm.add(mmi);
    for (AnalysisID id : {&BranchFolderPassID, &TailDuplicateLegacyID, &EarlyTailDuplicateLegacyID,
                          &EarlyIfConverterLegacyID, &ShrinkWrapID})
      config->disablePass(id);
    if (keepsVariables(module)) // a line's instructions stay after those of the line before
      for (AnalysisID id : {&MachineSchedulerID, &MachineBlockPlacementID})
        config->disablePass(id);
    else // there are lines, and no variables to follow
      for (AnalysisID id : {&LiveDebugValuesID, &RemoveRedundantDebugValuesID})
        config->disablePass(id);
    if (hasHugeBlock(module))
      config->disablePass(&MachineCombinerID);
    config->insertPass(&StackSlotColoringID, createSpillSlotsPass());
    config->insertPass(&MachineBlockPlacementID, createForwardJumpsPass());
    if (config->addISelPasses())
      return createStringError("LLVM cannot select instructions for this target");
    pm.add(createEndEntriesPass());
    pm.add(createShareOperandsPass(kLargeFunction));
    config->addMachinePasses();
    config->setInitialized();
    if (keepsVariables(module))
      pm.add(createMarkProloguesPass());
    pm.add(createBranchCheckPass(check));
    pm.add(createMachineUsagePass(usage));
    auto type = object ? CodeGenFileType::ObjectFile : CodeGenFileType::AssemblyFile;
    if (tm.addAsmPrinter(pm, os, nullptr, type, mmi->getMMI().getContext()))
      return createStringError("LLVM cannot emit this kind of file");
    pm.add(createFreeMachineFunctionPass());
    pm.run(module);
  }
  if (diagnostics.failed())
    return createStringError("device compilation failed");
  for (const auto &[name, place] : check.libcalls)
    if (name != kSpillAreaFunction && !defined.contains(name))
      return createStringError("an operation" + place + " needs the library function '" + name +
                               "', which the device does not have");
  if (check.problems.empty() || hasPaths(module)) // there, a branch needs no mark
    return Error::success();
  std::string text = "code generation produced control flow that is not safe for SIMT execution "
                     "(please report this):";
  for (const std::string &problem : check.problems)
    text += "\n  " + problem;
  return createStringError(text);
}

} // namespace vx
