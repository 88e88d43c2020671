// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/func/Memory.h"
#include "intrinsics/text/Hex.h"
#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace vx::sim {

namespace {

Failure rangeFailure(const char *what, uint64_t address, uint64_t size, const char *why) {
  return {std::string("cannot ") + what + " " + hexText(size) + " bytes at " + hexText(address) +
          ": " + why};
}

bool wraps(uint64_t address, uint64_t size) {
  return size && size - 1 > ~address;
}

/// Returns true if COUNT bytes with permissions of their own have all of PERMISSION.
bool allHave(const uint8_t *permissions, unsigned count, uint8_t permission) {
  const uint64_t wanted = permission * 0x0101010101010101;
  for (; count >= sizeof wanted; count -= sizeof wanted, permissions += sizeof wanted) {
    uint64_t some;
    std::memcpy(&some, permissions, sizeof some);
    if ((some & wanted) != wanted)
      return false;
  }
  for (; count; --count, ++permissions)
    if ((*permissions & permission) != permission)
      return false;
  return true;
}

/// SIZE bytes at a multiple of SIZE, a power of two: the host may have a page of that size, which
/// it finds faster and gives at once instead of by as many faults as it has small ones.
std::shared_ptr<uint8_t[]> largeBlock(size_t size) {
  auto *bytes = static_cast<uint8_t *>(::operator new(size, std::align_val_t(size)));
#ifdef MADV_HUGEPAGE
  madvise(bytes, size, MADV_HUGEPAGE); // only a wish
#endif
  return {bytes, [size](uint8_t *block) { ::operator delete(block, std::align_val_t(size)); }};
}

} // namespace

/// Calls visit(pageNumber, offset in page, bytes in page, bytes before) for each page of a range.
template <typename F> void Memory::forEachPage(uint64_t address, uint64_t size, F visit) {
  for (uint64_t done = 0; done < size;) {
    uint64_t offset = (address + done) % kPageSize;
    uint64_t part = std::min(size - done, kPageSize - offset);
    visit((address + done) >> kPageBits, offset, part, done);
    done += part;
  }
}

Memory::Page *Memory::find(uint64_t pageNumber) const {
  auto found = chunks.find(pageNumber / kPagesPerChunk);
  return found == chunks.end() ? nullptr : &found->second->pages[pageNumber % kPagesPerChunk];
}

/// Returns true if the pages of CHUNK are all mapped, and none has bytes yet.
bool Memory::mayHaveBlock(const Chunk &chunk) {
  return std::all_of(chunk.pages.begin(), chunk.pages.end(),
                     [](const Page &page) { return (page.permission & kMapped) && !page.bytes; });
}

/// Bytes for a page that has none.
std::shared_ptr<uint8_t[]> Memory::newBytes(uint64_t pageNumber) const {
  Chunk &chunk = *chunks.find(pageNumber / kPagesPerChunk)->second;
  std::shared_ptr<uint8_t[]> block = chunk.block.lock();
  if (!block && mayHaveBlock(chunk))
    chunk.block = block = largeBlock(kPageSize * kPagesPerChunk);
  if (!block)
    return std::make_shared_for_overwrite<uint8_t[]>(kPageSize);
  return {block, block.get() + pageNumber % kPagesPerChunk * kPageSize};
}

/// The bytes of PAGE, which the caller fills if they are new.
uint8_t *Memory::allocate(uint64_t pageNumber, Page &page) const {
  if (!page.bytes) {
    page.own = newBytes(pageNumber);
    page.bytes = page.own.get();
  }
  return page.bytes;
}

uint8_t *Memory::materialize(uint64_t pageNumber, Page &page) const {
  if (page.bytes)
    return page.bytes;
  allocate(pageNumber, page);
  if (page.filled) {
    std::memset(page.bytes, page.fillByte, kPageSize);
  } else {
    for (uint64_t i = 0; i < kPageSize; i += sizeof fresh)
      std::memcpy(page.bytes + i, &fresh, sizeof fresh);
  }
  return page.bytes;
}

/// The permissions that all of the bytes have.
uint8_t Memory::permissionAt(const Page &page, uint64_t offset, uint64_t size) {
  if (!page.mixed)
    return page.permission;
  uint8_t all = 0xff;
  for (uint64_t i = offset; i < offset + size; ++i)
    all &= page.mixed[i];
  return all;
}

