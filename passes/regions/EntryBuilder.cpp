// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/EntryBuilder.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/HostWorker.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/PRTransform/ThreadCoordinates.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "passes/regions/KernelInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace vx {

using abi::LaunchDescriptor;

bool usesFn(const Function &f, VxFn fn) {
  return any_of(instructions(f), [&](const Instruction &i) { return getVxFn(&i) == fn; });
}

bool usesShared(const Function &kernel) {
  bool anywhere = any_of(kernel.getParent()->globals(), [](const GlobalVariable &g) {
    return g.getAddressSpace() == kSharedAS && !g.use_empty();
  });
  return anywhere && any_of(instructions(kernel), [](const Instruction &i) {
           const auto *call = dyn_cast<CallBase>(&i);
           bool unknown =
               call && !call->isInlineAsm() && !isa<IntrinsicInst>(call) && !getVxFn(call);
           return unknown || any_of(i.operands(), [](const Use &u) { return refersToShared(u); });
         });
}

/// The block that the running worker shares with the runtime; its first member is the control
/// block.
static Value *worker(IRBuilderBase &b) {
  return tcbAddress(b, 0);
}

EntryBuilder::EntryBuilder(Function &kernel, StringRef suffix, bool needsTail, bool guardReuse,
                           bool grouped)
    : m(*kernel.getParent()), ctx(m.getContext()), b(ctx), kernel(kernel), needsTail(needsTail),
      guardReuse(guardReuse), grouped(grouped) {
  entry = Function::Create(FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                           GlobalValue::ExternalLinkage,
                           "__vx_entry." + suffix + "." + kernel.getName(), &m);
  entry->addFnAttr(kEntryAttr);
  entry->addFnAttr(Attribute::NoUnwind);
  entry->addParamAttr(0, Attribute::ReadOnly);
  desc = entry->getArg(0);
  desc->setName("desc");
}

Function *EntryBuilder::buildDirect() {
  openSlot();
  auto *run = block("threads");
  b.CreateCondBr(b.CreateICmpULT(linear, count, "active"), run, done);
  b.SetInsertPoint(run);
  emitHint(b, VX_HINT_THREAD, linear);
  BasicBlock *coordinatesAt = run;
  openBlocks();
  emitBody(kernel, {});
  closeBlocks();
  return finish(coordinatesAt, linear);
}

Function *EntryBuilder::buildChunked() {
  openSlot();
  openBlocks();
  BasicBlock *pre = b.GetInsertBlock();
  auto *header = block("chunks"), *body = block("chunk"), *after = block("chunks.end");
  b.CreateBr(header);
  b.SetInsertPoint(header);
  PHINode *thread = b.CreatePHI(b.getInt32Ty(), 2, "thread");
  thread->addIncoming(linear, pre);
  b.CreateCondBr(b.CreateICmpULT(thread, count), body, after);
  b.SetInsertPoint(body);
  emitHint(b, VX_HINT_THREAD, thread);
  auto *inner = block("chunk.body");
  b.CreateBr(inner);
  b.SetInsertPoint(inner);
  emitBody(kernel, {});
  thread->addIncoming(b.CreateNUWAdd(thread, step), b.GetInsertBlock());
  b.CreateBr(header);
  b.SetInsertPoint(after);
  closeBlocks();
  return finish(body, thread);
}

Function *EntryBuilder::buildRegions(Function &regions) {
  openSlot();
  emitRegions(regions, contextOf(slotInGrid), b.getInt64(1), b.getInt64(0));
  return finish(nullptr, nullptr);
}

