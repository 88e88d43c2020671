// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The properties of an instruction word that the pipeline needs: registers, unit, latency. They are
// computed once per word and kept in a small table, which cores that one thread simulates share.

#ifndef VX_SIMULATOR_TIMING_CORE_STATICINST_H
#define VX_SIMULATOR_TIMING_CORE_STATICINST_H

#include "intrinsics/isa/InsnTable.h"
#include "simulator/api/SimConfig.h"
#include <array>
#include <cstdint>

namespace vx::sim {

/// A set of registers: bits 0…31 are x, bits 32…63 are f; x0 is never a member.
using RegisterSet = uint64_t;

/// Half a line of the host's cache: each instruction under way has a copy.
struct alignas(32) StaticInst {
  enum Kind : uint8_t { Plain, Load, Store, Fence, Control, Texture };

  uint32_t word = 0; ///< 0, which is not an instruction, where the entry is empty
  isa::Op op = isa::Op(0);
  isa::Unit unit = isa::Unit::Alu;
  Kind kind = Plain;
  uint16_t latency = 1;          ///< from the unit to its result; not for the LSU
  uint8_t conflicts = 0;         ///< pairs of sources in the same register bank
  uint8_t results = 1;           ///< registers that it writes, if any; only of a vx_tex more than 1
  bool blocksFetch : 1 = false;  ///< the warp is not fetched for until the unit has taken it
  bool isBranch : 1 = false;     ///< conditional
  bool crossesLanes : 1 = false; ///< no result before the operands of all lanes are there
  bool readsMemory : 1 = false;  ///< its result comes from memory
  RegisterSet sources = 0;
  RegisterSet target = 0; ///< `results` registers, or none
};

class StaticInstCache {
public:
  explicit StaticInstCache(const SimConfig &config) : config(config) {}

  /// Returns the instruction of a word that decodes to OP.
  const StaticInst &of(isa::Op op, uint32_t word) {
    StaticInst &inst = table[(word ^ word >> 15) % table.size()];
    if (inst.word != word) [[unlikely]]
      inst = compute(op, word);
    return inst;
  }

private:
  StaticInst compute(isa::Op op, uint32_t word) const;
  uint16_t latencyOf(isa::Latency latency) const;

  const SimConfig config;
  std::array<StaticInst, 1024> table;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_STATICINST_H
