// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-lower-warp: votes and shuffles become instructions. One call, one instruction where the
// operands allow:
//
//   vote (full mask, p)      vx_vote rd, p           active lanes are all there are
//   vote (mask, p)           vx_vote rd, p, mask     profile `warp`
//                            ballot(p) & mask        profile `upstream`: no member masks
//   shuffle (v, constant)    vx_shfl rd, v, #n, word profile `warp`; word is a constant register
//   shuffle (v, lane)        vx_shfl rd, v, word << 6 | lane
//   shuffle of 64 bits       the same, as two halves where registers have 32 bits
//   warpsync                 none: the lanes of a warp run in lockstep
//
// On machines with paths (profile `paths`), a vote with a member mask waits until the lanes it
// names are one path; a shuffle and a warpsync have one in front of them, if there is none for the
// same mask before it in the basic block. A full mask is one, too: not all lanes may be there.
//
// A shuffle needs no member mask: a lane reads a register of another, no matter which others read.
// This runs after vx-annotate-divergence, because the calls tell the divergence analysis more than
// the assembly does, and makes no control flow.

#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/TargetFeatures.h"
#include "lib/VortexIR/VxFunctions.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace vx {
namespace {

using abi::IsaProfile;

class WarpLowering {
public:
  explicit WarpLowering(Function &f)
      : f(f), profile(getIsa(*f.getParent())), paths(hasPaths(*f.getParent())),
        xlen(f.getDataLayout().getPointerSizeInBits() == 32 ? 32 : 64), b(f.getContext()) {}

  bool run() {
    SmallVector<std::pair<CallInst *, VxFn>, 16> work;
    for (Instruction &i : instructions(f))
      if (auto fn = getVxFn(&i); fn && isWarpFunction(*fn))
        work.push_back({cast<CallInst>(&i), *fn});
    // Votes look at the mask's origin, so what computes a mask is lowered after its users.
    for (auto [call, fn] : reverse(work)) {
      b.SetInsertPoint(call);
      if (Value *v = lower(*call, fn))
        call->replaceAllUsesWith(v);
      else if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(PoisonValue::get(call->getType()));
      call->eraseFromParent();
    }
    return !work.empty();
  }

private:
  Value *lower(CallInst &call, VxFn fn) {
    if (fn == VxFn::WarpSync) {
      emitMemoryBarrier(b);
      if (paths)
        waitForMembers(call);
      return nullptr;
    }
    if (paths && fn != VxFn::ActiveMask && !isVoteWithMembers(fn, call))
      waitForMembers(call);
    if (call.use_empty())
      return nullptr;
    switch (fn) {
    case VxFn::ActiveMask:
      return emitVote(b, WarpOp::VoteBallot, b.getInt32(1), nullptr);
    case VxFn::VoteAll:
    case VxFn::VoteAny:
    case VxFn::VoteUni:
    case VxFn::VoteBallot:
      return vote(call, fn);
    case VxFn::ShflUp32:
    case VxFn::ShflUp64:
      return shuffle(call, WarpOp::ShflUp);
    case VxFn::ShflDown32:
    case VxFn::ShflDown64:
      return shuffle(call, WarpOp::ShflDown);
    case VxFn::ShflBfly32:
    case VxFn::ShflBfly64:
      return shuffle(call, WarpOp::ShflBfly);
    case VxFn::ShflIdx32:
    case VxFn::ShflIdx64:
      return shuffle(call, WarpOp::ShflIdx);
    default:
      llvm_unreachable("vx-expand-warp-functions has expanded matches and reductions");
    }
  }

  // --- machines with paths ---

  static bool isVote(VxFn fn) {
    return fn == VxFn::VoteAll || fn == VxFn::VoteAny || fn == VxFn::VoteUni ||
           fn == VxFn::VoteBallot;
  }

  /// A vote that becomes one with a member mask waits for them itself.
  bool isVoteWithMembers(VxFn fn, const CallInst &call) const {
    return isVote(fn) && !call.use_empty() && !areHere(call.getArgOperand(0), call);
  }

  /// Lanes are on a path of their own until they meet at a vote with a member mask. Those that have
  /// met stay together to the end of the basic block.
  void waitForMembers(CallInst &call) {
    Value *members = call.getArgOperand(0);
    if (areHere(members, call))
      return;
    for (const Instruction *before = call.getPrevNode(); before; before = before->getPrevNode()) {
      const auto *other = dyn_cast<CallBase>(before);
      if (!other || other->isInlineAsm() || isa<IntrinsicInst>(other))
        continue;
      auto fn = getVxFn(other);
      if (!fn || !isWarpFunction(*fn))
        break; // a call, in which they may part
      if (*fn != VxFn::ActiveMask && other->getArgOperand(0) == members)
        return; // it will wait
    }
    emitVote(b, WarpOp::VoteAll, b.getInt32(1), b.CreateZExtOrTrunc(members, b.getInt32Ty()));
  }

