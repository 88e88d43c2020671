// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-functions: what is left of the __vx_* contract after the kernels are mapped becomes
// loads from the launch descriptor and the lane's control block, CSR reads and machine
// instructions. Functions that the device library defines (printf, malloc, …) stay calls; so do, in
// code of the host CPU, those that would be an instruction of the device (vx-lower-host).

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace vx {
namespace {

using abi::LaunchDescriptor;
using abi::ThreadControlBlock;

class FunctionLowering {
public:
  explicit FunctionLowering(Function &f)
      : f(f), b(f.getContext()), forHost(isForHost(*f.getParent())) {}

  bool run() {
    bool changed = loadBlockSizes();
    SmallVector<std::pair<CallInst *, VxFn>, 16> work;
    for (Instruction &i : instructions(f))
      if (auto fn = getVxFn(&i); fn && cast<CallBase>(i).getCalledFunction()->isDeclaration())
        work.push_back({cast<CallInst>(&i), *fn});
    for (auto [call, fn] : work) {
      b.SetInsertPoint(call);
      Value *v = lower(*call, fn);
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
  /// The product of the three dimensions of a block, as groups compute their size, is in the launch
  /// descriptor.
  bool loadBlockSizes() {
    SmallVector<Instruction *, 4> sizes;
    for (Instruction &i : instructions(f))
      if (isBlockSize(i))
        sizes.push_back(&i);
    for (Instruction *size : sizes) {
      b.SetInsertPoint(size);
      size->replaceAllUsesWith(
          loadField(b, descriptor(), offsetof(LaunchDescriptor, blockThreads), b.getInt32Ty()));
      RecursivelyDeleteTriviallyDeadInstructions(size);
    }
    return !sizes.empty();
  }

  static bool isBlockSize(const Instruction &i) {
    Value *left, *right, *first, *second;
    if (!match(&i, m_Mul(m_Value(left), m_Value(right))))
      return false;
    if (!match(left, m_Mul(m_Value(first), m_Value(second)))) {
      std::swap(left, right);
      if (!match(left, m_Mul(m_Value(first), m_Value(second))))
        return false;
    }
    auto isOneOf = [&](VxFn fn) {
      return getVxFn(first) == fn || getVxFn(second) == fn || getVxFn(right) == fn;
    };
    return isOneOf(VxFn::BlockDimX) && isOneOf(VxFn::BlockDimY) && isOneOf(VxFn::BlockDimZ);
  }

  /// Returns the value that replaces CALL of FN; null with `handled` for one without a result, null
  /// without it for one that stays.
  Value *lower(CallInst &call, VxFn fn) {
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
      return b.CreateAnd(linear(), abi::kWarpSize - 1);
    case VxFn::WarpId:
      return b.CreateLShr(linear(), abi::kWarpShift);
    case VxFn::SharedBase:
      return b.CreateIntToPtr(
          b.CreateLoad(b.getInt64Ty(), tcbAddress(b, offsetof(ThreadControlBlock, sharedBase))),
          b.getPtrTy());
    case VxFn::MbarrierTest:
      return testMbarrier(call.getArgOperand(0), call.getArgOperand(1));
    case VxFn::Descriptor:
      handled = !forHost || isEntry();
      return handled ? descriptor() : nullptr;
    default:
      handled = !forHost;
      return forHost ? nullptr : lowerToInstruction(call, fn);
    }
  }

  /// Lowers a call of what is an instruction, or a CSR, of the device.
  Value *lowerToInstruction(CallInst &call, VxFn fn) {
    if (auto rounded = getRounded(fn))
      return emitRounded(b, *rounded, SmallVector<Value *, 3>(call.args()));
    switch (fn) {
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
      emitBreak(b);
      return nullptr;
    case VxFn::Stop:
      emitStop(b, call.getArgOperand(0));
      return nullptr;
    case VxFn::Nanosleep:
      return nullptr;
    default:
      handled = false;
      return nullptr;
    }
  }

  /// The phase of a barrier is the top bit of its state (runtime/device/Mbarrier.cpp).
  Value *testMbarrier(Value *barrier, Value *parity) {
    LoadInst *state = b.CreateAlignedLoad(b.getInt64Ty(), barrier, Align(8), "mbarrier");
    state->setAtomic(AtomicOrdering::Acquire);
    Value *current = b.CreateTrunc(b.CreateLShr(state, 63), b.getInt32Ty());
    return b.CreateZExt(b.CreateICmpNE(current, parity), b.getInt32Ty());
  }

  bool isEntry() const { return f.hasFnAttribute(kEntryAttr); }

  Value *descriptor() {
    if (isEntry())
      return f.getArg(0);
    if (forHost)
      return emitCall(b, VxFn::Descriptor);
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

  Function &f;
  IRBuilder<> b;
  const bool forHost;
  bool handled = false;
};

} // namespace

PreservedAnalyses LowerFunctionsPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !FunctionLowering(f).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
