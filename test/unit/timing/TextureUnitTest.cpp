// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texture unit to the cycle, on a memory in which everything hits: when a batch starts, what it
// reads, and when its results are there.

#include "intrinsics/abi/TextureRecord.h"
#include "simulator/TimingSimulator.h"
#include "test/unit/simulator/Program.h"
#include <algorithm>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

constexpr uint64_t kRecord = Machine::kData, kOther = kRecord + 256, kTexels = kRecord + 2048;
constexpr uint64_t kRecordWords = sizeof(vx::abi::TextureRecord) / 8;
constexpr unsigned kTextureCsr = 0x800;
/// Cycles from the last request of a batch to the first channel of the result: a hit and the
/// sampler.
constexpr Cycle kReadAndSample = 1 + 9 + 3;

class Recorder : public Observer {
public:
  void committed(const InsnLife &life) override {
    if (isa::info(life.op).extension == isa::Extension::VxTexture)
      lives.push_back(life);
  }
  std::vector<InsnLife> lives;
};

struct Measured {
  std::vector<InsnLife> fetches; ///< in the order of scheduling
  CoreStats stats;
};

/// A texture of 16 x 2 elements of CHANNELS floats.
vx::abi::TextureRecord floats(uint32_t channels, uint32_t flags) {
  vx::abi::TextureRecord r{};
  r.texelShift = channels == 4 ? 4 : 2;
  r.base = {kTexels, 16u << r.texelShift, 0, 16, 2, 1, 0};
  r.channels = channels;
  r.kind = vx::abi::kTexelWord;
  r.flags = flags;
  return r;
}

Measured runOf(const Program &program, const vx::abi::TextureRecord &record,
               const std::string &settings = "") {
  Machine machine(program, ("run.mode=timing,memory.perfect=true,run.max_cycles=100000,"
                            "isa.texture=true,core.num_threads=8," +
                            settings)
                               .c_str());
  for (uint64_t address : {kRecord, kOther})
    EXPECT_TRUE(bool(machine.simulator->write(
        address, {reinterpret_cast<const uint8_t *>(&record), sizeof record})));
  Recorder record_;
  static_cast<TimingSimulator &>(*machine.simulator).setObserver(&record_);
  RunResult result = machine.simulator->run();
  EXPECT_EQ(result.trap.cause, TrapCause::None) << result.trap.detail;
  std::sort(record_.lives.begin(), record_.lives.end(),
            [](const InsnLife &a, const InsnLife &b) { return a.scheduled < b.scheduled; });
  return {record_.lives, machine.simulator->stats().cores[0]};
}

/// All lanes: the texture at kRecord, f1 = the number of the lane, f2 = f4 = 0.
Program start(bool everyWarp = false) {
  Program p;
  if (everyWarp)
    p.spawnAll();
  p.li(kT0, -1).tmc(kT0).csr(kS1, VX_CSR_MSCRATCH).csr(kT1, VX_CSR_THREAD_ID);
  p.op(Op::CSRRW, {.rd = 0, .rs1 = kS1, .imm = kTextureCsr});
  p.op(Op::FCVT_S_W, {.rd = 1, .rs1 = kT1}).op(Op::FCVT_S_W, {.rd = 2, .rs1 = kZero});
  return p.op(Op::FCVT_S_W, {.rd = 4, .rs1 = kZero});
}
void tex(Program &p, int64_t log2Channels = 0, unsigned x = 1) {
  p.op(Op::VX_TEX_2D, {.rd = 10, .rs1 = x, .rs2 = 2, .rs3 = 4, .imm = log2Channels});
}

TEST(TextureUnit, ReadsItsStateOnce) {
  Program p = start();
  tex(p);
  tex(p);
  p.end();
  Measured run = runOf(p, floats(1, 0));
  ASSERT_EQ(run.fetches.size(), 2u);
  constexpr Cycle words = kRecordWords + 4; // 8 lanes of 4 bytes
  EXPECT_EQ(run.fetches[0].completed - run.fetches[0].executed,
            (words + 7) / 8 - 1 + kReadAndSample);
  EXPECT_EQ(run.fetches[1].completed - run.fetches[1].executed, kReadAndSample);
  EXPECT_EQ(run.stats.texFetches, 2u);
  EXPECT_EQ(run.stats.texStateReads, 1u);
  EXPECT_EQ(run.stats.texLaneReads, 16u);
  EXPECT_EQ(run.stats.texReads, kRecordWords + 8);
}

