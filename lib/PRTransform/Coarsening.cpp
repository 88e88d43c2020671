// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/Coarsening.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/CoarsenedParts.h"
#include "lib/PRTransform/JammedRegion.h"
#include "lib/PRTransform/PartStrides.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/PRTransform/SequentialRegions.h"
#include "lib/PRTransform/WarpView.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/ReachableFunctions.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace vx {
namespace {

using Regions = SmallVector<SequentialRegion, 8>;

/// Facts about a function before it is changed.
struct WarpFacts {
  SmallPtrSet<const Instruction *, 32> divergent; ///< values that differ within a warp, branches
  std::optional<Regions> regions;

  WarpFacts(Function &f, FunctionAnalysisManager &fam) {
    prepareLoops(f, fam);
    fam.invalidate(f, PreservedAnalyses::none());
    WarpView view(f, fam);
    for (Instruction &i : instructions(f))
      if (!i.getType()->isVoidTy() && view.isDivergent(i))
        divergent.insert(&i);
    for (BasicBlock &bb : f)
      if (view.hasDivergentTerminator(bb))
        divergent.insert(bb.getTerminator());
    regions = findSequentialRegions(
        f, [&](BasicBlock &bb) { return divergent.contains(bb.getTerminator()); },
        fam.getResult<DominatorTreeAnalysis>(f), fam.getResult<PostDominatorTreeAnalysis>(f));
  }
};

bool isPartOf(const SequentialRegion &region, const Instruction &i) {
  return region.startsAtBranch && i.getParent() == region.entry ? i.isTerminator() : true;
}

bool isConvergent(VxFn fn) {
  return getInfo(fn).effects == VxEffects::Convergent;
}

constexpr StringLiteral kEnds = "a thread may end in the middle, and its lane runs others";
constexpr StringLiteral kWaitsOtherwise =
    "its threads wait for each other in other ways than by barriers of the block";

/// Returns why I cannot be in a function that is coarsened, wherever it is; empty: it can.
StringRef whyUnsupported(const Instruction &i) {
  if (const auto *local = dyn_cast<AllocaInst>(&i))
    return local->isStaticAlloca() ? "" : "it has arrays of variable length";
  const auto *call = dyn_cast<CallBase>(&i);
  if (!call)
    return isa<IndirectBrInst>(i) || isa<InvokeInst>(i) ? "it has indirect jumps" : "";
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(call))
    return intrinsic->getIntrinsicID() == Intrinsic::thread_pointer
               ? "a function that it calls looks for the coordinates of its thread"
               : "";
  auto fn = getVxFn(call);
  if (fn == VxFn::Exit)
    return kEnds;
  bool waits = fn && isConvergent(*fn) && !isWarpFunction(*fn) && *fn != VxFn::Barrier;
  return waits ? kWaitsOtherwise : "";
}

/// Returns why F, or what it calls, cannot be coarsened; empty: it can.
StringRef whyUnsupported(const Function &f) {
  for (const Function *callee : reachableFrom({&f}))
    for (const Instruction &i : instructions(*callee)) {
      auto fn = getVxFn(&i);
      if (StringRef why = callee == &f ? whyUnsupported(i) : ""; !why.empty())
        return why;
      if (callee != &f && fn && isConvergent(*fn))
        return kWaitsOtherwise;
      if (fn == VxFn::Exit)
        return kEnds;
    }
  return "";
}

class Coarsener {
public:
  Coarsener(Function &f, WarpFacts facts, WarpParts shape)
      : f(f), facts(std::move(facts)), shape(shape), regions(std::move(*this->facts.regions)) {}

  void run() {
    for (SequentialRegion &region : regions)
      isolate(region);
    auto isDivergent = [&](const Instruction &i) { return facts.divergent.contains(&i); };
    {
      DominatorTree dt(f);
      LoopInfo li(dt);
      SmallVector<unsigned, 8> together;
      bool votes = getIsa(*f.getParent()) != abi::IsaProfile::Base;
      for (SequentialRegion &region : regions)
        together.push_back(votes ? JammedRegion::partsTogether(region, shape.parts, li, isDivergent)
                                 : 1);
      for (auto [region, size] : zip_equal(regions, together))
        if (size > 1)
          jammed.try_emplace(&region, region, size, li);
    }
    for (const SequentialRegion &region : regions)
      inRegion.insert_range(region.blocks);
    findVarying();
    findStrides();
    replicateCommonCode();
    for (const SequentialRegion &region : regions)
      replicate(region);
    for (auto [copy, part] : made)
      mapOperands(*copy, part);
    for (SequentialRegion &region : regions)
      if (auto it = jammed.find(&region); it != jammed.end())
        it->second.build(
            shape.parts, [&](Value *v, unsigned part) { return ofPart(v, part); }, isDivergent,
            made);
      else
        connect(region);
    distinguishParts();
    replaceCoordinates();
    replaceWarpFunctions();
    hintAtThreads();
  }

private:
  static bool isExchange(const Instruction &i) {
    auto fn = getVxFn(&i);
    return fn && isWarpFunction(*fn);
  }

