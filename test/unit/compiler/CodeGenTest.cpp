// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks after code generation: that of branches on machine code, which nothing that the passes
// make should ever fail, the registers of entries, and what is reported of each function.

#include "passes/lower/CodeGen.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "passes/Pipelines.h"
#include "passes/lower/CodegenSwitches.h"
#include "passes/lower/MachineUsage.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace llvm;
using namespace vx;

namespace {

class CodeGenTest : public testing::Test {
protected:
  /// Returns the assembly of SOURCE or, if code generation fails, why.
  std::string generate(StringRef source) {
    SMDiagnostic diagnostic;
    module = parseAssemblyString(source, diagnostic, context);
    if (!module)
      return "cannot parse: " + diagnostic.getMessage().str();
    auto tm = createTargetMachine(CodegenOptions());
    if (!tm)
      return toString(tm.takeError());
    module->setTargetTriple((*tm)->getTargetTriple());
    module->setDataLayout((*tm)->createDataLayout());
    SmallVector<char, 0> output;
    if (Error e =
            generateCode(*module, **tm, /*object=*/false, output, usage, definedFunctions(*module)))
      return toString(std::move(e));
    return std::string(output.begin(), output.end());
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  UsageMap usage;
};

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CodeGenTest, RejectsUnmarkedBranch) {
  std::string result = generate(R"(
    define void @branches(i64 %n, ptr %p) {
      %c = icmp eq i64 %n, 0
      br i1 %c, label %a, label %b
    a:
      store volatile i32 1, ptr %p
      ret void
    b:
      store volatile i32 2, ptr %p
      ret void
    })");
  EXPECT_TRUE(contains(result, "conditional branch without a marker in 'branches'")) << result;
}

TEST_F(CodeGenTest, AcceptsMarkedBranch) {
  // The branch is the same, with what vx-annotate-divergence puts before a uniform branch.
  std::string result = generate(R"(
    define void @branches(i64 %n, ptr %p) {
      %m = call i64 asm sideeffect "# vx.uniform 0", "=r,0"(i64 %n)
      %c = icmp eq i64 %m, 0
      br i1 %c, label %a, label %b
    a:
      store volatile i32 1, ptr %p
      ret void
    b:
      store volatile i32 2, ptr %p
      ret void
    })");
  EXPECT_FALSE(contains(result, "marker in")) << result;
  EXPECT_TRUE(contains(result, "# vx.uniform 0")) << result;
}

TEST_F(CodeGenTest, RejectsDuplicatedMarker) {
  std::string result = generate(R"(
    define i64 @twice(i64 %n) {
      %m = call i64 asm sideeffect "# vx.uniform 7", "=r,0"(i64 %n)
      %o = call i64 asm sideeffect "# vx.uniform 7", "=r,0"(i64 %m)
      ret i64 %o
    })");
  EXPECT_TRUE(contains(result, "marker 'uniform 7' appears more than once in 'twice'")) << result;
}

TEST_F(CodeGenTest, RejectsIndirectBranch) {
  std::string result = generate(R"(
    define void @jumps(ptr %where) {
      indirectbr ptr %where, [label %a, label %b]
    a:
      fence seq_cst
      ret void
    b:
      ret void
    }
    @used = global [2 x ptr] [ptr blockaddress(@jumps, %a), ptr blockaddress(@jumps, %b)])");
  EXPECT_TRUE(contains(result, "indirect branch in 'jumps'")) << result;
}

TEST_F(CodeGenTest, RejectsRuntimeLibraryCall) {
  std::string result = generate("define fp128 @wide(fp128 %x) {\n"
                                "  %y = fmul fp128 %x, %x\n  ret fp128 %y\n}\n");
  EXPECT_TRUE(contains(result, "__multf3")) << result;
}

TEST_F(CodeGenTest, EntriesSaveNoRegisters) {
  // A value that lives across a call is in a callee-saved register, which only @device saves.
  StringRef body = R"((ptr %desc) {
      %v = load volatile i64, ptr %desc
      call void @device(ptr %desc)
      store volatile i64 %v, ptr %desc
      ret void
    })";
  std::string device = generate(("declare void @device(ptr)\ndefine void @f" + body).str());
  std::string entry = generate(("declare void @device(ptr)\ndefine void @f" + body.substr(0, 11) +
                                " \"" + kEntryAttr + "\" " + body.substr(11))
                                   .str());
  EXPECT_TRUE(contains(device, "sd\ts1,")) << device;
  EXPECT_TRUE(contains(device, "ret")) << device;
  EXPECT_FALSE(contains(entry, "sd\tra,")) << entry;
  EXPECT_FALSE(contains(entry, "sd\ts1,")) << entry;
  EXPECT_FALSE(contains(entry, "ret")) << entry;
}

