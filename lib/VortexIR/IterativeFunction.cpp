// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/VortexIR/IterativeFunction.h"
#include "lib/VortexIR/FrameStack.h"
#include "lib/VortexIR/VxFunctions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace vx {
namespace {

/// A function of the cycle, as a part of the iterative one.
struct Member {
  Function *function;
  BasicBlock *head = nullptr;  ///< the block that calls jump to
  BasicBlock *leave = nullptr; ///< the block that they return to
  AllocaInst *result = nullptr;
  SmallVector<AllocaInst *, 16> variables;
  SmallVector<uint64_t, 8> parameters; ///< offsets in the frame
  DenseMap<AllocaInst *, uint64_t> offsets;
  uint64_t frameBytes = 0;
  SmallVector<CallBase *, 8> calls; ///< of the cycle, that it makes
};

/// A call of the cycle: BEFORE it, and where its caller continues.
struct CallSite {
  CallBase *call;
  Member *caller, *callee;
  BasicBlock *after;
};

class IterativeBuilder {
public:
  IterativeBuilder(Function &f, ArrayRef<Function *> cycle)
      : f(f), m(*f.getParent()), ctx(f.getContext()), dl(m.getDataLayout()), b(ctx) {
    for (Function *function : cycle)
      members[function].function = function;
  }

  Function &build() {
    declare();
    for (auto &[function, member] : members)
      inlineBody(member);
    for (auto &[function, member] : members)
      splitAtCalls(member);
    for (auto &[function, member] : members)
      keepValues(member);
    for (auto &[function, member] : members)
      layOut(member);
    for (auto &[function, member] : members)
      member.frameBytes = alignTo(member.frameBytes, frameAlign);
    makeStack();
    for (const CallSite &site : sites)
      push(site);
    for (auto &[function, member] : members)
      dispatch(member);
    for (auto &[function, member] : members)
      for (AllocaInst *variable : member.variables)
        moveToFrame(*variable, member.offsets[variable]);
    begin();
    SmallVector<AllocaInst *, 4> promoted{position};
    for (auto &[function, member] : members)
      if (member.result)
        promoted.push_back(member.result);
    removeUnreachableBlocks(*made);
    DominatorTree dt(*made);
    PromoteMemToReg(promoted, dt);
    return *made;
  }

private:
  Type *i32() { return b.getInt32Ty(); }

  void declare() {
    made = Function::Create(f.getFunctionType(), GlobalValue::InternalLinkage,
                            f.getName() + ".iterative", &m);
    made->copyAttributesFrom(&f);
    made->setLinkage(GlobalValue::InternalLinkage);
    made->setComdat(nullptr);
    // What is known of parameters and of the body holds for one call.
    AttributeList attributes = f.getAttributes();
    for (const Argument &a : f.args())
      for (Attribute::AttrKind kind :
           {Attribute::NoAlias, Attribute::Captures, Attribute::ReadOnly, Attribute::WriteOnly,
            Attribute::ReadNone, Attribute::Returned})
        attributes = attributes.removeParamAttribute(ctx, a.getArgNo(), kind);
    made->setAttributes(attributes);
    made->setMemoryEffects(MemoryEffects::unknown());
    for (Attribute::AttrKind kind :
         {Attribute::WillReturn, Attribute::NoReturn, Attribute::NoInline, Attribute::Speculatable})
      made->removeFnAttr(kind);
    BasicBlock *entry = BasicBlock::Create(ctx, "entry", made);
    b.SetInsertPoint(entry);
    position = b.CreateAlloca(i32(), nullptr, "frame");
    for (auto &[function, member] : members)
      if (Type *type = function->getReturnType(); !type->isVoidTy())
        member.result = b.CreateAlloca(type, nullptr, function->getName() + ".result");
    start = BasicBlock::Create(ctx, "start", made);
    b.CreateBr(start);
  }

  /// Brings the body of MEMBER in. Its parameters are read from variables that stand for them until
  /// frames have a layout.
  void inlineBody(Member &member) {
    Function &callee = *member.function;
    member.head = BasicBlock::Create(ctx, callee.getName(), made);
    member.leave = BasicBlock::Create(ctx, callee.getName() + ".leave", made);
    b.SetInsertPoint(member.head);
    SmallVector<Value *, 8> args;
    for (Argument &a : callee.args()) {
      IRBuilder<> atEntry(&*made->getEntryBlock().begin());
      AllocaInst *room = atEntry.CreateAlloca(a.getType(), nullptr, a.getName() + ".parameter");
      member.variables.push_back(room);
      args.push_back(b.CreateLoad(a.getType(), room, a.getName()));
    }
    CallInst *call = b.CreateCall(&callee, args);
    for (const Argument &a : callee.args())
      if (a.hasByValAttr())
        call->addParamAttr(a.getArgNo(), Attribute::getWithByValType(ctx, a.getParamByValType()));
    if (member.result)
      b.CreateStore(call, member.result);
    b.CreateBr(member.leave);
    InlineFunctionInfo info;
    InlineFunction(*call, info);
    append_range(member.variables, info.StaticAllocas);
    for (CallBase *inlined : info.InlinedCallSites)
      if (members.contains(inlined->getCalledFunction()))
        member.calls.push_back(inlined);
  }

