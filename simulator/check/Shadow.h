// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A state for each byte of an address space. Pages whose bytes all have one state take no more room
// than that; bytes that were never described are usable.

#ifndef VX_SIMULATOR_CHECK_SHADOW_H
#define VX_SIMULATOR_CHECK_SHADOW_H

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace vx::sim {

enum class ByteState : uint8_t {
  Usable = 0,
  Undefined = 1,   ///< may be accessed, and has not been written
  Unallocated = 2, ///< of a heap or of shared memory: part of no allocation
  Freed = 3,       ///< of a heap: given back
};
/// Memory in this state, or in one after it, is not the program's.
inline constexpr uint8_t kFirstInvalid = uint8_t(ByteState::Unallocated);

class Shadow {
public:
  /// Gives SIZE bytes at ADDRESS a state.
  void set(uint64_t address, uint64_t size, ByteState state);
  /// Makes the undefined ones of SIZE bytes at ADDRESS usable.
  void define(uint64_t address, unsigned size);

  /// The states of up to 8 bytes that lie in one page, the first one in the low byte; 0: usable.
  uint64_t states(uint64_t address, unsigned size) {
    const Page *page = find(address >> kPageBits);
    if (!page)
      return 0;
    uint64_t all = 0;
    if (page->bytes)
      std::memcpy(&all, page->bytes.get() + address % kPageSize, size);
    else if (page->state)
      all = (page->state * 0x0101010101010101u) & (~uint64_t(0) >> (64 - 8 * size));
    return all;
  }

private:
  static constexpr unsigned kPageBits = 12;
  static constexpr uint64_t kPageSize = uint64_t(1) << kPageBits;

  struct Page {
    uint8_t state = 0; ///< of all bytes, unless there are `bytes`
    std::unique_ptr<uint8_t[]> bytes;
  };
  struct Entry {
    uint64_t number = ~uint64_t(0);
    Page *page = nullptr; ///< null: there is none
  };

  Page *find(uint64_t number) {
    Entry &entry = recent[number % recent.size()];
    if (entry.number != number) {
      auto found = pages.find(number);
      entry = {number, found == pages.end() ? nullptr : &found->second};
    }
    return entry.page;
  }
  static uint8_t *spread(Page &page);

  std::unordered_map<uint64_t, Page> pages; ///< by number; never erased
  std::array<Entry, 1024> recent;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_SHADOW_H
