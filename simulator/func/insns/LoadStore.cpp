// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer and floating-point loads and stores. Lanes access memory in lane order.

#include "simulator/func/FloatBox.h"
#include "simulator/func/insns/Alu.h"
#include <algorithm>

namespace vx::sim {

namespace {

#if __has_feature(thread_sanitizer)
constexpr bool kTracksThreads = true; // a program may race with itself, this one does not
#else
constexpr bool kTracksThreads = false;
#endif

/// Accesses of a warp whose lanes are all active, to addresses with a fixed stride.
struct Strided {
  uint64_t address; ///< of lane 0
  int64_t stride;   ///< from lane to lane
};

/// Returns true if the lanes of E, which are all active, access addresses at BASE + OFFSET that are
/// a multiple of SIZE and have a fixed stride: then ACCESSES are these.
template <unsigned XLEN>
bool isStrided(Exec &e, const uint64_t *base, int64_t offset, unsigned size, Strided &accesses) {
  unsigned blocks = e.fullBlocks();
  if (!blocks)
    return false;
  const uint64_t first = base[0], stride = base[1] - first;
  uint64_t different = 0, next = first;
  do
    for (unsigned i = 0; i < Exec::kBlock; ++i, ++base, next += stride)
      different |= *base ^ next;
  while (--blocks);
  accesses = {addressOf<XLEN>(first, offset), int64_t(stride)};
  return !different && !((accesses.address | stride) & (size - 1));
}

/// The place of ACCESSES, of lane 0, if all are in one page, or null.
inline uint8_t *placeOf(Exec &e, const Strided &accesses, unsigned size, uint8_t permission) {
  int64_t last = accesses.stride * int64_t(e.lanes - 1);
  uint64_t length = uint64_t(last < 0 ? -last : last);
  if (length >= Memory::kPageSize)
    return nullptr;
  uint64_t low = accesses.address + uint64_t(std::min<int64_t>(last, 0));
  uint8_t *place = e.sharedPlace(low, unsigned(length) + size, permission);
  return place ? place - std::min<int64_t>(last, 0) : nullptr;
}

/// Calls visit(lane, place) for each lane if ACCESSES of a T are to a variable in their stacks.
/// Returns false if they are not, or if a lane may not access it; then nothing has been called.
template <typename T, typename F>
bool visitStacks(Exec &e, const Strided &accesses, uint8_t permission, F visit) {
  uint8_t *places[Exec::kMostLanes];
  if (accesses.stride != e.stackStride() || !e.isOwnStack(accesses.address))
    return false;
  for (unsigned lane = 0; lane < e.lanes; ++lane) {
    uint64_t address = accesses.address + uint64_t(accesses.stride) * lane;
    places[lane] = e.pointer(address, sizeof(T), permission);
    if (!places[lane]) [[unlikely]]
      return false;
  }
  for (unsigned lane = 0; lane < e.lanes; ++lane)
    visit(lane, places[lane]);
  return true;
}

/// Does what loadLanes() does, for ACCESSES, if all are in one page or to a variable in the lanes'
/// stacks. Returns false if nothing has been done.
template <typename T, typename F>
bool loadStrided(Exec &e, const Strided &accesses, uint64_t *to, F convert) {
  const int64_t stride = accesses.stride;
  const uint8_t *from = placeOf(e, accesses, sizeof(T), kRead);
  if (!from) {
    if (!visitStacks<T>(e, accesses, kRead, [=](unsigned lane, const uint8_t *place) {
          to[lane] = convert(atomicLoad<T>(place));
        }))
      return false;
  } else if (stride == 0) {
    uint64_t value = convert(atomicLoad<T>(from));
    mapLanes(e, to, to, [value](uint64_t) { return value; });
  } else {
    for (unsigned lane = 0; lane < e.lanes; lane += Exec::kBlock) {
      T values[Exec::kBlock];
      if (stride == sizeof(T) && !kTracksThreads) { // aligned: each is still read in one piece
        std::memcpy(values, from + lane * sizeof(T), sizeof values);
      } else {
        for (unsigned i = 0; i < Exec::kBlock; ++i)
          values[i] = atomicLoad<T>(from + stride * int64_t(lane + i));
      }
      uint64_t result[Exec::kBlock];
      for (unsigned i = 0; i < Exec::kBlock; ++i)
        result[i] = convert(values[i]);
      std::memcpy(to + lane, result, sizeof result);
    }
  }
  e.traceAccesses(accesses.address, stride, sizeof(T));
  return true;
}

/// Does what storeLanes() does, for ACCESSES, in the same cases.
template <typename T> bool storeStrided(Exec &e, const Strided &accesses, const uint64_t *from) {
  if (uint8_t *to = placeOf(e, accesses, sizeof(T), kWrite)) {
    for (unsigned lane = 0; lane < e.lanes; ++lane, to += accesses.stride)
      atomicStore(to, T(from[lane]));
  } else if (!visitStacks<T>(e, accesses, kWrite, [=](unsigned lane, uint8_t *place) {
               atomicStore(place, T(from[lane]));
             })) {
    return false;
  }
  e.traceAccesses(accesses.address, accesses.stride, sizeof(T));
  return true;
}

/// The place of all that the active lanes access at BASE + OFFSET: what is between the lowest and
/// the highest address, the first of which is LOW. Null: it is not in one page, or lane by lane.
template <unsigned XLEN, typename T>
uint8_t *findSpan(Exec &e, const uint64_t *base, int64_t offset, uint8_t permission,
                  uint64_t &low) {
  uint64_t high = 0, bits = 0;
  low = ~uint64_t(0);
  e.forLanes([&](unsigned lane) {
    uint64_t address = addressOf<XLEN>(base[lane], offset);
    low = std::min(low, address);
    high = std::max(high, address);
    bits |= address;
  });
  if (bits & (sizeof(T) - 1) || high - low >= Memory::kPageSize)
    return nullptr;
  return e.sharedPlace(low, unsigned(high - low) + unsigned(sizeof(T)), permission);
}

/// Does what loadLanes() does, if all that is loaded is in one page. Returns false if nothing has
/// been done.
template <unsigned XLEN, typename T, typename F>
bool loadSpan(Exec &e, const Insn &d, uint64_t *to, F convert) {
  const uint64_t *base = e.x(d.rs1);
  uint64_t low;
  const uint8_t *from = findSpan<XLEN, T>(e, base, d.imm, kRead, low);
  if (!from)
    return false;
  uint64_t before = ~low;
  T last = 0;
  e.forLanes([&](unsigned lane) {
    uint64_t address = addressOf<XLEN>(base[lane], d.imm);
    T value = atomicLoad<T>(from + (address - low));
    last = address == before ? last : value;
    before = address;
    e.traceAccess(lane, address, sizeof(T));
    to[lane] = convert(last);
  });
  return true;
}

/// rd := convert(memory as T) for each lane. Lanes that read one place get one value, also when a
/// thread of the program writes to it meanwhile: compiled code relies on it.
template <unsigned XLEN, typename T, typename F>
void loadLanes(Exec &e, const Insn &d, uint64_t *to, F convert) {
  ++e.core().stats.loads;
  const uint64_t *base = e.x(d.rs1);
  Strided accesses;
  if (isStrided<XLEN>(e, base, d.imm, sizeof(T), accesses)
          ? loadStrided<T>(e, accesses, to, convert)
          : loadSpan<XLEN, T>(e, d, to, convert))
    return;
  uint64_t lastAddress = ~uint64_t(addressOf<XLEN>(base[e.firstLane()], d.imm));
  T last = 0;
  e.whileLanes([&](unsigned lane) {
    uint64_t address = addressOf<XLEN>(base[lane], d.imm);
    if (address == lastAddress && e.isPublic(address)) {
      e.traceAccess(lane, address, sizeof(T));
    } else {
      T value;
      if (!e.load(lane, address, value))
        return false;
      if (address != lastAddress)
        last = value;
      lastAddress = address;
    }
    to[lane] = convert(last);
    return true;
  });
}

template <unsigned XLEN, typename T> void loadInteger(Exec &e, const Insn &d) {
  loadLanes<XLEN, T>(e, d, e.x(d.rd), [](T value) { return uint64_t(int64_t(value)); });
}

/// Does what storeLanes() does, if all that is stored to is in one page. Returns false if nothing
/// has been done.
template <unsigned XLEN, typename T> bool storeSpan(Exec &e, const Insn &d, const uint64_t *from) {
  const uint64_t *base = e.x(d.rs1);
  uint64_t low;
  uint8_t *to = findSpan<XLEN, T>(e, base, d.imm, kWrite, low);
  if (!to)
    return false;
  e.forLanes([&](unsigned lane) {
    uint64_t address = addressOf<XLEN>(base[lane], d.imm);
    e.traceAccess(lane, address, sizeof(T));
    atomicStore(to + (address - low), T(from[lane]));
  });
  return true;
}

template <unsigned XLEN, typename T> void storeLanes(Exec &e, const Insn &d, const uint64_t *from) {
  ++e.core().stats.stores;
  const uint64_t *base = e.x(d.rs1);
  Strided accesses;
  if (!e.device.reservations.any() && // else each store may end some
      (isStrided<XLEN>(e, base, d.imm, sizeof(T), accesses) ? storeStrided<T>(e, accesses, from)
                                                            : storeSpan<XLEN, T>(e, d, from)))
    return;
  e.whileLanes([&](unsigned lane) {
    return e.store(lane, addressOf<XLEN>(base[lane], d.imm), T(from[lane]));
  });
}

} // namespace

namespace handlers {

VX_EXEC(LB) {
  loadInteger<XLEN, int8_t>(e, d);
}
VX_EXEC(LH) {
  loadInteger<XLEN, int16_t>(e, d);
}
VX_EXEC(LW) {
  loadInteger<XLEN, int32_t>(e, d);
}
VX_EXEC(LD) {
  loadInteger<XLEN, int64_t>(e, d);
}
VX_EXEC(LBU) {
  loadInteger<XLEN, uint8_t>(e, d);
}
VX_EXEC(LHU) {
  loadInteger<XLEN, uint16_t>(e, d);
}
VX_EXEC(LWU) {
  loadInteger<XLEN, uint32_t>(e, d);
}

VX_EXEC(SB) {
  storeLanes<XLEN, uint8_t>(e, d, e.x(d.rs2));
}
VX_EXEC(SH) {
  storeLanes<XLEN, uint16_t>(e, d, e.x(d.rs2));
}
VX_EXEC(SW) {
  storeLanes<XLEN, uint32_t>(e, d, e.x(d.rs2));
}
VX_EXEC(SD) {
  storeLanes<XLEN, uint64_t>(e, d, e.x(d.rs2));
}

VX_EXEC(FLW) {
  loadLanes<XLEN, uint32_t>(e, d, e.f(d.rd), [](uint32_t bits) { return bits | kBox; });
}
VX_EXEC(FLD) {
  loadLanes<XLEN, uint64_t>(e, d, e.f(d.rd), [](uint64_t bits) { return bits; });
}
VX_EXEC(FSW) {
  storeLanes<XLEN, uint32_t>(e, d, e.f(d.rs2));
}
VX_EXEC(FSD) {
  storeLanes<XLEN, uint64_t>(e, d, e.f(d.rs2));
}

} // namespace handlers
} // namespace vx::sim
