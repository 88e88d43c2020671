// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx-insert-sync-hints: in code for the checkers (module flag vx.forCheckers), each thread says
// where it starts, where it synchronizes with others, and where it ends. What says so are hints
// (intrinsics/abi/CheckHints.h) in the code of one thread, before anything is lowered. So they mean
// the same whether a thread becomes a lane or a round of a loop:
//
//     call void @__vx_barrier()      ->      hint: site, hint: arrives at a barrier of the block
//                                            call void @__vx_barrier()
//                                            hint: continues
//
// The site is a number of the call in the source: copies that optimization makes have the same one;
// for a warp function, at which lanes may meet wherever they call it, that of the function.
// A thread may also pass by: before the call it is said where the branches that lead to it or
// around it join again, and there that the thread is there, however it came. The same is said of
// calls of functions that synchronize.
//
//     br %c, then, join              ->  then:  hint: ahead of join 1; site, arrives …
//     then:  call void @__vx_barrier()          call void @__vx_barrier()
//     join:  …                                  hint: continues; that join is no longer ahead
//                                        join:  hint: at join 1
//
// Where the front end has marked the returns of a function (__vx_leave), a thread at a join also
// says whether it returns: it may, before a barrier, but may not go around one. After a loop it
// says that at the end of the function: from the block that a loop is left for it may come to a
// `return` that is in the loop for the source.
//
// Fences and releasing accesses are said as well, and, before and after it, that an access is
// volatile or atomic: its instruction is, or begins with, that of a plain one.

#include "intrinsics/abi/CheckHints.h"
#include "lib/VortexIR/ControlDependence.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/DeviceOptions.h"
#include "lib/VortexIR/SourceAccesses.h"
#include "lib/VortexIR/TransitiveCallers.h"
#include "passes/Passes.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {
namespace {

class SyncHints {
public:
  explicit SyncHints(Module &m) : b(m.getContext()), synchronizing(m, isSynchronization) {}

  void insert(Function &f) {
    takeMarks(f);
    SmallVector<Instruction *, 16> all;
    for (Instruction &i : instructions(f))
      all.push_back(&i);
    findJoins(f);
    for (Instruction *i : all)
      visit(*i);
    for (auto [join, number] : joins) {
      BasicBlock::iterator first = join->getFirstNonPHIOrDbgOrAlloca();
      b.SetInsertPoint(join, first);
      b.SetCurrentDebugLocation(first->getDebugLoc());
      hint(VX_HINT_JOIN, b.getInt32(2 * number + hasMore.contains(join)));
      if (leaves && !afterLoops.contains(join))
        leaveJoins(number, number);
    }
    if (isKernel(f)) {
      b.SetInsertPoint(&*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      if (DISubprogram *subprogram = f.getSubprogram())
        b.SetCurrentDebugLocation(
            DILocation::get(f.getContext(), subprogram->getScopeLine(), 0, subprogram));
      hint(VX_HINT_THREAD_START, b.getInt32(0));
    }
  }

private:
  void hint(unsigned what, Value *operand) { emitHint(b, what, operand); }

  static bool isSynchronization(const Instruction &i) {
    std::optional<VxFn> fn = getVxFn(&i);
    return fn && (isWarpLevel(i) || *fn == VxFn::Barrier || *fn == VxFn::BarrierCount ||
                  *fn == VxFn::BarrierAnd || *fn == VxFn::BarrierOr || *fn == VxFn::GridSync ||
                  *fn == VxFn::NamedSync);
  }

  /// Makes a variable of the marks of F's returns: whether the thread is at one.
  void takeMarks(Function &f) {
    leaves = nullptr;
    for (Instruction &i : make_early_inc_range(instructions(f))) {
      if (getVxFn(&i) != VxFn::Leave)
        continue;
      auto *isReturn = cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0));
      if (!leaves) {
        b.SetInsertPoint(&*f.getEntryBlock().getFirstInsertionPt());
        b.SetCurrentDebugLocation({});
        leaves = b.CreateAlloca(b.getInt1Ty());
        b.CreateStore(b.getFalse(), leaves);
      }
      b.SetInsertPoint(&i);
      if (isReturn->isOne())
        b.CreateStore(b.getTrue(), leaves);
      i.eraseFromParent();
    }
  }

