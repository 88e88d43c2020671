// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nested form where threads go together: the kernel's own control flow between loops.

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
    nextHome = cell("next");
    nextPart = cell("next.part");
    for (const ParallelRegion &r : regions.regions())
      if (isPart(r))
        parts[r.id].pre = block("part" + Twine(r.id));
    for (auto &[id, part] : parts)
      buildPart(id, part);
    IRBuilder<>(entry).CreateBr(parts[0].pre);
  }

  void leave(IRBuilderBase &b, uint32_t next, const Loop &) override {
    b.CreateStore(b.getInt32(next), nextHome);
  }

  // --- parts ---

  void buildPart(unsigned id, Loop &part) {
    makeBlocks(part, "part" + Twine(id), "warp");
    IRBuilder<> b(part.pre);
    for (auto [value, ofBlock] : blockScalars)
      copyScalar(b, scalars[value].now, ofBlock);
    countWarps(part);
    b.SetInsertPoint(part.body);
    warp = describeWarp(b, part);
    // Every warp starts from the values before the part.
    for (auto [value, ofBlock] : blockScalars)
      copyScalar(b, ofBlock, scalars[value].now);
    for (const CrossingValue &v : storage.values)
      if (v.ofEachWarp && v.liveInto.contains(id))
        b.CreateStore(b.CreateLoad(v.home->getAllocatedType(), wordOf(b, v)), scalars[v.home].now);
    DenseMap<unsigned, Loop> loops;
    SetVector<unsigned> reached = findRegionsOfPart(id);
    for (unsigned r : reached)
      loops[r].pre = block("region" + Twine(r) + ".pre");
    b.CreateBr(loops[id].pre);
    for (unsigned r : reached) {
      const ParallelRegion &region = regions.regions()[r];
      buildLoop(region, loops[r], warp.all);
      closeLoop(region, loops, part);
    }
    closePart(reached.getArrayRef(), part);
  }

  /// The regions that a warp can come to from region ID without a barrier of the block.
  SetVector<unsigned> findRegionsOfPart(unsigned id) const {
    SetVector<unsigned> reached;
    reached.insert(id);
    for (unsigned i = 0; i < reached.size(); ++i)
      for (unsigned s : regions.regions()[reached[i]].successors)
        if (!isPart(regions.regions()[s]))
          reached.insert(s);
    return reached;
  }

  /// All warps are through with PART, whose regions are REACHED: goes to the part that follows.
  void closePart(ArrayRef<unsigned> reached, const Loop &part) {
    SetVector<unsigned> following;
    bool canFinish = false;
    for (unsigned r : reached) {
      canFinish |= regions.regions()[r].canFinish;
      for (unsigned s : regions.regions()[r].successors)
        if (isPart(regions.regions()[s]))
          following.insert(s);
    }
    IRBuilder<> b(part.latch->getTerminator());
    for (const CrossingValue &v : storage.values)
      if (v.ofEachWarp && any_of(following, [&](unsigned s) { return v.liveInto.contains(s); }) &&
          any_of(reached, [&](unsigned r) { return writes(regions.regions()[r], v); }))
        b.CreateStore(b.CreateLoad(v.home->getAllocatedType(), scalars[v.home].now), wordOf(b, v));
    b.SetInsertPoint(part.done);
    if (!following.empty())
      meet(b);
    if (following.size() == 1 && !canFinish) {
      b.CreateBr(parts[following[0]].pre);
      return;
    }
    auto *sw = b.CreateSwitch(b.CreateLoad(i32, nextPart), end, following.size());
    for (unsigned s : following)
      sw->addCase(b.getInt32(s), parts[s].pre);
  }

  /// All lanes are through with region R: goes to the region that follows, or the end of PART.
  void closeLoop(const ParallelRegion &r, DenseMap<unsigned, Loop> &loops, const Loop &part) {
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

  // --- scalars of the block, and of each warp ---

  unsigned warpWordRows() const override { return storage.warpRows; }

  /// Where the warp at work keeps V between parts.
  Value *wordOf(IRBuilderBase &b, const CrossingValue &v) {
    uint64_t size = elementSize(f.getDataLayout(), v);
    return memory.warpWord(b, v.row, warp.place, std::max<uint64_t>(size, 4));
  }

  static bool writes(const ParallelRegion &r, const CrossingValue &v) {
    return any_of(v.home->users(), [&](User *user) {
      auto *store = dyn_cast<StoreInst>(user);
      return store && r.blocks.contains(store->getParent());
    });
  }

  /// A third cell for what is one value for the block: as it was before the part.
  void makeBlockScalars() {
    for (const CrossingValue &v : storage.values)
      if (v.uniform && !v.ofWarp) {
        IRBuilder<> b(scalars[v.home].next->getNextNode());
        blockScalars[v.home] = b.CreateAlloca(v.home->getAllocatedType(), nullptr, "scalar.block");
      }
  }

  static void copyScalar(IRBuilderBase &b, AllocaInst *from, AllocaInst *to) {
    b.CreateStore(b.CreateLoad(from->getAllocatedType(), from), to);
  }

  AllocaInst *nextHome = nullptr, *nextPart = nullptr;
  MapVector<unsigned, Loop> parts;
  MapVector<AllocaInst *, AllocaInst *> blockScalars;
};

} // namespace

std::unique_ptr<NestedLoops> makeRegularLoops(Function &f, const ParallelRegions &regions,
                                              const WarpOps &ops, RegionStorage storage,
                                              bool spreads) {
  return std::make_unique<RegularLoops>(f, regions, ops, std::move(storage), /*keepMasks=*/false,
                                        spreads);
}

} // namespace vx
