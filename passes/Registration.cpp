// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/Passes.h"
#include "passes/Stages.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace vx {

void registerPasses(PassBuilder &pb) {
  registerStages(pb);
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  pb.registerPipelineParsingCallback([](StringRef name, ModulePassManager &pm, Elements) {
#define MODULE_PASS(NAME, CLASS, SUMMARY)                                                          \
  if (name == NAME) {                                                                              \
    pm.addPass(CLASS());                                                                           \
    return true;                                                                                   \
  }
#include "passes/PassRegistry.def"
    return false;
  });
  pb.registerPipelineParsingCallback([](StringRef name, FunctionPassManager &pm, Elements) {
#define FUNCTION_PASS(NAME, CLASS, SUMMARY)                                                        \
  if (name == NAME) {                                                                              \
    pm.addPass(CLASS());                                                                           \
    return true;                                                                                   \
  }
#include "passes/PassRegistry.def"
    return false;
  });
}

void printPasses(raw_ostream &os) {
#define MODULE_PASS(NAME, CLASS, SUMMARY) os << format("%-30s ", NAME) << SUMMARY << "\n";
#define FUNCTION_PASS(NAME, CLASS, SUMMARY) os << format("%-30s ", NAME) << SUMMARY << "\n";
#include "passes/PassRegistry.def"
#define MACHINE_PASS(NAME, CREATE, SUMMARY) os << format("%-30s ", NAME) << SUMMARY << "\n";
#include "passes/MachinePassRegistry.def"
  printStages(os);
}

} // namespace vx
