// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/LogicalWarps.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/PRTransform/WarpOps.h"
#include "lib/PRTransform/WarpUniformity.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {
namespace {

bool exchanges(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && isWarpFunction(*fn);
}

Function *copyOf(Function &f) {
  ValueToValueMapTy map;
  return CloneFunction(&f, map);
}

/// What USER computes from the X coordinate of a thread as a function of X >> SHIFT, for which
/// vx_warp_id stands; null if it does not depend on that alone.
Value *computeFromGroup(Instruction &user, const Value *x, unsigned shift) {
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

/// Replaces what F computes from the number of a thread's group of 2^SHIFT threads, where blocks
/// are flat.
void useGroups(Function &f, unsigned shift) {
  SmallVector<std::pair<Instruction *, Instruction *>, 16> users;
  for (Instruction &i : instructions(f))
    if (getVxFn(&i) == VxFn::ThreadIdxX)
      for (User *user : i.users())
        users.push_back({cast<Instruction>(user), &i});
  for (auto [user, x] : users)
    if (Value *v = computeFromGroup(*user, x, shift))
      user->replaceAllUsesWith(v);
}

void assumeFlatBlocks(Function &f, FunctionAnalysisManager &fam) {
  auto is = [](const Instruction &i, std::initializer_list<VxFn> fns) {
    auto fn = getVxFn(&i);
    return fn && is_contained(fns, *fn);
  };
  for (Instruction &i : make_early_inc_range(instructions(f)))
    if (is(i, {VxFn::ThreadIdxY, VxFn::ThreadIdxZ})) {
      i.replaceAllUsesWith(ConstantInt::get(i.getType(), 0));
      i.eraseFromParent();
    }
  // The linear number of the thread in its block becomes threadIdx.x.
  fam.invalidate(f, InstSimplifyPass().run(f, fam));
  fam.invalidate(f, EarlyCSEPass().run(f, fam));
}

WarpFlow classify(Function &kernel, FunctionAnalysisManager &fam) {
  Function *f = copyOf(kernel);
  bool barriers = hasBoundary(*f);
  WarpFlow flow = WarpFlow::Divergent;
  {
    WarpOps ops(*f);
    prepareLoops(*f, fam);
    {
      WarpUniformity warp(*f, ops, fam);
      auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(*f);
      if (isRegular(*f, warp.info(), pdt, isNestedBoundary))
        flow = WarpFlow::Uniform;
      else if (!barriers && onlyEndsDiffer(*f, warp.info(), pdt))
        flow = WarpFlow::EarlyExit;
    }
    fam.clear(*f, f->getName());
    f->eraseFromParent();
  }
  return flow;
}

/// True if control flow around warp functions of F is uniform in each group of threads, less than a
/// warp, that exchanges values. Blocks are flat.
bool isUniformInGroups(Function &f, FunctionAnalysisManager &fam) {
  unsigned threads = findGroupThreads(f);
  bool votes = any_of(instructions(f), [](const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn && isVote(*fn); // those of logical warps are of the whole warp
  });
  if (votes || threads == 0 || threads >= kWarpSize)
    return false;
  Function *groups = copyOf(f);
  useGroups(*groups, Log2_32(threads));
  bool uniform = classify(*groups, fam) == WarpFlow::Uniform;
  fam.clear(*groups, groups->getName());
  groups->eraseFromParent();
  return uniform;
}

/// Threads that have ended go on taking part in the exchanges of their logical warp.
void waitAtEnd(Function &f) {
  for (BasicBlock &bb : make_early_inc_range(f)) {
    if (!isa<ReturnInst>(bb.getTerminator()))
      continue;
    BasicBlock *after = SplitBlock(&bb, bb.getTerminator());
    auto *loop = BasicBlock::Create(f.getContext(), "warp.end", &f, after);
    bb.getTerminator()->replaceSuccessorWith(after, loop);
    IRBuilder<> b(loop);
    Value *more = emitCall(b, VxFn::LogicalWarpWait, {b.getInt32(-1)});
    b.CreateCondBr(b.CreateIsNotNull(more), loop, after);
    return;
  }
}

} // namespace

bool onlyEndsDiffer(Function &f, UniformityInfo &ui, const PostDominatorTree &pdt) {
  for (BasicBlock &bb : f) {
    if (!ui.hasDivergentTerminator(bb))
      continue;
    const BasicBlock *join = findReconvergence(bb, pdt);
    auto busy = count_if(successors(&bb), [&](const BasicBlock *next) {
      return reaches(next, join, isNestedBoundary);
    });
    if (busy && (busy > 1 || !join || !isa<ReturnInst>(join->getTerminator()) ||
                 any_of(*join, isNestedBoundary)))
      return false; // the others wait at JOIN
  }
  return true;
}

StringRef makeLogicalWarpKernel(Function &whole, const Function &kernel,
                                FunctionAnalysisManager &fam) {
  bool isExchanging = any_of(instructions(whole), exchanges);
  // Groups of several warps, of which a part may wait for another, have the serial mappings.
  if (any_of(instructions(whole), [](const Instruction &i) {
        auto fn = getVxFn(&i);
        return fn && *fn == VxFn::GroupSync;
      }))
    return "it has groups of several warps";
  if (!isExchanging && kernel.getFnAttribute(kLowerAttr).getValueAsString() != "sw")
    return "";
  Function *copy = copyOf(whole);
  copy->setName(kernel.getName() + ".warps");
  copy->addFnAttr(kLogicalWarpAttr);
  ExpandWarpFunctionsPass().run(*copy, fam);
  fam.invalidate(*copy, PreservedAnalyses::none());
  WarpFlow flow = isExchanging ? classify(*copy, fam) : WarpFlow::Uniform;
  if (flow != WarpFlow::Uniform) {
    Function *flat = copyOf(*copy);
    assumeFlatBlocks(*flat, fam);
    bool ofGroups = flow == WarpFlow::Divergent && isUniformInGroups(*flat, fam);
    useGroups(*flat, kWarpShift);
    WarpFlow better = classify(*flat, fam);
    if (ofGroups && better == WarpFlow::Divergent) {
      better = WarpFlow::Uniform;
      setKernelFlag(*flat, abi::kKernelExactGroups);
    }
    Function *worse = better < flow ? copy : flat;
    if (better < flow) {
      flat->takeName(copy);
      setKernelFlag(*flat, abi::kKernelFlat);
      copy = flat;
      flow = better;
    }
    fam.clear(*worse, worse->getName());
    worse->eraseFromParent();
  }
  if (flow == WarpFlow::Divergent) {
    fam.clear(*copy, copy->getName());
    copy->eraseFromParent();
    return "the threads of a warp may go different ways around a warp function";
  }
  if (flow == WarpFlow::EarlyExit)
    waitAtEnd(*copy);
  copy->addFnAttr(kLogicalWarpAttr, flow == WarpFlow::Uniform ? kUniformWarps : kEarlyExitWarps);
  copy->addFnAttr(kSourceNameAttr, kernel.getName());
  return "";
}

} // namespace vx
