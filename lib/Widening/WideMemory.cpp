// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of a group to memory: one of all lanes, one to neighbouring elements, or one for
// each lane.

#include "lib/VortexIR/IRNames.h"
#include "lib/Widening/WideLoop.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace vx {

/// Returns true if lanes access elements of TYPE, each STEP elements after the lane before it.
bool WideLoop::isContiguous(Value *address, Type *type, int64_t step) const {
  auto stride = lanes.strideOf(address);
  auto size = int64_t(dl.getTypeStoreSize(type).getFixedValue());
  return stride && *stride == step * size && dl.getTypeSizeInBits(type) == uint64_t(size) * 8 &&
         dl.getTypeAllocSize(type) == uint64_t(size);
}

static void copyAliasing(Value *to, const Instruction &from) {
  cast<Instruction>(to)->copyMetadata(
      from, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
}

/// Emits LOAD as a move between lanes, where each reads an element of an array of that many, and
/// which one is known; null if it is not so.
Value *WideLoop::loadConstantLanes(LoadInst &load) {
  Type *type = load.getType();
  uint64_t size = dl.getTypeStoreSize(type), bytes = size * width;
  if (!isAll(mask) || size != dl.getTypeAllocSize(type))
    return nullptr;
  // base + constant + one offset for each lane
  Value *address = vector(load.getPointerOperand());
  SmallVector<int64_t, 32> offsets(width, 0);
  while (auto *gep = dyn_cast<GEPOperator>(address)) {
    if (gep->getNumIndices() != 1)
      return nullptr;
    auto *index = dyn_cast<Constant>(gep->getOperand(1));
    int64_t unit = dl.getTypeAllocSize(gep->getSourceElementType());
    for (unsigned lane = 0; lane < width; ++lane) {
      Constant *own =
          index && index->getType()->isVectorTy() ? index->getAggregateElement(lane) : index;
      auto *number = dyn_cast_or_null<ConstantInt>(own);
      if (!number)
        return nullptr;
      offsets[lane] += unit * number->getSExtValue();
    }
    address = gep->getPointerOperand();
    if (!address->getType()->isVectorTy())
      break;
  }
  if (address->getType()->isVectorTy())
    return nullptr;
  int64_t first = *min_element(offsets) & -int64_t(bytes);
  APInt before(64, 0);
  Value *base = address->stripAndAccumulateConstantOffsets(dl, before, /*AllowNonInbounds=*/true);
  int64_t start = before.getSExtValue() + first;
  // No page ends within what is loaded.
  bool aligned = getKnownAlignment(base, dl).value() >= std::min<uint64_t>(bytes, 64) &&
                 start % int64_t(std::min<uint64_t>(bytes, 64)) == 0;
  auto *local = dyn_cast<AllocaInst>(base);
  bool isArray = local && local->hasMetadata(kLaneArrays);
  if (!isArray && !(aligned && bytes <= 64))
    return nullptr;
  SmallVector<int, 32> lanesOf;
  for (int64_t offset : offsets) {
    if (offset < first || offset - first >= int64_t(bytes) || (offset - first) % int64_t(size))
      return nullptr;
    lanesOf.push_back(int((offset - first) / int64_t(size)));
  }
  Value *from = b.CreatePtrAdd(address, b.getInt64(first));
  return b.CreateShuffleVector(b.CreateAlignedLoad(wide(type), from, load.getAlign()), lanesOf);
}

/// Emits LOAD, which accesses one element of TYPE in every STEP from FIRST on, as loads of all that
/// is there and moves between lanes. Nothing is loaded before the first lane's element or after the
/// last one's.
Value *WideLoop::loadEvery(Value *first, Type *type, int64_t step, Align align) {
  Value *found = nullptr;
  int64_t last = int64_t(width - 1) * step;
  for (int64_t piece = 0; piece < step; ++piece) {
    int64_t start = piece + 1 < step ? piece * width : last + 1 - width;
    Value *from = b.CreateConstGEP1_64(type, first, start);
    Value *own = b.CreateAlignedLoad(wide(type), from, align);
    SmallVector<int, 32> elements;
    for (int64_t lane = 0; lane < width; ++lane) {
      int64_t at = lane * step - start;
      bool isHere = at >= 0 && at < width && (piece + 1 < step || lane * step >= piece * width);
      elements.push_back(isHere  ? int(at + (found ? width : 0))
                         : found ? int(lane)
                                 : PoisonMaskElem);
    }
    found =
        found ? b.CreateShuffleVector(found, own, elements) : b.CreateShuffleVector(own, elements);
  }
  return found;
}

/// Emits a copy of a fixed number of bytes for each thread.
void WideLoop::emitCopy(MemCpyInst &copy) {
  uint64_t bytes = cast<ConstantInt>(copy.getLength())->getZExtValue();
  auto isRow = [&](Value *address) { return lanes.strideOf(address) == int64_t(bytes); };
  constexpr unsigned kUnit = 4;
  if (bytes % kUnit || !isRow(copy.getDest()) || !isRow(copy.getSource()))
    return emitByLane(copy);
  unsigned units = bytes / kUnit;
  auto *type = FixedVectorType::get(b.getInt32Ty(), units * width);
  Align from = copy.getSourceAlign().valueOrOne(), to = copy.getDestAlign().valueOrOne();
  Value *source = scalar(copy.getSource()), *destination = scalar(copy.getDest());
  if (isAll(mask)) {
    b.CreateAlignedStore(b.CreateAlignedLoad(type, source, from), destination, to);
    return;
  }
  SmallVector<int, 64> each = createReplicatedMask(units, width);
  Value *who = b.CreateShuffleVector(mask, each);
  Value *v = b.CreateMaskedLoad(type, source, from, who, PoisonValue::get(type));
  b.CreateMaskedStore(v, destination, to, who);
}

void WideLoop::emitLoad(LoadInst &load) {
  Value *address = load.getPointerOperand();
  if (!lanes.differs(&load))
    return emitScalar(load);
  Type *type = wide(load.getType());
  Constant *none = PoisonValue::get(type);
  for (int64_t sign : {1, -1}) {
    if (!isContiguous(address, load.getType(), sign))
      continue;
    Value *first = scalar(address), *own = mask;
    if (sign < 0) {
      first = b.CreateConstGEP1_64(load.getType(), first, -int64_t(width - 1));
      own = isAll(mask) ? mask : b.CreateVectorReverse(mask);
    }
    Value *v = isAll(own) ? cast<Value>(b.CreateAlignedLoad(type, first, load.getAlign()))
                          : b.CreateMaskedLoad(type, first, load.getAlign(), own, none);
    copyAliasing(v, load);
    return defineVector(&load, sign < 0 ? b.CreateVectorReverse(v) : v);
  }
  constexpr int64_t kMostPieces = 4;
  for (int64_t step = 2; step <= kMostPieces; ++step)
    if (isAll(mask) && isContiguous(address, load.getType(), step)) {
      Value *v = loadEvery(scalar(address), load.getType(), step, load.getAlign());
      return defineVector(&load, v);
    }
  if (Value *v = loadConstantLanes(load))
    return defineVector(&load, v);
  Value *v = b.CreateMaskedGather(type, vector(address), load.getAlign(), mask, none);
  copyAliasing(v, load);
  defineVector(&load, v);
}

void WideLoop::emitStore(StoreInst &store) {
  Value *address = store.getPointerOperand(), *v = store.getValueOperand();
  if (!lanes.differs(address) && !lanes.differs(v))
    return emitScalar(store);
  if (!lanes.differs(address)) { // the last lane's stays
    Type *set = b.getIntNTy(width);
    Value *last = b.getInt64(width - 1);
    if (!isAll(mask)) {
      Value *above =
          b.CreateBinaryIntrinsic(Intrinsic::ctlz, b.CreateBitCast(mask, set), b.getTrue());
      last = b.CreateSub(last, b.CreateZExtOrTrunc(above, b.getInt64Ty()));
    }
    Value *own = laneOf(vector(v), last, v->getType());
    copyAliasing(b.CreateAlignedStore(own, scalar(address), store.getAlign()), store);
    return;
  }
  Value *values = vector(v), *made;
  if (isContiguous(address, v->getType(), 1)) {
    made = isAll(mask)
               ? cast<Value>(b.CreateAlignedStore(values, scalar(address), store.getAlign()))
               : b.CreateMaskedStore(values, scalar(address), store.getAlign(), mask);
  } else if (isContiguous(address, v->getType(), -1)) {
    Value *first = b.CreateConstGEP1_64(v->getType(), scalar(address), -int64_t(width - 1));
    values = b.CreateVectorReverse(values);
    made = isAll(mask)
               ? cast<Value>(b.CreateAlignedStore(values, first, store.getAlign()))
               : b.CreateMaskedStore(values, first, store.getAlign(), b.CreateVectorReverse(mask));
  } else {
    made = b.CreateMaskedScatter(values, vector(address), store.getAlign(), mask);
  }
  copyAliasing(made, store);
}

} // namespace vx