  /// Numbers the places where threads that go past a synchronization of F meet the others.
  void findJoins(Function &f) {
    joins.clear();
    joinsAhead.clear();
    hasMore.clear();
    afterLoops.clear();
    std::optional<ControlDependence> dependence;
    DominatorTree dominators;
    LoopInfo loops;
    for (Instruction &i : instructions(f)) {
      auto *call = dyn_cast<CallBase>(&i);
      if (!call || !(isSynchronization(i) || synchronizing.isCalledBy(i)) ||
          joinsAhead.contains(i.getParent()))
        continue;
      if (!dependence) {
        dependence.emplace(f);
        dominators.recalculate(f);
        loops.analyze(dominators);
      }
      SmallVector<unsigned, 4> &ahead = joinsAhead[i.getParent()];
      for (BasicBlock *join : dependence->joinsOf(*i.getParent())) {
        if (isAfterReturns(*join))
          continue;
        auto [at, isNew] = joins.insert({join, numbersOfJoins + 1});
        numbersOfJoins += isNew;
        if (const Loop *loop = loops.getLoopFor(i.getParent()); loop && !loop->contains(join))
          afterLoops.insert(join);
        ahead.push_back(at->second);
      }
    }
    for (auto [join, number] : joins)
      if (surelyHasMore(join))
        hasMore.insert(join);
  }

  /// Returns true if more than the end of the function comes after JOIN, also for threads that
  /// return.
  static bool surelyHasMore(BasicBlock *join) {
    df_iterator_default_set<BasicBlock *> seen;
    for (auto at = df_ext_begin(join, seen), end = df_ext_end(join, seen); at != end;) {
      if (any_of(**at, isSeen))
        return true;
      if (endsScope(**at))
        at.skipChildren();
      else
        ++at;
    }
    return false;
  }

  /// Clang leads all threads that leave a scope, by `return`, `break` or its end, through one
  /// block, and keeps in a variable where they go from there.
  static bool endsScope(const BasicBlock &block) {
    const auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
    const auto *load = choice ? dyn_cast<LoadInst>(choice->getCondition()) : nullptr;
    const auto *slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
    return slot && all_of(slot->users(), [](const User *user) {
             const auto *store = dyn_cast<StoreInst>(user);
             return isa<LoadInst>(user) || (store && isa<ConstantInt>(store->getValueOperand()));
           });
  }

  /// Returns true if JOIN is where each `return` of a value leads, and nothing else: a thread that
  /// is there has left the function, as others may leave the kernel, before it came to a
  /// synchronization.
  static bool isAfterReturns(const BasicBlock &join) {
    const auto *ret = dyn_cast<ReturnInst>(join.getTerminator());
    const auto *load = ret ? dyn_cast_or_null<LoadInst>(ret->getReturnValue()) : nullptr;
    return load && load->getParent() == &join &&
           all_of(predecessors(&join), [&](const BasicBlock *before) {
             // Other variables are of the compiler: where to go from the end of a scope.
             const Instruction *i = before->getTerminator()->getPrevNode();
             for (; i; i = i->getPrevNode()) {
               const auto *store = dyn_cast<StoreInst>(i);
               if (store && store->getPointerOperand() == load->getPointerOperand())
                 return true;
               if (!i->isLifetimeStartOrEnd() &&
                   !(store && isa<AllocaInst>(store->getPointerOperand())))
                 return false;
             }
             return false;
           });
  }

  /// Returns true if others may see what I does.
  static bool isSeen(const Instruction &i) {
    if (const auto *store = dyn_cast<StoreInst>(&i))
      return !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
    return i.mayHaveSideEffects() && !isa<IntrinsicInst>(i);
  }

  /// Says by hints, up to endAhead(), which joins are ahead of CALL.
  void beginAhead(const CallInst &call) {
    for (unsigned join : joinsAhead.lookup(call.getParent()))
      hint(VX_HINT_JOIN_AHEAD, b.getInt32(join));
  }

  void endAhead(const CallInst &call) {
    if (size_t count = joinsAhead.lookup(call.getParent()).size())
      hint(VX_HINT_JOINS_OVER, b.getInt32(count));
  }

  void setBehind(Instruction &i) {
    b.SetInsertPoint(i.getNextNode());
    b.SetCurrentDebugLocation(i.getDebugLoc());
  }

