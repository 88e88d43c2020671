// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/regions/Meetings.h"
#include "lib/PRTransform/Reconvergence.h"
#include "lib/PRTransform/ThreadRanks.h"
#include "lib/PRTransform/WarpOps.h"
#include "lib/PRTransform/WarpUniformity.h"
#include "lib/VortexIR/GroupThreads.h"
#include "lib/VortexIR/WarpSemantics.h"
#include "passes/regions/FlatBlocks.h"
#include "passes/regions/ScratchCopy.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <map>

using namespace llvm;

namespace vx {

std::optional<MeetingKind> meetingKindOf(const Instruction &call) {
  auto fn = getVxFn(&call);
  if (!fn)
    return std::nullopt;
  if (*fn >= VxFn::Barrier && *fn <= VxFn::BarrierOr)
    return MeetingKind{*fn};
  if (!isWarpFunction(*fn) || *fn == VxFn::ActiveMask)
    return std::nullopt;
  MeetingKind kind{*fn};
  if (isReduction(*fn))
    if (const auto *width = dyn_cast<ConstantInt>(cast<CallInst>(call).getArgOperand(2)))
      kind.width = width->getZExtValue();
  return kind;
}

static bool isBlockLevelKind(const MeetingKind &kind) {
  return !isWarpFunction(kind.fn);
}

// --- kinds of functions ---

MeetingKinds::MeetingKinds(Module &m) {
  SmallVector<Function *, 16> work;
  for (Function &f : m)
    for (Instruction &i : instructions(f))
      if (auto kind = meetingKindOf(i))
        if (kinds[&f].insert(*kind).second && (work.empty() || work.back() != &f))
          work.push_back(&f);
  while (!work.empty()) {
    Function *f = work.pop_back_val();
    std::set<MeetingKind> found = kinds[f]; // the map grows
    for (User *user : f->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == f) {
        auto &callers = kinds[call->getFunction()];
        size_t before = callers.size();
        callers.insert(found.begin(), found.end());
        if (callers.size() != before)
          work.push_back(call->getFunction());
      }
  }
}

const std::set<MeetingKind> &MeetingKinds::of(const Function &f) const {
  static const std::set<MeetingKind> none;
  auto it = kinds.find(&f);
  return it == kinds.end() ? none : it->second;
}

namespace {

/// A call at which threads meet, or of a function in which they do.
struct Site {
  CallInst *call;
  MeetingKind kind;
  const Value *mask; ///< null: of the block, or not known
  bool isInside;     ///< in a function that CALL calls
};

using BranchSet = SmallPtrSet<const BasicBlock *, 16>;

/// Returns the blocks of F whose branches differ between the threads of a block.
BranchSet findBranchesOfBlock(Function &f, FunctionAnalysisManager &fam) {
  BranchSet divergent;
  auto &ui = fam.getResult<UniformityInfoAnalysis>(f);
  for (const BasicBlock &bb : f)
    if (ui.hasDivergentTerminator(bb))
      divergent.insert(&bb);
  return divergent;
}

/// Returns the blocks of F whose branches differ between the threads of an aligned group of
/// 2^SHIFT, a warp or a part of one.
BranchSet findBranchesOfGroup(Function &f, unsigned shift, FunctionAnalysisManager &fam) {
  BranchSet divergent;
  std::optional<WarpOps> ops; // its placeholders are used until the copy is gone
  ScratchCopy copy(f, fam);
  useThreadRanks(*copy, shift);
  useGroupNumbers(*copy, shift);
  ops.emplace(*copy);
  WarpUniformity group(*copy, *ops, fam);
  for (auto [original, cloned] : zip_equal(f, *copy))
    if (group.info().hasDivergentTerminator(cloned))
      divergent.insert(&original);
  return divergent;
}

/// The least and the largest number of certain calls on the ways to or from a block.
struct Range {
  static constexpr unsigned kNone = ~0u;
  unsigned least = kNone, most = 0; ///< kNone: there is no way

