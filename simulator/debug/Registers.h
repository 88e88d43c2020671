// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of a lane as gdb is told of them, by number: RISC-V's, and further ones for where
// the lane is in the CUDA program and in the machine.

#ifndef VX_SIMULATOR_DEBUG_REGISTERS_H
#define VX_SIMULATOR_DEBUG_REGISTERS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vx::sim {

enum class RegisterKind : uint8_t {
  Integer, ///< index: x register
  Pc,
  Float,   ///< index: f register
  Control, ///< index: CSR number of fflags, frm or fcsr
  Place,   ///< index: PlaceRegister; cannot be written
};

/// Registers that say where a lane is. Those with three dimensions are followed by their y and z.
enum class PlaceRegister : uint8_t {
  ThreadIdx,
  BlockIdx = 3,
  BlockDim = 6,
  GridDim = 9,
  Core = 12,
  Warp,
  Lane,
  ActiveMask,
};

struct RegisterRow {
  std::string_view name;
  RegisterKind kind;
  unsigned index;
  unsigned bits;
  std::string_view type; ///< in the target description
};

/// CSR numbers of the floating-point flags and modes.
inline constexpr unsigned kCsrFflags = 1, kCsrFrm = 2, kCsrFcsr = 3;
/// Numbers of the registers that stop replies carry.
inline constexpr unsigned kSpNumber = 2, kFpNumber = 8, kPcNumber = 32;

/// The registers of a lane whose integer registers have XLEN bits; the place is the number.
std::vector<RegisterRow> registerRows(unsigned xlen);

/// The target description (XML) of these.
std::string targetDescription(unsigned xlen, const std::vector<RegisterRow> &rows);

} // namespace vx::sim

#endif // VX_SIMULATOR_DEBUG_REGISTERS_H
