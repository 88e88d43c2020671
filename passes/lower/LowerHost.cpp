// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-host: kernels as code of the host CPU. The contract functions that would be instructions
// of the device (vx-lower-functions leaves them) use the worker's block, which is found from the
// stack pointer (intrinsics/abi/HostWorker.h):
//
//   thread_pointer               the block: it starts with the control block
//   __vx_descriptor              a load from it
//   __vx_clock64, globaltimer    a call of HostWorker::clock
//   __vx_trap, breakpoint, stop  a call of HostWorker::stop
//   __vx_nanosleep               a call of HostWorker::yield
//   __vx_fence_*                 a fence
//   __vx_core_id, core_count     0 and 1
//   __vx_fadd_f32_rz, …          the host's instruction in that rounding mode
//
// A division gets the result that the device's instruction has where the host's would trap, and a
// conversion to an integer that of the device's instruction where the number is too large. -0 is
// less than +0, as for the device's instruction.
//
// Atomic operations on shared memory get the scope of a single thread (vx-lower-own-atomics),
// unless blocks of a cluster share it.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/HostWorker.h"
#include "lib/VortexIR/IRNames.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/lower/HostWorkerAccess.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

using abi::HostWorker;

class HostLowering {
public:
  /// OWNSSHARED: the threads of other blocks have no access to a block's shared memory.
  HostLowering(Function &f, bool ownsShared) : f(f), ownsShared(ownsShared), b(f.getContext()) {}

  void run() {
    for (Instruction &i : make_early_inc_range(instructions(f))) {
      b.SetInsertPoint(&i);
      if (i.isIntDivRem())
        divide(cast<BinaryOperator>(i));
      else if (isa<FPToSIInst, FPToUIInst>(i))
        convert(cast<CastInst>(i));
      else if (auto *call = dyn_cast<CallInst>(&i))
        lower(*call);
      else if (auto *rmw = dyn_cast<AtomicRMWInst>(&i); rmw && isOwn(rmw->getPointerOperand()))
        rmw->setSyncScopeID(SyncScope::SingleThread);
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&i);
               exchange && isOwn(exchange->getPointerOperand()))
        exchange->setSyncScopeID(SyncScope::SingleThread);
    }
  }

