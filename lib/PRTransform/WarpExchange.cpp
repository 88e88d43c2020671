// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/WarpExchange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

/// Returns the number of bytes before a new lane array of SIZE bytes per lane.
static uint64_t addArray(ContextMemory &memory, uint64_t size) {
  uint64_t offset = alignTo(memory.laneBytes, size);
  memory.laneBytes = offset + size;
  return offset;
}

WarpExchange::WarpExchange(const WarpOps &ops, const ParallelRegions &regions,
                           ContextMemory &memory, bool keepMasks)
    : ops(ops), memory(memory), keepMasks(keepMasks), places(ops.all().size()) {
  placeValues(regions);
  // Arrays of 8-byte elements first, so that each is aligned.
  for (uint64_t size : {8, 4})
    for (const auto &op : ops.all()) {
      Place &place = places[op->id];
      if (op->isReduction() && op->width && op->width < kWarpSize && sizeOf(*op) == size)
        place.results = addArray(memory, size);
      if (size == 4 && keepMasks && op->hasMask() && !op->constantMask)
        place.masks = addArray(memory, 4);
    }
  memory.laneBytes = alignTo(memory.laneBytes, 16);
}

/// Returns the regions in which threads deposit values for OP or read them.
static SmallSet<unsigned, 4> regionsOf(const WarpCall &op, const ParallelRegions &regions) {
  SmallSet<unsigned, 4> found;
  for (const ParallelRegion &r : regions.regions()) {
    auto isHere = [&](const User *user) {
      return r.blocks.contains(const_cast<BasicBlock *>(cast<Instruction>(user)->getParent()));
    };
    bool follows =
        r.boundary && cast<CallInst>(r.boundary->front()).getCalledFunction() == op.boundary;
    if (follows || any_of(op.deposit->users(), isHere) ||
        (op.collect && any_of(op.collect->users(), isHere)))
      found.insert(r.id);
  }
  return found;
}

/// A thread only writes its own element, and one that waits writes none. So two operations may
/// share an array if no region reads the values of the one and deposits those of the other.
void WarpExchange::placeValues(const ParallelRegions &regions) {
  struct Array {
    uint64_t size, offset;
    SmallSet<unsigned, 8> busy;
  };
  SmallVector<Array, 8> arrays;
  for (uint64_t size : {8, 4})
    for (const auto &op : ops.all()) {
      if (!op->valueType || sizeOf(*op) != size || foldsInLoop(*op))
        continue;
      SmallSet<unsigned, 4> touched = regionsOf(*op, regions);
      auto *array = find_if(arrays, [&](const Array &a) {
        return a.size == size && none_of(touched, [&](unsigned r) { return a.busy.contains(r); });
      });
      if (array == arrays.end()) {
        arrays.push_back({size, addArray(memory, size), {}});
        array = &arrays.back();
      }
      places[op->id].values = array->offset;
      array->busy.insert(touched.begin(), touched.end());
    }
}

/// Returns true if threads add to one variable instead of leaving values: the order does not
/// matter.
bool WarpExchange::foldsInLoop(const WarpCall &op) const {
  return op.isReduction() && op.width == kWarpSize && neutralElement(op.fn, op.valueType);
}

void WarpExchange::makeVariables(BasicBlock &entry) {
  IRBuilder<> b(&entry);
  for (const auto &op : ops.all()) {
    Place &place = places[op->id];
    if (op->leader == op->id)
      place.participants = b.CreateAlloca(b.getInt32Ty(), nullptr, "participants");
    if (op->isVote()) {
      place.deposited = b.CreateAlloca(b.getInt32Ty(), nullptr, "votes");
      place.collected = b.CreateAlloca(b.getInt32Ty(), nullptr, "voted");
    } else if (op->isReduction() && op->width == kWarpSize) {
      place.collected = b.CreateAlloca(op->valueType, nullptr, "reduced");
      if (foldsInLoop(*op))
        place.deposited = b.CreateAlloca(op->valueType, nullptr, "partial");
    }
    if (keepMasks)
      clear(b, *op);
  }
}

void WarpExchange::clear(IRBuilderBase &b, const WarpCall &op) {
  if (AllocaInst *deposited = places[op.id].deposited)
    b.CreateStore(op.isVote() ? b.getInt32(0) : neutralElement(op.fn, op.valueType), deposited);
}

