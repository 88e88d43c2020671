// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are found first (every target of a direct branch or jump, every symbol and whatever
// follows a transfer of control begins one), then each is walked once with the values of its
// registers and stack slots numbered: equal numbers are equal values. From a split on, the numbers
// computed from its predicate and constants alone form the set `derived`; the branch has to compare
// two of those.

#include "tools/vx-objdump/DivergenceCheck.h"
#include "intrinsics/abi/KernelTable.h"
#include "intrinsics/isa/InsnTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;
using vx::isa::Fields;
using vx::isa::Op;

namespace vx {

namespace {

constexpr unsigned kRa = 1, kSp = 2, kGp = 3, kAlternateLink = 5, kFp = 8;

bool isConditionalBranch(const isa::InsnInfo &row) {
  return row.form().flow == isa::Flow::Branch;
}

bool endsBlock(const isa::InsnInfo &row, Fields word) {
  bool isCall = (row.op == Op::JAL || row.op == Op::JALR) && word.rd() != 0;
  return isConditionalBranch(row) || ((row.op == Op::JAL || row.op == Op::JALR) && !isCall);
}

/// The registers and stack slots of one block, by value number. Number 0 is every constant that is
/// the same on all lanes.
class BlockValues {
public:
  BlockValues() {
    for (unsigned i = 0; i < 32; ++i)
      registers[i] = i == 0 ? 0 : ++last;
    known[0] = Known();
    for (unsigned base : {kSp, kFp})
      known[base] = {base, 0};
  }

  unsigned of(unsigned reg) const { return registers[reg]; }

  /// Makes PREDICATE's value decide which lanes run from here on.
  void startDerived(unsigned predicate) {
    derived = {0u, of(predicate)};
    hasPredicate = true;
  }
  bool isDerived(unsigned reg) const { return hasPredicate && derived.contains(of(reg)); }
  bool guards() const { return hasPredicate; }

  void execute(const isa::InsnInfo &row, Fields word);

private:
  /// A constant or, with BASE, the address so many bytes after that in register kSp or kFp.
  struct Known {
    unsigned base = 0;
    int64_t offset = 0;
  };

  void set(unsigned reg, unsigned number, std::optional<Known> value = std::nullopt) {
    if (reg == 0)
      return;
    registers[reg] = number;
    known[reg] = value;
    if (reg != kSp && reg != kFp)
      return;
    forgetSlots([reg](unsigned base, const Slot &) { return base == reg; });
    known[reg] = {reg, 0};
    for (unsigned i = 0; i < 32; ++i)
      if (i != reg && known[i] && known[i]->base == reg)
        known[i].reset();
  }
  unsigned fresh() { return ++last; }
  /// Returns the number of a result that depends on the numbers A and B only.
  unsigned computed(unsigned a, unsigned b) {
    if (a == 0 && b == 0)
      return 0;
    unsigned number = fresh();
    if (hasPredicate && derived.contains(a) && derived.contains(b))
      derived.insert(number);
    return number;
  }
  /// The content of a slot, and whether it was stored to by register kSp or kFp itself.
  struct Slot {
    unsigned number;
    bool isDirect;
  };
  template <typename F> void forgetSlots(F isForgotten) {
    for (auto slot = slots.begin(); slot != slots.end(); ++slot)
      if (isForgotten(slot->first >> 32, slot->second))
        slots.erase(slot);
  }
  std::optional<Known> sum(const std::optional<Known> &a, const std::optional<Known> &b) const {
    if (!a || !b || (a->base && b->base))
      return std::nullopt;
    return Known{a->base | b->base, a->offset + b->offset};
  }
  /// Returns the slot at OFFSET from register BASE.
  std::optional<int64_t> slotAt(unsigned base, int32_t offset) const {
    std::optional<Known> place = sum(known[base], Known{0, offset});
    if (!place || !place->base)
      return std::nullopt;
    return int64_t(place->base) << 32 | uint32_t(place->offset);
  }
  /// Returns the result of OP, if that is known.
  std::optional<Known> constantOf(Op op, Fields word) const;
  void call();
  void store(Fields word);
  void load(Fields word);