  /// Ends blocks after calls of the cycle; what follows reads the result from its variable.
  void splitAtCalls(Member &member) {
    for (CallBase *call : member.calls) {
      Member &callee = members[call->getCalledFunction()];
      BasicBlock *after =
          SplitBlock(call->getParent(), call->getNextNode(), static_cast<DominatorTree *>(nullptr),
                     nullptr, nullptr, "behind." + callee.function->getName());
      if (!call->use_empty()) {
        b.SetInsertPoint(after, after->begin());
        call->replaceAllUsesWith(b.CreateLoad(call->getType(), callee.result));
      }
      sites.push_back({call, &member, &callee, after});
    }
  }

  /// Finds the blocks into which I lives.
  static void findLiveIn(Instruction &i, SmallPtrSetImpl<BasicBlock *> &live) {
    SmallVector<BasicBlock *, 16> work;
    auto add = [&](BasicBlock *bb) {
      if (bb != i.getParent() && live.insert(bb).second)
        work.push_back(bb);
    };
    for (Use &use : i.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      add(phi ? phi->getIncomingBlock(use) : user->getParent());
    }
    while (!work.empty())
      for (BasicBlock *before : predecessors(work.pop_back_val()))
        add(before);
  }

  /// Makes variables of the values that live across a call of the cycle.
  void keepValues(Member &member) {
    SmallVector<BasicBlock *, 8> entered;
    for (const CallSite &site : sites)
      if (site.caller == &member)
        entered.push_back(site.after);
    if (entered.empty())
      return;
    SmallVector<Instruction *, 16> across;
    SmallPtrSet<BasicBlock *, 32> body{member.head};
    SmallVector<BasicBlock *, 32> work{member.head};
    while (!work.empty())
      for (BasicBlock *next : successors(work.pop_back_val()))
        if (next != member.leave && body.insert(next).second)
          work.push_back(next);
    for (BasicBlock &bb : *made)
      for (Instruction &i : bb) {
        if (!body.contains(&bb) || i.getType()->isVoidTy())
          continue;
        SmallPtrSet<BasicBlock *, 16> live;
        findLiveIn(i, live);
        if (any_of(entered, [&](BasicBlock *after) { return live.contains(after); }))
          across.push_back(&i);
      }
    for (Instruction *i : across)
      if (AllocaInst *room =
              DemoteRegToStack(*i, false, made->getEntryBlock().getFirstInsertionPt()))
        member.variables.push_back(room);
  }

  /// Lays out a frame: the number of the call, parameters, other variables.
  void layOut(Member &member) {
    uint64_t at = 4;
    for (AllocaInst *variable : member.variables) {
      Align align = variable->getAlign();
      frameAlign = std::max(frameAlign, align);
      at = alignTo(at, align);
      member.offsets[variable] = at;
      at += variable->getAllocationSize(dl)->getFixedValue();
    }
    for (const auto &[variable, a] : zip(member.variables, member.function->args()))
      member.parameters.push_back(member.offsets[variable]);
    member.frameBytes = at;
  }

