// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-spirv-export-functions: calls of common IR's functions become calls of OpenCL C's, which
// LLVM's SPIR-V back end knows by their mangled names:
//
//   __vx_thread_idx_x()                 (i32) get_local_id(0)
//   __vx_barrier()                      work_group_barrier(CLK_LOCAL_MEM_FENCE |
//   CLK_GLOBAL_MEM_FENCE)
//   __vx_vote_ballot(-1, p)             sub_group_ballot(p).x
//   __vx_shfl_bfly_32(m, v, 1, 0x1f)    sub_group_shuffle_xor(v, 1)
//   __vx_printf(f, packed, n)           printf(f, its members)
//
// A CUDA warp is a sub-group of 32. Votes of some lanes are ballots and bit arithmetic, as lanes of
// several masks may execute them together. What OpenCL does not have is an error.

#include "frontend/spirv/Passes.h"
#include "lib/VortexIR/ReportUnsupported.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::spirv {
namespace {

constexpr unsigned kBothFences = 3; // CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
constexpr unsigned kAcquireRelease = 4;
enum Scope : unsigned { WorkGroup = 1, Device = 2, AllDevices = 3, SubGroup = 4 };
constexpr unsigned kConstantSpace = 2;

class CallExport {
public:
  CallExport(CallInst &call, VxFn fn) : call(call), fn(fn), b(&call) {}

