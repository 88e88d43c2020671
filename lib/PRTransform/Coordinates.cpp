// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/Coordinates.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

using namespace llvm;

namespace vx {
namespace {

using abi::LaunchDescriptor;

/// Returns which of x, y and z FN, a function of threadIdx, stands for.
unsigned axisOf(VxFn fn) {
  return static_cast<unsigned>(fn) - static_cast<unsigned>(VxFn::ThreadIdxX);
}

/// Emits what coordinate functions stand for, each once, before the terminator of a block.
class Coordinates {
public:
  Coordinates(BasicBlock &at, Value *linear, const ThreadIdx &known)
      : b(at.getTerminator()), linear(linear), idx(known) {}

  /// Returns the value of CALL, a call of FN, or null if it asks for no coordinate.
  Value *valueOf(const CallInst &call, VxFn fn) {
    switch (fn) {
    case VxFn::ThreadIdxX:
    case VxFn::ThreadIdxY:
    case VxFn::ThreadIdxZ:
      return threadIdx()[axisOf(fn)];
    case VxFn::LaneId:
      return lane ? lane : lane = b.CreateAnd(linear, kWarpSize - 1, "lane");
    case VxFn::WarpId:
      return warp ? warp : warp = b.CreateLShr(linear, kWarpShift, "warp");
    case VxFn::PartThread:
      return partThread(call);
    case VxFn::PartLane:
      return b.CreateOr(hardwareLane(lanesOf(call.getArgOperand(1))), b.getInt32(firstLaneOf(call)),
                        "part.lane");
    case VxFn::PartWarp:
      return partWarp(lanesOf(call.getArgOperand(0)));
    default:
      return nullptr;
    }
  }

private:
  const ThreadIdx &threadIdx() {
    if (!idx[0]) {
      Value *rows = divideByDim(linear, 0), *z = divideByDim(rows, 1);
      idx = {b.CreateSub(linear, b.CreateMul(rows, emitCall(b, VxFn::BlockDimX)), "tid.x"),
             b.CreateSub(rows, b.CreateMul(z, emitCall(b, VxFn::BlockDimY)), "tid.y"), z};
    }
    return idx;
  }

  /// Emits N / dimension AXIS of the block.
  Value *divideByDim(Value *n, unsigned axis) {
    uint64_t offset = offsetof(LaunchDescriptor, threadInverse) + 4 * axis;
    Value *inverse = loadField(b, emitCall(b, VxFn::Descriptor), offset, b.getInt32Ty());
    return b.CreateLShr(b.CreateMul(n, inverse, "", /*HasNUW=*/true, /*HasNSW=*/true),
                        abi::kInverseShift);
  }

  static unsigned lanesOf(const Value *operand) {
    return cast<ConstantInt>(operand)->getZExtValue();
  }
  /// Returns the part that CALL asks for, in lanes of the CUDA warp.
  static unsigned firstLaneOf(const CallInst &call) {
    return lanesOf(call.getArgOperand(0)) * lanesOf(call.getArgOperand(1));
  }

  /// Returns the number of the lane. It is known to be less than LANES, so that what only depends
  /// on the part is a constant.
  Value *hardwareLane(unsigned lanes) {
    if (!ownLane)
      ownLane = b.CreateAnd(b.CreateTrunc(emitCsrRead(b, VX_CSR_THREAD_ID), b.getInt32Ty()),
                            lanes - 1, "part.first");
    return ownLane;
  }

  /// Returns the number of the warp. A hardware warp runs one CUDA warp at a time, so this is
  /// uniform.
  Value *partWarp(unsigned lanes) {
    if (!ownWarp)
      ownWarp = b.CreateIntrinsic(Intrinsic::ssa_copy, {b.getInt32Ty()},
                                  {b.CreateLShr(linear, Log2_32(lanes))}, nullptr, "part.warp");
    return ownWarp;
  }