/// The permissions that any of the bytes has.
uint8_t Memory::anyPermissionAt(const Page &page, uint64_t offset, uint64_t size) {
  if (!page.mixed)
    return page.permission;
  uint8_t any = 0;
  for (uint64_t i = offset; i < offset + size; ++i)
    any |= page.mixed[i];
  return any;
}

/// The bytes change, or have changed.
void Memory::noteCode(const Page &page, uint64_t offset, uint64_t size) {
  uint8_t any = anyPermissionAt(page, offset, size);
  codeChanges += (any & kExecute) != 0;
  writableCode |= (any & kExecute) && (any & kWrite);
}

void Memory::setPermission(Page &page, uint64_t offset, uint64_t size, uint8_t permission) {
  if (size < kPageSize && !page.mixed && page.permission != permission) {
    page.mixed.reset(new uint8_t[kPageSize]);
    std::memset(page.mixed.get(), page.permission, kPageSize);
  }
  if (!page.mixed) {
    page.permission = permission;
    return;
  }
  std::memset(page.mixed.get() + offset, permission, size);
  const uint8_t *begin = page.mixed.get();
  if (std::all_of(begin, begin + kPageSize, [&](uint8_t p) { return p == permission; })) {
    page.permission = permission;
    page.mixed.reset();
  }
}

/// Calls visit(page, offset in page, bytes in page, page number) for each page of a range, which
/// exists from then on.
template <typename F>
Result<void> Memory::change(uint64_t address, uint64_t size, const char *what, F visit) {
  if (wraps(address, size))
    return rangeFailure(what, address, size, "the range wraps around the address space");
  constexpr uint64_t chunkBytes = kPageSize * kPagesPerChunk;
  if (size > capacity)
    return rangeFailure(what, address, size, "more than memory.capacity");
  if (size == 0)
    return {};
  uint64_t needed = 0;
  for (uint64_t c = address / chunkBytes; c <= (address + (size - 1)) / chunkBytes; ++c)
    needed += chunks.count(c) ? 0 : chunkBytes;
  // Chunks are coarse; a small capacity still admits the few that a small program touches.
  if (chunkedBytes + needed > capacity + 64 * chunkBytes)
    return rangeFailure(what, address, size, "memory.capacity is used up");
  forEachPage(address, size, [&](uint64_t number, uint64_t offset, uint64_t part, uint64_t) {
    std::unique_ptr<Chunk> &chunk = chunks[number / kPagesPerChunk];
    if (!chunk) {
      chunk = std::make_unique<Chunk>();
      chunkedBytes += chunkBytes;
    }
    Page &page = chunk->pages[number % kPagesPerChunk];
    noteCode(page, offset, part);
    visit(page, offset, part, number);
    noteCode(page, offset, part);
  });
  ++mapVersion;
  return {};
}

Result<void> Memory::map(uint64_t address, uint64_t size, uint8_t permission) {
  return change(address, size, "map", [&](Page &page, uint64_t offset, uint64_t part, uint64_t) {
    setPermission(page, offset, part, permission | kMapped);
  });
}

Result<void> Memory::share(uint64_t address, uint64_t size, uint8_t permission, uint8_t *bytes) {
  uint8_t *first = bytes - address % kPageSize; // of the first page
  if (reinterpret_cast<uintptr_t>(first) % kPageSize)
    return rangeFailure("share", address, size, "its bytes lie elsewhere in their pages");
  if (wraps(address, size))
    return rangeFailure("share", address, size, "the range wraps around the address space");
  bool inUse = false;
  forEachPage(address, size, [&](uint64_t number, uint64_t, uint64_t, uint64_t) {
    if (const Page *page = find(number))
      inUse |= !page->isShared() && (page->mixed || page->permission);
  });
  if (inUse)
    return rangeFailure("share", address, size, "its pages are in use");
  return change(address, size, "share",
                [&](Page &page, uint64_t offset, uint64_t part, uint64_t number) {
                  if (!page.isShared())
                    page = Page();
                  page.bytes = first + ((number - (address >> kPageBits)) << kPageBits);
                  setPermission(page, offset, part, permission | kMapped);
                });
}