  /// Returns true if the lanes of MASK are on the path that runs CALL.
  static bool areHere(const Value *mask, const CallInst &call) {
    const auto *maker = dyn_cast<CallInst>(mask);
    return maker && getVxFn(maker) == VxFn::ActiveMask && maker->getParent() == call.getParent();
  }

  // --- votes ---

  /// Returns true if MASK surely names every lane that runs CALL.
  static bool coversActiveLanes(const Value *mask, const CallInst &call) {
    if (const auto *c = dyn_cast<ConstantInt>(mask))
      return c->isMinusOne();
    const auto *maker = dyn_cast<CallInst>(mask);
    return maker && getVxFn(maker) == VxFn::ActiveMask && maker->getParent() == call.getParent();
  }

  /// Returns V as 0 or 1.
  Value *truth(Value *v) {
    if (const auto *extend = dyn_cast<ZExtInst>(v); extend && extend->getSrcTy()->isIntegerTy(1))
      return v;
    return b.CreateZExt(b.CreateIsNotNull(v), b.getInt32Ty());
  }

  Value *vote(CallInst &call, VxFn fn) {
    Value *members = call.getArgOperand(0), *predicate = truth(call.getArgOperand(1));
    if (paths ? areHere(members, call) : coversActiveLanes(members, call))
      return emitVote(b, voteOp(fn), predicate, nullptr);
    if (profile == IsaProfile::Warp)
      return emitVote(b, voteOp(fn), predicate, members);
    auto voters = [&](Value *p) {
      return b.CreateAnd(emitVote(b, WarpOp::VoteBallot, p, nullptr), members);
    };
    auto isTrue = [&](Value *v) { return b.CreateZExt(v, b.getInt32Ty()); };
    auto against = [&] { return b.CreateIsNull(voters(b.CreateXor(predicate, b.getInt32(1)))); };
    switch (fn) {
    case VxFn::VoteAll:
      return isTrue(against());
    case VxFn::VoteAny:
      return isTrue(b.CreateIsNotNull(voters(predicate)));
    case VxFn::VoteUni: {
      Value *noVote = b.CreateIsNull(voters(predicate));
      return isTrue(b.CreateOr(noVote, against()));
    }
    default:
      return voters(predicate);
    }
  }

  static WarpOp voteOp(VxFn fn) {
    switch (fn) {
    case VxFn::VoteAll:
      return WarpOp::VoteAll;
    case VxFn::VoteAny:
      return WarpOp::VoteAny;
    case VxFn::VoteUni:
      return WarpOp::VoteUni;
    default:
      return WarpOp::VoteBallot;
    }
  }

  // --- shuffles ---

  /// Emits segment mask << 6 | clamp, from PTX's segment mask << 8 | clamp (five bits each).
  Value *clampWord(Value *segment) {
    Value *mask = b.CreateAnd(b.CreateLShr(segment, 2), (kWarpSize - 1) << 6);
    return b.CreateOr(mask, b.CreateAnd(segment, kWarpSize - 1));
  }

  Value *shuffle(CallInst &call, WarpOp op) {
    Value *value = call.getArgOperand(1), *lane = call.getArgOperand(2);
    Value *word = clampWord(call.getArgOperand(3));
    const auto *offset = dyn_cast<ConstantInt>(lane);
    bool immediate = offset && profile == IsaProfile::Warp;
    Value *control = immediate ? word
                               : b.CreateOr(b.CreateShl(word, 6), b.CreateAnd(lane, kWarpSize - 1),
                                            "shfl.control");
    auto one = [&](Value *v) {
      return immediate ? emitShuffleBy(b, op, v, offset->getZExtValue() & kWarpSize - 1, control)
                       : emitShuffle(b, op, v, control);
    };
    Type *type = value->getType();
    if (type->getIntegerBitWidth() <= xlen)
      return one(value);
    Value *low = one(b.CreateTrunc(value, b.getInt32Ty()));
    Value *high = one(b.CreateTrunc(b.CreateLShr(value, 32), b.getInt32Ty()));
    return b.CreateOr(b.CreateZExt(low, type), b.CreateShl(b.CreateZExt(high, type), 32));
  }

  Function &f;
  IsaProfile profile;
  bool paths;
  unsigned xlen;
  IRBuilder<> b;
};

} // namespace

PreservedAnalyses LowerWarpPass::run(Function &f, FunctionAnalysisManager &) {
  if (f.isDeclaration() || !WarpLowering(f).run())
    return PreservedAnalyses::all();
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
