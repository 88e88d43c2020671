// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-await-members: lanes wait for each other at warp functions to which they may come in different
// rounds of a cycle (attribute kAwaitsMembersAttr of the calls, vx-merge-meetings). On a machine
// with a mask stack, lanes reconverge at the header of a cycle in each round, and wait after the
// cycle once they have left it. So every warp function in such a cycle is called from its one
// header:
//
//              from outside           round:  state: where the lane wants to go on: at an entry of
//                   |                         the cycle, or at a warp function with a member mask
//              +->round                       same = lanes that want what I want
//     not all  |  /   \   \                   all of mask that are in the cycle are in same, or
//     are here +-+     \   \                  nothing else is left to do?
//                    entry  r = f(m, v)
//                     ...      ...
//                   round     round      a lane that comes to a warp function, or to the header
//
// Lanes that have left the cycle, and those that have ended, are not waited for. Where all lanes
// wait for lanes that are at other calls, the program is wrong (it waits for ever on a GPU), and
// all of them go on.

#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/ValuesInMemory.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

using namespace llvm;

namespace vx {
namespace {

/// True for a call at which lanes wait for those that its member mask names.
bool hasMembers(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn && isWarpFunction(*fn) && *fn != VxFn::ActiveMask;
}

bool awaits(const Instruction &i) {
  const auto *call = dyn_cast<CallInst>(&i);
  return call && call->hasFnAttr(kAwaitsMembersAttr);
}

/// Routes one cycle of F through a header at which lanes wait.
class CycleRounds {
public:
  CycleRounds(Function &f, ArrayRef<BasicBlock *> blocks)
      : f(f), i32(Type::getInt32Ty(f.getContext())), i64(Type::getInt64Ty(f.getContext())),
        blocks(blocks.begin(), blocks.end()) {}

  void run() {
    IRBuilder<> b(&*f.getEntryBlock().getFirstInsertionPt());
    state = b.CreateAlloca(i32, nullptr, "round.state");
    wanted = b.CreateAlloca(i64, nullptr, "round.wanted");
    header = BasicBlock::Create(f.getContext(), "round", &f);
    SmallVector<BasicBlock *, 4> places; // where the header sends a lane, by its state
    for (BasicBlock *bb : blocks) {
      CallInst *call = callIn(*bb);
      SmallVector<BasicBlock *, 4> from;
      for (BasicBlock *pred : SetVector<BasicBlock *>(pred_begin(bb), pred_end(bb)))
        if (call || !blocks.contains(pred))
          from.push_back(pred);
      if (from.empty())
        continue;
      BasicBlock *way = makeWay(call, places.size());
      for (BasicBlock *pred : from)
        pred->getTerminator()->replaceSuccessorWith(bb, way);
      places.push_back(bb);
    }
    fillHeader(places);
  }

private:
  /// The warp function that BB was made for, or null.
  static CallInst *callIn(BasicBlock &bb) {
    for (Instruction &i : bb)
      if (hasMembers(i))
        return cast<CallInst>(&i);
    return nullptr;
  }

  /// The way of lanes that go on at place NUMBER, at CALL if there is one, to the header.
  BasicBlock *makeWay(CallInst *call, unsigned number) {
    auto *way = BasicBlock::Create(f.getContext(), "round.from", &f, header);
    IRBuilder<> b(way);
    Value *want = b.getInt64(0);
    if (call) {
      b.SetCurrentDebugLocation(call->getDebugLoc());
      Value *mask = call->getArgOperand(0);
      if (auto *load = dyn_cast<LoadInst>(mask); load && load->getParent() == call->getParent())
        mask = b.Insert(load->clone(), "mask");
      unsigned kind =
          kinds.try_emplace({*getVxFn(call), widthOf(*call)}, kinds.size() + 1).first->second;
      want = b.CreateOr(b.CreateZExt(mask, i64), b.getInt64(uint64_t(kind) << 32));
      masks.insert(mask);
    }
    b.CreateStore(want, wanted);
    b.CreateStore(b.getInt32(number), state);
    b.CreateBr(header);
    return way;
  }