  bool exists() const { return least != kNone; }
  bool isFixed() const { return least == most; }
  /// Adds the ways that OTHER has, with MORE calls each. Returns true if that changes anything.
  bool add(const Range &other, unsigned more) {
    if (!other.exists())
      return false;
    unsigned newLeast = std::min(least, other.least + more),
             newMost = exists() ? std::max(most, other.most + more) : other.most + more;
    bool changes = newLeast != least || newMost != most;
    least = newLeast;
    most = newMost;
    return changes;
  }
};

/// Meetings at one level, warps or the block.
class MeetingFinder {
public:
  MeetingFinder(Function &f, ArrayRef<Site> sites, bool ofWarp, FunctionAnalysisManager &fam)
      : f(f), sites(sites), ofWarp(ofWarp), dt(fam.getResult<DominatorTreeAnalysis>(f)),
        pdt(fam.getResult<PostDominatorTreeAnalysis>(f)),
        divergent(ofWarp ? findBranchesOfGroup(f, kWarpShift, fam) : findBranchesOfBlock(f, fam)) {
    for (const Site &s : sites) {
      byBlock[s.call->getParent()].push_back(&s);
      classes.insert(&s);
      if (unsigned shift = groupShiftOf(s);
          shift < kWarpShift && !divergentInGroups.contains(shift))
        divergentInGroups[shift] = findBranchesOfGroup(f, shift, fam);
    }
  }

  void run(Meetings &found) {
    for (BasicBlock &bb : f)
      if (divergent.contains(&bb) && dt.isReachableFromEntry(&bb))
        look(bb);
    report(found);
  }

private:
  using Blocks = SmallSetVector<BasicBlock *, 16>;

  /// One way from the branch: what is reachable before its reconvergence point.
  struct Arm {
    BasicBlock *first;
    Blocks blocks;
    SmallVector<const Site *, 4> sites; ///< at which threads of other arms may be named
  };

  void look(BasicBlock &bb) {
    BasicBlock *join = findReconvergence(bb, pdt);
    SmallVector<Arm, 2> arms;
    SmallPtrSet<BasicBlock *, 4> seen;
    bool any = false;
    for (BasicBlock *next : successors(&bb)) {
      if (!seen.insert(next).second)
        continue;
      Arm &arm = arms.emplace_back(Arm{next, {}, {}});
      collect(arm, bb, join);
      any |= !arm.sites.empty();
    }
    if (!any)
      return;
    std::map<MeetingKind, SmallVector<const Site *, 8>> kinds;
    for (const Arm &arm : arms)
      for (const Site *s : arm.sites)
        if (!is_contained(kinds[s->kind], s))
          kinds[s->kind].push_back(s);
    for (auto &[kind, of] : kinds)
      if (isBlockLevelKind(kind) != ofWarp)
        for (ArrayRef<const Site *> same : byMask(of))
          lookAtKind(same, arms, join);
  }

  void collect(Arm &arm, const BasicBlock &branch, const BasicBlock *join) {
    SmallVector<BasicBlock *, 16> work{arm.first};
    while (!work.empty()) {
      BasicBlock *bb = work.pop_back_val();
      if (bb == join || !arm.blocks.insert(bb))
        continue;
      append_range(work, successors(bb));
    }
    for (BasicBlock *bb : arm.blocks)
      for (const Site *s : sitesIn(bb))
        if (!isOneForGroup(*s, branch) && !namesThreadsOf(*s, branch, arm.first))
          arm.sites.push_back(s);
  }

  /// Returns n if the mask of S names the aligned group of 2^n threads around the thread that calls
  /// it; else that of a warp.
  static unsigned groupShiftOf(const Site &s) {
    auto segment = s.mask ? matchSegment(const_cast<Value *>(s.mask)) : std::nullopt;
    return segment ? Log2_32(segment->width) : kWarpShift;
  }

  /// Returns true if all threads that a thread names at S take the same way from BRANCH.
  bool isOneForGroup(const Site &s, const BasicBlock &branch) const {
    auto it = divergentInGroups.find(groupShiftOf(s));
    return it != divergentInGroups.end() && !it->second.contains(&branch);
  }

