// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/PRTransform/WarpOps.h"
#include "lib/PRTransform/ParallelRegions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace vx {

static constexpr StringLiteral kPartPrefix = "vx.pr.";
static constexpr StringLiteral kBoundaryName = "vx.pr.boundary";

/// Shuffles that share a boundary, and instructions that move before it for one of them, at most:
/// what is computed there is kept until it is used.
static constexpr unsigned kMaxShared = 16, kMaxMoved = 64;

static bool callsNamed(const Instruction &i, StringRef prefix) {
  const auto *call = dyn_cast<CallInst>(&i);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(prefix);
}

bool isNestedBoundary(const Instruction &i) {
  return getVxFn(&i) ? isBoundary(i) : callsNamed(i, kBoundaryName);
}

bool isWarpPart(const Instruction &i) {
  return callsNamed(i, kPartPrefix);
}

bool isBlockLevel(const Instruction &boundary) {
  return getVxFn(&boundary).has_value();
}

WarpOps::WarpOps(Function &f) : f(f) {
  SmallVector<std::pair<CallInst *, VxFn>, 16> calls;
  for (Instruction &i : instructions(f))
    if (auto fn = getVxFn(&i); fn && isWarpFunction(*fn))
      calls.push_back({cast<CallInst>(&i), *fn});
  for (auto [call, fn] : calls)
    decompose(*call, fn);
  for (BasicBlock &bb : f)
    shareBoundaries(bb);
}

WarpOps::~WarpOps() {
  for (auto &op : ops)
    for (Function *placeholder :
         {op->deposit, op->leader == op->id ? op->boundary : nullptr, op->collect})
      if (placeholder)
        placeholder->eraseFromParent();
}

const WarpCall *WarpOps::of(const Value *v) const {
  const auto *call = dyn_cast<CallInst>(v);
  return call ? byPlaceholder.lookup(call->getCalledFunction()) : nullptr;
}

void WarpOps::addMarker(Instruction &at) {
  auto marker = std::make_unique<WarpCall>();
  marker->fn = VxFn::WarpSync;
  marker->isMarker = true;
  marker->id = marker->leader = ops.size();
  marker->boundary = Function::Create(FunctionType::get(Type::getVoidTy(f.getContext()), false),
                                      GlobalValue::ExternalLinkage, kBoundaryName, *f.getParent());
  byPlaceholder[marker->boundary] = marker.get();
  CallInst::Create(marker->boundary, "", at.getIterator());
  ops.push_back(std::move(marker));
}

static Instruction &callOf(Function *placeholder) {
  return *cast<Instruction>(*placeholder->user_begin());
}

void WarpOps::separate(const WarpCall &op) {
  Instruction *last = &callOf(op.collect);
  // Those that share a boundary follow one another.
  for (unsigned id = op.id + 1; id < ops.size() && ops[id]->leader == op.id; ++id)
    if (Instruction &collect = callOf(ops[id]->collect); last->comesBefore(&collect))
      last = &collect;
  addMarker(*last->getNextNode());
}

/// Lets shuffles use the boundary of one before them.
void WarpOps::shareBoundaries(BasicBlock &bb) {
  WarpCall *leader = nullptr;
  unsigned count = 0;
  Places places;
  for (const Instruction &i : bb)
    places.try_emplace(&i, places.size());
  for (Instruction &i : make_early_inc_range(bb)) {
    if (!isNestedBoundary(i))
      continue;
    const WarpCall *here = of(&i);
    WarpCall *op = here ? ops[here->id].get() : nullptr;
    if (!op || !op->isShuffle() || !op->constantMask) {
      leader = nullptr;
    } else if (leader && count < kMaxShared && share(*leader, *op, places)) {
      ++count;
    } else {
      leader = op;
      count = 1;
    }
  }
}

