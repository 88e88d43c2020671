// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/IterativeFunctions.h"
#include "lib/VortexIR/IterativeFunction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

IterativeFunctions::IterativeFunctions(TransitiveCallers &callers,
                                       function_ref<bool(const Functions &)> test) {
  auto find = [&] {
    cycles = callers.findCycles();
    erase_if(cycles, [&](const Functions &cycle) {
      return findWithoutFrame(cycle) != nullptr || !test(cycle);
    });
  };
  find();
  callers.shareExpanded(cycles);
  SmallVector<CallInst *, 8> calls;
  for (const Functions &cycle : cycles)
    for (Function *f : cycle)
      for (Instruction &i : instructions(*f))
        if (isThroughPointer(i) && callers.isCalledBy(i))
          calls.push_back(cast<CallInst>(&i));
  for_each(calls, [&](CallInst *call) { callers.expand(*call); });
  if (!calls.empty()) // with the functions that have the comparisons now
    find();
}

Function &IterativeFunctions::of(Function &f) {
  const Functions *cycle =
      find_if(cycles, [&](const Functions &cycle) { return is_contained(cycle, &f); });
  if (cycle == cycles.end())
    return f;
  Function *&iterative = made[&f];
  if (!iterative)
    iterative = &makeIterative(f, *cycle);
  return *iterative;
}

void IterativeFunctions::erase() {
  for (auto [f, iterative] : made)
    iterative->eraseFromParent();
  made.clear();
}

} // namespace vx
