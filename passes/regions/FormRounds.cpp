// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-form-rounds: lanes that wait for each other proceed in rounds. On a machine with a mask stack,
// lanes that have left a loop, or are on the other way from a branch, are inactive until the others
// come to where they reconverge. Where these may wait for the former, control flow is routed
// through one header, at which all reconverge in each round:
//
//              from outside           round:  state: where the lane wants to resume: at an entry of
//                   |                         the cycle, after a wait, or at a warp function with a
//              +->round                       member mask
//     not all  |  /   \   \                   same = lanes that want what I want
//     are here +-+     \   \                  all of mask that are in the cycle are in same, or
//                    entry  r = f(m, v)       nothing else is left to do?
//                     ...      ...
//                   round     round           a lane that comes to a warp function, or to a wait
//
// There are two reasons for it:
//
// - Lanes may come to a warp function in different rounds of a cycle (attribute kAwaitsMembersAttr
//   of the calls, vx-merge-meetings). The cycle goes round by the header, from which all warp
//   functions in it are called.
// - Lanes of a kernel wait for each other without a barrier (ThreadWaits.h). All that can follow
//   such a wait, up to the end of the kernel, becomes a cycle: the end has an edge to the header
//   that is never taken. So lanes that have acquired a lock continue, and release it, in the round
//   in which others find it taken. They wait for each other at barriers of the block, too.
//
// After a barrier, where parallel regions begin, lanes come through the header, too: the rounds of
// a region have one entry.
//
// Lanes that have left the cycle, and those that have ended, are not waited for. Where all lanes
// wait for lanes that are at other calls, the program is wrong (it waits for ever on a GPU), and
// all of them continue.

#include "passes/regions/FormRounds.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/ValuesInMemory.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "passes/regions/ThreadWaits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <map>

using namespace llvm;

namespace vx {
namespace {

/// Returns true for a call at which lanes wait for those that its member mask names.
bool hasMembers(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && isWarpFunction(*fn) && *fn != VxFn::ActiveMask;
}

bool isBarrier(const Instruction &i) {
  return isBoundary(i) && !isThreadWait(i);
}

bool awaits(const Instruction &i) {
  const auto *call = dyn_cast<CallInst>(&i);
  return call && call->hasFnAttr(kAwaitsMembersAttr);
}

/// Routes one cycle of F through a header at which lanes wait. WAITS: the blocks of the waits in
/// it; if there are any, lanes wait at barriers too. EXCHANGES: the hardware has votes. YIELDS: a
/// lane may run threads that wait for each other.
class CycleRounds {
public:
  CycleRounds(Function &f, ArrayRef<BasicBlock *> blocks, const SetVector<BasicBlock *> &waits,
              bool exchanges, bool yields)
      : f(f), i32(Type::getInt32Ty(f.getContext())), i64(Type::getInt64Ty(f.getContext())),
        blocks(blocks.begin(), blocks.end()), waits(waits), exchanges(exchanges), yields(yields) {}

  void run() {
    for (Instruction &i : f.getEntryBlock())
      if (auto *variable = dyn_cast<AllocaInst>(&i); variable && isAllocaPromotable(variable))
        variables.push_back({variable, findLiveIn(*variable)});
    IRBuilder<> b(&*f.getEntryBlock().getFirstInsertionPt());
    state = b.CreateAlloca(i32, nullptr, "round.state");
    wanted = b.CreateAlloca(i64, nullptr, "round.wanted");
    header = BasicBlock::Create(f.getContext(), "round", &f);
    for (BasicBlock *bb : blocks) {
      bool isCall = callIn(*bb);
      route(*bb, [&](BasicBlock *pred) {
        return isCall || waits.contains(pred) || !blocks.contains(pred) || any_of(*pred, isBarrier);
      });
    }
    while (BasicBlock *entry = findSecondEntry())
      route(*entry, [](BasicBlock *) { return true; });
    fillHeader();
  }

  /// Makes the header follow END, too, as far as can be seen: comes after run().
  void closeAfter(BasicBlock &end) {
    BasicBlock *exit = end.getSingleSuccessor();
    auto *never = BasicBlock::Create(f.getContext(), "round.never", &f, exit);
    IRBuilder<> b(end.getTerminator());
    Value *isNever = b.CreateIsNotNull(emitOpaque(b, b.getInt32(0)));
    b.CreateCondBr(isNever, never, exit);
    end.getTerminator()->eraseFromParent();
    b.SetInsertPoint(never);
    forget(b, nullptr);
    b.CreateBr(header);
  }

private:
  /// Leads the edges to BB from blocks that satisfy TEST through the header.
  void route(BasicBlock &bb, function_ref<bool(BasicBlock *)> test) {
    SmallVector<BasicBlock *, 4> from;
    copy_if(SetVector<BasicBlock *>(pred_begin(&bb), pred_end(&bb)), std::back_inserter(from),
            test);
    if (from.empty())
      return;
    places.insert(&bb);
    unsigned number = find(places, &bb) - places.begin();
    for (BasicBlock *pred : from) {
      BasicBlock *&way = ways[{number, blocks.contains(pred)}];
      if (!way)
        way = makeWay(bb, callIn(bb), number);
      pred->getTerminator()->replaceSuccessorWith(&bb, way);
    }
  }

