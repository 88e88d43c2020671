// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-named-barriers: barriers of which only some warps of a block take part, by number and
// count (PTX: bar.sync a, b; bar.arrive; bar.red).
//
//     %n = __vx_named_sync(1, 64, %p)    ->        %begun = __vx_named_begin(state, warp, 1, 64, …)
//                                            wait: __vx_thread_wait()
//                                                  %n = __vx_named_test(state, warp, %begun)
//                                                  br (%n == -1), wait, after
//
// The state is shared memory of the block, before its tail (NamedBarriers.h); what the calls do is
// in runtime/device/NamedBarrier.cpp. Arriving waits in the same way, for the threads of the own
// warp. Threads say when they end, since barriers do not wait for them. An operand that is known at
// run time only is checked there: a wrong one stops the kernel.
//
// Barrier 0 is that of __syncthreads(), too: where the number may be 0, these become named barriers
// as well. So do barriers of aligned groups of warps (__vx_group_sync) in kernels whose threads
// wait otherwise (RegionBuilder.cpp), with one for each group after the sixteen.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/regions/NamedBarriers.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

/// Warps that arrive in a phase, at most: their number has a byte.
constexpr unsigned kMaxThreads = 128 * abi::kWarpSize;

class NamedBarrierLowering {
public:
  explicit NamedBarrierLowering(Function &kernel) : kernel(kernel), b(kernel.getContext()) {}

  bool run() {
    find();
    if (named.empty() && !(waits && !groups.empty()))
      return false;
    unsigned barriers = abi::kNamedBarriers + (groups.empty() ? 0 : abi::kMaxBlockWarps);
    kernel.addFnAttr(kNamedBarriersAttr, std::to_string(barriers));
    b.SetInsertPoint(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    uint64_t bytes = namedBarrierBytes(kernel);
    state = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), emitCall(b, VxFn::SharedTail),
                                         -static_cast<int64_t>(bytes), "named.barriers");
    warp = emitCall(b, VxFn::WarpId);
    bool withBlock =
        any_of(named, [&](CallInst *call) { return mayBeZero(call->getArgOperand(0)); });
    for (CallInst *call : named)
      lowerNamed(*call);
    for (CallInst *call : groups)
      lowerGroup(*call);
    if (withBlock)
      for (CallInst *call : ofBlock)
        lowerBlock(*call);
    for (ReturnInst *end : ends) {
      b.SetInsertPoint(end);
      emitCall(b, VxFn::NamedEnd, {state, warp, b.getInt32(forAll ? abi::kNamedBarriers : 0)});
    }
    return true;
  }

