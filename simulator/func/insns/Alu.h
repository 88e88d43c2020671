// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes integer results for all lanes of a warp.
//
// Registers hold XLEN-bit values sign-extended to 64 bits, so most operations are the same for both
// widths up to that extension. When all lanes are active the work is done in blocks of 8 lanes,
// which the compiler turns into vector code.

#ifndef VX_SIMULATOR_FUNC_INSNS_ALU_H
#define VX_SIMULATOR_FUNC_INSNS_ALU_H

#include "simulator/func/Handlers.h"
#include <type_traits>

namespace vx::sim {

template <unsigned XLEN> using SInt = std::conditional_t<XLEN == 32, int32_t, int64_t>;
template <unsigned XLEN> using UInt = std::conditional_t<XLEN == 32, uint32_t, uint64_t>;

/// A result as the register holds it.
template <unsigned XLEN> constexpr uint64_t extend(uint64_t value) {
  return uint64_t(int64_t(SInt<XLEN>(value)));
}
constexpr uint64_t extendWord(uint64_t value) {
  return uint64_t(int64_t(int32_t(value)));
}

/// An effective address.
template <unsigned XLEN> constexpr uint64_t addressOf(uint64_t base, int64_t offset) {
  return UInt<XLEN>(base + uint64_t(offset));
}

namespace detail {

template <unsigned N, typename F>
inline void block2(uint64_t *d, const uint64_t *a, const uint64_t *b, F f) {
  uint64_t result[N];
  for (unsigned i = 0; i < N; ++i)
    result[i] = f(a[i], b[i]);
  std::memcpy(d, result, sizeof result);
}
template <unsigned N, typename F> inline void block1(uint64_t *d, const uint64_t *a, F f) {
  uint64_t result[N];
  for (unsigned i = 0; i < N; ++i)
    result[i] = f(a[i]);
  std::memcpy(d, result, sizeof result);
}

} // namespace detail

/// d := f(a, b) for each active lane; F takes and returns register values.
template <typename F>
inline void mapLanes(Exec &e, uint64_t *d, const uint64_t *a, const uint64_t *b, F f) {
  if (unsigned blocks = e.fullBlocks()) [[likely]] {
    constexpr unsigned n = Exec::kBlock;
    do {
      detail::block2<n>(d, a, b, f);
      d += n, a += n, b += n;
    } while (--blocks);
    return;
  }
  e.forLanes([&](unsigned lane) { d[lane] = f(a[lane], b[lane]); });
}

/// d := f(a) for each active lane.
template <typename F> inline void mapLanes(Exec &e, uint64_t *d, const uint64_t *a, F f) {
  if (unsigned blocks = e.fullBlocks()) [[likely]] {
    constexpr unsigned n = Exec::kBlock;
    do {
      detail::block1<n>(d, a, f);
      d += n, a += n;
    } while (--blocks);
    return;
  }
  e.forLanes([&](unsigned lane) { d[lane] = f(a[lane]); });
}

/// The active lanes for which holds(lane) is 1, as a mask. Mostly they agree, which a sum says.
template <typename F> inline uint64_t lanesWhere(Exec &e, F holds) {
  if (unsigned blocks = e.fullBlocks()) {
    uint64_t count = 0;
    unsigned lane = 0;
    do
      for (unsigned i = 0; i < Exec::kBlock; ++i, ++lane)
        count += holds(lane);
    while (--blocks);
    if (count == 0 || count == e.lanes)
      return count ? e.mask() : 0;
  }
  uint64_t mask = 0;
  e.forLanes([&](unsigned lane) { mask |= uint64_t(holds(lane)) << lane; });
  return mask;
}

/// rd := f(rs1, rs2) on XLEN-bit unsigned values.
template <unsigned XLEN, typename F> inline void registerOp(Exec &e, const Insn &d, F f) {
  mapLanes(e, e.x(d.rd), e.x(d.rs1), e.x(d.rs2),
           [f](uint64_t a, uint64_t b) { return extend<XLEN>(f(UInt<XLEN>(a), UInt<XLEN>(b))); });
}

/// rd := f(rs1, immediate) on XLEN-bit unsigned values.
template <unsigned XLEN, typename F> inline void immediateOp(Exec &e, const Insn &d, F f) {
  UInt<XLEN> imm = UInt<XLEN>(d.imm);
  mapLanes(e, e.x(d.rd), e.x(d.rs1),
           [f, imm](uint64_t a) { return extend<XLEN>(f(UInt<XLEN>(a), imm)); });
}

/// rd := f(rs1, rs2) on 32-bit unsigned values, result sign-extended (the ...w instructions).
template <typename F> inline void wordOp(Exec &e, const Insn &d, F f) {
  mapLanes(e, e.x(d.rd), e.x(d.rs1), e.x(d.rs2),
           [f](uint64_t a, uint64_t b) { return extendWord(f(uint32_t(a), uint32_t(b))); });
}
template <typename F> inline void wordImmediateOp(Exec &e, const Insn &d, F f) {
  uint32_t imm = uint32_t(d.imm);
  mapLanes(e, e.x(d.rd), e.x(d.rs1),
           [f, imm](uint64_t a) { return extendWord(f(uint32_t(a), imm)); });
}

/// rd := value in all active lanes.
inline void setAll(Exec &e, uint32_t rd, uint64_t value) {
  uint64_t *d = e.x(rd);
  mapLanes(e, d, d, [value](uint64_t) { return value; });
}

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_INSNS_ALU_H
