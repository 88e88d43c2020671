// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backends/library/EndOfRun.h"
#include <algorithm>

namespace vx::rt {

static constexpr uint32_t kEndWarp = 0x0000000b; // vx_tmc x0

std::vector<uint32_t> endOfRunCode(uint32_t xlen) {
  if (xlen == 64)
    return {
        0xcc2022f3, // csrr t0, VX_CSR_CORE_ID
        0x00829293, // slli t0, t0, 8
        0xb0002373, // csrr t1, mcycle
        0x0862b023, // sd t1, VX_MPM_ADDR(t0)
        0xb0202373, // csrr t1, minstret
        0x0862b823, // sd t1, VX_MPM_ADDR + 16(t0)
        0x0ff0000f, // fence
        kEndWarp,
    };
  return {
      0xcc2022f3, // csrr t0, VX_CSR_CORE_ID
      0x00829293, // slli t0, t0, 8
      0xb0002373, // csrr t1, mcycle
      0x0862a023, // sw t1, VX_MPM_ADDR(t0)
      0xb8002373, // csrr t1, mcycleh
      0x0862a223, // sw t1, VX_MPM_ADDR + 4(t0)
      0xb0202373, // csrr t1, minstret
      0x0862a823, // sw t1, VX_MPM_ADDR + 16(t0)
      0xb8202373, // csrr t1, minstreth
      0x0862aa23, // sw t1, VX_MPM_ADDR + 20(t0)
      0x0ff0000f, // fence
      kEndWarp,
  };
}

std::optional<uint64_t> findWarpEnd(std::span<const uint32_t> startUpCode) {
  auto found = std::find(startUpCode.begin(), startUpCode.end(), kEndWarp);
  if (found == startUpCode.end())
    return std::nullopt;
  return uint64_t(found - startUpCode.begin()) * sizeof(uint32_t);
}

std::optional<uint32_t> jumpTo(uint64_t from, uint64_t to) {
  int64_t distance = int64_t(to - from);
  constexpr int64_t kReach = 1 << 20;
  if (distance < -kReach || distance >= kReach || distance % 4)
    return std::nullopt;
  auto field = [&](unsigned low, unsigned count, unsigned place) {
    return (uint32_t(distance >> low) & ((1u << count) - 1)) << place;
  };
  constexpr uint32_t kJal = 0x6f; // with rd = x0
  return kJal | field(12, 8, 12) | field(11, 1, 20) | field(1, 10, 21) | field(20, 1, 31);
}

} // namespace vx::rt
