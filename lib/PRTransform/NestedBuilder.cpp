// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/NestedBuilder.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/PRTransform/ContextMemory.h"
#include "lib/PRTransform/RegionValues.h"
#include "lib/PRTransform/ThreadCoordinates.h"
#include "lib/PRTransform/WarpExchange.h"
#include "lib/PRTransform/WarpUniformity.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace vx {
namespace {

constexpr uint32_t kFinished = ~0u;

/// What both forms share: the loop over the lanes of a warp for one region.
class NestedBuilder {
public:
  NestedBuilder(Function &f, const ParallelRegions &regions, const WarpOps &ops,
                RegionStorage storage, bool keepMasks)
      : f(f), regions(regions), ops(ops), storage(std::move(storage)), dl(f.getDataLayout()),
        ctx(f.getContext()),
        i32(Type::getInt32Ty(ctx)), memory{param(kParamContext),       param(kParamContextCount),
                                           param(kParamInterleave),    param(kParamInterleaved),
                                           this->storage.contextBytes, this->storage.laneBytes},
        exchange(ops, memory, keepMasks) {}
  virtual ~NestedBuilder() = default;

  uint64_t contextBytes() const { return memory.threadBytes; }
  uint64_t contextFixedBytes() const { return memory.fixedBytes(warpWordRows()); }

  void run() {
    SmallVector<BasicBlock *, 32> old;
    for (BasicBlock &bb : f)
      old.push_back(&bb);
    makeEntry();
    end = block("block.end");
    ReturnInst::Create(ctx, end);
    build();
    for (BasicBlock *bb : old)
      bb->dropAllReferences();
    for (BasicBlock *bb : old)
      bb->eraseFromParent();
    for (CrossingLocal &l : storage.locals)
      l.local->eraseFromParent();
  }

protected:
  /// A region for the warp at work.
  struct LaneLoop {
    BasicBlock *pre = nullptr, *header = nullptr, *body = nullptr, *latch = nullptr,
               *done = nullptr;
    PHINode *lane = nullptr;
  };
  /// The warp at work, computed in a block that dominates its regions.
  struct Warp {
    Value *number = nullptr, *first = nullptr, *lanes = nullptr, *all = nullptr;
  };

  /// Connects everything from `entry` to `end`.
  virtual void build() = 0;
  virtual unsigned warpWordRows() const { return 0; }
  /// The threads that LOOP runs; null: all of the warp.
  virtual Value *runSet(IRBuilderBase &) { return nullptr; }
  /// In `exit`: a thread leaves for region NEXT, or ends (kFinished).
  virtual void leave(IRBuilderBase &b, uint32_t next, Value *lane) = 0;

  BasicBlock *block(const Twine &name) { return BasicBlock::Create(ctx, name, &f, end); }
  Value *param(RegionParam p) const { return f.getArg(f.arg_size() - kNumRegionParams + p); }
  bool isPart(const ParallelRegion &r) const {
    return !r.boundary || isBlockLevel(r.boundary->front());
  }
  const WarpCall *opBefore(const ParallelRegion &r) const {
    return r.boundary ? ops.of(&r.boundary->front()) : nullptr;
  }
  AllocaInst *cell(const Twine &name, Value *initial = nullptr) {
    IRBuilder<> b(entry);
    AllocaInst *c = b.CreateAlloca(i32, nullptr, name);
    if (initial)
      b.CreateStore(initial, c);
    return c;
  }

  void makeEntry() {
    BasicBlock *oldEntry = &f.getEntryBlock();
    entry = BasicBlock::Create(ctx, "entry", &f, oldEntry);
    for (Instruction &i : make_early_inc_range(*oldEntry))
      if (isa<AllocaInst>(i))
        i.moveBefore(*entry, entry->end());
    IRBuilder<> b(entry);
    for (CrossingValue &v : storage.values)
      if (v.uniform) {
        Type *type = v.home->getAllocatedType();
        scalars[v.home] = {b.CreateAlloca(type, nullptr, "scalar"),
                           b.CreateAlloca(type, nullptr, "scalar.next"),
                           b.CreateAlloca(type, nullptr, "scalar.block")};
      }
    exchange.makeCells(*entry);
  }