  /// Returns an entry of a loop in the cycle that has several: its beginning, say, and where lanes
  /// continue after a wait in it. Masks are for loops with one entry; others would be made such by
  /// a header of their own, with copies of all values.
  BasicBlock *findSecondEntry() {
    auto *go = SwitchInst::Create(UndefValue::get(i32), places.front(), places.size(), header);
    for (auto [number, place] : enumerate(drop_begin(places)))
      go->addCase(ConstantInt::get(cast<IntegerType>(i32), number), place);
    CycleInfo cycles;
    cycles.compute(f);
    go->eraseFromParent();
    auto isSecondEntry = [&](BasicBlock *bb) {
      for (const Cycle *cycle = cycles.getCycle(bb); cycle; cycle = cycle->getParentCycle())
        if (!cycle->isReducible() && cycle->isEntry(bb))
          return true;
      return false;
    };
    const auto *place = find_if(places, isSecondEntry); // preferred to another one
    if (place != places.end())
      return *place;
    const auto *entry = find_if(blocks, isSecondEntry);
    return entry == blocks.end() ? nullptr : *entry;
  }

  /// Returns the warp function or barrier that BB was made for, or null.
  CallInst *callIn(BasicBlock &bb) const {
    for (Instruction &i : bb)
      if (hasMembers(i) || (!waits.empty() && isBarrier(i)))
        return cast<CallInst>(&i);
    return nullptr;
  }

  /// The header seems to lead from everywhere to every place. Says at B that nothing is read of the
  /// variables that are not live at PLACE, to which B leads: else they would all be live
  /// everywhere.
  void forget(IRBuilderBase &b, const BasicBlock *place) {
    for (auto &[variable, liveIn] : variables)
      if (!liveIn.contains(place))
        b.CreateStore(PoisonValue::get(variable->getAllocatedType()), variable);
  }

  /// Returns the way of lanes that continue at PLACE, which has NUMBER, at CALL if there is one, to
  /// the header.
  BasicBlock *makeWay(const BasicBlock &place, CallInst *call, unsigned number) {
    auto *way = BasicBlock::Create(f.getContext(), "round.from", &f, header);
    IRBuilder<> b(way);
    Value *want = b.getInt64(0);
    if (call) {
      b.SetCurrentDebugLocation(call->getDebugLoc());
      Value *mask = isBarrier(*call) ? b.getInt32(-1) : call->getArgOperand(0);
      if (auto *load = dyn_cast<LoadInst>(mask); load && load->getParent() == call->getParent())
        mask = b.Insert(load->clone(), "mask");
      unsigned kind =
          kinds.try_emplace({*getVxFn(call), widthOf(*call)}, kinds.size() + 1).first->second;
      want = b.CreateOr(b.CreateZExt(mask, i64), b.getInt64(uint64_t(kind) << 32));
      masks.insert(mask);
    }
    b.CreateStore(want, wanted);
    b.CreateStore(b.getInt32(number), state);
    forget(b, &place);
    b.CreateBr(header);
    return way;
  }

  static uint64_t widthOf(const CallInst &call) {
    if (!isReduction(*getVxFn(&call)))
      return 0;
    const auto *width = dyn_cast<ConstantInt>(call.getArgOperand(2));
    return width ? width->getZExtValue() : 0;
  }

  void fillHeader() {
    auto *dispatch = BasicBlock::Create(f.getContext(), "round.go", &f);
    auto *wait = BasicBlock::Create(f.getContext(), "round.wait", &f);
    IRBuilder<> b(header);
    if (yields) // where a lane runs several threads, the others continue
      emitCall(b, VxFn::ThreadWait);
    Value *goes = kinds.empty() ? b.getTrue() : exchanges ? ask(b) : askWithSplit(b);
    b.CreateCondBr(goes, dispatch, wait);
    BranchInst::Create(header, wait);
    b.SetInsertPoint(dispatch);
    Value *place = b.CreateLoad(i32, state);
    if (!waits.empty()) // nothing else keeps the optimizer from leading lanes past the header
      place = emitOpaque(b, place);
    auto *choice = b.CreateSwitch(place, places.back(), places.size() - 1);
    for (auto [number, block] : enumerate(drop_end(places)))
      choice->addCase(b.getInt32(number), block);
  }

