// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-opencl-lower-arguments: gives kernels the arguments of Convention.h, and the OpenCL library
// what it asks of the compiler:
//
//   kernel void @k(ptr addrspace(3) %l)      kernel void @k(i64 %l, i64 %x, i64 %y, i64 %z, i32 %n)
//     %l                                       getelementptr i8, @__vx_opencl_local, %l
//     @__vx_opencl_global_offset(0)            %x
//     @__vx_opencl_work_dim()                  %n
//     @__vx_opencl_sub_group_size()            what intel_reqd_sub_group_size says, or 32
//     @__vx_opencl_group_values()              local memory with 8 bytes for each work-item
//     __vx_opencl_image(i)                     i: the address of a VxImage (ImageFormat.h)
//     __vx_opencl_sampler(s)                   s, as an integer of VxSamplerBits
//     @__translate_sampler_initializer(16)     16, as a sampler
//
// Kernels that others call keep their arguments in a copy that is called. Functions that lead to
// one of these are inlined into their kernels; OpenCL C has no recursion and no pointers to
// functions. A required work-group size becomes a constant.

#include "frontend/opencl/KernelMetadata.h"
#include "frontend/opencl/Passes.h"
#include "intrinsics/opencl/Convention.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx::opencl {
namespace {

constexpr StringLiteral kGlobalOffset = "__vx_opencl_global_offset";
constexpr StringLiteral kWorkDim = "__vx_opencl_work_dim";
constexpr StringLiteral kSubGroupSizeOf = "__vx_opencl_sub_group_size";
constexpr StringLiteral kGroupValues = "__vx_opencl_group_values";
constexpr StringLiteral kLocalMemory = "__vx_opencl_local";

/// Clang's body of a kernel, which the kernel and kernels that call it share.
constexpr StringLiteral kBodyPrefix = "__clang_ocl_kern_imp_";

constexpr unsigned kLocalAS = 3;

StringRef calleeName(const Instruction &i) {
  const auto *call = dyn_cast<CallInst>(&i);
  const Function *f = call ? call->getCalledFunction() : nullptr;
  return f ? f->getName() : "";
}

bool needsKernel(const Instruction &i) {
  StringRef name = calleeName(i);
  return name == kGlobalOffset || name == kWorkDim || name == kSubGroupSizeOf || name == kMemoryOf;
}

bool isKernel(const Function &f) {
  return !f.isDeclaration() && f.getCallingConv() == CallingConv::PTX_Kernel;
}

void report(const Function &f, const Twine &message) {
  f.getContext().diagnose(
      DiagnosticInfoGenericWithLoc(message, f, DiagnosticLocation(f.getSubprogram())));
}

class KernelLowering {
public:
  explicit KernelLowering(Function &kernel) : kernel(kernel), module(*kernel.getParent()) {}

  void run() {
    std::optional<unsigned> subGroup = subGroupSize();
    if (!subGroup)
      return;
    Function &lowered = changeSignature();
    requireGroupSize(lowered);
    for (Instruction &i : make_early_inc_range(instructions(lowered)))
      if (Value *value = valueOf(i, lowered, *subGroup)) {
        i.replaceAllUsesWith(value);
        i.eraseFromParent();
      }
  }

private:
  std::optional<unsigned> subGroupSize() {
    SmallVector<uint64_t, 3> required = numbersOf(kernel, kRequiredSubGroupSize);
    if (required.empty())
      return kSubGroupSize;
    if (required[0] == 8 || required[0] == 16 || required[0] == 32)
      return required[0];
    report(kernel, "a sub-group has 8, 16 or 32 work-items, not " + Twine(required[0]));
    return std::nullopt;
  }

