// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-expand-memory: memcpy, memmove and memset that code generation would turn into library calls
// become loops in IR, where the divergence passes see them. Copies of a few words are left: they
// become loads and stores.

#include "passes/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace vx {
namespace {

/// Loads or stores that RISC-V code generation emits before it prefers a call (its
/// MaxStoresPerMemcpy is 8; half of it leaves room for unaligned tails).
constexpr uint64_t kMaxInlineAccesses = 4;

bool staysInline(const MemIntrinsic &mem) {
  auto *length = dyn_cast<ConstantInt>(mem.getLength());
  if (!length)
    return false;
  uint64_t align = mem.getDestAlign().valueOrOne().value();
  if (auto *transfer = dyn_cast<MemTransferInst>(&mem))
    align = std::min<uint64_t>(align, transfer->getSourceAlign().valueOrOne().value());
  uint64_t widest = mem.getDataLayout().getPointerSize();
  return length->getZExtValue() <= kMaxInlineAccesses * std::min(align, widest);
}

} // namespace

PreservedAnalyses ExpandMemoryPass::run(Function &f, FunctionAnalysisManager &fam) {
  SmallVector<MemIntrinsic *, 8> work;
  for (Instruction &i : instructions(f))
    if (auto *mem = dyn_cast<MemIntrinsic>(&i); mem && !staysInline(*mem))
      work.push_back(mem);
  if (work.empty())
    return PreservedAnalyses::all();
  // The loops are of the line of the call.
  SmallPtrSet<BasicBlock *, 16> former;
  for (BasicBlock &block : f)
    former.insert(&block);
  const auto &tti = fam.getResult<TargetIRAnalysis>(f);
  for (MemIntrinsic *mem : work) {
    if (auto *copy = dyn_cast<MemCpyInst>(mem))
      expandMemCpyAsLoop(copy, tti);
    else if (auto *move = dyn_cast<MemMoveInst>(mem))
      expandMemMoveAsLoop(move, tti);
    else if (auto *set = dyn_cast<MemSetInst>(mem))
      expandMemSetAsLoop(set);
    for (BasicBlock &block : f)
      if (former.insert(&block).second)
        for (Instruction &i : block)
          if (!i.getDebugLoc())
            i.setDebugLoc(mem->getDebugLoc());
    mem->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace vx
