// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backends/host/HostMemorySpace.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/text/Hex.h"
#include "runtime/core/SharedPages.h"
#include <cstring>
#include <sys/mman.h>

namespace vx::rt {

/// The room for images of the first device: from their link address on. Nothing else is there in a
/// 64-bit process.
static constexpr AddressRange kImages = {VX_STARTUP_ADDR, uint64_t(1) << 30};

/// Bytes before and after each allocation that kernels may read, as on a GPU and as in the
/// simulator (its memory.read_slack): programs load a neighbour beyond the edge and drop it.
static constexpr uint64_t kReadSlack = uint64_t(64) << 10;

/// Fewest bytes of device memory to offer where the process may not have more addresses.
static constexpr uint64_t kLeastCapacity = uint64_t(64) << 20;

static void *pointer(uint64_t address) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

static int protection(uint8_t access) {
  return (access & kMemRead ? PROT_READ : 0) | (access & kMemWrite ? PROT_WRITE : 0) |
         (access & kMemExecute ? PROT_EXEC : 0);
}

static Failure outside(uint64_t address) {
  return {"address " + std::to_string(address) + " is not in device memory"};
}

static void *mapNothing(uint64_t size) {
  return mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

HostMemorySpace::HostMemorySpace(AddressRange arena, uint64_t capacity, uint64_t slide)
    : arena(arena), slide(slide), allocator(std::span(&this->arena, 1), capacity, kReadSlack) {}

AddressRange HostMemorySpace::images() const {
  return {kImages.base + slide, kImages.size};
}

Result<std::unique_ptr<HostMemorySpace>> HostMemorySpace::create(uint64_t capacity,
                                                                 uint64_t slide) {
  uint64_t first = kImages.base + slide;
  void *images = mmap(pointer(first), kImages.size, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (images != pointer(first)) {
    if (images != MAP_FAILED)
      munmap(images, kImages.size);
    return Failure{"no room for device code at " + hexText(first) +
                   ": the program uses these addresses, or may not have more"};
  }
  // Twice the capacity: the gaps between allocations take addresses, too. A limit on the addresses
  // of the process (ulimit -v) may leave less than the machine has; half of that is the program's.
  AddressRange arena{0, 2 * roundToPages(capacity)};
  void *base = mapNothing(arena.size);
  if (base == MAP_FAILED) {
    while (base == MAP_FAILED && capacity > kLeastCapacity) {
      capacity /= 2;
      base = mapNothing(4 * roundToPages(capacity));
    }
    if (base == MAP_FAILED) {
      munmap(images, kImages.size);
      return Failure{"cannot reserve " + std::to_string(arena.size) +
                     " bytes of addresses for device memory"};
    }
    arena.size = 2 * roundToPages(capacity);
    munmap(static_cast<char *>(base) + arena.size, arena.size);
  }
  arena.base = reinterpret_cast<uintptr_t>(base);
  return std::unique_ptr<HostMemorySpace>(new HostMemorySpace(arena, capacity, slide));
}

HostMemorySpace::~HostMemorySpace() {
  munmap(pointer(arena.base), arena.size);
  munmap(pointer(images().base), images().size);
}

Result<uint64_t> HostMemorySpace::allocate(uint64_t size, uint8_t access) {
  std::optional<uint64_t> base = allocator.allocate(size, access & kMemOfRuntime);
  if (!base)
    return Failure{"device memory: " + std::to_string(size) + " bytes do not fit"};
  // The gaps are in no other allocation: they stay readable when the allocation is released.
  if (mprotect(pointer(*base - kReadSlack), kReadSlack, PROT_READ) == 0 &&
      mprotect(pointer(*base + roundToPages(size)), kReadSlack, PROT_READ) == 0 &&
      mprotect(pointer(*base), roundToPages(size), protection(access)) == 0)
    return *base;
  allocator.release(*base);
  return Failure{"device memory: the system has no " + std::to_string(size) + " bytes"};
}

Result<void> HostMemorySpace::reserve(uint64_t address, uint64_t size, uint8_t access) {
  if (size == 0 || address + size < address)
    return Failure{"an empty or wrapping range of device memory"};
  if (overlapsAny(reserved, address, size) || arena.overlaps(address, size))
    return Failure{"a range of device memory is in use already"};
  bool own = images().contains(address, size);
  if (!own && images().overlaps(address, size))
    return Failure{"a range of device memory crosses the end of device code"};
  if (own && mprotect(pointer(address), roundToPages(size), protection(access)) != 0)
    return Failure{"the system gives no memory for device code"};
  reserved.emplace(address, Reserved{{address, size}, access, own});
  return {};
}

Result<void> HostMemorySpace::protect(uint64_t address, uint64_t size, uint8_t access) {
  std::optional<AddressRange> range = allocator.find(address);
  if (!range || !range->contains(address, size) || address % kPage)
    return outside(address);
  if (mprotect(pointer(address), roundToPages(size), protection(access)) != 0)
    return Failure{"the system cannot protect device memory"};
  return {};
}

Result<void> HostMemorySpace::move(uint64_t address, SharedPages &pages) {
  std::memcpy(pages.bytes(), pointer(address), pages.size());
  void *there = mmap(pointer(address), pages.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                     pages.file(), 0);
  return there == MAP_FAILED ? Result<void>(Failure{"cannot share device memory"}) : Result<void>();
}

/// The pages are given back and fault from now on.
static Result<void> drop(uint64_t address, uint64_t size) {
  void *pages = mmap(pointer(address), roundToPages(size), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return pages == MAP_FAILED ? Result<void>(Failure{"cannot unmap device memory"}) : Result<void>();
}

Result<void> HostMemorySpace::replace(uint64_t address, uint64_t size, SharedPages *pages) {
  std::optional<AddressRange> range = allocator.find(address);
  if (!range || !range->contains(address, size) || address % kPage)
    return outside(address);
  if (!pages)
    return drop(address, size);
  void *there = mmap(pointer(address), size, PROT_NONE, MAP_SHARED | MAP_FIXED, pages->file(), 0);
  return there == MAP_FAILED ? Result<void>(Failure{"cannot map shared memory"}) : Result<void>();
}

Result<void> HostMemorySpace::release(uint64_t address) {
  if (auto it = reserved.find(address); it != reserved.end()) {
    Reserved range = it->second;
    reserved.erase(it);
    return range.own ? drop(address, range.size) : Result<void>();
  }
  std::optional<uint64_t> size = allocator.release(address);
  if (!size)
    return Failure{"no device memory was allocated there"};
  return drop(address, *size);
}

const HostMemorySpace::Reserved *HostMemorySpace::find(uint64_t address, uint64_t size) const {
  auto next = reserved.upper_bound(address);
  if (next == reserved.begin())
    return nullptr;
  const Reserved &range = std::prev(next)->second;
  return range.contains(address, size) ? &range : nullptr;
}

bool HostMemorySpace::isMapped(uint64_t address, uint64_t size) const {
  std::optional<AddressRange> range = allocator.find(address);
  return (range && range->contains(address, size)) || find(address, size);
}

/// Runs ACTION on memory that may be written by kernels or only by the runtime (code, constants).
template <typename Action>
Result<void> HostMemorySpace::change(uint64_t address, uint64_t size, Action action) {
  if (!isMapped(address, size))
    return outside(address);
  const Reserved *range = find(address, size);
  bool locked = range && range->own && !(range->access & kMemWrite);
  uint64_t first = address & ~(kPage - 1);
  uint64_t pages = roundToPages(address + size - first);
  if (locked && mprotect(pointer(first), pages, PROT_READ | PROT_WRITE) != 0)
    return Failure{"the system does not let device code be written"};
  action();
  if (locked && mprotect(pointer(first), pages, protection(range->access)) != 0)
    return Failure{"the system does not let device code be run"};
  return {};
}

Result<void> HostMemorySpace::write(uint64_t destination, std::span<const uint8_t> source) {
  return change(destination, source.size(), [&] {
    if (pointer(destination) != source.data()) // memory that both sides share
      std::memmove(pointer(destination), source.data(), source.size());
  });
}

Result<void> HostMemorySpace::read(std::span<uint8_t> destination, uint64_t source) {
  if (!isMapped(source, destination.size()))
    return outside(source);
  if (pointer(source) != destination.data())
    std::memmove(destination.data(), pointer(source), destination.size());
  return {};
}

Result<void> HostMemorySpace::fill(uint64_t destination, uint8_t value, uint64_t size) {
  return change(destination, size, [&] { std::memset(pointer(destination), value, size); });
}

bool HostMemorySpace::isCode(uint64_t address) {
  return kImages.contains(address % kWindowBytes, 1) && address < windowBase(kMostWindows);
}

} // namespace vx::rt