  void visit(Instruction &i) {
    b.SetInsertPoint(&i);
    if (isa<ReturnInst>(i) && leaves && !joins.empty())
      leaveJoins(joins.front().second, joins.back().second);
    if (isa<ReturnInst>(i) && isKernel(*i.getFunction()))
      return hint(VX_HINT_THREAD_END, b.getInt32(0));
    if (isa<FenceInst>(i) || isReleasing(i))
      hint(VX_HINT_FENCE_DEVICE, b.getInt32(0));
    if (Value *address = strongAddress(i))
      nameStrong(i, address,
                 isOfBlock(i)   ? VX_HINT_STRONG_BLOCK
                 : i.isAtomic() ? VX_HINT_STRONG
                                : VX_HINT_VOLATILE);
    auto *call = dyn_cast<CallInst>(&i);
    if (std::optional<VxFn> fn = getVxFn(&i)) {
      visitCall(*call, *fn);
    } else if (call && synchronizing.isCalledBy(i)) {
      beginAhead(*call);
      setBehind(*call);
      endAhead(*call);
    }
  }

  /// Says of the joins from FIRST to LAST where the thread has been whether it returns now.
  void leaveJoins(unsigned first, unsigned last) {
    hint(VX_HINT_SITE, b.getInt32(first));
    Value *isPast = b.CreateNot(b.CreateLoad(b.getInt1Ty(), leaves));
    hint(VX_HINT_JOINS_LEFT,
         b.CreateOr(b.CreateZExt(isPast, b.getInt32Ty()), b.getInt32(2 * last)));
  }

  /// Inserts hints that what I does to the memory at ADDRESS is volatile or atomic.
  void nameStrong(Instruction &i, Value *address, unsigned how = VX_HINT_STRONG) {
    Value *generic = b.CreateAddrSpaceCast(address, b.getPtrTy());
    hint(how, b.CreatePtrToInt(generic, b.getInt64Ty()));
    setBehind(i);
    hint(VX_HINT_STRONG, b.getInt32(0));
  }

  /// Returns the address of an access that is volatile or atomic in the source; null: I is none, or
  /// one to a local variable.
  static Value *strongAddress(Instruction &i) {
    Value *address = getLoadStorePointerOperand(&i);
    if (auto *rmw = dyn_cast<AtomicRMWInst>(&i))
      address = rmw->getPointerOperand();
    else if (auto *cas = dyn_cast<AtomicCmpXchgInst>(&i))
      address = cas->getPointerOperand();
    bool isStrong = address && (isVolatileInSource(i) || i.isAtomic());
    return isStrong && !isa<AllocaInst>(getUnderlyingObject(address)) ? address : nullptr;
  }

  /// Returns true if I is atomic for the threads of its block only: it is that of a function of the
  /// CUDA headers that says so by its name, atomicAdd_block. (clang gives atomics of this target no
  /// scope.)
  static bool isOfBlock(const Instruction &i) {
    StringRef name = i.getFunction()->getName();
    unsigned length = 0;
    if (!i.isAtomic() || !name.consume_front("_ZL") || name.consumeInteger(10, length))
      return false;
    name = name.take_front(length);
    return name.starts_with("atomic") && name.ends_with("_block");
  }

  static bool isReleasing(const Instruction &i) {
    if (const auto *store = dyn_cast<StoreInst>(&i))
      return isReleaseOrStronger(store->getOrdering());
    if (const auto *rmw = dyn_cast<AtomicRMWInst>(&i)) {
      // atomicInc and atomicDec are relaxed in CUDA; clang gives them an order for want of one.
      auto op = rmw->getOperation();
      return op != AtomicRMWInst::UIncWrap && op != AtomicRMWInst::UDecWrap &&
             isReleaseOrStronger(rmw->getOrdering());
    }
    const auto *cas = dyn_cast<AtomicCmpXchgInst>(&i);
    return cas && isReleaseOrStronger(cas->getSuccessOrdering());
  }

