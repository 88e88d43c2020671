// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs that regroup, diverge, loop, vote and shuffle give the same results whatever the
// lanes of a hardware warp: a group that is one warp of the machine is the oracle for merged and
// cut ones. And random vx_tile, vx_tmc, vx_bar and vx_split do not crash or hang the host.

#include "simulator/api/TrapText.h"
#include "test/unit/simulator/Program.h"
#include <bit>
#include <random>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

constexpr unsigned kHarts = 64;
constexpr unsigned kFirst = 10, kCount = 6; // the registers that programs compute with

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  Program make() {
    p.startAll();
    for (unsigned r = kFirst; r < kFirst + kCount; ++r)
      p.op(Op::MUL, {.rd = r, .rs1 = kS0, .rs2 = kS0})
          .op(Op::ADDI, {.rd = r, .rs1 = r, .imm = int64_t(below(100))});
    for (unsigned i = 0; i < 4; ++i) {
      unsigned size = 4u << below(4);
      if (below(3)) {
        p.tile(allGroups(size), size);
      } else {
        // Some groups of 32 threads sit this out; the next merge takes them in.
        unsigned mask = allGroups(size) & (below(255) + 1);
        p.tile(0x80, 32).tile(mask ? mask : 0x80, size);
        block(0);
        p.tile(0x80, 32);
      }
      block(0);
    }
    for (unsigned i = 0; i < kCount; ++i)
      p.record(i, kFirst + i);
    return p.csr(kT0, VX_CSR_THREAD_ID).record(6, kT0).end();
  }

private:
  uint64_t below(uint64_t n) { return random() % n; }
  unsigned reg() { return kFirst + unsigned(below(kCount)); }

  void block(unsigned depth) {
    for (uint64_t i = 0, n = 2 + below(4); i < n; ++i)
      switch (below(depth < 3 ? 8 : 6)) {
      case 6:
        conditional(depth);
        break;
      case 7:
        loop(depth);
        break;
      default:
        simple();
      }
  }

  void simple() {
    static constexpr Op alu[] = {Op::ADD, Op::SUB, Op::XOR, Op::MUL, Op::SLTU, Op::SRL, Op::ADDW};
    static constexpr Op exchange[] = {Op::VX_VOTE_ALL,    Op::VX_VOTE_ANY,    Op::VX_VOTE_UNI,
                                      Op::VX_VOTE_BALLOT, Op::VX_SHFL_UP,     Op::VX_SHFL_DOWN,
                                      Op::VX_SHFL_BFLY,   Op::VX_SHFL_IDX,    Op::VX_SHFL_UP_I,
                                      Op::VX_SHFL_DOWN_I, Op::VX_SHFL_BFLY_I, Op::VX_SHFL_IDX_I};
    static constexpr unsigned csrs[] = {VX_CSR_THREAD_ID, VX_CSR_ACTIVE_THREADS, VX_CSR_MHARTID};
    switch (below(4)) {
    case 0:
      p.csr(reg(), csrs[below(std::size(csrs))]);
      break;
    case 1:
      p.op(alu[below(std::size(alu))], {.rd = reg(), .rs1 = reg(), .rs2 = reg()});
      break;
    default:
      p.op(exchange[below(std::size(exchange))],
           {.rd = reg(), .rs1 = reg(), .rs2 = reg(), .imm = int64_t(below(32))});
    }
  }

  /// if (condition & 1) { … } else { … }
  void conditional(unsigned depth) {
    unsigned condition = reg(), saved = 20 + depth;
    p.op(below(2) ? Op::VX_SPLIT : Op::VX_SPLIT_N, {.rd = saved, .rs1 = condition});
    p.op(Op::ANDI, {.rd = kT0, .rs1 = condition, .imm = 1});
    size_t branch = p.words.size();
    p.op(Op::BEQ, {});
    block(depth + 1);
    size_t jump = p.words.size();
    p.op(Op::JAL, {});
    p.words[branch] =
        encode(Op::BEQ, {.rs1 = kT0, .rs2 = kZero, .imm = int64_t(p.words.size() - branch) * 4});
    if (below(2))
      block(depth + 1);
    p.words[jump] = encode(Op::JAL, {.rd = 0, .imm = int64_t(p.words.size() - jump) * 4});
    p.op(Op::VX_JOIN, {.rs1 = saved});
  }

  /// for (i = 0; i < (bound & 3); ++i) { … }, lanes leave one by one.
  void loop(unsigned depth) {
    unsigned i = 23 + depth, bound = 26 + depth, all = 29 + depth;
    p.op(Op::ANDI, {.rd = bound, .rs1 = reg(), .imm = 3});
    p.csr(all, VX_CSR_ACTIVE_THREADS).li(i, 0);
    size_t head = p.words.size();
    p.op(Op::SLTU, {.rd = kT0, .rs1 = i, .rs2 = bound});
    p.op(Op::VX_PRED, {.rs1 = kT0, .rs2 = all});
    p.op(Op::VX_VOTE_ANY, {.rd = kT2, .rs1 = kT0, .rs2 = 0});
    size_t branch = p.words.size();
    p.op(Op::BEQ, {});
    block(depth + 1);
    p.op(Op::ADDI, {.rd = i, .rs1 = i, .imm = 1});
    p.op(Op::JAL, {.rd = 0, .imm = int64_t(head - p.words.size()) * 4});
    p.words[branch] =
        encode(Op::BEQ, {.rs1 = kT2, .rs2 = kZero, .imm = int64_t(p.words.size() - branch) * 4});
  }

  std::mt19937_64 random;
  Program p;
};

