// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/import/Emit.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "intrinsics/abi/WarpSize.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx::import {

Value *emitLibrary(IRBuilderBase &b, StringRef name, Type *result, ArrayRef<Value *> args) {
  SmallVector<Type *, 4> params;
  for (Value *arg : args)
    params.push_back(arg->getType());
  Module &m = *b.GetInsertBlock()->getModule();
  FunctionCallee f = m.getOrInsertFunction(name, FunctionType::get(result, params, false));
  cast<Function>(f.getCallee())->addFnAttr(Attribute::NoUnwind);
  cast<Function>(f.getCallee())->addFnAttr(Attribute::WillReturn);
  return b.CreateCall(f, args);
}

Value *emitMulHi(IRBuilderBase &b, Value *x, Value *y, bool isSigned) {
  unsigned bits = x->getType()->getIntegerBitWidth();
  Type *wide = b.getIntNTy(2 * bits);
  auto widen = [&](Value *v) { return isSigned ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
  return b.CreateTrunc(b.CreateLShr(b.CreateMul(widen(x), widen(y)), bits), x->getType());
}

Value *emitMul24(IRBuilderBase &b, Value *x, Value *y, bool isSigned) {
  auto low24 = [&](Value *v) {
    unsigned above = v->getType()->getIntegerBitWidth() - 24;
    Value *top = b.CreateShl(v, above);
    return isSigned ? b.CreateAShr(top, above) : b.CreateLShr(top, above);
  };
  return b.CreateMul(low24(x), low24(y));
}

Value *emitFindLeading(IRBuilderBase &b, Value *x, bool isSigned, bool shiftAmount) {
  unsigned bits = x->getType()->getIntegerBitWidth();
  if (isSigned)
    x = b.CreateXor(x, b.CreateAShr(x, bits - 1));
  Value *zeros = b.CreateZExtOrTrunc(b.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b.getFalse()),
                                     b.getInt32Ty());
  if (shiftAmount)
    return b.CreateSelect(b.CreateIsNull(x), b.getInt32(-1), zeros);
  return b.CreateSub(b.getInt32(bits - 1), zeros);
}

Value *emitFunnelClamp(IRBuilderBase &b, Value *lo, Value *hi, Value *amount, bool left) {
  Type *i64 = b.getInt64Ty();
  Value *n = b.CreateBinaryIntrinsic(Intrinsic::umin, amount, b.getInt32(32));
  Value *both = b.CreateOr(b.CreateShl(b.CreateZExt(hi, i64), 32), b.CreateZExt(lo, i64));
  if (!left)
    return b.CreateTrunc(b.CreateLShr(both, b.CreateZExt(n, i64)), b.getInt32Ty());
  Value *shifted = b.CreateShl(both, b.CreateZExt(n, i64));
  return b.CreateTrunc(b.CreateLShr(shifted, 32), b.getInt32Ty());
}

Value *emitSaturate(IRBuilderBase &b, Value *x) {
  // maxnum first: it turns a NaN into its other operand, 0.
  Value *low = b.CreateBinaryIntrinsic(Intrinsic::maxnum, x, ConstantFP::get(x->getType(), 0.0));
  return b.CreateBinaryIntrinsic(Intrinsic::minnum, low, ConstantFP::get(x->getType(), 1.0));
}

Value *emitOfMagnitudes(IRBuilderBase &b, Intrinsic::ID function, Value *x, Value *y) {
  Value *magnitude = b.CreateBinaryIntrinsic(function, b.CreateUnaryIntrinsic(Intrinsic::fabs, x),
                                             b.CreateUnaryIntrinsic(Intrinsic::fabs, y));
  Type *type = x->getType();
  Type *bits = type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()));
  Value *signs = b.CreateXor(b.CreateBitCast(x, bits), b.CreateBitCast(y, bits));
  Value *result =
      b.CreateBinaryIntrinsic(Intrinsic::copysign, magnitude, b.CreateBitCast(signs, type));
  return b.CreateSelect(b.CreateFCmpUNO(magnitude, magnitude), magnitude, result);
}

Value *emitClusterMap(IRBuilderBase &b, Value *p, Value *rank, Type *type) {
  return b.CreateAddrSpaceCast(emitCall(b, VxFn::ClusterMap, {emitGeneric(b, p), rank}), type);
}

Value *emitLaneMask(IRBuilderBase &b, StringRef relation) {
  Value *bit = b.CreateShl(b.getInt32(1), emitCall(b, VxFn::LaneId));
  Value *below = b.CreateSub(bit, b.getInt32(1));
  if (relation == "eq")
    return bit;
  if (relation == "lt")
    return below;
  if (relation == "le")
    return b.CreateOr(below, bit);
  if (relation == "ge")
    return b.CreateNot(below);
  return b.CreateNot(b.CreateOr(below, bit));
}

Value *emitWarpsPerBlock(IRBuilderBase &b) {
  Value *plane = b.CreateMul(emitCall(b, VxFn::BlockDimX), emitCall(b, VxFn::BlockDimY));
  Value *threads = b.CreateMul(plane, emitCall(b, VxFn::BlockDimZ));
  return b.CreateLShr(b.CreateAdd(threads, b.getInt32(abi::kWarpSize - 1)), abi::kWarpShift);
}

Value *emitDescriptorField(IRBuilderBase &b, unsigned offset) {
  Value *field = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), emitCall(b, VxFn::Descriptor), offset);
  return b.CreateLoad(b.getInt32Ty(), field);
}

Value *emitIsShared(IRBuilderBase &b, Value *p) {
  Type *i64 = b.getInt64Ty();
  Value *offset = b.CreateSub(b.CreatePtrToInt(emitGeneric(b, p), i64),
                              b.CreatePtrToInt(emitCall(b, VxFn::SharedBase), i64));
  Value *bytes = emitDescriptorField(b, offsetof(abi::LaunchDescriptor, sharedStride));
  return b.CreateICmpULT(offset, b.CreateZExt(bytes, i64));
}

Value *emitIsCluster(IRBuilderBase &b) {
  return b.CreateICmpUGT(emitCall(b, VxFn::ClusterBlocks), b.getInt32(1));
}

Value *emitSharedBytes(IRBuilderBase &b) {
  Value *fixed = emitDescriptorField(b, offsetof(abi::LaunchDescriptor, dynSharedOffset));
  Value *dynamic = emitDescriptorField(b, offsetof(abi::LaunchDescriptor, dynSharedBytes));
  return b.CreateAnd(b.CreateAdd(b.CreateAdd(fixed, dynamic), b.getInt32(15)), b.getInt32(~15u));
}

Value *emitGeneric(IRBuilderBase &b, Value *p) {
  return b.CreateAddrSpaceCast(p, b.getPtrTy(kGenericAS));
}

} // namespace vx::import
