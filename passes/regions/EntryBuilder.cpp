// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/EntryBuilder.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/PRTransform/Coordinates.h"
#include "lib/PRTransform/RegionFunction.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/KernelInfo.h"
#include "lib/VortexIR/KernelParams.h"
#include "lib/VortexIR/LaunchAccess.h"
#include "lib/VortexIR/LoopUnits.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "passes/regions/NamedBarriers.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
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

EntryBuilder::EntryBuilder(Function &kernel, const Twine &name, MakeSlot *makeSlot, bool needsTail,
                           bool guardReuse)
    : m(*kernel.getParent()), ctx(m.getContext()), b(ctx), kernel(kernel), needsTail(needsTail),
      guardReuse(guardReuse) {
  entry = Function::Create(FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                           GlobalValue::ExternalLinkage, "__vx_entry." + name, &m);
  entry->addFnAttr(kEntryAttr);
  if (kernel.hasFnAttribute(kCoarsenedAttr))
    entry->addFnAttr(kCoarsenedAttr);
  entry->addFnAttr(Attribute::NoUnwind);
  entry->addParamAttr(0, Attribute::ReadOnly);
  desc = entry->getArg(0);
  desc->setName("desc");
  slot = makeSlot(b, *entry);
  loadArguments();
}

Function *EntryBuilder::buildDirect() {
  auto *run = block("threads");
  b.CreateCondBr(b.CreateICmpULT(slot->linear, slot->count, "active"), run, slot->done);
  b.SetInsertPoint(run);
  if (!kernel.hasFnAttribute(kCoarsenedAttr)) // which says itself who runs
    emitHint(b, VX_HINT_THREAD, slot->linear);
  BasicBlock *coordinatesAt = run;
  openBlocks();
  emitBody(kernel, {});
  closeBlocks();
  return finish(coordinatesAt, slot->linear);
}

Function *EntryBuilder::buildRegions(Function &regions, Function *whole) {
  EntrySlot::Context context = slot->findContext();
  SmallVector<Value *, 16> extra = {slot->linear,        slot->step,      slot->count,
                                    context.base,        slot->room,      context.interleave,
                                    context.interleaved, slot->barrierId, slot->barrierCount};
  openBlocks();
  BasicBlock *other = nullptr, *after = nullptr;
  if (whole) {
    auto *rows = block("rows");
    other = block("other");
    after = block("block.end");
    Value *rest = b.CreateAnd(load(offsetof(LaunchDescriptor, blockDim), b.getInt32Ty()),
                              b.getInt32(abi::kWarpSize - 1));
    b.CreateCondBr(b.CreateIsNull(rest), rows, other);
    b.SetInsertPoint(rows);
    emitBody(*whole, extra);
    b.CreateBr(after);
    b.SetInsertPoint(other);
  }
  emitBody(regions, extra);
  if (whole) {
    b.CreateBr(after);
    b.SetInsertPoint(after);
  }
  closeBlocks();
  return finish(nullptr, nullptr);
}

Value *EntryBuilder::load(uint64_t offset, Type *type) {
  return loadField(b, desc, offset, type);
}
BasicBlock *EntryBuilder::block(const Twine &name) {
  return BasicBlock::Create(ctx, name, entry);
}

void EntryBuilder::loadArguments() {
  Value *block = loadPointerField(b, desc, offsetof(LaunchDescriptor, args));
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
  blocks = load(offsetof(LaunchDescriptor, numBlocks), i64());
  Value *first = slot->number;
  if (hasKernelFlag(kernel, abi::kKernelLaunches) && !isForHost(m)) // the host's workers know
    first = b.CreateAdd(first, load(offsetof(LaunchDescriptor, firstBlock), i64()));
  clusters = hasKernelFlag(kernel, abi::kKernelClusters) && !isForHost(m); // the same
  if (clusters) // slots that a whole cluster does not take idle
    first = b.CreateSelect(b.CreateICmpULT(slot->number, slot->gridStep), first, b.getInt64(-1));
  header = block("blocks");
  auto *body = block("block");
  b.CreateBr(header);
  b.SetInsertPoint(header);
  blockNumber = b.CreatePHI(i64(), 2, "block.number");
  blockNumber->addIncoming(first, pre);
  b.CreateCondBr(b.CreateICmpULT(blockNumber, blocks), body, slot->done);
  b.SetInsertPoint(body);
  linearBlock = blockNumber;
  if (clusters) {
    Value *number = b.CreateTrunc(blockNumber, b.getInt32Ty());
    linearBlock = b.CreateZExt(emitCall(b, VxFn::ClusterBlock, {desc, number}), i64());
    body = block("block.found"); // coordinates come first in their block
    b.CreateBr(body);
    b.SetInsertPoint(body);
  }
  emitHint(b, VX_HINT_BLOCK, linearBlock);
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
  if (unsigned barriers = countNamedBarriers(kernel)) {
    auto before = -static_cast<int64_t>(namedBarrierBytes(kernel));
    Value *state = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), slot->sharedTail, before);
    // In the direct entry, lanes without a thread are not here.
    Value *step = b.CreateBinaryIntrinsic(Intrinsic::umin, slot->step, slot->count);
    Value *threads = load(offsetof(LaunchDescriptor, blockThreads), b.getInt32Ty());
    emitCall(b, VxFn::NamedReset, {state, b.getInt32(barriers), slot->linear, step, threads});
  }
  slot->waitForAll();
}

