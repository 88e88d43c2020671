// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: rtl-units [ROUNDS [SEED]]
//
// Compares the computing units with the functional simulator: each row of the instruction table
// that only computes, ROUNDS times (1000), with random operands in all lanes, many of them special,
// and random rounding modes. Then the decoder, with ROUNDS random words for each row. Exit status 1
// at the first difference.

#include "Vvx_compute_bench.h"
#include "rtl/random/RandomProgram.h"
#include "simulator/DeviceSimulator.h"
#include "simulator/func/FloatBox.h"
#include <bit>
#include <cstdio>
#include <cstdlib>

using namespace vx;
using namespace vx::rtl;

namespace {

constexpr uint32_t kLanes = VX_RTL_LANES;
constexpr uint32_t kCode = 0x80000000;
/// The registers of the instructions that are made here.
constexpr uint32_t kRd = 10, kRs1 = 11, kRs2 = 12, kRs3 = 13;

struct Operands {
  uint32_t word, rounding, mask;
  std::array<std::array<uint32_t, kLanes>, 3> values;
};
struct Results {
  std::array<uint32_t, kLanes> data{};
  uint32_t flags = 0;
};

/// The simulator, one instruction at a time.
class Model final : public sim::DeviceSimulator {
public:
  explicit Model(const sim::SimConfig &config) : DeviceSimulator(config) {}
  sim::RunResult run() override { return {}; }

  Results compute(const Operands &in) {
    sim::Core &core = device.cores[0];
    (void)device.memory.write(kCode, {reinterpret_cast<const uint8_t *>(&in.word), sizeof in.word});
    emulator.decoder.flush();
    emulator.reset(kCode, 0);
    sim::Warp &warp = core.warps[0];
    warp.mask = in.mask;
    warp.frm = uint8_t(in.rounding);
    const uint32_t registers[] = {kRs1, kRs2, kRs3};
    for (size_t s = 0; s < std::size(registers); ++s)
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        size_t place = registers[s] * device.stride + lane;
        core.x[place] = uint64_t(int64_t(int32_t(in.values[s][lane])));
        core.f[place] = in.values[s][lane] | sim::kBox;
      }
    sim::InsnTrace trace;
    emulator.step(core, warp, trace);
    bool isFloat = isa::info(trace.op).form().writesF;
    Results results;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      results.data[lane] = uint32_t((isFloat ? core.f : core.x)[kRd * device.stride + lane]);
    results.flags = warp.fflags;
    return results;
  }
};

class Units {
public:
  Units() {
    bench.reset = 1;
    tick();
    tick();
    bench.reset = 0;
  }
  ~Units() { bench.final(); }

  Results compute(const Operands &in, int32_t imm) {
    bench.word = in.word;
    bench.imm = uint32_t(imm);
    bench.mask = in.mask;
    bench.rounding = in.rounding;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      bench.a[lane] = in.values[0][lane];
      bench.b[lane] = in.values[1][lane];
      bench.c[lane] = in.values[2][lane];
    }
    bench.in_valid = 1;
    bench.clk = 0;
    bench.eval();
    while (!bench.in_ready)
      tick();
    tick();
    bench.in_valid = 0;
    bench.eval();
    for (int waited = 0; !bench.out_valid && waited < 1000; ++waited)
      tick();
    Results results;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      results.data[lane] = bench.out_data[lane];
    results.flags = bench.out_fflags;
    tick();
    return results;
  }

  /// Returns the position of the row that WORD is, or none, among those that the core has; from 1
  /// on.
  uint32_t decode(uint32_t word) {
    bench.in_valid = 0;
    bench.word = word;
    bench.clk = 0;
    bench.eval();
    return bench.op;
  }

private:
  void tick() {
    bench.clk = 1;
    bench.eval();
    bench.clk = 0;
    bench.eval();
  }
  VerilatedContext context;
  Vvx_compute_bench bench{&context};
};

/// Random operands: any bits, small integers, or floating-point numbers near to each other and to
/// the limits of their range.
uint32_t randomOperand(std::mt19937_64 &random) {
  uint32_t bits = uint32_t(random());
  switch (random() % 6) {
  case 0:
    return bits;
  case 1:
    return bits % 64;
  case 2: // near to one
    return (bits & 0x807fffff) | (124 + (bits >> 23) % 6) << 23;
  case 3: // few significant bits, any exponent
    return bits & 0xff800003;
  case 4: // the ends of the range
    return (bits & 0x807fffff) | (random() % 2 ? (bits >> 23) % 3 : 253 + (bits >> 23) % 3) << 23;
  default:
    return (bits & 1) << 31 | ((bits >> 1) % 4 == 0   ? 0
                               : (bits >> 1) % 4 == 1 ? 0x7f800000
                               : (bits >> 1) % 4 == 2 ? 0x7fc00000
                                                      : 0x80000000u - (bits >> 8) % 3);
  }
}

