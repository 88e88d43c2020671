// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/import/Math.h"
#include "lib/VortexIR/LinkBitcode.h"
#include "passes/import/Import.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace vx {
namespace {

bool isMathName(StringRef name) {
  return name.starts_with("__nv_") || name.starts_with("__vxm_");
}

bool needsMath(const Module &m) {
  return any_of(m, [](const Function &f) { return f.isDeclaration() && isMathName(f.getName()); });
}

void reportMissing(Module &m) {
  for (Function &f : m) {
    if (!f.isDeclaration() || !isMathName(f.getName()))
      continue;
    for (const User *u : f.users())
      if (const auto *i = dyn_cast<Instruction>(u))
        reportUnsupported(*i,
                          "device math function '" + f.getName() + "' is not supported by vxcc");
  }
}

/// Fuses multiplications and additions that may be fused: the machine can, and results do not
/// depend on how a kernel is lowered.
void fuseMultiplyAdd(Module &m) {
  for (Function &f : make_early_inc_range(m)) {
    if (f.getIntrinsicID() != Intrinsic::fmuladd)
      continue;
    f.replaceAllUsesWith(Intrinsic::getOrInsertDeclaration(&m, Intrinsic::fma, f.getReturnType()));
    f.eraseFromParent();
  }
}

Expected<std::unique_ptr<Module>> readModule(LLVMContext &ctx, StringRef path) {
  SMDiagnostic problem;
  std::unique_ptr<Module> m = parseIRFile(path, problem, ctx);
  if (!m)
    return createStringError("cannot read " + path + ": " + problem.getMessage());
  import::retarget(*m);
  for (Function &f : *m)
    import::dropForeignAttributes(f);
  return m;
}

} // namespace

Error linkDeviceMath(Module &m, StringRef resourceDir) {
  lowerMathOperations(m);
  if (!needsMath(m))
    return Error::success();
  if (auto linked = linkBitcode(m, (resourceDir + "/vxmath.bc").str()); !linked)
    return linked.takeError();
  reportMissing(m);
  return Error::success();
}

Expected<std::unique_ptr<Module>> makeDeviceMath(LLVMContext &ctx, StringRef libclc,
                                                 ArrayRef<StringRef> parts) {
  Expected<std::unique_ptr<Module>> library = readModule(ctx, libclc);
  if (!library)
    return library.takeError();
  Module &m = **library;
  for (StringRef part : parts) {
    Expected<std::unique_ptr<Module>> extra = readModule(ctx, part);
    if (!extra)
      return extra.takeError();
    if (Linker::linkModules(m, std::move(*extra)))
      return createStringError("cannot link " + part);
  }
  for (GlobalValue &g : m.global_values())
    if (!g.isDeclaration() && !isMathName(g.getName()))
      g.setLinkage(GlobalValue::InternalLinkage);
  ModulePassManager cleanUp;
  cleanUp.addPass(GlobalDCEPass());
  ModuleAnalysisManager none;
  none.registerPass([] { return PassInstrumentationAnalysis(); });
  cleanUp.run(m, none);
  fuseMultiplyAdd(m);
  import::makeAddressSpacesGeneric(m);
  // -fno-builtin was for these files only: a function that has it is never inlined into one that
  // has not, and __nv_min would stay a call.
  for (Function &f : m)
    f.removeFnAttr("no-builtins");
  return library;
}

} // namespace vx
