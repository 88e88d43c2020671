// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries keep no register of their caller but the return address: the start-up code expects none
// (runtime/device/crt0.S). Every lane has a stack of its own, so that a register saved by a warp is
// as many cache lines as it has lanes.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/lower/CodeGen.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace vx {
namespace {

class EntryRegisters : public MachineFunctionPass {
public:
  EntryRegisters() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Vortex entries without saved registers"; }

  void getAnalysisUsage(AnalysisUsage &au) const override {
    au.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(au);
  }

  bool runOnMachineFunction(MachineFunction &mf) override {
    if (!mf.getFunction().hasFnAttribute(kEntryAttr))
      return false;
    MCPhysReg kept = mf.getSubtarget().getRegisterInfo()->getRARegister().id();
    mf.getRegInfo().setCalleeSavedRegs(kept);
    return true;
  }

private:
  static char id;
};

char EntryRegisters::id;

} // namespace

MachineFunctionPass *createEntryRegistersPass() {
  return new EntryRegisters;
}

} // namespace vx
