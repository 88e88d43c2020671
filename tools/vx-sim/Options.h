// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of vx-sim.

#ifndef VX_TOOLS_VX_SIM_OPTIONS_H
#define VX_TOOLS_VX_SIM_OPTIONS_H

#include "simulator/api/SimConfig.h"
#include <string>
#include <vector>

namespace vx::sim {

/// One word of the argument block.
struct Argument {
  enum class Kind { Number, Input, Output } kind;
  uint64_t number = 0; ///< Number: the word; Output: bytes
  std::string file;    ///< Input: what to read; Output: what to write, may be empty
};

struct Options {
  enum class Action { Run, Help, Version, DumpConfig } action = Action::Run;
  std::string image;
  std::vector<Argument> arguments;
  SimConfig config;
  std::string statsFormat; ///< text, json or empty
  std::string statsFile;   ///< empty: stdout
};

/// Parses WORDS. Configuration files and settings are applied in the order given.
Result<Options> parseOptions(const std::vector<std::string> &words);

extern const char *const kHelpText;

} // namespace vx::sim

#endif // VX_TOOLS_VX_SIM_OPTIONS_H
