// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-mark-prologues: in code for a debugger, what an entry does before the first statement of a
// thread - it takes a block, and stores the arguments - is its prologue, after which a breakpoint
// at the kernel stops. Debuggers skip a function's first row of the line table, and instructions
// that set up a frame have no row of their own. Only machine code tells which instructions come
// first.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/lower/CodeGen.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace vx {
namespace {

class MarkPrologues : public MachineFunctionPass {
public:
  MarkPrologues() : MachineFunctionPass(id) {}

  StringRef getPassName() const override { return "Vortex prologues of kernels"; }

  void getAnalysisUsage(AnalysisUsage &au) const override {
    au.setPreservesAll();
    au.addRequired<MachineDominatorTreeWrapperPass>();
    au.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(au);
  }

  bool runOnMachineFunction(MachineFunction &mf) override {
    const Function &f = mf.getFunction();
    if (!f.hasFnAttribute(kEntryAttr) || !f.getSubprogram())
      return false;
    SmallVector<MachineInstr *, 64> prologue;
    for (MachineBasicBlock &block : mf) {
      const bool first = !isBehindStatements(block);
      for (MachineInstr &i : block) {
        if (first && isOfStatement(i)) {
          for (MachineInstr *before : prologue)
            before->setFlag(MachineInstr::FrameSetup);
          return true;
        }
        prologue.push_back(&i);
      }
    }
    return false;
  }

private:
  /// Returns true for instructions of a statement. What belongs to the kernel as a whole is of its
  /// line, and of no column.
  static bool isOfStatement(const MachineInstr &i) {
    const DILocation *at = i.getDebugLoc();
    return at && !i.isMetaInstruction() && at->getLine() != 0 && at->getColumn() != 0;
  }

  /// Returns true if a loop with statements is left for `block`: a loop over threads may lie after
  /// its exit, which belongs to the next parallel region.
  bool isBehindStatements(const MachineBasicBlock &block) {
    const auto &dominators = getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
    const auto &loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    return any_of(loops.getLoopsInPreorder(), [&](const MachineLoop *loop) {
      return !loop->contains(&block) && dominators.dominates(loop->getHeader(), &block) &&
             any_of(loop->blocks(),
                    [](const MachineBasicBlock *b) { return any_of(*b, isOfStatement); });
    });
  }

  static char id;
};

char MarkPrologues::id;

} // namespace

MachineFunctionPass *createMarkProloguesPass() {
  return new MarkPrologues;
}

} // namespace vx