  Warp describeWarp(IRBuilderBase &b, Value *number) {
    Warp w{number};
    w.first = b.CreateShl(number, 5, "warp.first", true);
    w.lanes = b.CreateBinaryIntrinsic(Intrinsic::umin, b.CreateSub(param(kParamCount), w.first),
                                      b.getInt32(kWarpLanes), nullptr, "lanes");
    w.all = b.CreateLShr(b.getInt32(-1), b.CreateSub(b.getInt32(kWarpLanes), w.lanes), "all");
    return w;
  }

  Value *countWarps(IRBuilderBase &b) {
    return b.CreateLShr(b.CreateAdd(param(kParamCount), b.getInt32(kWarpLanes - 1)), 5, "warps");
  }

  // --- one region ---

  /// Fills the loop of region R in; its `pre` has no terminator yet, its `done` gets none.
  void buildLoop(const ParallelRegion &r, LaneLoop &loop, const Warp &warp, Value *participants) {
    std::string name = "region" + std::to_string(r.id);
    loop.header = block(name + ".lanes");
    loop.body = block(name + ".lane");
    loop.latch = block(name + ".next");
    loop.done = block(name + ".done");
    findWrittenHomes(r);
    IRBuilder<> b(loop.pre);
    openScalars(b, r);
    if (const WarpCall *op = opBefore(r))
      exchange.release(b, *op, participants);
    b.CreateBr(loop.header);
    b.SetInsertPoint(loop.header);
    loop.lane = b.CreatePHI(i32, 2, "lane");
    loop.lane->addIncoming(b.getInt32(0), loop.pre);
    b.CreateCondBr(b.CreateICmpULT(loop.lane, warp.lanes), loop.body, loop.done);
    b.SetInsertPoint(loop.latch);
    loop.lane->addIncoming(b.CreateNUWAdd(loop.lane, b.getInt32(1)), loop.latch);
    b.CreateBr(loop.header);
    BasicBlock *at = loop.body;
    b.SetInsertPoint(at);
    if (Value *run = runSet(b)) {
      at = block(name + ".mine");
      b.CreateCondBr(b.CreateTrunc(b.CreateLShr(run, loop.lane), b.getInt1Ty()), at, loop.latch);
      b.SetInsertPoint(at);
    }
    Value *thread = b.CreateNUWAdd(warp.first, loop.lane, "thread");
    emitHint(b, VX_HINT_THREAD, thread);
    restore(b, r, loop, thread);
    cloneBlocks(r, loop, *at, warp, thread);
    b.SetInsertPoint(loop.done);
    closeScalars(b);
  }

  void findWrittenHomes(const ParallelRegion &r) {
    written.clear();
    for (const CrossingValue &v : storage.values)
      for (const User *user : v.home->users())
        if (isa<StoreInst>(user) &&
            r.blocks.contains(const_cast<BasicBlock *>(cast<StoreInst>(user)->getParent())))
          written.insert(v.home);
  }

  /// Threads start from the scalars as they were before the loop, whatever those before them store.
  virtual void openScalars(IRBuilderBase &b, const ParallelRegion &r) {
    for (const CrossingValue &v : storage.values)
      if (v.uniform && (written.contains(v.home) || v.liveInto.contains(r.id))) {
        Scalar &s = scalars[v.home];
        b.CreateStore(b.CreateLoad(v.home->getAllocatedType(), s.now), s.next);
      }
  }

  virtual void closeScalars(IRBuilderBase &b) {
    for (const CrossingValue &v : storage.values)
      if (v.uniform && written.contains(v.home)) {
        Scalar &s = scalars[v.home];
        b.CreateStore(b.CreateLoad(v.home->getAllocatedType(), s.next), s.now);
      }
  }

  Value *slotAddress(IRBuilderBase &b, const CrossingValue &v, Value *lane, Value *thread) {
    Type *type = v.home->getAllocatedType();
    uint64_t size = alignTo(dl.getTypeAllocSize(type).getFixedValue(), dl.getABITypeAlign(type));
    return v.ofWarp ? memory.laneSlot(b, v.offset, size, lane)
                    : memory.threadSlot(b, v.offset, size, thread);
  }

  void restore(IRBuilderBase &b, const ParallelRegion &r, const LaneLoop &loop, Value *thread) {
    for (const CrossingValue &v : storage.values) {
      if (!v.liveInto.contains(r.id))
        continue;
      Type *type = v.home->getAllocatedType();
      Value *from = v.uniform ? scalars[v.home].now : slotAddress(b, v, loop.lane, thread);
      b.CreateStore(b.CreateLoad(type, from), v.home);
    }
  }

