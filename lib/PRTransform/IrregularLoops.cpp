// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nested form where control flow is divergent: sets of waiting threads. All control flow that
// depends on them has the form of a while loop around a row of if statements, which needs no
// further structure where hardware threads disagree.
//
// Where threads wait for a lock, a flag or an mbarrier (__vx_thread_wait), those that wait at a
// warp function for lanes that do so stay there from one barrier region to the next (`keepsSets`).
// Then what such threads have left for the others, and what they keep, is of each warp: the lane
// arrays, the deposits of votes and reductions.

#include "lib/PRTransform/NestedLoops.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

class IrregularLoops final : public NestedLoops {
public:
  using NestedLoops::NestedLoops;

private:
  unsigned warpWordRows() const override { return numRows; }

  void buildBlock() override {
    run = variable("run");
    alive = variable("alive");
    idleRounds = variable("idle.rounds");
    released = variable("released");
    voteWord = variable("vote.word", ConstantInt::get(i32, 0));
    if (numWaits)
      lastNumber = variable("last", ConstantInt::get(i32, 0));
    memory.keepsLanes = keepsSets;
    waiting.resize(regions.regions().size());
    anyWaiting.resize(regions.regions().size());
    for (const ParallelRegion &r : regions.regions()) {
      waiting[r.id] = variable("waiting" + Twine(r.id));
      if (keepsSets || startsBarrierRegion(r))
        rows[r.id] = numRows++;
      if (!startsBarrierRegion(r))
        continue;
      anyWaiting[r.id] = variable("any.waiting" + Twine(r.id));
      starting[r.id] = variable("starting" + Twine(r.id));
    }
    if (keepsSets)
      for (AllocaInst *deposit : exchange.findDeposits()) {
        deposits.push_back({deposit, numRows});
        numRows += bytesOf(*deposit) / 4;
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

  void exitTo(IRBuilderBase &b, uint32_t next, const Loop &loop) override {
    Value *bit = b.CreateShl(b.getInt32(1), loop.index);
    if (next == kFinished)
      remove(b, alive, bit);
    else
      add(b, waiting[next], bit);
  }

  /// Lets every thread wait for region 0 before the first barrier region.
  void makeInitialSets() {
    Loop init;
    init.pre = entry;
    makeBlocks(init, "init", "warp");
    IRBuilder<> b(entry);
    b.CreateStore(b.getInt32(0), released);
    countWarps(init);
    b.SetInsertPoint(init.body);
    Value *all = describeWarp(b, init).all;
    for (auto [id, row] : rows)
      b.CreateStore(id == 0 ? all : b.getInt32(0), memory.warpWord(b, row, init.place));
    storeDeposits(b, init);
    b.CreateBr(init.latch);
    IRBuilder<>(init.done).CreateBr(phase);
  }

  /// Makes the loop over warps for the barrier region that was released, and the choice of the next
  /// one.
  void makePhase() {
    Loop loop;
    loop.pre = phase;
    makeBlocks(loop, "phase", "warp");
    IRBuilder<> b(phase);
    for (AllocaInst *any : anyWaiting)
      if (any)
        b.CreateStore(b.getInt32(0), any);
    countWarps(loop);
    b.SetInsertPoint(loop.body);
    warp = describeWarp(b, loop);
    memory.warpFirst = warp.firstPlace;
    openSets(b, loop);
    makeRounds(b);
    for (auto [id, row] : rows) {
      Value *set = get(b, waiting[id]);
      b.CreateStore(set, memory.warpWord(b, row, warp.place));
      if (anyWaiting[id])
        add(b, anyWaiting[id], set);
    }
    storeDeposits(b, loop);
    b.CreateBr(loop.latch);
    b.SetInsertPoint(loop.done);
    Value *next = chooseBarrierRegion(b);
    b.CreateStore(next, released);
    auto *br = b.CreateCondBr(b.CreateICmpEQ(next, b.getInt32(kFinished)), end, phase);
    if (!comesBack(true))
      markLoop(*br, LoopUnit::Rest);
  }

  uint64_t bytesOf(const AllocaInst &variable) const {
    return f.getDataLayout().getTypeAllocSize(variable.getAllocatedType());
  }
  Value *wordOf(IRBuilderBase &b, const AllocaInst &deposit, unsigned row, const Loop &warps) {
    return memory.warpWord(b, row, warps.place, bytesOf(deposit));
  }
  void storeDeposits(IRBuilderBase &b, const Loop &warps) {
    for (auto [deposit, row] : deposits)
      b.CreateStore(b.CreateLoad(deposit->getAllocatedType(), deposit),
                    wordOf(b, *deposit, row, warps));
  }

  void openSets(IRBuilderBase &b, const Loop &warps) {
    Value *zero = b.getInt32(0), *living = zero, *going = zero;
    for (auto [deposit, row] : deposits)
      b.CreateStore(b.CreateLoad(deposit->getAllocatedType(), wordOf(b, *deposit, row, warps)),
                    deposit);
    for (const ParallelRegion &r : regions.regions()) {
      if (!rows.contains(r.id)) {
        b.CreateStore(zero, waiting[r.id]);
        continue;
      }
      Value *set = b.CreateLoad(i32, memory.warpWord(b, rows[r.id], warp.place));
      living = b.CreateOr(living, set);
      if (!startsBarrierRegion(r)) {
        b.CreateStore(set, waiting[r.id]);
        continue;
      }
      Value *isReleased = b.CreateICmpEQ(get(b, released), b.getInt32(r.id));
      Value *start = b.CreateSelect(isReleased, set, zero);
      b.CreateStore(start, starting[r.id]);
      going = b.CreateOr(going, start);
      b.CreateStore(b.CreateSelect(isReleased, zero, set), waiting[r.id]);
    }
    b.CreateStore(living, alive);
    // Nothing has changed for those that wait in a warp of which no thread starts.
    Value *idle =
        keepsSets ? b.CreateSelect(b.CreateIsNull(going), b.getInt32(kPatience), zero) : zero;
    b.CreateStore(idle, idleRounds);
  }

  /// Emits the threads of the warp that look again in turn, and may be those that others wait for.
  Value *findLooking(IRBuilderBase &b) {
    Value *looking = b.getInt32(0);
    for (const ParallelRegion &r : regions.regions())
      if (r.boundary && isThreadWait(r.boundary->front()))
        looking = b.CreateOr(looking, get(b, waiting[r.id]));
    return looking;
  }

  /// Emits the barrier region that runs next. Smaller groups first: those that wait for a larger
  /// one, or for the block, wait for them too. Before them come threads that look again, in turn.
  Value *chooseBarrierRegion(IRBuilderBase &b) {
    auto groupSize = [&](unsigned id) -> uint64_t {
      const Instruction &i = regions.regions()[id].boundary->front();
      if (isThreadWait(i))
        return 0;
      if (getVxFn(&i) != VxFn::GroupSync)
        return UINT32_MAX;
      const auto *size = dyn_cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0));
      return size ? size->getZExtValue() : kWarpSize;
    };
    SmallVector<unsigned, 8> order;
    for (auto [id, row] : rows)
      if (id != 0 && anyWaiting[id])
        order.push_back(id);
    stable_sort(order, [&](unsigned x, unsigned y) { return groupSize(x) < groupSize(y); });
    Value *rank = b.getInt32(kFinished), *next = rank;
    unsigned first = numWaits ? 1 : 0;
    Value *last = numWaits ? get(b, lastNumber) : nullptr;
    for (unsigned k = order.size(); k-- > 0;) {
      Value *least = rankOf(b, b.getInt32(k + first), last);
      if (numWaits) // the order in which they come is not that of ranks
        least = b.CreateBinaryIntrinsic(Intrinsic::umin, rank, least);
      rank = b.CreateSelect(b.CreateIsNotNull(get(b, anyWaiting[order[k]])), least, rank);
    }
    Value *number = boundaryOf(b, agree(b, rank));
    if (numWaits)
      b.CreateStore(number, lastNumber);
    for (auto [k, id] : enumerate(order))
      next = b.CreateSelect(b.CreateICmpEQ(number, b.getInt32(k + first)), b.getInt32(id), next);
    return next;
  }

