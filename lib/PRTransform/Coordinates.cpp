// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/Coordinates.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

using namespace llvm;

namespace vx {
namespace {

using abi::LaunchDescriptor;

/// Emits what coordinate functions stand for, each once, before the terminator of a block.
class Coordinates {
public:
  Coordinates(BasicBlock &at, Value *linear) : b(at.getTerminator()), linear(linear) {}

  /// Null: CALL, of FN, is of no coordinate.
  Value *valueOf(const CallInst &call, VxFn fn) {
    switch (fn) {
    case VxFn::ThreadIdxX:
    case VxFn::ThreadIdxY:
    case VxFn::ThreadIdxZ:
      return threadIdx()[static_cast<int>(fn) - static_cast<int>(VxFn::ThreadIdxX)];
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
  const std::array<Value *, 3> &threadIdx() {
    if (!idx[0]) {
      Value *rows = divideByDim(linear, 0), *z = divideByDim(rows, 1);
      idx = {b.CreateSub(linear, b.CreateMul(rows, emitCall(b, VxFn::BlockDimX)), "tid.x"),
             b.CreateSub(rows, b.CreateMul(z, emitCall(b, VxFn::BlockDimY)), "tid.y"), z};
    }
    return idx;
  }

  /// N / dimension AXIS of the block.
  Value *divideByDim(Value *n, unsigned axis) {
    uint64_t offset = offsetof(LaunchDescriptor, threadInverse) + 4 * axis;
    Value *inverse = loadField(b, emitCall(b, VxFn::Descriptor), offset, b.getInt32Ty());
    return b.CreateLShr(b.CreateMul(n, inverse, "", /*HasNUW=*/true, /*HasNSW=*/true),
                        abi::kInverseShift);
  }

  static unsigned lanesOf(const Value *operand) {
    return cast<ConstantInt>(operand)->getZExtValue();
  }
  /// The part that CALL asks for, in lanes of the CUDA warp.
  static unsigned firstLaneOf(const CallInst &call) {
    return lanesOf(call.getArgOperand(0)) * lanesOf(call.getArgOperand(1));
  }

  /// Known to be less than LANES, so that what only depends on the part is a constant.
  Value *hardwareLane(unsigned lanes) {
    if (!ownLane)
      ownLane = b.CreateAnd(b.CreateTrunc(emitCsrRead(b, VX_CSR_THREAD_ID), b.getInt32Ty()),
                            lanes - 1, "part.first");
    return ownLane;
  }

  /// A hardware warp runs one CUDA warp at a time, so this is uniform.
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
  std::array<Value *, 3> idx = {};
  DenseMap<unsigned, Value *> threads; ///< by the part's first lane
};

} // namespace

void replaceThreadCoordinates(ArrayRef<BasicBlock *> blocks, BasicBlock &at, Value *linear) {
  SmallVector<std::pair<CallInst *, VxFn>, 16> calls;
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (auto fn = getVxFn(&i))
        calls.push_back({cast<CallInst>(&i), *fn});
  Coordinates coordinates(at, linear);
  for (auto [call, fn] : calls)
    if (Value *v = coordinates.valueOf(*call, fn)) {
      call->replaceAllUsesWith(v);
      call->eraseFromParent();
    }
}

} // namespace vx