TEST_F(CodeGenTest, ReportsUsage) {
  std::string result = generate(R"(
    declare void @callee(ptr)
    define void @frame() {
      %a = alloca [100 x i64]
      call void @callee(ptr %a)
      ret void
    }
    define void @open(i64 %n) {
      %a = alloca i8, i64 %n
      call void @callee(ptr %a)
      ret void
    }
    define void @unknown(ptr %f) {
      call void %f(ptr %f)
      ret void
    }
    define i64 @leaf(i64 %a, i64 %b) {
      %c = add i64 %a, %b
      ret i64 %c
    })");
  const FunctionUsage &frame = usage["frame"];
  EXPECT_GE(frame.frameBytes, 800u) << result;
  EXPECT_LT(frame.frameBytes, 900u);
  EXPECT_TRUE(frame.callees.contains("callee"));
  EXPECT_FALSE(frame.callsUnknown);
  EXPECT_FALSE(frame.isOpen);
  EXPECT_TRUE(usage["open"].isOpen);
  EXPECT_TRUE(usage["unknown"].callsUnknown);
  EXPECT_EQ(usage["leaf"].frameBytes, 0u);
  EXPECT_EQ(usage["leaf"].registers, 1u);
  EXPECT_TRUE(usage["leaf"].callees.empty());
}

// --- code generation in parts ---

/// Functions that call each other and share internal data, with an operation that
/// becomes a library call.
constexpr const char *kModule = R"(
  @counter = internal global i32 0
  define internal i32 @helper(i32 %x) noinline {
    %old = load i32, ptr @counter
    %sum = add i32 %old, %x
    ret i32 %sum
  }
  define i32 @first(i32 %x) {
    %r = call i32 @helper(i32 %x)
    ret i32 %r
  }
  define i32 @second(i32 %x) {
    %r = call i32 @helper(i32 %x)
    %s = call i32 @first(i32 %r)
    store i32 %s, ptr @counter
    ret i32 %s
  }
  define double @remainder(double %x, double %y) {
    %r = frem double %x, %y
    ret double %r
  })";
constexpr const char *kFmod = R"(
  define double @fmod(double %x, double %y) {
    ret double %x
  })";

class SplitCodeGenTest : public CodeGenTest {
protected:
  /// Returns the objects of SOURCE in parts of at least PARTINSTRUCTIONS, or why there are none.
  std::string generateObjects(const std::string &source, unsigned partInstructions,
                              unsigned threads) {
    SMDiagnostic diagnostic;
    module = parseAssemblyString(source, diagnostic, context);
    if (!module)
      return "cannot parse: " + diagnostic.getMessage().str();
    CodegenOptions options;
    options.partInstructions = partInstructions;
    options.threads = threads;
    auto tm = createTargetMachine(options);
    if (!tm)
      return toString(tm.takeError());
    module->setTargetTriple((*tm)->getTargetTriple());
    module->setDataLayout((*tm)->createDataLayout());
    objects.clear();
    Error e = vx::generateObjects(*module, **tm, options, objects, usage);
    return e ? toString(std::move(e)) : "";
  }

  std::vector<SmallVector<char, 0>> objects;
};

TEST_F(SplitCodeGenTest, IsTheSameOnAnyNumberOfThreads) {
  std::string source = std::string(kModule) + kFmod;
  ASSERT_EQ(generateObjects(source, 4, 1), "");
  EXPECT_EQ(objects.size(), 3u);
  std::vector<SmallVector<char, 0>> one = objects;
  for (unsigned threads : {2u, 3u, 0u}) {
    ASSERT_EQ(generateObjects(source, 4, threads), "");
    EXPECT_EQ(objects, one);
  }
}

TEST_F(SplitCodeGenTest, ReportsUsageOfAllParts) {
  ASSERT_EQ(generateObjects(std::string(kModule) + kFmod, 4, 2), "");
  for (const char *name : {"helper", "first", "second", "remainder", "fmod"})
    EXPECT_TRUE(usage.contains(name)) << name;
  EXPECT_TRUE(usage["second"].callees.contains("first"));
}

TEST_F(SplitCodeGenTest, DoesNotSplitSmallModules) {
  ASSERT_EQ(generateObjects(std::string(kModule) + kFmod, 40000, 2), "");
  EXPECT_EQ(objects.size(), 1u);
}

TEST_F(SplitCodeGenTest, ReportsErrorsOfPartsOnce) {
  std::string error = generateObjects(kModule, 4, 2);
  EXPECT_TRUE(contains(error, "needs the library function 'fmod'")) << error;
  EXPECT_EQ(error, generateObjects(kModule, 40000, 1));
}

// --- LLVM's switches ---

bool duplicatesTails() {
  auto *option = cl::getRegisteredOptions().find("tail-dup-placement")->second;
  return *static_cast<cl::opt<bool> *>(option);
}

TEST(CodegenSwitchesTest, AreSetForTheDeviceOnlyAndWhateverResetThem) {
  EXPECT_TRUE(duplicatesTails());
  for (int round = 0; round < 2; ++round) {
    {
      CodegenSwitches device(CodegenSwitches::Mode::Device);
      EXPECT_FALSE(duplicatesTails());
    }
    CodegenSwitches link(CodegenSwitches::Mode::Default);
    EXPECT_TRUE(duplicatesTails());
    cl::ResetAllOptionOccurrences(); // as lld does
  }
}

TEST(CodegenSwitchesTest, StayAsTheyAreWhileAnyThreadNeedsThem) {
  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (bool device : {true, false, true, false})
    threads.emplace_back([&wrong, device] {
      for (int i = 0; i < 100; ++i) {
        CodegenSwitches switches(device ? CodegenSwitches::Mode::Device
                                        : CodegenSwitches::Mode::Default);
        for (int look = 0; look < 10; ++look, std::this_thread::yield())
          wrong += duplicatesTails() == device;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0u);
}

} // namespace
