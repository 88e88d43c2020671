// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/Coordinates.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {

std::array<PHINode *, 3> emitCoordinates(Instruction &at, Value *number, Value *isFlat, Value *dimX,
                                         function_ref<Value *(IRBuilderBase &)> dimY,
                                         StringRef prefix) {
  IRBuilder<> b(&at);
  Type *i32 = b.getInt32Ty();
  Value *low = b.CreateTrunc(number, i32);
  BasicBlock *head = at.getParent();
  Instruction *then = SplitBlockAndInsertIfThen(b.CreateNot(isFlat), &at, false);
  b.SetInsertPoint(then);
  Value *rows = b.CreateUDiv(number, b.CreateZExt(dimX, number->getType()));
  rows = b.CreateTrunc(rows, i32);
  Value *x = b.CreateSub(low, b.CreateMul(rows, dimX));
  Value *height = dimY(b);
  Value *z = b.CreateUDiv(rows, height);
  Value *y = b.CreateSub(rows, b.CreateMul(z, height));
  b.SetInsertPoint(&at);
  Value *flat[] = {low, b.getInt32(0), b.getInt32(0)}, *divided[] = {x, y, z};
  std::array<PHINode *, 3> result;
  for (unsigned d = 0; d < 3; ++d) {
    result[d] = b.CreatePHI(i32, 2, prefix + "." + StringRef("xyz").substr(d, 1));
    result[d]->addIncoming(flat[d], head);
    result[d]->addIncoming(divided[d], then->getParent());
  }
  return result;
}

void replaceThreadCoordinates(ArrayRef<BasicBlock *> blocks, BasicBlock &at, Value *linear,
                              Value *count) {
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
  Value *lane = b.CreateAnd(linear, 31, "lane"), *warp = b.CreateLShr(linear, 5, "warp");
  std::array<PHINode *, 3> idx{};
  if (needsIdx) {
    Value *dimX = emitCall(b, VxFn::BlockDimX);
    auto dimY = [](IRBuilderBase &b) { return emitCall(b, VxFn::BlockDimY); };
    Value *isFlat = b.CreateICmpEQ(dimX, count);
    idx = emitCoordinates(*at.getTerminator(), linear, isFlat, dimX, dimY, "tid");
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
