// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionValues.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/ValuesInMemory.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace vx {
namespace {

/// Operations in a recomputed expression; beyond that a context slot (a store and a load) is
/// cheaper.
constexpr unsigned kMaxRecomputeOps = 6;

/// Returns true if V is live at the top of some boundary block: walks from its uses back to its
/// definition.
bool crossesBoundary(const Instruction &v, const ParallelRegions &regions) {
  SmallVector<const BasicBlock *, 16> work;
  SmallPtrSet<const BasicBlock *, 16> liveIn;
  auto enter = [&](const BasicBlock *bb) {
    if (liveIn.insert(bb).second)
      work.push_back(bb);
  };
  auto enterFromEnd = [&](const BasicBlock *bb) {
    if (bb != v.getParent())
      enter(bb);
  };
  for (const Use &use : v.uses()) {
    const auto *user = cast<Instruction>(use.getUser());
    if (const auto *phi = dyn_cast<PHINode>(user))
      enterFromEnd(phi->getIncomingBlock(use));
    else if (user->getParent() != v.getParent())
      enter(user->getParent());
  }
  while (!work.empty()) {
    const BasicBlock *bb = work.pop_back_val();
    if (regions.isBoundaryBlock(bb))
      return true;
    for (const BasicBlock *pred : predecessors(bb))
      enterFromEnd(pred);
  }
  return false;
}

/// Returns the number of operations to recompute V from what every thread has anyway, or a large
/// number.
unsigned recomputeCost(const Value *v, unsigned budget) {
  constexpr unsigned tooMuch = 1000;
  if (isa<Argument>(v))
    return cast<Argument>(v)->hasByValAttr() ? tooMuch : 0;
  if (isa<Constant>(v))
    return 0;
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || budget == 0)
    return tooMuch;
  if (auto fn = getVxFn(i))
    return getInfo(*fn).effects == VxEffects::Pure ? 0 : tooMuch;
  bool cheap =
      isa<CastInst>(i) || isa<GetElementPtrInst>(i) || isa<CmpInst>(i) || isa<SelectInst>(i);
  if (const auto *op = dyn_cast<BinaryOperator>(i))
    cheap = op->getOpcode() != Instruction::FDiv && op->getOpcode() != Instruction::FRem &&
            !op->isIntDivRem();
  if (!cheap)
    return tooMuch;
  unsigned cost = 1;
  for (const Value *operand : i->operands()) {
    cost += recomputeCost(operand, budget - 1);
    if (cost > budget)
      return tooMuch;
  }
  return cost;
}

Value *cloneExpression(Value *v, Instruction *before, DenseMap<Value *, Value *> &done) {
  auto *i = dyn_cast<Instruction>(v);
  if (!i)
    return v;
  if (Value *c = done.lookup(v))
    return c;
  Instruction *copy = i->clone();
  for (Use &operand : copy->operands())
    if (!isa<Function>(operand))
      operand.set(cloneExpression(operand, before, done));
  copy->insertBefore(before->getIterator());
  copy->setName(i->getName());
  done[v] = copy;
  return copy;
}

/// Returns true if the address of LOCAL is used by blocks of one region only, and that region runs
/// once.
bool staysInOneRegion(const AllocaInst &local, const ParallelRegions &regions) {
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> work{&local};
  SmallSet<unsigned, 4> users;
  while (!work.empty()) {
    const Value *v = work.pop_back_val();
    for (const User *user : v->users()) {
      const auto *i = dyn_cast<Instruction>(user);
      if (!i)
        return false;
      for (unsigned region : regions.regionsOf(i->getParent()))
        users.insert(region);
      bool derives =
          isa<GetElementPtrInst>(i) || isa<CastInst>(i) || isa<PHINode>(i) || isa<SelectInst>(i);
      bool contained = isa<LoadInst>(i) || isa<MemIntrinsic>(i) || isa<CmpInst>(i) ||
                       i->isLifetimeStartOrEnd() ||
                       (isa<StoreInst>(i) && cast<StoreInst>(i)->getValueOperand() != v);
      if (derives && seen.insert(i).second)
        work.push_back(i);
      else if (!derives && !contained)
        return false; // escapes
    }
  }
  return users.size() <= 1 && (users.empty() || !regions.isInCycle(*users.begin()));
}