  BasicBlock *makeExit(const LaneLoop &loop, Value *thread, uint32_t next) {
    auto *exit = block(next == kFinished ? "finish" : "leave");
    IRBuilder<> b(exit);
    if (next != kFinished)
      for (const CrossingValue &v : storage.values) {
        if (!written.contains(v.home) || !v.liveInto.contains(next))
          continue;
        Value *value = b.CreateLoad(v.home->getAllocatedType(), v.home);
        b.CreateStore(value,
                      v.uniform ? scalars[v.home].next : slotAddress(b, v, loop.lane, thread));
      }
    leave(b, next, loop.lane);
    b.CreateBr(loop.latch);
    return exit;
  }

  void cloneBlocks(const ParallelRegion &r, LaneLoop &loop, BasicBlock &first, const Warp &warp,
                   Value *thread) {
    ValueToValueMapTy map;
    IRBuilder<> b(&first);
    for (const CrossingLocal &l : storage.locals)
      map[l.local] = memory.threadSlot(b, l.offset, l.size, thread);
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
      for (PHINode &phi : make_early_inc_range(copy->phis()))
        for (unsigned k = phi.getNumIncomingValues(); k-- > 0;)
          if (!map.count(phi.getIncomingBlock(k)))
            phi.removeIncomingValue(k, /*DeletePHIIfEmpty=*/false);
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
        expand(i, loop, warp);
    replaceThreadCoordinates(clones, first, thread, param(kParamCount));
  }

  void expand(Instruction &i, const LaneLoop &loop, const Warp &warp) {
    if (const WarpCall *op = ops.of(&i)) {
      exchange.expand(cast<CallInst>(i), *op, loop.lane);
    } else if (auto fn = getVxFn(&i); fn == VxFn::LaneId || fn == VxFn::WarpId) {
      i.replaceAllUsesWith(fn == VxFn::LaneId ? loop.lane : warp.number);
      i.eraseFromParent();
    } else if (i.isLifetimeStartOrEnd() && !isa<AllocaInst>(i.getOperand(0))) {
      i.eraseFromParent();
    }
  }

  struct Scalar {
    AllocaInst *now, *next, *block;
  };

  Function &f;
  const ParallelRegions &regions;
  const WarpOps &ops;
  RegionStorage storage;
  const DataLayout &dl;
  LLVMContext &ctx;
  Type *i32;
  ContextMemory memory;
  WarpExchange exchange;
  BasicBlock *entry = nullptr, *end = nullptr;
  DenseMap<AllocaInst *, Scalar> scalars;
  SmallPtrSet<AllocaInst *, 16> written;
};

/// The kernel's own control flow between loops.
class RegularBuilder final : public NestedBuilder {
public:
  using NestedBuilder::NestedBuilder;

private:
  struct Part {
    BasicBlock *pre = nullptr, *header = nullptr, *warp = nullptr, *latch = nullptr,
               *done = nullptr;
    Warp state;
  };

  void build() override {
    nextHome = cell("next");
    nextPart = cell("next.part");
    for (const ParallelRegion &r : regions.regions())
      if (isPart(r))
        parts[r.id].pre = block("part" + Twine(r.id));
    for (auto &[id, part] : parts)
      buildPart(id, part);
    IRBuilder<>(entry).CreateBr(parts[0].pre);
  }

  void leave(IRBuilderBase &b, uint32_t next, Value *) override {
    b.CreateStore(b.getInt32(next), nextHome);
  }

  void copyBlockScalars(IRBuilderBase &b, AllocaInst *Scalar::*from, AllocaInst *Scalar::*to) {
    for (const CrossingValue &v : storage.values)
      if (v.uniform && !v.ofWarp) {
        Scalar &s = scalars[v.home];
        b.CreateStore(b.CreateLoad(v.home->getAllocatedType(), s.*from), s.*to);
      }
  }

