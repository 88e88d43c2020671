// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/DivergentGridSync.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/RegionBuilder.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace llvm;

namespace vx {
namespace {

/// Tells what is one value for the threads of one number in all blocks of the grid.
class GridTti final : public TargetTransformInfoImplCRTPBase<GridTti> {
public:
  explicit GridTti(const DataLayout &dl) : TargetTransformInfoImplCRTPBase(dl) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value *v) const override {
    if (const auto *load = dyn_cast<LoadInst>(v))
      return isOfAllBlocks(*load) ? InstructionUniformity::Default
                                  : InstructionUniformity::NeverUniform;
    if (isa<AtomicRMWInst>(v) || isa<AtomicCmpXchgInst>(v))
      return InstructionUniformity::NeverUniform;
    const auto *call = dyn_cast<CallBase>(v);
    if (!call || call->getType()->isVoidTy())
      return InstructionUniformity::Default;
    if (std::optional<VxFn> fn = getVxFn(call))
      return uniformityOf(*fn);
    return isa<IntrinsicInst>(call) && call->doesNotAccessMemory()
               ? InstructionUniformity::Default
               : InstructionUniformity::NeverUniform;
  }

private:
  static InstructionUniformity uniformityOf(VxFn fn) {
    switch (fn) {
    case VxFn::ThreadIdxX:
    case VxFn::ThreadIdxY:
    case VxFn::ThreadIdxZ:
    case VxFn::LaneId:
    case VxFn::WarpId:
    case VxFn::BlockDimX:
    case VxFn::BlockDimY:
    case VxFn::BlockDimZ:
    case VxFn::GridDimX:
    case VxFn::GridDimY:
    case VxFn::GridDimZ:
    case VxFn::GridValid:
    case VxFn::CoreCount:
    case VxFn::Descriptor:
      return InstructionUniformity::AlwaysUniform;
    case VxFn::BarrierCount:
    case VxFn::BarrierAnd:
    case VxFn::BarrierOr:
      return InstructionUniformity::Default;
    default:
      return isWarpFunction(fn) && fn != VxFn::ActiveMask ? InstructionUniformity::Default
                                                          : InstructionUniformity::NeverUniform;
    }
  }

  /// Returns true if LOAD reads memory that is one for the grid, and that no other thread writes
  /// meanwhile. Shared memory and locals are not, nor what may be either.
  static bool isOfAllBlocks(const LoadInst &load) {
    if (isVolatileInSource(load) || load.isAtomic())
      return false;
    const Value *base = getUnderlyingObject(load.getPointerOperand());
    if (const auto *loaded = dyn_cast<LoadInst>(base)) // a member of a structure, most likely
      return isOfAllBlocks(*loaded);
    if (const auto *global = dyn_cast<GlobalVariable>(base))
      return global->getAddressSpace() != kSharedAS;
    return isa<Argument>(base) || getVxFn(base) == VxFn::Descriptor;
  }
};

/// The counter at which blocks meet is a member of the launch descriptor
/// (runtime/device/Services.cpp).
bool syncsGrid(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &i) {
    const auto *rmw = dyn_cast<AtomicRMWInst>(&i);
    return rmw && getVxFn(getUnderlyingObject(rmw->getPointerOperand())) == VxFn::Descriptor;
  });
}

} // namespace

bool syncsGridDivergently(Function &kernel, FunctionAnalysisManager &fam) {
  if (!syncsGrid(kernel) || hasRegularForm(kernel, fam))
    return false;
  TargetTransformInfo tti(std::make_unique<GridTti>(kernel.getDataLayout()));
  UniformityInfo grid(fam.getResult<DominatorTreeAnalysis>(kernel),
                      fam.getResult<CycleAnalysis>(kernel), &tti);
  grid.compute();
  return !isRegular(kernel, grid, fam.getResult<PostDominatorTreeAnalysis>(kernel), isBoundary);
}

} // namespace vx