Function *EntryBuilder::buildSerial(Function &regions) {
  openSerialSlot();
  // The contexts of a hardware warp are interleaved. Each core has room for whole hardware warps.
  Value *lanes = b.CreateZExt(csr32(VX_CSR_NUM_THREADS), i64());
  Value *lane = b.CreateZExt(csr32(VX_CSR_THREAD_ID), i64());
  Value *slots =
      b.CreateZExt(load(offsetof(LaunchDescriptor, blocksPerCore), b.getInt32Ty()), i64());
  Value *warps = b.CreateUDiv(b.CreateAdd(slots, b.CreateSub(lanes, b.getInt64(1))), lanes);
  Value *warp = b.CreateAdd(b.CreateMul(b.CreateZExt(csr32(VX_CSR_CORE_ID), i64()), warps),
                            b.CreateZExt(csr32(VX_CSR_WARP_ID), i64()));
  emitRegions(regions, contextOf(b.CreateMul(warp, lanes)), lanes, lane);
  return finish(nullptr, nullptr);
}

Function *EntryBuilder::buildForHost(Function &regions) {
  openHostBlock();
  Value *context = loadPointerField(b, worker(b), offsetof(abi::HostWorker, context), "context");
  emitRegions(regions, context, b.getInt64(1), b.getInt64(0));
  return finish(nullptr, nullptr);
}

/// The region form in the loop over blocks. CONTEXT belongs to INTERLEAVE hardware threads, of
/// which this one has number INTERLEAVED.
void EntryBuilder::emitRegions(Function &regions, Value *context, Value *interleave,
                               Value *interleaved) {
  Value *room = b.CreateAnd(b.CreateAdd(count, b.getInt32(31)), b.getInt32(~31u));
  openBlocks();
  emitBody(regions,
           {linear, step, count, context, room, interleave, interleaved, barrierId, barrierCount});
  closeBlocks();
}

/// The area for values that live across regions, of block slot SLOT.
Value *EntryBuilder::contextOf(Value *slot) {
  Value *area = b.CreateMul(slot, load(offsetof(LaunchDescriptor, contextStride), i64()));
  return b.CreateInBoundsPtrAdd(pointer(offsetof(LaunchDescriptor, context)), area, "context");
}

Value *EntryBuilder::load(uint64_t offset, Type *type) {
  return loadField(b, desc, offset, type);
}
Value *EntryBuilder::pointer(uint64_t offset) {
  return loadPointerField(b, desc, offset);
}
Value *EntryBuilder::csr32(unsigned csr) {
  bool changes = grouped && (csr == VX_CSR_WARP_ID || csr == VX_CSR_THREAD_ID);
  return b.CreateTrunc(changes ? emitOrderedCsrRead(b, csr) : emitCsrRead(b, csr), b.getInt32Ty());
}
BasicBlock *EntryBuilder::block(const Twine &name) {
  return BasicBlock::Create(ctx, name, entry);
}

/// Which slot of the core this warp belongs to; warps beyond the last slot leave at once.
void EntryBuilder::openSlot() {
  Type *i32 = b.getInt32Ty();
  b.SetInsertPoint(block("entry"));
  warpsPerBlock = load(offsetof(LaunchDescriptor, warpsPerBlock), i32);
  Value *slots = load(offsetof(LaunchDescriptor, blocksPerCore), i32);
  barrierCount = grouped ? load(offsetof(LaunchDescriptor, groupsPerBlock), i32) : warpsPerBlock;
  Value *warp = csr32(VX_CSR_WARP_ID);
  Value *slot = b.CreateUDiv(warp, warpsPerBlock, "slot");
  enterSlot(slot, slots);
  Value *warpInBlock = b.CreateSub(warp, b.CreateMul(slot, warpsPerBlock));
  Value *lanes = csr32(VX_CSR_NUM_THREADS);
  linear = b.CreateAdd(b.CreateMul(warpInBlock, lanes), csr32(VX_CSR_THREAD_ID), "linear");
  step = b.CreateMul(warpsPerBlock, lanes, "step");
  barrierId = b.CreateSelect(b.CreateICmpUGT(barrierCount, b.getInt32(1)), slot, b.getInt32(0));
  if (grouped)
    formGroups();
  loadArguments();
}

