// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configuration of a simulated device. The fields, their defaults and ranges are the rows of
// simulator/config/SimConfig.def. A value comes from, in this order: the default, a TOML file, a
// `key=value` setting; file and settings go through the same apply().

#ifndef VX_SIMULATOR_API_SIMCONFIG_H
#define VX_SIMULATOR_API_SIMCONFIG_H

#include "simulator/api/Result.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vx::sim {

/// Which warp-level instructions exist (docs: instruction set, sections 4.1 to 4.3).
enum class WarpIsa : uint8_t { Off, Upstream, Warp };

/// What a load or store that is not naturally aligned does.
enum class MisalignedPolicy : uint8_t { Trap, Allow };

struct SimConfig {
#define VX_KNOB(field, key, type, def, min, max, help) type field = def;
#define VX_CHOICE(field, key, type, def, choices, help) type field = type::def;
#include "simulator/config/SimConfig.def"

  /// Sets one knob by its key, e.g. apply("core.num_warps", "8"). A Failure names the key, the
  /// value and what is allowed; the knob then keeps its value.
  Result<void> apply(std::string_view key, std::string_view value);

  /// Applies "key=value,key=value…" (the form of --set and VX_SET); all errors are collected.
  Result<void> applyList(std::string_view settings);

  /// Applies a TOML text: `[section]` and `key = value` lines; NAME is for messages.
  Result<void> loadText(std::string_view text, std::string_view name);

  /// Applies a TOML file.
  Result<void> loadFile(const std::string &path);

  /// What is wrong with the combination of values; empty: nothing.
  std::vector<std::string> validate() const;

  /// A TOML text with every knob, its help and range; loading it reproduces this configuration.
  std::string dump() const;

  uint32_t harts() const {
    return numCores * numWarps * numThreads;
  }
  uint32_t barriersPerCore() const {
    return numBarriers ? numBarriers : (numWarps < 2 ? 1 : numWarps / 2);
  }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_SIMCONFIG_H
