// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/ParallelRegions.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

bool isBoundary(const Instruction &i) {
  auto fn = getVxFn(&i);
  return fn == VxFn::Barrier || fn == VxFn::GroupSync || fn == VxFn::ThreadWait;
}

bool isThreadWait(const Instruction &i) {
  return getVxFn(&i) == VxFn::ThreadWait;
}

bool hasBoundary(const Function &f) {
  return any_of(instructions(f), [](const Instruction &i) { return isBoundary(i); });
}

void ParallelRegions::canonicalize(Function &f, BoundaryTest test) {
  SmallVector<Instruction *, 8> boundaries;
  for (Instruction &i : instructions(f))
    if (test(i))
      boundaries.push_back(&i);
  // From the last one on: what follows a split is moved.
  for (Instruction *i : reverse(boundaries)) {
    i->getParent()->splitBasicBlock(i->getNextNode());
    i->getParent()->splitBasicBlock(i);
  }
  for (Instruction *i : boundaries) {
    BasicBlock *own = i->getParent();
    own->setName("boundary");
    own->getSingleSuccessor()->setName(own->getName() + ".split");
  }
}

SmallVector<RegionProblem, 2> ParallelRegions::verify(const Function &f, BoundaryTest test) {
  SmallVector<RegionProblem, 2> problems;
  unsigned returns = 0;
  for (const BasicBlock &bb : f) {
    returns += isa<ReturnInst>(bb.getTerminator());
    const auto boundary = find_if(bb, test);
    if (boundary == bb.end())
      continue;
    const BasicBlock *next = bb.getSingleSuccessor();
    if (boundary != bb.begin() || bb.size() != 2)
      problems.push_back({"a boundary does not stand alone in its block", &*boundary});
    else if (!next || !next->getSinglePredecessor())
      problems.push_back({"a boundary is not followed by a block of its own", &*boundary});
  }
  if (returns != 1)
    problems.push_back({"there is not exactly one return", nullptr});
  return problems;
}

/// Emits the blocks of ORDER (reverse post-order) so that those of a loop follow one another: what
/// comes after a loop then has a higher number than what is in it.
static void emitLoopwise(ArrayRef<BasicBlock *> order, const Loop *inside, const LoopInfo &loops,
                         SmallVectorImpl<BasicBlock *> &result) {
  for (BasicBlock *bb : order) {
    const Loop *loop = loops.getLoopFor(bb);
    while (loop && loop->getParentLoop() != inside && loop != inside)
      loop = loop->getParentLoop();
    if (loop == inside) {
      result.push_back(bb);
    } else if (loop->getHeader() == bb) {
      SmallVector<BasicBlock *, 16> body;
      copy_if(order, std::back_inserter(body), [&](BasicBlock *b) { return loop->contains(b); });
      emitLoopwise(body, loop, loops, result);
    }
  }
}

/// Returns when threads at BOUNDARY continue if others wait elsewhere: 0 first.
static unsigned turnOf(const Instruction &boundary) {
  return isThreadWait(boundary) ? 0 : getVxFn(&boundary) == VxFn::GroupSync ? 1 : 2;
}

unsigned ParallelRegions::numWaits() const {
  return count_if(
      all, [](const ParallelRegion &r) { return r.boundary && isThreadWait(r.boundary->front()); });
}

ParallelRegions::ParallelRegions(Function &f, BoundaryTest test) : f(f) {
  assert(verify(f, test).empty() && "canonicalize() comes first");
  all.push_back({0, nullptr, &f.getEntryBlock(), {}, {}});
  // Reverse post-order numbers the regions so that, when threads are in different regions, running
  // the lowest first lets those behind catch up. Threads that only wait look again, and groups of
  // threads continue, until they wait for the whole block.
  ReversePostOrderTraversal<Function *> rpo(&f);
  SmallVector<BasicBlock *, 32> order(rpo.begin(), rpo.end()), numbered;
  DominatorTree dt(f);
  emitLoopwise(order, nullptr, LoopInfo(dt), numbered);
  SmallVector<BasicBlock *, 8> boundaries;
  copy_if(numbered, std::back_inserter(boundaries),
          [&](BasicBlock *bb) { return test(bb->front()); });
  if (test == isBoundary)
    stable_sort(boundaries, [](BasicBlock *a, BasicBlock *b) {
      return turnOf(a->front()) < turnOf(b->front());
    });
  for (BasicBlock *bb : boundaries) {
    unsigned id = all.size();
    after[bb] = id;
    all.push_back({id, bb, bb->getSingleSuccessor(), {}, {}});
  }
  for (ParallelRegion &r : all)
    collect(r);
  findCycles();
}

void ParallelRegions::collect(ParallelRegion &region) {
  // Post-order without crossing boundaries, then reversed.
  SmallVector<std::pair<BasicBlock *, unsigned>, 16> stack;
  SmallPtrSet<BasicBlock *, 16> seen;
  SmallVector<BasicBlock *, 16> postOrder;
  auto enter = [&](BasicBlock *bb) {
    if (auto it = after.find(bb); it != after.end())
      region.successors.insert(it->second);
    else if (seen.insert(bb).second)
      stack.push_back({bb, 0});
  };
  enter(region.entry);
  while (!stack.empty()) {
    auto &[bb, next] = stack.back();
    Instruction *term = bb->getTerminator();
    if (next < term->getNumSuccessors()) {
      enter(term->getSuccessor(next++));
      continue;
    }
    if (isa<ReturnInst>(term))
      region.canFinish = true;
    postOrder.push_back(bb);
    stack.pop_back();
  }
  for (BasicBlock *bb : reverse(postOrder)) {
    region.blocks.insert(bb);
    regionsByBlock[bb].push_back(region.id);
  }
}

/// A region is in a cycle of regions if its boundary is in one of the control flow.
void ParallelRegions::findCycles() {
  for (auto scc = scc_begin(&f); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      for (const BasicBlock *bb : *scc)
        if (auto it = after.find(bb); it != after.end())
          all[it->second].isInCycle = true;
}

ArrayRef<unsigned> ParallelRegions::regionsOf(const BasicBlock *bb) const {
  auto it = regionsByBlock.find(bb);
  return it == regionsByBlock.end() ? ArrayRef<unsigned>() : it->second;
}

void ParallelRegions::print(raw_ostream &os) const {
  os << "regions of " << f.getName() << ":\n";
  for (const ParallelRegion &r : all) {
    os << "  region " << r.id << ": ";
    interleave(r.blocks, os, [&](BasicBlock *bb) { bb->printAsOperand(os, false); }, " ");
    os << " ->";
    for (unsigned s : r.successors)
      os << " " << s;
    os << (r.canFinish ? " end\n" : "\n");
  }
}

} // namespace vx
