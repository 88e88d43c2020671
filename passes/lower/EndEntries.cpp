// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries end their warp themselves and do not return, so they keep no register of their caller,
// nor the return address. Every lane has a stack of its own: a register that a warp saves is as
// many cache lines as it has lanes. All end at one instruction, which a backend may replace. They
// start at a cache line: in a short launch, each line of code that is fetched counts.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/lower/CodeGen.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/MC/MCDwarf.h"

using namespace llvm;

namespace vx {
namespace {

class EndEntries : public MachineFunctionPass {
public:
  EndEntries() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Vortex ends of entries"; }

  bool runOnMachineFunction(MachineFunction &mf) override {
    if (!mf.getFunction().hasFnAttribute(kEntryAttr))
      return false;
    const TargetInstrInfo &instructions = *mf.getSubtarget().getInstrInfo();
    for (MachineBasicBlock &block : mf)
      if (block.isReturnBlock()) {
        MachineInstr &end = block.back();
        BuildMI(block, end, end.getDebugLoc(), instructions.get(TargetOpcode::INLINEASM))
            .addExternalSymbol("tail __vx_end_of_warp")
            .addImm(InlineAsm::Extra_HasSideEffects);
        end.eraseFromParent();
      }
    mf.getRegInfo().setCalleeSavedRegs({});
    mf.ensureAlignment(Align(kCacheLine));
    markOutermost(mf, instructions);
    return true;
  }

private:
  /// Marks the function as outermost, so that debuggers look for no caller.
  static void markOutermost(MachineFunction &mf, const TargetInstrInfo &instructions) {
    const TargetRegisterInfo &registers = *mf.getSubtarget().getRegisterInfo();
    unsigned link = registers.getDwarfRegNum(registers.getRARegister(), /*isEH=*/true);
    unsigned index = mf.addFrameInst(MCCFIInstruction::createUndefined(nullptr, link));
    MachineBasicBlock &start = mf.front();
    BuildMI(start, start.begin(), DebugLoc(), instructions.get(TargetOpcode::CFI_INSTRUCTION))
        .addCFIIndex(index);
  }

  static constexpr unsigned kCacheLine = 64; ///< bytes
  static char id;
};

char EndEntries::id;

} // namespace

MachineFunctionPass *createEndEntriesPass() {
  return new EndEntries;
}

} // namespace vx