  Value *partThread(const CallInst &call) {
    Value *&thread = threads[firstLaneOf(call)];
    if (!thread) {
      if (!firstThread)
        firstThread = b.CreateNUWAdd(
            b.CreateShl(partWarp(lanesOf(call.getArgOperand(1))), kWarpShift, "", true, true),
            hardwareLane(lanesOf(call.getArgOperand(1))), "part.thread");
      thread = b.CreateNUWAdd(firstThread, b.getInt32(firstLaneOf(call)));
    }
    return thread;
  }

  IRBuilder<> b;
  Value *linear, *lane = nullptr, *warp = nullptr;
  Value *ownLane = nullptr, *ownWarp = nullptr, *firstThread = nullptr; ///< of coarsened kernels
  ThreadIdx idx;
  DenseMap<unsigned, Value *> threads; ///< by the part's first lane
};

/// Returns the calls of threadIdx in regions of F after the first; none if it would not pay to keep
/// it.
SmallVector<CallInst *, 16> findLaterThreadIdx(Function &f, const ParallelRegions &regions) {
  SmallVector<CallInst *, 16> calls;
  SmallSet<unsigned, 8> users;
  bool inLoop = false, isRow = true; // isRow: of x alone, which takes a division less
  for (BasicBlock &bb : f)
    for (Instruction &i : bb) {
      auto fn = getVxFn(&i);
      if (!fn || *fn < VxFn::ThreadIdxX || *fn > VxFn::ThreadIdxZ)
        continue;
      bool isLater = false;
      for (unsigned region : regions.regionsOf(&bb))
        if (region) {
          isLater = true;
          users.insert(region);
          inLoop |= regions.isInCycle(region);
        }
      if (!isLater)
        continue;
      isRow &= *fn == VxFn::ThreadIdxX;
      calls.push_back(cast<CallInst>(&i));
    }
  if (isRow || (!inLoop && users.size() < 2))
    calls.clear();
  return calls;
}

} // namespace

void keepThreadIdx(Function &f, const ParallelRegions &regions) {
  SmallVector<CallInst *, 16> calls = findLaterThreadIdx(f, regions);
  if (calls.empty())
    return;
  // Bits from `first` on; a block has at most 1024 x 1024 x 64 threads, in all 1024.
  struct Field {
    bool isUsed = false;
    unsigned first = 0, bits = 0;
  };
  std::array<Field, 3> fields;
  for (CallInst *call : calls)
    fields[axisOf(*getVxFn(call))].isUsed = true;
  unsigned left = count_if(fields, [](const Field &field) { return field.isUsed; });
  unsigned bits = 32 / left, at = 0;
  for (Field &field : fields)
    if (field.isUsed) {
      field = {true, at, --left ? bits : 32 - at};
      at += bits;
    }

  IRBuilder<> b(f.getEntryBlock().getTerminator());
  Value *word = nullptr;
  for (VxFn fn : {VxFn::ThreadIdxX, VxFn::ThreadIdxY, VxFn::ThreadIdxZ})
    if (const Field &field = fields[axisOf(fn)]; field.isUsed) {
      Value *own = emitCall(b, fn);
      own = field.first ? b.CreateShl(own, field.first) : own;
      word = word ? b.CreateOr(word, own) : own;
    }
  word = b.CreateFreeze(word, "tid"); // is kept, and not recomputed
  for (CallInst *call : calls) {
    const Field &field = fields[axisOf(*getVxFn(call))];
    b.SetInsertPoint(call);
    Value *own = field.first ? b.CreateLShr(word, field.first) : word;
    if (field.first + field.bits < 32)
      own = b.CreateAnd(own, (1u << field.bits) - 1);
    call->replaceAllUsesWith(own);
    call->eraseFromParent();
  }
}

void replaceThreadCoordinates(ArrayRef<BasicBlock *> blocks, BasicBlock &at, Value *linear,
                              const ThreadIdx &known) {
  SmallVector<std::pair<CallInst *, VxFn>, 16> calls;
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (auto fn = getVxFn(&i))
        calls.push_back({cast<CallInst>(&i), *fn});
  Coordinates coordinates(at, linear, known);
  for (auto [call, fn] : calls)
    if (Value *v = coordinates.valueOf(*call, fn)) {
      call->replaceAllUsesWith(v);
      call->eraseFromParent();
    }
}

} // namespace vx