TEST(TextureUnit, KnowsAsManyStatesAsItHasEntries) {
  Program p = start();
  p.op(Op::ADDI, {.rd = kA0, .rs1 = kS1, .imm = kOther - kRecord});
  for (int i = 0; i < 3; ++i) {
    p.op(Op::CSRRW, {.rd = 0, .rs1 = kA0, .imm = kTextureCsr});
    tex(p);
    p.op(Op::CSRRW, {.rd = 0, .rs1 = kS1, .imm = kTextureCsr});
    tex(p);
  }
  p.end();
  EXPECT_EQ(runOf(p, floats(1, 0), "texture.states=2").stats.texStateReads, 2u);
  EXPECT_EQ(runOf(p, floats(1, 0), "texture.states=1").stats.texStateReads, 6u);
}

TEST(TextureUnit, SharesWordsAmongLanesAndSendsEightPerCycle) {
  auto cycles = [](uint32_t channels, uint32_t flags, unsigned x, uint64_t words) {
    Program p = start();
    tex(p);
    tex(p, 0, x);
    p.end();
    Measured run = runOf(p, floats(channels, flags));
    Program before = start();
    tex(before);
    before.end();
    EXPECT_EQ(run.stats.texReads - runOf(before, floats(channels, flags)).stats.texReads, words);
    return run.fetches[1].completed - run.fetches[1].executed - kReadAndSample;
  };
  EXPECT_EQ(cycles(1, 0, 2, 1), 0u); // all lanes the same element
  EXPECT_EQ(cycles(1, 0, 1, 4), 0u);
  EXPECT_EQ(cycles(4, 0, 1, 8), 0u); // the first channel of elements of 16 bytes
  // A filter: in two rows the elements 0 to 7, of which -1 is another 0.
  EXPECT_EQ(cycles(1, vx::abi::kTextureLinear, 1, 4), 0u);
  EXPECT_EQ(cycles(4, vx::abi::kTextureLinear, 1, 8), 0u);
}

TEST(TextureUnit, TwoRowsTakeTwoRequests) {
  Program p = start();
  p.li(kT1, 1).op(Op::FCVT_S_W, {.rd = 2, .rs1 = kT1}); // between the two rows
  tex(p);
  tex(p);
  p.end();
  Measured run = runOf(p, floats(4, vx::abi::kTextureLinear));
  EXPECT_EQ(run.fetches[1].completed - run.fetches[1].executed, 1 + kReadAndSample);
}

TEST(TextureUnit, WritesARegisterPerCycle) {
  Program p = start();
  tex(p);
  tex(p, 0);
  tex(p, 1);
  tex(p, 2);
  p.end();
  Measured run = runOf(p, floats(1, 0));
  for (unsigned i = 1; i < 4; ++i)
    EXPECT_EQ(run.fetches[i].completed - run.fetches[i].executed,
              kReadAndSample + (1u << (i - 1)) - 1);
}

TEST(TextureUnit, ABatchWaitsForTheOneBefore) {
  Program p = start(true);
  tex(p);
  tex(p);
  p.end();
  Measured run = runOf(p, floats(1, 0), "core.num_warps=4,texture.sampler_latency=20");
  ASSERT_EQ(run.fetches.size(), 8u);
  std::vector<InsnLife> batches = run.fetches;
  std::sort(batches.begin(), batches.end(),
            [](const InsnLife &a, const InsnLife &b) { return a.executed < b.executed; });
  uint64_t waited = 0;
  for (unsigned i = 1; i < 8; ++i) {
    // The sampler is pipelined: only reads keep the next batch waiting.
    Cycle there = batches[i - 1].completed - 20;
    Cycle ready = batches[i].dispatched + 1 + 1 + 2 + 2; // dispatcher, dispatch, SFU, addresses
    EXPECT_EQ(batches[i].executed, std::max(there, ready)) << i;
    waited += batches[i].executed - ready;
  }
  EXPECT_GT(waited, 0u);
}

TEST(TextureUnit, NarrowUnitsMakeSeveralBatches) {
  Program p = start();
  tex(p);
  tex(p);
  p.end();
  Measured run = runOf(p, floats(4, 0), "sfu.lanes=4,core.num_threads=8");
  // Each half reads 4 words; the second half starts when the first has its words.
  EXPECT_EQ(run.stats.texReads, kRecordWords + 16);
  EXPECT_GT(run.stats.texStalls, 0u);
}

} // namespace
