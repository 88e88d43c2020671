// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine-level proof that code generation kept its hands off control flow. It runs on every
// compile, on the code as it will be printed.

#include "lib/VortexIR/DeviceAsm.h"
#include "passes/lower/CodeGen.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {
namespace {

class BranchCheck : public MachineFunctionPass {
public:
  explicit BranchCheck(BranchCheckResult &result) : MachineFunctionPass(id), result(result) {}

  StringRef getPassName() const override { return "Vortex branch check"; }

  void getAnalysisUsage(AnalysisUsage &au) const override {
    au.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(au);
  }

  bool runOnMachineFunction(MachineFunction &mf) override {
    StringMap<unsigned> seen;
    for (const MachineBasicBlock &mbb : mf)
      checkBlock(mf, mbb, seen);
    for (const auto &entry : seen)
      if (entry.second != 1)
        problem(mf, nullptr, "marker '" + entry.first() + "' appears more than once");
    return false;
  }

private:
  void checkBlock(const MachineFunction &mf, const MachineBasicBlock &mbb,
                  StringMap<unsigned> &seen) {
    bool marked = false;
    for (const MachineInstr &mi : mbb) {
      if (mi.isInlineAsm()) {
        StringRef marker = getMarker(mi.getOperand(0).getSymbolName());
        if (marker.empty())
          continue;
        ++seen[marker];
        marked |= !marker.starts_with("join") && !marker.starts_with("mask");
      } else if (mi.isConditionalBranch()) {
        if (!marked)
          problem(mf, &mi, "conditional branch without a marker");
        marked = false;
      } else if (mi.isIndirectBranch()) {
        problem(mf, &mi, "indirect branch");
      } else if (mi.isCall()) {
        for (const MachineOperand &operand : mi.operands())
          if (operand.isSymbol())
            result.libcalls.try_emplace(operand.getSymbolName(), placeOf(mf, &mi));
      }
    }
  }

  static std::string placeOf(const MachineFunction &mf, const MachineInstr *mi) {
    std::string place = (" in '" + mf.getName() + "'").str();
    if (mi && mi->getDebugLoc())
      place += (" at " + mi->getDebugLoc()->getFilename() + ":").str() +
               std::to_string(mi->getDebugLoc().getLine());
    return place;
  }

  void problem(const MachineFunction &mf, const MachineInstr *mi, const Twine &what) {
    std::string line;
    raw_string_ostream os(line);
    os << what << placeOf(mf, mi);
    if (mi) {
      os << ": ";
      mi->print(os, /*IsStandalone=*/true, /*SkipOpers=*/false, /*SkipDebugLoc=*/true,
                /*AddNewLine=*/false);
    }
    result.problems.push_back(std::move(line));
  }

  static char id;
  BranchCheckResult &result;
};

char BranchCheck::id;

} // namespace

MachineFunctionPass *createBranchCheckPass(BranchCheckResult &result) {
  return new BranchCheck(result);
}

} // namespace vx