Result<void> Memory::move(uint64_t address, uint64_t size, uint8_t *bytes) {
  bool isThere = (address | size | reinterpret_cast<uintptr_t>(bytes)) % kPageSize == 0;
  for (uint64_t done = 0; isThere && done < size; done += kPageSize)
    isThere = find((address + done) >> kPageBits) != nullptr;
  if (!isThere)
    return rangeFailure("move", address, size, "it is not whole mapped pages");
  forEachPage(address, size, [&](uint64_t number, uint64_t, uint64_t, uint64_t done) {
    Page &page = *find(number);
    std::memcpy(bytes + done, materialize(number, page), kPageSize);
    page.bytes = bytes + done;
    page.own.reset();
    page.filled = false;
  });
  ++mapVersion;
  return {};
}

Result<void> Memory::unmap(uint64_t address, uint64_t size) {
  if (Result<void> r = checkMapped(address, size, "unmap"); !r)
    return r;
  forEachPage(address, size, [&](uint64_t number, uint64_t offset, uint64_t part, uint64_t) {
    Page &page = *find(number);
    noteCode(page, offset, part);
    setPermission(page, offset, part, 0);
    if (!page.mixed)
      page = Page();
    else if (page.own || page.filled) // mapped again, it must not show what was there
      for (uint64_t i = offset; i < offset + part; ++i)
        materialize(number, page)[i] = freshByte(i);
  });
  ++mapVersion;
  return {};
}

Result<void> Memory::checkMapped(uint64_t address, uint64_t size, const char *what) const {
  if (wraps(address, size))
    return rangeFailure(what, address, size, "the range wraps around the address space");
  // A huge range fails at its first unmapped page, so stop there instead of visiting all.
  for (uint64_t done = 0; done < size;) {
    uint64_t offset = (address + done) % kPageSize;
    uint64_t part = std::min(size - done, kPageSize - offset);
    const Page *page = find((address + done) >> kPageBits);
    if (!page || !(permissionAt(*page, offset, part) & kMapped))
      return rangeFailure(what, address, size, "not all of it is mapped");
    done += part;
  }
  return {};
}

Result<void> Memory::write(uint64_t address, std::span<const uint8_t> bytes) {
  if (Result<void> r = checkMapped(address, bytes.size(), "write"); !r)
    return r;
  forEachPage(address, bytes.size(),
              [&](uint64_t number, uint64_t offset, uint64_t part, uint64_t done) {
                Page &page = *find(number);
                noteCode(page, offset, part);
                uint8_t *to =
                    part == kPageSize ? allocate(number, page) : materialize(number, page) + offset;
                std::memcpy(to, bytes.data() + done, part);
              });
  return {};
}

Result<void> Memory::read(uint64_t address, std::span<uint8_t> bytes) const {
  if (Result<void> r = checkMapped(address, bytes.size(), "read"); !r)
    return r;
  forEachPage(address, bytes.size(),
              [&](uint64_t number, uint64_t offset, uint64_t part, uint64_t done) {
                std::memcpy(bytes.data() + done, materialize(number, *find(number)) + offset, part);
              });
  return {};
}

Result<void> Memory::fill(uint64_t address, uint8_t value, uint64_t size) {
  if (Result<void> r = checkMapped(address, size, "fill"); !r)
    return r;
  forEachPage(address, size, [&](uint64_t number, uint64_t offset, uint64_t part, uint64_t) {
    Page &page = *find(number);
    noteCode(page, offset, part);
    if (part == kPageSize && !page.bytes) {
      page.filled = true; // stays unallocated
      page.fillByte = value;
    } else {
      std::memset(materialize(number, page) + offset, value, part);
    }
  });
  return {};
}

uint8_t *Memory::slowPointer(RecentPages &recent, uint64_t address, unsigned size,
                             uint8_t permission) {
  uint64_t offset = address % kPageSize;
  if (offset + size > kPageSize)
    return nullptr;
  RecentPages::Entry &entry = recent.entries[(address >> kPageBits) % recent.entries.size()];
  if (entry.page == address >> kPageBits && entry.mixed) {
    return allHave(entry.mixed + offset, size, permission) ? entry.bytes + offset : nullptr;
  }
  Page *page = find(address >> kPageBits);
  if (!page || (permissionAt(*page, offset, size) & permission) != permission)
    return nullptr;
  std::lock_guard<std::mutex> lock(allocating);
  uint8_t *bytes = materialize(address >> kPageBits, *page);
  entry = {address >> kPageBits, bytes, page->mixed.get(),
           page->mixed ? uint8_t(0) : page->permission};
  return bytes + offset;
}

} // namespace vx::sim
