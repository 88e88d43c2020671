// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionValues.h"
#include "lib/PRTransform/VerifyRegions.h"
#include "lib/VortexIR/VxTTI.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>
#include <optional>

using namespace llvm;
using namespace vx;

/// %a and %d live at once; %b takes the place of %a, whose last use is before; %w is wider; %u is
/// one value for the block.
static constexpr const char *kKernel = R"(
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"
define void @kernel(ptr %p, ptr %q) "vx-kernel" {
  %local = alloca [3 x i32]
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  %u = load i32, ptr %q
  %a = load i32, ptr %at
  %d = load i32, ptr %at
  %w = load i64, ptr %at
  store i32 %a, ptr %local
  call void @__vx_barrier()
  %x = add i32 %a, %d
  store i32 %x, ptr %at
  %b = load i32, ptr %at
  call void @__vx_barrier()
  %n = trunc i64 %w to i32
  %y = add i32 %b, %n
  %z = add i32 %y, %d
  %l = load i32, ptr %local
  %zl = add i32 %z, %l
  %zu = add i32 %zl, %u
  store i32 %zu, ptr %at
  ret void
}
declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent
)";

class RegionStorageTest : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic error;
    module = parseAssemblyString(kKernel, error, context);
    ASSERT_TRUE(module) << error.getMessage().str();
    f = module->getFunction("kernel");
    registerDivergenceTTI(fam);
    PassBuilder builder;
    builder.registerModuleAnalyses(mam);
    builder.registerCGSCCAnalyses(cgam);
    builder.registerFunctionAnalyses(fam);
    builder.registerLoopAnalyses(lam);
    builder.crossRegisterProxies(lam, fam, cgam, mam);
    ParallelRegions::canonicalize(*f);
    while (recomputeCheapValues(*f, ParallelRegions(*f)))
      ;
    regions.emplace(*f);
    storage =
        assignStorage(*f, *regions, {fam.getResult<UniformityInfoAnalysis>(*f), /*regular=*/true});
  }

  CrossingValue &value(StringRef name) {
    for (CrossingValue &v : storage.values)
      if (v.slot->getName().starts_with(name))
        return v;
    ADD_FAILURE() << name.str() << " does not cross a boundary";
    return storage.values.front();
  }
  std::string problem() { return findBadStorage(*f, *regions, storage); }

  LLVMContext context;
  std::unique_ptr<Module> module;
  Function *f = nullptr;
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  std::optional<ParallelRegions> regions;
  RegionStorage storage;
};

TEST_F(RegionStorageTest, ValuesThatAreNeverLiveAtOnceShareAPlace) {
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(storage.values.size(), 5u) << "%at is computed again";
  EXPECT_EQ(value("a").offset, value("b").offset);
  EXPECT_NE(value("a").offset, value("d").offset);
  EXPECT_TRUE(value("u").uniform);
  EXPECT_EQ(storage.locals.size(), 1u);
  EXPECT_EQ(storage.contextBytes, 32u) << "a local of 16 bytes, 8 for %w, 4 each for %a and %d";
}

TEST_F(RegionStorageTest, OverlapsOfLiveValuesAreFound) {
  value("d").offset = value("a").offset;
  EXPECT_NE(problem().find("overlap"), std::string::npos) << problem();
}

TEST_F(RegionStorageTest, ArraysOfOtherElementsDoNotShare) {
  // %b and %w: were they never live at once, an element of %w would still cover two of %b.
  value("w").liveInto = {1u};
  value("b").liveInto = {2u};
  value("b").offset = value("w").offset;
  EXPECT_NE(problem().find("overlap"), std::string::npos) << problem();
}

TEST_F(RegionStorageTest, OverlapsWithLocalsAreFound) {
  value("w").offset = storage.locals.front().offset;
  EXPECT_NE(problem().find("overlap"), std::string::npos) << problem();
}

TEST_F(RegionStorageTest, ArraysOutsideOfTheContextAreFound) {
  value("w").offset = storage.contextBytes;
  EXPECT_NE(problem().find("ends outside of the context"), std::string::npos) << problem();
}

TEST_F(RegionStorageTest, ArraysThatAreNotAlignedAreFound) {
  value("w").offset += 4;
  EXPECT_NE(problem().find("is not aligned"), std::string::npos) << problem();
}

TEST_F(RegionStorageTest, ValuesThatWereForgottenAreFound) {
  // A use of an instruction of region 0 in region 2.
  BasicBlock &entry = f->getEntryBlock(), &last = f->back();
  Instruction *early = nullptr;
  for (Instruction &i : entry)
    if (isa<LoadInst>(i) && i.getType()->isIntegerTy(32))
      early = &i;
  ASSERT_TRUE(early);
  IRBuilder<> b(last.getTerminator());
  b.CreateStore(early, f->getArg(0));
  EXPECT_NE(problem().find("is live across a boundary"), std::string::npos) << problem();
}

TEST_F(RegionStorageTest, ProblemsAreErrors) {
  unsigned errors = 0;
  context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *, void *count) { ++*static_cast<unsigned *>(count); }, &errors);
  EXPECT_TRUE(verifyRegions(*f, *regions, storage));
  EXPECT_EQ(errors, 0u);
  value("d").offset = value("a").offset;
  EXPECT_FALSE(verifyRegions(*f, *regions, storage));
  EXPECT_EQ(errors, 1u);
}
