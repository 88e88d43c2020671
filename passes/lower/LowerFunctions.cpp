// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-functions: what is left of the __vx_* contract after the kernels are mapped becomes
// loads from the launch descriptor and the lane's control block, CSR reads and machine
// instructions. Functions that the device library defines (printf, malloc, …) stay calls.

#include "intrinsics/abi/AddressMap.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

using abi::LaunchDescriptor;
using abi::ThreadControlBlock;

class FunctionLowering {
public:
  explicit FunctionLowering(Function &f) : f(f), b(f.getContext()) {}

  bool run() {
    SmallVector<std::pair<CallInst *, VxFn>, 16> work;
    for (Instruction &i : instructions(f))
      if (auto fn = getVxFn(&i); fn && cast<CallBase>(i).getCalledFunction()->isDeclaration())
        work.push_back({cast<CallInst>(&i), *fn});
    bool changed = false;
    for (auto [call, fn] : work) {
      b.SetInsertPoint(call);
      Value *v = lower(fn);
      if (!v && !handled)
        continue;
      if (v)
        call->replaceAllUsesWith(v);
      call->eraseFromParent();
      changed = true;
    }
    return changed;
  }

private:
  /// The value that replaces a call of FN; null with `handled` for one without a result, null
  /// without it for one that stays.
  Value *lower(VxFn fn) {
    handled = true;
    switch (fn) {
    case VxFn::ThreadIdxX:
    case VxFn::ThreadIdxY:
    case VxFn::ThreadIdxZ:
      return threadIdx(static_cast<int>(fn) - static_cast<int>(VxFn::ThreadIdxX));
    case VxFn::BlockIdxX:
    case VxFn::BlockIdxY:
    case VxFn::BlockIdxZ:
      return tcbWord(offsetof(ThreadControlBlock, blockIdx),
                     static_cast<int>(fn) - static_cast<int>(VxFn::BlockIdxX));
    case VxFn::BlockDimX:
    case VxFn::BlockDimY:
    case VxFn::BlockDimZ:
      return dimension(offsetof(LaunchDescriptor, blockDim),
                       static_cast<int>(fn) - static_cast<int>(VxFn::BlockDimX));
    case VxFn::GridDimX:
    case VxFn::GridDimY:
    case VxFn::GridDimZ:
      return dimension(offsetof(LaunchDescriptor, gridDim),
                       static_cast<int>(fn) - static_cast<int>(VxFn::GridDimX));
    case VxFn::GridValid:
      return b.CreateAnd(
          loadField(b, descriptor(), offsetof(LaunchDescriptor, flags), b.getInt32Ty()),
          abi::kLaunchCooperative);
    case VxFn::LaneId:
      return b.CreateAnd(linear(), 31);
    case VxFn::WarpId:
      return b.CreateLShr(linear(), 5);
    case VxFn::FenceBlock:
    case VxFn::FenceDevice:
    case VxFn::FenceSystem:
      emitFence(b);
      return nullptr;
    case VxFn::Clock64:
    case VxFn::GlobalTimer:
      return emitCounterRead64(b, VX_CSR_MCYCLE);
    case VxFn::CoreId:
      return csrWord(VX_CSR_CORE_ID);
    case VxFn::CoreCount:
      return csrWord(VX_CSR_NUM_CORES);
    case VxFn::Trap:
    case VxFn::Breakpoint:
      emitAsmText("ebreak");
      return nullptr;
    case VxFn::Nanosleep:
      if (isForHost(*f.getParent()))
        emitAsmText("yield"); // vx-lower-host
      return nullptr;
    case VxFn::SharedBase:
      return b.CreateIntToPtr(
          b.CreateLoad(b.getInt64Ty(), tcbAddress(b, offsetof(ThreadControlBlock, sharedBase))),
          b.getPtrTy());
    case VxFn::Descriptor:
      return descriptor();
    default:
      handled = false;
      return nullptr;
    }
  }

  Value *descriptor() {
    if (f.hasFnAttribute(kEntryAttr))
      return f.getArg(0);
    return b.CreateIntToPtr(emitCsrRead(b, VX_CSR_MSCRATCH), b.getPtrTy());
  }

  Value *csrWord(unsigned csr) { return b.CreateZExtOrTrunc(emitCsrRead(b, csr), b.getInt32Ty()); }

  Value *dimension(uint64_t offset, unsigned axis) {
    return loadField(b, descriptor(), offset + 4 * axis, b.getInt32Ty());
  }

  Value *tcbWord(uint64_t offset, unsigned axis) {
    return b.CreateLoad(b.getInt32Ty(), tcbAddress(b, offset + 4 * axis));
  }

  Value *threadIdx(unsigned axis) { return tcbWord(offsetof(ThreadControlBlock, threadIdx), axis); }

  Value *linear() {
    uint64_t dim = offsetof(LaunchDescriptor, blockDim);
    Value *yz = b.CreateAdd(threadIdx(1), b.CreateMul(threadIdx(2), dimension(dim, 1)));
    return b.CreateAdd(threadIdx(0), b.CreateMul(yz, dimension(dim, 0)));
  }

  void emitAsmText(StringRef text) {
    auto *type = FunctionType::get(b.getVoidTy(), false);
    b.CreateCall(InlineAsm::get(type, text, "~{memory}", true))->addFnAttr(Attribute::NoUnwind);
  }

  Function &f;
  IRBuilder<> b;
  bool handled = false;
};

} // namespace

PreservedAnalyses LowerFunctionsPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !FunctionLowering(f).run())
    return PreservedAnalyses::all();
  PreservedAnalyses pa;
  pa.preserveSet<CFGAnalyses>();
  return pa;
}

} // namespace vx