  /// Moves the body into a function with the arguments of Convention.h.
  Function &changeSignature() {
    LLVMContext &ctx = module.getContext();
    Type *i64 = Type::getInt64Ty(ctx), *i32 = Type::getInt32Ty(ctx);
    SmallVector<Type *, 8> types;
    for (const Argument &arg : kernel.args())
      types.push_back(isLocal(arg) ? i64 : arg.getType());
    types.append({i64, i64, i64, i32});
    auto *type = FunctionType::get(kernel.getReturnType(), types, /*isVarArg=*/false);
    Function *f =
        Function::Create(type, kernel.getLinkage(), kernel.getAddressSpace(), "", &module);
    f->takeName(&kernel);
    f->copyAttributesFrom(&kernel);
    f->copyMetadata(&kernel, 0);
    f->splice(f->begin(), &kernel);
    IRBuilder<> b(&*f->getEntryBlock().getFirstInsertionPt());
    for (auto [from, to] : zip(kernel.args(), f->args())) {
      to.takeName(&from);
      Value *value = &to;
      if (isLocal(from)) {
        f->setAttributes(f->getAttributes().removeParamAttributes(ctx, to.getArgNo()));
        value = b.CreateInBoundsGEP(b.getInt8Ty(), localMemory(), &to);
      }
      from.replaceAllUsesWith(value);
    }
    unsigned first = f->arg_size() - 4;
    static constexpr StringLiteral kNames[] = {"offset.x", "offset.y", "offset.z", "work.dim"};
    for (unsigned i = 0; i != 4; ++i)
      f->getArg(first + i)->setName(kNames[i]);
    return *f;
  }

  static bool isLocal(const Argument &arg) {
    return arg.getType()->isPointerTy() && arg.getType()->getPointerAddressSpace() == kLocalAS;
  }

  GlobalVariable *localMemory() {
    if (GlobalVariable *g = module.getNamedGlobal(kLocalMemory))
      return g;
    auto *g = new GlobalVariable(module, ArrayType::get(Type::getInt8Ty(module.getContext()), 0),
                                 /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                                 kLocalMemory, nullptr, GlobalValue::NotThreadLocal, kLocalAS);
    g->setAlignment(Align(16));
    return g;
  }

  void requireGroupSize(Function &f) {
    groupSize = numbersOf(f, kRequiredGroupSize);
    if (groupSize.size() != 3) {
      groupSize.clear();
      return;
    }
    f.addFnAttr("nvvm.reqntid",
                utostr(groupSize[0]) + "," + utostr(groupSize[1]) + "," + utostr(groupSize[2]));
  }

  /// Returns the value that replaces instruction I of kernel F, null if it stays.
  Value *valueOf(Instruction &i, Function &f, unsigned subGroup) {
    unsigned first = f.arg_size() - 4;
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&i)) {
      if (groupSize.empty())
        return nullptr;
      switch (intrinsic->getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
        return ConstantInt::get(i.getType(), groupSize[0]);
      case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
        return ConstantInt::get(i.getType(), groupSize[1]);
      case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
        return ConstantInt::get(i.getType(), groupSize[2]);
      default:
        return nullptr;
      }
    }
    StringRef name = calleeName(i);
    if (name == kSubGroupSizeOf)
      return ConstantInt::get(i.getType(), subGroup);
    if (name == kWorkDim)
      return f.getArg(first + 3);
    if (name != kGlobalOffset)
      return nullptr;
    Value *dim = cast<CallInst>(i).getArgOperand(0);
    IRBuilder<> b(&i);
    Value *offset = b.getInt64(0);
    for (unsigned d = 0; d != 3; ++d)
      offset = b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(d)), f.getArg(first + d), offset);
    return offset;
  }

  Function &kernel;
  Module &module;
  SmallVector<uint64_t, 3> groupSize;
};

} // namespace

