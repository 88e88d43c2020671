// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/CallTargets.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace vx {
namespace {

bool hasTypeOf(const Function &f, const CallBase &call) {
  const FunctionType &called = *call.getFunctionType(), &type = *f.getFunctionType();
  if (called.params() != type.params() || called.isVarArg() != type.isVarArg())
    return false;
  if (called.getReturnType() != type.getReturnType() && !call.use_empty())
    return false;
  // A structure is passed in its own way.
  return all_of(f.args(), [&](const Argument &a) {
    return a.getParamByValType() == call.getParamByValType(a.getArgNo());
  });
}

/// Returns the functions that metadata of CALL names, if there is any.
std::optional<Functions> getNamed(const CallBase &call) {
  const MDNode *callees = call.getMetadata(LLVMContext::MD_callees);
  if (!callees)
    return std::nullopt;
  Functions named;
  for (const MDOperand &op : callees->operands())
    if (auto *f = mdconst::dyn_extract_or_null<Function>(op))
      named.push_back(f);
  return named;
}

CallInst &callDirectly(IRBuilderBase &b, const CallInst &call, Function &target) {
  if (call.getFunctionType() == target.getFunctionType()) {
    auto *direct = cast<CallInst>(call.clone());
    direct->setCalledFunction(&target);
    direct->setMetadata(LLVMContext::MD_callees, nullptr);
    b.Insert(direct);
    return *direct;
  }
  SmallVector<Value *, 8> args(call.args());
  CallInst *direct = b.CreateCall(&target, args);
  // What is known of the result is of another one.
  direct->setAttributes(
      call.getAttributes().removeAttributesAtIndex(call.getContext(), AttributeList::ReturnIndex));
  direct->setCallingConv(target.getCallingConv());
  return *direct;
}

} // namespace

bool isThroughPointer(const Value &v) {
  const auto *call = dyn_cast<CallInst>(&v);
  return call && call->isIndirectCall() && !call->isInlineAsm();
}

CallTargets::CallTargets(const Module &m) {
  for (const Function &f : m)
    if (!f.isIntrinsic() && !f.isDeclaration() && !isKernel(f) && f.hasAddressTaken())
      addressTaken.push_back(const_cast<Function *>(&f));
}

Functions CallTargets::of(const CallBase &call) const {
  if (Function *f = call.getCalledFunction())
    return {f};
  if (!isThroughPointer(call))
    return {};
  if (std::optional<Functions> named = getNamed(call))
    return *named;
  Functions targets;
  copy_if(addressTaken, std::back_inserter(targets),
          [&](const Function *f) { return hasTypeOf(*f, call); });
  return targets;
}

SmallVector<CallInst *, 8> expandCall(CallInst &call, ArrayRef<Function *> direct,
                                      ArrayRef<Function *> rest) {
  SmallVector<CallInst *, 8> calls;
  BasicBlock *after = SplitBlock(call.getParent(), &call);
  BasicBlock *test = after->getSinglePredecessor();
  Function &f = *call.getFunction();
  LLVMContext &ctx = f.getContext();
  IRBuilder<> b(ctx);
  b.SetCurrentDebugLocation(call.getDebugLoc());
  PHINode *result = nullptr;
  if (!call.getType()->isVoidTy() && !call.use_empty())
    result = PHINode::Create(call.getType(), direct.size() + 1, "called", after->begin());
  test->getTerminator()->eraseFromParent();
  for (Function *target : direct) {
    auto *hit = BasicBlock::Create(ctx, "call." + target->getName(), &f, after);
    auto *next = BasicBlock::Create(ctx, "call.next", &f, after);
    b.SetInsertPoint(test);
    b.CreateCondBr(b.CreateICmpEQ(call.getCalledOperand(), target), hit, next);
    b.SetInsertPoint(hit);
    calls.push_back(&callDirectly(b, call, *target));
    b.CreateBr(after);
    if (result)
      result->addIncoming(calls.back(), hit);
    test = next;
  }
  b.SetInsertPoint(test);
  if (rest.empty()) {
    emitCall(b, VxFn::Trap);
  } else {
    SmallVector<Metadata *, 8> callees;
    for (Function *target : rest)
      callees.push_back(ConstantAsMetadata::get(target));
    call.moveBefore(*test, test->end());
    call.setMetadata(LLVMContext::MD_callees, MDNode::get(ctx, callees));
  }
  b.SetInsertPoint(test);
  b.CreateBr(after);
  if (result) {
    call.replaceAllUsesWith(result);
    result->addIncoming(rest.empty() ? PoisonValue::get(call.getType()) : cast<Value>(&call), test);
  }
  if (rest.empty())
    call.eraseFromParent();
  return calls;
}

Function &makeExpandedCall(const CallInst &call, ArrayRef<Function *> direct,
                           ArrayRef<Function *> rest) {
  LLVMContext &ctx = call.getContext();
  SmallVector<Type *, 8> params{call.getCalledOperand()->getType()};
  append_range(params, call.getFunctionType()->params());
  Function *made = Function::Create(FunctionType::get(call.getType(), params, false),
                                    GlobalValue::InternalLinkage, "call.through",
                                    const_cast<Module *>(call.getModule()));
  for (StringRef kind : {"target-cpu", "target-features"})
    if (Attribute a = direct.front()->getFnAttribute(kind); a.isValid())
      made->addFnAttr(a);
  made->addFnAttrs(
      AttrBuilder(ctx).addAttribute(Attribute::Convergent).addAttribute(Attribute::NoUnwind));
  IRBuilder<> b(BasicBlock::Create(ctx, "entry", made));
  auto *through = cast<CallInst>(call.clone());
  through->setDebugLoc(DebugLoc());
  through->setCalledOperand(made->getArg(0));
  for (unsigned n = 0; n < call.arg_size(); ++n)
    through->setArgOperand(n, made->getArg(n + 1));
  b.Insert(through);
  if (call.getType()->isVoidTy())
    b.CreateRetVoid();
  else
    b.CreateRet(through);
  expandCall(*through, direct, rest);
  return *made;
}

void replaceByTrap(Function &f) {
  GlobalValue::LinkageTypes linkage = f.getLinkage();
  f.deleteBody();
  f.setLinkage(linkage);
  // What the optimizer found out about the body.
  f.setMemoryEffects(MemoryEffects::unknown());
  f.removeFnAttr(Attribute::WillReturn);
  IRBuilder<> b(BasicBlock::Create(f.getContext(), "entry", &f));
  emitCall(b, VxFn::Trap);
  b.CreateUnreachable();
}

} // namespace vx
