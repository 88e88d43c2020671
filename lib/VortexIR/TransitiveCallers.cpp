// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/TransitiveCallers.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

TransitiveCallers::TransitiveCallers(Module &m, function_ref<bool(const Instruction &)> test) {
  for (Function &f : m)
    if (!isKernel(f) && any_of(instructions(f), test))
      functions.insert(&f);
  for (unsigned i = 0; i < functions.size(); ++i)
    for (User *user : functions[i]->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledFunction() == functions[i] && !isKernel(*call->getFunction()))
        functions.insert(call->getFunction());
}

bool TransitiveCallers::isCalledBy(const CallBase &call) const {
  return contains(call.getCalledFunction());
}

const CallBase *TransitiveCallers::findRecursion(const Function &f) const {
  SmallPtrSet<const Function *, 8> open, done;
  return findRecursion(f, open, done);
}

/// OPEN are the functions on the path to F; DONE lead to no recursion.
const CallBase *TransitiveCallers::findRecursion(const Function &f, FunctionSet &open,
                                                 FunctionSet &done) const {
  open.insert(&f);
  for (const Instruction &i : instructions(f)) {
    const auto *call = dyn_cast<CallBase>(&i);
    if (!call || !isCalledBy(*call) || done.contains(call->getCalledFunction()))
      continue;
    if (open.contains(call->getCalledFunction()))
      return call;
    if (const CallBase *found = findRecursion(*call->getCalledFunction(), open, done))
      return found;
  }
  open.erase(&f);
  done.insert(&f);
  return nullptr;
}

void TransitiveCallers::inlineInto(Function &f) const {
  SmallVector<CallBase *, 16> work;
  for (Instruction &i : instructions(f))
    if (auto *call = dyn_cast<CallBase>(&i); call && isCalledBy(*call))
      work.push_back(call);
  std::reverse(work.begin(), work.end());
  while (!work.empty()) {
    InlineFunctionInfo info;
    InlineFunction(*work.pop_back_val(), info);
    copy_if(reverse(info.InlinedCallSites), std::back_inserter(work),
            [&](CallBase *call) { return isCalledBy(*call); });
  }
}

} // namespace vx
