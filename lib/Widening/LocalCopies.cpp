// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Widening/LocalCopies.h"
#include "lib/VortexIR/IRNames.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace vx {

/// Returns the addresses in LOCAL that are computed outside of T, LOCAL first; nullopt if one of
/// them has more than one origin.
static std::optional<SmallVector<Instruction *, 8>> findAddresses(const ThreadLoop &t,
                                                                  AllocaInst &local) {
  SmallVector<Instruction *, 8> addresses = {&local};
  for (size_t k = 0; k < addresses.size(); ++k)
    for (User *user : addresses[k]->users()) {
      auto *i = cast<Instruction>(user);
      if (t.contains(i) || i->isLifetimeStartOrEnd())
        continue;
      if (!isa<GetElementPtrInst>(i) || i->getOperand(0) != addresses[k])
        return std::nullopt;
      if (!is_contained(addresses, i))
        addresses.push_back(i);
    }
  return addresses;
}

static bool isUsedIn(const ThreadLoop &t, AllocaInst &local) {
  SmallVector<const Instruction *, 8> derived = {&local};
  SmallPtrSet<const Instruction *, 8> seen;
  while (!derived.empty()) {
    const Instruction *at = derived.pop_back_val();
    for (const User *user : at->users()) {
      const auto *i = cast<Instruction>(user);
      if (t.contains(i) && !i->isLifetimeStartOrEnd())
        return true;
      bool isAddress = i->getType()->isPointerTy() || isa<PtrToIntInst>(i);
      if (isAddress && seen.insert(i).second)
        derived.push_back(i);
    }
  }
  return false;
}

bool LocalCopies::make() {
  constexpr uint64_t kMostBytes = 64 * 1024;
  const DataLayout &dl = t.header->getDataLayout();
  SmallVector<SmallVector<Instruction *, 8>, 4> locals;
  uint64_t bytes = 0;
  for (Instruction &i : t.header->getParent()->getEntryBlock()) {
    auto *local = dyn_cast<AllocaInst>(&i);
    if (!local || local->hasMetadata(kLaneArrays) || !isUsedIn(t, *local))
      continue;
    auto size = local->getAllocationSize(dl);
    auto addresses = findAddresses(t, *local);
    if (!size || local->isArrayAllocation() || !addresses)
      return false;
    bytes += size->getFixedValue() * width;
    locals.push_back(std::move(*addresses));
  }
  if (bytes > kMostBytes)
    return false;
  IRBuilder<> b(t.entry, t.entry->getFirstInsertionPt());
  Value *lane = locals.empty() ? nullptr : b.CreateAnd(t.index, width - 1, "lane");
  if (lane)
    made.push_back(cast<Instruction>(lane));
  for (ArrayRef<Instruction *> addresses : locals)
    copy(addresses, *cast<Instruction>(lane));
  return true;
}

/// Gives each thread of T a copy of a variable, ADDRESSES[0], and what is in T its addresses there.
void LocalCopies::copy(ArrayRef<Instruction *> addresses, Instruction &lane) {
  IRBuilder<> b(lane.getNextNode());
  auto *local = cast<AllocaInst>(addresses[0]);
  IRBuilder<> before(local);
  AllocaInst *copies = before.CreateAlloca(ArrayType::get(local->getAllocatedType(), width),
                                           nullptr, local->getName());
  copies->setAlignment(local->getAlign());
  made.push_back(copies);
  ValueToValueMapTy map;
  map[local] = b.CreateGEP(local->getAllocatedType(), copies, &lane, local->getName() + ".own");
  made.push_back(cast<Instruction>(map[local]));
  for (Instruction *address : addresses.drop_front()) {
    Instruction *own = address->clone();
    RemapInstruction(own, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    map[address] = b.Insert(own);
    made.push_back(own);
  }
  // What is said of the lifetime of the variable does not hold for all copies.
  for (Instruction *address : addresses)
    for (Use &u : make_early_inc_range(address->uses())) {
      auto *user = cast<Instruction>(u.getUser());
      if (user->isLifetimeStartOrEnd()) {
        user->eraseFromParent();
      } else if (t.contains(user) && user != map[address] && !is_contained(made, user)) {
        replaced.push_back({&u, address});
        u.set(map[address]);
      }
    }
}

void LocalCopies::undo() {
  for (const Replaced &r : replaced)
    r.use->set(r.address);
  for (Instruction *i : reverse(made))
    i->eraseFromParent();
  replaced.clear();
  made.clear();
}

} // namespace vx
