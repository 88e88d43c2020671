// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The configuration of a simulated device. The fields, their defaults and ranges are the rows of
// simulator/api/SimConfig.def. A value comes from, in this order: the default, a TOML file, a
// `key=value` setting; file and settings go through the same apply().

#ifndef VX_SIMULATOR_API_SIMCONFIG_H
#define VX_SIMULATOR_API_SIMCONFIG_H

#include "simulator/api/Result.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vx::sim {

/// The warp-level instructions that exist: the profiles of docs/reference/isa.md.
enum class WarpIsa : uint8_t { Off, Upstream, Warp };

/// The effect of a load or store that is not naturally aligned. Auto is Allow, as bare images
/// expect; a device for CUDA programs makes it Trap.
enum class MisalignedPolicy : uint8_t { Auto, Trap, Allow };

/// The time that a run takes: one cycle per instruction and core, that of the machine, or an
/// estimate of that.
enum class SimMode : uint8_t { Functional, Timing, Sampled };

/// When to show the line that says how far a run has come. Auto: if stderr is a terminal.
enum class ShowProgress : uint8_t { Auto, Always, Never };

/// The policy that chooses the ready warp for which a core fetches next.
enum class WarpPolicy : uint8_t { Fixed, RoundRobin, OldestFirst, TwoLevel };

/// The way in which a warp keeps lanes that have diverged: masks on a stack, which the program
/// pushes and pops, or paths with a pc each.
enum class DivergencePolicy : uint8_t { Stack, Paths };

/// The policy that chooses the line of a set that makes room for a new one.
enum class ReplacementName : uint8_t { Counter, Lru, Fifo, Random, Plru };

enum class WritePolicy : uint8_t { Through, Back };

enum class DramName : uint8_t { Hbm, Fixed };

/// The largest value of each knob that is a number.
struct KnobMaximum {
#define VX_KNOB(field, key, type, def, min, max, help) static constexpr type field = type(max);
#include "simulator/api/SimConfig.def"
};

struct SimConfig {
#define VX_KNOB(field, key, type, def, min, max, help) type field = def;
#define VX_CHOICE(field, key, type, def, choices, help) type field = type::def;
#define VX_TEXT(field, key, form, help) std::string field;
#include "simulator/api/SimConfig.def"

  /// Sets one knob by its key, e.g. apply("core.num_warps", "8"). A Failure names the key, the
  /// value and what is allowed; the knob then keeps its value.
  Result<void> apply(std::string_view key, std::string_view value);

  /// Applies "key=value,key=value…" (the form of --set and VX_SET); all errors are collected.
  Result<void> applyList(std::string_view settings);

  /// Applies a TOML text: `[section]` and `key = value` lines; NAME is for messages.
  Result<void> loadText(std::string_view text, std::string_view name);

  /// Applies a TOML file.
  Result<void> loadFile(const std::string &path);

  /// Returns what is wrong with the combination of values; empty: nothing.
  std::vector<std::string> validate() const;

  /// A TOML text with every knob, its help and range; loading it reproduces this configuration.
  std::string dump() const;

  uint32_t harts() const { return numCores * numWarps * numThreads; }
  /// The largest stack that every lane can have, as a power of two: stacks lie below their base and
  /// above the image.
  uint32_t largestStackLog2Size() const;
  uint32_t barriersPerCore() const {
    return numBarriers ? numBarriers : (numWarps < 2 ? 1 : numWarps / 2);
  }

  // --- what knobs with the value 0 stand for -----------------------------------------------------

  uint32_t issueSlots() const { return issueWidth ? issueWidth : std::max(1u, numWarps / 16); }
  uint32_t collectorsPerSlot() const {
    return operandCollectors ? operandCollectors : std::max(1u, numWarps / 4 / issueSlots());
  }
  /// Lanes of a unit whose knob has the value UNIT.
  uint32_t lanesOf(uint32_t unit) const { return unit ? unit : numThreads; }
  uint32_t divCycles() const { return divLatency ? divLatency : xlen + 2; }
  uint32_t coresPerSocket() const { return std::min(socketSize, numCores); }
  uint32_t sockets() const { return (numCores + coresPerSocket() - 1) / coresPerSocket(); }
  uint32_t socketsPerCluster() const { return sockets() / clusters; }
  uint32_t coalescerLineBytes() const {
    return coalescerLine ? coalescerLine : std::min(64u, lanesOf(lsuLanes) * 8);
  }
  /// Banks of a D$, which are also the channels of each of its cores.
  uint32_t dcacheBankCount() const {
    return dcacheBanks ? dcacheBanks : std::max(1u, lanesOf(lsuLanes) / 8);
  }
  uint32_t dcacheMemoryPortCount() const {
    return dcacheMemoryPorts ? dcacheMemoryPorts : std::min(2u, dcacheBankCount());
  }
  uint32_t coalescerEntries() const {
    return coalescerQueue ? coalescerQueue : std::max(1u, lanesOf(lsuLanes) / dcacheBankCount());
  }
  uint32_t l2BankCount() const { return l2Banks ? l2Banks : dcacheMemoryPortCount(); }
  uint32_t l3BankCount() const { return l3Banks ? l3Banks : dcacheMemoryPortCount(); }
  /// Bytes of what DRAM reads and writes at a time: a line of the caches next to it.
  uint32_t memoryBlockBytes() const {
    return l3Enabled ? l3Line : l2Enabled ? l2Line : std::max(icacheLine, dcacheLine);
  }
  uint32_t lmemBankCount() const { return lmemBanks ? lmemBanks : lanesOf(lsuLanes); }
};

} // namespace vx::sim

#endif // VX_SIMULATOR_API_SIMCONFIG_H
