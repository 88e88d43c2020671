// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/IRNames.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace vx {
namespace {

void setVolatile(Instruction &i, bool isVolatile) {
  if (auto *load = dyn_cast<LoadInst>(&i))
    load->setVolatile(isVolatile);
  else
    cast<StoreInst>(i).setVolatile(isVolatile);
}

} // namespace

bool isMarkedPlain(const Instruction &i) {
  return i.hasMetadata(kPlainMetadata);
}

bool isVolatileInSource(const Instruction &i) {
  return i.isVolatile() && !isMarkedPlain(i);
}

void markPlain(Instruction &i) {
  setVolatile(i, true);
  i.setMetadata(kPlainMetadata, MDNode::get(i.getContext(), {}));
}

void unmarkPlain(Instruction &i) {
  setVolatile(i, false);
  i.setMetadata(kPlainMetadata, nullptr);
}

} // namespace vx