private:
  void replace(Instruction &i, Value *v) {
    if (v)
      i.replaceAllUsesWith(v);
    i.eraseFromParent();
  }

  /// Returns true if ADDRESS is in the block's shared memory, which one thread of the host uses.
  bool isOwn(const Value *address) const {
    const auto *base = dyn_cast<Instruction>(getUnderlyingObject(address, /*MaxLookup=*/0));
    return ownsShared && base && base->hasMetadata(kSharedBaseMetadata);
  }

  // --- the worker ---

  Value *worker() { return hostWorker(b); }
  Value *field(uint64_t offset) { return hostWorkerField(b, offset); }
  CallInst *callWorker(uint64_t offset, Type *result, ArrayRef<Value *> args) {
    SmallVector<Type *, 1> types;
    for (Value *a : args)
      types.push_back(a->getType());
    Value *target = b.CreateLoad(b.getPtrTy(), field(offset));
    CallInst *call = b.CreateCall(FunctionType::get(result, types, false), target, args);
    call->addFnAttr(Attribute::NoUnwind);
    return call;
  }

  // --- contract functions ---

  void lower(CallInst &call) {
    if (call.getIntrinsicID() == Intrinsic::thread_pointer)
      return replace(call, worker());
    if (auto id = call.getIntrinsicID(); id == Intrinsic::minnum || id == Intrinsic::maxnum)
      return replace(call, b.CreateBinaryIntrinsic(id == Intrinsic::minnum ? Intrinsic::minimumnum
                                                                           : Intrinsic::maximumnum,
                                                   call.getArgOperand(0), call.getArgOperand(1)));
    auto fn = getVxFn(&call);
    if (fn && call.getCalledFunction()->isDeclaration())
      lower(call, *fn);
    else if (call.isInlineAsm())
      lower(call, *cast<InlineAsm>(call.getCalledOperand()));
  }

  void lower(CallInst &call, const InlineAsm &code) {
    StringRef text = code.getAsmString();
    if (text.starts_with("slti x0, ")) // a hint of the device library leaves its value as it is
      replace(call, call.getType()->isVoidTy() ? nullptr : call.getArgOperand(call.arg_size() - 1));
    else if (!text.empty())
      f.getContext().diagnose(DiagnosticInfoUnsupported(
          f, "assembly of the device has no form for the host", call.getDebugLoc()));
  }

  void lower(CallInst &call, VxFn fn) {
    if (auto what = getRounded(fn))
      return replace(call, round(call, *what));
    switch (fn) {
    case VxFn::Descriptor:
      return replace(
          call, b.CreateIntToPtr(b.CreateLoad(b.getInt64Ty(),
                                              field(offsetof(abi::ThreadControlBlock, descriptor))),
                                 b.getPtrTy()));
    case VxFn::Clock64:
    case VxFn::GlobalTimer:
      return replace(call, callWorker(offsetof(HostWorker, clock), b.getInt64Ty(), {}));
    case VxFn::CoreId: // one core
    case VxFn::CoreCount:
      return replace(call, b.getInt32(fn == VxFn::CoreCount));
    case VxFn::Trap:
    case VxFn::Breakpoint:
      callWorker(offsetof(HostWorker, stop), b.getVoidTy(), {b.getInt64(abi::kHostStopTrap)});
      return replace(call, nullptr);
    case VxFn::Stop:
      callWorker(offsetof(HostWorker, stop), b.getVoidTy(), {call.getArgOperand(0)});
      return replace(call, nullptr);
    case VxFn::Nanosleep:
      callWorker(offsetof(HostWorker, yield), b.getVoidTy(), {});
      return replace(call, nullptr);
    case VxFn::FenceBlock:
    case VxFn::FenceDevice:
    case VxFn::FenceSystem:
      b.CreateFence(AtomicOrdering::SequentiallyConsistent);
      return replace(call, nullptr);
    default:
      return; // of the device library
    }
  }

  /// Emits the instruction between two that change the rounding mode.
  Value *round(CallInst &call, Rounded what) {
    static constexpr struct {
      StringLiteral name, operands, constraints;
    } forms[] = {{"vadds", "$2, $1, $0", "=x,x,x"}, {"vsubs", "$2, $1, $0", "=x,x,x"},
                 {"vmuls", "$2, $1, $0", "=x,x,x"}, {"vdivs", "$2, $1, $0", "=x,x,x"},
                 {"vsqrts", "$1, $1, $0", "=x,x"},  {"vfmadd213s", "$3, $2, $0", "=x,0,x,x"}};
    static constexpr unsigned controls[] = {0x7f80, 0x3f80, 0x5f80}; // of Rounding
    constexpr unsigned toNearest = 0x1f80;
    const auto &form = forms[static_cast<int>(what.op)];
    SmallVector<Value *, 5> args(call.args());
    std::string setMode = "ldmxcsr ($" + std::to_string(args.size() + 1) + ")",
                restore = "ldmxcsr ($" + std::to_string(args.size() + 2) + ")";
    std::string text = setMode + "\n\t" + form.name.str() +
                       (call.getType()->isFloatTy() ? "s " : "d ") + form.operands.str() + "\n\t" +
                       restore;
    for (unsigned word : {controls[static_cast<int>(what.mode)], toNearest})
      args.push_back(controlWord(word));
    SmallVector<Type *, 5> types;
    for (Value *a : args)
      types.push_back(a->getType());
    auto *type = FunctionType::get(call.getType(), types, false);
    std::string constraints = form.constraints.str() + ",r,r,~{dirflag},~{fpsr},~{flags}";
    return b.CreateCall(InlineAsm::get(type, text, constraints, true), args);
  }

  Constant *controlWord(unsigned word) {
    Module &m = *f.getParent();
    std::string name = "__vx_mxcsr." + std::to_string(word);
    if (GlobalVariable *g = m.getNamedGlobal(name))
      return g;
    return new GlobalVariable(m, b.getInt32Ty(), true, GlobalValue::InternalLinkage,
                              b.getInt32(word), name);
  }

  // --- conversion ---

  /// Converts as RISC-V does, to at least 32 bits: a number that is too large becomes the nearest
  /// integer.
  void convert(CastInst &i) {
    Type *type = i.getType(), *from = i.getOperand(0)->getType();
    unsigned width = std::max(type->getScalarSizeInBits(), 32u);
    if (type->isVectorTy() || width > 64)
      return;
    Intrinsic::ID id = isa<FPToSIInst>(i) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
    Value *integer = b.CreateIntrinsic(id, {b.getIntNTy(width), from}, i.getOperand(0));
    replace(i, b.CreateTrunc(integer, type));
  }

  // --- division ---

  /// Divides as RISC-V does: a quotient of zero is all ones, a remainder the dividend; nothing
  /// overflows.
  void divide(BinaryOperator &i) {
    Value *x = i.getOperand(0), *y = i.getOperand(1);
    if (isa<ConstantInt>(y))
      return;
    Type *type = i.getType();
    Constant *zero = Constant::getNullValue(type), *one = ConstantInt::get(type, 1),
             *ones = Constant::getAllOnesValue(type);
    bool isSigned = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
    bool quotient = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::UDiv;
    x = b.CreateFreeze(x);
    y = b.CreateFreeze(y);
    Value *isZero = b.CreateICmpEQ(y, zero);
    Value *safe = b.CreateSelect(isZero, one, y);
    Value *isMinus = nullptr;
    if (isSigned) {
      isMinus = b.CreateICmpEQ(y, ones);
      safe = b.CreateSelect(isMinus, one, safe);
    }
    Value *result = b.CreateBinOp(i.getOpcode(), x, safe);
    if (isMinus)
      result = b.CreateSelect(isMinus, quotient ? b.CreateNeg(x) : zero, result);
    replace(i, b.CreateSelect(isZero, quotient ? ones : x, result));
  }

  Function &f;
  const bool ownsShared;
  IRBuilder<> b;
};

} // namespace

PreservedAnalyses LowerHostPass::run(Module &m, ModuleAnalysisManager &) {
  bool ownsShared = none_of(readKernelInfos(m), [](const KernelInfo &kernel) {
    return kernel.has(abi::kKernelClusters);
  });
  for (Function &f : m) {
    f.removeFnAttr("no-jump-tables");
    f.removeFnAttr("target-features");
    f.removeFnAttr("target-cpu");
    if (!f.isIntrinsic())
      f.setDSOLocal(true);
    if (!f.isDeclaration())
      HostLowering(f, ownsShared).run();
  }
  // An image is linked with nothing else: a weak variable without a definition (CUDA's built-in
  // ones, whose functions need no object) has no address, and no distance from the code either.
  for (GlobalVariable &g : make_early_inc_range(m.globals())) {
    g.setDSOLocal(true);
    if (!g.hasExternalWeakLinkage())
      continue;
    g.replaceAllUsesWith(Constant::getNullValue(g.getType()));
    g.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace vx
