// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitters of the NVVM_CUSTOM rows of NVVMIntrinsics.def. An emitter builds the replacement of
// `e.call` at `e.b` and returns it (null for a void call, or after it has reported an error).

#ifndef VX_PASSES_IMPORT_INTRINSICEMITTERS_H
#define VX_PASSES_IMPORT_INTRINSICEMITTERS_H

#include "intrinsics/abi/LaunchDescriptor.h"
#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Barriers.h"
#include "passes/import/Emit.h"
#include "passes/import/Import.h"
#include "passes/import/Warp.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <cstddef>

namespace vx::import {

struct Emitter {
  llvm::IRBuilder<> &b;
  llvm::CallInst &call;

  llvm::Value *arg(unsigned i) const { return call.getArgOperand(i); }
  llvm::Type *type() const { return call.getType(); }
  llvm::SmallVector<llvm::Value *, 4> args() const { return {call.arg_begin(), call.arg_end()}; }
};

inline llvm::Value *emitNothing(Emitter &) {
  return nullptr;
}
template <llvm::Intrinsic::ID Function> llvm::Value *emitOfMagnitudes(Emitter &e) {
  return emitOfMagnitudes(e.b, Function, e.arg(0), e.arg(1));
}
inline llvm::Value *emitFirstOperand(Emitter &e) {
  return e.arg(0);
}

/// Emits the handle of a texture reference, which is a device variable with the handle of a texture
/// object. The runtime finds it by its name, also where it is static.
inline llvm::Value *emitTextureHandle(Emitter &e) {
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(e.arg(0)->stripPointerCasts()))
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
  return e.b.CreateLoad(e.type(), e.arg(0));
}

// Coordinates and time.

template <VxFn Fn> llvm::Value *emitTruncated(Emitter &e) {
  return e.b.CreateTrunc(emitCall(e.b, Fn), e.type());
}

template <VxFn Fn, unsigned Axis> llvm::Value *emitAxis(Emitter &e) {
  return emitCall(e.b, Fn, {e.b.getInt32(Axis)});
}

inline llvm::Value *emitIsCluster(Emitter &e) {
  return emitIsCluster(e.b);
}

template <char First, char Second> llvm::Value *emitLaneMaskOf(Emitter &e) {
  const char relation[] = {First, Second};
  return emitLaneMask(e.b, llvm::StringRef(relation, 2));
}

inline llvm::Value *emitWarpsPerBlockOf(Emitter &e) {
  return emitWarpsPerBlock(e.b);
}

inline llvm::Value *emitDynamicSharedSize(Emitter &e) {
  return emitDescriptorField(e.b, offsetof(abi::LaunchDescriptor, dynSharedBytes));
}

inline llvm::Value *emitTotalSharedSize(Emitter &e) {
  return emitSharedBytes(e.b);
}

// Synchronization.

/// The operands are the barrier, a number of threads if the call is COUNTED, and the predicate of a
/// reduction.
template <BarrierKind Kind, bool Counted> llvm::Value *emitBarrierOf(Emitter &e) {
  std::string why;
  llvm::Value *predicate =
      Kind >= BarrierKind::Count ? e.arg(Counted ? 2 : 1) : static_cast<llvm::Value *>(nullptr);
  llvm::Value *result =
      emitBarrier(e.b, Kind, {e.arg(0), Counted ? e.arg(1) : nullptr, predicate}, why);
  if (!why.empty())
    reportUnsupported(e.call, why);
  return result;
}

// Barriers in memory (mbarrier).

inline llvm::Value *emitMbarrierInit(Emitter &e) {
  return emitCall(e.b, VxFn::MbarrierInit, {emitGeneric(e.b, e.arg(0)), e.arg(1)});
}

/// Emits an arrival at an mbarrier, once if the call has no number of arrivals.
template <bool Drop> llvm::Value *emitMbarrierArrive(Emitter &e) {
  llvm::Value *arrivals = e.call.arg_size() > 1 ? e.arg(1) : e.b.getInt32(1);
  llvm::Value *state = emitCall(e.b, VxFn::MbarrierArrive,
                                {emitGeneric(e.b, e.arg(0)), arrivals,
                                 Drop ? arrivals : static_cast<llvm::Value *>(e.b.getInt32(0))});
  return e.type()->isVoidTy() ? nullptr : state;
}

/// Emits whether the phase of the state BARRIER had when the thread arrived is complete.
inline llvm::Value *emitMbarrierTest(Emitter &e) {
  llvm::Value *parity = e.b.CreateTrunc(e.b.CreateLShr(e.arg(1), 63), e.b.getInt32Ty());
  emitCall(e.b, VxFn::ThreadWait);
  llvm::Value *done = emitCall(e.b, VxFn::MbarrierTest, {emitGeneric(e.b, e.arg(0)), parity});
  return e.b.CreateIsNotNull(done);
}