/// Demotes V to memory. A phi takes two slots: one that its predecessors store to, and, as long as
/// the value read from it crosses a boundary, one for that.
SmallVector<AllocaInst *, 2> demote(Instruction &v, const ParallelRegions &regions) {
  BasicBlock::iterator at = v.getFunction()->getEntryBlock().begin();
  SmallVector<AllocaInst *, 2> slots;
  auto *phi = dyn_cast<PHINode>(&v);
  if (!phi) {
    if (AllocaInst *slot = DemoteRegToStack(v, false, at))
      slots.push_back(slot);
    return slots;
  }
  AllocaInst *slot = DemotePHIToStack(phi, at);
  if (!slot)
    return slots;
  slots.push_back(slot);
  SmallVector<Instruction *, 2> reloads;
  for (User *user : slot->users())
    if (isa<LoadInst>(user) && crossesBoundary(*cast<Instruction>(user), regions))
      reloads.push_back(cast<Instruction>(user));
  for (Instruction *reload : reloads)
    if (AllocaInst *second = DemoteRegToStack(*reload, false, at))
      slots.push_back(second);
  return slots;
}

/// Returns the regions at whose entry the contents of SLOT can be read before they are written.
SmallSet<unsigned, 4> findLiveRegions(const AllocaInst &slot, const ParallelRegions &regions) {
  SmallPtrSet<const BasicBlock *, 16> liveIn = findLiveIn(slot);
  SmallSet<unsigned, 4> live;
  for (const ParallelRegion &r : regions.regions())
    if (r.boundary && liveIn.contains(r.entry))
      live.insert(r.id);
  return live;
}

uint64_t slotSize(const DataLayout &dl, Type *type) {
  return alignTo(dl.getTypeAllocSize(type).getFixedValue(), dl.getABITypeAlign(type));
}

} // namespace

SmallVector<Instruction *, 16> findCrossing(Function &f, const ParallelRegions &regions) {
  SmallVector<Instruction *, 16> crossing;
  for (Instruction &i : instructions(f))
    if (!isa<AllocaInst>(i) && !i.getType()->isVoidTy() && !i.getType()->isTokenTy() &&
        crossesBoundary(i, regions))
      crossing.push_back(&i);
  return crossing;
}

bool recomputeCheapValues(Function &f, const ParallelRegions &regions) {
  bool changed = false;
  for (Instruction *v : findCrossing(f, regions)) {
    if (isa<PHINode>(v) || recomputeCost(v, kMaxRecomputeOps) > kMaxRecomputeOps)
      continue;
    SmallVector<Use *, 8> uses;
    for (Use &use : v->uses())
      if (cast<Instruction>(use.getUser())->getParent() != v->getParent() ||
          isa<PHINode>(use.getUser()))
        uses.push_back(&use);
    for (Use *use : uses) {
      auto *user = cast<Instruction>(use->getUser());
      DenseMap<Value *, Value *> done;
      if (auto *phi = dyn_cast<PHINode>(user)) {
        // Every entry of one predecessor must stay the same value.
        BasicBlock *from = phi->getIncomingBlock(*use);
        Value *copy = cloneExpression(v, from->getTerminator(), done);
        for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
          if (phi->getIncomingBlock(k) == from)
            phi->setIncomingValue(k, copy);
        continue;
      }
      use->set(cloneExpression(v, user, done));
    }
    changed |= !uses.empty();
    if (v->use_empty())
      v->eraseFromParent();
  }
  return changed;
}

/// Finds the local variables that live across boundaries; those that a debugger looks for,
/// everywhere.
static void findLocals(Function &f, const ParallelRegions &regions, RegionStorage &storage) {
  const DataLayout &dl = f.getDataLayout();
  bool isDebugged = keepsVariables(*f.getParent());
  for (Instruction &i : instructions(f))
    if (auto *local = dyn_cast<AllocaInst>(&i);
        local && (!staysInOneRegion(*local, regions) ||
                  (regions.regions().size() > 1 && isDebugged && !findDVRDeclares(local).empty())))
      storage.locals.push_back(
          {local, alignTo(local->getAllocationSize(dl)->getFixedValue(), local->getAlign())});
}

/// Returns the number of bytes of one element of an array for V.
uint64_t elementSize(const DataLayout &dl, const CrossingValue &v) {
  return slotSize(dl, v.slot->getAllocatedType());
}

