// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/PublishCoordinates.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

using abi::ThreadControlBlock;

static bool readsContext(const Instruction &i) {
  if (auto fn = getVxFn(&i)) {
    // Members of any mask look for those above them (vx-expand-warp-functions).
    if (isReduction(*fn))
      return true;
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
  return any_of(i.operands(), [](const Use &u) { return refersToShared(u); });
}

SetVector<Function *> findContextReaders(Module &m) {
  SetVector<Function *> readers;
  for (Function &f : m)
    if (!isKernel(f) && any_of(instructions(f), [](const Instruction &i) {
          const auto *call = dyn_cast<CallBase>(&i);
          return readsContext(i) || (call && call->isIndirectCall() && !call->isInlineAsm());
        }))
      readers.insert(&f);
  for (unsigned i = 0; i < readers.size(); ++i)
    for (User *user : readers[i]->users())
      if (auto *call = dyn_cast<CallBase>(user))
        if (!isKernel(*call->getFunction()))
          readers.insert(call->getFunction());
  return readers;
}

static void publish(Instruction &before) {
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

bool publishCoordinates(Function &kernel, const SetVector<Function *> &readers,
                        const SmallPtrSetImpl<CallBase *> &published) {
  SmallVector<CallBase *, 8> calls;
  for (Instruction &i : instructions(kernel))
    if (auto *call = dyn_cast<CallBase>(&i);
        call && !call->isInlineAsm() && !published.contains(call))
      if (call->isIndirectCall() || readers.contains(call->getCalledFunction()))
        calls.push_back(call);
  for (CallBase *call : calls)
    publish(*call);
  return !calls.empty();
}

} // namespace vx
