// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of phi webs: which values share a variable.

#include "lib/VortexIR/PhiWebs.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace vx;

namespace {

class PhiWebsTest : public testing::Test {
protected:
  /// Forms the webs of all values of the function in SOURCE.
  void form(StringRef source) {
    SMDiagnostic diagnostic;
    module = parseAssemblyString(source, diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
    Function &f = *module->begin();
    std::vector<Instruction *> values;
    for (Instruction &i : instructions(f))
      if (!i.getType()->isVoidTy())
        values.push_back(&i);
    dt.recalculate(f);
    webs.emplace(f, values, dt);
  }

  bool share(StringRef a, StringRef b) { return webs->webOf(*find(a)) == webs->webOf(*find(b)); }

private:
  const Instruction *find(StringRef name) {
    for (Instruction &i : instructions(*module->begin()))
      if (i.getName() == name)
        return &i;
    ADD_FAILURE() << "no value " << name.str();
    return &*inst_begin(*module->begin());
  }

  LLVMContext context;
  std::unique_ptr<Module> module;
  DominatorTree dt;
  std::optional<PhiWebs> webs;
};

TEST_F(PhiWebsTest, CounterIsOneVariable) {
  form(R"(define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %next
})");
  EXPECT_TRUE(share("i", "next"));
  EXPECT_FALSE(share("i", "more"));
}

TEST_F(PhiWebsTest, OldValueThatIsReadLaterIsAnother) {
  form(R"(define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %i
})");
  EXPECT_FALSE(share("i", "next"));
}

TEST_F(PhiWebsTest, ValuesThatAreSwappedAreTwo) {
  form(R"(define i32 @f(i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 0, %entry ], [ %b, %loop ]
  %b = phi i32 [ %n, %entry ], [ %a, %loop ]
  br i1 %c, label %loop, label %done
done:
  ret i32 %a
})");
  EXPECT_FALSE(share("a", "b"));
}

TEST_F(PhiWebsTest, SidesOfABranchShare) {
  form(R"(define i32 @f(i32 %n, i1 %c) {
entry:
  %before = mul i32 %n, 3
  br i1 %c, label %left, label %right
left:
  %x = add i32 %n, 1
  br label %join
right:
  %y = add i32 %before, %before
  br label %join
join:
  %z = phi i32 [ %x, %left ], [ %y, %right ]
  %kept = phi i32 [ %before, %left ], [ %y, %right ]
  %sum = add i32 %z, %kept
  ret i32 %sum
})");
  EXPECT_TRUE(share("x", "z"));
  EXPECT_TRUE(share("y", "z"));
  EXPECT_FALSE(share("z", "kept"));
  EXPECT_TRUE(share("before", "kept"));
}

TEST_F(PhiWebsTest, ValueThatEndsAtAnotherEdgeShares) {
  form(R"(define i32 @f(i32 %n, i1 %c, i1 %d) {
entry:
  %v = mul i32 %n, 3
  br i1 %c, label %join, label %other
other:
  %w = add i32 %n, 1
  br i1 %d, label %join, label %use
use:
  ret i32 %v
join:
  %p = phi i32 [ %v, %entry ], [ %w, %other ]
  ret i32 %p
})");
  EXPECT_TRUE(share("v", "p"));
  EXPECT_FALSE(share("w", "p")); // v is live where w is made
}

} // namespace