/// A thread reads its values when it enters a region and writes those that the next one wants when
/// it exits. So two may have the same place if no region starts with both.
bool canShare(const CrossingValue &x, const CrossingValue &y) {
  return x.ofWarp == y.ofWarp &&
         none_of(x.liveInto, [&](unsigned r) { return y.liveInto.contains(r); });
}

/// Gives everything that is not a scalar its place.
static void layOut(const DataLayout &dl, RegionStorage &storage) {
  // Largest first: every array then starts at a multiple of its element size.
  stable_sort(storage.locals, [](const CrossingLocal &x, const CrossingLocal &y) {
    return x.local->getAlign() > y.local->getAlign();
  });
  stable_sort(storage.values, [&](const CrossingValue &x, const CrossingValue &y) {
    return elementSize(dl, x) > elementSize(dl, y);
  });
  uint64_t perThread = 0, perLane = 0;
  for (CrossingLocal &l : storage.locals) {
    l.offset = perThread;
    perThread = alignTo(perThread + l.size, 16);
  }
  // Arrays of one size: an element of another would cover several of its neighbours.
  struct Array {
    uint64_t size, offset;
    SmallVector<const CrossingValue *, 4> holds;
  };
  SmallVector<Array, 16> arrays;
  for (CrossingValue &v : storage.values) {
    if (v.uniform)
      continue;
    uint64_t size = elementSize(dl, v);
    auto *place = find_if(arrays, [&](const Array &a) {
      return a.size == size && all_of(a.holds, [&](auto *other) { return canShare(v, *other); });
    });
    if (place == arrays.end()) {
      uint64_t &offset = v.ofWarp ? perLane : perThread;
      offset = alignTo(offset, std::min<uint64_t>(PowerOf2Ceil(size), 16));
      arrays.push_back({size, offset, {}});
      place = &arrays.back();
      offset += size;
    }
    v.offset = place->offset;
    place->holds.push_back(&v);
  }
  storage.contextBytes = alignTo(perThread, 16);
  storage.laneBytes = alignTo(perLane, 16);
}

/// Returns true if every thread stores to SLOT at most once.
static bool isSetOnce(const AllocaInst &slot, const ParallelRegions &regions) {
  return none_of(slot.users(), [&](const User *user) {
    const auto *store = dyn_cast<StoreInst>(user);
    return store && any_of(regions.regionsOf(store->getParent()),
                           [&](unsigned id) { return regions.isInCycle(id); });
  });
}

/// V may be one value for the warp (INWARP): one variable while the warp is the current one, and
/// one word or two of the warp in the context where it lives across a barrier.
static void placeScalar(CrossingValue &v, bool inWarp, RegionStorage &storage,
                        const DataLayout &dl) {
  if (v.uniform || !inWarp)
    return;
  uint64_t words = divideCeil(elementSize(dl, v), 4);
  if (!v.ofWarp && words > 2)
    return;
  v.uniform = true;
  if (v.ofWarp)
    return;
  v.ofWarp = v.ofEachWarp = true;
  v.row = storage.warpRows;
  storage.warpRows += words;
}

RegionStorage assignStorage(Function &f, const ParallelRegions &regions,
                            const StorageRules &rules) {
  RegionStorage storage;
  findLocals(f, regions, storage);
  struct Crossing {
    Instruction *value;
    bool inBlock, inWarp; // uniform
  };
  SmallVector<Crossing, 16> crossing;
  for (Instruction *v : findCrossing(f, regions))
    crossing.push_back({v, !rules.block.isDivergent(v), rules.warp && !rules.warp->isDivergent(v)});
  for (const Crossing &c : crossing)
    for (AllocaInst *slot : demote(*c.value, regions)) {
      CrossingValue v{slot, c.inBlock, findLiveRegions(*slot, regions)};
      if (v.liveInto.empty())
        continue;
      if (!rules.regular)
        v.uniform &= rules.blockLevel && isSetOnce(*slot, regions);
      if (rules.blockLevel)
        v.ofWarp = none_of(v.liveInto, [&](unsigned r) {
          return rules.blockLevel(regions.regions()[r].boundary->front());
        });
      if (rules.warp)
        placeScalar(v, c.inWarp, storage, f.getDataLayout());
      storage.values.push_back(std::move(v));
    }
  layOut(f.getDataLayout(), storage);
  return storage;
}

} // namespace vx