  void visitCall(CallInst &call, VxFn fn) {
    switch (fn) {
    case VxFn::Exit:
      return hint(VX_HINT_THREAD_END, b.getInt32(0));
    case VxFn::FenceBlock:
      return hint(VX_HINT_FENCE_BLOCK, b.getInt32(0));
    case VxFn::FenceDevice:
    case VxFn::FenceSystem:
      return hint(VX_HINT_FENCE_DEVICE, b.getInt32(0));
    case VxFn::Barrier:
    case VxFn::BarrierCount:
    case VxFn::BarrierAnd:
    case VxFn::BarrierOr:
      return synchronize(call, VX_HINT_SYNC_BLOCK, b.getInt32(0), 4 * ++sites + reductionOf(fn));
    case VxFn::NamedSync:
      return synchronize(call, VX_HINT_SYNC_NAMED, nameBarrier(call), 4 * ++sites);
    case VxFn::NamedArrive:
      hint(VX_HINT_SITE, b.getInt32(4 * ++sites));
      return hint(VX_HINT_ARRIVE_NAMED, nameBarrier(call));
    case VxFn::GroupSync:
      return synchronize(call, VX_HINT_SYNC_GROUP, call.getArgOperand(0), 4 * ++sites);
    case VxFn::GridSync:
      return synchronize(call, VX_HINT_SYNC_GRID, b.getInt32(0), 4 * ++sites);
    case VxFn::ClusterArrive:
      return hint(VX_HINT_CLUSTER_ARRIVE, b.getInt32(0));
    case VxFn::ClusterWait:
      setBehind(call);
      return hint(VX_HINT_CLUSTER_WAIT, b.getInt32(0));
    case VxFn::WarpSync:
      return synchronize(call, VX_HINT_SYNC_WARP, call.getArgOperand(0), siteOf(fn));
    case VxFn::MbarrierArrive:
    case VxFn::MbarrierComplete:
      hint(VX_HINT_FENCE_DEVICE, b.getInt32(0));
      return nameStrong(call, call.getArgOperand(0));
    case VxFn::MbarrierInit:
    case VxFn::MbarrierExpect:
    case VxFn::MbarrierTest:
      return nameStrong(call, call.getArgOperand(0));
    case VxFn::ActiveMask: // without members
      return;
    default:
      if (isWarpFunction(fn))
        synchronize(call, VX_HINT_EXCHANGE, call.getArgOperand(0), siteOf(fn));
    }
  }

  /// Returns the barrier of CALL and its threads, as the hints have them.
  Value *nameBarrier(CallInst &call) {
    return b.CreateOr(call.getArgOperand(0), b.CreateShl(call.getArgOperand(1), 8));
  }

  /// Returns the site of a warp function.
  static unsigned siteOf(VxFn fn) { return unsigned(fn) + 1; }

  static unsigned reductionOf(VxFn fn) {
    return fn == VxFn::BarrierCount ? 1
           : fn == VxFn::BarrierAnd ? 2
           : fn == VxFn::BarrierOr  ? 3
                                    : 0;
  }

  void synchronize(CallInst &call, unsigned what, Value *operand, unsigned site) {
    beginAhead(call);
    hint(VX_HINT_SITE, b.getInt32(site));
    hint(what, operand);
    setBehind(call);
    hint(VX_HINT_SYNC_LEAVE, b.getInt32(0));
    endAhead(call);
  }

  IRBuilder<> b;
  const TransitiveCallers synchronizing;
  unsigned sites = 0, numbersOfJoins = 0;
  // The state of the function that is visited.
  AllocaInst *leaves = nullptr; ///< true: the thread returns; null: returns are not marked
  MapVector<BasicBlock *, unsigned> joins;                     ///< and their numbers
  DenseMap<BasicBlock *, SmallVector<unsigned, 4>> joinsAhead; ///< of calls in that block
  SmallPtrSet<BasicBlock *, 8> afterLoops; ///< joins outside of a loop that a call is in
  SmallPtrSet<BasicBlock *, 8> hasMore;    ///< joins after which there is more that others may see
};

} // namespace

PreservedAnalyses InsertSyncHintsPass::run(Module &m, ModuleAnalysisManager &) {
  if (!deviceOption::forCheckers(m))
    return PreservedAnalyses::all();
  SyncHints hints(m);
  for (Function &f : m)
    if (!f.isDeclaration())
      hints.insert(f);
  return PreservedAnalyses::allInSet<CFGAnalyses>();
}

} // namespace vx
