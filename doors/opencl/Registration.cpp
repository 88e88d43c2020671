// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/opencl/Passes.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace vx::opencl {

void addPasses(ModulePassManager &mpm) {
#define OPENCL_PASS(NAME, CLASS, SUMMARY) mpm.addPass(CLASS());
#include "doors/opencl/Passes.def"
}

void registerPasses(PassBuilder &pb) {
  using Elements = ArrayRef<PassBuilder::PipelineElement>;
  pb.registerPipelineParsingCallback([](StringRef name, ModulePassManager &pm, Elements) {
#define OPENCL_PASS(NAME, CLASS, SUMMARY)                                                          \
  if (name == NAME) {                                                                              \
    pm.addPass(CLASS());                                                                           \
    return true;                                                                                   \
  }
#include "doors/opencl/Passes.def"
    return false;
  });
}

} // namespace vx::opencl