  unsigned registers[32];
  std::optional<Known> known[32]; ///< of the registers
  DenseMap<int64_t, Slot> slots;  ///< by slotAt()
  DenseSet<unsigned> derived;
  bool hasPredicate = false;
  unsigned last = 0;
};

void BlockValues::call() {
  static constexpr unsigned callerSaved[] = {1,  5,  6,  7,  10, 11, 12, 13,
                                             14, 15, 16, 17, 28, 29, 30, 31};
  for (unsigned reg : callerSaved)
    set(reg, fresh());
  slots.clear();
}

void BlockValues::store(Fields word) {
  bool isDirect = word.rs1() == kSp || word.rs1() == kFp;
  std::optional<int64_t> at = slotAt(word.rs1(), word.immS());
  if (at)
    slots[*at] = {of(word.rs2()), isDirect};
  // Nothing else points to a spill slot that sp reaches. But s0 need not be the frame pointer, and
  // another register may point into an array: what lies there may change with any other store,
  // except those to the spill area, which is not a stack and is addressed from gp.
  bool isForeign = !at && word.rs1() != kGp, isFrame = at && *at >> 32 == kFp;
  forgetSlots([&](unsigned base, const Slot &slot) {
    return (base == kFp && !isFrame) || (isForeign && !slot.isDirect);
  });
}

void BlockValues::load(Fields word) {
  bool isDirect = word.rs1() == kSp || word.rs1() == kFp;
  std::optional<int64_t> at = slotAt(word.rs1(), word.immI());
  auto slot = at ? slots.find(*at) : slots.end();
  bool isSpill = slot != slots.end() && slot->second.isDirect == isDirect;
  set(word.rd(), isSpill ? slot->second.number : fresh());
}

std::optional<BlockValues::Known> BlockValues::constantOf(Op op, Fields word) const {
  switch (op) {
  case Op::LUI:
    return Known{0, word.immU()};
  case Op::ADD:
    return sum(known[word.rs1()], known[word.rs2()]);
  case Op::ADDI:
    return sum(known[word.rs1()], Known{0, word.immI()});
  case Op::ADDIW: {
    std::optional<Known> value = sum(known[word.rs1()], Known{0, word.immI()});
    return value && value->base ? std::nullopt : value; // no address any more
  }
  default:
    return std::nullopt;
  }
}

void BlockValues::execute(const isa::InsnInfo &row, Fields word) {
  const isa::FormatInfo &form = row.form();
  if (form.flow == isa::Flow::Jump)
    return call(); // block-ending jumps never get here
  if (form.memory == isa::Memory::Store && form.readsX(isa::Field::Rs2))
    return store(word);
  if (!form.writesX)
    return;
  if (form.memory == isa::Memory::Load)
    return load(word);
  if (row.unit() != isa::Unit::Alu || row.scope != isa::Scope::Lane)
    return set(word.rd(), fresh());
  unsigned number = 0;
  for (size_t i = 0; i < form.numSources; ++i)
    number = computed(number, of(unsigned(word[form.sources[i].field])));
  // Booleans survive addi 0, addiw 0 and andi 1 unchanged.
  bool isMove = (row.op == Op::ADDI || row.op == Op::ADDIW) && word.immI() == 0;
  set(word.rd(), isMove ? of(word.rs1()) : number, constantOf(row.op, word));
}

/// Checks one section of code.
class SectionChecker {
public:
  SectionChecker(const ImageFile &image, const Section &section,
                 const std::set<uint64_t> &uniformPoints, DivergenceReport &report)
      : image(image), section(section), uniformPoints(uniformPoints), report(report) {}

  void run() {
    findBlocks();
    for (uint64_t begin : blockStarts)
      checkBlock(begin);
  }

private:
  uint64_t end() const { return section.address + section.bytes.size() / 4 * 4; }
  uint32_t wordAt(uint64_t address) const {
    return support::endian::read32le(section.bytes.data() + (address - section.address));
  }
  void start(uint64_t address) {
    if (address >= section.address && address < end() && address % 4 == 0)
      blockStarts.insert(address);
  }
  std::optional<uint64_t> longJumpTarget(uint64_t address, Fields word) const;
  void findBlocks();
  void checkBlock(uint64_t begin);
  void checkBranch(uint64_t address, Fields word, const BlockValues &values, uint64_t begin,
                   bool isPred);
  void addViolation(Violation::Kind kind, uint64_t address) {
    report.violations.push_back({kind, address});
  }

