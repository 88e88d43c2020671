// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nested form where control flow is uniform: the kernel's own control flow between loops.

#include "lib/PRTransform/NestedLoops.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

class RegularLoops final : public NestedLoops {
public:
  using NestedLoops::NestedLoops;

private:
  void buildBlock() override {
    makeBlockScalars();
    nextSlot = variable("next");
    nextBarrierRegion = variable("next.barrier");
    for (const ParallelRegion &r : regions.regions())
      if (startsBarrierRegion(r))
        barrierRegions[r.id].pre = block("barrier.region" + Twine(r.id));
    for (auto &[id, outer] : barrierRegions)
      buildBarrierRegion(id, outer);
    IRBuilder<>(entry).CreateBr(barrierRegions[0].pre);
  }

  void exitTo(IRBuilderBase &b, uint32_t next, const Loop &) override {
    b.CreateStore(b.getInt32(next), nextSlot);
  }
  bool allInOneRegion() const override { return true; }

  // --- barrier regions ---

  void buildBarrierRegion(unsigned id, Loop &outer) {
    makeBlocks(outer, "barrier.region" + Twine(id), "warp");
    IRBuilder<> b(outer.pre);
    for (auto [value, ofBlock] : blockScalars)
      copyScalar(b, scalars[value].now, ofBlock);
    countWarps(outer);
    b.SetInsertPoint(outer.body);
    warp = describeWarp(b, outer);
    // Every warp starts from the values before the barrier region.
    for (auto [value, ofBlock] : blockScalars)
      copyScalar(b, ofBlock, scalars[value].now);
    for (const CrossingValue &v : storage.values)
      if (v.ofEachWarp && v.liveInto.contains(id))
        b.CreateStore(b.CreateLoad(v.slot->getAllocatedType(), wordOf(b, v)), scalars[v.slot].now);
    DenseMap<unsigned, Loop> loops;
    SetVector<unsigned> reached = findRegionsWithin(id);
    for (unsigned r : reached)
      loops[r].pre = block("region" + Twine(r) + ".pre");
    b.CreateBr(loops[id].pre);
    for (unsigned r : reached) {
      const ParallelRegion &region = regions.regions()[r];
      if (hasManyRegions()) // the loops before this one have no say in what follows it
        IRBuilder<>(loops[r].pre).CreateStore(PoisonValue::get(i32), nextSlot);
      buildLoop(region, loops[r], warp.all);
      closeLoop(region, loops, outer);
    }
    closeBarrierRegion(reached.getArrayRef(), outer);
  }

  /// Returns the regions that a warp can come to from region ID without a barrier of the block.
  SetVector<unsigned> findRegionsWithin(unsigned id) const {
    SetVector<unsigned> reached;
    reached.insert(id);
    for (unsigned i = 0; i < reached.size(); ++i)
      for (unsigned s : regions.regions()[reached[i]].successors)
        if (!startsBarrierRegion(regions.regions()[s]))
          reached.insert(s);
    return reached;
  }

  /// All warps are through with barrier region OUTER, whose regions are REACHED: goes to the one
  /// that follows.
  void closeBarrierRegion(ArrayRef<unsigned> reached, const Loop &outer) {
    SetVector<unsigned> following;
    bool canFinish = false;
    for (unsigned r : reached) {
      canFinish |= regions.regions()[r].canFinish;
      for (unsigned s : regions.regions()[r].successors)
        if (startsBarrierRegion(regions.regions()[s]))
          following.insert(s);
    }
    IRBuilder<> b(outer.latch->getTerminator());
    for (const CrossingValue &v : storage.values)
      if (v.ofEachWarp && any_of(following, [&](unsigned s) { return v.liveInto.contains(s); }) &&
          any_of(reached, [&](unsigned r) { return writes(regions.regions()[r], v); }))
        b.CreateStore(b.CreateLoad(v.slot->getAllocatedType(), scalars[v.slot].now), wordOf(b, v));
    b.SetInsertPoint(outer.done);
    if (!following.empty())
      waitForBlock(b);
    if (following.size() == 1 && !canFinish) {
      b.CreateBr(barrierRegions[following[0]].pre);
      return;
    }
    auto *sw = b.CreateSwitch(b.CreateLoad(i32, nextBarrierRegion), end, following.size());
    for (unsigned s : following)
      sw->addCase(b.getInt32(s), barrierRegions[s].pre);
  }

  /// All lanes are through with region R: goes to the region that follows, or the end of barrier
  /// region OUTER.
  void closeLoop(const ParallelRegion &r, DenseMap<unsigned, Loop> &loops, const Loop &outer) {
    BasicBlock *out = nullptr; // the warp is through with the barrier region
    SmallVector<unsigned, 4> next(r.successors.begin(), r.successors.end());
    if (r.canFinish)
      next.push_back(kFinished);
    auto target = [&](unsigned s) {
      if (s != kFinished && !startsBarrierRegion(regions.regions()[s]))
        return loops[s].pre;
      if (!out) {
        out = block("region" + Twine(r.id) + ".out");
        IRBuilder<> b(out);
        bool isOnly = next.size() == 1;
        b.CreateStore(isOnly ? cast<Value>(b.getInt32(s)) : b.CreateLoad(i32, nextSlot),
                      nextBarrierRegion);
        b.CreateBr(outer.latch);
      }
      return out;
    };
    IRBuilder<> b(loops[r.id].done);
    if (next.size() == 1) {
      b.CreateBr(target(next[0]));
      return;
    }
    auto *sw = b.CreateSwitch(b.CreateLoad(i32, nextSlot), target(next.back()), next.size());
    for (unsigned s : ArrayRef(next).drop_back())
      sw->addCase(b.getInt32(s), target(s));
  }

  // --- scalars of the block, and of each warp ---

  unsigned warpWordRows() const override { return storage.warpRows; }

  /// Emits the address at which the current warp keeps V between barrier regions.
  Value *wordOf(IRBuilderBase &b, const CrossingValue &v) {
    uint64_t size = elementSize(f.getDataLayout(), v);
    return memory.warpWord(b, v.row, warp.place, std::max<uint64_t>(size, 4));
  }

  static bool writes(const ParallelRegion &r, const CrossingValue &v) {
    return any_of(v.slot->users(), [&](User *user) {
      auto *store = dyn_cast<StoreInst>(user);
      return store && r.blocks.contains(store->getParent());
    });
  }

  /// Makes a third variable for what is one value for the block: as it was before the barrier
  /// region.
  void makeBlockScalars() {
    for (const CrossingValue &v : storage.values)
      if (v.uniform && !v.ofWarp) {
        IRBuilder<> b(scalars[v.slot].next->getNextNode());
        blockScalars[v.slot] = b.CreateAlloca(v.slot->getAllocatedType(), nullptr, "scalar.block");
      }
  }

  static void copyScalar(IRBuilderBase &b, AllocaInst *from, AllocaInst *to) {
    b.CreateStore(b.CreateLoad(from->getAllocatedType(), from), to);
  }

  AllocaInst *nextSlot = nullptr, *nextBarrierRegion = nullptr;
  MapVector<unsigned, Loop> barrierRegions;
  MapVector<AllocaInst *, AllocaInst *> blockScalars;
};

} // namespace

std::unique_ptr<NestedLoops> makeRegularLoops(Function &f, const ParallelRegions &regions,
                                              const WarpOps &ops, RegionStorage storage,
                                              RegionMapping mapping) {
  return std::make_unique<RegularLoops>(f, regions, ops, std::move(storage), /*keepMasks=*/false,
                                        mapping);
}

} // namespace vx
