// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a simulated device that instructions work on, in all modes.

#ifndef VX_SIMULATOR_FUNC_DEVICE_H
#define VX_SIMULATOR_FUNC_DEVICE_H

#include "simulator/api/Simulator.h"
#include "simulator/func/AccessChecker.h"
#include "simulator/func/ArchState.h"
#include "simulator/func/Console.h"
#include "simulator/func/Memory.h"
#include "simulator/func/Reservations.h"
#include "simulator/func/WarpControl.h"
#include <atomic>
#include <functional>
#include <optional>

namespace vx::sim {

/// The parts of a device that executing an instruction may touch.
struct Device {
  explicit Device(const SimConfig &config);

  /// Sets the place of stacks of 1 << LOG2 bytes for each lane; the caller maps them.
  void setStackLog2Size(uint32_t log2);

  const SimConfig config;
  Memory memory;
  Console console;
  Reservations reservations;
  std::vector<Core> cores;
  WarpControl *control = nullptr;
  std::atomic<uint64_t> codeVersion = 0; ///< decoders forget what they have decoded for another one
  uint32_t mpmClass = 0;
  std::function<MemoryStats()> memoryStats; ///< timing mode

  unsigned lanes;  ///< per hardware warp
  uint32_t stride; ///< from one register to the next, in Core::x and Core::f
  uint32_t stackLog2Size;
  uint64_t stackLow;     ///< the stacks of all lanes: [stackLow, stackBase)
  uint64_t stackBase;    ///< local memory starts there
  uint64_t privateBytes; ///< from stackLow to the end of local memory
  uint64_t guardedLow;   ///< accesses to [guardedLow, guardedLow + guardedBytes) are looked at:
  uint64_t guardedBytes; ///< to the private memory, with a checker all

  /// Sets who checks accesses from here on, before anything is decoded; it may be null.
  void setChecker(AccessChecker *who);
  AccessChecker *checker = nullptr;

  TrapReport trap;
  std::optional<int> exitCode;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_DEVICE_H
