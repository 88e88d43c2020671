// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever cores do to each other, a run on several threads of the host gives what it gives on one:
// cycles, all statistics, memory, and how and where the guest stops. Most runs take the intervals
// in which several threads run on one thread: on a busy host, threads wait long for each other.

#include "intrinsics/abi/AddressMap.h"
#include "simulator/TimingSimulator.h"
#include "simulator/api/TrapText.h"
#include "test/unit/simulator/Program.h"
#include <bit>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace vx;
using namespace vx::sim;
using namespace vx::sim::test;

namespace {

constexpr uint64_t kCodeBytes = 16384;

/// Returns what can be seen of two runs of a program, one after the other, on a new device.
/// INTERVALS: as on several threads, even if there is only one.
std::string outcome(const std::vector<uint32_t> &words, const std::string &settings,
                    unsigned threads, bool intervals) {
  SimConfig config;
  const char *count = intervals ? "run.host_threads=8," : "run.host_threads=1,";
  EXPECT_TRUE(bool(config.applyList(
      count + ("run.mode=timing,run.max_cycles=200000,memory.stack_log2_size=10," + settings))));
  auto made = Simulator::create(config);
  EXPECT_TRUE(bool(made)) << made.error().message;
  Simulator &device = **made;
  if (intervals)
    static_cast<TimingSimulator &>(device).shareOut(threads);
  std::string text;
  device.setConsole([&](std::string_view line) { text += line; });
  EXPECT_TRUE(bool(device.map(VX_STARTUP_ADDR, kCodeBytes, kRead | kExecute)));
  EXPECT_TRUE(bool(device.map(Machine::kData, 4096, kRead | kWrite)));
  EXPECT_TRUE(bool(device.fill(Machine::kData, 0, 4096)));
  EXPECT_TRUE(bool(device.write(
      VX_STARTUP_ADDR, {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4})));
  device.writeDcr(VX_DCR_STARTUP_ADDR0, VX_STARTUP_ADDR);
  device.writeDcr(VX_DCR_STARTUP_ARG0, Machine::kData);
  device.writeDcr(VX_DCR_MPM_CLASS, 1);
  for (int run = 0; run < 2; ++run) {
    RunResult result = device.run();
    text += formatTrap(result.trap, nullptr, config.xlen);
    text += " exit " + (result.exitCode ? std::to_string(*result.exitCode) : "none") + "\n";
    text += device.stats().toJson();
    std::vector<uint8_t> data(4096);
    EXPECT_TRUE(bool(device.read(Machine::kData, data)));
    for (uint8_t byte : data)
      text += "0123456789abcdef"[byte >> 4], text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

void expectSame(const std::vector<uint32_t> &words, const std::string &settings,
                unsigned threads = 1) {
  EXPECT_EQ(outcome(words, settings, 1, false), outcome(words, settings, threads, true))
      << threads << " threads, " << settings;
}

const char *const kMachines[] = {
    "num_cores=2",
    "num_cores=3,core.num_threads=8",
    "num_cores=4,core.num_threads=8,core.num_warps=8",
    "num_cores=4,core.num_threads=32,isa.warp=warp",
    "num_cores=8,core.num_threads=4,l2.enabled=true,dcache.write=back",
    "num_cores=4,system.socket_size=1,l2.enabled=true",
    "num_cores=4,system.socket_size=2,dram.model=fixed,memory.stack_guard=false",
    "num_cores=4,lsu.store_backlog=1400",
    "num_cores=4,memory.perfect=true",
};

/// A loop of random accesses of all lanes, some of them to the same places of all cores, and
/// arithmetic on what they yield.
std::vector<uint32_t> racingProgram(unsigned seed, const Program &inside = {}) {
  std::mt19937 random(seed);
  auto reg = [&] { return 16 + unsigned(random() % 8); };
  Program p;
  p.startAll();
  p.csr(kA0, VX_CSR_MSCRATCH).csr(kA1, 0xFC3); // local memory
  p.op(Op::SLLI, {.rd = kT1, .rs1 = kS0, .imm = 3})
      .op(Op::ANDI, {.rd = kT1, .rs1 = kT1, .imm = 511});
  p.op(Op::ADD, {.rd = kA1, .rs1 = kA1, .rs2 = kT1});
  p.op(Op::ADD, {.rd = kT1, .rs1 = kA0, .rs2 = kT1}); // a word of each lane, the same in some cores
  for (unsigned r = 16; r < 24; ++r)
    p.op(Op::ADDI, {.rd = r, .rs1 = kS0, .imm = int64_t(r)});
  p.li(kT2, 1 + random() % 3);
  int64_t loop = p.here();
  for (unsigned i = 0, middle = random() % 16; i < 16; ++i) {
    for (uint32_t word : i == middle ? inside.words : std::vector<uint32_t>())
      p.words.push_back(word);
    unsigned place = random() % 3 == 0 ? kA0 : random() % 2 ? kT1 : kA1;
    int64_t offset = int64_t(random() % 4) * 8;
    switch (random() % 9) {
    case 0:
    case 1:
      p.op(Op::SD, {.rs1 = place, .rs2 = reg(), .imm = offset});
      break;
    case 2:
    case 3:
      p.op(Op::LD, {.rd = reg(), .rs1 = place, .imm = offset});
      break;
    case 4: { // a load that replaces its base
      unsigned r = reg();
      p.op(Op::ADDI, {.rd = r, .rs1 = place, .imm = 0})
          .op(Op::LD, {.rd = r, .rs1 = r, .imm = offset});
      break;
    }
    case 5:
      p.op(random() % 2 ? Op::AMOADD_W : Op::AMOSWAP_D, {.rd = reg(), .rs1 = place, .rs2 = reg()});
      break;
    case 6: {
      p.op(Op::LR_D, {.rd = reg(), .rs1 = place});
      if (random() % 2)
        p.op(Op::SD, {.rs1 = kA1, .rs2 = reg(), .imm = offset});
      p.op(Op::SC_D, {.rd = reg(), .rs1 = place, .rs2 = reg()});
      break;
    }
    case 7:
      p.csr(reg(), random() % 2 ? 0xB03 + unsigned(random() % 0x16) : unsigned(VX_CSR_MCYCLE));
      break;
    default:
      p.op(random() % 2 ? Op::ADD : Op::XOR, {.rd = reg(), .rs1 = reg(), .rs2 = reg()});
      break;
    }
  }
  p.op(Op::ADDI, {.rd = kT2, .rs1 = kT2, .imm = -1});
  p.op(Op::BNE, {.rs1 = kT2, .rs2 = kZero, .imm = loop - p.here()});
  for (unsigned r = 16; r < 24; ++r) // what the races have yielded
    p.op(Op::AMOXOR_D, {.rd = kZero, .rs1 = kT1, .rs2 = r});
  p.end();
  return p.words;
}

TEST(ParallelCores, RacesHaveTheSameWinners) {
  for (const char *machine : kMachines)
    for (unsigned seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(seed);
      expectSame(racingProgram(seed), machine);
    }
}

TEST(ParallelCores, SeveralOfThemGiveTheSame) {
  expectSame(racingProgram(1), "num_cores=2", 2);
  expectSame(racingProgram(2), "num_cores=4,core.num_threads=8", 3);
  expectSame(racingProgram(3), "num_cores=8,l2.enabled=true", 8);
}

TEST(ParallelCores, AStopTakesBackWhatOthersDidLater) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    // One hart stops all.
    Program stop;
    unsigned hart = random() % 16;
    stop.li(31, hart).op(Op::XOR, {.rd = 31, .rs1 = 31, .rs2 = kS0});
    switch (seed % 4) {
    case 0: // an access outside of memory
      stop.op(Op::SLTIU, {.rd = 31, .rs1 = 31, .imm = 1})
          .op(Op::ADDI, {.rd = 31, .rs1 = 31, .imm = -1})
          .op(Op::AND, {.rd = 31, .rs1 = 31, .rs2 = kA0})
          .op(seed % 8 ? Op::SD : Op::LD, {.rd = 30, .rs1 = 31, .rs2 = 30, .imm = 2040});
      break;
    case 1: // lanes that disagree on a branch
      stop.op(Op::BNE, {.rs1 = 31, .rs2 = kZero, .imm = 4});
      break;
    case 2: // the end of the run, when core 0 gets there
      stop.op(Op::AUIPC, {.rd = 30}).csr(30, VX_CSR_CORE_ID).li(kA7, VX_ECALL_EXIT);
      stop.op(Op::BNE, {.rs1 = 30, .rs2 = kZero, .imm = 8}).op(Op::ECALL, {});
      break;
    default: // no instruction
      stop.words.push_back(0);
      break;
    }
    expectSame(racingProgram(seed % 5, stop), kMachines[seed % std::size(kMachines)]);
  }
}

TEST(ParallelCores, GlobalBarriersJoinCoresInTheSameCycle) {
  Program p;
  p.startAll().csr(kA0, VX_CSR_MSCRATCH).li(kT2, 6);
  p.op(Op::LUI, {.rd = 30, .imm = int64_t(1) << 31}).csr(31, VX_CSR_NUM_CORES);
  int64_t loop = p.here();
  p.op(Op::LD, {.rd = 16, .rs1 = kA0}).op(Op::ADD, {.rd = 16, .rs1 = 16, .rs2 = kS0});
  p.op(Op::SD, {.rs1 = kA0, .rs2 = 16});
  p.op(Op::VX_BAR, {.rs1 = 30, .rs2 = 31});
  p.op(Op::ADDI, {.rd = kT2, .rs1 = kT2, .imm = -1});
  p.op(Op::BNE, {.rs1 = kT2, .rs2 = kZero, .imm = loop - p.here()}).end();
  for (const char *machine : kMachines)
    expectSame(p.words, machine);
}

TEST(ParallelCores, ACoreThatWaitsForeverIsFoundInTheSameCycle) {
  Program p; // warp 0 of core 0 waits for a second warp, which does not come
  p.csr(kT0, VX_CSR_CORE_ID).li(kT1, 2);
  p.op(Op::BNE, {.rs1 = kT0, .rs2 = kZero, .imm = 8});
  p.op(Op::VX_BAR, {.rs1 = kZero, .rs2 = kT1});
  p.end();
  for (const char *machine : kMachines)
    expectSame(p.words, machine);
}

TEST(ParallelCores, ARunThatIsTooLongEndsInTheSameCycle) {
  for (const char *limit : {",run.max_cycles=777", ",run.max_instructions=1999"})
    for (const char *machine : kMachines)
      expectSame(racingProgram(1), machine + std::string(limit));
}

TEST(ParallelCores, AnyWordsGiveTheSame) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Program p;
    p.startAll();
    auto reg = [&] { return unsigned(random() % 3 ? 5 + random() % 6 : random() % 32); };
    while (p.words.size() < kCodeBytes / 4) {
      const isa::InsnInfo &row = isa::kInsns[random() % isa::kNumInsns];
      int64_t imm = random() % 3 ? int64_t(random() % 64) * 4 - 64 : int64_t(random());
      if (row.form().immediate == isa::Field::Csr) {
        constexpr unsigned csrs[] = {1,     2,     3,     0x340, 0xB00, 0xB03,
                                     0xCC0, 0xCC4, 0xF14, 0xFC0, 0xFC3};
        imm = csrs[random() % std::size(csrs)];
      }
      p.op(row.op, {reg(), reg(), reg(), reg(), imm, unsigned(random() % 8)});
    }
    expectSame(p.words,
               kMachines[seed % std::size(kMachines)] + std::string(",run.max_cycles=20000"));
  }
}

