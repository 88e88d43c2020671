// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A: load-reserved, store-conditional and read-modify-write, lane by lane in lane order. The
// ordering bits need nothing: memory operations happen one after the other. Threads of the program
// that share memory with the guest see each access as one.

#include "simulator/func/insns/Alu.h"
#include <algorithm>

namespace vx::sim {

namespace {

/// Memory holds a T; registers hold it sign-extended.
template <typename T> uint64_t toRegister(T value) {
  return uint64_t(int64_t(std::make_signed_t<T>(value)));
}

template <unsigned XLEN, typename T, typename F> void modify(Exec &e, const Insn &d, F combine) {
  const uint64_t *base = e.x(d.rs1), *operand = e.x(d.rs2);
  uint64_t *result = e.x(d.rd);
  ++e.core().stats.atomics;
  e.whileLanes([&](unsigned lane) {
    uint64_t address = UInt<XLEN>(base[lane]);
    uint8_t *bytes = e.atomic(lane, address, sizeof(T));
    if (!bytes)
      return false;
    T old = atomicLoad<T>(bytes);
    while (!atomicExchange(bytes, old, T(combine(old, T(operand[lane]))))) {
    }
    if (e.device.reservations.any()) [[unlikely]]
      e.device.reservations.clear(e.reservedPlace(address), sizeof(T));
    result[lane] = toRegister(old);
    return true;
  });
}

/// The part of a word that load-reserved and store-conditional are about (VX_HINT_ATOMIC_…).
struct WordPart {
  uint64_t word;
  uint64_t address; ///< of the part
  unsigned size;