  void makeStack() {
    auto positionOf = [&](const Member &member) {
      return unsigned(members.find(member.function) - members.begin());
    };
    SmallVector<Framed, 16> framed;
    for (auto &[function, member] : members)
      framed.push_back({member.frameBytes, member.variables.size() > function->arg_size(), {}});
    for (const CallSite &site : sites)
      framed[positionOf(*site.caller)].calls.push_back(positionOf(*site.callee));
    size = sizeFrameStack(framed, positionOf(members[&f]));
    b.SetInsertPoint(position);
    stack = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), size.bytes), nullptr, "frames");
    stack->setAlignment(frameAlign);
  }

  /// Returns the address of the byte OFFSET of the frame at BASE.
  Value *addressIn(Value *base, uint64_t offset) {
    return b.CreateInBoundsPtrAdd(
        stack, b.CreateZExt(b.CreateAdd(base, b.getInt32(offset)), b.getInt64Ty()));
  }
  Value *current() { return b.CreateLoad(i32(), position, "frame.at"); }

  void push(const CallSite &site) {
    site.call->getParent()->getTerminator()->eraseFromParent();
    b.SetInsertPoint(site.call);
    b.SetCurrentDebugLocation(site.call->getDebugLoc());
    Value *next = b.CreateAdd(current(), b.getInt32(site.caller->frameBytes));
    if (size.mayOverflow)
      trapUnlessRoom(next, site);
    b.CreateStore(b.getInt32(numberOf(site)), addressIn(next, 0));
    for (auto [argument, offset] : zip(site.call->args(), site.callee->parameters))
      b.CreateStore(argument, addressIn(next, offset));
    b.CreateStore(next, position);
    b.CreateBr(site.callee->head);
    b.SetCurrentDebugLocation(DebugLoc());
    site.call->eraseFromParent();
  }

  /// Ends the block with a test whether the frame at NEXT is in the stack.
  void trapUnlessRoom(Value *next, const CallSite &site) {
    Value *fits = b.CreateICmpULE(next, b.getInt32(size.bytes - site.callee->frameBytes));
    auto *full = BasicBlock::Create(ctx, "frames.full", made, site.after);
    auto *room = BasicBlock::Create(ctx, "frames.room", made, site.after);
    b.CreateCondBr(fits, room, full);
    b.SetInsertPoint(full);
    emitCall(b, VxFn::Trap);
    b.CreateUnreachable();
    b.SetInsertPoint(room);
  }

  /// Returns the number of SITE; 0 is the call of the iterative function.
  unsigned numberOf(const CallSite &site) const { return &site - sites.begin() + 1; }

  /// Branches from a return of MEMBER to the code after the call.
  void dispatch(Member &member) {
    b.SetInsertPoint(member.leave);
    Value *frame = current();
    Value *number = b.CreateLoad(i32(), addressIn(frame, 0), "call.number");
    auto *other = BasicBlock::Create(ctx, "leave", made);
    SwitchInst *jump = b.CreateSwitch(number, other);
    for (const CallSite &site : sites) {
      if (site.callee != &member)
        continue;
      auto *pop = BasicBlock::Create(ctx, "pop", made, site.after);
      jump->addCase(b.getInt32(numberOf(site)), pop);
      b.SetInsertPoint(pop);
      b.CreateStore(b.CreateSub(frame, b.getInt32(site.caller->frameBytes)), position);
      b.CreateBr(site.after);
    }
    b.SetInsertPoint(other);
    if (member.function != &f)
      b.CreateUnreachable();
    else if (member.result)
      b.CreateRet(b.CreateLoad(member.result->getAllocatedType(), member.result));
    else
      b.CreateRetVoid();
  }

  void moveToFrame(AllocaInst &variable, uint64_t offset) {
    for (User *user : make_early_inc_range(variable.users()))
      if (auto *i = cast<Instruction>(user); i->isLifetimeStartOrEnd())
        i->eraseFromParent();
    while (!variable.use_empty()) {
      Use &use = *variable.use_begin();
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *from = phi ? phi->getIncomingBlock(use) : nullptr;
      b.SetInsertPoint(phi ? from->getTerminator() : user);
      Value *address = addressIn(current(), offset);
      if (!phi) {
        use.set(address);
        continue;
      }
      // All values from one block are one.
      for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
        if (phi->getIncomingBlock(n) == from && phi->getIncomingValue(n) == &variable)
          phi->setIncomingValue(n, address);
    }
    variable.eraseFromParent();
  }

  /// Makes the first frame.
  void begin() {
    b.SetInsertPoint(start);
    Member &member = members[&f];
    b.CreateStore(b.getInt32(0), position);
    b.CreateStore(b.getInt32(0), addressIn(b.getInt32(0), 0));
    for (auto [argument, offset] : zip(made->args(), member.parameters))
      b.CreateStore(&argument, addressIn(b.getInt32(0), offset));
    b.CreateBr(member.head);
  }

  Function &f;
  Module &m;
  LLVMContext &ctx;
  const DataLayout &dl;
  IRBuilder<> b;
  MapVector<Function *, Member> members;
  SmallVector<CallSite, 16> sites;
  Function *made = nullptr;
  AllocaInst *position = nullptr; ///< offset of the current frame
  AllocaInst *stack = nullptr;
  BasicBlock *start = nullptr;
  FrameStack size;
  Align frameAlign{8};
};

} // namespace

const Instruction *findWithoutFrame(ArrayRef<Function *> cycle) {
  for (Function *f : cycle)
    for (Instruction &i : instructions(*f))
      if (auto *local = dyn_cast<AllocaInst>(&i); local && !local->isStaticAlloca())
        return local;
  return nullptr;
}

Function &makeIterative(Function &f, ArrayRef<Function *> cycle) {
  return IterativeBuilder(f, cycle).build();
}

} // namespace vx
