// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands out device addresses as Vortex's drivers do. Cycles depend on addresses (sets of caches,
// rows of DRAM), so a program has those of SimX only if its buffers lie where SimX's driver puts
// them.
//
// Memory is divided into pages of whole 4 KiB, each made for the first block that did not fit into
// those that exist. In a page, blocks of whole 64 bytes come from the smallest free block that is
// large enough; among equals, from the one that has been free longest.

#ifndef VX_SIMULATOR_VORTEX_BLOCKALLOCATOR_H
#define VX_SIMULATOR_VORTEX_BLOCKALLOCATOR_H

#include <cstdint>
#include <map>
#include <optional>

namespace vx::sim {

class BlockAllocator {
public:
  static constexpr uint64_t kPage = 4096, kBlock = 64;

  /// Blocks lie in [BASE, END).
  BlockAllocator(uint64_t base, uint64_t end) : base(base), end(end) {}

  /// The address of SIZE fresh bytes, none when they do not fit. SIZE > 0.
  std::optional<uint64_t> allocate(uint64_t size);
  /// Takes [address, address+size) rounded up to pages, which may begin below BASE; false if it
  /// does not end before END or a page is there.
  bool reserve(uint64_t address, uint64_t size);
  /// Gives back what begins at ADDRESS; false if nothing does.
  bool release(uint64_t address);

  uint64_t used() const { return usedBytes; }
  uint64_t capacity() const { return end - base; }

private:
  struct Unused {
    uint64_t size, since;
  };
  struct Page {
    uint64_t size = 0;
    std::map<uint64_t, uint64_t> used; ///< address -> size
    std::map<uint64_t, Unused> unused; ///< by address, neighbours merged
  };

  static std::optional<uint64_t> bestFit(const Page &page, uint64_t size);
  uint64_t take(Page &page, uint64_t address, uint64_t size);
  std::optional<uint64_t> findGap(uint64_t size) const;
  bool overlapsPage(uint64_t address, uint64_t size) const;

  uint64_t base, end;
  uint64_t usedBytes = 0, clock = 0;
  std::map<uint64_t, Page> pages; // by address
};

} // namespace vx::sim

#endif // VX_SIMULATOR_VORTEX_BLOCKALLOCATOR_H
