// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-place-tiles: how many threads of each kernel execute as one group, and what that means for its
// votes. A switch of the group size in the middle of a kernel is never needed: the largest size
// that any warp function asks for serves all of them, because shuffles have segments and votes have
// member masks. So a kernel has one vx_tile, at its start, in uniform control flow
// (vx-map-kernels), and executes it only on machines whose warps are narrower.
//
// A kernel whose warp functions all stay inside tiles of up to 16 lanes needs no group of 32. The
// masks of its votes, which speak of a 32-wide warp, are then made relative to the group:
//
//   vote_any(15 << first, p)      vote_any(15 << (thread in group & 28), p)
//   vote_ballot(15 << first, p)   vote_ballot(the same, p) >> (thread in group & 28) << first
//
// Votes of one lane, as tiles of size 1 take them, need no group: they are gone before that. On
// machines with paths (profile `paths`), lanes wait for those that the masks of shuffles and
// __vx_warp_sync name, so these masks become relative, too.
//
// With module flag vx.exactTiles = 1 a group is exactly a tile instead, if the kernel itself holds
// all warp functions and its votes are those of tiles of one size: wider warps are cut into groups,
// each with a pc of its own, and votes need no mask. Tiles that take different paths do not wait
// for each other then; those that take the same path are not executed together.
//
// The result is left in the attributes vx-group-threads and vx-exact-groups of the kernels.

#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

template <typename F> void forWarpFunctions(ArrayRef<Function *> functions, F visit) {
  for (Function *f : functions)
    for (Instruction &i : make_early_inc_range(instructions(*f)))
      if (auto fn = getVxFn(&i); fn && isWarpFunction(*fn))
        visit(cast<CallInst>(i), *fn);
}

/// Returns true if all warp functions of a kernel are in the first of FUNCTIONS, the kernel itself,
/// and its votes and synchronizations are those of tiles of THREADS lanes.
bool isOneTile(ArrayRef<Function *> functions, unsigned threads) {
  bool one = true;
  forWarpFunctions(functions.drop_front(), [&](CallInst &, VxFn) { one = false; });
  forWarpFunctions(functions.front(), [&](CallInst &call, VxFn fn) {
    if (isVote(fn) || fn == VxFn::WarpSync)
      one &= matchSegment(call.getArgOperand(0))->width == threads;
  });
  return one;
}

/// Makes the mask of a vote, which names SEGMENT of a warp, one of lanes of the group.
void makeRelative(CallInst &call, VxFn fn, const Segment &segment, bool exact) {
  IRBuilder<> b(&call);
  Value *mask = b.getInt32(-1), *position = nullptr;
  if (!exact) {
    Value *thread = b.CreateTrunc(emitCsrRead(b, VX_CSR_THREAD_ID), b.getInt32Ty());
    position = b.CreateAnd(thread, kWarpSize - segment.width, "tile.first");
    mask = b.CreateShl(b.getInt32((1u << segment.width) - 1), position, "tile.mask");
  }
  call.setArgOperand(0, mask);
  if (fn != VxFn::VoteBallot)
    return;
  replaceResult(call, [&](IRBuilderBase &after) {
    Value *votes = position ? after.CreateLShr(&call, position) : &call;
    return after.CreateShl(votes, segment.first);
  });
}

/// Makes the mask of a shuffle or synchronization one of lanes of the group, which has THREADS.
void makeMembersRelative(CallInst &call, VxFn fn, unsigned threads, bool exact) {
  Value *mask = call.getArgOperand(0);
  if (const auto *all = dyn_cast<ConstantInt>(mask); all && all->isMinusOne())
    return; // that of the group, too
  if (std::optional<Segment> segment = matchSegment(mask); segment && segment->width <= threads)
    return makeRelative(call, fn, *segment, exact);
  IRBuilder<> b(&call);
  Value *thread = b.CreateTrunc(emitCsrRead(b, VX_CSR_THREAD_ID), b.getInt32Ty());
  Value *first = b.CreateSub(emitCall(b, VxFn::LaneId), b.CreateAnd(thread, kWarpSize - 1));
  call.setArgOperand(0, b.CreateLShr(mask, first, "group.mask"));
}

/// A vote of one lane, the caller, is what that lane says, on a group of any size or none.
void foldLoneVote(CallInst &call, VxFn fn, const Segment &segment) {
  IRBuilder<> b(&call);
  Value *result = b.CreateZExt(b.CreateIsNotNull(call.getArgOperand(1)), b.getInt32Ty());
  if (fn == VxFn::VoteUni)
    result = b.getInt32(1);
  else if (fn == VxFn::VoteBallot)
    result = b.CreateShl(result, segment.first);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

class TilePlacer {
public:
  explicit TilePlacer(Module &m) : exactTiles(deviceOption::exactTiles(m)) {}

  bool place(Function &kernel) {
    SmallVector<Function *, 8> functions;
    for (const Function *f : reachableFrom({&kernel}))
      functions.push_back(const_cast<Function *>(f));
    bool folded = foldLoneVotes(functions);
    unsigned threads = findGroupThreads(kernel);
    if (kernel.hasFnAttribute(kCoarsenedAttr)) { // votes are of exactly one hardware warp
      kernel.addFnAttr(kGroupThreadsAttr, std::to_string(abi::kCoarsenedLanes));
      return true;
    }
    if (kernel.hasFnAttribute(kLogicalWarpAttr))
      return placeLogicalWarps(kernel, threads) || folded;
    if (threads == 0)
      return folded;
    bool exact = exactTiles && threads < kWarpSize && isOneTile(functions, threads);
    if (threads < kWarpSize)
      forWarpFunctions(functions, [&](CallInst &call, VxFn fn) {
        // A function that several kernels call is done once.
        if (!done.insert(&call).second)
          return;
        if (isVote(fn))
          makeRelative(call, fn, *matchSegment(call.getArgOperand(0)), exact);
        else if (hasPaths(*kernel.getParent()))
          makeMembersRelative(call, fn, threads, exact);
      });
    kernel.addFnAttr(kGroupThreadsAttr, std::to_string(threads));
    if (exact)
      setKernelFlag(kernel, abi::kKernelExactGroups);
    return true;
  }

private:
  bool foldLoneVotes(ArrayRef<Function *> functions) {
    bool folded = false;
    forWarpFunctions(functions, [&](CallInst &call, VxFn fn) {
      if (!isVote(fn))
        return;
      std::optional<Segment> segment = matchSegment(call.getArgOperand(0));
      if (!segment || segment->width != 1)
        return;
      foldLoneVote(call, fn, *segment);
      folded = true;
    });
    return folded;
  }

  /// Logical warps answer votes for a whole CUDA warp, and exchange even the values of a single
  /// thread in memory that only a launch with groups has.
  bool placeLogicalWarps(Function &kernel, unsigned threads) {
    forWarpFunctions({&kernel}, [&](CallInst &, VxFn fn) {
      threads = std::max(threads, isVote(fn) ? kWarpSize : 4u);
    });
    if (threads)
      kernel.addFnAttr(kGroupThreadsAttr, std::to_string(threads));
    return threads != 0;
  }

  bool exactTiles;
  SmallPtrSet<CallInst *, 16> done;
};

} // namespace

PreservedAnalyses PlaceTilesPass::run(Module &m, ModuleAnalysisManager &) {
  bool changed = false;
  TilePlacer placer(m);
  for (Function &f : m)
    if (isKernel(f) && !f.isDeclaration())
      changed |= placer.place(f);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
