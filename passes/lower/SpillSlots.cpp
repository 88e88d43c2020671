// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of values for which an entry has no register. Every lane has a stack of its own, 8 KiB
// from its neighbour's: spilled there, one value of a warp is as many cache lines as there are
// lanes, all in one set. The slots that are used most go to the spill area instead
// (intrinsics/abi/LaunchDescriptor.h), where the lanes of a warp are neighbours:
//
//   sd a1, 24(sp)   ->   sd a1, -1280(gp)
//
// gp, which code generation does not use, points to the lane's column of the area; the entry has it
// set by the start-up code. Device functions, of which several can be active, keep their stack.

#include "intrinsics/abi/LaunchDescriptor.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "passes/lower/CodeGen.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace vx {
namespace {

/// RISCVII::MO_CALL, in a header that LLVM does not install.
constexpr unsigned kCallFlag = 1;

class SpillSlots : public MachineFunctionPass {
public:
  SpillSlots() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Vortex spill slots"; }

  void getAnalysisUsage(AnalysisUsage &au) const override {
    au.addRequired<MachineLoopInfoWrapperPass>();
    au.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(au);
  }

  bool runOnMachineFunction(MachineFunction &mf) override {
    if (!mf.getFunction().hasFnAttribute(kEntryAttr))
      return false;
    const TargetInstrInfo &tii = *mf.getSubtarget().getInstrInfo();
    const TargetRegisterInfo &tri = *mf.getSubtarget().getRegisterInfo();
    collect(mf, tii, getAnalysis<MachineLoopInfoWrapperPass>().getLI());
    if (slots.empty())
      return false;
    // The numbers of LLVM's tables; there are thousands of names.
    static const MCRegister gp = findRegister(tri, "X3"), link = findRegister(tri, "X5");
    static const unsigned call = findOpcode(tii, "PseudoCALLReg");
    if (!gp || !link || !call)
      return false;
    unsigned moved = std::min<size_t>(slots.size(), abi::kSpillSlots);
    std::partial_sort(slots.begin(), slots.begin() + moved, slots.end(),
                      [](const Slot &a, const Slot &b) { return a.weight > b.weight; });
    for (unsigned k = 0; k < moved; ++k) {
      int64_t offset = (int64_t(k) - abi::kSpillSlots / 2) * abi::kSpillRowBytes;
      for (MachineInstr *mi : slots[k].accesses) {
        mi->getOperand(1).ChangeToRegister(gp, false);
        mi->getOperand(2).setImm(offset);
        mi->dropMemRefs(mf);
      }
      mf.getFrameInfo().RemoveStackObject(slots[k].index);
    }
    MachineBasicBlock &entry = mf.front();
    BuildMI(entry, entry.begin(), DebugLoc(), tii.get(call), link)
        .addExternalSymbol(kSpillAreaFunction, kCallFlag);
    return true;
  }

private:
  struct Slot {
    int index;
    SmallVector<MachineInstr *, 8> accesses;
    double weight = 0;
    bool usable = true;
  };

  /// Collects the slots of values without a register which are only loaded and stored whole.
  void collect(MachineFunction &mf, const TargetInstrInfo &tii, const MachineLoopInfo &loops) {
    slots.clear();
    const MachineFrameInfo &frame = mf.getFrameInfo();
    for (int i = 0; i < frame.getObjectIndexEnd(); ++i)
      slots.push_back({i, {}, 0, frame.isSpillSlotObjectIndex(i) && !frame.isDeadObjectIndex(i)});
    for (MachineBasicBlock &mbb : mf)
      for (MachineInstr &mi : mbb) {
        int index = -1;
        bool whole = tii.isLoadFromStackSlot(mi, index) || tii.isStoreToStackSlot(mi, index);
        if (whole && index >= 0) {
          slots[index].accesses.push_back(&mi);
          slots[index].weight += double(1u << 3 * std::min(loops.getLoopDepth(&mbb), 8u));
          continue;
        }
        for (const MachineOperand &operand : mi.operands())
          if (operand.isFI() && operand.getIndex() >= 0)
            slots[operand.getIndex()].usable = false;
      }
    erase_if(slots, [](const Slot &s) { return !s.usable || s.accesses.empty(); });
  }

  static MCRegister findRegister(const TargetRegisterInfo &tri, StringRef name) {
    for (unsigned r = 1; r < tri.getNumRegs(); ++r)
      if (StringRef(tri.getName(r)) == name)
        return r;
    return MCRegister();
  }

  static unsigned findOpcode(const TargetInstrInfo &tii, StringRef name) {
    for (unsigned op = 0; op < tii.getNumOpcodes(); ++op)
      if (tii.getName(op) == name)
        return op;
    return 0;
  }

  static char id;
  SmallVector<Slot, 16> slots;
};

char SpillSlots::id;

} // namespace

MachineFunctionPass *createSpillSlotsPass() {
  return new SpillSlots;
}

} // namespace vx