  void buildPart(unsigned id, Part &part) {
    part.header = block("part" + Twine(id) + ".warps");
    part.warp = block("part" + Twine(id) + ".warp");
    part.latch = block("part" + Twine(id) + ".next");
    part.done = block("part" + Twine(id) + ".done");
    IRBuilder<> b(part.pre);
    Value *warps = countWarps(b);
    copyBlockScalars(b, &Scalar::now, &Scalar::block);
    b.CreateBr(part.header);
    b.SetInsertPoint(part.header);
    PHINode *warp = b.CreatePHI(i32, 2, "warp");
    warp->addIncoming(b.getInt32(0), part.pre);
    b.CreateCondBr(b.CreateICmpULT(warp, warps), part.warp, part.done);
    b.SetInsertPoint(part.latch);
    warp->addIncoming(b.CreateNUWAdd(warp, b.getInt32(1)), part.latch);
    b.CreateBr(part.header);
    b.SetInsertPoint(part.warp);
    part.state = describeWarp(b, warp);
    // Every warp starts from the values before the part.
    copyBlockScalars(b, &Scalar::block, &Scalar::now);
    SetVector<unsigned> reached;
    reached.insert(id);
    DenseMap<unsigned, LaneLoop> loops;
    for (unsigned i = 0; i < reached.size(); ++i) {
      loops[reached[i]].pre = block("region" + Twine(reached[i]) + ".pre");
      for (unsigned s : regions.regions()[reached[i]].successors)
        if (!isPart(regions.regions()[s]))
          reached.insert(s);
    }
    b.CreateBr(loops[id].pre);
    SetVector<unsigned> following;
    bool canFinish = false;
    for (unsigned r : reached) {
      const ParallelRegion &region = regions.regions()[r];
      buildLoop(region, loops[r], part.state, part.state.all);
      closeLoop(region, loops, part);
      canFinish |= region.canFinish;
      for (unsigned s : region.successors)
        if (isPart(regions.regions()[s]))
          following.insert(s);
    }
    b.SetInsertPoint(part.done);
    if (following.size() == 1 && !canFinish) {
      b.CreateBr(parts[following[0]].pre);
      return;
    }
    auto *sw = b.CreateSwitch(b.CreateLoad(i32, nextPart), end, following.size());
    for (unsigned s : following)
      sw->addCase(b.getInt32(s), parts[s].pre);
  }

  void closeLoop(const ParallelRegion &r, DenseMap<unsigned, LaneLoop> &loops, Part &part) {
    BasicBlock *out = nullptr; // the warp is through with the part
    auto target = [&](unsigned s) {
      if (s != kFinished && !isPart(regions.regions()[s]))
        return loops[s].pre;
      if (!out) {
        out = block("region" + Twine(r.id) + ".out");
        IRBuilder<> b(out);
        b.CreateStore(b.CreateLoad(i32, nextHome), nextPart);
        b.CreateBr(part.latch);
      }
      return out;
    };
    IRBuilder<> b(loops[r.id].done);
    SmallVector<unsigned, 4> next(r.successors.begin(), r.successors.end());
    if (r.canFinish)
      next.push_back(kFinished);
    if (next.size() == 1) {
      b.CreateBr(target(next[0]));
      return;
    }
    auto *sw = b.CreateSwitch(b.CreateLoad(i32, nextHome), target(next.back()), next.size());
    for (unsigned s : ArrayRef(next).drop_back())
      sw->addCase(b.getInt32(s), target(s));
  }

  AllocaInst *nextHome = nullptr, *nextPart = nullptr;
  MapVector<unsigned, Part> parts;
};

/// Sets of waiting threads. All control flow that depends on them has the form of a while loop
/// around a row of if statements, which needs no further structure where hardware threads disagree.
class IrregularBuilder final : public NestedBuilder {
public:
  using NestedBuilder::NestedBuilder;

private:
  unsigned warpWordRows() const override { return rows.size(); }

  void build() override {
    run = cell("run");
    alive = cell("alive");
    idleRounds = cell("idle.rounds");
    released = cell("released");
    waiting.resize(regions.regions().size());
    anyWaiting.resize(regions.regions().size());
    for (const ParallelRegion &r : regions.regions()) {
      waiting[r.id] = cell("waiting" + Twine(r.id));
      if (!isPart(r))
        continue;
      rows[r.id] = rows.size();
      anyWaiting[r.id] = cell("any.waiting" + Twine(r.id));
      starting[r.id] = cell("starting" + Twine(r.id));
    }
    phase = block("phase");
    makeInitialSets();
    makePhase();
  }