  /// Emits whether the lane continues: it does not wait, or all that it waits for are here.
  Value *ask(IRBuilderBase &b) {
    Value *want = b.CreateLoad(i64, wanted), *mask = b.CreateTrunc(want, i32);
    Value *isWaiting = b.CreateIsNotNull(want);
    Value *here = emitCall(b, VxFn::ActiveMask);
    bool oneGroup = kinds.size() == 1 && masks.size() == 1 && isa<Constant>(*masks.begin());
    Value *same = oneGroup ? emitCall(b, VxFn::VoteBallot, {here, b.CreateZExt(isWaiting, i32)})
                           : emitCall(b, VxFn::MatchAny64, {here, want});
    Value *missing = b.CreateAnd(b.CreateAnd(mask, here), b.CreateNot(same));
    Value *goes = b.CreateIsNull(missing); // the mask of a lane that does not wait is 0
    Value *any = emitCall(b, VxFn::VoteAny, {here, b.CreateZExt(goes, i32)});
    return b.CreateOr(goes, b.CreateIsNull(any));
  }

  /// Emits the answer of ask() in a kernel without warp functions, whose lanes wait at the barrier
  /// of the block.
  Value *askWithSplit(IRBuilderBase &b) {
    Value *isMoving = b.CreateIsNull(b.CreateLoad(i64, wanted));
    Value *moving = emitBallot(b, b.CreateZExt(isMoving, i32));
    return b.CreateOr(isMoving, b.CreateIsNull(moving));
  }

