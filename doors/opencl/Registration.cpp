// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "doors/opencl/Passes.h"

using namespace llvm;

namespace vx::opencl {

ArrayRef<DoorPass> passes() {
  static constexpr DoorPass rows[] = {
#define OPENCL_PASS(NAME, CLASS, SUMMARY)                                                          \
  {NAME, [](ModulePassManager &mpm) { mpm.addPass(CLASS()); }},
#include "doors/opencl/Passes.def"
  };
  return rows;
}

} // namespace vx::opencl