TEST(ParallelCores, OneObserverSeesTheSame) {
  class Counter : public Observer {
  public:
    void committed(const InsnLife &life) override { seen += life.committed * 31 + life.core; }
    uint64_t seen = 0;
  };
  Program program;
  program.words = racingProgram(2);
  uint64_t first = 0;
  for (unsigned threads : {1u, 2u}) {
    Machine machine(
        program,
        ("run.mode=timing,num_cores=4,run.host_threads=" + std::to_string(threads)).c_str());
    Counter counter;
    static_cast<TimingSimulator &>(*machine.simulator).setObserver(&counter);
    machine.simulator->run();
    EXPECT_NE(counter.seen, 0u);
    if (threads == 1)
      first = counter.seen;
    else
      EXPECT_EQ(counter.seen, first);
  }
}

/// Threads are not there in a process that is forked afterwards: the forking one does all parts.
TEST(WorkerPool, AForkedProcessDoesAllPartsItself) {
  auto threads = std::make_unique<WorkerPool>(3);
  const unsigned count = threads->count();
  std::atomic<unsigned> parts = 0;
  auto part = [](void *counter, unsigned) { ++*static_cast<std::atomic<unsigned> *>(counter); };
  threads->run(part, &parts);
  EXPECT_EQ(parts, count);
  pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30); // instead of a wait for ever
    threads->run(part, &parts);
    threads.reset();
    _exit(parts == 2 * count ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  threads->run(part, &parts); // the parent continues
  EXPECT_EQ(parts, 2 * count);
}

} // namespace
