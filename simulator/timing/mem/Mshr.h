// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Miss status holding registers of a cache bank: requests that wait for a line. The first miss of a
// line asks the next level; later ones only wait. When the line comes, all that wait for it become
// ready and are replayed in the order of their entries.

#ifndef VX_SIMULATOR_TIMING_MEM_MSHR_H
#define VX_SIMULATOR_TIMING_MEM_MSHR_H

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace vx::sim {

/// The work of a bank: accesses of up to kMaxPorts inputs to one line.
struct BankRequest {
  static constexpr uint32_t kMaxPorts = 4;
  struct Target {
    uint32_t tag = 0;
    uint32_t input = 0;
  };

  uint64_t line = 0; ///< address / line size
  bool isWrite = false;
  bool isReplay = false;
  uint8_t count = 0;
  std::array<Target, kMaxPorts> targets;

  BankRequest() = default;
  BankRequest(const BankRequest &other) { *this = other; }
  /// Copies the targets that are used, mostly one.
  BankRequest &operator=(const BankRequest &other) {
    line = other.line;
    isWrite = other.isWrite;
    isReplay = other.isReplay;
    count = other.count;
    targets[0] = other.targets[0];
    for (uint32_t i = 1; i < count; ++i)
      targets[i] = other.targets[i];
    return *this;
  }
};

class Mshr {
public:
  static constexpr uint32_t kMaxEntries = 64;

  explicit Mshr(uint32_t size) : entries(size), all(~uint64_t(0) >> (64 - size)) {}

  void reset() { waiting = ready = 0; }
  uint32_t capacity() const { return uint32_t(entries.size()); }
  bool hasReady() const { return ready != 0; }
  const BankRequest &request(uint32_t entry) const { return entries[entry].request; }
  uint32_t way(uint32_t entry) const { return entries[entry].way; }

  /// Returns true if LINE is waited for.
  bool contains(uint64_t line) const {
    for (uint64_t rest = waiting | ready; rest; rest &= rest - 1)
      if (entries[std::countr_zero(rest)].request.line == line)
        return true;
    return false;
  }

  /// Enters a miss that is to be filled into WAY; there must be room. Returns its entry, the lowest
  /// free one.
  uint32_t add(const BankRequest &request, uint32_t way) {
    uint32_t entry = std::countr_zero(all & ~(waiting | ready));
    entries[entry] = {request, way};
    waiting |= uint64_t(1) << entry;
    return entry;
  }

  /// The line of ENTRY has come.
  void wake(uint32_t entry) {
    uint64_t line = entries[entry].request.line;
    for (uint64_t rest = waiting; rest; rest &= rest - 1) {
      uint32_t i = std::countr_zero(rest);
      if (entries[i].request.line != line)
        continue;
      ready |= uint64_t(1) << i;
      waiting &= ~(uint64_t(1) << i);
    }
  }

  /// Takes the ready request with the lowest entry.
  const BankRequest &takeReady() {
    uint32_t entry = std::countr_zero(ready);
    ready &= ready - 1;
    return entries[entry].request;
  }

private:
  struct Entry {
    BankRequest request;
    uint32_t way = 0;
  };
  std::vector<Entry> entries;
  uint64_t all, waiting = 0, ready = 0; ///< a bit per entry
};

} // namespace vx::sim

#endif // VX_SIMULATOR_TIMING_MEM_MSHR_H