SmallVector<AllocaInst *, 4> WarpExchange::findDeposits() const {
  SmallVector<AllocaInst *, 4> found;
  for (const Place &place : places)
    if (place.deposited)
      found.push_back(place.deposited);
  return found;
}

void WarpExchange::release(IRBuilderBase &b, const WarpCall &op, Value *participants) {
  Place &place = places[op.id];
  b.CreateStore(participants, place.participants);
  if (op.isVote()) {
    Value *deposited = b.CreateLoad(b.getInt32Ty(), place.deposited);
    b.CreateStore(b.CreateAnd(deposited, participants), place.collected);
    if (keepMasks)
      b.CreateStore(b.CreateAnd(deposited, b.CreateNot(participants)), place.deposited);
  } else if (foldsInLoop(op)) {
    b.CreateStore(b.CreateLoad(op.valueType, place.deposited), place.collected);
    b.CreateStore(neutralElement(op.fn, op.valueType), place.deposited);
  } else if (op.isReduction() && op.width == kWarpSize) {
    b.CreateStore(tree(b, op, 0, op.width), place.collected);
  } else if (op.isReduction() && op.width) {
    // A group that is not complete yields a value that is not read.
    for (unsigned first = 0; first < kWarpSize; first += op.width)
      b.CreateStore(tree(b, op, first, op.width),
                    memory.laneSlot(b, place.results, sizeOf(op), b.getInt32(first)));
  }
}

/// Emits the values of WIDTH lanes from FIRST on, combined as a butterfly does.
Value *WarpExchange::tree(IRBuilderBase &b, const WarpCall &op, unsigned first, unsigned width) {
  if (width == 1)
    return b.CreateLoad(op.valueType,
                        memory.laneSlot(b, places[op.id].values, sizeOf(op), b.getInt32(first)));
  Value *low = tree(b, op, first, width / 2);
  return emitReduction(b, op.fn, low, tree(b, op, first + width / 2, width / 2));
}

Value *WarpExchange::ready(IRBuilderBase &b, const WarpCall &op, Value *wait, Value *alive) {
  if (op.constantMask) {
    Value *missing = b.CreateAnd(b.CreateAnd(op.constantMask, alive), b.CreateNot(wait));
    return b.CreateSelect(b.CreateIsNull(missing), wait, b.getInt32(0));
  }
  Type *i32 = b.getInt32Ty(), *i64 = b.getInt64Ty();
  Module &m = *b.GetInsertBlock()->getModule();
  FunctionCallee helper = m.getOrInsertFunction("__vx_pr_ready", i32, b.getPtrTy(), i64, i32, i32);
  Value *first = memory.laneSlot(b, places[op.id].masks, 4, b.getInt32(0));
  return b.CreateCall(helper, {first, memory.distance(b, 4), wait, alive});
}

void WarpExchange::expand(CallInst &call, const WarpCall &op, Value *lane) {
  IRBuilder<> b(&call);
  if (inBlock.block != call.getParent()) {
    inBlock.block = call.getParent();
    inBlock.placeholders = count_if(*inBlock.block, [&](Instruction &i) { return ops.of(&i); });
    inBlock.walks.clear();
    inBlock.sources.clear();
  }
  if (call.getCalledFunction() == op.deposit) {
    deposit(b, call, op, lane);
  } else {
    Value *result = collect(b, call, op, lane);
    if (isa<Instruction>(result) && !result->hasName())
      result->takeName(&call);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

void WarpExchange::deposit(IRBuilderBase &b, CallInst &call, const WarpCall &op, Value *lane) {
  const Place &place = places[op.id];
  if (keepMasks && op.hasMask() && !op.constantMask)
    b.CreateStore(call.getArgOperand(0), memory.laneSlot(b, place.masks, 4, lane));
  if (op.isVote()) {
    Value *bit =
        b.CreateShl(b.CreateZExt(b.CreateIsNotNull(call.getArgOperand(1)), b.getInt32Ty()), lane);
    b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt32Ty(), place.deposited), bit), place.deposited);
  } else if (foldsInLoop(op)) {
    Value *partial = b.CreateLoad(op.valueType, place.deposited);
    b.CreateStore(emitReduction(b, op.fn, partial, call.getArgOperand(1)), place.deposited);
  } else if (op.valueType) {
    b.CreateStore(call.getArgOperand(1), valueSlot(b, op, lane));
  }
}