  Value *runSet(IRBuilderBase &b) override { return b.CreateLoad(i32, run); }
  Value *get(IRBuilderBase &b, AllocaInst *set) { return b.CreateLoad(i32, set); }

  void add(IRBuilderBase &b, AllocaInst *set, Value *bits) {
    b.CreateStore(b.CreateOr(get(b, set), bits), set);
  }
  void remove(IRBuilderBase &b, AllocaInst *set, Value *bits) {
    b.CreateStore(b.CreateAnd(get(b, set), b.CreateNot(bits)), set);
  }

  void leave(IRBuilderBase &b, uint32_t next, Value *lane) override {
    Value *bit = b.CreateShl(b.getInt32(1), lane);
    if (next == kFinished)
      remove(b, alive, bit);
    else
      add(b, waiting[next], bit);
  }

  /// A scalar is set once by each thread, always to the same value.
  void openScalars(IRBuilderBase &b, const ParallelRegion &) override {
    for (const CrossingValue &v : storage.values)
      if (v.uniform && written.contains(v.home)) {
        Scalar &s = scalars[v.home];
        b.CreateStore(b.CreateLoad(v.home->getAllocatedType(), s.now), s.next);
      }
  }

  /// Before the first part every thread waits for region 0.
  void makeInitialSets() {
    auto *header = block("warps.init"), *body = block("warp.init");
    IRBuilder<> b(entry);
    b.CreateStore(b.getInt32(0), released);
    Value *warps = countWarps(b);
    b.CreateBr(header);
    b.SetInsertPoint(header);
    PHINode *w = b.CreatePHI(i32, 2, "warp");
    w->addIncoming(b.getInt32(0), entry);
    b.CreateCondBr(b.CreateICmpULT(w, warps), body, phase);
    b.SetInsertPoint(body);
    Value *all = describeWarp(b, w).all;
    for (auto [id, row] : rows)
      b.CreateStore(id == 0 ? all : b.getInt32(0), memory.warpWord(b, row, w));
    w->addIncoming(b.CreateNUWAdd(w, b.getInt32(1)), body);
    b.CreateBr(header);
  }

  /// The loop over warps for the part that was let go, and the choice of the next one.
  void makePhase() {
    auto *header = block("warps"), *body = block("warp.start"), *after = block("phase.end");
    IRBuilder<> b(phase);
    for (auto [id, row] : rows)
      b.CreateStore(b.getInt32(0), anyWaiting[id]);
    Value *warps = countWarps(b);
    b.CreateBr(header);
    b.SetInsertPoint(header);
    PHINode *w = b.CreatePHI(i32, 2, "warp");
    w->addIncoming(b.getInt32(0), phase);
    b.CreateCondBr(b.CreateICmpULT(w, warps), body, after);
    b.SetInsertPoint(body);
    warp = describeWarp(b, w);
    openSets(b);
    makeRounds(b);
    for (auto [id, row] : rows) {
      Value *set = get(b, waiting[id]);
      b.CreateStore(set, memory.warpWord(b, row, w));
      add(b, anyWaiting[id], set);
    }
    w->addIncoming(b.CreateNUWAdd(w, b.getInt32(1)), b.GetInsertBlock());
    b.CreateBr(header);
    b.SetInsertPoint(after);
    Value *next = choosePart(b);
    b.CreateStore(next, released);
    b.CreateCondBr(b.CreateICmpEQ(next, b.getInt32(kFinished)), end, phase);
  }

  void openSets(IRBuilderBase &b) {
    Value *living = b.getInt32(0), *zero = b.getInt32(0);
    for (const ParallelRegion &r : regions.regions()) {
      if (!isPart(r)) {
        b.CreateStore(zero, waiting[r.id]);
        continue;
      }
      Value *set = b.CreateLoad(i32, memory.warpWord(b, rows[r.id], warp.number));
      living = b.CreateOr(living, set);
      Value *isReleased = b.CreateICmpEQ(get(b, released), b.getInt32(r.id));
      b.CreateStore(b.CreateSelect(isReleased, set, zero), starting[r.id]);
      b.CreateStore(b.CreateSelect(isReleased, zero, set), waiting[r.id]);
    }
    b.CreateStore(living, alive);
    b.CreateStore(zero, idleRounds);
  }

