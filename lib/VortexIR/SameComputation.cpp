// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/SameComputation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

bool isSameComputation(const Value *a, const Value *b, Reloads reloads, unsigned depth) {
  if (a == b)
    return true;
  const auto *x = dyn_cast<Instruction>(a), *y = dyn_cast<Instruction>(b);
  if (!x || !y || depth == 0 || isa<PHINode, AllocaInst>(x) || x->mayWriteToMemory() ||
      (reloads == Reloads::Differ && x->mayReadFromMemory()) || !x->isSameOperationAs(y))
    return false;
  return all_of(zip(x->operands(), y->operands()), [&](auto pair) {
    return isSameComputation(std::get<0>(pair), std::get<1>(pair), reloads, depth - 1);
  });
}

} // namespace vx