void EntryBuilder::storeTail(uint64_t offset, uint32_t value) {
  b.CreateStore(b.getInt32(value),
                b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), slot->sharedTail, offset),
                /*isVolatile=*/true);
}

void EntryBuilder::emitBody(Function &body, ArrayRef<Value *> extra) {
  SmallVector<Value *, 16> all(args.begin(), args.end());
  append_range(all, extra);
  auto *start = block("body");
  b.CreateBr(start);
  b.SetInsertPoint(start);
  bodyCalls.push_back(b.CreateCall(&body, all));
  entry->setSubprogram(body.getSubprogram());
  auto *after = block("body.end");
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

void EntryBuilder::closeBlocks() {
  // The next block's shared memory is this one's: it starts when all are done. Where lanes have
  // blocks of their own, a branch around that would be one more that diverges.
  bool waits = guardReuse || clusters, onlyForNext = waits && slot->uniform && !clusters;
  if (waits && !onlyForNext)
    slot->waitForAll();
  if (clusters)
    endCluster();
  if (isForHost(m)) { // each call runs one block
    b.CreateBr(slot->done);
    return;
  }
  Value *next = b.CreateAdd(blockNumber, slot->gridStep);
  if (onlyForNext) {
    auto *again = block("block.next");
    b.CreateCondBr(b.CreateICmpULT(next, blocks), again, slot->done);
    b.SetInsertPoint(again);
    slot->waitForAll();
  }
  blockNumber->addIncoming(next, b.GetInsertBlock());
  markLoop(*b.CreateBr(header), LoopUnit::Block);
}

/// The slot's first lane waits for the other blocks of the cluster to end.
void EntryBuilder::endCluster() {
  auto *end = block("cluster.end"), *after = block("cluster.next");
  b.CreateCondBr(b.CreateIsNull(slot->linear), end, after);
  b.SetInsertPoint(end);
  emitCall(b, VxFn::ClusterEnd, {desc, b.CreateTrunc(slot->number, b.getInt32Ty())});
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

/// By-value parameters that are written have been copied (vx-copy-byval); the inliner must not copy
/// the others.
void EntryBuilder::inlineBody(CallInst &call) {
  Function &callee = *call.getCalledFunction();
  AttributeList attributes = callee.getAttributes();
  for (unsigned i = 0; i < callee.arg_size(); ++i)
    callee.removeParamAttr(i, Attribute::ByVal);
  InlineFunctionInfo info;
  InlineResult inlined = InlineFunction(call, info);
  callee.setAttributes(attributes);
  assert(inlined.isSuccess() && "kernels are always inlinable");
  (void)inlined;
}

/// Inlines the body and gives every coordinate its value.
Function *EntryBuilder::finish(BasicBlock *coordinatesAt, Value *thread) {
  for (CallInst *call : bodyCalls)
    inlineBody(*call);
  SmallVector<BasicBlock *, 32> blocks;
  for (BasicBlock &bb : *entry)
    blocks.push_back(&bb);
  replaceBlockCoordinates(blocks);
  if (coordinatesAt)
    replaceThreadCoordinates(blocks, *coordinatesAt, thread);
  for (BasicBlock &bb : *entry)
    for (Instruction &i : make_early_inc_range(bb))
      if (auto fn = getVxFn(&i))
        replaceUniform(i, *fn);
  entry->removeFnAttr(Attribute::AlwaysInline);
  locateRest();
  return entry;
}

/// Gives the code that runs the blocks the line where the kernel opens.
void EntryBuilder::locateRest() {
  DISubprogram *subprogram = entry->getSubprogram();
  if (!subprogram)
    return;
  DebugLoc opening = DILocation::get(ctx, subprogram->getScopeLine(), 0, subprogram);
  for (Instruction &i : instructions(*entry))
    if (!i.getDebugLoc() && !isa<PHINode>(i) && !isa<AllocaInst>(i))
      i.setDebugLoc(opening);
}

void EntryBuilder::replaceUniform(Instruction &i, VxFn fn) {
  b.SetInsertPoint(&i);
  Value *v = nullptr;
  switch (fn) {
  case VxFn::SharedBase:
    v = slot->sharedBase;
    break;
  case VxFn::SharedTail:
    v = slot->sharedTail;
    break;
  case VxFn::Descriptor:
    v = desc;
    break;
  case VxFn::Barrier:
  case VxFn::GroupSync:
    emitHwBarrier(b, slot->barrierId, slot->barrierCount);
    i.eraseFromParent();
    return;
  case VxFn::ThreadWait: // each hardware warp proceeds by itself
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
  bool isLine = calls[1].empty() && calls[2].empty();
  b.SetInsertPoint(blockCoordinates, blockCoordinates->getFirstInsertionPt());
  std::array<Value *, 3> idx;
  if (isLine)
    idx = {divideUnlessFlat()};
  else
    idx = divideBlockNumber();
  for (unsigned d = 0; d < 3; ++d)
    for (CallInst *call : calls[d]) {
      call->replaceAllUsesWith(idx[d]);
      call->eraseFromParent();
    }
}

/// Returns the X coordinate for a kernel that asks for no other: most likely, grids have one
/// dimension.
Value *EntryBuilder::divideUnlessFlat() {
  Instruction *at = &*b.GetInsertPoint();
  // It is in front of the loop over blocks where that is all there is: it would wait for the load.
  // A larger kernel has better use for the register.
  constexpr unsigned kSmall = 32; // instructions
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> loops;
  FindFunctionBackedges(kernel, loops);
  if (loops.empty() && kernel.getInstructionCount() <= kSmall)
    b.SetInsertPoint(blockNumber->getIncomingBlock(0)->getTerminator());
  Value *dim = b.CreateZExt(load(offsetof(LaunchDescriptor, gridDim), b.getInt32Ty()), i64());
  Value *isFlat = b.CreateICmpEQ(load(offsetof(LaunchDescriptor, numBlocks), i64()), dim);
  b.SetInsertPoint(at);
  Value *number = b.CreateTrunc(linearBlock, b.getInt32Ty());
  BasicBlock *head = b.GetInsertBlock();
  // It is placed after the rest of the entry, since it is rarely fetched.
  MDNode *unlikely = MDBuilder(ctx).createUnlikelyBranchWeights();
  b.SetInsertPoint(SplitBlockAndInsertIfThen(b.CreateNot(isFlat), at, false, unlikely));
  Value *x = divideBlockNumber()[0];
  auto *phi = PHINode::Create(b.getInt32Ty(), 2, "bid.x", at->getParent()->begin());
  phi->addIncoming(number, head);
  phi->addIncoming(x, b.GetInsertBlock());
  return phi;
}

/// Returns the coordinates of the block in the grid.
std::array<Value *, 3> EntryBuilder::divideBlockNumber() {
  Type *i32 = b.getInt32Ty();
  auto dim = [&](unsigned axis) {
    return load(offsetof(LaunchDescriptor, gridDim) + 4 * axis, i32);
  };
  // Only the host, which divides quickly, has grids of more blocks than 32 bits count.
  bool host = isForHost(m);
  Value *number = b.CreateTrunc(linearBlock, i32);
  Value *rows = host ? b.CreateTrunc(b.CreateUDiv(linearBlock, b.CreateZExt(dim(0), i64())), i32)
                     : divideByGridDim(number, 0);
  Value *z = host ? b.CreateUDiv(rows, dim(1)) : divideByGridDim(rows, 1);
  return {b.CreateSub(number, b.CreateMul(rows, dim(0)), "bid.x"),
          b.CreateSub(rows, b.CreateMul(z, dim(1)), "bid.y"), z};
}

/// Emits N / dimension AXIS of the grid (wideInverseOf).
Value *EntryBuilder::divideByGridDim(Value *n, unsigned axis) {
  Value *inverse = load(offsetof(LaunchDescriptor, gridInverse) + 8 * axis, i64());
  if (getXlen(m) == 64) {
    Type *i128 = b.getInt128Ty();
    Value *product =
        b.CreateMul(b.CreateShl(b.CreateZExt(n, i128), 1), b.CreateZExt(inverse, i128));
    return b.CreateTrunc(b.CreateLShr(product, 64), b.getInt32Ty());
  }
  Value *wide = b.CreateZExt(n, i64());
  Value *low = b.CreateLShr(b.CreateMul(wide, b.CreateAnd(inverse, 0xffffffff)), 32);
  Value *sum = b.CreateAdd(b.CreateMul(wide, b.CreateLShr(inverse, 32)), low);
  return b.CreateTrunc(b.CreateLShr(sum, 31), b.getInt32Ty());
}

} // namespace vx
