// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/vortex/DumpCounters.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/vortex/VortexDevice.h"
#include <algorithm>
#include <cinttypes>
#include <cstdlib>

namespace vx::sim {

namespace {

struct CounterRow {
  uint32_t counterClass, csr;
  const char *key;
};

constexpr CounterRow kRows[] = {
#define VX_COUNTER(unit, field, key, csr, help) {1, csr, key},
#define VX_MEMORY_COUNTER(unit, field, key, csr, help) {2, csr, key},
#include "intrinsics/isa/PerfCounters.def"
};

double ipc(uint64_t instructions, uint64_t cycles) {
  return cycles ? double(instructions) / double(cycles) : 0;
}

void printTotals(std::FILE *stream, uint64_t instructions, uint64_t cycles) {
  std::fprintf(stream, "instrs=%" PRIu64 ", cycles=%" PRIu64 ", IPC=%f\n", instructions, cycles,
               ipc(instructions, cycles));
}

} // namespace

uint32_t chosenCounterClass() {
  const char *value = std::getenv("VORTEX_PROFILING");
  int number = value ? std::atoi(value) : 0;
  return number == 1 || number == 2 ? uint32_t(number) : 0;
}

void dumpCounters(VortexDevice &device, std::FILE *stream) {
  uint32_t cores = device.config().numCores, chosen = chosenCounterClass();
  auto read = [&](uint32_t csr, uint32_t core) { return device.counter(csr, core).value_or(0); };
  uint64_t instructions = 0, cycles = 0;
  for (uint32_t core = 0; core < cores; ++core) {
    uint64_t ofCore = read(VX_CSR_MINSTRET, core), time = read(VX_CSR_MCYCLE, core);
    instructions += ofCore;
    cycles = std::max(cycles, time);
    for (const CounterRow &row : kRows)
      // Counters of the memory are the device's: one core's copy says all.
      if (row.csr && row.counterClass == chosen && (chosen == 1 || core == 0))
        if (uint64_t value = read(row.csr, core))
          std::fprintf(stream, "PERF: core%u: %s=%" PRIu64 "\n", core, row.key, value);
    if (cores > 1) {
      std::fprintf(stream, "PERF: core%u: ", core);
      printTotals(stream, ofCore, time);
    }
  }
  std::fputs("PERF: ", stream);
  printTotals(stream, instructions, cycles);
  std::fflush(stream);
}

} // namespace vx::sim
