// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-yield-in-waits: loops in which threads of a block wait for each other without a barrier
// (WaitingIterations.h).
//
// Where a thread is a lane, all of them go round. In region forms one thread after another runs to
// its next boundary, and the first would wait for ever. So a waiting iteration ends in a boundary
// at which the other threads continue (__vx_thread_wait), marked as one that lanes do not need.
//
// There are three kinds:
//
// - Loops that only wait for what stands in shared memory (cuda::latch) wait for threads of their
//   own block, as at an mbarrier, whether one thread or many execute them.
// - Loops in which threads of a block wait for others that are elsewhere in the code
// (DivergentWaits.h).
// - Loops that both those that wait and those they wait for go round, in kernels without warp
//   functions: an iteration waits that changes nothing (WaitingIterations.h).
//
// Those that one thread of a block executes, which wait for other blocks, are left alone unless a
// thread of its warp may be meant.

#include "lib/PRTransform/WarpOps.h"
#include "lib/PRTransform/WarpView.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/SharedPointers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/DivergentWaits.h"
#include "passes/regions/SingleLane.h"
#include "passes/regions/ThreadWaits.h"
#include "passes/regions/WaitLoops.h"
#include "passes/regions/WaitingIterations.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>

using namespace llvm;

namespace vx {
namespace {

/// Loops that only wait for what is written to shared memory.
struct SharedWaits {
  SmallVector<Edge, 4> edges; ///< from their ends to their begins
  /// By which they are left. Threads look at different times, and what one sees is not what others
  /// see, though all read the same variable.
  SmallVector<BranchInst *, 4> exits;
};

SharedWaits findSharedWaits(const Function &f, const LoopInfo &loops) {
  SharedWaits found;
  std::optional<SharedPointers> shared;
  auto mayBeShared = [&](const Value &pointer) {
    if (!shared)
      shared.emplace(*f.getParent());
    return shared->mayBeShared(&pointer);
  };
  SmallPtrSet<const Loop *, 4> around; // an inner one waits
  SmallVector<Loop *, 4> outerFirst = loops.getLoopsInPreorder();
  for (const Loop *loop : reverse(outerFirst)) {
    bool isOuter = around.contains(loop);
    if (!isOuter && !waitsInShared(*loop, mayBeShared))
      continue;
    around.insert(loop->getParentLoop());
    if (isOuter)
      continue;
    SmallVector<BasicBlock *, 2> latches, exiting;
    loop->getLoopLatches(latches);
    for (BasicBlock *latch : latches)
      found.edges.push_back({latch, loop->getHeader()});
    loop->getExitingBlocks(exiting);
    for (BasicBlock *bb : exiting)
      if (auto *branch = dyn_cast<BranchInst>(bb->getTerminator()))
        found.exits.push_back(branch);
  }
  return found;
}

/// Loops in which threads wait for others that are elsewhere.
struct PartedWaits {
  SmallVector<Edge, 4> ofLanes;   ///< the back edges of those that lanes of a warp may wait in so
  SmallVector<Edge, 4> forLocks;  ///< of those of them that wait for a lock
  SmallVector<Edge, 4> ofThreads; ///< of those that only threads of several warps may
  /// In blocks of more dimensions, lanes of a warp may wait in the latter, too.
  bool inFlatBlocks = false;
};

bool reachesWarpFunctions(const Function &f) {
  return any_of(reachableFrom({&f}),
                [](const Function *reached) { return hasWarpFunctions(*reached); });
}

/// Returns true if threads of F may do other work by their y or z coordinate: it is for blocks of
/// more dimensions, too.
bool usesRows(const Function &f) {
  return any_of(instructions(f), [](const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn == VxFn::ThreadIdxY || fn == VxFn::ThreadIdxZ;
  });
}

PartedWaits findPartedWaits(Function &f, FunctionAnalysisManager &fam) {
  PartedWaits found;
  const LoopInfo &loops = fam.getResult<LoopAnalysis>(f);
  SmallVector<const Loop *, 4> candidates;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (!findLooks(*loop).empty() &&
        none_of(loop->blocks(), [](const BasicBlock *bb) { return any_of(*bb, isNestedBoundary); }))
      candidates.push_back(loop);
  if (candidates.empty())
    return found;
  WarpView view(f, fam);
  Function &copy = view.function();
  const LoopInfo &copied = fam.getResult<LoopAnalysis>(copy);
  DivergentWaits ofWarp(view.warp(), fam.getResult<UniformityInfoAnalysis>(copy),
                        fam.getResult<DominatorTreeAnalysis>(copy),
                        fam.getResult<PostDominatorTreeAnalysis>(copy));
  auto addEdges = [](const Loop &loop, SmallVectorImpl<Edge> &edges) {
    SmallVector<BasicBlock *, 2> latches;
    loop.getLoopLatches(latches);
    for (BasicBlock *latch : latches)
      edges.push_back({latch, loop.getHeader()});
  };
  auto findOfLanes = [&](bool inFlatBlocks) {
    SetVector<const Loop *> ofLanes;
    // Where lanes have parted to wait, they may wait for each other in other loops.
    SmallVector<const BasicBlock *, 4> parted;
    for (size_t before = ~size_t(0); before != ofLanes.size();) {
      before = ofLanes.size();
      for (const Loop *loop : candidates) {
        const BasicBlock *header = view.copyOf(loop->getHeader()->front()).getParent();
        if (ofLanes.contains(loop) ||
            !ofWarp.hasWaits(*copied.getLoopFor(header), parted, inFlatBlocks))
          continue;
        parted.push_back(header);
        ofLanes.insert(loop);
      }
    }
    return ofLanes;
  };
  SetVector<const Loop *> ofLanes = findOfLanes(false);
  found.inFlatBlocks = !ofLanes.empty() && !usesRows(f) && findOfLanes(true).empty();
  if (found.inFlatBlocks)
    ofLanes.clear();
  for (const Loop *loop : ofLanes)
    addEdges(*loop, waitsForLock(*loop) ? found.forLocks : found.ofLanes);
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  auto &block = fam.getResult<UniformityInfoAnalysis>(f);
  for (const Loop *loop : candidates)
    if (!ofLanes.contains(loop) && !runsInSingleLane(*loop->getHeader(), dt, block) &&
        waitsInTurn(*loop, block))
      addEdges(*loop, found.ofThreads);
  return found;
}

/// Returns the edges by which iterations end in which lanes wait for each other together.
SmallVector<Edge, 4> findCommonWaits(Function &f, FunctionAnalysisManager &fam) {
  SmallVector<Edge, 4> idle;
  if (reachesWarpFunctions(f))
    return idle;
  auto &dt = fam.getResult<DominatorTreeAnalysis>(f);
  auto &warp = fam.getResult<UniformityInfoAnalysis>(f);
  auto inSingleLane = [&](const BasicBlock &bb) { return runsInSingleLane(bb, dt, warp); };
  for (const Loop *loop : fam.getResult<LoopAnalysis>(f).getLoopsInPreorder())
    append_range(idle, findWaitingIterations(*loop, inSingleLane));
  return idle;
}

CallInst &addWait(Edge edge) {
  auto [from, to] = edge;
  IRBuilder<> b(SplitEdge(from, to)->getTerminator());
  b.SetCurrentDebugLocation(from->getTerminator()->getDebugLoc());
  return *emitCall(b, VxFn::ThreadWait);
}

} // namespace

PreservedAnalyses YieldInWaitsPass::run(Function &f, FunctionAnalysisManager &fam) {
  if (f.isDeclaration() || !isKernel(f))
    return PreservedAnalyses::all();
  SharedWaits shared = findSharedWaits(f, fam.getResult<LoopAnalysis>(f));
  PartedWaits parted = findPartedWaits(f, fam);
  SmallVector<Edge, 4> common = findCommonWaits(f, fam);
  SetVector<Edge> ofLanes(parted.ofLanes.begin(), parted.ofLanes.end());
  ofLanes.insert_range(parted.forLocks);
  SetVector<Edge> taken(shared.edges.begin(), shared.edges.end());
  auto drop = [&](SmallVectorImpl<Edge> &edges) {
    erase_if(edges, [&](const Edge &edge) { return !taken.insert(edge); });
  };
  drop(parted.ofLanes);
  drop(parted.forLocks);
  drop(parted.ofThreads);
  drop(common);
  if (parted.inFlatBlocks)
    setKernelFlag(f, abi::kKernelFlat);
  if (taken.empty())
    return PreservedAnalyses::all();
  for (Edge edge : shared.edges) {
    CallInst &wait = addWait(edge);
    if (ofLanes.contains(edge))
      markAmongLanes(wait, false);
  }
  for (BranchInst *branch : shared.exits)
    hideCondition(*branch);
  for (Edge edge : parted.ofLanes)
    markAmongLanes(addWait(edge), false);
  for (Edge edge : parted.forLocks)
    markAmongLanes(addWait(edge), true);
  for (ArrayRef<Edge> edges : {ArrayRef(parted.ofThreads), ArrayRef(common)})
    for (Edge edge : edges)
      markInLoop(addWait(edge));
  return PreservedAnalyses::none();
}

} // namespace vx
