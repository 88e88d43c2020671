// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reservations of load-reserved: at most one per hart, on an aligned 8-byte granule. A write by any
// hart to the granule ends all reservations on it. The list is empty except in the few instructions
// between lr and sc, so stores pay one test.

#ifndef VX_SIMULATOR_FUNC_RESERVATIONS_H
#define VX_SIMULATOR_FUNC_RESERVATIONS_H

#include <cstdint>
#include <optional>
#include <vector>

namespace vx::sim {

class Reservations {
public:
  bool any() const { return !list.empty(); }

  void set(uint32_t hart, uint64_t address, uint64_t value) {
    drop(hart);
    list.push_back({hart, address, value});
  }
  /// Ends the hart's reservation. The value that was loaded, if it was on ADDRESS.
  std::optional<uint64_t> take(uint32_t hart, uint64_t address) {
    for (const Entry &entry : list)
      if (entry.hart == hart) {
        std::optional<uint64_t> value;
        if (entry.address == address)
          value = entry.value;
        drop(hart);
        return value;
      }
    return std::nullopt;
  }
  void clear(uint64_t address, unsigned size) {
    std::erase_if(list, [&](const Entry &entry) {
      return entry.address / 8 >= address / 8 && entry.address / 8 <= (address + size - 1) / 8;
    });
  }
  void clearAll() { list.clear(); }

private:
  struct Entry {
    uint32_t hart;
    uint64_t address;
    uint64_t value; ///< that was loaded
  };
  void drop(uint32_t hart) {
    std::erase_if(list, [&](const Entry &entry) { return entry.hart == hart; });
  }
  std::vector<Entry> list;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_RESERVATIONS_H
