// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-locate-headers: what clang's headers do for a call in the program is of the line of that call,
// as what the CUDA headers do is.

#include "passes/Passes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace vx {

static bool isOfHeaders(const DILocation &at) {
  return sys::path::filename(at.getFilename()).starts_with("__clang_cuda");
}

PreservedAnalyses LocateHeadersPass::run(Function &f, FunctionAnalysisManager &) {
  for (Instruction &i : instructions(f)) {
    DILocation *at = i.getDebugLoc();
    while (at && at->getInlinedAt() && isOfHeaders(*at))
      at = at->getInlinedAt();
    i.setDebugLoc(DebugLoc(at));
  }
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
