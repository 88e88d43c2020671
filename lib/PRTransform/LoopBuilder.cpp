// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/LoopBuilder.h"
#include "lib/PRTransform/Coordinates.h"
#include "lib/PRTransform/RegionScopes.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

LoopBuilder::LoopBuilder(Function &f, const ParallelRegions &regions, RegionStorage storage)
    : numWaits(regions.numWaits()), f(f), regions(regions), storage(std::move(storage)),
      ctx(f.getContext()), i32(Type::getInt32Ty(ctx)),
      memory{param(kParamContext),     param(kParamContextCount),  param(kParamInterleave),
             param(kParamInterleaved), this->storage.contextBytes, this->storage.laneBytes} {
  memory.isForHost = isForHost(*f.getParent());
}

void LoopBuilder::run() {
  SmallVector<BasicBlock *, 32> old;
  for (BasicBlock &bb : f)
    old.push_back(&bb);
  for (const CrossingValue &v : storage.values)
    for (const User *user : v.slot->users()) {
      const auto *i = cast<Instruction>(user);
      Accesses &a = accesses[i->getParent()];
      a.accessed.push_back(&v);
      if (isa<StoreInst>(i))
        a.written.push_back(&v);
    }
  makeEntry();
  trackLocals();
  end = block("block.end");
  ReturnInst::Create(ctx, end);
  build();
  locateRest();
  declareLocals();
  for (BasicBlock *bb : old)
    bb->dropAllReferences();
  for (BasicBlock *bb : old)
    bb->eraseFromParent();
  // The locals live in the context now.
  for (const CrossingLocal &l : storage.locals)
    l.local->eraseFromParent();
}

void LoopBuilder::makeEntry() {
  BasicBlock *oldEntry = &f.getEntryBlock();
  entry = BasicBlock::Create(ctx, "entry", &f, oldEntry);
  for (Instruction &i : make_early_inc_range(*oldEntry))
    if (isa<AllocaInst>(i))
      i.moveBefore(*entry, entry->end());
}

/// A debugger finds a local in the context by the address that each region leaves in a variable
/// when it starts for a thread.
void LoopBuilder::trackLocals() {
  if (!keepsVariables(*f.getParent()))
    return;
  IRBuilder<> b(entry);
  for (const CrossingLocal &l : storage.locals)
    for (DbgVariableRecord *record : findDVRDeclares(l.local)) {
      AllocaInst *&address = localAddresses[l.local];
      if (!address) {
        // An integer stays one variable where pointers in memory become two halves (RV32).
        address = b.CreateAlloca(b.getInt64Ty(), nullptr, l.local->getName() + ".address");
        b.CreateStore(b.getInt64(0), address, /*isVolatile=*/true);
      }
      auto *expression = DIExpression::prepend(record->getExpression(), DIExpression::DerefBefore);
      declarations.push_back({address, record->getVariable(), expression, record->getDebugLoc()});
      record->eraseFromParent();
    }
}

void LoopBuilder::declareLocals() {
  for (const Declaration &d : declarations)
    entry->insertDbgRecordBefore(
        DbgVariableRecord::createDVRDeclare(d.address, d.variable, d.expression, d.location),
        entry->getTerminator()->getIterator());
}

void LoopBuilder::locate(const Loop &loop, const ParallelRegion &r, const BasicBlock *first) {
  for (const BasicBlock *bb : {loop.pre, loop.header, loop.body, loop.latch})
    locate(bb, &r);
  locate(first, &r);
  // What is kept, and the barrier, are for the boundary that follows.
  bool isLast = r.successors.size() != 1;
  locate(loop.done, isLast ? &r : &regions.regions()[r.successors[0]]);
}

/// Gives the rest of the code a line: profiles and reports show no code without one.
void LoopBuilder::locateRest() {
  DISubprogram *kernel = f.getSubprogram();
  if (!kernel)
    return;
  DebugLoc opening = DILocation::get(ctx, kernel->getScopeLine(), 0, kernel);
  for (BasicBlock &bb : f) {
    DebugLoc here = locations.lookup(&bb);
    for (Instruction &i : bb)
      if (!i.getDebugLoc() && !isa<PHINode>(i) && !isa<AllocaInst>(i))
        i.setDebugLoc(here ? here : opening);
  }
}

AllocaInst *LoopBuilder::variable(const Twine &name, Value *initial) {
  IRBuilder<> b(entry);
  AllocaInst *c = b.CreateAlloca(i32, nullptr, name);
  if (initial)
    b.CreateStore(initial, c);
  return c;
}

void LoopBuilder::makeScalars() {
  IRBuilder<> b(entry);
  for (const CrossingValue &v : storage.values)
    if (v.uniform) {
      Type *type = v.slot->getAllocatedType();
      AllocaInst *now = b.CreateAlloca(type, nullptr, "scalar");
      scalars[v.slot] = {now, b.CreateAlloca(type, nullptr, "scalar.next")};
    }
}

