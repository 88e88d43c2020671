// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/NestedLoops.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/BlockBarrier.h"
#include "lib/VortexIR/IRNames.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {

void NestedLoops::build() {
  if (memory.isForHost) {
    IRBuilder<> b(entry, entry->begin());
    auto *type = ArrayType::get(b.getInt8Ty(), memory.laneBytes * kWarpSize);
    AllocaInst *lanes = b.CreateAlloca(type, nullptr, "lanes");
    lanes->setAlignment(Align(64));
    lanes->setMetadata(kLaneArrays, MDNode::get(ctx, {}));
    memory.lanes = lanes;
  }
  makeScalars();
  exchange.makeVariables(*entry);
  buildBlock();
}

bool NestedLoops::startsBarrierRegion(const ParallelRegion &r) {
  return !r.boundary || isBlockLevel(r.boundary->front());
}

const WarpCall *NestedLoops::opBefore(const ParallelRegion &r) const {
  return r.boundary ? ops.of(&r.boundary->front()) : nullptr;
}

NestedLoops::Warp NestedLoops::describeWarp(IRBuilderBase &b, const Loop &warps) {
  Warp w{warps.index, warps.place};
  w.first = b.CreateShl(w.number, kWarpShift, "warp.first", true);
  w.firstPlace = spreads ? b.CreateShl(w.place, kWarpShift) : w.first;
  if (isWhole) {
    w.lanes = b.getInt32(kWarpSize);
    w.all = b.getInt32(-1);
    placeInRows(b, w);
    return w;
  }
  w.lanes = b.CreateBinaryIntrinsic(Intrinsic::umin, b.CreateSub(param(kParamCount), w.first),
                                    b.getInt32(kWarpSize), nullptr, "lanes");
  w.all = b.CreateLShr(b.getInt32(-1), b.CreateSub(b.getInt32(kWarpSize), w.lanes), "all");
  return w;
}

void NestedLoops::placeInRows(IRBuilderBase &b, Warp &w) {
  Value *warps = b.CreateLShr(emitCall(b, VxFn::BlockDimX), kWarpShift);
  Value *rows = emitCall(b, VxFn::BlockDimY), *number = b.CreateUDiv(w.number, warps);
  w.column = b.CreateURem(w.number, warps, "warp.column");
  w.row = b.CreateURem(number, rows, "warp.row");
  w.slice = b.CreateUDiv(number, rows, "warp.slice");
}

void NestedLoops::countWarps(Loop &loop) {
  IRBuilder<> b(loop.pre);
  Value *warps =
      b.CreateLShr(b.CreateAdd(param(kParamCount), b.getInt32(kWarpSize - 1)), kWarpShift, "warps");
  count(loop, param(kParamFirst), warps, param(kParamStep), "warp", LoopUnit::Warp);
  loop.place = loop.index;
  if (!spreads)
    return;
  b.SetInsertPoint(loop.header, loop.header->begin());
  PHINode *place = b.CreatePHI(i32, 2, "warp.place");
  place->addIncoming(b.getInt32(0), loop.pre);
  b.SetInsertPoint(loop.latch->getTerminator());
  place->addIncoming(b.CreateNUWAdd(place, b.getInt32(1)), loop.latch);
  loop.place = place;
}

void NestedLoops::waitForBlock(IRBuilderBase &b) {
  if (spreads)
    emitBlockBarrier(b, param(kParamBarrierId), param(kParamBarrierCount), end);
  else
    emitMemoryBarrier(b); // for the compiler, although one hardware thread runs the block
}

void NestedLoops::buildLoop(const ParallelRegion &r, Loop &loop, Value *participants) {
  std::string name = "region" + std::to_string(r.id);
  makeBlocks(loop, name, "lane");
  findAccesses(r);
  IRBuilder<> b(loop.pre);
  openScalars(b, r);
  if (const WarpCall *op = opBefore(r)) {
    if (op->fn == VxFn::WarpSync && !op->isMarker)
      emitMemoryBarrier(b);
    exchange.release(b, *op, participants);
  }
  for (unsigned s : r.successors)
    if (const WarpCall *op = opBefore(regions.regions()[s]))
      exchange.start(b, *op);
  count(loop, b.getInt32(0), warp.lanes, b.getInt32(1), "lane", LoopUnit::Thread);
  BasicBlock *first = loop.body;
  b.SetInsertPoint(first);
  if (Value *run = runSet(b)) {
    first = block(name + ".mine");
    b.CreateCondBr(b.CreateTrunc(b.CreateLShr(run, loop.index), b.getInt1Ty()), first, loop.latch);
    b.SetInsertPoint(first);
  }
  Value *thread = b.CreateNUWAdd(warp.first, loop.index, "thread");
  if (spreads)
    loop.place = b.CreateNUWAdd(warp.firstPlace, loop.index, "place");
  emitHint(b, VX_HINT_THREAD, thread);
  restoreValues(b, r, loop, thread);
  cloneRegion(r, loop, *first, thread);
  b.SetInsertPoint(loop.done);
  closeScalars(b);
}

void NestedLoops::expand(Instruction &i, const Loop &loop) {
  if (const WarpCall *op = ops.of(&i)) {
    exchange.expand(cast<CallInst>(i), *op, loop.index);
    return;
  }
  auto fn = getVxFn(&i);
  Value *v = fn == VxFn::LaneId       ? loop.index
             : fn == VxFn::WarpId     ? warp.number
             : fn == VxFn::WarpColumn ? warp.column
             : fn == VxFn::WarpRow    ? warp.row
             : fn == VxFn::WarpSlice  ? warp.slice
                                      : nullptr;
  if (!v)
    return;
  i.replaceAllUsesWith(v);
  i.eraseFromParent();
}

} // namespace vx
