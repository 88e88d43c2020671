// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No guest may crash or hang the host: random words and random rows as programs, damaged images.
// Seeds are fixed, so a failure repeats.

#include "intrinsics/abi/AddressMap.h"
#include "simulator/api/LineTable.h"
#include "simulator/api/TrapText.h"
#include "test/unit/simulator/ElfBuilder.h"
#include "test/unit/simulator/Harness.h"
#include <bit>
#include <random>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

std::unique_ptr<Simulator> makeMachine(std::mt19937_64 &random) {
  SimConfig config;
  config.xlen = random() % 2 ? 32 : 64;
  config.numThreads = 1 + random() % 32;
  config.numWarps = 1 + random() % 8;
  config.numCores = 1 + random() % 3;
  config.stackLog2Size = 10;
  config.maxInstructions = 3000;
  config.quantum = 1 + random() % 50;
  config.clone = random() % 2;
  if (random() % 4 == 0) { // needs a more regular shape
    config.mode = SimMode::Timing;
    config.numThreads = std::bit_floor(config.numThreads);
    config.issueWidth = 1;
    config.perfectMemory = random() % 2;
  }
  auto simulator = Simulator::create(config);
  EXPECT_TRUE(bool(simulator));
  (*simulator)->setConsole([](std::string_view) {});
  (*simulator)->writeDcr(VX_DCR_STARTUP_ADDR0, VX_STARTUP_ADDR);
  (*simulator)->writeDcr(VX_DCR_STARTUP_ARG0, 0x10000);
  (*simulator)->writeDcr(VX_DCR_MPM_CLASS, random() % 2);
  EXPECT_TRUE(bool((*simulator)->map(0x10000, 10000, kRead | kWrite)));
  EXPECT_TRUE(bool((*simulator)->map(VX_STARTUP_ADDR, 8192, kRead | kWrite | kExecute)));
  return std::move(*simulator);
}

/// A word that is likely to do something: a random row with random operands, registers from a few,
/// small immediates often.
uint32_t likelyWord(std::mt19937_64 &random) {
  const isa::InsnInfo &row = isa::kInsns[random() % isa::kNumInsns];
  auto reg = [&] { return unsigned(random() % 3 ? random() % 8 : random() % 32); };
  int64_t imm = random() % 3 ? int64_t(random() % 64) * 4 - 64 : int64_t(random());
  if (row.form().immediate == isa::Field::Csr) {
    constexpr unsigned csrs[] = {1, 2, 3, 0x340, 0xB00, 0xB03, 0xCC0, 0xCC4, 0xF14, 0xFC0, 0xFC3};
    imm = csrs[random() % std::size(csrs)];
  }
  return encode(row.op, {reg(), reg(), reg(), reg(), imm, unsigned(random() % 8)});
}

void runProgram(uint64_t seed, bool anyWord) {
  std::mt19937_64 random(seed);
  auto simulator = makeMachine(random);
  std::vector<uint32_t> words(2048);
  for (uint32_t &word : words)
    word = anyWord ? uint32_t(random()) : likelyWord(random);
  // Some registers that point somewhere, then all lanes on.
  words[0] = encode(isa::Op::CSRRS, {.rd = 1, .rs1 = 0, .imm = 0x340});
  words[1] = encode(isa::Op::CSRRS, {.rd = 2, .rs1 = 0, .imm = 0xFC3});
  words[2] = encode(isa::Op::ADDI, {.rd = 3, .rs1 = 0, .imm = -1});
  words[3] = encode(isa::Op::VX_TMC, {.rs1 = 3});
  words[4] = encode(isa::Op::ADDI, {.rd = 4, .rs1 = 2, .imm = -64});
  ASSERT_TRUE(bool(simulator->write(
      VX_STARTUP_ADDR, {reinterpret_cast<uint8_t *>(words.data()), words.size() * 4})));
  for (int i = 0; i < 2; ++i) {
    RunResult result = simulator->run();
    if (result.trap.cause == TrapCause::None && !result.exitCode)
      continue;
    EXPECT_FALSE(formatTrap(result.trap, nullptr, simulator->config().xlen).empty());
  }
}

TEST(Fuzz, RandomWords) {
  for (uint64_t seed = 0; seed < 300; ++seed)
    runProgram(seed, true);
}

TEST(Fuzz, RandomInstructions) {
  for (uint64_t seed = 0; seed < 5000; ++seed)
    runProgram(1000 + seed, false);
}

TEST(Fuzz, DamagedImages) {
  const std::vector<uint8_t> good = ElfBuilder().build();
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> file = good;
    for (unsigned i = 0; i <= random() % 6; ++i) {
      // Headers are where damage matters.
      size_t at = random() % 2 ? random() % 176 : ElfBuilder::kNamesAt + random() % 0x1c0;
      if (at < file.size())
        file[at] = random() % 2 ? uint8_t(random()) : uint8_t(random() % 2 ? 0xff : 0);
    }
    if (random() % 8 == 0)
      file.resize(random() % file.size());
    Result<ElfImage> image = ElfImage::parse(file);
    if (!image) {
      EXPECT_FALSE(image.error().message.empty());
      continue;
    }
    image->describe(0x80000004);
    if (seed % 20)
      continue;
    SimConfig config;
    config.maxInstructions = 100;
    auto simulator = Simulator::create(config);
    ASSERT_TRUE(bool(simulator));
    if (image->load(**simulator))
      (*simulator)->run();
  }
}

TEST(Fuzz, RandomFilesAsImages) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint8_t> file(random() % 200);
    for (uint8_t &byte : file)
      byte = uint8_t(random());
    if (ElfImage::isVxbin(file))
      (void)ElfImage::parseVxbin(file);
    EXPECT_FALSE(bool(ElfImage::parse(file)));
  }
}

} // namespace