private:
  void find() {
    for (Instruction &i : instructions(kernel)) {
      if (auto *end = dyn_cast<ReturnInst>(&i))
        ends.push_back(end);
      std::optional<VxFn> fn = getVxFn(&i);
      if (!fn)
        continue;
      auto *call = cast<CallInst>(&i);
      if (*fn == VxFn::NamedSync || *fn == VxFn::NamedArrive)
        named.push_back(call);
      else if (*fn == VxFn::GroupSync)
        groups.push_back(call);
      else if (*fn >= VxFn::Barrier && *fn <= VxFn::BarrierOr)
        ofBlock.push_back(call);
      waits |= *fn == VxFn::ThreadWait;
    }
  }

  bool mayBeZero(const Value *number) const {
    return !isKnownNonZero(number, SimplifyQuery(kernel.getDataLayout()));
  }

  void lowerNamed(CallInst &call) {
    Value *id = call.getArgOperand(0), *threads = call.getArgOperand(1);
    bool isSync = getVxFn(&call) == VxFn::NamedSync;
    b.SetInsertPoint(&call);
    checkOperands(call, id, threads, !isSync);
    Value *counts = isSync ? call.getArgOperand(2) : b.getInt32(0);
    Value *sum = meet(call, id, threads, isSync, counts);
    if (isSync)
      call.replaceAllUsesWith(sum);
    call.eraseFromParent();
  }

  /// Stops the kernel before CALL if its barrier or its number of threads is not valid.
  void checkOperands(CallInst &call, Value *id, Value *threads, bool needsThreads) {
    Value *isWrong = b.CreateICmpUGE(id, b.getInt32(abi::kNamedBarriers));
    Value *rest = b.CreateAnd(threads, b.getInt32(abi::kWarpSize - 1));
    isWrong = b.CreateOr(isWrong, b.CreateIsNotNull(rest));
    isWrong = b.CreateOr(isWrong, b.CreateICmpUGT(threads, b.getInt32(kMaxThreads)));
    if (needsThreads)
      isWrong = b.CreateOr(isWrong, b.CreateIsNull(threads));
    if (auto *known = dyn_cast<ConstantInt>(isWrong); known && known->isZero())
      return;
    b.SetInsertPoint(SplitBlockAndInsertIfThen(isWrong, &call, /*Unreachable=*/false));
    b.SetCurrentDebugLocation(call.getDebugLoc());
    emitCall(b, VxFn::Trap)->addFnAttr(Attribute::NoMerge); // of this line
    b.SetInsertPoint(&call);
  }

  /// Lowers the barrier of the aligned group of as many threads as CALL says.
  void lowerGroup(CallInst &call) {
    b.SetInsertPoint(&call);
    Value *threads = call.getArgOperand(0);
    Value *warps = b.CreateLShr(threads, abi::kWarpShift);
    Value *first = b.CreateAnd(warp, b.CreateNeg(warps)); // a power of two
    Value *id = b.CreateAdd(first, b.getInt32(abi::kNamedBarriers));
    meet(call, id, threads, true, b.getInt32(0));
    call.eraseFromParent();
  }

  void lowerBlock(CallInst &call) {
    VxFn fn = *getVxFn(&call);
    b.SetInsertPoint(&call);
    Value *zero = b.getInt32(0), *counts = zero;
    if (fn != VxFn::Barrier)
      counts = call.getArgOperand(0);
    if (fn == VxFn::BarrierAnd)
      counts = b.CreateZExt(b.CreateIsNull(counts), b.getInt32Ty());
    Value *sum = meet(call, zero, zero, true, counts);
    if (fn == VxFn::BarrierAnd || fn == VxFn::BarrierOr)
      sum = b.CreateZExt(fn == VxFn::BarrierAnd ? b.CreateIsNull(sum) : b.CreateIsNotNull(sum),
                         b.getInt32Ty());
    if (fn != VxFn::Barrier)
      call.replaceAllUsesWith(sum);
    call.eraseFromParent();
  }

  /// Emits before CALL that its thread arrives at barrier ID, and waits; the sum of the reduction.
  Value *meet(CallInst &call, Value *id, Value *threads, bool untilEnd, Value *counts) {
    forAll |= mayBeZero(threads);
    Value *begun =
        emitCall(b, VxFn::NamedBegin, {state, warp, id, threads, b.getInt32(untilEnd), counts});
    BasicBlock *before = call.getParent();
    BasicBlock *after = SplitBlock(before, &call);
    auto *look = BasicBlock::Create(kernel.getContext(), "named.wait", &kernel, after);
    before->getTerminator()->setSuccessor(0, look);
    b.SetInsertPoint(look);
    b.SetCurrentDebugLocation(call.getDebugLoc());
    emitCall(b, VxFn::ThreadWait);
    Value *sum = emitCall(b, VxFn::NamedTest, {state, warp, begun});
    b.CreateCondBr(b.CreateICmpEQ(sum, b.getInt32(~0u)), look, after);
    b.SetInsertPoint(&call);
    return sum;
  }

  Function &kernel;
  IRBuilder<> b;
  SmallVector<CallInst *, 8> named, groups, ofBlock;
  SmallVector<ReturnInst *, 1> ends;
  bool waits = false;  ///< threads wait at mbarriers
  bool forAll = false; ///< a barrier may be for all threads that have not ended
  Value *state = nullptr, *warp = nullptr;
};

} // namespace

PreservedAnalyses LowerNamedBarriersPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !isKernel(f) || !NamedBarrierLowering(f).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

} // namespace vx
