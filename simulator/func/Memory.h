// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global device memory: sparse 4 KiB pages with permissions that are exact to the byte.
//
// A page is uniform (one permission for all its bytes) or mixed (one permission per byte). Its
// bytes are allocated when first touched, those of 512 pages that are all mapped together, in a
// large page of the host's if it can; until then they read as the fill pattern. The bytes of a
// shared page are the program's own. Accesses go
// through a small direct-mapped table of recently used pages, where a uniform page needs one
// comparison and a permission test. Who executes instructions has a table of their own, so that
// several may do so at a time.

#ifndef VX_SIMULATOR_FUNC_MEMORY_H
#define VX_SIMULATOR_FUNC_MEMORY_H

#include "simulator/api/Result.h"
#include "simulator/api/Simulator.h"
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

namespace vx::sim {

class Memory {
public:
  static constexpr unsigned kPageBits = 12;
  static constexpr uint64_t kPageSize = uint64_t(1) << kPageBits;

  /// Pages that were used last.
  class RecentPages {
  private:
    friend class Memory;
    struct Entry {
      uint64_t page = ~uint64_t(0);
      uint8_t *bytes = nullptr;
      const uint8_t *mixed = nullptr;
      uint8_t permission = 0; ///< 0 for a mixed page
    };
    std::array<Entry, 1024> entries;
    uint64_t version = 0; ///< of the memory's map
  };

  /// At most CAPACITY bytes (rounded up to pages) can be mapped.
  /// FRESH: the word that bytes show before they are written.
  explicit Memory(uint64_t capacity, uint32_t fresh = 0xbaadf00d)
      : capacity(capacity), fresh(fresh) {}

  Result<void> map(uint64_t address, uint64_t size, uint8_t permission);
  /// Maps memory of this process, which begins at BYTES, as far into a page as ADDRESS: no bytes of
  /// the guest's pages may be mapped otherwise.
  Result<void> share(uint64_t address, uint64_t size, uint8_t permission, uint8_t *bytes);
  /// Maps memory of this process at the address that it has there.
  Result<void> share(uint64_t address, uint64_t size, uint8_t permission) {
    return share(address, size, permission, reinterpret_cast<uint8_t *>(uintptr_t(address)));
  }
  /// Moves what is in [address, address+size), whole pages, to BYTES, and shares that from now on.
  Result<void> move(uint64_t address, uint64_t size, uint8_t *bytes);
  Result<void> unmap(uint64_t address, uint64_t size);
  Result<void> write(uint64_t address, std::span<const uint8_t> bytes);
  Result<void> read(uint64_t address, std::span<uint8_t> bytes) const;
  Result<void> fill(uint64_t address, uint8_t value, uint64_t size);

  /// The guest's pointer to SIZE bytes at ADDRESS that have all of PERMISSION and lie in one page;
  /// null when they do not. Valid until the next map() or unmap(). Several threads may ask at a
  /// time, each with a table of its own, which follow() has been called for.
  uint8_t *pointer(RecentPages &recent, uint64_t address, unsigned size, uint8_t permission) {
    const RecentPages::Entry &entry =
        recent.entries[(address >> kPageBits) % recent.entries.size()];
    uint64_t offset = address % kPageSize;
    if (entry.page == address >> kPageBits && (entry.permission & permission) == permission &&
        offset + size <= kPageSize) [[likely]]
      return entry.bytes + offset;
    return slowPointer(recent, address, size, permission);
  }
  /// Makes RECENT forget what has been mapped otherwise since.
  void follow(RecentPages &recent) const {
    if (recent.version != mapVersion) [[unlikely]] {
      recent.entries.fill({});
      recent.version = mapVersion;
    }
  }

  /// Returns true if ADDRESS is in memory of the program, which it may write at any time.
  bool isShared(uint64_t address) const {
    const Page *page = find(address >> kPageBits);
    return page && page->isShared();
  }

  /// Counts what the host did to bytes that can be executed: map, unmap, write and fill.
  uint64_t codeGeneration() const { return codeChanges; }
  /// Returns true if some page has been writable and executable: the guest can change code there.
  bool hasWritableCode() const { return writableCode; }

private:
  static constexpr unsigned kPagesPerChunk = 512;
  static constexpr uint8_t kMapped = 0x80; ///< besides the MemoryPermission bits

  struct Page {
    uint8_t *bytes = nullptr;         ///< null: not allocated
    std::shared_ptr<uint8_t[]> own;   ///< keeps `bytes`, unless the page is shared
    std::unique_ptr<uint8_t[]> mixed; ///< permission of each byte, when they differ
    uint8_t permission = 0;           ///< of all bytes; 0: not mapped
    bool filled = false;              ///< bytes not allocated, all equal to fillByte
    uint8_t fillByte = 0;

    bool isShared() const { return bytes && !own; }
  };
  struct Chunk {
    std::array<Page, kPagesPerChunk> pages;
    std::weak_ptr<uint8_t[]> block; ///< the bytes of all of them, kept by those that use theirs
  };

  Page *find(uint64_t pageNumber) const;
  template <typename F>
  Result<void> change(uint64_t address, uint64_t size, const char *what, F visit);
  static bool mayHaveBlock(const Chunk &chunk);
  std::shared_ptr<uint8_t[]> newBytes(uint64_t pageNumber) const;
  uint8_t *allocate(uint64_t pageNumber, Page &page) const;
  uint8_t *materialize(uint64_t pageNumber, Page &page) const;
  /// Returns the value of the byte at OFFSET of a page before it is written.
  uint8_t freshByte(uint64_t offset) const { return uint8_t(fresh >> (offset % 4 * 8)); }
  static uint8_t permissionAt(const Page &page, uint64_t offset, uint64_t size);
  static uint8_t anyPermissionAt(const Page &page, uint64_t offset, uint64_t size);
  void noteCode(const Page &page, uint64_t offset, uint64_t size);
  static void setPermission(Page &page, uint64_t offset, uint64_t size, uint8_t permission);
  uint8_t *slowPointer(RecentPages &recent, uint64_t address, unsigned size, uint8_t permission);
  Result<void> checkMapped(uint64_t address, uint64_t size, const char *what) const;
  template <typename F> static void forEachPage(uint64_t address, uint64_t size, F visit);

  uint64_t capacity;
  uint32_t fresh;
  uint64_t chunkedBytes = 0; ///< bytes that the existing chunks can hold
  uint64_t codeChanges = 0;
  bool writableCode = false;
  std::unordered_map<uint64_t, std::unique_ptr<Chunk>> chunks;
  uint64_t mapVersion = 1;
  std::mutex allocating; ///< the bytes of a page, by several cores at a time
};

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_MEMORY_H