  /// Emits the least RANK of all hardware threads that share the block.
  Value *agree(IRBuilderBase &b, Value *rank) {
    emitMemoryBarrier(b);
    if (!spreads)
      return rank;
    auto *vote = block("agree"), *after = block("agreed");
    BasicBlock *from = b.GetInsertBlock();
    b.CreateCondBr(b.CreateICmpEQ(param(kParamStep), b.getInt32(1), "single"), after, vote);
    b.SetInsertPoint(vote);
    Value *least = leastOfBlock(b, voteWord, rank);
    BasicBlock *voted = b.GetInsertBlock();
    b.CreateBr(after);
    b.SetInsertPoint(after);
    PHINode *agreed = b.CreatePHI(i32, 2, "rank");
    agreed->addIncoming(rank, from);
    agreed->addIncoming(least, voted);
    return agreed;
  }

  /// Runs regions as long as a thread of the warp is on its way, or, with keepsSets, can be before
  /// one that looks again has. One round looks at each region once, in order; threads that go
  /// forward find their next region in the same round.
  void makeRounds(IRBuilderBase &b) {
    auto *header = block("rounds"), *body = block("round"), *after = block("rounds.end");
    b.CreateBr(header);
    b.SetInsertPoint(header);
    Value *onTheWay = b.getInt32(0);
    for (const ParallelRegion &r : regions.regions())
      onTheWay =
          b.CreateOr(onTheWay, get(b, startsBarrierRegion(r) ? starting[r.id] : waiting[r.id]));
    Value *isOn = b.CreateIsNotNull(onTheWay);
    if (keepsSets) {
      Value *canRun = b.CreateICmpULT(get(b, idleRounds), b.getInt32(kPatience));
      isOn = b.CreateAnd(isOn, b.CreateOr(canRun, b.CreateIsNull(findLooking(b))));
    }
    b.CreateCondBr(isOn, body, after);
    b.SetInsertPoint(body);
    b.CreateStore(b.CreateAdd(get(b, idleRounds), b.getInt32(1)), idleRounds);
    for (const ParallelRegion &r : regions.regions())
      makeRegion(b, r);
    auto *br = b.CreateBr(header);
    if (comesBack(true) || !comesBack(false))
      markLoop(*br, LoopUnit::Rest);
    b.SetInsertPoint(after);
  }

