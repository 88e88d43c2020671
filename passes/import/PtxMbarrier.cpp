// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: barriers in shared memory (mbarrier) and copies that are waited for later (cp.async).
// A copy is complete as soon as it is issued, so what waits for groups of copies has nothing to do.
// Scopes and orders are accepted and mean nothing here, as in PtxMemory.cpp.

#include "lib/VortexIR/VxFunctions.h"
#include "passes/import/Emit.h"
#include "passes/import/Ptx.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx::import {
namespace {

Value *barrierOf(PtxContext &c, const PtxStatement &s, const PtxOperand &o) {
  return emitGeneric(c.b, c.readAddress(o, s.has("shared") ? kSharedAS : kGenericAS));
}

/// Returns operand AT of S, or 1 if there is none.
Value *readCount(PtxContext &c, const PtxStatement &s, size_t at) {
  Type *i32 = c.b.getInt32Ty();
  return s.operands.size() > at ? c.read(s.operands[at], i32) : ConstantInt::get(i32, 1);
}

/// Emits code for arrive{.noComplete}, arrive_drop, arrive.expect_tx: state, [barrier]{, count or
/// bytes}
void emitArrive(PtxContext &c, const PtxStatement &s) {
  Value *barrier = barrierOf(c, s, s.operands[1]), *arrivals = readCount(c, s, 2);
  if (s.has("expect_tx")) {
    emitCall(c.b, VxFn::MbarrierExpect, {barrier, arrivals});
    arrivals = c.b.getInt32(1);
  }
  Value *dropped = s.has("arrive_drop") ? arrivals : c.b.getInt32(0);
  c.write(s.operands[0], emitCall(c.b, VxFn::MbarrierArrive, {barrier, arrivals, dropped}));
}

/// Emits code for test_wait and try_wait: p, [barrier], state; with .parity p, [barrier], parity. A
/// time limit that follows is a hint.
void emitWait(PtxContext &c, const PtxStatement &s) {
  Value *parity;
  if (s.has("parity"))
    parity = c.b.CreateAnd(c.read(s.operands[2], c.b.getInt32Ty()), 1);
  else
    parity = c.b.CreateTrunc(c.b.CreateLShr(c.read(s.operands[2], c.b.getInt64Ty()), 63),
                             c.b.getInt32Ty());
  Value *barrier = barrierOf(c, s, s.operands[1]);
  emitCall(c.b, VxFn::ThreadWait);
  Value *done = emitCall(c.b, VxFn::MbarrierTest, {barrier, parity});
  c.write(s.operands[0], c.b.CreateIsNotNull(done));
}

void emitMbarrier(PtxContext &c, const PtxStatement &s) {
  StringRef what = s.words.size() > 1 ? StringRef(s.words[1]) : "";
  size_t n = s.operands.size();
  if (what == "init" && n == 2)
    emitCall(c.b, VxFn::MbarrierInit, {barrierOf(c, s, s.operands[0]), readCount(c, s, 1)});
  else if ((what == "arrive" || what == "arrive_drop") && n >= 2)
    emitArrive(c, s);
  else if ((what == "test_wait" || what == "try_wait") && n >= 3)
    emitWait(c, s);
  else if ((what == "expect_tx" || what == "complete_tx") && n == 2)
    emitCall(c.b, what == "expect_tx" ? VxFn::MbarrierExpect : VxFn::MbarrierComplete,
             {barrierOf(c, s, s.operands[0]), readCount(c, s, 1)});
  else if (what == "pending_count" && n == 2)
    c.write(s.operands[0],
            emitCall(c.b, VxFn::MbarrierPending, {c.read(s.operands[1], c.b.getInt64Ty())}));
  else if (what != "inval")
    c.failUnknown(s);
}

/// cp.async.mbarrier.arrive{.noinc} [barrier] arrives when the copies so far are complete: at once.
/// Without .noinc, the phase takes one arrival more, which this one is.
void emitArriveOfCopies(PtxContext &c, const PtxStatement &s) {
  if (s.has("noinc"))
    emitCall(c.b, VxFn::MbarrierArrive,
             {barrierOf(c, s, s.operands[0]), c.b.getInt32(1), c.b.getInt32(0)});
}

/// Emits code for cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [dst], [src],
/// bytes, [barrier] and cp.async.bulk.global.shared::cta.bulk_group [dst], [src], bytes
void emitBulkCopy(PtxContext &c, const PtxStatement &s) {
  if (s.operands.size() < 3) // groups of copies
    return;
  bool toShared = s.words.size() > 3 && s.words[3] == "shared";
  bool known = !s.has("tensor") && !s.has("multicast") && !s.has("reduce") && !s.has("prefetch") &&
               s.has("global") && s.operands.size() == (toShared ? 4 : 3);
  if (!known)
    return c.failUnknown(s);
  Value *to = c.readAddress(s.operands[0], toShared ? kSharedAS : kGenericAS);
  Value *from = c.readAddress(s.operands[1], toShared ? kGenericAS : kSharedAS);
  Value *bytes = c.read(s.operands[2], c.b.getInt32Ty());
  c.b.CreateMemCpy(to, Align(16), from, Align(16), c.b.CreateZExt(bytes, c.b.getInt64Ty()));
  if (toShared)
    emitCall(c.b, VxFn::MbarrierComplete,
             {emitGeneric(c.b, c.readAddress(s.operands[3], kSharedAS)), bytes});
}

/// Emits code for cp.async.{ca,cg}.shared.global [dst], [src], size{, read}: zeros after the READ
/// bytes.
void emitCp(PtxContext &c, const PtxStatement &s) {
  if (!s.has("async"))
    return c.failUnknown(s);
  if (s.has("bulk"))
    return emitBulkCopy(c, s);
  if (s.has("mbarrier") && !s.operands.empty())
    return emitArriveOfCopies(c, s);
  if (s.operands.size() < 3) // groups of copies
    return s.has("shared") ? c.fail("cp.async needs a constant size") : void();
  const auto *size = dyn_cast<ConstantInt>(c.read(s.operands[2], c.b.getInt32Ty()));
  if (!size)
    return c.fail("cp.async needs a constant size");
  uint64_t bytes = size->getZExtValue();
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return c.fail("cp.async copies 4, 8 or 16 bytes");
  Value *to = c.readAddress(s.operands[0], kSharedAS);
  Value *from = c.readAddress(s.operands[1], kGenericAS);
  Align align(bytes);
  if (s.operands.size() == 3) {
    c.b.CreateMemCpyInline(to, align, from, align, c.b.getInt64(bytes));
    return;
  }
  Value *read = c.read(s.operands[3], c.b.getInt32Ty());
  if (const auto *count = dyn_cast<ConstantInt>(read); count && count->equalsInt(bytes)) {
    c.b.CreateMemCpyInline(to, align, from, align, c.b.getInt64(bytes));
    return;
  }
  c.b.CreateMemSetInline(to, align, c.b.getInt8(0), c.b.getInt64(bytes));
  c.b.CreateMemCpy(to, Align(1), from, Align(1), c.b.CreateZExt(read, c.b.getInt64Ty()));
}

constexpr PtxInstruction kMbarrierInstructions[] = {
    {"cp", 0, emitCp, true, ""},
    {"mbarrier", 1, emitMbarrier, true, ""},
};

} // namespace

ArrayRef<PtxInstruction> ptxMbarrierInstructions() {
  return kMbarrierInstructions;
}

} // namespace vx::import