  /// Returns groups of sites of one kind at which threads may name the same ones: all, unless their
  /// masks are constants.
  static SmallVector<SmallVector<const Site *, 8>, 2> byMask(ArrayRef<const Site *> of) {
    MapVector<const Value *, SmallVector<const Site *, 8>> constants;
    for (const Site *s : of) {
      if (!s->mask || !isa<ConstantInt>(s->mask))
        return {SmallVector<const Site *, 8>(of)};
      constants[s->mask].push_back(s);
    }
    SmallVector<SmallVector<const Site *, 8>, 2> result;
    for (auto &[mask, same] : constants)
      result.push_back(same);
    return result;
  }

  /// Returns true if the mask of S is made of what threads find out on the way from BRANCH by
  /// FIRST, or have found out about the branch, or if the branch asks whether the mask names the
  /// thread: it names no thread that goes elsewhere.
  bool namesThreadsOf(const Site &s, const BasicBlock &branch, const BasicBlock *first) const {
    return s.mask && !s.isInside &&
           (asksFor(*s.mask, branch, first) || namesThreadsOf(s.mask, branch, first, 8));
  }

  /// Returns the mask that MASK is the complement of, or null.
  static const Value *getComplement(const Value &mask) {
    using namespace PatternMatch;
    const Value *other;
    return match(&mask, m_Not(m_Value(other))) ? other : nullptr;
  }

  /// Returns the other successor of BRANCH than NEXT, or null.
  static const BasicBlock *getOther(const BasicBlock &branch, const BasicBlock *next) {
    const auto *br = dyn_cast<BranchInst>(branch.getTerminator());
    if (!br || !br->isConditional())
      return nullptr;
    return br->getSuccessor(br->getSuccessor(0) == next ? 1 : 0);
  }

  /// Returns true if the threads that go from BRANCH by FIRST are those whose lanes MASK names.
  static bool asksFor(const Value &mask, const BasicBlock &branch, const BasicBlock *first) {
    using namespace PatternMatch;
    const auto *br = dyn_cast<BranchInst>(branch.getTerminator());
    if (!br || !br->isConditional())
      return false;
    if (const Value *others = getComplement(mask))
      return asksFor(*others, branch, getOther(branch, first));
    Value *condition = br->getCondition(), *lane = nullptr, *bits = nullptr;
    bool ifSet = true;
    CmpPredicate predicate;
    if (match(condition, m_ICmp(predicate, m_Value(bits), m_Zero())) &&
        ICmpInst::isEquality(predicate))
      ifSet = predicate == ICmpInst::ICMP_NE;
    else if (!match(condition, m_Trunc(m_Value(bits))))
      return false;
    auto shifted = m_LShr(m_Specific(&mask), m_Value(lane));
    bool tests = match(bits, m_And(shifted, m_One())) ||
                 match(bits, m_c_And(m_Shl(m_One(), m_Value(lane)), m_Specific(&mask))) ||
                 (isa<TruncInst>(condition) && match(bits, shifted));
    return tests && isLane(*lane) && br->getSuccessor(ifSet ? 0 : 1) == first;
  }

  /// Returns true if V is how programs compute the number of the thread in its warp.
  static bool isLane(const Value &v) {
    using namespace PatternMatch;
    return getVxFn(&v) == VxFn::LaneId ||
           match(&v, m_And(m_Value(), m_SpecificInt(kWarpSize - 1))) ||
           match(&v, m_URem(m_Value(), m_SpecificInt(kWarpSize)));
  }

