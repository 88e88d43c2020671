// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of what diverges on Vortex, as VxTTI tells UniformityAnalysis, and the assembly of the
// device that DeviceAsm makes and recognizes.

#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/VxTTI.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace vx;

namespace {

class UniformityTest : public testing::Test {
protected:
  UniformityTest() {
    registerDivergenceTTI(fam);
    builder.registerModuleAnalyses(mam);
    builder.registerCGSCCAnalyses(cgam);
    builder.registerFunctionAnalyses(fam);
    builder.registerLoopAnalyses(lam);
    builder.crossRegisterProxies(lam, fam, cgam, mam);
  }

  void parse(StringRef source) {
    SMDiagnostic diagnostic;
    module =
        parseAssemblyString(("target datalayout = \"e-m:e-p:64:64-i64:64-i128:128-n32:64-S128\"\n"
                             "target triple = \"riscv64-unknown-elf\"\n" +
                             source)
                                .str(),
                            diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
  }

  /// Returns true if the value named NAME in function F differs between lanes.
  bool diverges(StringRef function, StringRef name) {
    Function *f = module->getFunction(function);
    auto &ui = fam.getResult<UniformityInfoAnalysis>(*f);
    for (Argument &a : f->args())
      if (a.getName() == name)
        return ui.isDivergent(&a);
    for (Instruction &i : instructions(*f))
      if (i.getName() == name)
        return ui.isDivergent(&i);
    ADD_FAILURE() << "no value " << name.str();
    return false;
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  PassBuilder builder;
};

TEST_F(UniformityTest, KernelsAndDeviceFunctions) {
  parse(R"(
    declare i32 @__vx_thread_idx_x() memory(none)
    declare i32 @__vx_block_idx_x() memory(none)
    declare i32 @__vx_vote_any(i32, i32) convergent
    define void @kernel(ptr %p, i32 %n) "vx-kernel" {
      %tid = call i32 @__vx_thread_idx_x()
      %bid = call i32 @__vx_block_idx_x()
      %sum = add i32 %bid, %n
      %of = add i32 %sum, %tid
      %local = alloca i32
      %same = load i32, ptr %p
      %at = getelementptr i32, ptr %p, i32 %tid
      %own = load i32, ptr %at
      %old = atomicrmw add ptr %p, i32 1 monotonic
      %vote = call i32 @__vx_vote_any(i32 -1, i32 %own)
      ret void
    }
    define i32 @device(i32 %x) {
      %y = add i32 %x, 1
      ret i32 %y
    })");
  for (const char *uniform : {"p", "n", "bid", "sum", "same"})
    EXPECT_FALSE(diverges("kernel", uniform)) << uniform;
  // A vote is one value for a warp, not for the block.
  for (const char *divergent : {"tid", "of", "local", "own", "old", "vote"})
    EXPECT_TRUE(diverges("kernel", divergent)) << divergent;
  EXPECT_TRUE(diverges("device", "x"));
  EXPECT_TRUE(diverges("device", "y"));
}

TEST_F(UniformityTest, AssemblyOfTheDevice) {
  module = std::make_unique<Module>("m", context);
  module->setDataLayout("e-m:e-p:64:64-i64:64-i128:128-n32:64-S128");
  IRBuilder<> b(context);
  Function *f = Function::Create(FunctionType::get(b.getVoidTy(), {b.getInt64Ty()}, false),
                                 GlobalValue::ExternalLinkage, "entry", *module);
  f->addFnAttr(kEntryAttr);
  b.SetInsertPoint(BasicBlock::Create(context, "", f));
  Value *thread = emitCsrRead(b, VX_CSR_THREAD_ID), *warp = emitCsrRead(b, VX_CSR_WARP_ID);
  thread->setName("thread");
  warp->setName("warp");
  emitVote(b, WarpOp::VoteAny, b.CreateTrunc(thread, b.getInt32Ty()), nullptr);
  SplitResult split = emitSplit(b, b.CreateICmpEQ(thread, b.getInt64(1)), 3);
  emitJoin(b, split.token, 3);
  b.CreateRetVoid();
  EXPECT_TRUE(diverges("entry", "thread"));
  EXPECT_FALSE(diverges("entry", "warp"));

  auto asmOf = [](Value *v) -> const InlineAsm & {
    return *cast<InlineAsm>(cast<CallInst>(v)->getCalledOperand());
  };
  EXPECT_EQ(getReadCsr(asmOf(thread)), std::optional<unsigned>(VX_CSR_THREAD_ID));
  EXPECT_TRUE(isUniformAsm(asmOf(warp)));
  EXPECT_FALSE(isUniformAsm(asmOf(thread)));
  EXPECT_EQ(profileOf(asmOf(thread)), vx::abi::IsaProfile::Base);
  std::vector<std::string> markers;
  unsigned csrReads = 0, beyondBase = 0; // the vote needs more instructions
  for (Instruction &i : instructions(*f))
    if (auto *call = dyn_cast<CallInst>(&i); call && call->isInlineAsm()) {
      csrReads += getReadCsr(asmOf(call)).has_value();
      beyondBase += profileOf(asmOf(call)) != vx::abi::IsaProfile::Base;
      if (StringRef marker = getMarker(asmOf(call).getAsmString()); !marker.empty())
        markers.push_back(marker.str());
    }
  EXPECT_EQ(csrReads, 2u);
  EXPECT_EQ(beyondBase, 1u);
  EXPECT_EQ(markers, (std::vector<std::string>{"split 3", "join 3"}));
}

TEST_F(UniformityTest, AssemblyOfTheSourceHasNoMarker) {
  std::string text = sourceAsmText("# vx.split 3\n\tnop");
  EXPECT_TRUE(isSourceAsm(text));
  EXPECT_TRUE(getMarker(text).empty());
  EXPECT_FALSE(isSourceAsm("# vx.split 3"));
  EXPECT_EQ(getMarker("# vx.split 3"), "split 3");
}

} // namespace