// Warp functions. A result {value, i1} asks for the predicate too. The forms without a member mask
// mean the lanes that are here.

inline llvm::Value *emitResult(Emitter &e, WithPredicate r) {
  if (!e.type()->isStructTy())
    return r.value;
  llvm::Value *pair = e.b.CreateInsertValue(llvm::PoisonValue::get(e.type()), r.value, 0);
  return e.b.CreateInsertValue(pair, r.predicate, 1);
}

template <VxFn Fn> llvm::Value *emitShuffleOf(Emitter &e) {
  unsigned first = e.call.arg_size() == 4 ? 1 : 0;
  llvm::Value *mask = first ? e.arg(0) : nullptr;
  return emitResult(e,
                    emitShuffle(e.b, Fn, mask, e.arg(first), e.arg(first + 1), e.arg(first + 2)));
}

template <VxFn Fn> llvm::Value *emitVoteOf(Emitter &e) {
  unsigned last = e.call.arg_size() - 1;
  return emitVote(e.b, Fn, last ? e.arg(0) : nullptr, e.arg(last));
}

template <bool All> llvm::Value *emitMatchOf(Emitter &e) {
  return emitResult(e, emitMatch(e.b, All, e.arg(0), e.arg(1)));
}

/// Returns the constant operand of NVIDIA's vote.sync and shfl.sync.i32 that says which of the
/// functions of MODES, in the order of their numbers, is meant; an error at the call if it does
/// not.
inline VxFn modeOf(Emitter &e, std::initializer_list<VxFn> modes) {
  auto *mode = llvm::dyn_cast<llvm::ConstantInt>(e.arg(1));
  if (mode && mode->getValue().ult(modes.size()))
    return modes.begin()[mode->getZExtValue()];
  reportUnsupported(e.call, "the mode of '" + e.call.getCalledFunction()->getName() +
                                "' is a constant below " + llvm::Twine(modes.size()));
  return *modes.begin();
}

/// Emits code for {i32, i1} shfl.sync.i32(mask, mode, value, lane, segment)
inline llvm::Value *emitShuffleByMode(Emitter &e) {
  VxFn fn = modeOf(e, {VxFn::ShflIdx32, VxFn::ShflUp32, VxFn::ShflDown32, VxFn::ShflBfly32});
  return emitResult(e, emitShuffle(e.b, fn, e.arg(0), e.arg(2), e.arg(3), e.arg(4)));
}

/// Emits code for {i32, i1} vote.sync(mask, mode, predicate): a ballot is the first of the results,
/// the others are the second, too.
inline llvm::Value *emitVoteByMode(Emitter &e) {
  VxFn fn = modeOf(e, {VxFn::VoteAll, VxFn::VoteAny, VxFn::VoteUni, VxFn::VoteBallot});
  llvm::Value *v = emitVote(e.b, fn, e.arg(0), e.arg(2));
  return emitResult(e, fn == VxFn::VoteBallot
                           ? WithPredicate{v, e.b.CreateIsNotNull(v)}
                           : WithPredicate{e.b.CreateZExt(v, e.b.getInt32Ty()), v});
}

inline llvm::Value *emitElectOf(Emitter &e) {
  return emitResult(e, emitElect(e.b, e.arg(0)));
}

/// Emits code for redux.sync(value, mask). It is known at run time whether all lanes of a full mask
/// are there.
template <VxFn Fn> llvm::Value *emitReduction(Emitter &e) {
  return emitCall(e.b, Fn, {e.arg(1), e.arg(0), e.b.getInt32(0)});
}

// Memory.

inline llvm::Value *emitClusterMap(Emitter &e) {
  return emitClusterMap(e.b, e.arg(0), e.arg(1), e.type());
}

inline llvm::Value *emitIsSharedSpace(Emitter &e) {
  return emitIsShared(e.b, e.arg(0));
}

/// Everything that is not shared memory counts as global.
inline llvm::Value *emitIsGlobalSpace(Emitter &e) {
  return e.b.CreateNot(emitIsShared(e.b, e.arg(0)));
}

inline llvm::Value *emitCachedLoad(Emitter &e) {
  auto *align = llvm::cast<llvm::ConstantInt>(e.arg(1));
  return e.b.CreateAlignedLoad(e.type(), e.arg(0), align->getMaybeAlignValue());
}