  /// Smaller groups first: those that wait for a larger one, or for the block, wait for them too.
  Value *choosePart(IRBuilderBase &b) {
    auto groupSize = [&](unsigned id) -> uint64_t {
      const Instruction &i = regions.regions()[id].boundary->front();
      if (getVxFn(&i) != VxFn::GroupSync)
        return UINT32_MAX;
      const auto *size = dyn_cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0));
      return size ? size->getZExtValue() : kWarpLanes;
    };
    SmallVector<unsigned, 8> order;
    for (auto [id, row] : rows)
      if (id != 0)
        order.push_back(id);
    stable_sort(order, [&](unsigned x, unsigned y) { return groupSize(x) < groupSize(y); });
    Value *next = b.getInt32(kFinished);
    for (unsigned id : reverse(order))
      next = b.CreateSelect(b.CreateIsNotNull(get(b, anyWaiting[id])), b.getInt32(id), next);
    return next;
  }

  /// Runs regions as long as a thread of the warp is on its way. One round looks at each region
  /// once, in order; threads that go forward find their next region in the same round.
  void makeRounds(IRBuilderBase &b) {
    auto *header = block("rounds"), *body = block("round"), *after = block("rounds.end");
    b.CreateBr(header);
    b.SetInsertPoint(header);
    Value *onTheWay = b.getInt32(0);
    for (const ParallelRegion &r : regions.regions())
      onTheWay = b.CreateOr(onTheWay, get(b, isPart(r) ? starting[r.id] : waiting[r.id]));
    b.CreateCondBr(b.CreateIsNotNull(onTheWay), body, after);
    b.SetInsertPoint(body);
    b.CreateStore(b.CreateAdd(get(b, idleRounds), b.getInt32(1)), idleRounds);
    for (const ParallelRegion &r : regions.regions())
      makeRegion(b, r);
    b.CreateBr(header);
    b.SetInsertPoint(after);
  }

  void makeRegion(IRBuilderBase &b, const ParallelRegion &r) {
    AllocaInst *from = isPart(r) ? starting[r.id] : waiting[r.id];
    Value *set = isPart(r) ? get(b, from) : choose(b, r);
    LaneLoop loop;
    loop.pre = block("region" + Twine(r.id) + ".pre");
    auto *other = block("region" + Twine(r.id) + ".after");
    b.CreateCondBr(b.CreateIsNotNull(set), loop.pre, other);
    IRBuilder<> p(loop.pre);
    p.CreateStore(set, run);
    remove(p, from, set);
    p.CreateStore(p.getInt32(0), idleRounds);
    buildLoop(r, loop, warp, set);
    IRBuilder<>(loop.done).CreateBr(other);
    b.SetInsertPoint(other);
  }

  /// The threads that region R may run now. First come boundaries whose groups are complete; in a
  /// round that finds none, the first at which threads ask who is with them; in one that finds none
  /// of these either, any: member masks may name threads that never come.
  Value *choose(IRBuilderBase &b, const ParallelRegion &r) {
    const WarpCall &op = *opBefore(r);
    Value *wait = get(b, waiting[r.id]), *zero = b.getInt32(0);
    unsigned patience = op.hasMask() ? 2 : 1;
    Value *isLate = b.CreateICmpUGT(get(b, idleRounds), b.getInt32(patience));
    if (!op.hasMask())
      return b.CreateSelect(isLate, wait, zero);
    Value *complete;
    if (op.constantMask) {
      complete = exchange.ready(b, op, wait, get(b, alive));
    } else {
      Value *isSimple = b.CreateIsNull(wait);
      if (op.fixedMask)
        isSimple = b.CreateOr(isSimple, b.CreateICmpEQ(wait, get(b, alive)));
      BasicBlock *from = b.GetInsertBlock();
      auto *look = block("look"), *join = block("looked");
      b.CreateCondBr(isSimple, join, look);
      b.SetInsertPoint(look);
      Value *found = exchange.ready(b, op, wait, get(b, alive));
      b.CreateBr(join);
      b.SetInsertPoint(join);
      PHINode *phi = b.CreatePHI(i32, 2, "complete");
      phi->addIncoming(wait, from);
      phi->addIncoming(found, look);
      complete = phi;
    }
    return b.CreateSelect(isLate, wait, complete);
  }

  AllocaInst *run = nullptr, *alive = nullptr, *released = nullptr, *idleRounds = nullptr;
  SmallVector<AllocaInst *, 8> waiting, anyWaiting;
  DenseMap<unsigned, AllocaInst *> starting;
  MapVector<unsigned, unsigned> rows;
  BasicBlock *phase = nullptr;
  Warp warp;
};

