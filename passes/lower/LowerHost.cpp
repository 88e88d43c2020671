// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-host: kernels as code of the host CPU. What common IR says in assembly of the device
// becomes accesses of the worker's block (intrinsics/abi/HostWorker.h):
//
//   csrr mscratch, thread_pointer     the descriptor; the worker's block, found from the stack
//   pointer csrr mcycle                       a call of HostWorker::clock ebreak, ecall a call of
//   HostWorker::stop nanosleep                         a call of HostWorker::yield fence a fence
//   fadd.s …, rtz and its kin         the host's instruction in another rounding mode
//
// A division gets the result that the device's instruction has where the host's would trap.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/HostWorker.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "passes/Passes.h"
#include "llvm/ADT/StringSwitch.h"
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
  explicit HostLowering(Function &f) : f(f), b(f.getContext()) {}

  void run() {
    for (Instruction &i : make_early_inc_range(instructions(f))) {
      b.SetInsertPoint(&i);
      if (i.isIntDivRem()) {
        divide(cast<BinaryOperator>(i));
      } else if (auto *call = dyn_cast<CallInst>(&i)) {
        if (call->isInlineAsm())
          assembly(*call, *cast<InlineAsm>(call->getCalledOperand()));
        else if (call->getIntrinsicID() == Intrinsic::thread_pointer)
          replace(*call, worker());
      }
    }
  }

private:
  void replace(Instruction &i, Value *v) {
    if (v)
      i.replaceAllUsesWith(v);
    i.eraseFromParent();
  }

  // --- the worker ---

  Value *worker() {
    std::string text = "movq %rsp, $0\n\tandq $$-" + std::to_string(abi::kHostWorkerBytes) + ", $0";
    auto *type = FunctionType::get(b.getPtrTy(), false);
    CallInst *call = b.CreateCall(InlineAsm::get(type, text, "=r,~{flags}", false));
    call->setMemoryEffects(MemoryEffects::none());
    call->addFnAttr(Attribute::NoUnwind);
    call->addFnAttr(Attribute::WillReturn);
    return call;
  }
  Value *field(uint64_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), worker(), offset);
  }
  CallInst *callWorker(uint64_t offset, Type *result, ArrayRef<Value *> args) {
    SmallVector<Type *, 1> types;
    for (Value *a : args)
      types.push_back(a->getType());
    Value *target = b.CreateLoad(b.getPtrTy(), field(offset));
    CallInst *call = b.CreateCall(FunctionType::get(result, types, false), target, args);
    call->addFnAttr(Attribute::NoUnwind);
    return call;
  }

  // --- assembly ---

  void assembly(CallInst &call, const InlineAsm &code) {
    StringRef text = code.getAsmString();
    if (text.empty()) // hides a value from the optimizer
      return;
    if (auto csr = getReadCsr(code))
      return replace(call, readCsr(*csr, call.getType()));
    if (text.starts_with("slti x0, "))
      return hint(call, text);
    if (text == "fence rw, rw") {
      b.CreateFence(AtomicOrdering::SequentiallyConsistent);
      return replace(call, nullptr);
    }
    if (text == "ebreak" || text == "ecall") {
      Value *reason = text == "ecall" ? b.CreateZExt(call.getArgOperand(0), b.getInt64Ty())
                                      : b.getInt64(abi::kHostStopTrap);
      callWorker(offsetof(HostWorker, stop), b.getVoidTy(), {reason});
      return replace(call, nullptr);
    }
    if (text == "yield") {
      callWorker(offsetof(HostWorker, yield), b.getVoidTy(), {});
      return replace(call, nullptr);
    }
    if (Value *v = rounded(call, text))
      return replace(call, v);
    f.getContext().diagnose(DiagnosticInfoUnsupported(f, "'" + text + "' has no form for the host",
                                                      call.getDebugLoc()));
  }

  Value *readCsr(unsigned csr, Type *type) {
    if (csr == VX_CSR_MSCRATCH)
      return b.CreateLoad(type, field(offsetof(abi::ThreadControlBlock, descriptor)));
    if (isCounterCsr(csr))
      return b.CreateZExtOrTrunc(callWorker(offsetof(HostWorker, clock), b.getInt64Ty(), {}), type);
    // One core with one warp of one lane.
    bool count = csr == VX_CSR_NUM_THREADS || csr == VX_CSR_NUM_WARPS || csr == VX_CSR_NUM_CORES ||
                 csr == VX_CSR_ACTIVE_THREADS || csr == VX_CSR_ACTIVE_WARPS;
    return ConstantInt::get(type, count);
  }

  /// The runtime knows which block a worker runs. A note of the thread would be a store in each
  /// iteration of the loops over threads.
  void hint(CallInst &call, StringRef) { call.eraseFromParent(); }

  /// "fadd.s $0, $1, $2, rtz": arithmetic in another mode than to-nearest.
  Value *rounded(CallInst &call, StringRef text) {
    auto [name, operands] = text.split(' ');
    auto [operation, width] = name.split('.');
    StringRef mode = operands.rsplit(", ").second;
    unsigned control = StringSwitch<unsigned>(mode)
                           .Case("rdn", 0x3f80)
                           .Case("rup", 0x5f80)
                           .Case("rtz", 0x7f80)
                           .Default(0);
    StringRef form = StringSwitch<StringRef>(operation)
                         .Cases({"fadd", "fsub", "fmul", "fdiv"}, "$2, $1, $0")
                         .Case("fsqrt", "$1, $1, $0")
                         .Case("fmadd", "$3, $2, $0")
                         .Default("");
    if (!control || form.empty())
      return nullptr;
    bool fused = operation == "fmadd";
    std::string insn = "v" + (fused ? "fmadd213" : operation.drop_front().str()) + "s" +
                       width.str() + " " + form.str();
    SmallVector<Value *, 5> args(call.args());
    unsigned first = args.size() + 1;
    std::string constraints = fused ? "=x,0,x,x" : operation == "fsqrt" ? "=x,x" : "=x,x,x";
    for (unsigned word : {control, 0x1f80u})
      args.push_back(controlWord(word));
    std::string all = "ldmxcsr ($" + std::to_string(first) + ")\n\t" + insn + "\n\tldmxcsr ($" +
                      std::to_string(first + 1) + ")";
    SmallVector<Type *, 5> types;
    for (Value *a : args)
      types.push_back(a->getType());
    auto *type = FunctionType::get(call.getType(), types, false);
    constraints += ",r,r,~{dirflag},~{fpsr},~{flags}";
    return b.CreateCall(InlineAsm::get(type, all, constraints, true), args);
  }

  Constant *controlWord(unsigned word) {
    Module &m = *f.getParent();
    std::string name = "__vx_mxcsr." + std::to_string(word);
    if (GlobalVariable *g = m.getNamedGlobal(name))
      return g;
    return new GlobalVariable(m, b.getInt32Ty(), true, GlobalValue::InternalLinkage,
                              b.getInt32(word), name);
  }

  // --- division ---

  /// As RISC-V: a quotient of zero is all ones, a remainder the dividend; nothing overflows.
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
  IRBuilder<> b;
};

} // namespace

PreservedAnalyses LowerHostPass::run(Module &m, ModuleAnalysisManager &) {
  for (Function &f : m) {
    f.removeFnAttr("no-jump-tables");
    f.removeFnAttr("target-features");
    f.removeFnAttr("target-cpu");
    if (!f.isIntrinsic())
      f.setDSOLocal(true);
    if (!f.isDeclaration())
      HostLowering(f).run();
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