Value *WarpExchange::participants(IRBuilderBase &b, const WarpCall &op) {
  return b.CreateLoad(b.getInt32Ty(), places[op.leader].participants);
}

Value *WarpExchange::collect(IRBuilderBase &b, CallInst &call, const WarpCall &op, Value *lane) {
  const Place &place = places[op.id];
  if (op.fn == VxFn::ActiveMask)
    return participants(b, op);
  Value *mask = call.getArgOperand(0);
  if (op.isVote())
    return vote(b, op, mask);
  if (op.isShuffle())
    return shuffle(b, call, op, lane);
  if (op.isReduction() && op.width == kWarpSize)
    return b.CreateLoad(op.valueType, place.collected);
  if (op.isReduction() && op.width) {
    Value *first = b.CreateAnd(lane, b.getInt32(~(op.width - 1)));
    return b.CreateLoad(op.valueType, memory.laneSlot(b, place.results, sizeOf(op), first));
  }
  Value *members = b.CreateAnd(participants(b, op), mask);
  // "__vx_reduce_add_f32" is worked out by "__vx_pr_reduce_add_f32".
  std::string name = "__vx_pr_" + getInfo(op.fn).name.drop_front(StringRef("__vx_").size()).str();
  if (op.fn == VxFn::MatchAny32 || op.fn == VxFn::MatchAny64)
    return callHelper(b, name, call.getType(), op, {members, call.getArgOperand(1)});
  return callHelper(b, name, call.getType(), op, {members});
}

Value *WarpExchange::vote(IRBuilderBase &b, const WarpCall &op, Value *mask) {
  Value *members = b.CreateAnd(participants(b, op), mask);
  Value *yes = b.CreateAnd(b.CreateLoad(b.getInt32Ty(), places[op.id].collected), mask);
  Value *all = b.CreateICmpEQ(yes, members), *none = b.CreateIsNull(yes);
  switch (op.fn) {
  case VxFn::VoteAll:
    return b.CreateZExt(all, b.getInt32Ty());
  case VxFn::VoteAny:
    return b.CreateZExt(b.CreateNot(none), b.getInt32Ty());
  case VxFn::VoteUni:
    return b.CreateZExt(b.CreateOr(all, none), b.getInt32Ty());
  default:
    return yes;
  }
}

Value *WarpExchange::valueSlot(IRBuilderBase &b, const WarpCall &op, Value *index) {
  ContextWalk &walk = inBlock.walks.try_emplace(index, memory, inBlock.placeholders).first->second;
  return walk.laneSlot(b, places[op.id].values, sizeOf(op), index);
}

Value *WarpExchange::sourceOf(IRBuilderBase &b, CallInst &call, const WarpCall &op, Value *lane) {
  Value *by = call.getArgOperand(1), *segment = call.getArgOperand(2);
  Value *&source = inBlock.sources[{op.fn, by, segment, lane}];
  if (!source)
    source = emitShuffleSource(b, op.fn, lane, by, segment).select(b, lane);
  return source;
}

/// A lane that does not take part is read as zero.
Value *WarpExchange::shuffle(IRBuilderBase &b, CallInst &call, const WarpCall &op, Value *lane) {
  Value *source = sourceOf(b, call, op, lane);
  Value *value = b.CreateLoad(op.valueType, valueSlot(b, op, source));
  Value *takesPart = b.CreateTrunc(b.CreateLShr(participants(b, op), source), b.getInt1Ty());
  return b.CreateSelect(takesPart, value, Constant::getNullValue(op.valueType));
}

Value *WarpExchange::callHelper(IRBuilderBase &b, const Twine &name, Type *result,
                                const WarpCall &op, ArrayRef<Value *> more) {
  SmallVector<Value *, 4> args{memory.laneSlot(b, places[op.id].values, sizeOf(op), b.getInt32(0)),
                               memory.distance(b, sizeOf(op))};
  append_range(args, more);
  SmallVector<Type *, 4> types;
  for (Value *v : args)
    types.push_back(v->getType());
  Module &m = *b.GetInsertBlock()->getModule();
  FunctionCallee helper =
      m.getOrInsertFunction(name.str(), FunctionType::get(result, types, false));
  cast<Function>(helper.getCallee())->addFnAttr(Attribute::NoUnwind);
  return b.CreateCall(helper, args);
}

} // namespace vx
