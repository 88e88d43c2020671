// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/RegionBuilder.h"
#include "intrinsics/abi/AddressMap.h"
#include "lib/PRTransform/ContextMemory.h"
#include "lib/PRTransform/RegionValues.h"
#include "lib/PRTransform/ThreadCoordinates.h"
#include "lib/VortexIR/DeviceAsm.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace vx {
namespace {

/// Value of "next region" for a thread that has ended: above every region, so the minimum skips it.
constexpr uint32_t kFinished = ~0u;

class RegionBuilder {
public:
  RegionBuilder(Function &f, const ParallelRegions &regions, RegionStorage storage, bool regular,
                RegionMapping mapping)
      : f(f), regions(regions), storage(std::move(storage)), regular(regular),
        serial(mapping == RegionMapping::Serial), dl(f.getDataLayout()), ctx(f.getContext()),
        i32(Type::getInt32Ty(ctx)) {
    unsigned base = f.arg_size() - kNumRegionParams;
    for (unsigned p = 0; p < kNumRegionParams; ++p)
      params[p] = f.getArg(base + p);
    if (!regular) {
      stateOffset = this->storage.contextBytes;
      this->storage.contextBytes += 16;
    }
  }

  uint64_t contextBytes() const { return storage.contextBytes; }

  void run() {
    SmallVector<BasicBlock *, 32> old;
    for (BasicBlock &bb : f)
      old.push_back(&bb);
    makeEntry();
    end = BasicBlock::Create(ctx, "block.end", &f);
    ReturnInst::Create(ctx, end);
    loops.resize(regions.regions().size());
    for (const ParallelRegion &r : regions.regions())
      loops[r.id].pre = BasicBlock::Create(ctx, "region" + Twine(r.id) + ".pre", &f, end);
    if (!regular)
      makeDispatch();
    for (const ParallelRegion &r : regions.regions())
      buildRegion(r);
    IRBuilder<>(entry).CreateBr(loops[0].pre);
    for (BasicBlock *bb : old)
      bb->dropAllReferences();
    for (BasicBlock *bb : old)
      bb->eraseFromParent();
    // The locals live in the context now.
    for (CrossingLocal &l : storage.locals)
      l.local->eraseFromParent();
  }

private:
  struct RegionLoop {
    BasicBlock *pre = nullptr, *header = nullptr, *body = nullptr, *latch = nullptr,
               *done = nullptr;
    PHINode *thread = nullptr;
  };

  Value *param(RegionParam p) const { return params[p]; }

  // --- function-level pieces ---

  void makeEntry() {
    BasicBlock *oldEntry = &f.getEntryBlock();
    entry = BasicBlock::Create(ctx, "entry", &f, oldEntry);
    for (Instruction &i : make_early_inc_range(*oldEntry))
      if (isa<AllocaInst>(i))
        i.moveBefore(*entry, entry->end());
    IRBuilder<> b(entry);
    nextHome = b.CreateAlloca(i32, nullptr, "next");
    if (!regular && !serial) {
      phaseHome = b.CreateAlloca(i32, nullptr, "phase");
      b.CreateStore(b.getInt32(0), phaseHome);
    }
    for (CrossingValue &v : storage.values)
      if (v.uniform) {
        Type *type = v.home->getAllocatedType();
        scalars[v.home] = {b.CreateAlloca(type, nullptr, "scalar"),
                           b.CreateAlloca(type, nullptr, "scalar.next")};
      }
  }

  /// Irregular: all regions end here, with `agreed` chosen; the block picks where to go.
  void makeDispatch() {
    dispatch = BasicBlock::Create(ctx, "dispatch", &f, end);
    IRBuilder<> b(dispatch);
    agreed = b.CreatePHI(i32, loops.size(), "agreed");
    auto *sw = b.CreateSwitch(agreed, end, loops.size());
    for (const ParallelRegion &r : regions.regions())
      if (r.id != 0)
        sw->addCase(b.getInt32(r.id), loops[r.id].pre);
  }

  // --- one region ---

  void buildRegion(const ParallelRegion &r) {
    RegionLoop &loop = loops[r.id];
    auto block = [&](const char *name) {
      return BasicBlock::Create(ctx, "region" + Twine(r.id) + name, &f, end);
    };
    loop.header = block(".threads");
    loop.body = block(".thread");
    loop.latch = block(".next");
    loop.done = block(".done");
    openLoop(loop);
    findWrittenHomes(r);
    BasicBlock *first = restore(r, loop);
    cloneBlocks(r, loop, first);
    closeLoop(r, loop);
  }

