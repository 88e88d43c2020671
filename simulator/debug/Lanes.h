// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a device as threads of gdb: which there are, where each one is, what it can read and
// write. The number of a gdb thread is that of its hardware thread, plus one.

#ifndef VX_SIMULATOR_DEBUG_LANES_H
#define VX_SIMULATOR_DEBUG_LANES_H

#include "intrinsics/abi/LaunchDescriptor.h"
#include "simulator/debug/Condition.h"
#include "simulator/debug/Registers.h"
#include "simulator/func/Exec.h"

namespace vx::sim {

/// A lane of a warp, or of a group that vx_tile has formed.
struct LaneRef {
  Core *core;
  Warp *warp;
  unsigned lane;

  uint64_t bit() const { return uint64_t(1) << lane; }
  bool isActive() const { return warp->mask & bit(); }
};

class Lanes {
public:
  explicit Lanes(Device &device);

  /// The following runs are of LAUNCH; null: they are not launches.
  void setLaunch(const abi::LaunchDescriptor *launch);
  /// All lanes are where a reset has put them.
  void reset();
  /// WARP has executed an instruction, as TRACE says: the lanes that it has switched off wait after
  /// it.
  void executed(const Core &core, const Warp &warp, const InsnTrace &trace);

  /// The lanes that run a thread of the launch, and those that are about to, in the order of cores
  /// and lanes. Never empty.
  std::vector<uint64_t> threads();
  /// The lane of THREAD, whose warp may have ended.
  std::optional<LaneRef> find(uint64_t thread);
  uint64_t threadOf(const Core &core, const Warp &warp, unsigned lane) const;
  uint64_t threadOf(const LaneRef &at) const { return threadOf(*at.core, *at.warp, at.lane); }

  /// Returns the pc that the lane executes next, once it is active.
  uint64_t pc(const LaneRef &at) const;
  uint64_t readRegister(const LaneRef &at, unsigned number) const;
  /// Returns false if the register cannot be written. The pc is that of all active lanes of the
  /// warp.
  bool writeRegister(const LaneRef &at, unsigned number, uint64_t value);
  const std::vector<RegisterRow> &registers() const { return rows; }
  /// The register as packets have it: hexadecimal, in the order of its bytes in memory.
  std::string registerText(const LaneRef &at, unsigned number) const;

  /// Reads from the start of BYTES on what is mapped; how many bytes that is.
  size_t readMemory(const LaneRef &at, uint64_t address, std::span<uint8_t> bytes) const;
  /// All or nothing.
  bool writeMemory(const LaneRef &at, uint64_t address, std::span<const uint8_t> bytes);

  /// "block (1,0,0) thread (3,0,0)"; "start-up" before there is a block.
  std::string name(const LaneRef &at) const;
  /// "core 0 warp 1 lane 3", and why it does not run if it does not.
  std::string state(const LaneRef &at) const;
  bool runsThread(const LaneRef &at) const { return blockOf(at) != TrapReport::kNoHint; }
  uint64_t blockOf(const LaneRef &at) const { return hint(at, Core::kBlockHintRegister); }
  uint64_t threadInBlock(const LaneRef &at) const;
  const abi::LaunchDescriptor &launch() const { return shape; }

  Device &device;

private:
  uint64_t hint(const LaneRef &at, unsigned index) const;
  uint64_t &word(std::vector<uint64_t> &file, const LaneRef &at, unsigned index) const {
    return file[size_t(index) * device.stride + at.warp->base + at.lane];
  }
  uint32_t place(const LaneRef &at, PlaceRegister which) const;
  uint64_t narrow(uint64_t value) const;
  std::span<uint8_t> localBytes(const LaneRef &at, uint64_t address, size_t size) const;
  template <typename F> void forGroups(F visit);

  std::vector<RegisterRow> rows;
  abi::LaunchDescriptor shape{};
  std::vector<uint64_t> leftAt; ///< by hardware thread: where it was switched off
};

/// The scope of a condition: a lane.
class LaneScope final : public ConditionScope {
public:
  LaneScope(const Lanes &lanes, const LaneRef &at) : lanes(lanes), at(at) {}

  std::optional<uint64_t> readRegister(unsigned number) const override {
    if (number >= lanes.registers().size())
      return std::nullopt;
    return lanes.readRegister(at, number);
  }
  bool readMemory(uint64_t address, std::span<uint8_t> bytes) const override {
    return lanes.readMemory(at, address, bytes) == bytes.size();
  }

private:
  const Lanes &lanes;
  LaneRef at;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_LANES_H
