// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/BlockLoops.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

class BlockLoops final : public LoopBuilder {
public:
  BlockLoops(Function &f, const ParallelRegions &regions, RegionStorage storage, bool regular,
             bool serial)
      : LoopBuilder(f, regions, std::move(storage)), regular(regular), serial(serial),
        lanesMeet(!serial && lanesMeetBetweenThreads(f)),
        countsRows(serial && isForHost(*f.getParent()) && asksForThreadIdx(f)) {
    if (!regular) {
      stateOffset = memory.threadBytes;
      memory.threadBytes += 16;
    }
  }

private:
  void build() override {
    nextSlot = variable("next");
    if (numWaits)
      lastSlot = variable("last", IRBuilder<>(ctx).getInt32(0));
    if (!regular && !serial)
      voteWord = variable("vote.word", IRBuilder<>(ctx).getInt32(0));
    makeScalars();
    loops.resize(regions.regions().size());
    for (const ParallelRegion &r : regions.regions())
      loops[r.id].pre = block("region" + Twine(r.id) + ".pre");
    if (!regular)
      makeDispatch();
    for (const ParallelRegion &r : regions.regions())
      buildRegion(r);
    IRBuilder<>(entry).CreateBr(loops[0].pre);
  }

  /// Makes the block, in irregular kernels, at which all regions end with `agreed` chosen, and
  /// which picks where to go.
  void makeDispatch() {
    dispatch = block("dispatch");
    IRBuilder<> b(dispatch);
    agreed = b.CreatePHI(i32, loops.size(), "agreed");
    Value *next = boundaryOf(b, agreed);
    if (numWaits)
      b.CreateStore(next, lastSlot);
    auto *sw = b.CreateSwitch(next, end, loops.size());
    for (const ParallelRegion &r : regions.regions())
      if (r.id != 0)
        sw->addCase(b.getInt32(r.id), loops[r.id].pre);
  }

  // --- one region ---

  void buildRegion(const ParallelRegion &r) {
    Loop &loop = loops[r.id];
    makeBlocks(loop, "region" + Twine(r.id), "thread");
    findAccesses(r);
    IRBuilder<> b(loop.pre);
    b.CreateStore(b.getInt32(kFinished), nextSlot);
    openScalars(b, r);
    if (countsRows)
      countRows(loop, "region" + Twine(r.id));
    else
      count(loop, param(kParamFirst), param(kParamCount), param(kParamStep), "thread",
            LoopUnit::Thread);
    if (lanesMeet) {
      b.SetInsertPoint(loop.latch, loop.latch->begin());
      emitLaneMeeting(b);
    }
    BasicBlock *first = regular || r.id == 0 ? loop.body : checkState(r, loop);
    b.SetInsertPoint(first);
    emitHint(b, VX_HINT_THREAD, loop.index);
    restoreValues(b, r, loop, loop.index);
    cloneRegion(r, loop, *first, loop.index);
    closeLoop(r, loop);
  }

  /// Ends `pre`, `header` and `latch` of LOOP, which becomes the innermost of three: over the
  /// threads of a row, the rows of a slice, and slices. In a row, threadIdx.x is the index, and
  /// what is computed from it has neighbours in memory (vx-widen-threads). One hardware thread runs
  /// the block.
  void countRows(Loop &loop, const Twine &name) {
    IRBuilder<> b(loop.pre);
    Value *zero = b.getInt32(0), *one = b.getInt32(1);
    std::array<Value *, 3> dims = {emitCall(b, VxFn::BlockDimX), emitCall(b, VxFn::BlockDimY),
                                   emitCall(b, VxFn::BlockDimZ)};
    Loop rows, slices;
    slices.pre = loop.pre;
    slices.done = loop.done;
    makeCounter(slices, name + ".slices");
    rows.pre = slices.body;
    rows.done = slices.latch;
    makeCounter(rows, name + ".rows");
    loop.pre = rows.body;
    loop.done = rows.latch;
    count(slices, zero, dims[2], one, "slice", LoopUnit::Rest);
    count(rows, zero, dims[1], one, "row", LoopUnit::Rest);
    count(loop, zero, dims[0], one, "x", LoopUnit::Thread);
    loop.threadIdx = {loop.index, rows.index, slices.index};
    b.SetInsertPoint(rows.body, rows.body->begin());
    Value *row = b.CreateNUWAdd(b.CreateNUWMul(slices.index, dims[1]), rows.index);
    Value *first = b.CreateNUWMul(row, dims[0], "row.first");
    b.SetInsertPoint(loop.body);
    loop.index = b.CreateNUWAdd(first, loop.index, "thread");
    loop.pre = slices.pre;
    loop.done = slices.done;
  }
  void makeCounter(Loop &loop, const Twine &name) {
    loop.header = block(name);
    loop.body = block(name + ".body");
    loop.latch = block(name + ".next");
  }

