// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

TransitiveCallers::TransitiveCallers(Module &m, function_ref<bool(const Instruction &)> test)
    : targets(m) {
  DenseMap<const Function *, SmallVector<Function *, 4>> byPointer; // functions and their callers
  for (Function &f : m) {
    if (isKernel(f))
      continue;
    for (Instruction &i : instructions(f)) {
      if (test(i))
        functions.insert(&f);
      if (isThroughPointer(i))
        for (const Function *target : targets.of(cast<CallBase>(i)))
          byPointer[target].push_back(&f);
    }
  }
  for (unsigned i = 0; i < functions.size(); ++i) {
    const Function *callee = functions[i];
    for (const User *user : callee->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == callee && !isKernel(*call->getFunction()))
        functions.insert(const_cast<Function *>(call->getFunction()));
    if (auto callers = byPointer.find(callee); callers != byPointer.end())
      functions.insert_range(callers->second);
  }
}

Functions TransitiveCallers::calledBy(const Instruction &i) const {
  Functions called;
  if (const auto *call = dyn_cast<CallBase>(&i); call && !empty())
    copy_if(targets.of(*call), std::back_inserter(called),
            [&](const Function *f) { return contains(f); });
  return called;
}

Recursion TransitiveCallers::findRecursion(const Function &f) const {
  SmallPtrSet<const Function *, 8> open, done;
  return findRecursion(f, open, done);
}

/// OPEN are the functions on the path to F; DONE lead to no recursion.
Recursion TransitiveCallers::findRecursion(const Function &f, FunctionSet &open,
                                           FunctionSet &done) const {
  open.insert(&f);
  for (const Instruction &i : instructions(f)) {
    for (const Function *callee : calledBy(i)) {
      if (done.contains(callee))
        continue;
      if (open.contains(callee))
        return {cast<CallBase>(&i), callee};
      if (Recursion found = findRecursion(*callee, open, done))
        return found;
    }
  }
  open.erase(&f);
  done.insert(&f);
  return {};
}

SetVector<Function *> TransitiveCallers::calledFrom(const Function &f) const {
  SetVector<Function *> called;
  for (const Instruction &i : instructions(f))
    called.insert_range(calledBy(i));
  return called;
}

namespace {

/// Tarjan's algorithm: the strongly connected components of functions and what they call.
class CycleFinder {
public:
  using CalledFrom = function_ref<SetVector<Function *>(Function &)>;
  explicit CycleFinder(CalledFrom calledFrom) : calledFrom(calledFrom) {}

  unsigned visit(Function *f) {
    auto [known, isNew] = order.insert({f, order.size() + 1});
    if (!isNew)
      return is_contained(open, f) ? known->second : ~0u;
    unsigned number = known->second, lowest = number;
    unsigned first = open.size();
    open.push_back(f);
    SetVector<Function *> called = calledFrom(*f);
    for (Function *callee : called)
      lowest = std::min(lowest, visit(callee));
    if (lowest == number) {
      if (open.size() - first > 1 || called.contains(f))
        cycles.emplace_back(open.begin() + first, open.end());
      open.truncate(first);
    }
    return lowest;
  }

  SmallVector<Functions, 2> cycles;

private:
  CalledFrom calledFrom;
  DenseMap<Function *, unsigned> order;
  Functions open;
};

} // namespace

SmallVector<Functions, 2> TransitiveCallers::findCycles() const {
  auto called = [&](Function &f) { return calledFrom(f); };
  CycleFinder finder(called);
  for (Function *f : functions)
    finder.visit(f);
  return finder.cycles;
}

void TransitiveCallers::shareExpanded(ArrayRef<Functions> cycles) {
  for (const auto &[number, cycle] : enumerate(cycles))
    for (const Function *f : cycle)
      cycleOf[f] = number;
}

/// Returns true if two of DIRECT are of one cycle.
bool TransitiveCallers::isShared(ArrayRef<Function *> direct) const {
  SmallSet<unsigned, 4> seen;
  return any_of(direct, [&](const Function *f) {
    auto known = cycleOf.find(f);
    return known != cycleOf.end() && !seen.insert(known->second).second;
  });
}

SmallVector<CallInst *, 8> TransitiveCallers::expand(CallInst &call) {
  Functions direct, rest, all = targets.of(call);
  for (Function *target : all)
    (contains(target) ? direct : rest).push_back(target);
  if (!isShared(direct))
    return expandCall(call, direct, rest);
  Function *&made = expanded[{call.getFunctionType(), all}];
  if (!made) {
    made = &makeExpandedCall(call, direct, rest);
    functions.insert(made);
  }
  SmallVector<Value *, 8> args{call.getCalledOperand()};
  append_range(args, call.args());
  IRBuilder<> b(&call);
  CallInst *shared = b.CreateCall(made, args);
  call.replaceAllUsesWith(shared);
  call.eraseFromParent();
  return {shared};
}

void TransitiveCallers::inlineInto(Function &f, Replace replace) {
  SmallVector<CallBase *, 16> work;
  for (Instruction &i : instructions(f))
    if (isCalledBy(i))
      work.push_back(cast<CallBase>(&i));
  std::reverse(work.begin(), work.end());
  while (!work.empty()) {
    CallBase *call = work.pop_back_val();
    if (isThroughPointer(*call)) {
      append_range(work, reverse(expand(*cast<CallInst>(call))));
      continue;
    }
    Function *callee = replace(*call->getCalledFunction());
    if (!callee)
      continue;
    call->setCalledFunction(callee);
    InlineFunctionInfo info;
    InlineFunction(*call, info);
    copy_if(reverse(info.InlinedCallSites), std::back_inserter(work),
            [&](CallBase *inlined) { return isCalledBy(*inlined); });
  }
}

} // namespace vx
