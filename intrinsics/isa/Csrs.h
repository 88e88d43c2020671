// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of Csrs.def as a table.

#ifndef VX_INTRINSICS_ISA_CSRS_H
#define VX_INTRINSICS_ISA_CSRS_H

#include "intrinsics/abi/AddressMap.h"
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace vx::isa {

enum class CsrXlen : uint8_t { Any, Only32 };

enum class CsrId : uint8_t {
#define VX_CSR(id, name, number, xlen, help) id,
#include "intrinsics/isa/Csrs.def"
};

struct CsrInfo {
  CsrId id;
  std::string_view name;
  uint16_t number;
  CsrXlen xlen;
};

inline constexpr auto kCsrs = std::to_array<CsrInfo>({
#define VX_CSR(id, name, number, xlen, help) CsrInfo{CsrId::id, name, number, CsrXlen::xlen},
#include "intrinsics/isa/Csrs.def"
});

consteval bool csrNumbersAreUnique() {
  for (size_t i = 1; i < kCsrs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (kCsrs[i].number == kCsrs[j].number)
        return false;
  return true;
}
static_assert(csrNumbersAreUnique(), "two rows of Csrs.def have the same number");

/// Returns the row with a number, or null.
constexpr const CsrInfo *findCsr(unsigned number) {
  for (const CsrInfo &row : kCsrs)
    if (row.number == number)
      return &row;
  return nullptr;
}

/// Counters: mcycle, minstret and, from kFirstEventCsr on, the event counters (PerfCounters.def).
/// Their upper halves, for XLEN 32, and what user mode sees of them lie at distances.
inline constexpr unsigned kFirstCounterCsr = VX_CSR_MPM_BASE, kNumCounterCsrs = VX_MPM_WORDS;
inline constexpr unsigned kFirstEventCsr = kFirstCounterCsr + 3;
inline constexpr unsigned kCounterHighOffset = 0x80, kCounterUserOffset = 0x100;

/// Returns whether a register is a counter as machine mode sees it, the lower half for XLEN 32.
constexpr bool isMachineCounterCsr(unsigned number) {
  return number - kFirstCounterCsr < kNumCounterCsrs;
}

/// Returns whether a register is a counter, in whole or in part: its value changes by itself.
constexpr bool isCounterCsr(unsigned number) {
  for (unsigned user : {0u, kCounterUserOffset})
    for (unsigned high : {0u, kCounterHighOffset})
      if (isMachineCounterCsr(number - user - high))
        return true;
  return false;
}

constexpr bool isReadOnlyCsr(unsigned number) {
  return (number >> 10 & 3) == 3;
}

} // namespace vx::isa

#endif // VX_INTRINSICS_ISA_CSRS_H