  bool namesThreadsOf(const Value *mask, const BasicBlock &branch, const BasicBlock *first,
                      unsigned depth) const {
    const auto *i = dyn_cast<Instruction>(mask);
    if (!i || depth == 0)
      return false;
    auto names = [&](const Value *v) { return namesThreadsOf(v, branch, first, depth - 1); };
    if (i->getOpcode() == Instruction::And)
      return any_of(i->operands(), names);
    if (const Value *others = getComplement(*i))
      return first && isVoteOn(*others, branch, getOther(branch, first));
    if (isa<SelectInst>(i))
      return names(i->getOperand(1)) && names(i->getOperand(2));
    if (const auto *phi = dyn_cast<PHINode>(i))
      return !dt.dominates(phi->getParent(), &branch) && all_of(phi->incoming_values(), names);
    auto fn = getVxFn(i);
    if (!fn || !isWarpFunction(*fn) || !i->getType()->isIntegerTy(32))
      return false;
    // What is found out in a block where ways join is found out after they did.
    bool isBefore = first ? dt.dominates(i->getParent(), &branch)
                          : dt.properlyDominates(i->getParent(), &branch);
    if (!isBefore)
      return isMatch(*fn) || *fn == VxFn::VoteBallot || *fn == VxFn::ActiveMask;
    return isVoteOn(*i, branch, first);
  }

  /// Returns true if MASK is a ballot of the threads that go from BRANCH by FIRST.
  static bool isVoteOn(const Value &mask, const BasicBlock &branch, const BasicBlock *first) {
    return getVxFn(&mask) == VxFn::VoteBallot &&
           isTaken(*cast<CallInst>(mask).getArgOperand(1), branch, first);
  }

  /// Returns true if the threads for which PREDICATE is not zero are those that go by FIRST.
  static bool isTaken(const Value &predicate, const BasicBlock &branch, const BasicBlock *first) {
    using namespace PatternMatch;
    const auto *br = dyn_cast<BranchInst>(branch.getTerminator());
    if (!br || !br->isConditional())
      return false;
    const Value *condition = br->getCondition(), *truth = nullptr, *x, *y;
    bool holds = false, fails = false; // the condition, where PREDICATE is not zero
    CmpPredicate how, inverse;
    if (match(condition, m_ICmp(how, m_Specific(&predicate), m_Zero())) &&
        ICmpInst::isEquality(how)) {
      holds = how == ICmpInst::ICMP_NE;
      fails = !holds;
    } else if (match(&predicate, m_ZExt(m_Value(truth)))) {
      holds = truth == condition;
      fails = match(truth, m_Cmp(how, m_Value(x), m_Value(y))) &&
              match(condition, m_Cmp(inverse, m_Specific(x), m_Specific(y))) &&
              CmpInst::getInversePredicate(how) == CmpInst::Predicate(inverse);
    }
    return (holds && br->getSuccessor(0) == first) || (fails && br->getSuccessor(1) == first);
  }

  /// Decides about SAME, sites of one kind in ARMS of a branch that reconverges at JOIN.
  void lookAtKind(ArrayRef<const Site *> same, ArrayRef<Arm> arms, BasicBlock *join) {
    SmallPtrSet<const Site *, 8> set(same.begin(), same.end());
    bool cyclic = false, balanced = true, complete = true;
    std::optional<unsigned> count;
    SmallVector<const Arm *, 2> with;
    for (const Arm &arm : arms) {
      bool has = any_of(arm.sites, [&](const Site *s) { return set.contains(s); });
      if (has)
        with.push_back(&arm);
      Range range = has ? countToEnd(arm, set, join) : Range{0, 0};
      bool ends = !has && none_of(arm.blocks, [&](BasicBlock *bb) {
        return is_contained(successors(bb), join);
      }) && arm.first != join;
      if (ends || !range.exists())
        continue; // its threads end
      cyclic |= has && isInCycle(arm, set);
      balanced &= range.isFixed();
      if (has) {
        balanced &= count.value_or(range.most) == range.most;
        count = range.most;
      } else {
        complete = false;
      }
    }
    balanced &= !cyclic;
    if (with.size() > 1)
      meetInArms(with, set, balanced);
    if (join && (!balanced || !complete))
      for (const Arm *arm : with)
        meetAfter(*arm, set, join);
  }

