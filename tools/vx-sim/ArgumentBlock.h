// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The argument block of a bare image. Buffers lie in the order of the command line from 0x10000,
// each at a multiple of 4096, the block with one 64-bit word per argument after the last.

#ifndef VX_TOOLS_VX_SIM_ARGUMENTBLOCK_H
#define VX_TOOLS_VX_SIM_ARGUMENTBLOCK_H

#include "simulator/api/Simulator.h"
#include "tools/vx-sim/Options.h"

namespace vx::sim {

class ArgumentBlock {
public:
  explicit ArgumentBlock(const std::vector<Argument> &arguments) : arguments(arguments) {}

  /// Maps and fills buffers and block, and sets the start argument.
  Result<void> place(Simulator &simulator);
  /// Writes the output buffers that have a file.
  Result<void> writeOutputs(const Simulator &simulator) const;

private:
  Result<uint64_t> placeBuffer(Simulator &simulator, const std::vector<uint8_t> &bytes);

  const std::vector<Argument> &arguments;
  std::vector<uint64_t> words;
  uint64_t nextAddress = 0;
};

} // namespace vx::sim

#endif // VX_TOOLS_VX_SIM_ARGUMENTBLOCK_H