/// What a thread leaves in a lane array stays until all others have read it: no region may both
/// read and write it.
bool separateRounds(Function &f, WarpOps &ops) {
  ParallelRegions regions(f, isNestedBoundary);
  SmallVector<const WarpCall *, 4> found;
  for (const ParallelRegion &r : regions.regions())
    if (const WarpCall *op = r.boundary ? ops.of(&r.boundary->front()) : nullptr)
      if (op->valueType && op->collect && (!op->isReduction() || !op->width) &&
          r.successors.contains(r.id))
        found.push_back(op);
  for (const WarpCall *op : found)
    ops.separate(*op);
  return !found.empty();
}

/// Blocks at which the ways from a divergent branch of F meet again, if on one of them threads ask
/// who runs with them.
SetVector<BasicBlock *> findMeetings(Function &f, const WarpOps &ops, UniformityInfo &ui,
                                     const PostDominatorTree &pdt) {
  auto asks = [&](const Instruction &i) {
    const WarpCall *op = ops.of(&i);
    return op && !op->hasMask();
  };
  SetVector<BasicBlock *> meetings;
  for (BasicBlock &bb : f) {
    const DomTreeNode *node = pdt.getNode(&bb);
    BasicBlock *meet = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!meet || !ui.hasDivergentTerminator(bb))
      continue;
    SmallPtrSet<BasicBlock *, 16> seen{meet};
    SmallVector<BasicBlock *, 16> work(successors(&bb));
    while (!work.empty()) {
      BasicBlock *block = work.pop_back_val();
      if (!seen.insert(block).second)
        continue;
      if (any_of(*block, asks))
        meetings.insert(meet);
      append_range(work, successors(block));
    }
  }
  meetings.remove_if([](BasicBlock *bb) { return isa<ReturnInst>(bb->front()); });
  return meetings;
}

} // namespace

RegionFunction buildNestedFunction(Function &kernel, FunctionAnalysisManager &fam) {
  Function *f = cloneWithRegionParams(kernel);
  WarpOps ops(*f);
  FunctionPassManager prepare;
  prepare.addPass(LoopSimplifyPass());
  prepare.addPass(LCSSAPass());
  prepare.run(*f, fam);
  bool regular;
  {
    WarpUniformity warp(*f, ops, fam);
    auto &block = fam.getResult<UniformityInfoAnalysis>(*f);
    auto &pdt = fam.getResult<PostDominatorTreeAnalysis>(*f);
    auto atBlockLevel = [](const Instruction &i) { return isNestedBoundary(i) && isBlockLevel(i); };
    regular = isRegular(*f, warp.info(), pdt, isNestedBoundary) &&
              isRegular(*f, block, pdt, +atBlockLevel);
    // Threads that took different ways go on together where those meet, as on a GPU.
    if (!regular)
      for (BasicBlock *meet : findMeetings(*f, ops, warp.info(), pdt))
        ops.addMarker(*meet->getFirstInsertionPt());
  }
  ParallelRegions::canonicalize(*f, isNestedBoundary);
  if (separateRounds(*f, ops))
    ParallelRegions::canonicalize(*f, isNestedBoundary);
  while (recomputeCheapValues(*f, ParallelRegions(*f, isNestedBoundary)))
    ;
  fam.invalidate(*f, PreservedAnalyses::none());
  ParallelRegions regions(*f, isNestedBoundary);
  WarpUniformity warp(*f, ops, fam);
  RegionStorage storage =
      assignNestedStorage(*f, regions, fam.getResult<UniformityInfoAnalysis>(*f),
                          regular ? &warp.info() : nullptr, isBlockLevel);
  fam.invalidate(*f, PreservedAnalyses::none());
  std::unique_ptr<NestedBuilder> builder;
  if (regular)
    builder = std::make_unique<RegularBuilder>(*f, regions, ops, std::move(storage), false);
  else
    builder = std::make_unique<IrregularBuilder>(*f, regions, ops, std::move(storage), true);
  builder->run();
  PromotePass().run(*f, fam);
  fam.invalidate(*f, PreservedAnalyses::none());
  return {f, builder->contextBytes(), builder->contextFixedBytes(), regular};
}

} // namespace vx