  void openLoop(RegionLoop &loop) {
    IRBuilder<> b(loop.pre);
    b.CreateStore(b.getInt32(kFinished), nextHome);
    b.CreateBr(loop.header);
    b.SetInsertPoint(loop.header);
    loop.thread = b.CreatePHI(i32, 2, "thread");
    loop.thread->addIncoming(param(kParamFirst), loop.pre);
    b.CreateCondBr(b.CreateICmpULT(loop.thread, param(kParamCount)), loop.body, loop.done);
    b.SetInsertPoint(loop.latch);
    Value *next = b.CreateNUWAdd(loop.thread, param(kParamStep));
    loop.thread->addIncoming(next, loop.latch);
    b.CreateBr(loop.header);
  }

  void findWrittenHomes(const ParallelRegion &r) {
    written.clear();
    for (const CrossingValue &v : storage.values)
      for (const User *user : v.home->users())
        if (isa<StoreInst>(user) &&
            r.blocks.contains(const_cast<BasicBlock *>(cast<StoreInst>(user)->getParent())))
          written.insert(v.home);
  }

  /// Address of the bytes that THREAD has in the array at OFFSET of the context.
  Value *contextAddress(IRBuilderBase &b, uint64_t offset, uint64_t size, Value *thread) {
    ContextMemory memory{param(kParamContext), param(kParamContextCount), param(kParamInterleave),
                         param(kParamInterleaved)};
    return memory.threadSlot(b, offset, size, thread);
  }

  Value *slotAddress(IRBuilderBase &b, const CrossingValue &v, Value *thread) {
    Type *type = v.home->getAllocatedType();
    uint64_t size = alignTo(dl.getTypeAllocSize(type).getFixedValue(), dl.getABITypeAlign(type));
    return contextAddress(b, v.offset, size, thread);
  }

  /// Fills the start of the loop body: state check, coordinates, homes. Returns the block to which
  /// the region's code is appended.
  BasicBlock *restore(const ParallelRegion &r, RegionLoop &loop) {
    BasicBlock *at = loop.body;
    if (!regular && r.id != 0) {
      IRBuilder<> b(at);
      Value *state = b.CreateLoad(i32, contextAddress(b, stateOffset, 4, loop.thread), "state");
      auto *mine = BasicBlock::Create(ctx, "region" + Twine(r.id) + ".mine", &f, loop.latch);
      auto *other = BasicBlock::Create(ctx, "region" + Twine(r.id) + ".other", &f, loop.latch);
      b.CreateCondBr(b.CreateICmpEQ(state, b.getInt32(r.id)), mine, other);
      b.SetInsertPoint(other);
      recordNext(b, state);
      b.CreateBr(loop.latch);
      at = mine;
    }
    IRBuilder<> b(at);
    emitHint(b, VX_HINT_THREAD, loop.thread);
    for (const CrossingValue &v : storage.values) {
      if (!v.liveInto.contains(r.id)) {
        // The scalar still needs a value to keep where a thread loop runs no thread.
        if (v.uniform && written.contains(v.home)) {
          IRBuilder<> atPre(loop.pre->getTerminator());
          auto [now, next] = scalars[v.home];
          atPre.CreateStore(atPre.CreateLoad(v.home->getAllocatedType(), now), next);
        }
        continue;
      }
      Type *type = v.home->getAllocatedType();
      if (!v.uniform) {
        b.CreateStore(b.CreateLoad(type, slotAddress(b, v, loop.thread)), v.home);
        continue;
      }
      // All threads of the loop start from the value before it, whatever those before them stored.
      IRBuilder<> atPre(loop.pre->getTerminator());
      auto [now, next] = scalars[v.home];
      Value *u = atPre.CreateLoad(type, now);
      atPre.CreateStore(u, next);
      b.CreateStore(u, v.home);
    }
    return at;
  }

  void recordNext(IRBuilderBase &b, Value *region) {
    if (!regular)
      region = b.CreateBinaryIntrinsic(Intrinsic::umin, b.CreateLoad(i32, nextHome), region);
    b.CreateStore(region, nextHome);
  }

  /// The block in which a thread leaves region R for region NEXT (or ends).
  BasicBlock *makeExit(const RegionLoop &loop, uint32_t next, BasicBlock *before) {
    auto *exit = BasicBlock::Create(ctx, next == kFinished ? "finish" : "leave", &f, before);
    IRBuilder<> b(exit);
    if (next != kFinished)
      for (const CrossingValue &v : storage.values) {
        if (!written.contains(v.home) || !v.liveInto.contains(next))
          continue;
        Value *value = b.CreateLoad(v.home->getAllocatedType(), v.home);
        b.CreateStore(value, v.uniform ? scalars[v.home].second : slotAddress(b, v, loop.thread));
      }
    if (!regular)
      b.CreateStore(b.getInt32(next), contextAddress(b, stateOffset, 4, loop.thread));
    recordNext(b, b.getInt32(next));
    b.CreateBr(loop.latch);
    return exit;
  }