  // --- what is one value for the warp ---

  /// Returns true if I, outside the regions, is executed for each thread whatever its operands are.
  bool isOfThread(const Instruction &i) const {
    if (facts.divergent.contains(&i) || isa<AllocaInst>(i))
      return true;
    if (const auto *load = dyn_cast<LoadInst>(&i))
      return !load->isSimple();
    if (const auto *store = dyn_cast<StoreInst>(&i))
      return !store->isSimple();
    if (isa<FenceInst>(i) || isExchange(i))
      return false;
    if (auto fn = getVxFn(&i); fn && (*fn == VxFn::Barrier || isFence(*fn)))
      return false;
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&i))
      return isa<MemIntrinsic>(intrinsic) && cast<MemIntrinsic>(intrinsic)->isVolatile();
    return i.mayHaveSideEffects();
  }

  void findVarying() {
    SmallVector<Instruction *, 32> work;
    auto add = [&](Instruction &i) {
      if (varying.insert(&i).second)
        work.push_back(&i);
    };
    for (BasicBlock &bb : f)
      for (Instruction &i : bb)
        if (inRegion.contains(&bb) || (!i.isTerminator() && isOfThread(i)))
          add(i);
    while (!work.empty())
      for (User *user : work.pop_back_val()->users()) {
        auto &i = *cast<Instruction>(user);
        // The condition of a branch is one for the warp: that of any part.
        if (!inRegion.contains(i.getParent()) && !i.isTerminator() && !isExchange(i))
          add(i);
      }
  }

  // --- copies ---

  /// Returns V, an operand of the original, for PART.
  Value *ofPart(Value *v, unsigned part) const {
    auto it = part ? copies.find(v) : copies.end();
    return it == copies.end() ? v : it->second[part - 1];
  }

  /// Finds the strides of what all parts do together: common code, and regions whose parts are
  /// jammed. Nothing outside of the regions counts on the latter.
  void findStrides() {
    auto order = ReversePostOrderTraversal<Function *>(&f);
    auto blocksOf = [&](auto isOne) {
      SmallVector<BasicBlock *, 32> found;
      copy_if(order, std::back_inserter(found), isOne);
      return found;
    };
    strides.find(blocksOf([&](BasicBlock *bb) { return !inRegion.contains(bb); }));
    for (auto &[region, ofRegion] : jammed) {
      ofRegion.strides.emplace(strides);
      ofRegion.findStrides(blocksOf([&](BasicBlock *bb) { return region->blocks.contains(bb); }));
    }
  }

  /// Makes the copies of I for all parts but the first after it.
  void copyInPlace(Instruction &i) {
    if (std::optional<PartStride> stride = strides.of(&i); stride && !isExchange(i)) {
      IRBuilder<> b(i.getParent(), isa<PHINode>(i) ? i.getParent()->getFirstInsertionPt()
                                                   : std::next(i.getIterator()));
      b.SetCurrentDebugLocation(i.getDebugLoc());
      for (unsigned p = 1; p < shape.parts; ++p)
        copies[&i].push_back(PartStrides::emit(b, &i, *stride, p));
      return;
    }
    Instruction *last = &i;
    for (unsigned p = 1; p < shape.parts; ++p) {
      Instruction *copy = i.clone();
      copy->insertAfter(last);
      copy->setName(i.getName());
      copies[&i].push_back(copy);
      made.push_back({copy, p});
      last = copy;
    }
  }

  void replicateCommonCode() {
    for (BasicBlock &bb : f) {
      if (inRegion.contains(&bb))
        continue;
      SmallVector<Instruction *, 32> work;
      for (Instruction &i : bb)
        if (isExchange(i) || (varying.contains(&i) && !i.isTerminator()))
          work.push_back(&i);
      for (Instruction *i : work) {
        if (isExchange(*i))
          exchanges.push_back(cast<CallInst>(i));
        copyInPlace(*i);
      }
    }
  }

  void replicate(const SequentialRegion &region) {
    BasicBlock *behind = region.exit->getNextNode();
    for (unsigned p = 1; p < shape.parts; ++p)
      for (BasicBlock *bb : region.blocks) {
        auto *copy = BasicBlock::Create(f.getContext(), bb->getName(), &f, behind);
        copies[bb].push_back(copy);
        inRegion.insert(copy);
        for (Instruction &i : *bb) {
          Instruction *own = i.clone();
          own->insertInto(copy, copy->end());
          own->setName(i.getName());
          copies[&i].push_back(own);
          made.push_back({own, p});
        }
      }
  }

  void mapOperands(Instruction &copy, unsigned part) {
    for (Use &use : copy.operands())
      use.set(ofPart(use, part));
    // Outside the regions, blocks are the same for all parts.
    if (auto *phi = dyn_cast<PHINode>(&copy); phi && inRegion.contains(phi->getParent()))
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
        phi->setIncomingBlock(k, cast<BasicBlock>(ofPart(phi->getIncomingBlock(k), part)));
  }

  /// Connects part after part: before -> first copy -> ... -> last copy -> what follows.
  void connect(const SequentialRegion &region) {
    BasicBlock *following = region.exit->getSingleSuccessor();
    BasicBlock *last = chainParts(
        region, [&](Value *v, unsigned part) { return ofPart(v, part); }, 1, shape.parts,
        region.exit);
    following->replacePhiUsesWith(region.exit, last);
  }

  /// Returns the part of each copy; what is in no copy is of the first.
  DenseMap<const Instruction *, unsigned> partsOfCopies() const {
    DenseMap<const Instruction *, unsigned> parts;
    for (auto [copy, part] : made)
      parts[copy] = part;
    return parts;
  }

  // --- coordinates ---

  void replaceCoordinates() {
    DenseMap<const Instruction *, unsigned> parts = partsOfCopies();
    for (Instruction &i : make_early_inc_range(instructions(f))) {
      auto fn = getVxFn(&i);
      if (!fn)
        continue;
      IRBuilder<> b(&i);
      Value *lanes = b.getInt32(shape.lanes), *value = nullptr;
      if (fn == VxFn::WarpId)
        value = emitCall(b, VxFn::PartWarp, {lanes});
      else if (fn == VxFn::ThreadIdxX || fn == VxFn::LaneId)
        value = emitCall(b, fn == VxFn::LaneId ? VxFn::PartLane : VxFn::PartThread,
                         {b.getInt32(parts.lookup(&i)), lanes});
      if (!value)
        continue;
      i.replaceAllUsesWith(value);
      i.eraseFromParent();
    }
  }

  // --- warp functions ---

  void replaceWarpFunctions() {
    for (CallInst *call : exchanges) {
      SmallVector<CallInst *, 8> calls{call};
      for (Value *copy : copies[call])
        calls.push_back(cast<CallInst>(copy));
      replaceWarpFunction(*getVxFn(call), calls);
    }
  }

  /// Replaces CALLS, those of one call for each part.
  void replaceWarpFunction(VxFn fn, ArrayRef<CallInst *> calls) {
    IRBuilder<> b(calls.back());
    auto operands = [&](unsigned n) {
      PartExchange::Values values;
      for (CallInst *call : calls)
        values.push_back(call->getArgOperand(n));
      return values;
    };
    PartExchange::Values results;
    if (fn == VxFn::WarpSync) {
      emitCall(b, fn, {b.getInt32(-1)});
    } else if (fn == VxFn::ActiveMask) {
      results.assign(calls.size(), b.getInt32(-1));
    } else {
      PartExchange::Values lanes;
      for (unsigned p = 0; p < shape.parts; ++p)
        lanes.push_back(emitCall(b, VxFn::PartLane, {b.getInt32(p), b.getInt32(shape.lanes)}));
      PartExchange exchange(shape, lanes.front(), lanes);
      results = isVote(fn) ? exchange.vote(b, fn, operands(0), operands(1))
                           : exchange.shuffle(b, fn, operands(1), operands(2), operands(3));
    }
    for (auto [p, call] : enumerate(calls)) {
      if (!results.empty())
        call->replaceAllUsesWith(results[p]);
      call->eraseFromParent();
    }
  }

  // --- hints for reports of faults ---

  void hintAt(BasicBlock &bb, BasicBlock::iterator at, unsigned part) {
    IRBuilder<> b(&bb, at);
    b.SetCurrentDebugLocation(bb.getTerminator()->getDebugLoc());
    emitHint(b, VX_HINT_THREAD,
             emitCall(b, VxFn::PartThread, {b.getInt32(part), b.getInt32(shape.lanes)}));
  }

  /// Marks instructions that may fault with the part that they are for (abi::CoarsenedParts.h).
  void distinguishParts() {
    DenseMap<const Instruction *, unsigned> parts = partsOfCopies();
    for (Instruction &i : instructions(f)) {
      const DILocation *line = i.getDebugLoc();
      bool isOfPart = parts.contains(&i) || varying.contains(&i);
      if (!line || !isOfPart || !i.mayReadOrWriteMemory() || i.isDebugOrPseudoInst())
        continue;
      i.setDebugLoc(line->cloneWithDiscriminator(abi::discriminatorOfPart(parts.lookup(&i))));
    }
  }

  /// Hints at the thread that runs: the first part's where all do, at the start and after barriers,
  /// where a block larger than the core continues with other threads.
  void hintAtThreads() {
    SmallVector<Instruction *, 8> barriers;
    for (Instruction &i : instructions(f))
      if (getVxFn(&i) == VxFn::Barrier)
        barriers.push_back(&i);
    for (Instruction *barrier : barriers)
      hintAt(*barrier->getParent(), std::next(barrier->getIterator()), 0);
    BasicBlock &entry = f.getEntryBlock();
    hintAt(entry, entry.getFirstNonPHIOrDbgOrAlloca(), 0);
    for (const SequentialRegion &region : regions)
      if (!jammed.contains(&region))
        for (unsigned p = 0; p < shape.parts; ++p) {
          auto *from = p ? cast<BasicBlock>(ofPart(region.exit, p - 1)) : region.before;
          hintAt(*from, from->getTerminator()->getIterator(), p);
        }
  }

  Function &f;
  WarpFacts facts; ///< without the regions
  const WarpParts shape;
  Regions regions;
  DenseMap<const SequentialRegion *, JammedRegion> jammed; ///< of those whose parts run together
  SmallPtrSet<const BasicBlock *, 16> inRegion;
  SmallPtrSet<const Instruction *, 32> varying; ///< of each thread
  const std::function<bool(const Instruction &)> isVarying = [this](const Instruction &i) {
    return varying.contains(&i);
  };
  PartStrides strides{shape.lanes, isVarying};
  /// Copies of instructions, and of blocks in regions, for all parts but the first.
  DenseMap<Value *, SmallVector<Value *, 4>> copies;
  SmallVector<std::pair<Instruction *, unsigned>, 64> made; ///< copies, and the part they are for
  SmallVector<CallInst *, 8> exchanges;
};

} // namespace

