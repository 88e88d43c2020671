// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/SharedPointers.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

/// Returns what ADDRESS may point into.
SmallVector<const Value *, 4> objectsOf(const Value *address) {
  SmallVector<const Value *, 4> found;
  getUnderlyingObjects(address, found, nullptr, /*MaxLookup=*/0);
  return found;
}

/// Returns true for a variable with a name of its own: memory that is reached in no other way,
/// unless it escapes.
bool isVariable(const Value *v) {
  const auto *argument = dyn_cast<Argument>(v);
  return isa<AllocaInst>(v) || isa<GlobalVariable>(v) || (argument && argument->hasByValAttr());
}

/// Returns true if the address of the variable V is used for more than accesses of it.
bool escapes(const Value *v) {
  if (isa<GlobalVariable>(v))
    return true;
  SmallPtrSet<const Value *, 8> seen;
  SmallVector<const Value *, 8> work{v};
  while (!work.empty()) {
    const Value *address = work.pop_back_val();
    for (const User *user : address->users()) {
      const auto *i = dyn_cast<Instruction>(user);
      if (!i)
        return true;
      if (isa<LoadInst>(i) || isa<ICmpInst>(i) || isa<MemIntrinsic>(i) || i->isLifetimeStartOrEnd())
        continue;
      if (const auto *store = dyn_cast<StoreInst>(i); store && store->getValueOperand() != address)
        continue;
      if (!isa<GetElementPtrInst>(i) && !isa<CastInst>(i) && !isa<PHINode>(i) &&
          !isa<SelectInst>(i))
        return true;
      if (seen.insert(i).second)
        work.push_back(i);
    }
  }
  return false;
}

/// Returns what an atomic RMW or exchange writes; null for other instructions.
const Value *valueExchanged(const Instruction &i) {
  if (const auto *rmw = dyn_cast<AtomicRMWInst>(&i))
    return rmw->getValOperand();
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&i))
    return exchange->getNewValOperand();
  return nullptr;
}

/// Returns true if a value of TYPE has room for an address. Shared addresses are kept in 32 bits,
/// too, but as offsets, to which the base of shared memory is added again (vx-import-nvvm).
bool canHoldAddress(const Type &type) {
  return !type.isFloatingPointTy() && !(type.isIntegerTy() && type.getIntegerBitWidth() < 64);
}

const Value *addressOf(const Instruction &i) {
  return MemoryLocation::get(&i).Ptr;
}

} // namespace

bool hasVolatileAccesses(const Module &m) {
  return any_of(m, [](const Function &f) {
    return any_of(instructions(f), [](const Instruction &i) {
      return getLoadStorePointerOperand(&i) && isVolatileInSource(i);
    });
  });
}

SharedPointers::SharedPointers(const Module &m) {
  for (const GlobalVariable &g : m.globals())
    if (g.getAddressSpace() == kSharedAS)
      add(&g);
  auto isShared = [](const Value &v) {
    return v.getType()->isPointerTy() && v.getType()->getPointerAddressSpace() == kSharedAS;
  };
  for (const Function &f : m) {
    if (f.hasAddressTaken() && !f.isDeclaration())
      callees.push_back(&f);
    for (const Argument &argument : f.args())
      if (isShared(argument))
        add(&argument);
    for (const Instruction &i : instructions(f)) {
      if (isShared(i) || getVxFn(&i) == VxFn::SharedBase)
        add(&i);
      if (isa<LoadInst>(i) || isa<MemTransferInst>(i) || valueExchanged(i))
        readers.push_back(&i);
      const auto *call = dyn_cast<CallBase>(&i);
      if (call && call->isIndirectCall())
        indirectCalls.push_back(call);
    }
  }
  do
    follow();
  while (followMemory());
}

void SharedPointers::add(const Value *v) {
  if (!v->getType()->isVoidTy() && values.insert(v).second)
    work.push_back(v);
}

void SharedPointers::follow() {
  while (!work.empty()) {
    const Value *v = work.pop_back_val();
    for (const User *user : v->users())
      if (const auto *i = dyn_cast<Instruction>(user))
        followInto(*i, *v);
      else if (const auto *variable = dyn_cast<GlobalVariable>(user)) // its initial value
        addMemory(variable);
      else
        add(user);
  }
}

void SharedPointers::followInto(const Instruction &user, const Value &v) {
  if (const auto *store = dyn_cast<StoreInst>(&user)) {
    if (store->getValueOperand() == &v)
      addMemory(store->getPointerOperand());
  } else if (const Value *exchanged = valueExchanged(user)) {
    if (exchanged == &v)
      addMemory(addressOf(user));
  } else if (isa<ReturnInst>(user)) {
    followReturn(*user.getFunction());
  } else if (const auto *call = dyn_cast<CallBase>(&user)) {
    followCall(*call, v);
  } else if (const auto *gep = dyn_cast<GetElementPtrInst>(&user)) {
    if (gep->getPointerOperand() == &v)
      add(gep);
  } else if (!isa<LoadInst>(user) && !isa<CmpInst>(user)) {
    add(&user);
  }
}

void SharedPointers::followCall(const CallBase &call, const Value &v) {
  if (isa<MemIntrinsic>(call))
    return;
  const Function *callee = call.getCalledFunction();
  if (call.isIndirectCall()) {
    for (const Function *f : callees)
      addArgument(*f, call, v);
  } else if (callee && !callee->isDeclaration()) {
    addArgument(*callee, call, v);
  } else {
    add(&call);
  }
}

/// Notes that CALL may pass V to CALLEE.
void SharedPointers::addArgument(const Function &callee, const CallBase &call, const Value &v) {
  for (const Use &argument : call.args()) {
    unsigned number = call.getArgOperandNo(&argument);
    if (argument.get() == &v && number < callee.arg_size())
      add(callee.getArg(number));
  }
}

void SharedPointers::followReturn(const Function &f) {
  for (const User *user : f.users())
    if (const auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &f)
      add(call);
  if (is_contained(callees, &f))
    for (const CallBase *call : indirectCalls)
      add(call);
}

/// Notes that an address in shared memory may be stored at ADDRESS. Returns true if that is news.
bool SharedPointers::addMemory(const Value *address) {
  bool changed = false;
  for (const Value *object : objectsOf(address)) {
    bool known = isVariable(object);
    if (known)
      changed |= objects.insert(object).second;
    if ((!known || escapes(object)) && !anywhere)
      changed = anywhere = true;
  }
  return changed;
}

/// Returns true if an address in shared memory may be read from ADDRESS.
bool SharedPointers::mayHoldAddress(const Value *address) const {
  return any_of(objectsOf(address), [&](const Value *object) {
    if (!isVariable(object))
      return anywhere;
    return objects.contains(object) || (anywhere && escapes(object));
  });
}

/// Adds what reads memory that may hold such an address; true if there is something to follow.
bool SharedPointers::followMemory() {
  if (objects.empty() && !anywhere)
    return false;
  bool changed = false;
  for (const Instruction *reader : readers) {
    if (const auto *copy = dyn_cast<MemTransferInst>(reader)) {
      if (mayHoldAddress(copy->getSource()))
        changed |= addMemory(copy->getDest());
    } else if (canHoldAddress(*reader->getType()) && !values.contains(reader) &&
               mayHoldAddress(addressOf(*reader))) {
      add(reader);
      changed = true;
    }
  }
  return changed;
}

} // namespace vx