/// Lowers the library's casts between opaque types and what they are. They are overloaded, so part
/// of a name identifies them.
static void lowerCast(CallInst &call) {
  const Function *f = call.getCalledFunction();
  StringRef name = f ? f->getName() : "";
  IRBuilder<> b(&call);
  Value *result = nullptr;
  if (name.starts_with("_Z17__vx_opencl_image"))
    result = call.getArgOperand(0);
  else if (name.starts_with("_Z19__vx_opencl_sampler"))
    result = b.CreateTrunc(b.CreatePtrToInt(call.getArgOperand(0), b.getInt64Ty()), call.getType());
  else if (name == "__translate_sampler_initializer")
    result = b.CreateIntToPtr(b.CreateZExt(call.getArgOperand(0), b.getInt64Ty()), call.getType());
  else
    return;
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// The most work-items of a work-group.
static constexpr unsigned kMaxGroupSize = 1024;

/// Gives kGroupValues its memory; one piece serves all functions, which end with a barrier.
static void placeGroupValues(Module &m) {
  Function *f = m.getFunction(kGroupValues);
  if (!f)
    return;
  Type *type = ArrayType::get(Type::getInt64Ty(m.getContext()), kMaxGroupSize);
  auto *values = new GlobalVariable(m, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                    PoisonValue::get(type), "group.values", nullptr,
                                    GlobalValue::NotThreadLocal, kLocalAS);
  values->setAlignment(Align(8));
  for (User *user : make_early_inc_range(f->users())) {
    auto *call = cast<CallInst>(user);
    call->replaceAllUsesWith(values);
    call->eraseFromParent();
  }
}

/// Gives calls of kernels a copy to call, which takes what the calls pass and nothing else.
static void separateCalledKernels(Module &m) {
  for (Function &kernel : make_early_inc_range(m)) {
    if (!isKernel(kernel) || kernel.isDeclaration() || kernel.use_empty())
      continue;
    SmallVector<CallBase *, 4> calls;
    for (User *user : kernel.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &kernel)
        calls.push_back(call);
    if (calls.empty())
      continue;
    ValueToValueMapTy values;
    Function *body = CloneFunction(&kernel, values);
    body->setName(kernel.getName() + ".called");
    body->setLinkage(GlobalValue::InternalLinkage);
    body->setCallingConv(CallingConv::C);
    for (CallBase *call : calls) {
      call->setCalledFunction(body);
      call->setCallingConv(CallingConv::C);
    }
  }
}

PreservedAnalyses LowerArgumentsPass::run(Module &m, ModuleAnalysisManager &) {
  separateCalledKernels(m);
  for (Function &f : m) {
    if (f.getName().starts_with(kBodyPrefix)) {
      f.removeFnAttr(Attribute::NoInline);
      f.removeFnAttr(Attribute::OptimizeNone);
      f.addFnAttr(Attribute::AlwaysInline);
      f.setLinkage(GlobalValue::InternalLinkage);
    }
    if (isKernel(f)) {
      f.removeFnAttr(Attribute::NoInline);
      f.removeFnAttr(Attribute::OptimizeNone);
    }
  }
  placeGroupValues(m);
  for (Function &f : m)
    for (Instruction &i : make_early_inc_range(instructions(f)))
      if (auto *call = dyn_cast<CallInst>(&i))
        lowerCast(*call);
  TransitiveCallers callers(m, needsKernel);
  SmallVector<Function *, 8> kernels;
  for (Function &f : m)
    if (isKernel(f))
      kernels.push_back(&f);
  for (Function *kernel : kernels) {
    if (const CallBase *call = callers.findRecursion(*kernel).call) {
      m.getContext().diagnose(DiagnosticInfoGenericWithLoc(
          "recursion, which OpenCL C does not have", *call->getFunction(),
          DiagnosticLocation(call->getDebugLoc())));
      continue;
    }
    callers.inlineInto(*kernel);
    KernelLowering(*kernel).run();
  }
  // What has moved its body leaves a declaration without a name.
  for (Function *kernel : kernels)
    if (kernel->isDeclaration())
      kernel->eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace vx::opencl