  static uint64_t widthOf(const CallInst &call) {
    if (!isReduction(*getVxFn(&call)))
      return 0;
    const auto *width = dyn_cast<ConstantInt>(call.getArgOperand(2));
    return width ? width->getZExtValue() : 0;
  }

  void fillHeader(ArrayRef<BasicBlock *> places) {
    auto *dispatch = BasicBlock::Create(f.getContext(), "round.go", &f);
    auto *wait = BasicBlock::Create(f.getContext(), "round.wait", &f);
    IRBuilder<> b(header);
    Value *want = b.CreateLoad(i64, wanted), *mask = b.CreateTrunc(want, i32);
    Value *waits = b.CreateIsNotNull(want);
    Value *here = emitCall(b, VxFn::ActiveMask);
    bool oneGroup = kinds.size() == 1 && masks.size() == 1 && isa<Constant>(*masks.begin());
    Value *same = oneGroup ? emitCall(b, VxFn::VoteBallot, {here, b.CreateZExt(waits, i32)})
                           : emitCall(b, VxFn::MatchAny64, {here, want});
    Value *missing = b.CreateAnd(b.CreateAnd(mask, here), b.CreateNot(same));
    Value *goes = b.CreateIsNull(missing); // the mask of a lane that does not wait is 0
    Value *any = emitCall(b, VxFn::VoteAny, {here, b.CreateZExt(goes, i32)});
    b.CreateCondBr(b.CreateOr(goes, b.CreateIsNull(any)), dispatch, wait);
    BranchInst::Create(header, wait);
    b.SetInsertPoint(dispatch);
    auto *choice = b.CreateSwitch(b.CreateLoad(i32, state), places.back(), places.size() - 1);
    for (auto [number, place] : enumerate(places.drop_back()))
      choice->addCase(b.getInt32(number), place);
  }

  Function &f;
  Type *i32, *i64;
  SetVector<BasicBlock *> blocks;
  AllocaInst *state = nullptr, *wanted = nullptr;
  BasicBlock *header = nullptr;
  std::map<std::pair<VxFn, uint64_t>, unsigned> kinds;
  SmallPtrSet<Value *, 4> masks;
};

/// The outermost cycles of F with a call at which lanes wait.
SmallVector<SmallVector<BasicBlock *, 16>, 2> findCycles(Function &f) {
  SmallVector<SmallVector<BasicBlock *, 16>, 2> cycles;
  for (auto scc = scc_begin(&f); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle() && any_of(*scc, [](BasicBlock *bb) { return any_of(*bb, awaits); }))
      cycles.emplace_back(scc->rbegin(), scc->rend());
  return cycles;
}

bool awaitMembers(Function &f, const TransitiveCallers &callers, FunctionAnalysisManager &fam) {
  if (none_of(instructions(f), awaits) || findCycles(f).empty())
    return false;
  if (!callers.findRecursion(f))
    callers.inlineInto(f); // lanes wait at all warp functions in a cycle, or at none
  SmallVector<CallInst *, 16> calls;
  for (Instruction &i : instructions(f))
    if (hasMembers(i))
      calls.push_back(cast<CallInst>(&i));
  for (CallInst *call : calls) {
    SplitBlock(call->getParent(), call);
    SplitBlock(call->getParent(), call->getNextNode());
  }
  changeWithValuesInMemory(f, fam, [&] {
    for (ArrayRef<BasicBlock *> cycle : findCycles(f))
      CycleRounds(f, cycle).run();
  });
  return true;
}

} // namespace

PreservedAnalyses AwaitMembersPass::run(Module &m, ModuleAnalysisManager &mam) {
  if (hasPaths(m) || isForHost(m)) // where lanes have paths, the machine lets them wait
    return PreservedAnalyses::all();
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  TransitiveCallers callers(m, hasMembers);
  bool changed = false;
  for (Function &f : m)
    if (!f.isDeclaration() && !isSoftwareVariant(f))
      changed |= awaitMembers(f, callers, fam);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
