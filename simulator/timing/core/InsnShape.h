// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pipeline needs to know of an instruction word: registers, unit, latency. Computed once
// per word and kept in a small table.

#ifndef VX_SIMULATOR_TIMING_CORE_INSNSHAPE_H
#define VX_SIMULATOR_TIMING_CORE_INSNSHAPE_H

#include "intrinsics/isa/InsnTable.h"
#include "simulator/api/SimConfig.h"
#include <array>
#include <cstdint>

namespace vx::sim {

/// A set of registers: bits 0…31 are x, bits 32…63 are f; x0 is never a member.
using RegisterSet = uint64_t;

struct InsnShape {
  enum Kind : uint8_t { Plain, Load, Store, Fence, Control, Texture };

  uint32_t word = 0;
  isa::Op op = isa::Op(0);
  isa::Unit unit = isa::Unit::Alu;
  Kind kind = Plain;
  uint8_t conflicts = 0;     ///< pairs of sources in the same register bank
  bool blocksFetch = false;  ///< the warp is not fetched for until the unit has taken it
  bool isBranch = false;     ///< conditional
  bool crossesLanes = false; ///< vote or shuffle: no result before all operands are there
  bool readsMemory = false;  ///< its result comes from memory
  uint8_t results = 1;       ///< registers that it writes, if any; more than one of a vx_tex only
  uint16_t latency = 1;      ///< from the unit to its result; not for the LSU
  RegisterSet sources = 0;
  RegisterSet target = 0; ///< `results` registers, or none
};

class InsnShapes {
public:
  explicit InsnShapes(const SimConfig &config) : config(config) {}

  /// The shape of a word that decodes to OP.
  const InsnShape &of(isa::Op op, uint32_t word) {
    Entry &entry = table[(word ^ word >> 15) % table.size()];
    if (!entry.valid || entry.shape.word != word) [[unlikely]] {
      entry.shape = compute(op, word);
      entry.valid = true;
    }
    return entry.shape;
  }

private:
  struct Entry {
    bool valid = false;
    InsnShape shape;
  };

  InsnShape compute(isa::Op op, uint32_t word) const;
  uint16_t latencyOf(isa::Op op) const;

  const SimConfig config;
  std::array<Entry, 1024> table;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_CORE_INSNSHAPE_H