  /// Lets the kth of the sites of SET in each of several ARMS meet.
  void meetInArms(ArrayRef<const Arm *> arms, const SmallPtrSetImpl<const Site *> &set,
                  bool balanced) {
    DenseMap<unsigned, const Site *> first;
    for (const Arm *arm : arms) {
      DenseMap<const BasicBlock *, Range> before;
      if (balanced)
        before = countFromStart(*arm, set);
      for (BasicBlock *bb : arm->blocks) {
        unsigned position = 0;
        for (const Site *s : sitesIn(bb)) {
          if (!set.contains(s))
            continue;
          Range range = before.lookup(bb);
          bool known = balanced && range.exists() && range.isFixed();
          unsigned number = known ? range.least + position++ : 0;
          auto [it, isNew] = first.try_emplace(number, s);
          if (!isNew && it->second != s)
            join(*it->second, *s);
          if (!known)
            awaiting.insert(s);
        }
      }
    }
  }

  /// Threads that did not take ARM may meet those that did where they come after JOIN.
  void meetAfter(const Arm &arm, const SmallPtrSetImpl<const Site *> &set, BasicBlock *join) {
    const Site *here = *find_if(arm.sites, [&](const Site *s) { return set.contains(s); });
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<BasicBlock *, 16> work{join};
    while (!work.empty()) {
      BasicBlock *bb = work.pop_back_val();
      if (!seen.insert(bb).second)
        continue;
      bool stops = false;
      for (const Site *s : sitesIn(bb)) {
        if (s->kind == here->kind && mayName(*s, *here, *join)) {
          for (const Site *of : arm.sites)
            if (set.contains(of))
              this->join(*of, *s);
          awaiting.insert(s);
        } else if (isOfAll(*s) &&
                   none_of(arm.sites, [&](const Site *t) { return t->kind == s->kind; })) {
          stops = true; // those in ARM have to be here, too
          break;
        }
      }
      if (!stops)
        append_range(work, successors(bb));
    }
  }

  /// Returns true if threads at LATER, after JOIN, may wait for the same ones as those that are
  /// still at EARLIER: a mask that threads make after JOIN is one of threads that have been there.
  bool mayName(const Site &later, const Site &earlier, const BasicBlock &join) const {
    const auto *a = dyn_cast_or_null<ConstantInt>(later.mask),
               *b = dyn_cast_or_null<ConstantInt>(earlier.mask);
    if (a && b && a != b)
      return false;
    return &later == &earlier || !namesThreadsOf(later, join, nullptr);
  }

  /// Returns true if all threads of the warp, or of the block, have to come to S.
  static bool isOfAll(const Site &s) {
    if (s.isInside)
      return false;
    if (isBlockLevelKind(s.kind))
      return true;
    const auto *mask = dyn_cast_or_null<ConstantInt>(s.mask);
    return mask && mask->isMinusOne();
  }

  /// Returns the sites in BB, in order.
  ArrayRef<const Site *> sitesIn(const BasicBlock *bb) const {
    auto it = byBlock.find(bb);
    return it == byBlock.end() ? ArrayRef<const Site *>() : it->second;
  }

  unsigned countIn(const BasicBlock *bb, const SmallPtrSetImpl<const Site *> &set) const {
    return count_if(sitesIn(bb), [&](const Site *s) { return set.contains(s); });
  }

  /// Counts the sites of SET on the ways from the beginning of ARM to JOIN.
  Range countToEnd(const Arm &arm, const SmallPtrSetImpl<const Site *> &set,
                   const BasicBlock *join) const {
    DenseMap<const BasicBlock *, Range> left;
    if (join)
      left[join] = {0, 0};
    else // where the function returns
      for (BasicBlock *bb : arm.blocks)
        if (isa<ReturnInst>(bb->getTerminator()))
          left[bb] = {countIn(bb, set), countIn(bb, set)};
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *bb : reverse(arm.blocks))
        for (BasicBlock *next : successors(bb))
          changed |= left[bb].add(Range(left.lookup(next)), countIn(bb, set)) &&
                     left[bb].most < sites.size() + 1;
    }
    return left.lookup(arm.first);
  }

