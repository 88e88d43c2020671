// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-merge-meetings: calls at which the same threads may meet although they have taken different
// ways become one call (Meetings.h). Each call becomes a jump to the one that stands for all; its
// operands are in variables, and so is the number of the call, which says where the thread
// continues:
//
//     r1 = f(m, v1)    r2 = f(m, v2)           m, v = v1      m, v = v2
//     a(r1)            b(r2)            =>     call = 1       call = 2
//                                                    \        /
//                                                    r = f(m, v)
//                                                   switch (call)
//                                                    /        \               .
//                                              a(r1 = r)    b(r2 = r)
//
// That one is an ordinary call to all that follows: lanes reconverge in front of it, and a parallel
// region ends there. SSA values that live across blocks are demoted to memory before and promoted
// again after, so that the calls can be moved freely.
//
// Calls to which threads may come in different rounds of a cycle have the attribute
// kAwaitsMembersAttr then. Functions with calls of this kind in them are inlined where threads on
// different ways may meet there.

#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/DisplayName.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/ValuesInMemory.h"
#include "passes/Passes.h"
#include "passes/regions/Meetings.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {
namespace {

class MeetingMerger {
public:
  explicit MeetingMerger(Function &f) : f(f), i32(Type::getInt32Ty(f.getContext())) {}

  /// Gives CALL a block of its own.
  static void isolate(CallInst &call) {
    SplitBlock(call.getParent(), &call);
    SplitBlock(call.getParent(), call.getNextNode());
  }

  /// Makes one of CALLS, all of one kind, each in a block of its own with what stores its result.
  void merge(ArrayRef<CallInst *> calls) {
    BasicBlock *meeting = BasicBlock::Create(f.getContext(), "meeting", &f);
    IRBuilder<> b(meeting);
    AllocaInst *number = makeVariable(i32, "meeting.call");
    SmallVector<Value *, 4> args;
    for (unsigned k = 0; k < calls.front()->arg_size(); ++k)
      args.push_back(mergeOperand(calls, k, b));
    CallInst *one = cast<CallInst>(calls.front()->clone());
    for (auto [k, value] : enumerate(args))
      one->setArgOperand(k, value);
    SmallVector<DebugLoc, 4> locations;
    for (CallInst *call : calls)
      locations.push_back(call->getDebugLoc());
    b.Insert(one);
    one->setDebugLoc(DebugLoc::getMergedLocations(locations));
    auto *choice = b.CreateSwitch(b.CreateLoad(i32, number), nullptr, calls.size() - 1);
    for (auto [k, call] : enumerate(calls)) {
      BasicBlock *own = call->getParent();
      // What is left of the block takes the result; its predecessors go to the meeting.
      auto *way = BasicBlock::Create(f.getContext(), "meeting.from", &f, own);
      own->replaceAllUsesWith(way); // there are no phis
      b.SetInsertPoint(way);
      b.SetCurrentDebugLocation(call->getDebugLoc());
      for (auto [n, variable] : operands)
        b.CreateStore(call->getArgOperand(n), variable);
      b.CreateStore(b.getInt32(k), number);
      b.CreateBr(meeting);
      if (k == 0)
        choice->setDefaultDest(own);
      else
        choice->addCase(b.getInt32(k), own);
      moveOperands(*call, *way);
      if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(one);
      call->eraseFromParent();
    }
    operands.clear();
  }

private:
  AllocaInst *makeVariable(Type *type, const Twine &name) {
    IRBuilder<> b(&*f.getEntryBlock().getFirstInsertionPt());
    return b.CreateAlloca(type, nullptr, name);
  }

  /// Returns operand K of the call that stands for CALLS: what all of them have, or a variable.
  Value *mergeOperand(ArrayRef<CallInst *> calls, unsigned k, IRBuilder<> &b) {
    Value *first = calls.front()->getArgOperand(k);
    if (isa<Constant>(first) &&
        all_of(calls, [&](CallInst *call) { return call->getArgOperand(k) == first; }))
      return first;
    AllocaInst *variable = makeVariable(first->getType(), "meeting.operand");
    operands.push_back({k, variable});
    return b.CreateLoad(first->getType(), variable);
  }

  /// Moves the loads of CALL's operands, which stand before it, to the WAY to the meeting.
  static void moveOperands(CallInst &call, BasicBlock &way) {
    BasicBlock::iterator stores = way.begin();
    while (&call.getParent()->front() != &call)
      call.getParent()->front().moveBefore(way, stores);
  }

  Function &f;
  Type *i32;
  SmallVector<std::pair<unsigned, AllocaInst *>, 4> operands;
};

/// Says what becomes of the calls of MEETING in F, with -Rvx-lower.
void remark(const Function &f, const Meeting &meeting) {
  if (!deviceOption::lowerRemarks(*f.getParent()))
    return;
  StringRef name = getInfo(meetingKindOf(*meeting.calls.front())->fn).name;
  std::string what = "function '" + displayName(f) + "': ";
  if (meeting.calls.size() > 1)
    what += "threads that have diverged may meet at " + std::to_string(meeting.calls.size()) +
            " calls of " + name.str() + ", which become one";
  else
    what += "threads may come to a call of " + name.str() + " in different rounds of a cycle";
  if (meeting.awaits)
    what += "; those that are first wait for the others";
  f.getContext().diagnose(DiagnosticInfoGeneric(what, DS_Note));
}

void inlineCalls(ArrayRef<CallInst *> calls) {
  for (CallInst *call : calls) {
    InlineFunctionInfo info;
    InlineFunction(*call, info);
  }
}

bool mergeMeetings(Function &f, const MeetingKinds &kinds, const TransitiveCallers &callers,
                   FunctionAnalysisManager &fam) {
  if (kinds.of(f).empty())
    return false;
  bool changed = false;
  Meetings found = findMeetings(f, kinds, fam);
  while (!found.toInline.empty() && !callers.findRecursion(f)) {
    inlineCalls(found.toInline);
    changed = true;
    fam.invalidate(f, PreservedAnalyses::none());
    found = findMeetings(f, kinds, fam);
  }
  for (const Meeting &meeting : found.all)
    remark(f, meeting);
  for (const Meeting &meeting : found.all)
    if (meeting.awaits)
      meeting.calls.front()->addFnAttr(Attribute::get(f.getContext(), kAwaitsMembersAttr));
  erase_if(found.all, [](const Meeting &m) { return m.calls.size() < 2; });
  if (found.all.empty())
    return changed;
  for (const Meeting &meeting : found.all)
    for (CallInst *call : meeting.calls)
      MeetingMerger::isolate(*call);
  changeWithValuesInMemory(f, fam, [&] {
    MeetingMerger merger(f);
    for (const Meeting &meeting : found.all)
      merger.merge(meeting.calls);
  });
  return true;
}

} // namespace

PreservedAnalyses MergeMeetingsPass::run(Module &m, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  MeetingKinds kinds(m);
  if (kinds.empty())
    return PreservedAnalyses::all();
  TransitiveCallers callers(m, [](const Instruction &i) { return meetingKindOf(i).has_value(); });
  SmallVector<Function *, 16> work; // copies of functions come and go
  for (Function &f : m)
    if (!f.isDeclaration())
      work.push_back(&f);
  bool changed = false;
  for (Function *f : work)
    changed |= mergeMeetings(*f, kinds, callers, fam);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
