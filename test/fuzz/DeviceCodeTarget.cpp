// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any words as the code of a device: of 32 and 64 bits, functional and cycle by cycle, with and
// without checkers. The first bytes choose the machine (struct Machine), the rest is code.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/LaunchDescriptor.h"
#include "simulator/api/Simulator.h"
#include "simulator/api/TrapText.h"
#include "test/fuzz/Fuzz.h"
#include "test/fuzz/Machine.h"
#include <cstring>

using namespace vx;
using namespace vx::sim;

/// Returns a launch of two blocks of eight threads, which code that is compiled to be checked tells
/// of.
static abi::LaunchDescriptor launchOf(bool isRv32) {
  abi::LaunchDescriptor launch{};
  launch.kernelEntry = VX_STARTUP_ADDR;
  launch.gridDim[0] = 2;
  launch.blockDim[0] = launch.blockThreads = 8;
  for (int i : {1, 2})
    launch.gridDim[i] = launch.blockDim[i] = 1;
  launch.numBlocks = launch.blocksAtOnce = 2;
  launch.warpsPerBlock = launch.blocksPerCore = 1;
  launch.sharedBase = isRv32 ? VX_STACK_BASE_ADDR_32 : VX_STACK_BASE_ADDR_64; // local memory
  launch.sharedStride = 256;
  return launch;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::Machine machine;
  if (size < sizeof machine)
    return 0;
  std::memcpy(&machine, data, sizeof machine);
  SimConfig config = fuzz::configOf(machine);
  auto simulator = Simulator::create(config);
  fuzz::require(bool(simulator), "a machine can be made");
  (*simulator)->setConsole([](std::string_view) {});
  (*simulator)->writeDcr(VX_DCR_STARTUP_ADDR0, VX_STARTUP_ADDR);
  (*simulator)->writeDcr(VX_DCR_STARTUP_ARG0, 0x10000);
  (*simulator)->writeDcr(VX_DCR_MPM_CLASS, machine.flags & fuzz::Machine::CountsMemory ? 1 : 0);
  std::span<const uint8_t> code(data + sizeof machine,
                                std::min<size_t>(size - sizeof machine, 8192));
  (void)(*simulator)->map(0x10000, 10000, kRead | kWrite);
  (void)(*simulator)->map(VX_STARTUP_ADDR, 8192, kRead | kWrite | kExecute);
  (void)(*simulator)->write(VX_STARTUP_ADDR, code);
  abi::LaunchDescriptor launch = launchOf(config.xlen == 32);
  (*simulator)->describeRuns({.name = "kernel", .lowering = "hw", .launch = &launch});
  for (int i = 0; i < 2; ++i) {
    RunResult result = (*simulator)->run();
    if (result.trap.cause != TrapCause::None)
      fuzz::require(!formatTrap(result.trap, nullptr, config.xlen).empty(), "a fault has a report");
  }
  (void)(*simulator)->stats().toJson();
  (void)(*simulator)->finishReports();
  return 0;
}
