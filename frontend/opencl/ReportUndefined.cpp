// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-opencl-report-undefined: what a program uses and none of its sources defines is an error at
// the line of each use, in words of OpenCL; the passes after these would say it in CUDA's.
// What is left after the library has been linked has reserved names, with two underscores.
// Functions that no kernel leads to are not part of the program.

#include "frontend/opencl/Passes.h"
#include "lib/VortexIR/ReportUnsupported.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::opencl {
namespace {

/// printf, when vx-opencl-lower-printf is done with it.
constexpr StringLiteral kPrintf = "vprintf";

bool isReserved(StringRef name) {
  return name.starts_with("__") || name == kPrintf;
}

/// Visits the functions and variables that USER refers to and adds them to USED.
void addOperands(const User &user, SetVector<const GlobalValue *> &used,
                 function_ref<void(const GlobalValue &)> visit) {
  for (const Use &operand : user.operands())
    if (const auto *g = dyn_cast<GlobalValue>(operand)) {
      visit(*g);
      used.insert(g);
    } else if (isa<ConstantExpr, ConstantAggregate>(operand)) {
      addOperands(*cast<User>(operand), used, visit);
    }
}

void report(const Instruction &i, const GlobalValue &g) {
  if (!g.isDeclaration() || isReserved(g.getName()) || g.getName().starts_with("llvm."))
    return;
  std::string name = "'" + demangle(g.getName()) + "'";
  std::string what = isa<Function>(g) ? "function " + name +
                                            " is neither in this program nor in OpenCL C's library"
                                      : "variable " + name + " is not defined in this program";
  reportUnsupported(
      i, what + "; vxcc a.cl b.cl, or clLinkProgram, makes one program of several sources");
}

} // namespace

PreservedAnalyses ReportUndefinedPass::run(Module &m, ModuleAnalysisManager &) {
  SetVector<const GlobalValue *> used;
  for (const Function &f : m)
    if (f.getCallingConv() == CallingConv::PTX_Kernel)
      used.insert(&f);
  for (size_t next = 0; next != used.size(); ++next) {
    const GlobalValue *g = used[next]; // the set grows meanwhile
    if (const auto *f = dyn_cast<Function>(g))
      for (const Instruction &i : instructions(*f))
        addOperands(i, used, [&](const GlobalValue &to) { report(i, to); });
    else
      addOperands(*g, used, [](const GlobalValue &) {});
  }
  return PreservedAnalyses::all();
}

} // namespace vx::opencl