  void cloneBlocks(const ParallelRegion &r, RegionLoop &loop, BasicBlock *first) {
    ValueToValueMapTy map;
    IRBuilder<> b(first);
    for (const CrossingLocal &l : storage.locals)
      map[l.local] = contextAddress(b, l.offset, l.size, loop.thread);
    SmallVector<BasicBlock *, 16> clones;
    for (BasicBlock *bb : r.blocks) {
      BasicBlock *copy = CloneBasicBlock(bb, map, ".r" + Twine(r.id), &f);
      copy->moveBefore(loop.latch);
      map[bb] = copy;
      clones.push_back(copy);
    }
    for (unsigned s : r.successors)
      map[regions.regions()[s].boundary] = makeExit(loop, s, loop.latch);
    BasicBlock *finish = r.canFinish ? makeExit(loop, kFinished, loop.latch) : nullptr;
    for (BasicBlock *copy : clones) {
      prunePhis(*copy, map);
      for (Instruction &i : *copy)
        RemapInstruction(&i, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      if (isa<ReturnInst>(copy->getTerminator())) {
        copy->getTerminator()->eraseFromParent();
        IRBuilder<>(copy).CreateBr(finish);
      }
    }
    b.CreateBr(cast<BasicBlock>(map[r.entry]));
    replaceThreadCoordinates(clones, *first, loop.thread, param(kParamCount));
    for (BasicBlock *copy : clones)
      for (Instruction &i : make_early_inc_range(*copy))
        if (i.isLifetimeStartOrEnd() && !isa<AllocaInst>(i.getOperand(i.getNumOperands() - 2)))
          i.eraseFromParent();
  }

  /// Drops entries for predecessors that are not part of the region.
  static void prunePhis(BasicBlock &copy, ValueToValueMapTy &map) {
    for (PHINode &phi : make_early_inc_range(copy.phis()))
      for (unsigned k = phi.getNumIncomingValues(); k-- > 0;)
        if (!map.count(phi.getIncomingBlock(k)))
          phi.removeIncomingValue(k, /*DeletePHIIfEmpty=*/false);
  }

  // --- after a region ---

  void closeLoop(const ParallelRegion &r, RegionLoop &loop) {
    IRBuilder<> b(loop.done);
    for (const CrossingValue &v : storage.values)
      if (v.uniform && written.contains(v.home)) {
        auto [now, next] = scalars[v.home];
        b.CreateStore(assumeUniform(b, b.CreateLoad(v.home->getAllocatedType(), next)), now);
      }
    if (!regular) {
      agreed->addIncoming(agree(b), loop.done);
      b.CreateBr(dispatch);
      return;
    }
    if (r.successors.empty()) {
      b.CreateBr(end);
      return;
    }
    meet(b);
    if (r.successors.size() == 1 && !r.canFinish) {
      b.CreateBr(loops[r.successors[0]].pre);
      return;
    }
    Value *next = assumeUniform(b, b.CreateLoad(i32, nextHome));
    auto *sw = b.CreateSwitch(next, end, r.successors.size());
    for (unsigned s : r.successors)
      sw->addCase(b.getInt32(s), loops[s].pre);
  }

  void meet(IRBuilderBase &b) {
    if (!serial)
      emitHwBarrier(b, param(kParamBarrierId), param(kParamBarrierCount));
  }

  /// What all threads of the block agree on is one value for the hardware threads that share it;
  /// those that run blocks of their own each have another.
  Value *assumeUniform(IRBuilderBase &b, Value *v) const {
    if (serial)
      return v;
    return b.CreateIntrinsic(Intrinsic::ssa_copy, {v->getType()}, {v});
  }

  /// Meets at the barrier and yields the lowest region that any thread of the block waits for.
  /// Three words are used in turn: the one for the next meeting is cleared before this barrier,
  /// when everybody has left the meeting that used it last.
  Value *agree(IRBuilderBase &b) {
    if (serial)
      return b.CreateLoad(i32, nextHome);
    Value *votes =
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), emitCall(b, VxFn::SharedTail), kTailVotes);
    Value *phase = b.CreateLoad(i32, phaseHome);
    Value *nextPhase = b.CreateSelect(b.CreateICmpEQ(phase, b.getInt32(2)), b.getInt32(0),
                                      b.CreateAdd(phase, b.getInt32(1)));
    b.CreateStore(nextPhase, phaseHome);
    Value *word = b.CreateGEP(i32, votes, phase), *nextWord = b.CreateGEP(i32, votes, nextPhase);
    b.CreateStore(b.getInt32(kFinished), nextWord, /*isVolatile=*/true);
    b.CreateAtomicRMW(AtomicRMWInst::UMin, word, b.CreateLoad(i32, nextHome), Align(4),
                      AtomicOrdering::Monotonic);
    emitHwBarrier(b, param(kParamBarrierId), param(kParamBarrierCount));
    return assumeUniform(b, b.CreateLoad(i32, word, /*isVolatile=*/true));
  }