  unsigned offset() const { return unsigned(address - word); }
};

template <unsigned XLEN, typename T> WordPart partOf(Exec &e, unsigned lane, uint64_t word) {
  if (sizeof(T) == sizeof(uint32_t))
    for (auto [number, size] :
         {std::pair(Core::kAtomicByteRegister, 1u), std::pair(Core::kAtomicHalfRegister, 2u)}) {
      uint64_t hint = e.x(number * e.device.stride)[lane];
      if (hint != TrapReport::kNoHint && (UInt<XLEN>(hint) & ~uint64_t(3)) == word)
        return {word, UInt<XLEN>(hint), size};
    }
  return {word, word, sizeof(T)};
}

/// The bytes of the word, or null after a trap. Only its part needs permissions.
template <typename T> uint8_t *wordOf(Exec &e, unsigned lane, const WordPart &part) {
  uint8_t *bytes = e.atomic(lane, part.address, part.size);
  if (!bytes)
    return nullptr;
  e.traceAccess(lane, part.word, sizeof(T)); // what the machine accesses
  return bytes - part.offset();
}

template <unsigned XLEN, typename T> void loadReserved(Exec &e, const Insn &d) {
  const uint64_t *base = e.x(d.rs1);
  uint64_t *result = e.x(d.rd);
  ++e.core().stats.atomics;
  e.whileLanes([&](unsigned lane) {
    uint64_t address = UInt<XLEN>(base[lane]);
    const uint8_t *bytes = wordOf<T>(e, lane, partOf<XLEN, T>(e, lane, address));
    if (!bytes)
      return false;
    T value = atomicLoad<T>(bytes);
    e.device.reservations.set(e.hartId(lane), e.reservedPlace(address), value);
    result[lane] = toRegister(value);
    return true;
  });
}

/// Stores the PART of VALUE in WORD if the word's part is still that of EXPECTED.
template <typename T>
bool exchangePart(uint8_t *word, const WordPart &part, uint64_t expected, uint64_t value) {
  auto exchange = [&]<typename Part>(Part old) {
    unsigned shift = 8 * part.offset();
    old = Part(expected >> shift);
    return atomicExchange(word + part.offset(), old, Part(value >> shift));
  };
  switch (part.size) {
  case 1:
    return exchange(uint8_t(0));
  case 2:
    return exchange(uint16_t(0));
  default:
    return exchange(T(0));
  }
}

template <unsigned XLEN, typename T> void storeConditional(Exec &e, const Insn &d) {
  const uint64_t *base = e.x(d.rs1), *operand = e.x(d.rs2);
  uint64_t *result = e.x(d.rd);
  ++e.core().stats.atomics;
  e.whileLanes([&](unsigned lane) {
    uint64_t address = UInt<XLEN>(base[lane]);
    WordPart part = partOf<XLEN, T>(e, lane, address);
    uint8_t *bytes = wordOf<T>(e, lane, part);
    if (!bytes)
      return false;
    // The program's threads end no reservations: what they have changed shows in the value.
    std::optional<uint64_t> reserved =
        e.device.reservations.take(e.hartId(lane), e.reservedPlace(address));
    bool succeeds = reserved && exchangePart<T>(bytes, part, *reserved, operand[lane]);
    if (succeeds)
      e.device.reservations.clear(e.reservedPlace(address), sizeof(T));
    for (unsigned number : {Core::kAtomicByteRegister, Core::kAtomicHalfRegister})
      e.x(number * e.device.stride)[lane] = TrapReport::kNoHint;
    result[lane] = succeeds ? 0 : 1;
    return true;
  });
}

template <typename T> T signedMin(T a, T b) {
  using S = std::make_signed_t<T>;
  return T(std::min(S(a), S(b)));
}
template <typename T> T signedMax(T a, T b) {
  using S = std::make_signed_t<T>;
  return T(std::max(S(a), S(b)));
}

} // namespace

namespace handlers {

VX_EXEC(LR_W) {
  loadReserved<XLEN, uint32_t>(e, d);
}
VX_EXEC(SC_W) {
  storeConditional<XLEN, uint32_t>(e, d);
}
VX_EXEC(AMOSWAP_W) {
  modify<XLEN, uint32_t>(e, d, [](auto, auto b) { return b; });
}
VX_EXEC(AMOADD_W) {
  modify<XLEN, uint32_t>(e, d, [](auto a, auto b) { return a + b; });
}
VX_EXEC(AMOXOR_W) {
  modify<XLEN, uint32_t>(e, d, [](auto a, auto b) { return a ^ b; });
}
VX_EXEC(AMOAND_W) {
  modify<XLEN, uint32_t>(e, d, [](auto a, auto b) { return a & b; });
}
VX_EXEC(AMOOR_W) {
  modify<XLEN, uint32_t>(e, d, [](auto a, auto b) { return a | b; });
}
VX_EXEC(AMOMIN_W) {
  modify<XLEN, uint32_t>(e, d, signedMin<uint32_t>);
}
VX_EXEC(AMOMAX_W) {
  modify<XLEN, uint32_t>(e, d, signedMax<uint32_t>);
}
VX_EXEC(AMOMINU_W) {
  modify<XLEN, uint32_t>(e, d, [](auto a, auto b) { return std::min(a, b); });
}
VX_EXEC(AMOMAXU_W) {
  modify<XLEN, uint32_t>(e, d, [](auto a, auto b) { return std::max(a, b); });
}

VX_EXEC(LR_D) {
  loadReserved<XLEN, uint64_t>(e, d);
}
VX_EXEC(SC_D) {
  storeConditional<XLEN, uint64_t>(e, d);
}
VX_EXEC(AMOSWAP_D) {
  modify<XLEN, uint64_t>(e, d, [](auto, auto b) { return b; });
}
VX_EXEC(AMOADD_D) {
  modify<XLEN, uint64_t>(e, d, [](auto a, auto b) { return a + b; });
}
VX_EXEC(AMOXOR_D) {
  modify<XLEN, uint64_t>(e, d, [](auto a, auto b) { return a ^ b; });
}
VX_EXEC(AMOAND_D) {
  modify<XLEN, uint64_t>(e, d, [](auto a, auto b) { return a & b; });
}
VX_EXEC(AMOOR_D) {
  modify<XLEN, uint64_t>(e, d, [](auto a, auto b) { return a | b; });
}
VX_EXEC(AMOMIN_D) {
  modify<XLEN, uint64_t>(e, d, signedMin<uint64_t>);
}
VX_EXEC(AMOMAX_D) {
  modify<XLEN, uint64_t>(e, d, signedMax<uint64_t>);
}
VX_EXEC(AMOMINU_D) {
  modify<XLEN, uint64_t>(e, d, [](auto a, auto b) { return std::min(a, b); });
}
VX_EXEC(AMOMAXU_D) {
  modify<XLEN, uint64_t>(e, d, [](auto a, auto b) { return std::max(a, b); });
}

} // namespace handlers
} // namespace vx::sim
