// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/opencl/Passes.h"

using namespace llvm;

namespace vx::opencl {

ArrayRef<LanguagePass> passes() {
  static constexpr LanguagePass rows[] = {
#define OPENCL_PASS(NAME, CLASS, SUMMARY)                                                          \
  {NAME, [](ModulePassManager &mpm) { mpm.addPass(CLASS()); }},
#include "frontend/opencl/Passes.def"
  };
  return rows;
}

} // namespace vx::opencl
