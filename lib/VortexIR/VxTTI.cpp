// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/VxTTI.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {
namespace {

class VxTTIImpl final : public TargetTransformInfoImplCRTPBase<VxTTIImpl> {
public:
  explicit VxTTIImpl(const DataLayout &dl) : TargetTransformInfoImplCRTPBase(dl) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value *v) const override {
    // Kernel arguments are one value for the grid; other functions may be called with anything.
    if (const auto *arg = dyn_cast<Argument>(v))
      return isUniformArgument(*arg) ? InstructionUniformity::AlwaysUniform
                                     : InstructionUniformity::NeverUniform;
    if (const auto *call = dyn_cast<CallBase>(v))
      return callUniformity(*call);
    // A lane's stack is its own: the address of a local differs between lanes.
    if (isa<AllocaInst>(v))
      return InstructionUniformity::NeverUniform;
    // Every lane performs its own atomic operation.
    if (isa<AtomicRMWInst>(v) || isa<AtomicCmpXchgInst>(v))
      return InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }

  /// Returns the cost of what vx-expand-halves makes of an operation on halves, which have no
  /// instructions.
  InstructionCost getInstructionCost(const User *u, ArrayRef<const Value *> operands,
                                     TargetTransformInfo::TargetCostKind kind) const override {
    const auto *i = dyn_cast<Instruction>(u);
    if (i && isa<BinaryOperator, FPTruncInst, FPExtInst, FCmpInst, IntrinsicInst>(i) &&
        (i->getType()->isHalfTy() || i->getOperand(0)->getType()->isHalfTy()))
      return isa<FPExtInst, FCmpInst>(i) ? 8 : 16;
    return TargetTransformInfoImplCRTPBase::getInstructionCost(u, operands, kind);
  }

  Type *getMemcpyLoopLoweringType(LLVMContext &ctx, Value *, unsigned, unsigned, Align srcAlign,
                                  Align destAlign,
                                  std::optional<uint32_t> elementBytes) const override {
    uint64_t bytes =
        elementBytes ? *elementBytes : std::min({srcAlign, destAlign, Align(8)}).value();
    return Type::getIntNTy(ctx, bytes * 8);
  }

private:
  static bool isUniformArgument(const Argument &arg) {
    const Function *f = arg.getParent();
    // A byval argument that may be written is the lane's own copy.
    if ((arg.hasByValAttr() && !arg.hasAttribute(Attribute::ReadOnly)) ||
        arg.hasAttribute(kDivergentAttr))
      return false;
    return isKernel(*f) || f->hasFnAttribute(kEntryAttr);
  }

  /// Before it is mapped, a kernel speaks of a whole block: what is one value for a warp only
  /// differs there. Entries and device functions are code of a warp.
  static bool isCodeOfWarp(const CallBase &call) { return !isKernel(*call.getFunction()); }

  /// Returns true if V is obviously one value for all lanes that run USER. A value of another block
  /// may come out of a loop that lanes leave at different times.
  static bool isObviouslyUniform(const Value *v, const CallBase &user) {
    if (isa<Constant>(v))
      return true;
    if (const auto *arg = dyn_cast<Argument>(v))
      return isUniformArgument(*arg);
    const auto *i = dyn_cast<Instruction>(v);
    if (!i || i->getParent() != user.getParent())
      return false;
    if (isa<CastInst>(i))
      return isObviouslyUniform(i->getOperand(0), user);
    const auto *call = dyn_cast<CallBase>(i);
    return call && callUniformity(*call) == InstructionUniformity::AlwaysUniform;
  }

  /// Returns true for a vote or reduction whose mask is the same in all lanes.
  static bool isUniformInWarp(const CallBase &call, VxFn fn) {
    if (!isCodeOfWarp(call))
      return false;
    return fn == VxFn::ActiveMask || isObviouslyUniform(call.getArgOperand(0), call);
  }

  /// Returns true for a shuffle in which all lanes read the same lane of the whole warp.
  static bool isBroadcast(const CallBase &call, VxFn fn) {
    if (fn != VxFn::ShflIdx32 && fn != VxFn::ShflIdx64)
      return false;
    const auto *segment = dyn_cast<ConstantInt>(call.getArgOperand(3));
    return isCodeOfWarp(call) && segment && segment->equalsInt(kWholeWarpSegment) &&
           isObviouslyUniform(call.getArgOperand(0), call) &&
           isObviouslyUniform(call.getArgOperand(2), call);
  }

  static InstructionUniformity callUniformity(const CallBase &call) {
    if (const auto *inlineAsm = dyn_cast<InlineAsm>(call.getCalledOperand()))
      return isUniformAsm(*inlineAsm) ? InstructionUniformity::AlwaysUniform
                                      : InstructionUniformity::NeverUniform;
    if (auto fn = getVxFn(&call)) {
      if (isBroadcast(call, *fn))
        return InstructionUniformity::AlwaysUniform;
      switch (getInfo(*fn).uniformity) {
      case VxUniformity::U:
        return InstructionUniformity::AlwaysUniform;
      case VxUniformity::D:
        return InstructionUniformity::NeverUniform;
      case VxUniformity::W:
        return isUniformInWarp(call, *fn) ? InstructionUniformity::AlwaysUniform
                                          : InstructionUniformity::NeverUniform;
      case VxUniformity::T:
        return InstructionUniformity::Default;
      }
    }
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      // The thread pointer addresses the lane's own control block.
      if (intrinsic->getIntrinsicID() == Intrinsic::thread_pointer ||
          intrinsic->getIntrinsicID() == Intrinsic::stacksave)
        return InstructionUniformity::NeverUniform;
      // The lowerings state with it that a value is one for the block although it comes out of a
      // divergent loop.
      if (intrinsic->getIntrinsicID() == Intrinsic::ssa_copy)
        return InstructionUniformity::AlwaysUniform;
      return InstructionUniformity::Default;
    }
    return InstructionUniformity::NeverUniform;
  }
};

} // namespace

void registerDivergenceTTI(FunctionAnalysisManager &fam) {
  fam.registerPass([] {
    return TargetIRAnalysis([](const Function &f) {
      return TargetTransformInfo(std::make_unique<VxTTIImpl>(f.getDataLayout()));
    });
  });
}

} // namespace vx