/// Emits code for cp.async, which copies at once; the groups that wait for it have nothing to do.
/// With a third operand only that many bytes are read and the rest is zero.
template <unsigned Bytes> llvm::Value *emitAsyncCopy(Emitter &e) {
  llvm::Align align(Bytes);
  if (e.call.arg_size() == 2) {
    e.b.CreateMemCpyInline(e.arg(0), align, e.arg(1), align, e.b.getInt64(Bytes));
    return nullptr;
  }
  e.b.CreateMemSetInline(e.arg(0), align, e.b.getInt8(0), e.b.getInt64(Bytes));
  e.b.CreateMemCpy(e.arg(0), llvm::Align(1), e.arg(1), llvm::Align(1),
                   e.b.CreateZExt(e.arg(2), e.b.getInt64Ty()));
  return nullptr;
}

template <llvm::AtomicRMWInst::BinOp Op> llvm::Value *emitAtomic(Emitter &e) {
  return e.b.CreateAtomicRMW(Op, e.arg(0), e.arg(1), llvm::MaybeAlign(),
                             llvm::AtomicOrdering::Monotonic);
}

inline llvm::Value *emitCompareExchange(Emitter &e) {
  llvm::Value *pair =
      e.b.CreateAtomicCmpXchg(e.arg(0), e.arg(1), e.arg(2), llvm::MaybeAlign(),
                              llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
  return e.b.CreateExtractValue(pair, 0);
}

// Integer arithmetic.

template <bool Signed> llvm::Value *emitMulHigh(Emitter &e) {
  return emitMulHi(e.b, e.arg(0), e.arg(1), Signed);
}

template <bool Signed> llvm::Value *emitMul24Bits(Emitter &e) {
  return emitMul24(e.b, e.arg(0), e.arg(1), Signed);
}

template <bool Signed> llvm::Value *emitSad(Emitter &e) {
  auto max = Signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax;
  auto min = Signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin;
  llvm::Value *difference = e.b.CreateSub(e.b.CreateBinaryIntrinsic(max, e.arg(0), e.arg(1)),
                                          e.b.CreateBinaryIntrinsic(min, e.arg(0), e.arg(1)));
  return e.b.CreateAdd(difference, e.arg(2));
}

template <bool Left> llvm::Value *emitFunnelShift(Emitter &e) {
  return emitFunnelClamp(e.b, /*lo=*/e.arg(1), /*hi=*/e.arg(0), e.arg(2), Left);
}

template <bool Signed> llvm::Value *emitFindLeadingOne(Emitter &e) {
  return emitFindLeading(e.b, e.arg(0), Signed, llvm::cast<llvm::ConstantInt>(e.arg(1))->isOne());
}

template <char A, char B> llvm::Value *emitDp2a(Emitter &e) {
  bool high = llvm::cast<llvm::ConstantInt>(e.arg(2))->isOne();
  std::string name = std::string("__vxm_dp2a_") + (high ? "hi_" : "lo_") + A + B;
  return emitLibrary(e.b, name, e.type(), {e.arg(0), e.arg(1), e.arg(3)});
}

// Floating point.

inline llvm::Value *emitSaturated(Emitter &e) {
  return emitSaturate(e.b, e.arg(0));
}

template <llvm::Instruction::BinaryOps Op> llvm::Value *emitBinary(Emitter &e) {
  return e.b.CreateBinOp(Op, e.arg(0), e.arg(1));
}

inline llvm::Value *emitReciprocal(Emitter &e) {
  return e.b.CreateFDiv(llvm::ConstantFP::get(e.type(), 1.0), e.arg(0));
}

inline llvm::Value *emitExp2(Emitter &e) {
  llvm::Type *f32 = e.b.getFloatTy();
  if (e.type() == f32)
    return emitLibrary(e.b, "__nv_exp2f", f32, {e.arg(0)});
  return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::exp2, e.arg(0));
}

template <bool Signed> llvm::Value *emitIntToDouble(Emitter &e) {
  return Signed ? e.b.CreateSIToFP(e.arg(0), e.type()) : e.b.CreateUIToFP(e.arg(0), e.type());
}

inline llvm::Value *emitFPTrunc(Emitter &e) {
  return e.b.CreateFPTrunc(e.arg(0), e.type());
}

/// The first operand becomes the upper half.
inline llvm::Value *emitFPTruncPair(Emitter &e) {
  llvm::Type *half = e.type()->getScalarType();
  llvm::Value *pair = llvm::PoisonValue::get(e.type());
  pair = e.b.CreateInsertElement(pair, e.b.CreateFPTrunc(e.arg(1), half), uint64_t(0));
  return e.b.CreateInsertElement(pair, e.b.CreateFPTrunc(e.arg(0), half), uint64_t(1));
}

} // namespace vx::import

#endif // VX_PASSES_IMPORT_INTRINSICEMITTERS_H
