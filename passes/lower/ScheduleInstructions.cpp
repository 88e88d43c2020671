// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine scheduler for Vortex, -misched=vortex: LLVM's generic list scheduler with the
// latencies of a stream of instructions. A hardware warp issues in order and, where no other warp
// is ready, stops at the first operand that is not there; stock RISC-V code generation without a
// processor model counts one cycle for everything but loads, and puts a result next to its use.
//
// A cycle of the scheduler is the time from one instruction of a warp to the next, 7 cycles of the
// machine, in which another result takes 10 to 19 (docs/architect/simulator.md). Merged warps,
// whose instructions are the only ones on their core, gain most; where several warps are ready, the
// order makes no difference as long as there are registers for it. Loads of one line stay side by
// side, as in stock code generation.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/lower/CodeGen.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineScheduler.h"
#include "llvm/CodeGen/RegisterClassInfo.h"
#include "llvm/CodeGen/ScheduleDAG.h"
#include "llvm/CodeGen/ScheduleDAGInstrs.h"
#include "llvm/CodeGen/ScheduleDAGMutation.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
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

/// Counts how often instructions in an order find a value in no register, if what is used last
/// makes room for others. Does not know what lives on after the last of them.
class ReloadCounter {
public:
  ReloadCounter(const MachineFunction &mf, const RegisterClassInfo &registers)
      : mri(mf.getRegInfo()), tri(*mf.getSubtarget().getRegisterInfo()), registers(registers) {}

  unsigned count(ArrayRef<MachineInstr *> instrs) {
    uses.clear();
    files.clear();
    for (auto [position, instr] : enumerate(instrs))
      for (const MachineOperand &operand : instr->operands())
        if (isValue(operand) && operand.isUse())
          uses[operand.getReg()].push_back(position);
    unsigned reloads = 0;
    for (auto [position, instr] : enumerate(instrs))
      for (bool isUse : {true, false})
        for (const MachineOperand &operand : instr->operands())
          if (isValue(operand) && operand.isUse() == isUse)
            reloads += !access(operand.getReg(), position) && isUse;
    return reloads;
  }

private:
  struct Value {
    Register reg;
    unsigned nextUse;
  };

  static bool isValue(const MachineOperand &operand) {
    return operand.isReg() && operand.getReg().isVirtual();
  }

  /// The registers that REG may have are those of a pressure set.
  unsigned setOf(Register reg) const {
    unsigned largest = 0, limit = 0;
    for (const int *set = tri.getRegClassPressureSets(mri.getRegClass(reg)); *set >= 0; ++set)
      if (unsigned size = registers.getRegPressureSetLimit(*set); size > limit) {
        largest = *set;
        limit = size;
      }
    return largest;
  }

  /// Returns true if REG was in a register. Keeps it there until its last use, or others need the
  /// room.
  bool access(Register reg, unsigned position) {
    unsigned set = setOf(reg);
    SmallVector<Value, 32> &file = files[set];
    auto *at = find_if(file, [&](const Value &v) { return v.reg == reg; });
    bool found = at != file.end();
    if (found)
      file.erase(at);
    const auto &all = uses[reg];
    auto *next = upper_bound(all, position);
    if (next != all.end())
      file.push_back({reg, *next});
    if (file.size() > registers.getRegPressureSetLimit(set))
      file.erase(
          max_element(file, [](const Value &a, const Value &b) { return a.nextUse < b.nextUse; }));
    return found;
  }

  const MachineRegisterInfo &mri;
  const TargetRegisterInfo &tri;
  const RegisterClassInfo &registers;
  DenseMap<Register, SmallVector<unsigned, 4>> uses;
  DenseMap<unsigned, SmallVector<Value, 32>> files;
};

/// Leaves a long region as it is if its values find more room in registers that way: of thousands
/// of instructions, what the list scheduler takes for the best one at each place can be far from
/// what is used next.
class VortexScheduler : public ScheduleDAGMILive {
public:
  explicit VortexScheduler(MachineSchedContext *context)
      : ScheduleDAGMILive(context, std::make_unique<GenericScheduler>(context)),
        reloads(*context->MF, *context->RegClassInfo) {}

  void schedule() override {
    constexpr unsigned kLong = 500;
    SmallVector<MachineInstr *, 0> before = instructions();
    if (before.size() < kLong || any_of(before, [](auto *mi) { return mi->isDebugInstr(); }))
      return ScheduleDAGMILive::schedule();
    unsigned reloadsBefore = reloads.count(before);
    ScheduleDAGMILive::schedule();
    if (reloads.count(instructions()) > reloadsBefore)
      restore(before);
  }

private:
  SmallVector<MachineInstr *, 0> instructions() const {
    SmallVector<MachineInstr *, 0> all;
    for (MachineInstr &mi : make_range(RegionBegin, RegionEnd))
      all.push_back(&mi);
    return all;
  }

  void restore(ArrayRef<MachineInstr *> order) {
    MachineBasicBlock::iterator at = RegionBegin;
    for (MachineInstr *mi : order)
      if (&*at == mi) {
        ++at;
      } else {
        BB->splice(at, BB, mi);
        LIS->handleMove(*mi, /*UpdateFlags=*/true);
      }
    RegionBegin = order.front();
  }

  ReloadCounter reloads;
};

ScheduleDAGInstrs *createScheduler(MachineSchedContext *context) {
  auto *dag = new VortexScheduler(context);
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
