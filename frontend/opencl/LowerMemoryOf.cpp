// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-opencl-lower-memory-of: which memory a generic pointer is to, for to_global() and its kind:
//
//   %m = call i32 @__vx_opencl_memory_of(ptr %p)
//
// becomes the number of an address space. Private variables may lie in any memory of the device, so
// an address does not tell. What the pointer comes from does: the number follows %p through casts,
// selections and joins of control flow. Only the address is known of a pointer that the kernel
// reads from memory: it says whether the memory is local or global. Functions that ask have been
// inlined into their kernels (vx-opencl-lower-arguments).

#include "frontend/opencl/Passes.h"
#include "intrinsics/opencl/Convention.h"
#include "lib/VortexIR/Analyses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace vx::opencl {
namespace {

constexpr unsigned kGeneric = 0, kGlobal = 1, kLocal = 3;

class MemoryOf {
public:
  explicit MemoryOf(Function &f) : f(f), i32(Type::getInt32Ty(f.getContext())) {}

  /// Returns the number of the address space that P points to, an i32.
  Value *of(Value *p) {
    if (unsigned space = p->getType()->getPointerAddressSpace(); space != kGeneric)
      return number(space);
    if (Value *known = memory.lookup(p))
      return known;
    Value *made = make(p);
    return memory.try_emplace(p, made).first->second; // there is one already if P leads to itself
  }

private:
  Value *number(unsigned space) { return ConstantInt::get(i32, space); }

  Value *make(Value *p) {
    if (isa<AllocaInst>(p))
      return number(kPrivateMemory);
    // A structure that is passed by value.
    if (auto *argument = dyn_cast<Argument>(p); argument && argument->hasByValAttr())
      return number(kPrivateMemory);
    if (auto *step = dyn_cast<GEPOperator>(p))
      return of(step->getPointerOperand());
    if (isa<AddrSpaceCastOperator, BitCastOperator, FreezeInst>(p))
      return of(cast<User>(p)->getOperand(0));
    if (auto *select = dyn_cast<SelectInst>(p)) {
      Value *yes = of(select->getTrueValue()), *no = of(select->getFalseValue());
      return IRBuilder<>(select).CreateSelect(select->getCondition(), yes, no);
    }
    if (auto *phi = dyn_cast<PHINode>(p)) {
      PHINode *made = IRBuilder<>(phi).CreatePHI(i32, phi->getNumIncomingValues());
      memory[phi] = made; // it may lead to itself
      for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
        made->addIncoming(of(value), block);
      return made;
    }
    return byAddress(p);
  }

  Value *byAddress(Value *p) {
    auto *i = dyn_cast<Instruction>(p);
    IRBuilder<> b(i ? &*i->getInsertionPointAfterDef().value() : &*f.getEntryBlock().begin());
    Value *isLocal = b.CreateIntrinsic(Intrinsic::nvvm_isspacep_shared, {p});
    return b.CreateSelect(isLocal, number(kLocal), number(kGlobal));
  }

  Function &f;
  Type *i32;
  DenseMap<Value *, Value *> memory;
};

void lower(Function &f, ArrayRef<CallInst *> calls) {
  MemoryOf memory(f);
  for (CallInst *call : calls) {
    call->replaceAllUsesWith(memory.of(call->getArgOperand(0)));
    call->eraseFromParent();
  }
}

} // namespace

PreservedAnalyses LowerMemoryOfPass::run(Module &m, ModuleAnalysisManager &mam) {
  Function *asked = m.getFunction(kMemoryOf);
  if (!asked || asked->use_empty())
    return PreservedAnalyses::all();
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(m).getManager();
  for (Function &f : m) {
    auto callsIn = [&] {
      SmallVector<CallInst *, 4> calls;
      for (Instruction &i : instructions(f))
        if (auto *call = dyn_cast<CallInst>(&i); call && call->getCalledFunction() == asked)
          calls.push_back(call);
      return calls;
    };
    if (callsIn().empty())
      continue;
    // Variables that hold pointers become values.
    fam.invalidate(f, SROAPass(SROAOptions::ModifyCFG).run(f, fam));
    lower(f, callsIn());
  }
  return PreservedAnalyses::none();
}

} // namespace vx::opencl
