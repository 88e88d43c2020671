// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-assume-flat-blocks: kernels of logical warps that are for blocks of one dimension only (flag
// flat, vx-clone-logical-warps) compute with that (FlatBlocks.h).

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/regions/FlatBlocks.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {

void assumeFlatBlocks(Function &f) {
  SmallVector<WeakVH, 8> calls; // a tracking handle would follow the replacement
  for (Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i); fn == VxFn::ThreadIdxY || fn == VxFn::ThreadIdxZ)
      calls.push_back(&i);
  for (WeakVH &call : calls) {
    auto *i = cast<Instruction>(call);
    replaceAndRecursivelySimplify(i, ConstantInt::get(i->getType(), 0));
    if (call)
      cast<Instruction>(call)->eraseFromParent();
  }
}

/// What USER computes from the X coordinate of a thread as a function of X >> SHIFT, for which
/// vx_warp_id stands; null if it does not depend on that alone.
static Value *computeFromGroup(Instruction &user, const Value *x, unsigned shift) {
  IRBuilder<> b(&user);
  const APInt *c;
  CmpPredicate predicate;
  auto group = [&] { return emitCall(b, VxFn::WarpId); };
  if (match(&user, m_LShr(m_Specific(x), m_APInt(c))) && c->uge(shift) && c->ult(32))
    return b.CreateLShr(group(), c->getZExtValue() - shift);
  if (match(&user, m_And(m_Specific(x), m_APInt(c))) && c->countr_zero() >= shift)
    return b.CreateAnd(b.CreateShl(group(), shift), *c);
  if (!match(&user, m_ICmp(predicate, m_Specific(x), m_APInt(c))))
    return nullptr;
  bool isBelow = predicate == ICmpInst::ICMP_ULT && c->countr_zero() >= shift;
  bool isAbove = predicate == ICmpInst::ICMP_UGT && (*c + 1).countr_zero() >= shift;
  if (isBelow)
    return b.CreateICmpULT(group(), b.getInt32(c->lshr(shift).getZExtValue()));
  if (isAbove)
    return b.CreateICmpUGT(group(), b.getInt32(c->lshr(shift).getZExtValue()));
  return nullptr;
}

void useGroupNumbers(Function &f, unsigned shift) {
  SmallVector<std::pair<Instruction *, Instruction *>, 16> users;
  for (Instruction &i : instructions(f))
    if (getVxFn(&i) == VxFn::ThreadIdxX)
      for (User *user : i.users())
        users.push_back({cast<Instruction>(user), &i});
  for (auto [user, x] : users)
    if (Value *v = computeFromGroup(*user, x, shift))
      user->replaceAllUsesWith(v);
}

PreservedAnalyses AssumeFlatBlocksPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !f.hasFnAttribute(kLogicalWarpAttr) ||
      !hasKernelFlag(f, abi::kKernelFlat))
    return PreservedAnalyses::all();
  assumeFlatBlocks(f);
  useGroupNumbers(f, kWarpShift);
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
