// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: rtl-random [--first=SEED] [--count=PROGRAMS] [--instructions=N]
//
// Runs random programs on the core in lockstep with the simulator: PROGRAMS of them, or as many as
// execute N instructions. Says which seed differs and how, and which rows of the instruction table
// were never executed. Exit status 1 if a program differs, or if a row is missing after 100,000
// instructions.

#include "rtl/harness/RtlSimulator.h"
#include "rtl/random/RandomProgram.h"
#include "simulator/api/TrapText.h"
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

using namespace vx;
using namespace vx::rtl;

namespace {

struct Options {
  uint64_t first = 1, count = 100, instructions = 0;
};

bool parse(std::string_view argument, Options &options) {
  for (auto [name, value] : {std::pair{"--first=", &options.first},
                             {"--count=", &options.count},
                             {"--instructions=", &options.instructions}})
    if (argument.starts_with(name)) {
      std::string_view text = argument.substr(std::strlen(name));
      return std::from_chars(text.data(), text.data() + text.size(), *value).ptr ==
             text.data() + text.size();
    }
  return false;
}

std::span<const uint8_t> bytesOf(const std::vector<uint32_t> &words) {
  return {reinterpret_cast<const uint8_t *>(words.data()), words.size() * sizeof(uint32_t)};
}

/// Runs the program of SEED. Returns what was wrong; empty: nothing.
std::string runProgram(RtlSimulator &core, uint64_t seed) {
  constexpr uint32_t kSteps = 40;
  RandomProgram program(seed, {kWarps, kLanes, kSteps});
  std::vector<uint32_t> data = program.data();
  uint64_t codeBytes = (program.code().size() * sizeof(uint32_t) + 4095) / 4096 * 4096;
  auto prepare = [&]() -> Result<void> {
    if (Result<void> r = core.map(RandomProgram::kCode, codeBytes, sim::kRead | sim::kExecute); !r)
      return r;
    if (Result<void> r =
            core.map(RandomProgram::kData, RandomProgram::kDataBytes, sim::kRead | sim::kWrite);
        !r)
      return r;
    if (Result<void> r = core.write(RandomProgram::kCode, bytesOf(program.code())); !r)
      return r;
    return core.write(RandomProgram::kData, bytesOf(data));
  };
  if (Result<void> r = prepare(); !r)
    return r.error().message;
  core.writeDcr(VX_DCR_STARTUP_ADDR0, RandomProgram::kCode);
  core.writeDcr(VX_DCR_STARTUP_ARG0, RandomProgram::kData);
  sim::RunResult result = core.run();
  // A group that a vx_tile has left out is not resumed if it comes late: both wait for ever then.
  bool agree = result.trap.cause == sim::TrapCause::BarrierDeadlock &&
               !result.trap.detail.starts_with("lockstep:");
  if (result.trap.cause != sim::TrapCause::None && !agree)
    return sim::formatTrap(result.trap, nullptr, 32);
  std::vector<uint32_t> left(data.size());
  if (Result<void> r = core.read(RandomProgram::kData,
                                 {reinterpret_cast<uint8_t *>(left.data()), left.size() * 4});
      !r)
    return r.error().message;
  return {};
}

/// Names the rows that were never executed. Returns how many.
unsigned reportMissing(const RtlSimulator &core) {
  unsigned missing = 0;
  for (const isa::InsnInfo &row : isa::kInsns)
    if (isImplemented(row) && row.form().flow != isa::Flow::Trap && !core.executions(row.op)) {
      std::printf("never executed: %.*s\n", int(row.mnemonic.size()), row.mnemonic.data());
      ++missing;
    }
  return missing;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i)
    if (!parse(argv[i], options)) {
      std::fprintf(stderr, "usage: %s [--first=SEED] [--count=PROGRAMS] [--instructions=N]\n",
                   argv[0]);
      return 2;
    }
  Result<std::unique_ptr<RtlSimulator>> core =
      RtlSimulator::createCompared(RtlSimulator::defaults());
  if (!core) {
    std::fprintf(stderr, "%s\n", core.error().message.c_str());
    return 1;
  }
  uint64_t done = 0;
  auto isEnough = [&] {
    return options.instructions ? (*core)->compared() >= options.instructions
                                : done >= options.count;
  };
  for (uint64_t seed = options.first; !isEnough(); ++seed, ++done)
    if (std::string problem = runProgram(**core, seed); !problem.empty()) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), problem.c_str());
      return 1;
    }
  std::printf("%llu programs, %llu instructions, %llu cycles: as in the simulator\n",
              static_cast<unsigned long long>(done),
              static_cast<unsigned long long>((*core)->compared()),
              static_cast<unsigned long long>((*core)->stats().cycles));
  unsigned missing = reportMissing(**core);
  constexpr uint64_t kEnoughForAll = 100000;
  return missing && (*core)->compared() >= kEnoughForAll ? 1 : 0;
}
