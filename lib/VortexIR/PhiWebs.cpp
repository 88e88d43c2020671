// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/PhiWebs.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

// Some seconds. Phis that come later in larger functions have webs of their own.
static constexpr size_t kMostChecks = 100'000'000;
// 128 MB.
static constexpr uint64_t kMostBits = uint64_t(1) << 30;

PhiWebs::PhiWebs(Function &f, ArrayRef<Instruction *> given, DominatorTree &dt)
    : dt(dt), values(given.begin(), given.end()) {
  dt.updateDFSNumbers();
  for (BasicBlock &bb : f)
    blocks.insert({&bb, unsigned(blocks.size())});
  for (auto [number, value] : enumerate(values)) {
    numbers[value] = unsigned(number);
    web.push_back(unsigned(number));
    members.push_back({unsigned(number)});
  }
  if (uint64_t(values.size()) * blocks.size() > kMostBits)
    return;
  liveOut.assign(values.size(), BitVector(unsigned(blocks.size())));
  for (unsigned value = 0; value < values.size(); ++value)
    findLiveness(value);
  for (unsigned value = 0; value < values.size(); ++value)
    if (auto *phi = dyn_cast<PHINode>(values[value]))
      for (Value *incoming : phi->incoming_values())
        if (auto *i = dyn_cast<Instruction>(incoming))
          if (auto found = numbers.find(i); found != numbers.end())
            join(value, found->second);
}

unsigned PhiWebs::webOf(const Instruction &value) const {
  return web[numbers.find(&value)->second];
}

void PhiWebs::findLiveness(unsigned value) {
  const Instruction &i = *values[value];
  for (const Use &use : i.uses()) {
    const auto *user = cast<Instruction>(use.getUser());
    if (const auto *phi = dyn_cast<PHINode>(user)) {
      markLiveOut(value, *phi->getIncomingBlock(use));
      continue;
    }
    const BasicBlock *bb = user->getParent();
    const Instruction *&last = lastUse[{value, blocks[bb]}];
    bool isFirst = !last;
    if (isFirst || last->comesBefore(user))
      last = user;
    if (isFirst && bb != i.getParent())
      for (const BasicBlock *pred : predecessors(bb))
        markLiveOut(value, *pred);
  }
}

void PhiWebs::markLiveOut(unsigned value, const BasicBlock &bb) {
  SmallVector<const BasicBlock *, 16> work = {&bb};
  while (!work.empty()) {
    const BasicBlock *end = work.pop_back_val();
    unsigned number = blocks[end];
    if (liveOut[value].test(number))
      continue;
    liveOut[value].set(number);
    if (end != values[value]->getParent())
      append_range(work, predecessors(end));
  }
}

/// Returns true if VALUE, whose definition dominates PLACE, is live after it: after all phis of the
/// block if it is a phi.
bool PhiWebs::isLiveAfter(unsigned value, const Instruction &place) const {
  unsigned bb = blocks.find(place.getParent())->second;
  if (liveOut[value].test(bb))
    return true;
  const Instruction *last = lastUse.lookup({value, bb});
  return last && (isa<PHINode>(place) || place.comesBefore(last));
}

bool PhiWebs::interfere(unsigned a, unsigned b) const {
  const Instruction &first = *values[a], &second = *values[b];
  if (first.getParent() == second.getParent()) {
    if (isa<PHINode>(first) && isa<PHINode>(second))
      return true;
    return first.comesBefore(&second) ? isLiveAfter(a, second) : isLiveAfter(b, first);
  }
  if (dt.dominates(first.getParent(), second.getParent()))
    return isLiveAfter(a, second);
  return dt.dominates(second.getParent(), first.getParent()) && isLiveAfter(b, first);
}

/// Makes one web of those of A and B if no two of their values interfere.
void PhiWebs::join(unsigned a, unsigned b) {
  unsigned into = web[a], from = web[b];
  if (into == from || checks > kMostChecks)
    return;
  checks += members[into].size() * members[from].size();
  for (unsigned x : members[into])
    for (unsigned y : members[from])
      if (interfere(x, y))
        return;
  if (members[into].size() < members[from].size())
    std::swap(into, from);
  for (unsigned x : members[from])
    web[x] = into;
  append_range(members[into], members[from]);
  members[from].clear();
}

} // namespace vx
