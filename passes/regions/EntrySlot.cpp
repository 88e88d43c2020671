// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/EntrySlot.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/HostWorker.h"
#include "intrinsics/abi/WarpSize.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/VortexIR/BlockBarrier.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/LaunchAccess.h"

using namespace llvm;

namespace vx {

using abi::HostWorker;
using abi::LaunchDescriptor;

EntrySlot::EntrySlot(IRBuilder<> &b, Function &entry) : b(b), entry(entry) {
  b.SetInsertPoint(block("entry"));
}

Value *EntrySlot::load(uint64_t offset, Type *type) {
  return loadField(b, entry.getArg(0), offset, type);
}
Value *EntrySlot::pointer(uint64_t offset) {
  return loadPointerField(b, entry.getArg(0), offset);
}
Value *EntrySlot::csr32(unsigned csr) {
  return b.CreateTrunc(emitCsrRead(b, csr), i32());
}
BasicBlock *EntrySlot::block(const Twine &name) {
  return BasicBlock::Create(entry.getContext(), name, &entry);
}

void EntrySlot::enter(Value *works, Value *slot, Value *slots) {
  count = load(offsetof(LaunchDescriptor, blockThreads), i32());
  done = block("done");
  auto *work = block("slot.work");
  b.CreateCondBr(works, work, done);
  ReturnInst::Create(entry.getContext(), done);
  b.SetInsertPoint(work);
  Value *core = b.CreateZExt(csr32(VX_CSR_CORE_ID), i64());
  Value *slots64 = b.CreateZExt(slots, i64()), *slot64 = b.CreateZExt(slot, i64());
  number = b.CreateAdd(b.CreateMul(core, slots64), slot64);
  gridStep = load(offsetof(LaunchDescriptor, blocksAtOnce), i64());
  locateShared(core, slot64);
}

void EntrySlot::runWholeBlocks() {
  linear = b.getInt32(0);
  step = barrierCount = b.getInt32(1);
  barrierId = b.getInt32(0);
}

void EntrySlot::countInParts(unsigned threads) {
  count = b.CreateLShr(count, Log2_32(threads), "count");
}

void EntrySlot::makeRoomForBlock() {
  room = b.CreateAnd(b.CreateAdd(count, b.getInt32(abi::kWarpSize - 1)),
                     b.getInt32(~(abi::kWarpSize - 1)));
}

void EntrySlot::locateShared(Value *core, Value *slot) {
  Value *stride = b.CreateZExt(load(offsetof(LaunchDescriptor, sharedStride), i32()), i64());
  Value *offset =
      b.CreateAdd(b.CreateMul(core, load(offsetof(LaunchDescriptor, sharedCoreStride), i64())),
                  b.CreateMul(slot, stride));
  setShared(
      b.CreateInBoundsPtrAdd(pointer(offsetof(LaunchDescriptor, sharedBase)), offset, "shared"),
      stride);
}

void EntrySlot::setShared(Value *base, Value *stride) {
  sharedBase = base;
  cast<Instruction>(base)->setMetadata(kSharedBaseMetadata, MDNode::get(entry.getContext(), {}));
  sharedTail =
      b.CreateInBoundsPtrAdd(base, b.CreateSub(stride, b.getInt64(kTailBytes)), "shared.tail");
}

EntrySlot::Context EntrySlot::findContext() {
  return contextAt(number, {nullptr, b.getInt64(1), b.getInt64(0)});
}

EntrySlot::Context EntrySlot::findInterleavedContext(Value *lanes, Value *warps) {
  Context c{nullptr, b.CreateZExt(lanes, i64()), b.CreateZExt(csr32(VX_CSR_THREAD_ID), i64())};
  Value *warp = b.CreateAdd(b.CreateMul(csr32(VX_CSR_CORE_ID), warps), csr32(VX_CSR_WARP_ID));
  return contextAt(b.CreateMul(b.CreateZExt(warp, i64()), c.interleave), c);
}

/// Returns C, whose hardware thread, or the first of those that are interleaved, has number FIRST.
EntrySlot::Context EntrySlot::contextAt(Value *first, Context c) {
  Value *area = b.CreateMul(first, load(offsetof(LaunchDescriptor, contextStride), i64()));
  c.base = b.CreateInBoundsPtrAdd(pointer(offsetof(LaunchDescriptor, context)), area, "context");
  return c;
}

// --- the classes ---

namespace {

Value *divideUp(IRBuilderBase &b, Value *value, Value *by) {
  return b.CreateUDiv(b.CreateAdd(value, b.CreateSub(by, b.getInt32(1))), by);
}

class WarpsSlot final : public EntrySlot {
public:
  /// PARTS: threads of a lane.
  WarpsSlot(IRBuilder<> &b, Function &entry, bool grouped, unsigned parts = 1)
      : EntrySlot(b, entry), grouped(grouped) {
    uniform = true;
    Value *warpsPerBlock = load(offsetof(LaunchDescriptor, warpsPerBlock), i32());
    Value *slots = load(offsetof(LaunchDescriptor, blocksPerCore), i32());
    barrierCount =
        grouped ? load(offsetof(LaunchDescriptor, fields.groups.perBlock), i32()) : warpsPerBlock;
    Value *warp = ownNumber(VX_CSR_WARP_ID);
    Value *inverse = load(offsetof(LaunchDescriptor, slotInverse), i32());
    Value *slot =
        b.CreateLShr(b.CreateMul(warp, inverse, "", true, true), abi::kInverseShift, "slot");
    enter(b.CreateICmpULT(slot, slots), slot, slots);
    Value *warpInBlock = b.CreateSub(warp, b.CreateMul(slot, warpsPerBlock));
    Value *lanes = csr32(VX_CSR_NUM_THREADS);
    linear = b.CreateAdd(b.CreateMul(warpInBlock, lanes), ownNumber(VX_CSR_THREAD_ID), "linear");
    step = b.CreateMul(warpsPerBlock, lanes, "step");
    barrierId = b.CreateSelect(b.CreateICmpUGT(barrierCount, b.getInt32(1)), slot, b.getInt32(0));
    if (grouped)
      formGroups();
    if (parts > 1)
      countInParts(parts);
    makeRoomForBlock();
  }