std::vector<uint64_t> resultsOn(const Program &program, unsigned lanes, const std::string &mode) {
  std::string settings = "core.num_threads=" + std::to_string(lanes) +
                         ",core.num_warps=" + std::to_string(kHarts / lanes) +
                         ",run.max_instructions=1000000," + mode;
  Machine m(program, settings.c_str());
  RunResult result = m.simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::None) << formatTrap(result.trap, nullptr, 64);
  std::vector<uint64_t> values;
  for (unsigned field = 0; field < 7; ++field)
    for (unsigned hart = 0; hart < kHarts; ++hart)
      values.push_back(m.field(field, hart));
  return values;
}

TEST(TileRandom, SameResultsOnEveryNumberOfLanes) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program program = Generator(seed).make();
    ASSERT_LT(program.words.size(), 1024u);
    std::vector<uint64_t> expected = resultsOn(program, 32, "run.quantum=256");
    for (unsigned lanes : {1u, 2u, 4u, 8u, 16u}) {
      SCOPED_TRACE("lanes " + std::to_string(lanes));
      std::string quantum = "run.quantum=" + std::to_string(1 + seed % 40);
      ASSERT_EQ(resultsOn(program, lanes, quantum), expected);
      if (seed % 5 == 0)
        ASSERT_EQ(resultsOn(program, lanes, "run.mode=timing,memory.perfect=true"), expected);
    }
  }
}

/// A few likely instructions in random order.
Program shortProgram(std::mt19937_64 &random) {
  Program p;
  p.startAll();
  for (uint64_t i = 0, n = 2 + random() % 20; i < n; ++i)
    switch (random() % 9) {
    case 0:
    case 1:
    case 2: {
      unsigned size = 4u << random() % 4;
      unsigned any = unsigned(random() % 256), all = allGroups(size);
      p.tile(random() % 2 ? all : random() % 4 ? all & any : any, size);
      break;
    }
    case 3:
      p.li(kT0, int64_t(random() % 4096) - 2048).tmc(kT0);
      break;
    case 4:
      p.li(kT0, 0).li(kT1, int64_t(random() % 20)).op(Op::VX_BAR, {.rs1 = kT0, .rs2 = kT1});
      break;
    case 5:
      p.csr(kT0, VX_CSR_THREAD_ID).op(Op::VX_SPLIT, {.rd = 20, .rs1 = kT0});
      break;
    case 6:
      p.op(Op::VX_JOIN, {.rs1 = 20});
      break;
    case 7:
      p.csr(kT0, VX_CSR_WARP_ID); // some warps go another way
      p.op(Op::ANDI, {.rd = kT0, .rs1 = kT0, .imm = int64_t(1 + random() % 3)});
      p.op(Op::BNE, {.rs1 = kT0, .rs2 = kZero, .imm = int64_t(random() % 12) * 4});
      break;
    case 8:
      random() % 4 ? p.csr(kT0, VX_CSR_ACTIVE_WARPS) : p.spawnAll();
      break;
    }
  return p.end();
}

TEST(TileRandom, NothingCrashesTheHost) {
  unsigned ended = 0, stopped = 0;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    std::mt19937_64 random(seed);
    Program p = shortProgram(random);
    unsigned lanes = random() % 8 ? 1u << random() % 6 : 1 + unsigned(random() % 32);
    unsigned warps = 1 + unsigned(random() % std::min(64u, 128 / lanes));
    std::string settings = "core.num_threads=" + std::to_string(lanes) +
                           ",core.num_warps=" + std::to_string(warps) +
                           ",memory.stack_log2_size=10,run.max_instructions=2000,run.quantum=" +
                           std::to_string(1 + random() % 20);
    if (seed % 4 == 0 && std::has_single_bit(lanes))
      settings += ",run.mode=timing,memory.perfect=true,core.issue_width=1,run.max_cycles=20000";
    Machine m(p, settings.c_str());
    RunResult result = m.simulator->run();
    ended += result.trap.cause == TrapCause::None;
    stopped += result.trap.cause != TrapCause::None;
    EXPECT_LT(result.trap.warp, warps);
    EXPECT_LT(result.trap.lane, lanes);
    m.simulator->run(); // from whatever state that left
  }
  EXPECT_GT(ended, 100u);
  EXPECT_GT(stopped, 100u);
}

} // namespace