  const ImageFile &image;
  const Section &section;
  const std::set<uint64_t> &uniformPoints;
  DivergenceReport &report;
  std::set<uint64_t> blockStarts;
};

/// Returns the target of `auipc r, high; jalr x0, low(r)`, how the linker spells a far jump.
std::optional<uint64_t> SectionChecker::longJumpTarget(uint64_t address, Fields word) const {
  if (address < section.address + 4)
    return std::nullopt;
  Fields before{wordAt(address - 4)};
  const isa::InsnInfo *row = isa::decode(before.word, image.xlen());
  if (!row || row->op != Op::AUIPC || before.rd() != word.rs1())
    return std::nullopt;
  return address - 4 + int64_t(before.immU()) + word.immI();
}

void SectionChecker::findBlocks() {
  start(section.address);
  for (const Symbol &symbol : image.symbols())
    if (symbol.section == section.name)
      start(symbol.address);
  for (uint64_t address = section.address; address < end(); address += 4) {
    Fields word{wordAt(address)};
    const isa::InsnInfo *row = isa::decode(word.word, image.xlen());
    if (!row)
      continue;
    if (isConditionalBranch(*row))
      start(address + int64_t(word.immB()));
    if (row->op == Op::JAL)
      start(address + int64_t(word.immJ()));
    if (row->op == Op::JALR)
      if (std::optional<uint64_t> target = longJumpTarget(address, word))
        start(*target);
    if (endsBlock(*row, word))
      start(address + 4);
  }
}

void SectionChecker::checkBlock(uint64_t begin) {
  auto next = blockStarts.upper_bound(begin);
  uint64_t limit = next == blockStarts.end() ? end() : *next;
  BlockValues values;
  bool isPred = false;
  for (uint64_t address = begin; address < limit; address += 4) {
    Fields word{wordAt(address)};
    const isa::InsnInfo *row = isa::decode(word.word, image.xlen());
    if (!row) {
      if (word.word != 0) // zeroes pad between functions
        addViolation(Violation::Undecodable, address);
      continue;
    }
    if (isConditionalBranch(*row))
      return checkBranch(address, word, values, begin, isPred);
    if (row->op == Op::JALR && word.rd() == 0) {
      if (word.rs1() != kRa && word.rs1() != kAlternateLink && !longJumpTarget(address, word))
        addViolation(Violation::IndirectJump, address);
      return;
    }
    bool startsPred = row->op == Op::VX_PRED || row->op == Op::VX_PRED_N;
    if (startsPred || row->op == Op::VX_SPLIT || row->op == Op::VX_SPLIT_N) {
      values.startDerived(word.rs1());
      isPred = startsPred;
    }
    values.execute(*row, word);
  }
}

void SectionChecker::checkBranch(uint64_t address, Fields word, const BlockValues &values,
                                 uint64_t begin, bool isPred) {
  auto point = uniformPoints.lower_bound(begin);
  if (point != uniformPoints.end() && *point <= address) {
    ++report.byUniform;
    return;
  }
  if (values.of(word.rs1()) == 0 && values.of(word.rs2()) == 0) {
    ++report.byUniform; // compares constants
    return;
  }
  if (!values.guards())
    return addViolation(Violation::Unguarded, address);
  if (!values.isDerived(word.rs1()) || !values.isDerived(word.rs2()))
    return addViolation(Violation::Mismatched, address);
  ++(isPred ? report.byPred : report.bySplit);
}

} // namespace

unsigned DivergenceReport::count(Violation::Kind kind) const {
  return llvm::count_if(violations,
                        [=](const Violation &violation) { return violation.kind == kind; });
}

Expected<DivergenceReport> checkDivergence(const ImageFile &image) {
  if (image.isRelocatable())
    return createStringError("an object file has no final addresses: check the linked image");
  std::set<uint64_t> uniformPoints;
  if (const Section *list = image.section(abi::kUniformBranchSection)) {
    if (list->bytes.size() % 8 != 0)
      return createStringError("section %s is not a list of addresses", abi::kUniformBranchSection);
    for (size_t i = 0; i < list->bytes.size(); i += 8)
      uniformPoints.insert(support::endian::read64le(list->bytes.data() + i));
  }
  DivergenceReport report;
  for (const Section &section : image.sections())
    if (section.isCode && !section.bytes.empty())
      SectionChecker(image, section, uniformPoints, report).run();
  llvm::sort(report.violations,
             [](const Violation &a, const Violation &b) { return a.address < b.address; });
  return report;
}

} // namespace vx