// --- loops ---

void LoopBuilder::makeBlocks(Loop &loop, const Twine &prefix, StringRef unit) {
  if (!loop.pre)
    loop.pre = block(prefix + ".pre");
  loop.header = block(prefix + "." + unit + "s");
  loop.body = block(prefix + "." + unit);
  loop.latch = block(prefix + ".next");
  loop.done = block(prefix + ".done");
}

void LoopBuilder::count(Loop &loop, Value *first, Value *limit, Value *step, const Twine &name,
                        LoopUnit unit) {
  IRBuilder<> b(loop.pre);
  b.CreateBr(loop.header);
  b.SetInsertPoint(loop.header);
  PHINode *index = b.CreatePHI(i32, 2, name);
  loop.index = index;
  index->addIncoming(first, loop.pre);
  b.CreateCondBr(b.CreateICmpULT(index, limit), loop.body, loop.done);
  b.SetInsertPoint(loop.latch);
  index->addIncoming(b.CreateNUWAdd(index, step), loop.latch);
  markLoop(*b.CreateBr(loop.header), unit);
}

Value *LoopBuilder::leastOfBlock(IRBuilderBase &b, AllocaInst *word, Value *value) {
  Value *votes =
      b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), emitCall(b, VxFn::SharedTail), kTailVotes);
  Value *number = b.CreateLoad(i32, word);
  Value *next = b.CreateSelect(b.CreateICmpEQ(number, b.getInt32(2)), b.getInt32(0),
                               b.CreateAdd(number, b.getInt32(1)));
  b.CreateStore(next, word);
  Value *at = b.CreateGEP(i32, votes, number);
  b.CreateStore(b.getInt32(kFinished), b.CreateGEP(i32, votes, next), /*isVolatile=*/true);
  b.CreateAtomicRMW(AtomicRMWInst::UMin, at, value, Align(4), AtomicOrdering::Monotonic);
  waitForBlock(b);
  return b.CreateLoad(i32, at, /*isVolatile=*/true);
}

Value *LoopBuilder::rankOf(IRBuilderBase &b, Value *number, Value *last) const {
  if (!numWaits)
    return number;
  Value *isNext =
      b.CreateAnd(b.CreateICmpUGT(number, last), b.CreateICmpULE(number, b.getInt32(numWaits)));
  Value *stays = b.CreateOr(isNext, b.CreateICmpEQ(number, b.getInt32(kFinished)));
  return b.CreateSelect(stays, number, b.CreateAdd(number, b.getInt32(numWaits)));
}

Value *LoopBuilder::boundaryOf(IRBuilderBase &b, Value *rank) const {
  if (!numWaits)
    return rank;
  Value *isLater = b.CreateAnd(b.CreateICmpUGT(rank, b.getInt32(numWaits)),
                               b.CreateICmpNE(rank, b.getInt32(kFinished)));
  return b.CreateSelect(isLater, b.CreateSub(rank, b.getInt32(numWaits)), rank);
}

// --- values that cross boundaries ---

void LoopBuilder::findAccesses(const ParallelRegion &r) {
  accessed.clear();
  written.clear();
  for (const BasicBlock *bb : r.blocks)
    if (auto it = accesses.find(bb); it != accesses.end()) {
      accessed.append(it->second.accessed);
      written.insert_range(it->second.written);
    }
  // All are in one array, in the order of which code is made.
  sort(accessed);
  accessed.erase(unique(accessed), accessed.end());
  ownSlots.clear();
  IRBuilder<> b(entry, entry->begin());
  for (const CrossingValue *v : accessed)
    ownSlots[v->slot] =
        hasManyRegions() ? b.CreateAlloca(v->slot->getAllocatedType(), nullptr, v->slot->getName())
                         : v->slot;
}

void LoopBuilder::openScalars(IRBuilderBase &b, const ParallelRegion &r) {
  for (const CrossingValue *v : accessed)
    if (v->uniform && written.contains(v)) {
      const Scalar &s = scalars[v->slot];
      Type *type = v->slot->getAllocatedType();
      bool isKept = v->liveInto.contains(r.id) || !allInOneRegion() || !hasManyRegions();
      b.CreateStore(isKept ? cast<Value>(b.CreateLoad(type, s.now)) : PoisonValue::get(type),
                    s.next);
    }
}

void LoopBuilder::closeScalars(IRBuilderBase &b) {
  for (const CrossingValue *v : accessed)
    if (v->uniform && written.contains(v)) {
      const Scalar &s = scalars[v->slot];
      b.CreateStore(asScalar(b, b.CreateLoad(v->slot->getAllocatedType(), s.next)), s.now);
    }
}

Value *LoopBuilder::slotAddress(IRBuilderBase &b, const CrossingValue &v, const Loop &loop,
                                Value *thread, ContextWalk &walk) {
  const DataLayout &dl = f.getDataLayout();
  Type *type = v.slot->getAllocatedType();
  uint64_t size = alignTo(dl.getTypeAllocSize(type).getFixedValue(), dl.getABITypeAlign(type));
  return v.ofWarp ? walk.laneSlot(b, v.offset, size, loop.index)
                  : walk.threadSlot(b, v.offset, size, loop.place ? loop.place : thread);
}