  void waitForAll() override { emitHwBarrier(b, barrierId, barrierCount); }

private:
  /// Returns the number of the hardware warp or the lane, which change when groups are formed.
  Value *ownNumber(unsigned csr) {
    return grouped ? b.CreateTrunc(emitOrderedCsrRead(b, csr), i32()) : csr32(csr);
  }

  /// Executes vx_tile if the launch asks for it. All lanes of all warps of the slots come here. The
  /// numbers of threads and warps that were read before are those of the hardware warps, and each
  /// lane keeps its own.
  void formGroups() {
    auto *regroup = block("regroup"), *groups = block("groups");
    Value *operands = load(offsetof(LaunchDescriptor, fields.groups.regroup), i32());
    b.CreateCondBr(b.CreateIsNotNull(operands), regroup, groups);
    b.SetInsertPoint(regroup);
    emitTile(b, b.CreateLShr(operands, 8), b.CreateAnd(operands, 255));
    b.CreateBr(groups);
    b.SetInsertPoint(groups);
  }

  const bool grouped;
};

class LaneSlot final : public EntrySlot {
public:
  LaneSlot(IRBuilder<> &b, Function &entry) : EntrySlot(b, entry) {
    Value *slots = load(offsetof(LaunchDescriptor, blocksPerCore), i32());
    lanes = load(offsetof(LaunchDescriptor, fields.serial.blocksPerWarp), i32());
    warps = divideUp(b, slots, lanes);
    Value *lane = csr32(VX_CSR_THREAD_ID);
    Value *slot = b.CreateAdd(b.CreateMul(csr32(VX_CSR_WARP_ID), lanes), lane, "slot");
    enter(b.CreateAnd(b.CreateICmpULT(lane, lanes), b.CreateICmpULT(slot, slots)), slot, slots);
    runWholeBlocks();
    makeRoomForBlock();
  }

