// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/spirv/Replacements.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace vx::spirv {

Replacements::Replacements(Module &m) {
  for (GlobalVariable &g : m.globals())
    globals.push_back({&g, nullptr});
  for (Function &f : m)
    functions.push_back({&f, nullptr});
}

void Replacements::finish(Module &m) {
  auto handOver = [](auto &pairs) {
    for (auto [before, now] : pairs) {
      // This is not takeName(): a function would not learn that it is an intrinsic.
      std::string name = before->getName().str();
      before->setName("");
      now->setName(name);
      before->dropAllReferences();
    }
  };
  handOver(globals);
  handOver(functions);
  for (auto [before, now] : functions)
    before->eraseFromParent();
  for (auto [before, now] : globals) {
    before->removeDeadConstantUsers();
    before->eraseFromParent();
  }
  for (Function &f : make_early_inc_range(m))
    if (auto renamed = Intrinsic::remangleIntrinsicFunction(&f)) {
      f.replaceAllUsesWith(*renamed);
      f.eraseFromParent();
    }
}

} // namespace vx::spirv