/// Executes vx_tile if the launch asks for it. All lanes of all warps of the slots come here. The
/// numbers of threads and warps that were read before are those of the hardware warps, and each
/// lane keeps its own.
void EntryBuilder::formGroups() {
  auto *regroup = block("regroup"), *groups = block("groups");
  Value *operands = load(offsetof(LaunchDescriptor, regroup), b.getInt32Ty());
  b.CreateCondBr(b.CreateIsNotNull(operands), regroup, groups);
  b.SetInsertPoint(regroup);
  emitTile(b, b.CreateLShr(operands, 8), b.CreateAnd(operands, 255));
  b.CreateBr(groups);
  b.SetInsertPoint(groups);
}

/// Every lane of the core is a slot.
void EntryBuilder::openSerialSlot() {
  serial = true;
  b.SetInsertPoint(block("entry"));
  Value *slots = load(offsetof(LaunchDescriptor, blocksPerCore), b.getInt32Ty());
  Value *lanes = csr32(VX_CSR_NUM_THREADS);
  Value *slot = b.CreateAdd(b.CreateMul(csr32(VX_CSR_WARP_ID), lanes), csr32(VX_CSR_THREAD_ID));
  enterSlot(slot, slots);
  linear = b.getInt32(0);
  step = warpsPerBlock = barrierCount = b.getInt32(1);
  barrierId = b.getInt32(0);
  loadArguments();
}

/// The slot of one block: a walk over blocks that ends after the first.
void EntryBuilder::openHostBlock() {
  serial = true;
  b.SetInsertPoint(block("entry"));
  count = load(offsetof(LaunchDescriptor, blockThreads), b.getInt32Ty());
  done = block("done");
  ReturnInst::Create(ctx, done);
  slotInGrid = loadField(b, worker(b), offsetof(abi::HostWorker, block), i64());
  gridStep = load(offsetof(LaunchDescriptor, numBlocks), i64());
  sharedBase = loadPointerField(b, worker(b), offsetof(abi::HostWorker, shared), "shared");
  cast<Instruction>(sharedBase)->setMetadata(kSharedBaseMetadata, MDNode::get(ctx, {}));
  Value *stride =
      b.CreateZExt(load(offsetof(LaunchDescriptor, sharedStride), b.getInt32Ty()), i64());
  sharedTail = b.CreateInBoundsPtrAdd(sharedBase, b.CreateSub(stride, b.getInt64(kTailBytes)),
                                      "shared.tail");
  linear = b.getInt32(0);
  step = warpsPerBlock = barrierCount = b.getInt32(1);
  barrierId = b.getInt32(0);
  loadArguments();
}

/// Leaves if SLOT is beyond the SLOTS of a core; finds the slot's place in the grid and in memory.
void EntryBuilder::enterSlot(Value *slot, Value *slots) {
  count = load(offsetof(LaunchDescriptor, blockThreads), b.getInt32Ty());
  done = block("done");
  auto *work = block("slot.work");
  b.CreateCondBr(b.CreateICmpULT(slot, slots), work, done);
  ReturnInst::Create(ctx, done);
  b.SetInsertPoint(work);
  Value *core = b.CreateZExt(csr32(VX_CSR_CORE_ID), i64());
  Value *slots64 = b.CreateZExt(slots, i64()), *slot64 = b.CreateZExt(slot, i64());
  slotInGrid = b.CreateAdd(b.CreateMul(core, slots64), slot64);
  gridStep = b.CreateMul(b.CreateZExt(csr32(VX_CSR_NUM_CORES), i64()), slots64);
  locateShared(core, slot64);
}

