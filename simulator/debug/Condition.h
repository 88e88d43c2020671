// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions of breakpoints as gdb hands them over: bytecode of its agent expressions. So each lane
// that reaches a breakpoint is asked, without a packet for each.

#ifndef VX_SIMULATOR_DEBUG_CONDITION_H
#define VX_SIMULATOR_DEBUG_CONDITION_H

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace vx::sim {

/// The part of a lane's state that an expression, which is evaluated for the lane, can see.
class ConditionScope {
public:
  virtual ~ConditionScope() = default;
  /// The register that the target description gives NUMBER.
  virtual std::optional<uint64_t> readRegister(unsigned number) const = 0;
  virtual bool readMemory(uint64_t address, std::span<uint8_t> bytes) const = 0;
};

/// The value of the expression CODE; nullopt if it is not valid, does not end soon, or uses what
/// cannot be read.
std::optional<uint64_t> evaluateCondition(std::string_view code, const ConditionScope &scope);

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_CONDITION_H
