// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: a cache bank reports every lookup and every fill of its sets, and asks at a miss which
// way makes room. Only valid ways are considered; a set with an invalid way never asks. The way is
// not reserved: until its line is filled, the same way may be chosen again.

#ifndef VX_SIMULATOR_TIMING_MEM_REPLACEMENT_H
#define VX_SIMULATOR_TIMING_MEM_REPLACEMENT_H

#include "simulator/api/SimConfig.h"
#include <memory>

namespace vx::sim {

class ReplacementPolicy {
public:
  /// A policy for SETS sets of WAYS ways (a power of two, at most 64).
  static std::unique_ptr<ReplacementPolicy> create(ReplacementName name, uint32_t sets,
                                                   uint32_t ways);
  virtual ~ReplacementPolicy() = default;

  virtual void reset() = 0;
  /// A lookup in SET hit way HIT, or missed (HIT is -1). VALID: a bit per valid way. Returns the
  /// way to replace; what it returns counts only after a miss in a set without invalid ways.
  virtual uint32_t lookup(uint32_t set, int hit, uint64_t valid) = 0;
  /// TIMES (at least 1) lookups in SET, one after the other, hit way WAY. More than one changes
  /// nothing, unless a policy says otherwise.
  virtual void hit(uint32_t set, uint32_t way, uint64_t valid, uint64_t /*times*/) {
    lookup(set, int(way), valid);
  }
  /// A line was put into WAY of SET.
  virtual void fill(uint32_t set, uint32_t way) = 0;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_REPLACEMENT_H
