// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backends/library/LibraryDevice.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/FatBinary.h"
#include "intrinsics/abi/VortexDriver.h"
#include "runtime/backends/library/EndOfRun.h"
#include "runtime/backends/library/VortexLibrary.h"
#include "runtime/core/Allocator.h"
#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

namespace vx::rt {

namespace {

constexpr uint64_t kWaitMilliseconds = 24 * 60 * 60 * 1000;
/// The numbers that versions of vortex.h give to the capability that says which instructions exist.
constexpr uint32_t kIsaFlagsIds[] = {abi::kVortexIsaFlags, 8};

class LibraryDevice final : public Device {
public:
  LibraryDevice(std::string name, std::unique_ptr<VortexLibrary> library, uint64_t localMemory)
      : name(std::move(name)), library(std::move(library)), localMemory(localMemory) {
    reserveCounters();
  }

  std::string description() const override {
    return name + ", " + std::to_string(caps(Cap::NumWarps)) + "x" +
           std::to_string(caps(Cap::NumThreads));
  }
  uint64_t caps(Cap cap) const override;

  Result<uint64_t> memAlloc(uint64_t size, uint8_t access) override;
  Result<void> memReserve(uint64_t address, uint64_t size, uint8_t access) override;
  Result<void> memFree(uint64_t address) override;
  MemInfo memInfo() const override {
    uint64_t free = 0, used = 0;
    if (library->info(free, used) != 0)
      return {};
    return {free, free + used};
  }

  Result<void> copyToDev(uint64_t destination, std::span<const uint8_t> source) override;
  Result<void> copyFromDev(std::span<uint8_t> destination, uint64_t source) override;
  Result<void> fill(uint64_t destination, uint8_t value, uint64_t size) override;

  Result<void> dcrWrite(uint32_t address, uint32_t value) override {
    return check(library->writeRegister(address, value), "vx_dcr_write");
  }
  Result<uint32_t> dcrRead(uint32_t address) override {
    uint32_t value = 0;
    if (Result<void> r = check(library->readRegister(address, value), "vx_dcr_read"); !r)
      return r.error();
    return value;
  }

  Result<void> setStackLog2Size(uint32_t log2) override;
  Result<void> start(uint64_t entry, uint64_t argument) override;
  RunReport readyWait() override;
  void requestStop() override {} // the interface has no such call
  uint64_t cycles() const override { return cycleCount; }

private:
  Result<void> check(int status, const char *function) const {
    if (status == 0)
      return {};
    if (std::string why = library->endedBy(); !why.empty())
      return Failure{std::string(function) + ": " + why};
    return Failure{std::string(function) + " failed (" + std::to_string(status) + ")"};
  }
  uint64_t query(uint32_t id) const {
    uint64_t value = 0;
    return library->caps(id, value) == 0 ? value : 0;
  }
  uint32_t xlen() const;
  /// Returns the number of lanes of all cores.
  uint64_t lanes() const {
    return std::max<uint64_t>(1, caps(Cap::NumThreads) * caps(Cap::NumWarps) * caps(Cap::NumCores));
  }
  /// A buffer of the driver: one of ours, or several that touch (memReserve).
  struct LibraryBuffer {
    uint64_t size = 0;
    int flags = 0;      ///< of a range that was reserved; 0: the driver chose the place
    unsigned users = 1; ///< how many of ours it holds
  };
  using LibraryBuffers = std::map<uint64_t, LibraryBuffer>; // by address
  /// Returns true if one of our buffers holds all of [address, address+size).
  bool holds(uint64_t address, uint64_t size) const;
  /// The driver's buffer that one of ours at ADDRESS is a part of.
  LibraryBuffers::iterator libraryBufferAt(uint64_t address) {
    return std::prev(libraryBuffers.upper_bound(address));
  }
  Result<void> extend(LibraryBuffers::iterator buffer, uint64_t size, int flags);

  uint64_t counterBytes() const {
    return std::max<uint64_t>(1, caps(Cap::NumCores)) * VX_MPM_WORDS * sizeof(uint64_t);
  }
  void reserveCounters();
  bool leaveCounters(uint64_t entry);
  RunReport failure(FaultKind kind, std::string cause) const;
  void countCycles(RunReport &report);

