// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands out ranges of device addresses. It knows nothing of memory itself.

#ifndef VX_RUNTIME_CORE_ALLOCATOR_H
#define VX_RUNTIME_CORE_ALLOCATOR_H

#include "runtime/core/Pages.h"
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace vx::rt {

struct AddressRange {
  uint64_t base = 0, size = 0;
  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
  bool overlaps(uint64_t address, uint64_t bytes) const {
    return bytes && size && address < base + size && base < address + bytes;
  }
};

/// Returns true if SIZE bytes at ADDRESS overlap one of RANGES, a map from bases to what is an
/// AddressRange.
template <class Map> bool overlapsAny(const Map &ranges, uint64_t address, uint64_t size) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto &entry) { return entry.second.overlaps(address, size); });
}

/// Returns where part number WINDOW of a 64-bit address space begins, if it is not the first one,
/// which is all of it that is not another's. The parts lie below the addresses that the system
/// gives a process.
constexpr uint64_t windowBase(uint32_t window) {
  return window == 0 ? 0 : uint64_t(window + 1) << 38;
}
constexpr uint32_t kMostWindows = 256;
constexpr uint64_t kWindowBytes = uint64_t(1) << 38;

/// First fit over a set of arenas. Every range starts on a page of its own, and a gap before and
/// after it (at least a page) stays unused, so that an access beyond either end of an allocation
/// does not hit another one.
class Allocator {
public:
  /// At most CAPACITY bytes (rounded up to pages) are in use at a time. GAP is rounded up to pages.
  Allocator(std::span<const AddressRange> arenas, uint64_t capacity, uint64_t gap = kPage);

  /// The base of SIZE fresh bytes, none when they do not fit. SIZE > 0. NEVERUSED: where no
  /// allocation was before, if that is possible.
  std::optional<uint64_t> allocate(uint64_t size, bool neverUsed = false);
  /// Size of the allocation at BASE before it was released; none when there is none.
  std::optional<uint64_t> release(uint64_t base);
  /// Keeps [address, address+size) out of what allocate() gives; false if part of it is given
  /// already. What is in no arena can be reserved by any.
  bool claim(uint64_t address, uint64_t size);
  /// Ends a claim at ADDRESS, if there is one.
  void unclaim(uint64_t address);
  /// The allocation that holds ADDRESS.
  std::optional<AddressRange> find(uint64_t address) const;

  uint64_t capacity() const { return capacityBytes; }
  uint64_t used() const { return usedBytes; }

private:
  void addFree(uint64_t base, uint64_t size);
  std::optional<uint64_t> allocateFrom(uint64_t lowest, uint64_t size);

  uint64_t capacityBytes, gapBytes;
  uint64_t usedBytes = 0;
  uint64_t usedEnd = 0; ///< no allocation has been at or after it
  std::vector<AddressRange> arenas;
  std::map<uint64_t, std::vector<AddressRange>> claims; // address -> its parts of arenas, in pages
  std::map<uint64_t, uint64_t> live;                    // base -> bytes asked for
  std::map<uint64_t, uint64_t> unused;                  // base -> bytes, pages, neighbours merged
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_ALLOCATOR_H