std::string whyNotCoarsened(Function &f, FunctionAnalysisManager &fam, WarpParts shape) {
  if (StringRef why = whyUnsupported(f); !why.empty())
    return why.str();
  if (removeUnreachableBlocks(f)) // after a trap, say
    fam.invalidate(f, PreservedAnalyses::none());
  if (count_if(f, [](BasicBlock &bb) { return isa<ReturnInst>(bb.getTerminator()); }) != 1)
    return "its threads do not all come to its end";
  if (f.getInstructionCount() * shape.parts > kMaxCoarsened)
    return kTooLargeToCoarsen.str();
  WarpFacts facts(f, fam);
  if (!facts.regions)
    return "the threads of a warp may diverge and not reconverge";
  for (const SequentialRegion &region : *facts.regions)
    for (const BasicBlock *bb : region.blocks)
      for (const Instruction &i : *bb)
        if (auto fn = getVxFn(&i); fn && isPartOf(region, i) && isConvergent(*fn))
          return "the threads of a warp may diverge around a warp function";
  return "";
}

void coarsen(Function &f, FunctionAnalysisManager &fam, WarpParts shape) {
  Coarsener(f, WarpFacts(f, fam), shape).run();
  removeUnreachableBlocks(f);
  promoteVariables(f, fam);
}

} // namespace vx