  /// Returns true if a loop of the source leads back to a region after a barrier (ATBARRIER), or to
  /// another one.
  bool comesBack(bool atBarrier) const {
    return any_of(regions.regions(), [&](const ParallelRegion &r) {
      return r.isInCycle && startsBarrierRegion(r) == atBarrier;
    });
  }

  void makeRegion(IRBuilderBase &b, const ParallelRegion &r) {
    AllocaInst *from = startsBarrierRegion(r) ? starting[r.id] : waiting[r.id];
    Value *set = startsBarrierRegion(r) ? get(b, from) : choose(b, r);
    Loop loop;
    loop.pre = block("region" + Twine(r.id) + ".pre");
    auto *other = block("region" + Twine(r.id) + ".after");
    b.CreateCondBr(b.CreateIsNotNull(set), loop.pre, other);
    IRBuilder<> p(loop.pre);
    p.CreateStore(set, run);
    remove(p, from, set);
    p.CreateStore(p.getInt32(0), idleRounds);
    buildLoop(r, loop, set);
    IRBuilder<>(loop.done).CreateBr(other);
    b.SetInsertPoint(other);
  }

  /// Emits the threads that region R may run now. First come boundaries whose groups are complete;
  /// in a round that finds none, the first at which threads ask who is with them; in one that finds
  /// none of these either, any: member masks may name threads that never come. With keepsSets,
  /// these have ended or wait for the block.
  Value *choose(IRBuilderBase &b, const ParallelRegion &r) {
    const WarpCall &op = *opBefore(r);
    Value *wait = get(b, waiting[r.id]), *zero = b.getInt32(0);
    unsigned patience = op.hasMask() ? kPatience : kPatience - 1;
    Value *isLate = b.CreateICmpUGT(get(b, idleRounds), b.getInt32(patience));
    if (!op.hasMask())
      return b.CreateSelect(isLate, wait, zero);
    if (keepsSets)
      isLate = b.CreateAnd(isLate, b.CreateIsNull(findLooking(b)));
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
  AllocaInst *voteWord = nullptr;   ///< in the tail, for the next agreement
  AllocaInst *lastNumber = nullptr; ///< of the barrier region that ran last
  SmallVector<AllocaInst *, 8> waiting, anyWaiting;
  DenseMap<unsigned, AllocaInst *> starting;
  MapVector<unsigned, unsigned> rows; ///< of warp words, by region
  unsigned numRows = 0;
  SmallVector<std::pair<AllocaInst *, unsigned>, 4> deposits; ///< and the first row of each
  /// Rounds without progress after which only threads that never come can be missing.
  static constexpr unsigned kPatience = 2;
  const bool keepsSets = numWaits != 0;
  BasicBlock *phase = nullptr;
};

} // namespace

std::unique_ptr<NestedLoops> makeIrregularLoops(Function &f, const ParallelRegions &regions,
                                                const WarpOps &ops, RegionStorage storage,
                                                RegionMapping mapping) {
  return std::make_unique<IrregularLoops>(f, regions, ops, std::move(storage), /*keepMasks=*/true,
                                          mapping);
}

} // namespace vx
