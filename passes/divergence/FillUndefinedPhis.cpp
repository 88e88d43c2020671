// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-fill-undefined-phis: a variable that only some threads have set is 0 in the others.
//
//   int v;  if (threadIdx.x == 0) v = *p;  __syncthreads();  if (threadIdx.x == 0) use(v);
//
// makes a phi of *p and undef. LLVM's uniformity analysis takes undef for whatever suits it and
// calls the phi uniform if *p is, which holds for every thread that may use it; but a scalar for
// all threads of the block would have what the last one of them left there, and a branch on it
// would not be seen to diverge. With a number instead of undef such a phi is divergent where paths
// of divergent branches meet. Elsewhere phis keep their undef.
//
// Whether *p is uniform does not matter: what a later pass does may let the analysis see that it
// is.

#include "passes/Passes.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

bool isUndefined(const Use &input) {
  return isa<UndefValue>(input);
}

/// Returns a phi that says on which paths PHI is undefined: divergent if threads may come on both
/// kinds.
PHINode *makeProbe(PHINode &phi) {
  Type *truth = Type::getInt1Ty(phi.getContext());
  PHINode *probe = PHINode::Create(truth, phi.getNumIncomingValues(), "", phi.getIterator());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    probe->addIncoming(ConstantInt::get(truth, isUndefined(phi.getOperandUse(i))),
                       phi.getIncomingBlock(i));
  return probe;
}

} // namespace

PreservedAnalyses FillUndefinedPhisPass::run(Function &f, FunctionAnalysisManager &fam) {
  SmallVector<std::pair<PHINode *, PHINode *>, 8> probes;
  for (BasicBlock &bb : f)
    for (PHINode &phi : bb.phis())
      if (any_of(phi.incoming_values(), isUndefined) && !all_of(phi.incoming_values(), isUndefined))
        probes.push_back({&phi, nullptr});
  if (probes.empty())
    return PreservedAnalyses::all();
  for (auto &[phi, probe] : probes)
    probe = makeProbe(*phi);
  PreservedAnalyses flow;
  flow.preserveSet<CFGAnalyses>();
  fam.invalidate(f, flow);
  const auto &uniformity = fam.getResult<UniformityInfoAnalysis>(f);
  for (auto [phi, probe] : probes)
    if (uniformity.isDivergent(probe))
      for (Use &input : phi->incoming_values())
        if (isUndefined(input))
          input.set(Constant::getNullValue(phi->getType()));
  for (auto [phi, probe] : probes)
    probe->eraseFromParent();
  return flow;
}

} // namespace vx
