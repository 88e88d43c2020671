// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-keep-accesses: in code for the checkers (module flag vx.forCheckers), every access of the
// source is there to be checked. Loads whose values are not used, stores that are overwritten and
// values that could stay in registers are kept: the accesses become volatile, with a mark that says
// that the source does not call them so (lib/VortexIR/SourceAccesses). Accesses to what no other
// thread sees
// - locals by their names, parameters, constants - stay as they are.
//
// What CUDA accesses as a vector, such as a float4, clang copies, and several accesses become of
// that. Hints in front of such a copy say what alignment it needs.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/CheckHints.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

/// Returns true for memory that is the thread's own or never written.
static bool isOfNoInterest(const Value *object) {
  if (isa<AllocaInst>(object))
    return true;
  if (const auto *g = dyn_cast<GlobalVariable>(object))
    return g->isConstant();
  const auto *argument = dyn_cast<Argument>(object);
  return argument && argument->hasByValAttr();
}

/// Says so if COPY reads or writes a vector at ADDRESS, or several, of alignment ALIGN.
static void hintVector(MemTransferInst &copy, Value *address, MaybeAlign align, unsigned what) {
  constexpr uint64_t kWidestWord = 4, kWidestVector = 16;
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  uint64_t bytes = std::min(align.valueOrOne().value(), kWidestVector);
  if (!length || bytes <= kWidestWord || length->getZExtValue() % bytes ||
      isOfNoInterest(getUnderlyingObject(address)))
    return;
  IRBuilder<> b(&copy);
  emitHint(b, VX_HINT_SIZE, b.getInt32(bytes));
  Value *generic = b.CreateAddrSpaceCast(address, b.getPtrTy());
  emitHint(b, what, b.CreatePtrToInt(generic, b.getInt64Ty()));
}

PreservedAnalyses KeepAccessesPass::run(Module &m, ModuleAnalysisManager &) {
  if (!deviceOption::forCheckers(m))
    return PreservedAnalyses::all();
  for (Function &f : m)
    for (Instruction &i : instructions(f)) {
      if (auto *copy = dyn_cast<MemTransferInst>(&i)) {
        hintVector(*copy, copy->getRawSource(), copy->getSourceAlign(), VX_HINT_VECTOR_READ);
        hintVector(*copy, copy->getRawDest(), copy->getDestAlign(), VX_HINT_VECTOR_WRITE);
      }
      const Value *address = getLoadStorePointerOperand(&i);
      if (address && !i.isVolatile() && !i.isAtomic() &&
          !isOfNoInterest(getUnderlyingObject(address)))
        markPlain(i);
    }
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
