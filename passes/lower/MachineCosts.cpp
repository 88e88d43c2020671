// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/lower/MachineCosts.h"
#include "lib/VortexIR/IRNames.h"
#include "lib/VortexIR/LoopUnits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace vx {
namespace {

/// Cycles of a hardware warp that runs alone on the default machine (docs/architect/simulator.md):
/// between two instructions, after a branch, and until a result can be used.
constexpr unsigned kNext = 7, kBranch = 15, kInteger = 10, kFloat = 14, kLoad = 30, kWarp = 16,
                   kDivision = 74;

struct Cost {
  double instructions = 0, cycles = 0, accesses = 0, far = 0, stack = 0, warp = 0;

  void add(const Cost &other, double times) {
    instructions += times * other.instructions;
    cycles += times * other.cycles;
    accesses += times * other.accesses;
    far += times * other.far;
    stack += times * other.stack;
    warp += times * other.warp;
  }
};

class CostCounter {
public:
  CostCounter(const MachineFunction &mf, const MachineLoopInfo &loops,
              const MachineBlockFrequencyInfo &frequencies)
      : mf(mf), tii(*mf.getSubtarget().getInstrInfo()), tri(*mf.getSubtarget().getRegisterInfo()),
        loops(loops), frequencies(frequencies) {}

  abi::EntryCost run() {
    for (const MachineBasicBlock &mbb : mf)
      hasUnrolled |= isMarked(loops.getLoopFor(&mbb), kUnrolledLoop);
    Cost start, level[4];
    double code = 0;
    for (const MachineBasicBlock &mbb : mf) {
      Cost cost = costOf(mbb);
      code += cost.instructions;
      const MachineLoop *loop = loops.getLoopFor(&mbb);
      (&mbb == &mf.front() ? start : level[unsigned(levelOf(loop))]).add(cost, weightOf(mbb));
    }
    abi::EntryCost result{};
    result.code = uint32_t(code);
    auto write = [](const Cost &cost) {
      auto fixed = [](double v) { return uint32_t(std::min(v * abi::kCostUnit, 1e9)); };
      return abi::LevelCost{fixed(cost.instructions), fixed(cost.cycles), fixed(cost.accesses),
                            fixed(cost.far),          fixed(cost.stack),  fixed(cost.warp)};
    };
    result.start = write(start);
    result.once = write(level[0]);
    result.block = write(level[1]);
    result.warp = write(level[2]);
    result.thread = write(level[3]);
    return result;
  }

private:
  /// Returns the mark of LOOP, which may be null.
  static const MDNode *markOf(const MachineLoop *loop) {
    SmallVector<MachineBasicBlock *, 4> latches;
    if (loop)
      loop->getLoopLatches(latches);
    for (const MachineBasicBlock *latch : latches)
      if (const BasicBlock *bb = latch->getBasicBlock())
        if (const MDNode *mark = bb->getTerminator()->getMetadata(LLVMContext::MD_loop))
          return mark;
    return nullptr;
  }
  static bool isMarked(const MachineLoop *loop, StringRef name) {
    return findLoopMark(markOf(loop), name);
  }
  static LoopUnit unitOf(const MachineLoop *loop) { return loopUnitOf(markOf(loop)); }

  /// Returns what the innermost loop of generated code, of LOOP and those around it, counts.
  static LoopUnit levelOf(const MachineLoop *loop) {
    for (; loop; loop = loop->getParentLoop())
      if (LoopUnit unit = unitOf(loop); unit != LoopUnit::None && unit != LoopUnit::Rest)
        return unit;
    return LoopUnit::None;
  }

  double frequency(const MachineBasicBlock &mbb) const {
    return double(std::max<uint64_t>(1, frequencies.getBlockFreq(&mbb).getFrequency()));
  }

  /// Lanes that run in lockstep take both sides of a branch, unless one is known to be rare.
  static double atMostOnce(double share) { return std::min(1.0, 4 * share); }

  /// Returns how often MBB is executed each time the innermost marked loop around it goes round;
  /// and that loop, each time the next marked loop does.
  double weightOf(const MachineBasicBlock &mbb) {
    const MachineLoop *loop = loops.getLoopFor(&mbb);
    const MachineBasicBlock &from = loop ? *loop->getHeader() : mf.front();
    return atMostOnce(frequency(mbb) / frequency(from)) * (loop ? weightOf(*loop) : 1);
  }
  double weightOf(const MachineLoop &loop) {
    if (auto known = weights.find(&loop); known != weights.end())
      return known->second;
    const MachineLoop *parent = loop.getParentLoop();
    double entries = 0;
    for (const MachineBasicBlock *before : loop.getHeader()->predecessors())
      if (!loop.contains(before)) {
        BranchProbability p = frequencies.getMBPI()->getEdgeProbability(before, loop.getHeader());
        entries += frequency(*before) * p.getNumerator() / p.getDenominator();
      }
    const MachineBasicBlock &from = parent ? *parent->getHeader() : mf.front();
    entries = unitOf(&loop) == LoopUnit::Block ? 1 : atMostOnce(entries / frequency(from));
    double weight = entries * turnsOf(loop) * (parent ? weightOf(*parent) : 1);
    return weights[&loop] = weight;
  }

