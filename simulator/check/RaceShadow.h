// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last accesses to each place of memory: one write, and two reads of which neither is known to
// have happened before the other. If there are more such reads, those are kept that are most
// distant from each other, of different warps or blocks: a write that is ordered after only one of
// them races with the other. Places are words of 4 bytes until a smaller access comes.

#ifndef VX_SIMULATOR_CHECK_RACESHADOW_H
#define VX_SIMULATOR_CHECK_RACESHADOW_H

#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace vx::sim {

struct RaceAccess {
  uint64_t id : 61 = 0;        ///< threadId()
  uint64_t isStrong : 1 = 0;   ///< volatile or atomic
  uint64_t isOfBlock : 1 = 0;  ///< for threads of the block only (atomicAdd_block)
  uint64_t isUnfenced : 1 = 0; ///< volatile, by a thread that has no fence before it
  uint32_t epoch = 0;          ///< 0: there is none
  uint32_t pc = 0;             ///< as linked: images lie below 4 GiB
};

struct RaceCell {
  RaceAccess write, reads[2];
};

class RaceShadow {
public:
  static constexpr unsigned kPageBits = 12, kWordBits = 2;
  static constexpr uint64_t kPageBytes = uint64_t(1) << kPageBits;

  struct Page {
    unsigned shift = kWordBits;                         ///< bytes of a cell, as a power of two
    std::bitset<(kPageBytes >> kWordBits)> isOfProgram; ///< by word
    std::vector<RaceCell> cells;

    bool isProgram(uint64_t address) const {
      return isOfProgram[address % kPageBytes >> kWordBits];
    }
    RaceCell &cell(uint64_t address) { return cells[address % kPageBytes >> shift]; }
    /// Gives each byte a cell of its own.
    void split() {
      std::vector<RaceCell> bytes(kPageBytes);
      for (uint64_t i = 0; i < kPageBytes; ++i)
        bytes[i] = cells[i >> shift];
      cells = std::move(bytes);
      shift = 0;
    }
  };

  /// The page of ADDRESS; describe(page) is called for a new one, which has nothing of the
  /// program's.
  template <typename F> Page &at(uint64_t address, F describe) {
    uint64_t number = address >> kPageBits;
    if (number == recentNumber)
      return *recent;
    std::unique_ptr<Page> &page = pages[number];
    if (!page) {
      page = std::make_unique<Page>();
      page->cells.resize(kPageBytes >> kWordBits);
      describe(*page);
    }
    recentNumber = number;
    recent = page.get();
    return *recent;
  }
  /// SIZE bytes at ADDRESS are new memory of the program's.
  void renew(uint64_t address, uint64_t size);
  void clear() {
    pages.clear();
    recentNumber = ~uint64_t(0);
  }

private:
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  uint64_t recentNumber = ~uint64_t(0);
  Page *recent = nullptr;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_CHECK_RACESHADOW_H
