// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-version-entries: an entry of the host with vectors of more than 256 bits has two versions, for
// CPUs with AVX2 and with AVX-512, and is a function that calls the one that the worker names
// (intrinsics/abi/HostWorker.h). It comes last: both are the same code up to code generation.

#include "intrinsics/abi/HostWorker.h"
#include "lib/VortexIR/IRNames.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "passes/lower/HostWorkerAccess.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

static bool hasLongVectors(const Function &f) {
  return any_of(instructions(f), [](const Instruction &i) {
    const auto *type = dyn_cast<FixedVectorType>(i.getType());
    return type && type->getPrimitiveSizeInBits() > 256;
  });
}

static void version(Function &f) {
  std::string name = f.getName().str();
  ValueToValueMapTy map;
  Function *wide = CloneFunction(&f, map);
  wide->addFnAttr("target-cpu", "x86-64-v4");
  wide->addFnAttr("prefer-vector-width", "512");
  Function *entry = Function::Create(f.getFunctionType(), f.getLinkage(), "", f.getParent());
  entry->copyAttributesFrom(&f);
  entry->takeName(&f);
  f.replaceAllUsesWith(entry);
  for (auto [body, suffix] : {std::pair(&f, ".v3"), std::pair(wide, ".v4")}) {
    body->setName(name + suffix);
    body->setLinkage(GlobalValue::InternalLinkage);
    body->removeFnAttr(kEntryAttr);
    body->addFnAttr(Attribute::NoInline);
  }
  IRBuilder<> b(BasicBlock::Create(f.getContext(), "", entry));
  Value *bits =
      b.CreateLoad(b.getInt64Ty(), hostWorkerField(b, offsetof(abi::HostWorker, vectorBits)));
  auto *whenWide = BasicBlock::Create(f.getContext(), "", entry),
       *other = BasicBlock::Create(f.getContext(), "", entry);
  b.CreateCondBr(b.CreateICmpUGE(bits, b.getInt64(512)), whenWide, other);
  for (auto [block, body] : {std::pair(whenWide, wide), std::pair(other, &f)}) {
    b.SetInsertPoint(block);
    b.CreateCall(body, {entry->getArg(0)})->setTailCall();
    b.CreateRetVoid();
  }
}

PreservedAnalyses VersionEntriesPass::run(Module &m, ModuleAnalysisManager &) {
  SmallVector<Function *, 8> entries;
  for (Function &f : m)
    if (!f.isDeclaration() && f.hasFnAttribute(kEntryAttr) && hasLongVectors(f))
      entries.push_back(&f);
  for (Function *f : entries)
    version(*f);
  return entries.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace vx