  std::string name;
  std::unique_ptr<VortexLibrary> library;
  uint64_t localMemory;                     ///< bytes; 0: as the library says
  std::map<uint64_t, AddressRange> buffers; // by address
  LibraryBuffers libraryBuffers;
  bool hasCounters = false;        ///< the words at VX_MPM_ADDR are the runtime's to read
  std::map<uint64_t, bool> images; ///< entry -> whether the image leaves counters
  std::optional<uint64_t> endCode; ///< where the code for that is
  bool leavesCounters = false;     ///< the image that runs does
  uint64_t cycleCount = 0;
};

uint32_t LibraryDevice::xlen() const {
  for (uint32_t id : kIsaFlagsIds)
    if (uint64_t flags = query(id); flags & abi::vortexIsaLetter('I'))
      return 1u << (((flags >> abi::kVortexIsaXlenShift) & 3) + 4);
  return 64;
}

} // namespace

uint64_t LibraryDevice::caps(Cap cap) const {
  switch (cap) {
  case Cap::Version:
  case Cap::NumThreads:
  case Cap::NumWarps:
  case Cap::NumCores:
  case Cap::CacheLineSize:
  case Cap::GlobalMemSize:
    return query(uint32_t(cap));
  case Cap::LocalMemSize:
    return localMemory ? localMemory : query(uint32_t(cap));
  case Cap::IsaFlags:
  case Cap::HostCode:
  case Cap::TakesSettings:
  case Cap::SharesMemory:
  case Cap::TextureUnit: // Vortex's own is another one
    return 0;
  case Cap::NumBarriers:
    return std::max<uint64_t>(1, query(uint32_t(Cap::NumWarps)) / 2);
  case Cap::Zicond: // there is no way to ask
    return 1;
  case Cap::Xlen:
    return xlen();
  case Cap::WarpIsa:
    return uint64_t(query(abi::kVortexIsaFlags) >> abi::kVortexIsaWarp & 1
                        ? abi::IsaProfile::Warp
                        : abi::IsaProfile::Upstream);
  case Cap::LocalMemBase:
    return xlen() == 64 ? VX_STACK_BASE_ADDR_64 : VX_STACK_BASE_ADDR_32;
  case Cap::StackBytes:
    return uint64_t(1) << VX_STACK_LOG2_SIZE;
  case Cap::MaxStackBytes:
    return std::bit_floor((xlen() == 64 ? VX_STACK_ROOM_64 : VX_STACK_ROOM_32) / lanes());
  }
  return 0;
}

bool LibraryDevice::holds(uint64_t address, uint64_t size) const {
  auto it = buffers.upper_bound(address);
  return it != buffers.begin() && (--it)->second.contains(address, size);
}

Result<uint64_t> LibraryDevice::memAlloc(uint64_t size, uint8_t access) {
  uint64_t address = 0;
  if (Result<void> r =
          check(library->allocate(size, access & (kMemRead | kMemWrite), address), "vx_mem_alloc");
      !r)
    return r.error();
  buffers[address] = {address, size};
  libraryBuffers[address] = {.size = size};
  return address;
}

Result<void> LibraryDevice::memReserve(uint64_t address, uint64_t size, uint8_t access) {
  int flags = access & (kMemRead | kMemWrite);
  // Vortex's allocator refuses a range that touches another (hasPageOverlap), as the segments of an
  // image do: they become one buffer, with the permissions of both.
  auto below = libraryBuffers.lower_bound(address);
  if (below != libraryBuffers.begin() && std::prev(below)->second.flags &&
      std::prev(below)->first + roundToPages(std::prev(below)->second.size) == address) {
    --below;
    if (Result<void> r = extend(below, address - below->first + size, below->second.flags | flags);
        !r)
      return r;
    ++below->second.users;
  } else {
    if (Result<void> r = check(library->reserve(address, size, flags), "vx_mem_reserve"); !r)
      return r;
    libraryBuffers[address] = {.size = size, .flags = flags};
  }
  buffers[address] = {address, size};
  return {};
}

/// Makes BUFFER larger, with its contents. Where that fails, it is as before.
Result<void> LibraryDevice::extend(LibraryBuffers::iterator buffer, uint64_t size, int flags) {
  auto &[base, old] = *buffer;
  std::vector<uint8_t> contents(old.size);
  if (Result<void> r = check(library->copyFrom(contents, base, 0), "vx_copy_from_dev"); !r)
    return r;
  if (Result<void> r = check(library->free(base), "vx_mem_free"); !r)
    return r;
  Result<void> reserved = check(library->reserve(base, size, flags), "vx_mem_reserve");
  if (reserved) {
    old.size = size;
    old.flags = flags;
  } else if (Result<void> r = check(library->reserve(base, old.size, old.flags), "vx_mem_reserve");
             !r) {
    return r;
  }
  if (Result<void> r = check(library->copyTo(base, 0, contents), "vx_copy_to_dev"); !r)
    return r;
  return reserved;
}

Result<void> LibraryDevice::memFree(uint64_t address) {
  if (!buffers.erase(address))
    return Failure{"no device memory was allocated there"};
  images.erase(address);
  auto buffer = libraryBufferAt(address);
  if (--buffer->second.users)
    return {};
  uint64_t base = buffer->first;
  libraryBuffers.erase(buffer);
  return check(library->free(base), "vx_mem_free");
}

Result<void> LibraryDevice::copyToDev(uint64_t destination, std::span<const uint8_t> source) {
  if (!holds(destination, source.size()))
    return Failure{"a copy to memory that is not allocated"};
  uint64_t base = libraryBufferAt(destination)->first;
  return check(library->copyTo(base, destination - base, source), "vx_copy_to_dev");
}

Result<void> LibraryDevice::copyFromDev(std::span<uint8_t> destination, uint64_t source) {
  if (!holds(source, destination.size()))
    return Failure{"a copy from memory that is not allocated"};
  uint64_t base = libraryBufferAt(source)->first;
  return check(library->copyFrom(destination, base, source - base), "vx_copy_from_dev");
}

Result<void> LibraryDevice::fill(uint64_t destination, uint8_t value, uint64_t size) {
  constexpr uint64_t kChunk = 1 << 20;
  std::vector<uint8_t> bytes(std::min(size, kChunk), value);
  for (uint64_t done = 0; done < size; done += kChunk) {
    std::span<const uint8_t> part(bytes.data(), std::min(kChunk, size - done));
    if (Result<void> r = copyToDev(destination + done, part); !r)
      return r;
  }
  return {};
}

/// Stacks are plain memory there; only what the program uses must not be in their way.
Result<void> LibraryDevice::setStackLog2Size(uint32_t log2) {
  uint64_t bytes = lanes() << log2;
  AddressRange stacks{caps(Cap::LocalMemBase) - bytes, bytes};
  if (overlapsAny(buffers, stacks.base, stacks.size))
    return Failure{"stacks of " + std::to_string(uint64_t(1) << log2) +
                   " bytes for each lane are in the way of what the program uses"};
  return {};
}

static std::span<uint8_t> bytesOf(std::span<uint32_t> words) {
  return {reinterpret_cast<uint8_t *>(words.data()), words.size_bytes()};
}

/// Makes the words where programs leave counters a buffer, if the driver lets us. It takes all that
/// is below the memory of programs: Vortex's allocator continues after the first buffer, and what
/// lies lower than that memory is for devices, where a store-conditional of SimX never succeeds.
void LibraryDevice::reserveCounters() {
  constexpr uint8_t kAccess = kMemRead | kMemWrite;
  hasCounters = VX_MPM_ADDR + counterBytes() <= VX_USER_BASE_ADDR &&
                memReserve(0, VX_USER_BASE_ADDR, kAccess);
}

/// Makes the image at ENTRY leave its counters when it ends (EndOfRun.h); false: it does not.
bool LibraryDevice::leaveCounters(uint64_t entry) {
  if (auto known = images.find(entry); known != images.end())
    return known->second;
  bool &done = images[entry];
  constexpr uint64_t kStartUpWords = 32;
  std::vector<uint32_t> startUp(std::min(kStartUpWords, buffers[entry].size / sizeof(uint32_t)));
  if (!hasCounters || !copyFromDev(bytesOf(startUp), entry))
    return false;
  std::optional<uint64_t> place = findWarpEnd(startUp);
  if (!place)
    return false;
  std::vector<uint32_t> code = endOfRunCode(xlen());
  if (!endCode) {
    // With a page between them: Vortex's allocator refuses a range that touches another
    // (hasPageOverlap).
    uint64_t below = entry - 2 * kPage;
    if (!memReserve(below, code.size() * sizeof(uint32_t), kMemRead) ||
        !copyToDev(below, bytesOf(code)))
      return false;
    endCode = below;
  }
  std::optional<uint32_t> jump = jumpTo(entry + *place, *endCode);
  done = jump && copyToDev(entry + *place, bytesOf({&*jump, 1}));
  return done;
}

Result<void> LibraryDevice::start(uint64_t entry, uint64_t argument) {
  if (!buffers.contains(entry) || !buffers.contains(argument))
    return Failure{"a start outside of allocated memory"};
  leavesCounters = leaveCounters(entry);
  // They are read for an image that leaves none, too: a driver answers with what is there.
  if (hasCounters)
    if (Result<void> r = fill(VX_MPM_ADDR, 0, counterBytes()); !r)
      return r;
  return check(library->start(entry, argument), "vx_start");
}

RunReport LibraryDevice::failure(FaultKind kind, std::string cause) const {
  RunReport report;
  report.fault.kind = kind;
  report.fault.cause = std::move(cause);
  return report;
}

/// Adds the cycles of the busiest core. A core that left none has not come to its end: SimX lets a
/// run end silently when the guest's access to memory is refused.
void LibraryDevice::countCycles(RunReport &report) {
  uint64_t longest = 0;
  for (uint64_t core = 0; core * VX_MPM_WORDS * sizeof(uint64_t) < counterBytes(); ++core) {
    uint32_t words[2] = {};
    uint64_t place = VX_MPM_ADDR + core * VX_MPM_WORDS * sizeof(uint64_t);
    if (!copyFromDev(bytesOf(words), place))
      return;
    uint64_t cycles = words[0] | uint64_t(words[1]) << 32;
    if (cycles == 0)
      report = failure(FaultKind::Other, "the driver ended the run before core " +
                                             std::to_string(core) + " had come to its end");
    longest = std::max(longest, cycles);
  }
  cycleCount += longest;
}

RunReport LibraryDevice::readyWait() {
  RunReport report;
  auto begin = std::chrono::steady_clock::now();
  if (int status = library->wait(kWaitMilliseconds); status != 0) {
    if (std::string why = library->endedBy(); !why.empty())
      return failure(FaultKind::Other, "the driver: " + why);
    // Interfaces say no more than that something was wrong.
    if (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(kWaitMilliseconds))
      return failure(FaultKind::Other, "vx_ready_wait failed (" + std::to_string(status) + ")");
    return failure(FaultKind::Timeout, "the device did not become ready");
  }
  if (leavesCounters) {
    countCycles(report);
    return report;
  }
  uint64_t cycles = 0; // of core 0; a device without counters has none
  if (library->counter(VX_CSR_MCYCLE, 0, cycles) == 0)
    cycleCount += cycles;
  return report;
}

namespace {

/// SimX up to (at least) October 2025 finds a word of local memory by the low bits of its address
/// alone, but as many as there are words: the memory repeats after its size over the bytes of a
/// word. It is known by its name and by having no function but vx_dev_init.
bool isSimX(const std::string &file, const VortexLibrary &library) {
  return library.isDriver() && file.substr(file.rfind('/') + 1) == "libvortex-simx.so";
}

Result<uint64_t> chooseLocalMemory(const std::string &file, VortexLibrary &library) {
  if (const char *text = std::getenv("VX_LOCAL_MEMORY"); text && *text) {
    uint64_t bytes = 0;
    const char *end = text + std::string_view(text).size();
    auto [stop, error] = std::from_chars(text, end, bytes);
    if (error != std::errc() || stop != end || bytes == 0 || bytes % 16)
      return Failure{std::string("VX_LOCAL_MEMORY=") + text +
                     ": it is a number of bytes, a multiple of 16"};
    return bytes;
  }
  if (!isSimX(file, library))
    return uint64_t(0);
  uint64_t bytes = 0, flags = 0;
  if (library.caps(abi::kVortexLocalMemSize, bytes) != 0)
    return uint64_t(0);
  bool isNarrow = library.caps(abi::kVortexIsaFlags, flags) == 0 &&
                  ((flags >> abi::kVortexIsaXlenShift) & 3) == 1;
  bytes /= isNarrow ? 4 : 8;
  std::fprintf(stderr,
               "vxrt: SimX's local memory repeats after %llu bytes, so kernels get no more of it; "
               "VX_LOCAL_MEMORY=BYTES if this one is mended\n",
               static_cast<unsigned long long>(bytes));
  return bytes;
}

} // namespace

Result<std::unique_ptr<Device>> openLibraryDevice(const std::string &name) {
  bool isPath = name.find('/') != std::string::npos;
  std::string file = isPath ? name : "libvortex-" + name + ".so";
  auto named = [&](const Failure &failure) {
    return Failure{"VX_BACKEND=" + name + ": " + failure.message};
  };
  Result<std::unique_ptr<VortexLibrary>> library = forkVortexLibrary(file);
  if (!library)
    return named(library.error());
  Result<uint64_t> localMemory = chooseLocalMemory(file, **library);
  if (!localMemory)
    return named(localMemory.error());
  return std::unique_ptr<Device>(new LibraryDevice(name, std::move(*library), *localMemory));
}

} // namespace vx::rt