  static bool asksForThreadIdx(const Function &f) {
    return any_of(instructions(f), [](const Instruction &i) {
      auto fn = getVxFn(&i);
      return fn == VxFn::ThreadIdxX || fn == VxFn::ThreadIdxY || fn == VxFn::ThreadIdxZ;
    });
  }

  Value *stateAddress(IRBuilderBase &b, const Loop &loop) {
    return memory.threadSlot(b, stateOffset, 4, loop.index);
  }

  /// Returns, in irregular kernels, the block for threads that wait for region R; the others stay
  /// as they are.
  BasicBlock *checkState(const ParallelRegion &r, const Loop &loop) {
    IRBuilder<> b(loop.body);
    Value *state = b.CreateLoad(i32, stateAddress(b, loop), "state");
    auto *mine = BasicBlock::Create(ctx, "region" + Twine(r.id) + ".mine", &f, loop.latch);
    auto *other = BasicBlock::Create(ctx, "region" + Twine(r.id) + ".other", &f, loop.latch);
    locate(other, &r);
    b.CreateCondBr(b.CreateICmpEQ(state, b.getInt32(r.id)), mine, other);
    b.SetInsertPoint(other);
    recordNext(b, state);
    b.CreateBr(loop.latch);
    return mine;
  }

  void recordNext(IRBuilderBase &b, Value *region) {
    if (!regular) {
      Value *rank = rankOf(b, region, numWaits ? b.CreateLoad(i32, lastSlot) : nullptr);
      region = b.CreateBinaryIntrinsic(Intrinsic::umin, b.CreateLoad(i32, nextSlot), rank);
    }
    b.CreateStore(region, nextSlot);
  }

  void exitTo(IRBuilderBase &b, uint32_t next, const Loop &loop) override {
    if (!regular)
      b.CreateStore(b.getInt32(next), stateAddress(b, loop));
    recordNext(b, b.getInt32(next));
  }

  // --- after a region ---

  void closeLoop(const ParallelRegion &r, const Loop &loop) {
    IRBuilder<> b(loop.done);
    closeScalars(b);
    if (!regular) {
      agreed->addIncoming(agree(b), loop.done);
      auto *br = b.CreateBr(dispatch);
      if (none_of(regions.regions(), [](const ParallelRegion &r) { return r.isInCycle; }))
        markLoop(*br, LoopUnit::Rest);
      return;
    }
    if (r.successors.empty()) {
      b.CreateBr(end);
      return;
    }
    waitForBlock(b);
    if (r.successors.size() == 1 && !r.canFinish) {
      b.CreateBr(loops[r.successors[0]].pre);
      return;
    }
    Value *next = asScalar(b, b.CreateLoad(i32, nextSlot));
    auto *sw = b.CreateSwitch(next, end, r.successors.size());
    for (unsigned s : r.successors)
      sw->addCase(b.getInt32(s), loops[s].pre);
  }

  /// A barrier orders memory for the compiler also where one hardware thread runs the whole block:
  /// to alias analysis, the loops over threads are code of a single thread.
  void waitForBlock(IRBuilderBase &b) override {
    if (serial)
      emitMemoryBarrier(b);
    else
      emitHwBarrier(b, param(kParamBarrierId), param(kParamBarrierCount));
  }

  /// Returns V as a scalar. One that all threads of the block agree on is one value for the
  /// hardware threads that share it; those that run blocks of their own each have another.
  Value *asScalar(IRBuilderBase &b, Value *v) override {
    return serial ? v : b.CreateIntrinsic(Intrinsic::ssa_copy, {v->getType()}, {v});
  }

  /// Waits at the barrier; yields the lowest region that any thread of the block waits for.
  Value *agree(IRBuilderBase &b) {
    if (serial) {
      waitForBlock(b);
      return b.CreateLoad(i32, nextSlot);
    }
    return asScalar(b, leastOfBlock(b, voteWord, b.CreateLoad(i32, nextSlot)));
  }

  bool regular, serial;
  bool lanesMeet; ///< at the end of each turn of a loop
  bool countsRows;
  uint64_t stateOffset = 0;
  BasicBlock *dispatch = nullptr;
  PHINode *agreed = nullptr;
  AllocaInst *nextSlot = nullptr, *voteWord = nullptr;
  AllocaInst *lastSlot = nullptr; ///< the region that ran last
  SmallVector<Loop, 8> loops;
};

} // namespace

std::unique_ptr<LoopBuilder> makeBlockLoops(Function &f, const ParallelRegions &regions,
                                            RegionStorage storage, bool regular, bool serial) {
  return std::make_unique<BlockLoops>(f, regions, std::move(storage), regular, serial);
}

} // namespace vx