  /// Counts the sites of SET on the ways from the beginning of ARM to each of its blocks.
  DenseMap<const BasicBlock *, Range>
  countFromStart(const Arm &arm, const SmallPtrSetImpl<const Site *> &set) const {
    DenseMap<const BasicBlock *, Range> before;
    before[arm.first] = {0, 0};
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *bb : arm.blocks)
        for (BasicBlock *next : successors(bb))
          if (arm.blocks.contains(next))
            changed |= before[next].add(Range(before.lookup(bb)), countIn(bb, set)) &&
                       before[next].most < sites.size() + 1;
    }
    return before;
  }

  /// Returns true if threads can come to a site of SET twice in ARM.
  bool isInCycle(const Arm &arm, const SmallPtrSetImpl<const Site *> &set) const {
    return any_of(arm.blocks, [&](BasicBlock *bb) {
      if (!countIn(bb, set))
        return false;
      SmallPtrSet<BasicBlock *, 16> seen;
      SmallVector<BasicBlock *, 16> work(successors(bb));
      while (!work.empty()) {
        BasicBlock *next = work.pop_back_val();
        if (next == bb)
          return true;
        if (arm.blocks.contains(next) && seen.insert(next).second)
          append_range(work, successors(next));
      }
      return false;
    });
  }

  void join(const Site &a, const Site &b) {
    classes.unionSets(&a, &b);
    joined.insert(&a);
    joined.insert(&b);
  }

  void report(Meetings &found) {
    MapVector<const Site *, Meeting> meetings; // in the order of the function
    for (const Site &s : sites) {
      if (!joined.contains(&s) && !awaiting.contains(&s))
        continue;
      Meeting &meeting = meetings[classes.getLeaderValue(&s)];
      meeting.awaits |= ofWarp && awaiting.contains(&s);
      if (!s.isInside)
        meeting.calls.push_back(s.call);
      else if (!is_contained(found.toInline, s.call))
        found.toInline.push_back(s.call);
    }
    for (auto &[leader, meeting] : meetings)
      if (!meeting.calls.empty())
        found.all.push_back(std::move(meeting));
  }

  Function &f;
  ArrayRef<Site> sites;
  const bool ofWarp;
  const DominatorTree &dt;
  const PostDominatorTree &pdt;
  const BranchSet divergent;
  std::map<unsigned, BranchSet> divergentInGroups; ///< by the logarithm of their size
  DenseMap<const BasicBlock *, SmallVector<const Site *, 2>> byBlock;
  EquivalenceClasses<const Site *> classes;
  SmallPtrSet<const Site *, 8> joined, awaiting;
};

} // namespace

Meetings findMeetings(Function &f, const MeetingKinds &kinds, FunctionAnalysisManager &fam) {
  SmallVector<Site, 16> all, ofBlock;
  for (Instruction &i : instructions(f)) {
    auto *call = dyn_cast<CallInst>(&i);
    if (!call)
      continue;
    if (auto kind = meetingKindOf(i)) {
      all.push_back({call, *kind, isBlockLevelKind(*kind) ? nullptr : call->getArgOperand(0),
                     /*isInside=*/false});
    } else if (const Function *callee = call->getCalledFunction()) {
      for (const MeetingKind &inside : kinds.of(*callee))
        all.push_back({call, inside, nullptr, /*isInside=*/true});
    }
  }
  copy_if(all, std::back_inserter(ofBlock), [](const Site &s) { return isBlockLevelKind(s.kind); });
  Meetings found;
  // Barriers are in sight of the warps, too: they part what comes before and after.
  if (ofBlock.size() < all.size())
    MeetingFinder(f, all, /*ofWarp=*/true, fam).run(found);
  if (!ofBlock.empty())
    MeetingFinder(f, ofBlock, /*ofWarp=*/false, fam).run(found);
  return found;
}

} // namespace vx
