// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-fill-undefined-phis: a variable that only some threads have set is 0 in the others.
//
//   int v;  if (threadIdx.x == 0) v = *p;  __syncthreads();  if (threadIdx.x == 0) use(v);
//
// makes a phi of *p and undef. LLVM's uniformity analysis takes undef for whatever suits it and
// calls the phi uniform, which holds for every thread that may use it; but a scalar for all threads
// of the block would have what the last one of them left there, and a branch on it would not be
// seen to diverge. With a number instead of undef such a phi is divergent where paths of divergent
// branches meet. All others keep their undef.

#include "passes/Passes.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// Operands of phis of one value and undef that seem to be uniform.
SmallVector<Use *, 8> findUndefinedInputs(Function &f, FunctionAnalysisManager &fam) {
  SmallVector<Use *, 8> found;
  for (BasicBlock &bb : f)
    for (PHINode &phi : bb.phis()) {
      if (none_of(phi.incoming_values(), [](const Use &u) { return isa<UndefValue>(u); }) ||
          all_of(phi.incoming_values(), [](const Use &u) { return isa<UndefValue>(u); }) ||
          fam.getResult<UniformityInfoAnalysis>(f).isDivergent(&phi))
        continue;
      for (Use &input : phi.incoming_values())
        if (isa<UndefValue>(input))
          found.push_back(&input);
    }
  return found;
}

} // namespace

PreservedAnalyses FillUndefinedPhisPass::run(Function &f, FunctionAnalysisManager &fam) {
  SmallVector<Use *, 8> inputs = findUndefinedInputs(f, fam);
  if (inputs.empty())
    return PreservedAnalyses::all();
  SmallVector<Value *, 8> undefined;
  for (Use *input : inputs) {
    undefined.push_back(*input);
    input->set(Constant::getNullValue((*input)->getType()));
  }
  PreservedAnalyses flow;
  flow.preserveSet<CFGAnalyses>();
  fam.invalidate(f, flow);
  const auto &uniformity = fam.getResult<UniformityInfoAnalysis>(f);
  bool changed = false;
  for (auto [input, value] : zip(inputs, undefined))
    if (uniformity.isDivergent(cast<PHINode>(input->getUser())))
      changed = true;
    else
      input->set(value);
  // The uniformity of zeroes and of what they are instead of is the same.
  return changed ? flow : PreservedAnalyses::all();
}

} // namespace vx