  void run() {
    Value *result = replace();
    if (!failed.empty()) {
      reportUnsupported(call, failed);
      result = call.getType()->isVoidTy() ? nullptr : PoisonValue::get(call.getType());
    }
    if (result)
      call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

private:
  Value *arg(unsigned i) { return call.getArgOperand(i); }

  /// Calls OpenCL's NAME whose parameters are mangled as PARAMETERS.
  CallInst *emit(StringRef name, StringRef parameters, Type *type, ArrayRef<Value *> args) {
    std::string mangled = ("_Z" + Twine(name.size()) + name + parameters).str();
    SmallVector<Type *, 4> types;
    for (Value *a : args)
      types.push_back(a->getType());
    FunctionCallee callee = call.getModule()->getOrInsertFunction(
        mangled, FunctionType::get(type, types, /*isVarArg=*/false));
    auto *f = cast<Function>(callee.getCallee());
    f->setCallingConv(CallingConv::SPIR_FUNC);
    f->setConvergent();
    f->setDoesNotThrow();
    CallInst *made = b.CreateCall(callee, args);
    made->setCallingConv(CallingConv::SPIR_FUNC);
    return made;
  }

  Value *coordinate(StringRef name, unsigned axis) {
    CallInst *id = emit(name, "j", b.getInt64Ty(), {b.getInt32(axis)});
    id->setMemoryEffects(MemoryEffects::none());
    return b.CreateTrunc(id, b.getInt32Ty());
  }

  Value *lane() { return emit("get_sub_group_local_id", "v", b.getInt32Ty(), {}); }

  void barrier() { emit("work_group_barrier", "j", b.getVoidTy(), {b.getInt32(kBothFences)}); }

  void fence(Scope scope) {
    emit("atomic_work_item_fence", "j12memory_order12memory_scope", b.getVoidTy(),
         {b.getInt32(kBothFences), b.getInt32(kAcquireRelease), b.getInt32(scope)});
  }

  Value *ballot(Value *predicate) {
    Value *bits = emit("sub_group_ballot", "i", FixedVectorType::get(b.getInt32Ty(), 4),
                       {b.CreateZExt(b.CreateIsNotNull(predicate), b.getInt32Ty())});
    return b.CreateExtractElement(bits, uint64_t(0));
  }

  /// Returns true if the member mask is a constant that names the whole warp.
  bool isWhole() {
    auto *mask = dyn_cast<ConstantInt>(arg(0));
    return mask && mask->isMinusOne();
  }

  Value *vote() {
    Type *i32 = b.getInt32Ty();
    if (fn == VxFn::VoteBallot)
      return b.CreateAnd(ballot(arg(1)), arg(0));
    if (isWhole() && fn != VxFn::VoteUni) {
      Value *truth = b.CreateZExt(b.CreateIsNotNull(arg(1)), i32);
      Value *all =
          emit(fn == VxFn::VoteAll ? "sub_group_non_uniform_all" : "sub_group_non_uniform_any", "i",
               i32, {truth});
      return b.CreateZExt(b.CreateIsNotNull(all), i32);
    }
    Value *yes = b.CreateAnd(ballot(arg(1)), arg(0));
    Value *any = b.CreateIsNotNull(yes);
    if (fn == VxFn::VoteAny)
      return b.CreateZExt(any, i32);
    Value *all = b.CreateICmpEQ(yes, b.CreateAnd(ballot(b.getInt32(1)), arg(0)));
    return b.CreateZExt(fn == VxFn::VoteAll ? all : b.CreateOr(all, b.CreateNot(any)), i32);
  }

  /// Makes PTX's shfl (PTX ISA, 9.7.9.6): where the source is outside the segment, a lane gets its
  /// own value.
  Value *shuffle() {
    Value *value = arg(1), *operand = arg(2), *segment = arg(3);
    std::string types = call.getType()->isIntegerTy(64) ? "lj" : "ij";
    bool isXor = fn == VxFn::ShflBfly32 || fn == VxFn::ShflBfly64;
    auto *constant = dyn_cast<ConstantInt>(segment);
    if (isXor && constant && constant->getZExtValue() == 31)
      return emit("sub_group_shuffle_xor", types, call.getType(),
                  {value, b.CreateAnd(operand, b.getInt32(31))});
    Value *self = lane();
    Value *fixed = b.CreateAnd(b.CreateLShr(segment, b.getInt32(8)), b.getInt32(31));
    Value *first = b.CreateAnd(self, fixed);
    Value *limit =
        b.CreateOr(first, b.CreateAnd(b.CreateAnd(segment, b.getInt32(31)), b.CreateNot(fixed)));
    Value *offset = b.CreateAnd(operand, b.getInt32(31));
    Value *source = nullptr, *inside = nullptr;
    switch (fn) {
    case VxFn::ShflUp32:
    case VxFn::ShflUp64:
      source = b.CreateSub(self, offset);
      inside = b.CreateICmpSGE(source, limit);
      break;
    case VxFn::ShflDown32:
    case VxFn::ShflDown64:
      source = b.CreateAdd(self, offset);
      inside = b.CreateICmpSLE(source, limit);
      break;
    case VxFn::ShflBfly32:
    case VxFn::ShflBfly64:
      source = b.CreateXor(self, offset);
      inside = b.CreateICmpSLE(source, limit);
      break;
    default:
      source = b.CreateOr(first, b.CreateAnd(offset, b.CreateNot(fixed)));
      inside = b.CreateICmpSLE(source, limit);
    }
    return emit("sub_group_shuffle", types, call.getType(),
                {value, b.CreateSelect(inside, source, self)});
  }

  /// Makes a call of OpenCL's variadic printf with what the packed arguments are.
  Value *printf() {
    StringRef format;
    auto *packed = dyn_cast<AllocaInst>(arg(1)->stripPointerCasts());
    auto *members = packed ? dyn_cast<StructType>(packed->getAllocatedType()) : nullptr;
    if (!getConstantStringInfo(arg(0), format) ||
        (!members && !isa<ConstantPointerNull>(arg(1)->stripPointerCasts()))) {
      failed = "printf in SPIR-V needs a format that is a constant";
      return nullptr;
    }
    Module &m = *call.getModule();
    GlobalVariable *text = b.CreateGlobalString(format, "format", kConstantSpace, &m);
    SmallVector<Value *, 8> args = {text};
    for (unsigned i = 0; members && i != members->getNumElements(); ++i)
      args.push_back(
          b.CreateLoad(members->getElementType(i), b.CreateStructGEP(members, packed, i)));
    FunctionCallee callee = m.getOrInsertFunction(
        "printf", FunctionType::get(b.getInt32Ty(), {text->getType()}, /*isVarArg=*/true));
    cast<Function>(callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
    CallInst *made = b.CreateCall(callee, args);
    made->setCallingConv(CallingConv::SPIR_FUNC);
    return made;
  }

  Value *replace() {
    switch (fn) {
    case VxFn::ThreadIdxX:
    case VxFn::ThreadIdxY:
    case VxFn::ThreadIdxZ:
      return coordinate("get_local_id", unsigned(fn) - unsigned(VxFn::ThreadIdxX));
    case VxFn::BlockIdxX:
    case VxFn::BlockIdxY:
    case VxFn::BlockIdxZ:
      return coordinate("get_group_id", unsigned(fn) - unsigned(VxFn::BlockIdxX));
    case VxFn::BlockDimX:
    case VxFn::BlockDimY:
    case VxFn::BlockDimZ:
      return coordinate("get_local_size", unsigned(fn) - unsigned(VxFn::BlockDimX));
    case VxFn::GridDimX:
    case VxFn::GridDimY:
    case VxFn::GridDimZ:
      return coordinate("get_num_groups", unsigned(fn) - unsigned(VxFn::GridDimX));
    case VxFn::LaneId:
      return lane();
    case VxFn::WarpId:
      return emit("get_sub_group_id", "v", b.getInt32Ty(), {});
    case VxFn::Barrier:
      return barrier(), nullptr;
    case VxFn::BarrierAnd:
    case VxFn::BarrierOr: {
      barrier(); // OpenCL's function orders no memory
      Value *truth = b.CreateZExt(b.CreateIsNotNull(arg(0)), b.getInt32Ty());
      Value *all = emit(fn == VxFn::BarrierAnd ? "work_group_all" : "work_group_any", "i",
                        b.getInt32Ty(), {truth});
      return b.CreateZExt(b.CreateIsNotNull(all), b.getInt32Ty());
    }
    case VxFn::BarrierCount:
      barrier();
      return emit("work_group_reduce_add", "i", b.getInt32Ty(),
                  {b.CreateZExt(b.CreateIsNotNull(arg(0)), b.getInt32Ty())});
    case VxFn::FenceBlock:
      return fence(WorkGroup), nullptr;
    case VxFn::FenceDevice:
      return fence(Device), nullptr;
    case VxFn::FenceSystem:
      return fence(AllDevices), nullptr;
    case VxFn::WarpSync:
      if (isWhole()) {
        emit("sub_group_barrier", "j", b.getVoidTy(), {b.getInt32(kBothFences)});
      } else {
        fence(SubGroup);
        ballot(b.getInt32(1));
      }
      return nullptr;
    case VxFn::ActiveMask:
      return ballot(b.getInt32(1));
    case VxFn::VoteAll:
    case VxFn::VoteAny:
    case VxFn::VoteUni:
    case VxFn::VoteBallot:
      return vote();
    case VxFn::ShflUp32:
    case VxFn::ShflDown32:
    case VxFn::ShflBfly32:
    case VxFn::ShflIdx32:
    case VxFn::ShflUp64:
    case VxFn::ShflDown64:
    case VxFn::ShflBfly64:
    case VxFn::ShflIdx64:
      return shuffle();
    case VxFn::Nanosleep:
      return nullptr;
    case VxFn::Printf:
      return printf();
    default:
      failed = ("SPIR-V has no counterpart of what is called here: " +
                getInfo(fn).name.drop_front(StringRef("__vx_").size()))
                   .str();
      return nullptr;
    }
  }

  CallInst &call;
  VxFn fn;
  IRBuilder<> b;
  std::string failed;
};

} // namespace

PreservedAnalyses ExportFunctionsPass::run(Module &m, ModuleAnalysisManager &) {
  for (Function &f : m)
    for (Instruction &i : make_early_inc_range(instructions(f)))
      if (auto *call = dyn_cast<CallInst>(&i)) {
        if (std::optional<VxFn> fn = getVxFn(call))
          CallExport(*call, *fn).run();
        else if (call->isInlineAsm())
          reportUnsupported(*call, "SPIR-V has no counterpart of assembly");
      }
  return PreservedAnalyses::none();
}

} // namespace vx::spirv
