// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine scheduler for Vortex, -misched=vortex: LLVM's generic list scheduler with the
// latencies of a stream of instructions. A hardware warp issues in order and, where no other warp
// is ready, stops at the first operand that is not there; stock RISC-V code generation without a
// processor model counts one cycle for everything but loads, and puts a result next to its use.
//
// A cycle of the scheduler is the time from one instruction of a warp to the next, 7 cycles of the
// machine, in which another result takes 10 to 19 (docs/simulator.md). Merged warps, whose
// instructions are the only ones on their core, gain most; where several warps are ready, the order
// makes no difference as long as there are registers for it. Loads of one line stay side by side,
// as in stock code generation.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/lower/CodeGen.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineScheduler.h"
#include "llvm/CodeGen/ScheduleDAG.h"
#include "llvm/CodeGen/ScheduleDAGInstrs.h"
#include "llvm/CodeGen/ScheduleDAGMutation.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace vx {
namespace {

/// Gives results the latencies of the machine, in instructions of a warp.
class VortexLatencies : public ScheduleDAGMutation {
public:
  void apply(ScheduleDAGInstrs *dag) override {
    keepOutOfForks(*dag);
    for (SUnit &user : dag->SUnits)
      for (SDep &use : user.Preds) {
        SUnit &def = *use.getSUnit();
        if (use.getKind() != SDep::Data || def.isBoundaryNode() || !def.getInstr())
          continue;
        unsigned latency = latencyOf(*def.getInstr(), *dag->TII);
        use.setLatency(latency);
        for (SDep &out : def.Succs)
          if (out.getSUnit() == &user && out.getKind() == SDep::Data &&
              out.getReg() == use.getReg())
            out.setLatency(latency);
        user.setDepthDirty();
        def.setHeightDirty();
      }
  }

private:
  /// Both sides of a fork execute what is before its join, and what is between its split and the
  /// branch: nothing moves up over a join or down over a split.
  static void keepOutOfForks(ScheduleDAGInstrs &dag) {
    for (SUnit &marked : dag.SUnits) {
      StringRef marker = markerOf(*marked.getInstr());
      if (marker.starts_with("join"))
        for (unsigned i = marked.NodeNum + 1; i < dag.SUnits.size(); ++i)
          dag.addEdge(&dag.SUnits[i], SDep(&marked, SDep::Artificial));
      else if (marker.starts_with("split"))
        for (unsigned i = 0; i < marked.NodeNum; ++i)
          dag.addEdge(&marked, SDep(&dag.SUnits[i], SDep::Artificial));
    }
  }

  static StringRef markerOf(const MachineInstr &instr) {
    if (!instr.isInlineAsm())
      return {};
    return getMarker(instr.getOperand(InlineAsm::MIOp_AsmString).getSymbolName());
  }

  static unsigned latencyOf(const MachineInstr &instr, const TargetInstrInfo &tii) {
    if (instr.isCopyLike() || instr.isImplicitDef())
      return 0;
    if (instr.mayLoad() && !instr.isInlineAsm())
      return 6;
    if (instr.isInlineAsm())
      return 3;
    StringRef name = tii.getName(instr.getOpcode());
    if (name.starts_with("DIV") || name.starts_with("REM"))
      return 10;
    if (name.starts_with("FDIV") || name.starts_with("FSQRT"))
      return 5;
    if (name.starts_with("F"))
      return 3;
    return 2;
  }
};

ScheduleDAGInstrs *createScheduler(MachineSchedContext *context) {
  auto *dag = new ScheduleDAGMILive(context, std::make_unique<GenericScheduler>(context));
  dag->addMutation(createLoadClusterDAGMutation(dag->TII, dag->TRI, true));
  dag->addMutation(createStoreClusterDAGMutation(dag->TII, dag->TRI, true));
  dag->addMutation(std::make_unique<VortexLatencies>());
  return dag;
}

} // namespace

void registerMachineScheduler() {
  static MachineSchedRegistry registry("vortex", "latencies of a Vortex warp", createScheduler);
}

} // namespace vx