  Function &f;
  Type *i32, *i64;
  SetVector<BasicBlock *> blocks;
  const SetVector<BasicBlock *> &waits;
  const bool exchanges, yields;
  /// Variables of F, and the blocks at whose start they are live.
  SmallVector<std::pair<AllocaInst *, SmallPtrSet<const BasicBlock *, 16>>, 0> variables;
  AllocaInst *state = nullptr, *wanted = nullptr;
  BasicBlock *header = nullptr;
  SetVector<BasicBlock *> places; ///< the blocks to which the header sends a lane, by its state
  /// The blocks from which it comes to the header, by the number of the place and whether it was in
  /// the cycle: one for both would be the header of a larger loop.
  std::map<std::pair<unsigned, bool>, BasicBlock *> ways;
  std::map<std::pair<VxFn, uint64_t>, unsigned> kinds;
  SmallPtrSet<Value *, 4> masks;
};

using Blocks = SmallVector<BasicBlock *, 16>;

/// Returns the outermost cycles of F with a call at which lanes wait.
SmallVector<Blocks, 2> findCycles(Function &f) {
  SmallVector<Blocks, 2> cycles;
  for (auto scc = scc_begin(&f); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle() && any_of(*scc, [](BasicBlock *bb) { return any_of(*bb, awaits); }))
      cycles.emplace_back(scc->rbegin(), scc->rend());
  return cycles;
}

/// Returns what can follow WAITS, in reverse post-order.
Blocks findFollowing(Function &f, const SetVector<BasicBlock *> &waits) {
  SmallPtrSet<BasicBlock *, 16> reached;
  Blocks work(waits.begin(), waits.end()), following;
  while (!work.empty()) {
    BasicBlock *bb = work.pop_back_val();
    if (reached.insert(bb).second)
      append_range(work, successors(bb));
  }
  for (BasicBlock *bb : ReversePostOrderTraversal<Function *>(&f))
    if (reached.contains(bb))
      following.push_back(bb);
  return following;
}

void isolate(ArrayRef<CallInst *> calls) {
  for (CallInst *call : calls) {
    SplitBlock(call->getParent(), call);
    SplitBlock(call->getParent(), call->getNextNode());
  }
}

/// Gives each warp function and each barrier of F a block of its own.
void isolateMeetings(Function &f) {
  SmallVector<CallInst *, 16> calls;
  for (Instruction &i : instructions(f))
    if (hasMembers(i) || isBarrier(i))
      calls.push_back(cast<CallInst>(&i));
  isolate(calls);
}

/// Says what becomes of F, with -Rvx-lower.
void remark(const Function &f) {
  if (!deviceOption::lowerRemarks(*f.getParent()))
    return;
  const Instruction &wait = *find_if(instructions(f), isDivergentWait);
  std::string what = "kernel '" + displayName(f) + "': lanes of a warp may wait for each other";
  if (const DebugLoc &loc = wait.getDebugLoc())
    what += " (line " + std::to_string(loc.getLine()) + ")";
  f.getContext().diagnose(DiagnosticInfoGeneric(what + "; in hw they continue in rounds", DS_Note));
}

/// Takes the waits of F away, and returns the blocks in which they were.
SetVector<BasicBlock *> takeWaits(Function &f) {
  SmallVector<CallInst *, 4> waits;
  for (Instruction &i : instructions(f))
    if (isDivergentWait(i))
      waits.push_back(cast<CallInst>(&i));
  isolate(waits);
  SetVector<BasicBlock *> blocks;
  for (CallInst *wait : waits) {
    blocks.insert(wait->getParent());
    wait->eraseFromParent();
  }
  return blocks;
}

/// Leads BB, which has one successor, past the blocks after it in which nothing is done.
void skipEmptyAfter(BasicBlock &bb) {
  SmallPtrSet<BasicBlock *, 4> seen; // an empty loop
  BasicBlock *at = bb.getSingleSuccessor();
  while (seen.insert(at).second && at->getSingleSuccessor() &&
         &*at->getFirstNonPHIOrDbg() == at->getTerminator()) {
    bb.getTerminator()->setSuccessor(0, at->getSingleSuccessor());
    if (pred_empty(at))
      DeleteDeadBlock(at);
    at = bb.getSingleSuccessor();
  }
}

/// Returns the block before the return of F, which has one.
BasicBlock &splitEnd(Function &f) {
  BasicBlock &end = *find_if(f, [](BasicBlock &bb) { return isa<ReturnInst>(bb.getTerminator()); });
  SplitBlock(&end, end.getTerminator());
  return end;
}

} // namespace

void formRounds(Function &kernel, FunctionAnalysisManager &fam) {
  remark(kernel);
  if (isRegularBesideWaits(kernel, fam))
    kernel.addFnAttr(kRoundsAttr);
  bool yields = !waitsForLocksOnly(kernel);
  isolateMeetings(kernel);
  SetVector<BasicBlock *> waits = takeWaits(kernel);
  BasicBlock &end = splitEnd(kernel);
  bool exchanges = hasWarpFunctions(kernel);
  changeWithValuesInMemory(kernel, fam, [&] {
    for (BasicBlock *wait : waits)
      skipEmptyAfter(*wait);
    Blocks following = findFollowing(kernel, waits);
    SmallPtrSet<const BasicBlock *, 32> inRounds(following.begin(), following.end());
    CycleRounds rounds(kernel, following, waits, exchanges, yields);
    rounds.run();
    rounds.closeAfter(end);
    if (!hasPaths(*kernel.getParent()))
      for (ArrayRef<BasicBlock *> cycle : findCycles(kernel))
        if (none_of(cycle, [&](BasicBlock *bb) { return inRounds.contains(bb); }))
          CycleRounds(kernel, cycle, {}, exchanges, false).run();
  });
}

namespace {

class RoundFormer {
public:
  RoundFormer(Module &m, FunctionAnalysisManager &fam) : fam(fam), callers(m, hasMembers) {}

  bool run(Function &f) {
    // Where lanes have paths, the machine lets them wait unless a lane runs several threads.
    bool locksOnly = isKernel(f) && waitsForLocksOnly(f);
    if (locksOnly && hasPaths(*f.getParent())) {
      eraseWaits(f);
      return true;
    }
    bool waits = isKernel(f) && waitsDivergently(f, fam) && (locksOnly || callsWarpFunctions(f));
    if (!waits && (hasPaths(*f.getParent()) || findCycles(f).empty()))
      return false;
    if (!callers.findRecursion(f))
      callers.inlineInto(f); // lanes wait at all warp functions in a cycle, or at none
    if (waits) {
      formRounds(f, fam);
      return true;
    }
    isolateMeetings(f);
    changeWithValuesInMemory(f, fam, [&] {
      for (ArrayRef<BasicBlock *> cycle : findCycles(f))
        CycleRounds(f, cycle, {}, true, false).run();
    });
    return true;
  }

private:
  bool callsWarpFunctions(const Function &f) const {
    return any_of(instructions(f),
                  [&](const Instruction &i) { return isWarpLevel(i) || callers.isCalledBy(i); });
  }

  FunctionAnalysisManager &fam;
  TransitiveCallers callers;
};

} // namespace

PreservedAnalyses FormRoundsPass::run(Module &m, ModuleAnalysisManager &mam) {
  if (isForHost(m))
    return PreservedAnalyses::all();
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  RoundFormer former(m, fam);
  bool changed = false;
  for (Function &f : m)
    if (!f.isDeclaration() && !isSoftwareVariant(f))
      changed |= former.run(f);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