void EntryBuilder::locateShared(Value *core, Value *slot64) {
  Value *stride =
      b.CreateZExt(load(offsetof(LaunchDescriptor, sharedStride), b.getInt32Ty()), i64());
  Value *offset =
      b.CreateAdd(b.CreateMul(core, load(offsetof(LaunchDescriptor, sharedCoreStride), i64())),
                  b.CreateMul(slot64, stride));
  sharedBase =
      b.CreateInBoundsPtrAdd(pointer(offsetof(LaunchDescriptor, sharedBase)), offset, "shared");
  cast<Instruction>(sharedBase)->setMetadata(kSharedBaseMetadata, MDNode::get(ctx, {}));
  sharedTail = b.CreateInBoundsPtrAdd(sharedBase, b.CreateSub(stride, b.getInt64(kTailBytes)),
                                      "shared.tail");
}

void EntryBuilder::loadArguments() {
  Value *block = pointer(offsetof(LaunchDescriptor, args));
  for (auto [arg, param] : zip(kernel.args(), layoutParams(kernel))) {
    Value *at = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block, param.offset);
    if (arg.hasByValAttr()) {
      args.push_back(at);
      continue;
    }
    auto *v = b.CreateAlignedLoad(arg.getType(), at, commonAlignment(Align(16), param.offset));
    v->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(ctx, {}));
    v->setName(arg.getName());
    args.push_back(v);
  }
}

void EntryBuilder::openBlocks() {
  BasicBlock *pre = b.GetInsertBlock();
  Value *blocks = load(offsetof(LaunchDescriptor, numBlocks), i64());
  header = block("blocks");
  auto *body = block("block");
  b.CreateBr(header);
  b.SetInsertPoint(header);
  blockNumber = b.CreatePHI(i64(), 2, "block.number");
  blockNumber->addIncoming(slotInGrid, pre);
  b.CreateCondBr(b.CreateICmpULT(blockNumber, blocks), body, done);
  b.SetInsertPoint(body);
  emitHint(b, VX_HINT_BLOCK, blockNumber);
  blockCoordinates = body;
  if (needsTail)
    resetTail();
}

/// Every lane stores the same values; the barrier orders them before the block's first use.
void EntryBuilder::resetTail() {
  for (unsigned w = 0; w < 3; ++w) {
    storeTail(kTailVotes + 4 * w, ~0u);
    storeTail(kTailCounts + 4 * w, 0);
  }
  if (!serial)
    emitHwBarrier(b, barrierId, barrierCount);
}

void EntryBuilder::storeTail(uint64_t offset, uint32_t value) {
  b.CreateStore(b.getInt32(value), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), sharedTail, offset),
                /*isVolatile=*/true);
}

