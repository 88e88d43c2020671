// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-prepare-kernels: what a kernel needs before it is mapped.
//
// - A by-value struct parameter that the kernel writes or whose address it lets go of is copied to
//   the thread's own memory; one that is only read stays in the argument block.
// - Before a call of a function that asks for thread or block coordinates (or calls through a
//   pointer), the kernel publishes its own in the lane's control block, where such functions look
//   for them (vx-lower-functions).

#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

using abi::ThreadControlBlock;

/// True if everything done with pointer P is reading through it.
bool isOnlyRead(const Value *p) {
  for (const User *user : p->users()) {
    if (isa<LoadInst>(user))
      continue;
    if (const auto *copy = dyn_cast<MemTransferInst>(user); copy && copy->getRawSource() == p &&
                                                            copy->getRawDest() != p)
      continue;
    if ((isa<GetElementPtrInst>(user) || isa<AddrSpaceCastInst>(user)) && isOnlyRead(user))
      continue;
    return false;
  }
  return true;
}

bool copyByValParams(Function &kernel) {
  bool changed = false;
  const DataLayout &dl = kernel.getDataLayout();
  IRBuilder<> b(&*kernel.getEntryBlock().getFirstInsertionPt());
  for (Argument &arg : kernel.args()) {
    if (!arg.hasByValAttr() || isOnlyRead(&arg))
      continue;
    Type *type = arg.getParamByValType();
    Align align = arg.getParamAlign().value_or(dl.getABITypeAlign(type));
    AllocaInst *copy = b.CreateAlloca(type, nullptr, arg.getName() + ".copy");
    copy->setAlignment(align);
    arg.replaceAllUsesWith(copy);
    b.CreateMemCpy(copy, align, &arg, align, dl.getTypeAllocSize(type).getFixedValue());
    changed = true;
  }
  return changed;
}

bool readsContext(const Instruction &i) {
  if (auto fn = getVxFn(&i)) {
    switch (*fn) {
    case VxFn::ThreadIdxX:
    case VxFn::ThreadIdxY:
    case VxFn::ThreadIdxZ:
    case VxFn::BlockIdxX:
    case VxFn::BlockIdxY:
    case VxFn::BlockIdxZ:
    case VxFn::LaneId:
    case VxFn::WarpId:
    case VxFn::SharedBase:
      return true;
    default:
      return false;
    }
  }
  for (const Value *operand : i.operands()) {
    const auto *g = dyn_cast<GlobalVariable>(operand->stripPointerCasts());
    if (g && g->getAddressSpace() == kSharedAS)
      return true;
  }
  return false;
}

/// Non-kernel functions that read coordinates, directly or through what they call.
SetVector<const Function *> findContextReaders(const Module &m) {
  SetVector<const Function *> readers;
  for (const Function &f : m)
    if (!isKernel(f) && any_of(instructions(f), [](const Instruction &i) {
          const auto *call = dyn_cast<CallBase>(&i);
          return readsContext(i) || (call && call->isIndirectCall() && !call->isInlineAsm());
        }))
      readers.insert(&f);
  for (unsigned i = 0; i < readers.size(); ++i)
    for (const User *user : readers[i]->users())
      if (const auto *call = dyn_cast<CallBase>(user))
        if (!isKernel(*call->getFunction()))
          readers.insert(call->getFunction());
  return readers;
}

void publish(Instruction &before) {
  IRBuilder<> b(&before);
  auto store = [&](VxFn fn, uint64_t offset) {
    b.CreateStore(emitCall(b, fn), tcbAddress(b, offset));
  };
  constexpr uint64_t tid = offsetof(ThreadControlBlock, threadIdx);
  constexpr uint64_t bid = offsetof(ThreadControlBlock, blockIdx);
  store(VxFn::ThreadIdxX, tid);
  store(VxFn::ThreadIdxY, tid + 4);
  store(VxFn::ThreadIdxZ, tid + 8);
  store(VxFn::BlockIdxX, bid);
  store(VxFn::BlockIdxY, bid + 4);
  store(VxFn::BlockIdxZ, bid + 8);
  Value *shared = b.CreatePtrToInt(emitCall(b, VxFn::SharedBase), b.getInt64Ty());
  b.CreateStore(shared, tcbAddress(b, offsetof(ThreadControlBlock, sharedBase)));
}

} // namespace

PreservedAnalyses PrepareKernelsPass::run(Module &m, ModuleAnalysisManager &) {
  bool changed = false;
  SetVector<const Function *> readers = findContextReaders(m);
  for (Function &f : m) {
    if (!isKernel(f) || f.isDeclaration())
      continue;
    changed |= copyByValParams(f);
    SmallVector<CallBase *, 8> calls;
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&i); call && !call->isInlineAsm())
        if (call->isIndirectCall() || readers.contains(call->getCalledFunction()))
          calls.push_back(call);
    for (CallBase *call : calls)
      publish(*call);
    changed |= !calls.empty();
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace vx
