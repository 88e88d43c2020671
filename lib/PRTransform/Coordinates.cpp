// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/Coordinates.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/WarpSemantics.h"

using namespace llvm;

namespace vx {

using abi::LaunchDescriptor;

/// N / dimension AXIS of the block.
static Value *divideByDim(IRBuilderBase &b, Value *n, unsigned axis) {
  uint64_t offset = offsetof(LaunchDescriptor, threadInverse) + 4 * axis;
  Value *inverse = loadField(b, emitCall(b, VxFn::Descriptor), offset, b.getInt32Ty());
  return b.CreateLShr(b.CreateMul(n, inverse, "", /*HasNUW=*/true, /*HasNSW=*/true),
                      abi::kInverseShift);
}

void replaceThreadCoordinates(ArrayRef<BasicBlock *> blocks, BasicBlock &at, Value *linear) {
  SmallVector<std::pair<CallInst *, VxFn>, 16> calls;
  bool needsIdx = false;
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (auto fn = getVxFn(&i)) {
        bool isIdx = *fn >= VxFn::ThreadIdxX && *fn <= VxFn::ThreadIdxZ;
        if (isIdx || *fn == VxFn::LaneId || *fn == VxFn::WarpId)
          calls.push_back({cast<CallInst>(&i), *fn});
        needsIdx |= isIdx;
      }
  if (calls.empty())
    return;
  IRBuilder<> b(at.getTerminator());
  Value *lane = b.CreateAnd(linear, kWarpSize - 1, "lane");
  Value *warp = b.CreateLShr(linear, kWarpShift, "warp");
  Value *idx[3] = {};
  if (needsIdx) {
    Value *rows = divideByDim(b, linear, 0), *z = divideByDim(b, rows, 1);
    idx[0] = b.CreateSub(linear, b.CreateMul(rows, emitCall(b, VxFn::BlockDimX)), "tid.x");
    idx[1] = b.CreateSub(rows, b.CreateMul(z, emitCall(b, VxFn::BlockDimY)), "tid.y");
    idx[2] = z;
  }
  for (auto [call, fn] : calls) {
    Value *v = fn == VxFn::LaneId ? lane
               : fn == VxFn::WarpId
                   ? warp
                   : idx[static_cast<int>(fn) - static_cast<int>(VxFn::ThreadIdxX)];
    call->replaceAllUsesWith(v);
    call->eraseFromParent();
  }
}

} // namespace vx
