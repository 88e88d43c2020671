// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/TeamKernels.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/WarpOps.h"
#include "lib/PRTransform/WarpUniformity.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/KernelInfo.h"
#include "passes/warp/GroupThreads.h"
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

constexpr StringLiteral kNameAttr = "vx-team-name";
constexpr StringLiteral kFlatAttr = "vx-team-flat";
constexpr StringLiteral kGroupsAttr = "vx-team-of-groups";
constexpr unsigned kWarpShift = 5;

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

TeamKind classify(Function &kernel, FunctionAnalysisManager &fam) {
  Function *f = copyOf(kernel);
  bool barriers = hasBoundary(*f);
  TeamKind kind = TeamKind::Alone;
  {
    WarpOps ops(*f);
    FunctionPassManager prepare;
    prepare.addPass(LoopSimplifyPass());
    prepare.addPass(LCSSAPass());
    prepare.run(*f, fam);
    {
      WarpUniformity warp(*f, ops, fam);
      auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(*f);
      if (isRegular(*f, warp.info(), pdt, isNestedBoundary))
        kind = TeamKind::Together;
      else if (!barriers && onlyEndsDiffer(*f, warp.info(), pdt))
        kind = TeamKind::Ends;
    }
    fam.clear(*f, f->getName());
    f->eraseFromParent();
  }
  return kind;
}

/// True if the threads of each group of F that exchanges values, less than a warp, go the same way
/// around warp functions. Blocks are flat.
bool goTogetherInGroups(Function &f, FunctionAnalysisManager &fam) {
  unsigned threads = findGroupThreads(f);
  bool votes = any_of(instructions(f), [](const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn && isVote(*fn); // those of teams are of the whole warp
  });
  if (votes || threads == 0 || threads >= 1u << kWarpShift)
    return false;
  Function *groups = copyOf(f);
  useGroups(*groups, Log2_32(threads));
  bool together = classify(*groups, fam) == TeamKind::Together;
  fam.clear(*groups, groups->getName());
  groups->eraseFromParent();
  return together;
}

/// Threads that have ended go on meeting the others of their team.
void meetAtEnd(Function &f) {
  for (BasicBlock &bb : make_early_inc_range(f)) {
    if (!isa<ReturnInst>(bb.getTerminator()))
      continue;
    BasicBlock *after = SplitBlock(&bb, bb.getTerminator());
    auto *loop = BasicBlock::Create(f.getContext(), "team.end", &f, after);
    bb.getTerminator()->replaceSuccessorWith(after, loop);
    IRBuilder<> b(loop);
    Value *more = emitCall(b, VxFn::TeamMeet, {b.getInt32(-1)});
    b.CreateCondBr(b.CreateIsNotNull(more), loop, after);
    return;
  }
}

} // namespace

bool onlyEndsDiffer(Function &f, UniformityInfo &ui, const PostDominatorTree &pdt) {
  for (BasicBlock &bb : f) {
    if (!ui.hasDivergentTerminator(bb))
      continue;
    const BasicBlock *meet = findMeeting(bb, pdt);
    auto busy = count_if(successors(&bb), [&](const BasicBlock *next) {
      return reaches(next, meet, isNestedBoundary);
    });
    if (busy && (busy > 1 || !meet || !isa<ReturnInst>(meet->getTerminator()) ||
                 any_of(*meet, isNestedBoundary)))
      return false; // those that do not come along wait at MEET
  }
  return true;
}

StringRef toString(TeamKind kind) {
  return kind == TeamKind::Together ? "together" : kind == TeamKind::Ends ? "ends" : "alone";
}

StringRef makeTeamKernel(Function &whole, const Function &kernel, FunctionAnalysisManager &fam) {
  bool isExchanging = any_of(instructions(whole), exchanges);
  // Groups of several warps, which may wait for each other in part, have the serial mapping.
  if (any_of(instructions(whole), [](const Instruction &i) {
        auto fn = getVxFn(&i);
        return fn && *fn == VxFn::GroupSync;
      }))
    return "it has groups of several warps";
  if (!isExchanging && kernel.getFnAttribute(kLowerAttr).getValueAsString() != "sw")
    return "";
  Function *team = copyOf(whole);
  team->setName(kernel.getName() + ".teams");
  team->addFnAttr(kTeamAttr);
  ExpandWarpFunctionsPass().run(*team, fam);
  fam.invalidate(*team, PreservedAnalyses::none());
  TeamKind kind = isExchanging ? classify(*team, fam) : TeamKind::Together;
  if (kind != TeamKind::Together) {
    Function *flat = copyOf(*team);
    assumeFlatBlocks(*flat, fam);
    bool ofGroups = kind == TeamKind::Alone && goTogetherInGroups(*flat, fam);
    useGroups(*flat, kWarpShift);
    TeamKind better = classify(*flat, fam);
    if (ofGroups && better == TeamKind::Alone) {
      better = TeamKind::Together;
      flat->addFnAttr(kGroupsAttr);
    }
    Function *worse = better < kind ? team : flat;
    if (better < kind) {
      flat->takeName(team);
      flat->addFnAttr(kFlatAttr);
      team = flat;
      kind = better;
    }
    fam.clear(*worse, worse->getName());
    worse->eraseFromParent();
  }
  if (kind == TeamKind::Alone) {
    fam.clear(*team, team->getName());
    team->eraseFromParent();
    return "the threads of a warp may go different ways around a warp function";
  }
  if (kind == TeamKind::Ends)
    meetAtEnd(*team);
  team->addFnAttr(kTeamAttr, toString(kind));
  team->addFnAttr(kNameAttr, kernel.getName());
  return "";
}

void describeTeams(const Function &kernel, KernelInfo &info) {
  if (!kernel.hasFnAttribute(kTeamAttr))
    return;
  info.name = kernel.getFnAttribute(kNameAttr).getValueAsString().str();
  info.teams = true;
  info.flat = kernel.hasFnAttribute(kFlatAttr);
  info.exactGroups = kernel.hasFnAttribute(kGroupsAttr);
  info.loneTeams = kernel.getFnAttribute(kTeamAttr).getValueAsString() == toString(TeamKind::Alone);
}

} // namespace vx