  Context findContext() override { return findInterleavedContext(lanes, warps); }
  void waitForAll() override {}

private:
  Value *lanes, *warps; // i32: lanes of a hardware warp, hardware warps of a core that work
};

class WarpsOfBlockSlot final : public EntrySlot {
public:
  WarpsOfBlockSlot(IRBuilder<> &b, Function &entry) : EntrySlot(b, entry) {
    Value *slots = load(offsetof(LaunchDescriptor, blocksPerCore), i32());
    Value *lanesPerBlock = load(offsetof(LaunchDescriptor, fields.serial.lanesPerBlock), i32());
    Value *warpsPerBlock = load(offsetof(LaunchDescriptor, warpsPerBlock), i32());
    Value *blocksPerWarp = load(offsetof(LaunchDescriptor, fields.serial.blocksPerWarp), i32());
    step = load(offsetof(LaunchDescriptor, fields.serial.hartsPerBlock), i32());
    lanes = b.CreateMul(lanesPerBlock, blocksPerWarp);
    warps = b.CreateMul(divideUp(b, slots, blocksPerWarp), warpsPerBlock);
    Value *warp = csr32(VX_CSR_WARP_ID), *lane = csr32(VX_CSR_THREAD_ID);
    Value *set = b.CreateUDiv(warp, warpsPerBlock), *inWarp = b.CreateUDiv(lane, lanesPerBlock);
    Value *slot = b.CreateAdd(b.CreateMul(set, blocksPerWarp), inWarp, "slot");
    Value *laneInBlock = b.CreateSub(lane, b.CreateMul(inWarp, lanesPerBlock));
    Value *warpInBlock = b.CreateSub(warp, b.CreateMul(set, warpsPerBlock));
    linear = b.CreateAdd(b.CreateMul(laneInBlock, warpsPerBlock), warpInBlock, "first");
    barrierId = set;
    barrierCount = warpsPerBlock;
    Value *works = b.CreateAnd(b.CreateICmpULT(lane, lanes), b.CreateICmpULT(slot, slots));
    enter(b.CreateAnd(works, b.CreateICmpULT(linear, step)), slot, slots);
    room = load(offsetof(LaunchDescriptor, fields.serial.contextThreads), i32());
  }

  Context findContext() override { return findInterleavedContext(lanes, warps); }
  void waitForAll() override { emitBlockBarrier(b, barrierId, barrierCount); }

private:
  Value *lanes, *warps; // i32: lanes of a hardware warp, hardware warps of a core that work
};

/// A walk over blocks that ends after the first.
class HostSlot final : public EntrySlot {
public:
  HostSlot(IRBuilder<> &b, Function &entry) : EntrySlot(b, entry) {
    count = load(offsetof(LaunchDescriptor, blockThreads), i32());
    done = block("done");
    ReturnInst::Create(entry.getContext(), done);
    number = loadField(b, worker(), offsetof(HostWorker, block), i64());
    gridStep = load(offsetof(LaunchDescriptor, numBlocks), i64());
    Value *base = loadPointerField(b, worker(), offsetof(HostWorker, shared), "shared");
    setShared(base, b.CreateZExt(load(offsetof(LaunchDescriptor, sharedStride), i32()), i64()));
    runWholeBlocks();
    makeRoomForBlock();
  }

  Context findContext() override {
    return {loadPointerField(b, worker(), offsetof(HostWorker, context), "context"), b.getInt64(1),
            b.getInt64(0)};
  }
  void waitForAll() override {}

private:
  /// Returns the block that the running worker shares with the runtime; its first member is the
  /// control block.
  Value *worker() { return tcbAddress(b, 0); }
};

} // namespace

std::unique_ptr<EntrySlot> makeWarpsSlot(IRBuilder<> &b, Function &entry) {
  return std::make_unique<WarpsSlot>(b, entry, false);
}
std::unique_ptr<EntrySlot> makeGroupedSlot(IRBuilder<> &b, Function &entry) {
  return std::make_unique<WarpsSlot>(b, entry, true);
}
std::unique_ptr<EntrySlot> makeCoarsenedSlot(IRBuilder<> &b, Function &entry) {
  return std::make_unique<WarpsSlot>(b, entry, false, abi::kCoarsenedParts);
}
std::unique_ptr<EntrySlot> makeLaneSlot(IRBuilder<> &b, Function &entry) {
  return std::make_unique<LaneSlot>(b, entry);
}
std::unique_ptr<EntrySlot> makeWarpsOfBlockSlot(IRBuilder<> &b, Function &entry) {
  return std::make_unique<WarpsOfBlockSlot>(b, entry);
}
std::unique_ptr<EntrySlot> makeHostSlot(IRBuilder<> &b, Function &entry) {
  return std::make_unique<HostSlot>(b, entry);
}

} // namespace vx