uint32_t randomWord(std::mt19937_64 &random, const isa::InsnInfo &row) {
  const isa::FormatInfo &form = row.form();
  uint32_t word = uint32_t(random());
  auto set = [&](unsigned place, unsigned bits, uint32_t value) {
    uint32_t mask = ((1u << bits) - 1) << place;
    word = (word & ~mask) | value << place;
  };
  set(7, 5, kRd);
  if (form.has(isa::Field::Rs1))
    set(15, 5, kRs1);
  if (form.has(isa::Field::Rs2))
    set(20, 5, row.latency == isa::Latency::Vote && random() % 2 ? 0 : kRs2);
  if (form.has(isa::Field::Rs3))
    set(27, 5, kRs3);
  if (form.immediate == isa::Field::Shamt)
    set(25, 1, 0);
  if (form.has(isa::Field::Rounding))
    set(12, 3, random() % 5);
  return (word & ~row.mask) | row.match;
}

/// Compares a row. Returns false if it differs.
bool checkRow(Model &model, Units &units, const isa::InsnInfo &row, uint64_t rounds,
              std::mt19937_64 &random) {
  for (uint64_t round = 0; round < rounds; ++round) {
    Operands in{.word = randomWord(random, row), .rounding = 0, .mask = 0, .values = {}};
    in.rounding = in.word >> 12 & 7;
    do
      in.mask = uint32_t(random()) & uint32_t((uint64_t(1) << kLanes) - 1);
    while (!in.mask);
    for (auto &source : in.values)
      for (uint32_t &value : source)
        value = randomOperand(random);
    if (row.latency == isa::Latency::Vote && !(in.word >> 20 & 31))
      in.values[1] = {}; // as x0 reads
    Results wanted = model.compute(in);
    Results got = units.compute(in, isa::Fields{in.word}[row.form().immediate]);
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if ((in.mask >> lane & 1) &&
          (wanted.data[lane] != got.data[lane] || wanted.flags != got.flags)) {
        std::printf(
            "%.*s (%08x), mode %u, lane %u of mask %x: %08x %08x %08x gives %08x, flags %02x; "
            "in the simulator %08x, flags %02x\n",
            int(row.mnemonic.size()), row.mnemonic.data(), in.word, in.rounding, lane, in.mask,
            in.values[0][lane], in.values[1][lane], in.values[2][lane], got.data[lane], got.flags,
            wanted.data[lane], wanted.flags);
        return false;
      }
  }
  return true;
}

/// Compares what the decoders make of WORD. NUMBERS: the position of each row in that of the core.
bool checkDecoder(Units &units, uint32_t word, const std::vector<uint32_t> &numbers) {
  const isa::InsnInfo *row = isa::decode(word, 32);
  uint32_t wanted = row ? numbers[size_t(row->op)] : 0;
  if (units.decode(word) == wanted)
    return true;
  std::printf("%08x is row %u of the core, in the simulator %u\n", word, units.decode(word),
              wanted);
  return false;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  std::mt19937_64 random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  sim::SimConfig config;
  config.xlen = 32;
  config.numWarps = VX_RTL_WARPS;
  config.numThreads = kLanes;
  Model model(config);
  if (!model.initialize() || !model.map(kCode, 4096, sim::kRead | sim::kWrite | sim::kExecute))
    return 1;
  Units units;
  std::vector<uint32_t> numbers;
  uint32_t next = 0, rows = 0;
  for (const isa::InsnInfo &row : isa::kInsns)
    numbers.push_back(isImplemented(row) ? ++next : 0);
  for (const isa::InsnInfo &row : isa::kInsns) {
    for (uint64_t round = 0; round < rounds; ++round)
      if (!checkDecoder(units, (uint32_t(random()) & ~row.mask) | row.match, numbers) ||
          !checkDecoder(units, uint32_t(random()), numbers))
        return 1;
    const isa::FormatInfo &form = row.form();
    if (!isImplemented(row) || form.memory != isa::Memory::None ||
        form.flow != isa::Flow::Straight || row.op == isa::Op::AUIPC)
      continue;
    if (!checkRow(model, units, row, rounds, random))
      return 1;
    ++rows;
  }
  std::printf("%u rows, %llu rounds of %u lanes each: as in the simulator\n", rows,
              static_cast<unsigned long long>(rounds), kLanes);
  return 0;
}
