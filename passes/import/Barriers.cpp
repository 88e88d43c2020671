// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/import/Barriers.h"
#include "intrinsics/abi/NamedBarriers.h"
#include "lib/VortexIR/VxFunctions.h"

using namespace llvm;

namespace vx::import {
namespace {

/// Returns what is wrong with operands that are known; empty: nothing.
std::string whyWrong(BarrierKind kind, const ConstantInt *id, const ConstantInt *threads) {
  if (id && id->getValue().uge(abi::kNamedBarriers))
    return "barrier " + std::to_string(id->getSExtValue()) + " is out of range: a block has 0 to " +
           std::to_string(abi::kNamedBarriers - 1);
  if (threads && threads->getZExtValue() % abi::kWarpSize)
    return "the number of threads of a barrier must be a multiple of " +
           std::to_string(abi::kWarpSize) + ", the warp size, not " +
           std::to_string(threads->getSExtValue());
  if (kind == BarrierKind::Arrive && threads && threads->isZero())
    return "a barrier at which threads arrive without waiting needs a number of threads";
  return "";
}

Value *emitOfBlock(IRBuilderBase &b, BarrierKind kind, Value *predicate) {
  switch (kind) {
  case BarrierKind::Count:
    return emitCall(b, VxFn::BarrierCount, {predicate});
  case BarrierKind::And:
    return b.CreateIsNotNull(emitCall(b, VxFn::BarrierAnd, {predicate}));
  case BarrierKind::Or:
    return b.CreateIsNotNull(emitCall(b, VxFn::BarrierOr, {predicate}));
  default:
    emitCall(b, VxFn::Barrier);
    return nullptr;
  }
}

} // namespace

Value *emitBarrier(IRBuilderBase &b, BarrierKind kind, const BarrierOperands &operands,
                   std::string &why) {
  const auto *id = dyn_cast<ConstantInt>(operands.id);
  const auto *known = dyn_cast_or_null<ConstantInt>(operands.threads);
  if (why = whyWrong(kind, id, known); !why.empty())
    return nullptr;
  bool isForAll = !operands.threads || (known && known->isZero());
  if (id && id->isZero() && isForAll) {
    Value *p = operands.predicate;
    return emitOfBlock(b, kind, p ? b.CreateZExt(p, b.getInt32Ty()) : nullptr);
  }
  Value *threads = isForAll ? b.getInt32(0) : operands.threads;
  if (kind == BarrierKind::Arrive) {
    emitCall(b, VxFn::NamedArrive, {operands.id, threads});
    return nullptr;
  }
  // All are true if none is false.
  Value *counted = operands.predicate ? operands.predicate : b.getFalse();
  if (kind == BarrierKind::And)
    counted = b.CreateNot(counted);
  Value *sum =
      emitCall(b, VxFn::NamedSync, {operands.id, threads, b.CreateZExt(counted, b.getInt32Ty())});
  if (kind == BarrierKind::And)
    return b.CreateIsNull(sum);
  return kind == BarrierKind::Or      ? b.CreateIsNotNull(sum)
         : kind == BarrierKind::Count ? sum
                                      : nullptr;
}

} // namespace vx::import
