// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: synchronization, ends of threads, and the special registers.

#include "intrinsics/abi/LaunchDescriptor.h"
#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Barriers.h"
#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "passes/import/Warp.h"

using namespace llvm;

namespace vx::import {
namespace {

template <VxFn Fn> void emitContract(PtxContext &c, const PtxStatement &) {
  emitCall(c.b, Fn);
}

/// Emits code for bar.warp.sync mask, barrier.cluster.{arrive,wait};
/// {bar,barrier}{.cta}.sync{.aligned} a{, b}, .arrive a, b and .red.{popc,and,or} d, a{, b}, p. All
/// threads of a warp arrive in any case.
void emitBar(PtxContext &c, const PtxStatement &s) {
  if (s.has("warp")) {
    emitCall(c.b, VxFn::WarpSync, {c.read(s.operands[0], c.b.getInt32Ty())});
    return;
  }
  if (s.has("cluster")) {
    emitCall(c.b, s.has("arrive") ? VxFn::ClusterArrive : VxFn::ClusterWait);
    return;
  }
  BarrierKind kind = s.has("arrive") ? BarrierKind::Arrive
                     : s.has("popc") ? BarrierKind::Count
                     : s.has("and")  ? BarrierKind::And
                     : s.has("or")   ? BarrierKind::Or
                                     : BarrierKind::Sync;
  bool reduces = s.has("red"), arrives = kind == BarrierKind::Arrive;
  bool isKnown = reduces == (kind >= BarrierKind::Count) && (reduces || arrives || s.has("sync"));
  ArrayRef<PtxOperand> operands = s.operands;
  size_t around = reduces ? 2 : 0; // the result and the predicate
  if (!isKnown || operands.size() < around + (arrives ? 2 : 1) || operands.size() > around + 2)
    return c.failUnknown(s);
  Value *predicate = reduces ? c.read(operands.back(), c.b.getInt1Ty()) : nullptr;
  ArrayRef<PtxOperand> numbers = operands.slice(reduces ? 1 : 0, operands.size() - around);
  Type *i32 = c.b.getInt32Ty();
  Value *threads = numbers.size() == 2 ? c.read(numbers[1], i32) : nullptr;
  std::string why;
  Value *result = emitBarrier(c.b, kind, {c.read(numbers[0], i32), threads, predicate}, why);
  if (!why.empty())
    return c.fail(why);
  if (reduces)
    c.write(operands[0], result);
}

/// Emits code for membar.{cta,gl,sys} and fence{.sem}.{cta,gpu,sys,cluster}
void emitMembar(PtxContext &c, const PtxStatement &s) {
  emitCall(c.b, s.has("sys")   ? VxFn::FenceSystem
                : s.has("cta") ? VxFn::FenceBlock
                               : VxFn::FenceDevice);
}

/// Emits code for griddepcontrol.{wait,launch_dependents}: a grid starts when those before it have
/// ended.
void emitGridDependency(PtxContext &c, const PtxStatement &s) {
  if (s.words.size() != 2 || (!s.has("wait") && !s.has("launch_dependents")))
    c.failUnknown(s);
}

/// Emits code for setmaxnreg.{inc,dec}.sync.aligned.u32 number: a hint, here.
void emitRegisterCount(PtxContext &c, const PtxStatement &s) {
  ArrayRef<std::string> words = ArrayRef(s.words).drop_front();
  if (words.size() != 4 || (words[0] != "inc" && words[0] != "dec") || words[1] != "sync" ||
      words[2] != "aligned" || words[3] != "u32")
    c.failUnknown(s);
}

void emitSleep(PtxContext &c, const PtxStatement &s) {
  emitCall(c.b, VxFn::Nanosleep, {c.read(s.operands[0], c.b.getInt32Ty())});
}

constexpr PtxInstruction kControlInstructions[] = {
    {"bar", 1, emitBar, true, ""},
    {"barrier", 0, emitBar, true, ""},
    {"membar", 0, emitMembar, true, ""},
    {"fence", 0, emitMembar, true, ""},
    {"trap", 0, emitContract<VxFn::Trap>, true, ""},
    {"brkpt", 0, emitContract<VxFn::Breakpoint>, true, ""},
    {"exit", 0, emitContract<VxFn::Exit>, true, ""},
    {"nanosleep", 1, emitSleep, true, ""},
    {"pmevent", 0, emitNothing, true, ""},
    {"griddepcontrol", 0, emitGridDependency, true, ""},
    {"setmaxnreg", 1, emitRegisterCount, true, ""},
};

template <VxFn Fn> Value *contract(IRBuilderBase &b, StringRef) {
  return emitCall(b, Fn);
}

template <VxFn Fn, unsigned Axis> Value *axis(IRBuilderBase &b, StringRef) {
  return emitCall(b, Fn, {b.getInt32(Axis)});
}

Value *warpsPerBlock(IRBuilderBase &b, StringRef) {
  return emitWarpsPerBlock(b);
}

Value *laneMask(IRBuilderBase &b, StringRef name) {
  return emitLaneMask(b, name.take_back(2));
}

template <VxFn Fn> Value *lowWord(IRBuilderBase &b, StringRef) {
  return b.CreateTrunc(emitCall(b, Fn), b.getInt32Ty());
}

template <VxFn Fn> Value *highWord(IRBuilderBase &b, StringRef) {
  return b.CreateTrunc(b.CreateLShr(emitCall(b, Fn), 32), b.getInt32Ty());
}

Value *dynamicSharedSize(IRBuilderBase &b, StringRef) {
  return emitDescriptorField(b, offsetof(abi::LaunchDescriptor, dynSharedBytes));
}

Value *sharedSize(IRBuilderBase &b, StringRef) {
  return emitSharedBytes(b);
}

Value *isCluster(IRBuilderBase &b, StringRef) {
  return emitIsCluster(b);
}

template <unsigned N> Value *number(IRBuilderBase &b, StringRef) {
  return b.getInt32(N);
}

struct SpecialRegister {
  StringLiteral name;
  Value *(*emit)(IRBuilderBase &, StringRef);
};

constexpr SpecialRegister kRegisters[] = {
    {"tid.x", contract<VxFn::ThreadIdxX>},
    {"tid.y", contract<VxFn::ThreadIdxY>},
    {"tid.z", contract<VxFn::ThreadIdxZ>},
    {"ctaid.x", contract<VxFn::BlockIdxX>},
    {"ctaid.y", contract<VxFn::BlockIdxY>},
    {"ctaid.z", contract<VxFn::BlockIdxZ>},
    {"ntid.x", contract<VxFn::BlockDimX>},
    {"ntid.y", contract<VxFn::BlockDimY>},
    {"ntid.z", contract<VxFn::BlockDimZ>},
    {"nctaid.x", contract<VxFn::GridDimX>},
    {"nctaid.y", contract<VxFn::GridDimY>},
    {"nctaid.z", contract<VxFn::GridDimZ>},
    {"laneid", contract<VxFn::LaneId>},
    {"warpid", contract<VxFn::WarpId>},
    {"nwarpid", warpsPerBlock},
    {"smid", contract<VxFn::CoreId>},
    {"nsmid", contract<VxFn::CoreCount>},
    {"lanemask_eq", laneMask},
    {"lanemask_lt", laneMask},
    {"lanemask_le", laneMask},
    {"lanemask_gt", laneMask},
    {"lanemask_ge", laneMask},
    {"clock", lowWord<VxFn::Clock64>},
    {"clock_hi", highWord<VxFn::Clock64>},
    {"clock64", contract<VxFn::Clock64>},
    {"globaltimer", contract<VxFn::GlobalTimer>},
    {"globaltimer_lo", lowWord<VxFn::GlobalTimer>},
    {"globaltimer_hi", highWord<VxFn::GlobalTimer>},
    {"gridid", number<0>},
    {"dynamic_smem_size", dynamicSharedSize},
    {"total_smem_size", sharedSize},
    {"aggr_smem_size", sharedSize},
    {"reserved_smem_offset_begin", number<0>},
    {"reserved_smem_offset_end", number<0>},
    {"reserved_smem_offset_cap", number<0>},
    {"is_explicit_cluster", isCluster},
    {"clusterid.x", axis<VxFn::ClusterIdx, 0>},
    {"clusterid.y", axis<VxFn::ClusterIdx, 1>},
    {"clusterid.z", axis<VxFn::ClusterIdx, 2>},
    {"nclusterid.x", axis<VxFn::ClusterGridDim, 0>},
    {"nclusterid.y", axis<VxFn::ClusterGridDim, 1>},
    {"nclusterid.z", axis<VxFn::ClusterGridDim, 2>},
    {"cluster_ctaid.x", axis<VxFn::ClusterBlockIdx, 0>},
    {"cluster_ctaid.y", axis<VxFn::ClusterBlockIdx, 1>},
    {"cluster_ctaid.z", axis<VxFn::ClusterBlockIdx, 2>},
    {"cluster_nctaid.x", axis<VxFn::ClusterDim, 0>},
    {"cluster_nctaid.y", axis<VxFn::ClusterDim, 1>},
    {"cluster_nctaid.z", axis<VxFn::ClusterDim, 2>},
    {"cluster_ctarank", contract<VxFn::ClusterRank>},
    {"cluster_nctarank", contract<VxFn::ClusterBlocks>},
};

} // namespace

ArrayRef<PtxInstruction> ptxControlInstructions() {
  return kControlInstructions;
}

Value *emitSpecialRegister(IRBuilderBase &b, StringRef name) {
  for (const SpecialRegister &row : kRegisters)
    if (row.name == name)
      return row.emit(b, name);
  if (name == "WARP_SZ")
    return b.getInt32(abi::kWarpSize);
  return nullptr;
}

} // namespace vx::import
