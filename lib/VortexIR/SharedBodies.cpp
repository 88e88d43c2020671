// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/SharedBodies.h"
#include "lib/VortexIR/IterativeFunction.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns the functions of CALLERS that KERNEL leads to.
Functions findReached(Function &kernel, const TransitiveCallers &callers) {
  SetVector<Function *> reached;
  auto visit = [&](Function &f) { reached.insert_range(callers.calledFrom(f)); };
  visit(kernel);
  for (unsigned i = 0; i < reached.size(); ++i)
    visit(*reached[i]);
  return Functions(reached.begin(), reached.end());
}

/// Counts the instructions of functions with all that is inlined into them.
class InlinedSize {
public:
  explicit InlinedSize(const TransitiveCallers &callers) : callers(callers) {}

  /// Returns the size of F with what it calls. A call that is recursive counts as one instruction.
  uint64_t of(const Function &f) {
    auto [known, isNew] = sizes.insert({&f, 0});
    if (!isNew)
      return known->second;
    uint64_t size = f.getInstructionCount();
    for (const Instruction &i : instructions(f))
      for (const Function *callee : callers.calledBy(i))
        size = SaturatingAdd(size, of(*callee));
    return sizes[&f] = size;
  }

private:
  const TransitiveCallers &callers;
  DenseMap<const Function *, uint64_t> sizes;
};

bool isTooLarge(const Function &kernel, ArrayRef<Function *> reached,
                const TransitiveCallers &callers, const InlineLimits &limits) {
  uint64_t once = 0;
  for (const Function *f : reached)
    once += f->getInstructionCount();
  uint64_t copies = InlinedSize(callers).of(kernel) - kernel.getInstructionCount();
  return copies > limits.instructions && copies > limits.copies * once;
}

/// Moves the body of KERNEL into a function that it calls, and returns the call.
CallInst &outlineBody(Function &kernel) {
  auto *body = Function::Create(kernel.getFunctionType(), GlobalValue::InternalLinkage,
                                kernel.getName() + ".body", kernel.getParent());
  for (StringRef kind : {"target-cpu", "target-features"})
    if (Attribute a = kernel.getFnAttribute(kind); a.isValid())
      body->addFnAttr(a);
  body->addFnAttr(Attribute::Convergent);
  body->addFnAttr(Attribute::NoUnwind);
  body->splice(body->end(), &kernel);
  for (auto [mine, its] : zip(kernel.args(), body->args()))
    mine.replaceAllUsesWith(&its);
  IRBuilder<> b(BasicBlock::Create(kernel.getContext(), "entry", &kernel));
  SmallVector<Value *, 8> args(llvm::make_pointer_range(kernel.args()));
  CallInst *call = b.CreateCall(body, args);
  b.CreateRetVoid();
  return *call;
}

/// Marks code of other functions as inlined in KERNEL, whose calls of them are gone.
void mendLocations(Function &kernel) {
  DISubprogram *own = kernel.getSubprogram();
  if (!own)
    return;
  LLVMContext &ctx = kernel.getContext();
  DILocation *at = DILocation::getDistinct(ctx, own->getLine(), 0, own);
  DenseMap<const MDNode *, MDNode *> cache;
  auto mended = [&](const DebugLoc &loc) -> DebugLoc {
    if (!loc || loc->getInlinedAtScope()->getSubprogram() == own)
      return loc;
    return DILocation::get(ctx, loc.getLine(), loc.getCol(), loc.getScope(),
                           DebugLoc::appendInlinedAt(loc, at, ctx, cache));
  };
  for (Instruction &i : instructions(kernel)) {
    i.setDebugLoc(mended(i.getDebugLoc()));
    for (DbgRecord &record : i.getDbgRecordRange())
      record.setDebugLoc(mended(record.getDebugLoc()));
    updateLoopMetadataDebugLocations(i, [&](Metadata *operand) -> Metadata * {
      auto *location = dyn_cast_or_null<DILocation>(operand);
      return location ? mended(location).get() : operand;
    });
  }
}

} // namespace

bool shareBodies(Function &kernel, const TransitiveCallers &callers, const InlineLimits &limits) {
  Functions members = findReached(kernel, callers);
  if (!isTooLarge(kernel, members, callers, limits) || findWithoutFrame(members))
    return false;
  CallInst &call = outlineBody(kernel);
  Function *body = call.getCalledFunction();
  members.push_back(body);
  Function &made = makeIterative(*body, members);
  call.setCalledFunction(&made);
  InlineFunctionInfo info;
  InlineFunction(call, info);
  mendLocations(kernel);
  body->eraseFromParent();
  made.eraseFromParent();
  return true;
}

} // namespace vx
