// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In large functions, what instruction selection makes again for each block or statement is there
// once:
//
//     copies      inline assembly reads the register of an operand, not a copy of it
//     constants   one in front of the outermost loop; it is made again where no register is free
//
// Later passes come to the same, but go through all uses of a register for each copy that is joined
// and each constant that is moved: with a barrier, a vote or a shuffle in thousands of places that
// took a third of code generation.

#include "passes/lower/CodeGen.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace vx {
namespace {

class ShareOperands : public MachineFunctionPass {
public:
  explicit ShareOperands(unsigned leastInstructions)
      : MachineFunctionPass(id), leastInstructions(leastInstructions) {}

  StringRef getPassName() const override { return "Vortex shared operands"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &mf) override {
    if (mf.getInstructionCount() < leastInstructions)
      return false;
    registers = &mf.getRegInfo();
    const TargetInstrInfo &instructions = *mf.getSubtarget().getInstrInfo();
    auto &loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    shared.clear();
    constants.clear();
    for (MachineBasicBlock &block : mf) {
      MachineLoop *loop = loops.getLoopFor(&block);
      MachineBasicBlock *before = loop ? loop->getOutermostLoop()->getLoopPreheader() : nullptr;
      for (MachineInstr &mi : make_early_inc_range(block))
        if (mi.isInlineAsm())
          readSources(mi);
        else if (before && isConstant(mi) && instructions.isReMaterializable(mi))
          shareConstant(mi, *before);
    }
    for (Register r : shared)
      registers->clearKillFlags(r);
    return !shared.empty();
  }

private:
  /// Returns the copy of a register that is made for OPERAND alone, which may read that register;
  /// or null.
  MachineInstr *copyFor(const MachineOperand &operand) const {
    Register read = operand.getReg();
    if (!read.isVirtual() || operand.getSubReg() || operand.isTied() || !registers->hasOneUse(read))
      return nullptr;
    MachineInstr *copy = registers->getUniqueVRegDef(read);
    if (!copy || !copy->isFullCopy() || !copy->getOperand(1).getReg().isVirtual())
      return nullptr;
    Register source = copy->getOperand(1).getReg();
    return registers->constrainRegClass(source, registers->getRegClass(read)) ? copy : nullptr;
  }

  void readSources(MachineInstr &assembly) {
    for (MachineOperand &operand : assembly.all_uses())
      if (MachineInstr *copy = copyFor(operand)) {
        Register source = copy->getOperand(1).getReg();
        copy->eraseFromParent();
        operand.setReg(source);
        shared.insert(source);
      }
  }

  /// Returns true if MI sets a register to what nothing but a number says.
  bool isConstant(const MachineInstr &mi) const {
    return mi.getNumOperands() && mi.getNumExplicitDefs() == 1 && !mi.getNumImplicitOperands() &&
           mi.getOperand(0).getReg().isVirtual() &&
           mi.getOperand(mi.getNumOperands() - 1).isImm() &&
           all_of(mi.explicit_uses(), [&](const MachineOperand &operand) {
             return operand.isImm() || (operand.isReg() && operand.getReg().isPhysical() &&
                                        registers->isConstantPhysReg(operand.getReg()));
           });
  }

  /// Makes MI, which is a constant, once in BEFORE, where everything in its loop comes from.
  void shareConstant(MachineInstr &mi, MachineBasicBlock &before) {
    Register own = mi.getOperand(0).getReg(), common = own;
    auto [it, isNew] = constants[&before].insert(&mi);
    if (isNew) {
      before.splice(before.getFirstTerminator(), mi.getParent(), mi);
      mi.setDebugLoc(DebugLoc());
    } else if (common = (*it)->getOperand(0).getReg();
               registers->constrainRegClass(common, registers->getRegClass(own))) {
      mi.eraseFromParent();
      registers->replaceRegWith(own, common);
    } else {
      return;
    }
    shared.insert(common);
  }

  unsigned leastInstructions;
  MachineRegisterInfo *registers = nullptr;
  SetVector<Register> shared; ///< have new uses
  /// Those that are made in front of a loop; two are the same if all that they read is.
  DenseMap<MachineBasicBlock *, DenseSet<MachineInstr *, MachineInstrExpressionTrait>> constants;
  static char id;
};

char ShareOperands::id;

} // namespace

MachineFunctionPass *createShareOperandsPass(unsigned leastInstructions) {
  return new ShareOperands(leastInstructions);
}

} // namespace vx