void EntryBuilder::emitBody(Function &body, ArrayRef<Value *> extra) {
  SmallVector<Value *, 16> all(args.begin(), args.end());
  append_range(all, extra);
  auto *start = block("body");
  b.CreateBr(start);
  b.SetInsertPoint(start);
  bodyCall = b.CreateCall(&body, all);
  entry->setSubprogram(body.getSubprogram());
  auto *after = block("body.end");
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

void EntryBuilder::closeBlocks() {
  // The next block's shared memory is this one's: nobody starts it before all are done.
  if (guardReuse)
    emitHwBarrier(b, barrierId, barrierCount);
  blockNumber->addIncoming(b.CreateAdd(blockNumber, gridStep), b.GetInsertBlock());
  b.CreateBr(header);
}

/// Inlines the body and gives every coordinate its value.
Function *EntryBuilder::finish(BasicBlock *coordinatesAt, Value *thread) {
  // By-value parameters that are written have been copied (vx-prepare-kernels); the inliner must
  // not copy the others.
  Function &callee = *bodyCall->getCalledFunction();
  AttributeList attributes = callee.getAttributes();
  for (unsigned i = 0; i < callee.arg_size(); ++i)
    callee.removeParamAttr(i, Attribute::ByVal);
  InlineFunctionInfo info;
  InlineResult inlined = InlineFunction(*bodyCall, info);
  callee.setAttributes(attributes);
  assert(inlined.isSuccess() && "kernels are always inlinable");
  (void)inlined;
  SmallVector<BasicBlock *, 32> blocks;
  for (BasicBlock &bb : *entry)
    blocks.push_back(&bb);
  replaceBlockCoordinates(blocks);
  if (coordinatesAt)
    replaceThreadCoordinates(blocks, *coordinatesAt, thread, count);
  for (BasicBlock &bb : *entry)
    for (Instruction &i : make_early_inc_range(bb))
      if (auto fn = getVxFn(&i))
        replaceUniform(i, *fn);
  entry->removeFnAttr(Attribute::AlwaysInline);
  return entry;
}

void EntryBuilder::replaceUniform(Instruction &i, VxFn fn) {
  b.SetInsertPoint(&i);
  Value *v = nullptr;
  switch (fn) {
  case VxFn::SharedBase:
    v = sharedBase;
    break;
  case VxFn::SharedTail:
    v = sharedTail;
    break;
  case VxFn::Descriptor:
    v = desc;
    break;
  case VxFn::Barrier:
  case VxFn::GroupSync:
    emitHwBarrier(b, barrierId, barrierCount);
    i.eraseFromParent();
    return;
  default:
    return;
  }
  i.replaceAllUsesWith(v);
  i.eraseFromParent();
}

void EntryBuilder::replaceBlockCoordinates(ArrayRef<BasicBlock *> blocks) {
  SmallVector<CallInst *, 8> calls[3];
  for (BasicBlock *bb : blocks)
    for (Instruction &i : *bb)
      if (auto fn = getVxFn(&i); fn && *fn >= VxFn::BlockIdxX && *fn <= VxFn::BlockIdxZ)
        calls[static_cast<int>(*fn) - static_cast<int>(VxFn::BlockIdxX)].push_back(
            cast<CallInst>(&i));
  if (calls[0].empty() && calls[1].empty() && calls[2].empty())
    return;
  b.SetInsertPoint(blockCoordinates, blockCoordinates->getFirstInsertionPt());
  Type *i32 = b.getInt32Ty();
  Value *number = b.CreateTrunc(blockNumber, i32);
  Value *dimX = load(offsetof(LaunchDescriptor, gridDim), i32);
  Value *dimY = load(offsetof(LaunchDescriptor, gridDim) + 4, i32);
  Value *blocksInGrid = load(offsetof(LaunchDescriptor, numBlocks), i64());
  Value *isFlat = b.CreateICmpEQ(blocksInGrid, b.CreateZExt(dimX, i64()));
  // Grids of one dimension, the common case, go round the divisions.
  BasicBlock *head = b.GetInsertBlock();
  Instruction *after = &*b.GetInsertPoint();
  Instruction *then = SplitBlockAndInsertIfThen(b.CreateNot(isFlat), after, false);
  b.SetInsertPoint(then);
  Value *rows = b.CreateTrunc(b.CreateUDiv(blockNumber, b.CreateZExt(dimX, i64())), i32);
  Value *x = b.CreateSub(number, b.CreateMul(rows, dimX));
  Value *z = b.CreateUDiv(rows, dimY);
  Value *y = b.CreateSub(rows, b.CreateMul(z, dimY));
  b.SetInsertPoint(after);
  Value *flat[] = {number, b.getInt32(0), b.getInt32(0)}, *divided[] = {x, y, z};
  PHINode *idx[3];
  for (unsigned d = 0; d < 3; ++d) {
    idx[d] = PHINode::Create(i32, 2, "bid", after->getParent()->begin());
    idx[d]->addIncoming(flat[d], head);
    idx[d]->addIncoming(divided[d], then->getParent());
  }
  for (unsigned d = 0; d < 3; ++d)
    for (CallInst *call : calls[d]) {
      call->replaceAllUsesWith(idx[d]);
      call->eraseFromParent();
    }
}

} // namespace vx