/// Moves OP's deposit before the boundary of LEADER, which is in the same block, if what it needs
/// can be computed there.
bool WarpOps::share(const WarpCall &leader, WarpCall &op, Places &places) {
  if (op.constantMask != leader.constantMask)
    return false;
  Instruction &at = callOf(leader.boundary), &deposit = callOf(op.deposit);
  const unsigned place = places.lookup(&at);
  SmallSetVector<Instruction *, 16> moved;
  moved.insert(&deposit);
  for (unsigned k = 0; k < moved.size(); ++k)
    for (Value *operand : moved[k]->operands()) {
      auto *i = dyn_cast<Instruction>(operand);
      if (!i || i->getParent() != at.getParent() || places.lookup(i) <= place)
        continue;
      if (i->mayReadOrWriteMemory() || i->mayHaveSideEffects() || moved.size() == kMaxMoved)
        return false;
      moved.insert(i);
    }
  auto order = moved.takeVector();
  sort(order, [&](const Instruction *a, const Instruction *b) {
    return places.lookup(a) < places.lookup(b);
  });
  for (Instruction *i : order) {
    i->moveBefore(at.getIterator());
    places[i] = place;
  }
  callOf(op.boundary).eraseFromParent();
  byPlaceholder.erase(op.boundary);
  op.boundary->eraseFromParent();
  op.boundary = leader.boundary;
  op.leader = leader.id;
  return true;
}

/// Returns true if V depends on the thread's place in the block and nothing else.
static bool isFixed(const Value *v, unsigned depth = 8) {
  if (isa<Constant>(v))
    return true;
  const auto *i = dyn_cast<Instruction>(v);
  if (!i || depth == 0)
    return false;
  if (auto fn = getVxFn(i))
    return getInfo(*fn).effects == VxEffects::Pure;
  return (isa<BinaryOperator>(i) || isa<CastInst>(i) || isa<CmpInst>(i) || isa<SelectInst>(i)) &&
         all_of(i->operands(), [&](const Use &u) { return isFixed(u, depth - 1); });
}

void WarpOps::decompose(CallInst &call, VxFn fn) {
  auto op = std::make_unique<WarpCall>();
  op->fn = fn;
  op->id = op->leader = ops.size();
  IRBuilder<> b(&call);
  SmallVector<Value *, 4> args(call.args());
  if (op->isReduction()) {
    if (const auto *width = dyn_cast<ConstantInt>(args[2]))
      op->width = width->getZExtValue();
    if (op->width == 1) { // the group is the thread
      call.replaceAllUsesWith(args[1]);
      call.eraseFromParent();
      return;
    }
  }
  Module &m = *f.getParent();
  auto placeholder = [&](const Twine &name, Type *result, ArrayRef<Value *> operands) {
    SmallVector<Type *, 4> types;
    for (Value *v : operands)
      types.push_back(v->getType());
    auto *p = Function::Create(FunctionType::get(result, types, false),
                               GlobalValue::ExternalLinkage, name, m);
    p->addFnAttr(Attribute::NoUnwind);
    p->addFnAttr(Attribute::Convergent);
    byPlaceholder[p] = op.get();
    auto *made = b.CreateCall(p, operands);
    made->setDebugLoc(call.getDebugLoc());
    return made;
  };
  if (op->hasMask()) {
    op->constantMask = dyn_cast<Constant>(args[0]);
    op->fixedMask = isFixed(args[0]);
  }
  if (op->isShuffle() || op->isMatch() || op->isReduction())
    op->valueType = args[1]->getType();
  if (op->hasMask()) {
    SmallVector<Value *, 2> deposited{args[0]};
    if (fn != VxFn::WarpSync)
      deposited.push_back(args[1]);
    op->deposit = placeholder("vx.pr.deposit", b.getVoidTy(), deposited)->getCalledFunction();
  }
  op->boundary = placeholder(kBoundaryName, b.getVoidTy(), {})->getCalledFunction();
  if (!call.getType()->isVoidTy()) {
    // A shuffle and a reduction find the thread's own value where it deposited it.
    if (op->isShuffle() || op->isReduction() || op->isVote())
      args.erase(args.begin() + 1);
    CallInst *result = placeholder("vx.pr.collect", call.getType(), args);
    op->collect = result->getCalledFunction();
    result->takeName(&call);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
  ops.push_back(std::move(op));
}

} // namespace vx
