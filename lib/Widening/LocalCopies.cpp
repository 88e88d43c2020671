// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Widening/LocalCopies.h"
#include "lib/VortexIR/LoopUnits.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {

/// Returns the variables that T uses, or that all of them are not its own.
static std::optional<SmallSetVector<AllocaInst *, 8>> findLocals(const ThreadLoop &t) {
  SmallSetVector<AllocaInst *, 8> locals;
  for (const BasicBlock *bb : t.loop->blocks())
    for (const Instruction &i : *bb)
      for (const Use &u : i.operands()) {
        auto *local = dyn_cast<AllocaInst>(u);
        if (local)
          locals.insert(local);
        // An address that was computed before the loop.
        auto *outside = dyn_cast<Instruction>(u);
        if (!local && outside && !t.contains(outside) && outside->getType()->isPointerTy() &&
            isa<AllocaInst>(outside->stripInBoundsOffsets()))
          return std::nullopt;
      }
  return locals;
}

bool LocalCopies::make() {
  constexpr uint64_t kMostBytes = 64 * 1024;
  auto locals = findLocals(t);
  if (!locals)
    return false;
  const DataLayout &dl = t.header->getDataLayout();
  uint64_t bytes = 0;
  for (AllocaInst *local : *locals) {
    auto size = local->getAllocationSize(dl);
    if (!local->isStaticAlloca() || !size || local->isArrayAllocation())
      return false;
    bytes += size->getFixedValue() * width;
    // Outside, only its lifetime may be spoken of.
    bool isOwn = all_of(local->users(), [&](const User *user) {
      return t.contains(user) || cast<Instruction>(user)->isLifetimeStartOrEnd();
    });
    if (!isOwn || bytes > kMostBytes)
      return false;
  }
  Value *lane = nullptr;
  for (AllocaInst *local : *locals) {
    IRBuilder<> b(local);
    AllocaInst *copies =
        b.CreateAlloca(ArrayType::get(local->getAllocatedType(), width), nullptr, local->getName());
    copies->setAlignment(local->getAlign());
    b.SetInsertPoint(t.entry, t.entry->getFirstInsertionPt());
    if (!lane)
      lane = b.CreateAnd(t.index, width - 1, "lane");
    Value *own = b.CreateGEP(local->getAllocatedType(), copies, lane, local->getName() + ".own");
    for (Use &u : make_early_inc_range(local->uses()))
      if (t.contains(u.getUser()) && !cast<Instruction>(u.getUser())->isLifetimeStartOrEnd()) {
        replaced.push_back({&u, local});
        u.set(own);
      }
    made.append({cast<Instruction>(own), copies});
  }
  if (lane)
    made.push_back(cast<Instruction>(lane));
  // Those of a copy would be of all.
  for (AllocaInst *local : *locals)
    for (User *user : make_early_inc_range(local->users()))
      if (auto *i = cast<Instruction>(user); i->isLifetimeStartOrEnd())
        i->eraseFromParent();
  return true;
}

void LocalCopies::undo() {
  for (const Replaced &r : replaced)
    r.use->set(r.local);
  for (Instruction *i : made)
    i->eraseFromParent();
  replaced.clear();
  made.clear();
}

} // namespace vx