void LoopBuilder::restoreValues(IRBuilderBase &b, const ParallelRegion &r, const Loop &loop,
                                Value *thread) {
  // What is written on some way only is saved as it was on the others.
  auto isRestored = [&](const CrossingValue *v) { return v->liveInto.contains(r.id); };
  ContextWalk walk(memory, count_if(accessed, [&](const CrossingValue *v) {
                     return !v->uniform && isRestored(v);
                   }));
  for (const CrossingValue *v : make_filter_range(accessed, isRestored)) {
    Value *from = v->uniform ? scalars[v->slot].now : slotAddress(b, *v, loop, thread, walk);
    b.CreateStore(b.CreateLoad(v->slot->getAllocatedType(), from), ownSlots[v->slot]);
  }
}

void LoopBuilder::saveValues(IRBuilderBase &b, uint32_t next, const Loop &loop, Value *thread) {
  auto isSaved = [&](const CrossingValue *v) {
    return written.contains(v) && v->liveInto.contains(next);
  };
  ContextWalk walk(memory, count_if(accessed, [&](const CrossingValue *v) {
                     return !v->uniform && isSaved(v);
                   }));
  for (const CrossingValue *v : make_filter_range(accessed, isSaved)) {
    Value *value = b.CreateLoad(v->slot->getAllocatedType(), ownSlots[v->slot]);
    b.CreateStore(value,
                  v->uniform ? scalars[v->slot].next : slotAddress(b, *v, loop, thread, walk));
  }
}

// --- the code of a region ---

/// Returns the block in which THREAD exits LOOP to region NEXT, or ends.
BasicBlock *LoopBuilder::makeExit(const Loop &loop, Value *thread, uint32_t next) {
  auto *exit = BasicBlock::Create(ctx, next == kFinished ? "finish" : "exit", &f, loop.latch);
  locate(exit, next == kFinished ? nullptr : &regions.regions()[next]);
  IRBuilder<> b(exit);
  if (next != kFinished)
    saveValues(b, next, loop, thread);
  exitTo(b, next, loop);
  b.CreateBr(loop.latch);
  return exit;
}

/// Drops entries of COPY's phis for predecessors that are not part of the region that MAP maps.
static void prunePhis(BasicBlock &copy, const ValueToValueMapTy &map) {
  for (PHINode &phi : make_early_inc_range(copy.phis()))
    for (unsigned k = phi.getNumIncomingValues(); k-- > 0;)
      if (!map.count(phi.getIncomingBlock(k)))
        phi.removeIncomingValue(k, /*DeletePHIIfEmpty=*/false);
}

void LoopBuilder::cloneRegion(const ParallelRegion &r, const Loop &loop, BasicBlock &first,
                              Value *thread) {
  locate(loop, r, &first);
  ValueToValueMapTy map;
  for (auto [slot, own] : ownSlots)
    map[slot] = own;
  IRBuilder<> b(&first);
  for (const CrossingLocal &l : storage.locals) {
    Value *place = memory.threadSlot(b, l.offset, l.size, loop.place ? loop.place : thread);
    map[l.local] = place;
    if (AllocaInst *address = localAddresses.lookup(l.local))
      b.CreateStore(b.CreatePtrToInt(place, b.getInt64Ty()), address, /*isVolatile=*/true);
  }
  SmallVector<BasicBlock *, 16> clones;
  for (BasicBlock *bb : r.blocks) {
    BasicBlock *copy = CloneBasicBlock(bb, map, ".r" + Twine(r.id), &f);
    copy->moveBefore(loop.latch);
    map[bb] = copy;
    clones.push_back(copy);
  }
  for (unsigned s : r.successors)
    map[regions.regions()[s].boundary] = makeExit(loop, thread, s);
  BasicBlock *finish = r.canFinish ? makeExit(loop, thread, kFinished) : nullptr;
  for (BasicBlock *copy : clones) {
    prunePhis(*copy, map);
    for (Instruction &i : *copy)
      RemapInstruction(&i, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    if (isa<ReturnInst>(copy->getTerminator())) {
      copy->getTerminator()->eraseFromParent();
      IRBuilder<>(copy).CreateBr(finish);
    }
  }
  b.CreateBr(cast<BasicBlock>(map[r.entry]));
  for (BasicBlock *copy : clones)
    for (Instruction &i : make_early_inc_range(*copy))
      if (i.isLifetimeStartOrEnd() && !isa<AllocaInst>(i.getOperand(0)))
        i.eraseFromParent();
      else
        expand(i, loop);
  replaceThreadCoordinates(clones, first, thread, loop.threadIdx);
  if (keepsVariables(*f.getParent()))
    separateScopes(clones);
}

} // namespace vx
