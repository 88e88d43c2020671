// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/ThreadCoordinates.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {

void replaceThreadCoordinates(ArrayRef<BasicBlock *> blocks, BasicBlock &at, Value *linear,
                              Value *count) {
  SmallVector<std::pair<CallInst *, VxFn>, 16> calls;
  bool needsIdx = false;
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (auto fn = getVxFn(&i)) {
        bool isIdx = *fn == VxFn::ThreadIdxX || *fn == VxFn::ThreadIdxY || *fn == VxFn::ThreadIdxZ;
        if (isIdx || *fn == VxFn::LaneId || *fn == VxFn::WarpId)
          calls.push_back({cast<CallInst>(&i), *fn});
        needsIdx |= isIdx;
      }
  if (calls.empty())
    return;
  IRBuilder<> b(at.getContext());
  if (Instruction *term = at.getTerminator())
    b.SetInsertPoint(term);
  else
    b.SetInsertPoint(&at);
  Value *lane = b.CreateAnd(linear, 31, "lane"), *warp = b.CreateLShr(linear, 5, "warp");
  Value *idx[3] = {linear, b.getInt32(0), b.getInt32(0)};
  if (needsIdx) {
    Value *dimX = emitCall(b, VxFn::BlockDimX);
    Value *isFlat = b.CreateICmpEQ(dimX, count);
    // Blocks of one dimension, the common case, go round the divisions.
    BasicBlock *head = b.GetInsertBlock();
    Instruction *term = head->getTerminator();
    bool fakeTerm = !term;
    if (fakeTerm)
      term = b.CreateUnreachable();
    Instruction *thenTerm = SplitBlockAndInsertIfThen(b.CreateNot(isFlat), term, false);
    b.SetInsertPoint(thenTerm);
    Value *rows = b.CreateUDiv(linear, dimX);
    Value *x = b.CreateSub(linear, b.CreateMul(rows, dimX));
    Value *dimY = emitCall(b, VxFn::BlockDimY);
    Value *z = b.CreateUDiv(rows, dimY);
    Value *y = b.CreateSub(rows, b.CreateMul(z, dimY));
    b.SetInsertPoint(term);
    const char *names[] = {"tid.x", "tid.y", "tid.z"};
    Value *divided[] = {x, y, z};
    for (unsigned d = 0; d < 3; ++d) {
      PHINode *phi = b.CreatePHI(b.getInt32Ty(), 2, names[d]);
      phi->addIncoming(idx[d], head);
      phi->addIncoming(divided[d], thenTerm->getParent());
      idx[d] = phi;
    }
    if (fakeTerm)
      term->eraseFromParent();
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
