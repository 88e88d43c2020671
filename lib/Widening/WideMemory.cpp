// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of a group to memory: one of all lanes, one to neighbouring elements, or one for
// each lane.

#include "lib/Widening/WideLoop.h"

using namespace llvm;

namespace vx {

/// Returns true if neighbouring lanes access neighbouring elements of TYPE, upwards (SIGN 1) or
/// downwards (-1).
bool WideLoop::isContiguous(Value *address, Type *type, int64_t sign) const {
  auto stride = lanes.strideOf(address);
  auto size = int64_t(dl.getTypeStoreSize(type).getFixedValue());
  return stride && *stride == sign * size && dl.getTypeSizeInBits(type) == uint64_t(size) * 8 &&
         dl.getTypeAllocSize(type) == uint64_t(size);
}

static void copyAliasing(Value *to, const Instruction &from) {
  cast<Instruction>(to)->copyMetadata(
      from, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
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
    made = isAll(mask) ? cast<Value>(b.CreateAlignedStore(values, scalar(address), store.getAlign()))
                       : b.CreateMaskedStore(values, scalar(address), store.getAlign(), mask);
  } else if (isContiguous(address, v->getType(), -1)) {
    Value *first = b.CreateConstGEP1_64(v->getType(), scalar(address), -int64_t(width - 1));
    values = b.CreateVectorReverse(values);
    made = isAll(mask) ? cast<Value>(b.CreateAlignedStore(values, first, store.getAlign()))
                       : b.CreateMaskedStore(values, first, store.getAlign(),
                                             b.CreateVectorReverse(mask));
  } else {
    made = b.CreateMaskedScatter(values, vector(address), store.getAlign(), mask);
  }
  copyAliasing(made, store);
}

} // namespace vx
