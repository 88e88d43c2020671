// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory of the backend "host": ranges of the process's own address space, mapped when they
// are handed out. Every access by the runtime is checked, so that a wrong address is an error.

#ifndef VX_RUNTIME_BACKENDS_HOST_HOSTMEMORYSPACE_H
#define VX_RUNTIME_BACKENDS_HOST_HOSTMEMORYSPACE_H

#include "runtime/core/Allocator.h"
#include "runtime/core/Device.h"
#include <map>

namespace vx::rt {

class SharedPages;

class HostMemorySpace {
public:
  /// Takes the addresses of images, moved by SLIDE, and room for CAPACITY bytes of allocations.
  static Result<std::unique_ptr<HostMemorySpace>> create(uint64_t capacity, uint64_t slide);
  ~HostMemorySpace();

  Result<uint64_t> allocate(uint64_t size, uint8_t access);
  /// For an image, or for memory that the program has mapped itself and shares with kernels.
  Result<void> reserve(uint64_t address, uint64_t size, uint8_t access);
  Result<void> protect(uint64_t address, uint64_t size, uint8_t access);
  /// Moves the allocation at ADDRESS to PAGES, which appear there.
  Result<void> move(uint64_t address, SharedPages &pages);
  /// Puts PAGES, or fresh memory, in the place of pages of an allocation; not accessible.
  Result<void> replace(uint64_t address, uint64_t size, SharedPages *pages);
  Result<void> release(uint64_t address);
  uint64_t imageSlide() const { return slide; }
  MemInfo info() const { return {allocator.capacity() - allocator.used(), allocator.capacity()}; }

  Result<void> write(uint64_t destination, std::span<const uint8_t> source);
  Result<void> read(std::span<uint8_t> destination, uint64_t source);
  Result<void> fill(uint64_t destination, uint8_t value, uint64_t size);

  /// Returns true if ADDRESS is in the part where the code of images lies.
  static bool isCode(uint64_t address);

private:
  HostMemorySpace(AddressRange arena, uint64_t capacity, uint64_t slide);
  AddressRange images() const;
  struct Reserved : AddressRange {
    uint8_t access;
    bool own; ///< mapped here, not by the program
  };
  const Reserved *find(uint64_t address, uint64_t size) const;
  bool isMapped(uint64_t address, uint64_t size) const;
  template <typename Action> Result<void> change(uint64_t address, uint64_t size, Action action);

  AddressRange arena;
  uint64_t slide;
  Allocator allocator;
  std::map<uint64_t, Reserved> reserved;
};

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_HOST_HOSTMEMORYSPACE_H