  Function &f;
  const ParallelRegions &regions;
  RegionStorage storage;
  bool regular, serial;
  const DataLayout &dl;
  LLVMContext &ctx;
  Type *i32;
  Value *params[kNumRegionParams];
  uint64_t stateOffset = 0;
  BasicBlock *entry = nullptr, *end = nullptr, *dispatch = nullptr;
  PHINode *agreed = nullptr;
  AllocaInst *nextHome = nullptr, *phaseHome = nullptr;
  SmallVector<RegionLoop, 8> loops;
  DenseMap<AllocaInst *, std::pair<AllocaInst *, AllocaInst *>> scalars; // {now, next}
  SmallPtrSet<AllocaInst *, 16> written;
};

} // namespace

Function *cloneWithRegionParams(Function &kernel) {
  LLVMContext &ctx = kernel.getContext();
  Type *i32 = Type::getInt32Ty(ctx), *i64 = Type::getInt64Ty(ctx), *ptr = PointerType::get(ctx, 0);
  SmallVector<Type *, 16> types(kernel.getFunctionType()->params());
  types.append({i32, i32, i32, ptr, i32, i64, i64, i32, i32});
  auto *f = Function::Create(FunctionType::get(kernel.getReturnType(), types, false),
                             GlobalValue::InternalLinkage, kernel.getName() + ".regions",
                             kernel.getParent());
  ValueToValueMapTy map;
  for (auto [from, to] : zip_first(kernel.args(), f->args())) {
    map[&from] = &to;
    to.setName(from.getName());
  }
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(f, &kernel, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  f->setVisibility(GlobalValue::DefaultVisibility);
  f->setDSOLocal(true);
  const char *names[] = {"first",      "step",        "count",      "context",      "context.count",
                         "interleave", "interleaved", "barrier.id", "barrier.count"};
  for (unsigned p = 0; p < kNumRegionParams; ++p)
    f->getArg(kernel.arg_size() + p)->setName(names[p]);
  f->addParamAttr(kernel.arg_size() + kParamFirst, Attribute::get(ctx, kDivergentAttr));
  return f;
}

bool isRegular(Function &f, FunctionAnalysisManager &fam) {
  return isRegular(f, fam.getResult<UniformityInfoAnalysis>(f),
                   fam.getResult<PostDominatorTreeAnalysis>(f), isBoundary);
}

bool isRegular(Function &f, UniformityInfo &ui, const PostDominatorTree &pdt, BoundaryTest test) {
  for (BasicBlock &bb : f) {
    if (!ui.hasDivergentTerminator(bb))
      continue;
    const DomTreeNode *node = pdt.getNode(&bb);
    const BasicBlock *meet = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    SmallPtrSet<const BasicBlock *, 16> seen;
    SmallVector<const BasicBlock *, 16> work(successors(&bb));
    while (!work.empty()) {
      const BasicBlock *block = work.pop_back_val();
      if (block == meet || !seen.insert(block).second)
        continue;
      if (any_of(*block, test))
        return false;
      append_range(work, successors(block));
    }
  }
  return true;
}

RegionFunction buildRegionFunction(Function &kernel, FunctionAnalysisManager &fam,
                                   RegionMapping mapping) {
  Function *f = cloneWithRegionParams(kernel);
  FunctionPassManager prepare;
  // LCSSA gives a value that leaves a divergent loop a phi of its own, which is divergent even
  // where the value is uniform inside.
  prepare.addPass(LoopSimplifyPass());
  prepare.addPass(LCSSAPass());
  prepare.run(*f, fam);
  bool regular = isRegular(*f, fam);
  ParallelRegions::canonicalize(*f);
  while (recomputeCheapValues(*f, ParallelRegions(*f)))
    ;
  fam.invalidate(*f, PreservedAnalyses::none());
  ParallelRegions regions(*f);
  RegionStorage storage =
      assignStorage(*f, regions, fam.getResult<UniformityInfoAnalysis>(*f), regular);
  fam.invalidate(*f, PreservedAnalyses::none());
  RegionBuilder builder(*f, regions, std::move(storage), regular, mapping);
  builder.run();
  PromotePass().run(*f, fam);
  fam.invalidate(*f, PreservedAnalyses::none());
  return {f, builder.contextBytes(), 0, regular};
}

} // namespace vx