  /// Returns the turns of a loop of the source; an unrolled one leaves the original what is left
  /// over.
  double turnsOf(const MachineLoop &loop) const {
    if (unitOf(&loop) != LoopUnit::None)
      return 1;
    if (isMarked(&loop, kUnrolledLoop))
      return kSourceTurns / 4;
    return hasUnrolled && isMarked(&loop, "llvm.loop.unroll.disable") ? 1 : kSourceTurns;
  }

  /// Returns the cost of a hardware warp that executes MBB and waits for what it needs.
  Cost costOf(const MachineBasicBlock &mbb) const {
    Cost cost;
    DenseMap<unsigned, double> ready;
    double now = 0;
    for (const MachineInstr &mi : mbb) {
      unsigned words = mi.isMetaInstruction() ? 0 : tii.getInstSizeInBytes(mi) / 4;
      if (words == 0)
        continue;
      for (const MachineOperand &operand : mi.operands())
        if (operand.isReg() && operand.getReg() && operand.readsReg())
          if (auto it = ready.find(operand.getReg()); it != ready.end())
            now = std::max(now, it->second);
      bool warp = mi.isInlineAsm();
      cost.instructions += words;
      cost.warp += warp;
      if (mi.mayLoadOrStore() && !warp) {
        cost.accesses += 1;
        const Value *object = accessedBy(mi);
        if (isThrough(mi, "X2") || isa_and_nonnull<AllocaInst>(object))
          cost.stack += 1;
        else if (!isThrough(mi, "X3") && !isOfCompiler(object)) // X3: the spill area
          cost.far += 1;
      }
      double latency = latencyOf(mi, warp);
      for (const MachineOperand &operand : mi.operands())
        if (operand.isReg() && operand.getReg() && operand.isDef())
          ready[operand.getReg()] = now + (words - 1) * kNext + latency;
      now += (words - 1) * kNext + (mi.isBranch() || mi.isCall() ? kBranch : kNext);
    }
    cost.cycles = now;
    return cost;
  }

  unsigned latencyOf(const MachineInstr &mi, bool warp) const {
    if (warp)
      return kWarp;
    if (mi.mayLoad())
      return kLoad;
    StringRef name = tii.getName(mi.getOpcode());
    if (name.starts_with("DIV") || name.starts_with("REM") || name.starts_with("FDIV") ||
        name.starts_with("FSQRT"))
      return kDivision;
    return name.starts_with("F") ? kFloat : kInteger;
  }

  /// Returns true if MI uses the register NAME.
  bool isThrough(const MachineInstr &mi, StringRef name) const {
    return any_of(mi.operands(), [&](const MachineOperand &operand) {
      return operand.isReg() && operand.getReg() && operand.isUse() &&
             tri.getName(operand.getReg()) == name;
    });
  }

  /// Returns what MI accesses a part of; null: not known.
  static const Value *accessedBy(const MachineInstr &mi) {
    SmallVector<const Value *, 4> objects;
    if (mi.hasOneMemOperand())
      if (const Value *address = (*mi.memoperands_begin())->getValue())
        getUnderlyingObjects(address, objects);
    return objects.size() == 1 ? objects.front() : nullptr;
  }

  /// Returns true for what the compiler keeps, which lanes have side by side: the descriptor, and
  /// what it points at. Where lanes run different blocks, they find the program's data far apart.
  static bool isOfCompiler(const Value *object) {
    const auto *load = dyn_cast_or_null<LoadInst>(object);
    return isa_and_nonnull<Argument>(load ? getUnderlyingObject(load->getPointerOperand(), 0)
                                          : object);
  }

  const MachineFunction &mf;
  const TargetInstrInfo &tii;
  const TargetRegisterInfo &tri;
  const MachineLoopInfo &loops;
  const MachineBlockFrequencyInfo &frequencies;
  bool hasUnrolled = false;
  DenseMap<const MachineLoop *, double> weights;
};

} // namespace

abi::EntryCost countCosts(const MachineFunction &mf, const MachineLoopInfo &loops,
                          const MachineBlockFrequencyInfo &frequencies) {
  return CostCounter(mf, loops, frequencies).run();
}

} // namespace vx
