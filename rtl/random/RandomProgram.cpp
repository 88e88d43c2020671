// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rtl/random/RandomProgram.h"
#include "intrinsics/abi/AddressMap.h"

namespace vx::rtl {

using isa::Extension;
using isa::Field;
using isa::Op;

namespace {

constexpr uint32_t kLink = 1, kDataBase = 2, kLocalBase = 3, kScratch = 4;
constexpr uint32_t kCounters[] = {5, 6, 7}, kMasks[] = {8, 9, 31}, kSplits[] = {28, 29, 30};
constexpr unsigned kMostDepth = 3;

/// Words that are special as floating-point numbers or as operands of divisions.
constexpr uint32_t kSpecial[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
    0x7f800001, 0xffc12345, 0x00000001, 0x807fffff, 0x00800000, 0x00800001, 0x7f7fffff,
    0xff7fffff, 0x3f7fffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0x3f000000,
    0x3effffff, 0xbf000001, 0x34000000, 0x7fffffff, 0xffffffff, 0x0c000000, 0x1f800000,
};

} // namespace

bool isImplemented(const isa::InsnInfo &row) {
  return row.xlen == isa::Xlen::Any && row.extension != Extension::D &&
         row.extension != Extension::VxClone && row.extension != Extension::VxTexture;
}

RandomProgram::RandomProgram(uint64_t seed, ProgramShape shape)
    : random(seed), shape(shape), groupSize(shape.lanes) {
  for (const isa::InsnInfo &row : isa::kInsns) {
    if (!isImplemented(row))
      continue;
    if (isa::hasAddress(row.form().memory))
      accessing.push_back(&row);
    else if (row.form().flow == isa::Flow::Straight)
      computing.push_back(&row);
  }
  prologue();
  for (uint32_t i = 0; i < shape.steps; ++i)
    step(0);
  while (!allRun) // those that end would leave the others suspended
    tile();
  emit(encode(Op::VX_TMC, 0, 0, 0));
}

std::vector<uint32_t> RandomProgram::data() {
  std::vector<uint32_t> result(kDataBytes / sizeof(uint32_t));
  for (uint32_t &word : result)
    word = oneIn(2) ? kSpecial[below(std::size(kSpecial))] ^ (oneIn(4) ? 1u << below(32) : 0)
                    : uint32_t(random());
  return result;
}

/// The instruction with these registers, and zero in the other fields that its row leaves open.
uint32_t RandomProgram::encode(Op op, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  const isa::InsnInfo &row = isa::info(op);
  return row.match | ((rd << 7 | rs1 << 15 | rs2 << 20) & ~row.mask);
}

uint32_t RandomProgram::immediate(Op op, uint32_t rd, uint32_t rs1, int32_t value) {
  return encode(op, rd, rs1, 0) | uint32_t(value) << 20;
}

/// Writes a branch at word AT to word TARGET.
void RandomProgram::branch(Op op, uint32_t rs1, uint32_t rs2, size_t at, size_t target) {
  uint32_t d = uint32_t(int64_t(target) - int64_t(at)) * 4;
  words[at] = encode(op, 0, rs1, rs2) | (d >> 12 & 1) << 31 | (d >> 5 & 63) << 25 |
              (d >> 1 & 15) << 8 | (d >> 11 & 1) << 7;
}

void RandomProgram::jump(uint32_t rd, size_t at, size_t target) {
  uint32_t d = uint32_t(int64_t(target) - int64_t(at)) * 4;
  words[at] = encode(Op::JAL, rd, 0, 0) | (d >> 20 & 1) << 31 | (d >> 1 & 1023) << 21 |
              (d >> 11 & 1) << 20 | (d >> 12 & 255) << 12;
}

void RandomProgram::loadConstant(uint32_t rd, uint32_t value) {
  emit(encode(Op::LUI, rd, 0, 0) | ((value + 0x800) & 0xfffff000));
  emit(immediate(Op::ADDI, rd, rd, int32_t(value << 20) >> 20));
}

/// Starts all warps with all lanes, and gives each lane values of its own.
void RandomProgram::prologue() {
  loadConstant(kScratch, shape.warps);
  emit(encode(Op::AUIPC, kLink, 0, 0));
  emit(immediate(Op::ADDI, kLink, kLink, 12)); // to the instruction after the vx_wspawn
  emit(encode(Op::VX_WSPAWN, 0, kScratch, kLink));
  emit(immediate(Op::ADDI, kScratch, 0, -1));
  emit(encode(Op::VX_TMC, 0, kScratch, 0));
  loadConstant(kDataBase, kData);
  emit(immediate(Op::CSRRS, kLocalBase, 0, VX_CSR_LOCAL_MEM_BASE));
  emit(immediate(Op::CSRRS, kScratch, 0, VX_CSR_MHARTID));
  for (uint32_t x = 10; x < 28; ++x) {
    loadConstant(x, uint32_t(random()) | 1);
    emit(encode(Op::MUL, x, x, kScratch));
    if (oneIn(2))
      emit(immediate(Op::ADDI, x, x, int32_t(below(64))));
  }
  for (uint32_t f = 0; f < 32; ++f)
    emit(immediate(Op::FLW, f, kDataBase, int32_t(below(512) * 4)));
}

void RandomProgram::step(unsigned depth) {
  unsigned choice = below(depth == 0 ? 24 : 22);
  if (choice < 11)
    straight();
  else if (choice < 15)
    access(*accessing[below(unsigned(accessing.size()))]);
  else if (choice == 15)
    csr();
  else if (choice == 16)
    oneIn(4) ? emit(encode(Op::FENCE_I, 0, 0, 0)) : call();
  else if (choice < 22 && depth < kMostDepth)
    choice < 19 ? split(depth) : choice < 21 ? loop(depth) : uniformBranch(depth);
  else if (depth == 0 && choice == 22)
    tile();
  else if (depth == 0 && allRun)
    barrier();
}

void RandomProgram::block(unsigned depth) {
  for (unsigned count = 1 + below(6); count; --count)
    step(depth);
}

/// An instruction that only computes: any registers, any constants.
void RandomProgram::straight() {
  const isa::InsnInfo &row = *computing[below(unsigned(computing.size()))];
  uint32_t word = uint32_t(random());
  auto set = [&](unsigned place, unsigned bits, uint32_t value) {
    uint32_t mask = ((1u << bits) - 1) << place;
    word = (word & ~mask) | value << place;
  };
  const isa::FormatInfo &form = row.form();
  set(7, 5, form.writesF ? below(32) : value());
  if (form.readsX(Field::Rs1))
    set(15, 5, anyRegister());
  if (form.readsX(Field::Rs2))
    set(20, 5, row.latency == isa::Latency::Vote && oneIn(2) ? 0 : anyRegister());
  if (form.immediate == Field::Shamt)
    set(25, 1, 0);
  if (form.has(Field::Rounding))
    set(12, 3, oneIn(2) ? 7 : below(5));
  emit((word & ~row.mask) | row.match);
}

/// A load, store or atomic at a random place, in local memory or in the data.
void RandomProgram::access(const isa::InsnInfo &row) {
  uint32_t base = oneIn(2) ? kDataBase : kLocalBase;
  const isa::FormatInfo &form = row.form();
  bool isAtomic = form.memory == isa::Memory::Atomic || form.memory == isa::Memory::LoadReserved;
  unsigned log2 = row.match >> 12 & 3;
  // Sometimes neighbouring words, as programs have it, sometimes a few words that all lanes fight
  // for.
  if (oneIn(3)) {
    emit(immediate(Op::CSRRS, kScratch, 0, VX_CSR_THREAD_ID));
    emit(immediate(Op::SLLI, kScratch, kScratch, 2));
  } else {
    emit(immediate(Op::ANDI, kScratch, value(), (oneIn(2) ? 0x1c : 0x7fc) & ~((1 << log2) - 1)));
  }
  emit(encode(Op::ADD, kScratch, kScratch, base));
  int32_t offset = isAtomic ? 0 : int32_t(below(64) << log2);
  uint32_t data =
      form.memory == isa::Memory::Store && !form.readsX(Field::Rs2) ? below(32) : value();
  uint32_t rd = form.writesF ? below(32) : value();
  if (form.memory == isa::Memory::Store)
    emit(encode(row.op, 0, kScratch, data) | (uint32_t(offset) & 31) << 7 |
         uint32_t(offset) >> 5 << 25);
  else if (isAtomic)
    emit(encode(row.op, rd, kScratch, form.memory == isa::Memory::Atomic ? data : 0));
  else
    emit(immediate(row.op, rd, kScratch, offset));
  if (form.memory == isa::Memory::LoadReserved && !oneIn(4)) { // most reservations are used
    if (oneIn(3))
      straight();
    emit(encode(Op::SC_W, value(), kScratch, value()));
  }
}

void RandomProgram::csr() {
  static constexpr uint32_t kRead[] = {0x001,
                                       0x002,
                                       0x003,
                                       VX_CSR_MSCRATCH,
                                       VX_CSR_MCYCLE,
                                       VX_CSR_MINSTRET,
                                       0xb80,
                                       0xc00,
                                       0xc02,
                                       VX_CSR_THREAD_ID,
                                       VX_CSR_WARP_ID,
                                       VX_CSR_CORE_ID,
                                       VX_CSR_ACTIVE_WARPS,
                                       VX_CSR_ACTIVE_THREADS,
                                       VX_CSR_MHARTID,
                                       VX_CSR_NUM_THREADS,
                                       VX_CSR_NUM_WARPS,
                                       VX_CSR_NUM_CORES,
                                       VX_CSR_LOCAL_MEM_BASE,
                                       0xb03,
                                       0xb83};
  static constexpr Op kSet[] = {Op::CSRRW, Op::CSRRS, Op::CSRRC},
                      kSetImmediate[] = {Op::CSRRWI, Op::CSRRSI, Op::CSRRCI};
  switch (below(4)) {
  case 0: // the rounding mode: a valid one
    emit(immediate(Op::CSRRWI, value(), below(5), 0x002));
    break;
  case 1: // flags
    emit(immediate(oneIn(2) ? kSet[below(3)] : kSetImmediate[below(3)], value(), below(32), 0x001));
    break;
  case 2: // mscratch belongs to the core
    emit(immediate(kSet[below(3)], value(), anyRegister(), VX_CSR_MSCRATCH));
    break;
  default:
    emit(immediate(oneIn(2) ? Op::CSRRS : Op::CSRRCI, value(), 0,
                   int32_t(kRead[below(std::size(kRead))])));
  }
}

/// if (condition) block else block, between a split and a join.
void RandomProgram::split(unsigned depth) {
  bool negated = oneIn(2);
  emit(immediate(Op::ANDI, kScratch, value(), 1));
  emit(encode(negated ? Op::VX_SPLIT_N : Op::VX_SPLIT, kSplits[depth], kScratch, 0));
  size_t toElse = words.size();
  emit(0);
  block(depth + 1);
  size_t toEnd = words.size();
  emit(0);
  branch(negated ? Op::BNE : Op::BEQ, kScratch, 0, toElse, words.size());
  block(depth + 1);
  jump(0, toEnd, words.size());
  emit(encode(Op::VX_JOIN, 0, kSplits[depth], 0));
}

/// do block while (--counter > 0), each lane with a counter of its own.
void RandomProgram::loop(unsigned depth) {
  uint32_t counter = kCounters[depth], mask = kMasks[depth];
  emit(immediate(Op::ANDI, counter, value(), 3));
  emit(immediate(Op::CSRRS, mask, 0, VX_CSR_ACTIVE_THREADS));
  size_t begin = words.size();
  block(depth + 1);
  emit(immediate(Op::ADDI, counter, counter, -1));
  bool negated = oneIn(2);
  // Staying: 0 < counter, or the opposite.
  if (negated) {
    emit(immediate(Op::SLTI, kScratch, counter, 1));
    emit(encode(Op::VX_PRED_N, 0, kScratch, mask));
  } else {
    emit(encode(Op::SLT, kScratch, 0, counter));
    emit(encode(Op::VX_PRED, 0, kScratch, mask));
  }
  size_t at = words.size();
  emit(0);
  branch(negated ? Op::BEQ : Op::BNE, kScratch, 0, at, begin);
}

/// A branch over a block that all lanes of the group take, or none.
void RandomProgram::uniformBranch(unsigned depth) {
  static constexpr Op kBranches[] = {Op::BEQ, Op::BNE, Op::BLT, Op::BGE, Op::BLTU, Op::BGEU};
  emit(encode(oneIn(2) ? Op::VX_VOTE_ANY : Op::VX_VOTE_BALLOT, kScratch, value(), 0));
  size_t at = words.size();
  emit(0);
  block(depth + 1);
  bool swap = oneIn(2);
  branch(kBranches[below(6)], swap ? 0 : kScratch, swap ? kScratch : 0, at, words.size());
}

/// A call of the instruction after the next one.
void RandomProgram::call() {
  if (oneIn(2)) {
    emit(0);
    jump(oneIn(2) ? kLink : 0, words.size() - 1, words.size() + 1);
  } else {
    emit(encode(Op::AUIPC, kScratch, 0, 0));
    emit(immediate(Op::JALR, kLink, kScratch, 12));
  }
  straight();
}

/// Regroups the threads: all groups of a size, or some of them until a later vx_tile names all.
void RandomProgram::tile() {
  uint32_t threads = shape.warps * shape.lanes, size = 4;
  do
    size = 4u << below(4);
  while (size > threads);
  uint32_t starts = 0, inCore = 0;
  for (uint32_t thread = 0; thread < 32; thread += size) {
    starts |= 0x80u >> thread / 4;
    if (thread < threads)
      inCore |= 0x80u >> thread / 4;
  }
  uint32_t mask = starts;
  // Those that continue after a part was left out have to name all, so that none waits for ever.
  if (allRun && oneIn(3)) {
    do
      mask = starts & uint32_t(random());
    while (!(mask & inCore));
  }
  allRun = (mask & inCore) == inCore;
  groupSize = size;
  loadConstant(kScratch, mask);
  loadConstant(kLink, size);
  emit(encode(Op::VX_TILE, 0, kScratch, kLink));
}

void RandomProgram::barrier() {
  uint32_t barriers = shape.warps < 2 ? 1 : shape.warps / 2;
  loadConstant(kScratch, oneIn(8) ? 0x80000000u : below(barriers));
  bool isGlobal = (words.end()[-2] & 0xfffff000) == 0x80000000;
  loadConstant(kLink, isGlobal ? 1 : shape.warps * shape.lanes / groupSize);
  emit(encode(Op::VX_BAR, 0, kScratch, kLink));
}

} // namespace vx::rtl
