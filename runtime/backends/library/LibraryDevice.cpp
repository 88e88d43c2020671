// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/backends/library/LibraryDevice.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/FatBinary.h"
#include "runtime/core/Allocator.h"
#include <algorithm>
#include <bit>
#include <dlfcn.h>
#include <map>

namespace vx::rt {

namespace {

using DeviceHandle = void *;
using BufferHandle = void *;

/// The functions of the library. All return 0 for success.
struct VortexApi {
  int (*devOpen)(DeviceHandle *);
  int (*devClose)(DeviceHandle);
  int (*devCaps)(DeviceHandle, uint32_t id, uint64_t *value);
  int (*memAlloc)(DeviceHandle, uint64_t size, int flags, BufferHandle *);
  int (*memReserve)(DeviceHandle, uint64_t address, uint64_t size, int flags, BufferHandle *);
  int (*memFree)(BufferHandle);
  int (*memAddress)(BufferHandle, uint64_t *address);
  int (*memInfo)(DeviceHandle, uint64_t *free, uint64_t *used);
  int (*copyToDev)(BufferHandle, const void *, uint64_t offset, uint64_t size);
  int (*copyFromDev)(void *, BufferHandle, uint64_t offset, uint64_t size);
  int (*start)(DeviceHandle, BufferHandle kernel, BufferHandle arguments);
  int (*readyWait)(DeviceHandle, uint64_t milliseconds);
  int (*dcrRead)(DeviceHandle, uint32_t address, uint32_t *value);
  int (*dcrWrite)(DeviceHandle, uint32_t address, uint32_t value);
  int (*mpmQuery)(DeviceHandle, uint32_t address, uint32_t core, uint64_t *value);
};

constexpr uint64_t kWaitMilliseconds = 24 * 60 * 60 * 1000;
/// Where versions of vortex.h have the capability that says what instructions there are.
constexpr uint32_t kIsaFlagsIds[] = {7, 8};
constexpr uint64_t kIsaHasIntegers = 1 << 8;

class LibraryDevice final : public Device {
public:
  LibraryDevice(std::string name, const VortexApi &api, DeviceHandle device)
      : name(std::move(name)), api(api), device(device) {}
  ~LibraryDevice() override {
    for (auto &[base, buffer] : buffers)
      api.memFree(buffer.handle);
    api.devClose(device);
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
    if (api.memInfo(device, &free, &used) != 0)
      return {};
    return {free, free + used};
  }

  Result<void> copyToDev(uint64_t destination, std::span<const uint8_t> source) override;
  Result<void> copyFromDev(std::span<uint8_t> destination, uint64_t source) override;
  Result<void> fill(uint64_t destination, uint8_t value, uint64_t size) override;

  Result<void> dcrWrite(uint32_t address, uint32_t value) override {
    return check(api.dcrWrite(device, address, value), "vx_dcr_write");
  }
  Result<uint32_t> dcrRead(uint32_t address) override {
    uint32_t value = 0;
    if (Result<void> r = check(api.dcrRead(device, address, &value), "vx_dcr_read"); !r)
      return r.error();
    return value;
  }

  Result<void> setStackLog2Size(uint32_t log2) override;
  Result<void> start(uint64_t entry, uint64_t argument) override;
  RunReport readyWait() override;
  void requestStop() override {} // the interface has no such call
  uint64_t cycles() const override { return cycleCount; }

private:
  struct Buffer {
    BufferHandle handle;
    uint64_t size;
  };

  static Result<void> check(int status, const char *function) {
    if (status == 0)
      return {};
    return Failure{std::string(function) + " failed (" + std::to_string(status) + ")"};
  }
  uint64_t query(uint32_t id) const {
    uint64_t value = 0;
    return api.devCaps(device, id, &value) == 0 ? value : 0;
  }
  uint32_t xlen() const;
  /// Of all cores.
  uint64_t lanes() const {
    return std::max<uint64_t>(1, caps(Cap::NumThreads) * caps(Cap::NumWarps) * caps(Cap::NumCores));
  }
  /// The buffer that holds all of [address, address+size), with its base; null: none.
  const Buffer *find(uint64_t address, uint64_t size, uint64_t &offset) const;

  std::string name;
  VortexApi api;
  DeviceHandle device;
  std::map<uint64_t, Buffer> buffers; // by address
  uint64_t cycleCount = 0;
};

uint32_t LibraryDevice::xlen() const {
  for (uint32_t id : kIsaFlagsIds)
    if (uint64_t flags = query(id); flags & kIsaHasIntegers)
      return 1u << (((flags >> 30) & 3) + 4);
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
  case Cap::LocalMemSize:
    return query(uint32_t(cap));
  case Cap::IsaFlags:
  case Cap::HostCode:
  case Cap::TakesSettings:
  case Cap::SharesMemory:
    return 0;
  case Cap::NumBarriers:
    return std::max<uint64_t>(1, query(uint32_t(Cap::NumWarps)) / 2);
  case Cap::Zicond: // there is no way to ask
    return 1;
  case Cap::Xlen:
    return xlen();
  case Cap::WarpIsa:
    return uint64_t(abi::IsaProfile::Upstream);
  case Cap::LocalMemBase:
    return xlen() == 64 ? VX_STACK_BASE_ADDR_64 : VX_STACK_BASE_ADDR_32;
  case Cap::StackBytes:
    return uint64_t(1) << VX_STACK_LOG2_SIZE;
  case Cap::MaxStackBytes:
    return std::bit_floor((xlen() == 64 ? VX_STACK_ROOM_64 : VX_STACK_ROOM_32) / lanes());
  }
  return 0;
}

const LibraryDevice::Buffer *LibraryDevice::find(uint64_t address, uint64_t size,
                                                 uint64_t &offset) const {
  auto it = buffers.upper_bound(address);
  if (it == buffers.begin())
    return nullptr;
  --it;
  if (!AddressRange{it->first, it->second.size}.contains(address, size))
    return nullptr;
  offset = address - it->first;
  return &it->second;
}

Result<uint64_t> LibraryDevice::memAlloc(uint64_t size, uint8_t access) {
  BufferHandle handle = nullptr;
  if (Result<void> r = check(api.memAlloc(device, size, access & (kMemRead | kMemWrite), &handle),
                             "vx_mem_alloc");
      !r)
    return r.error();
  uint64_t address = 0;
  if (Result<void> r = check(api.memAddress(handle, &address), "vx_mem_address"); !r) {
    api.memFree(handle);
    return r.error();
  }
  buffers.emplace(address, Buffer{handle, size});
  return address;
}

Result<void> LibraryDevice::memReserve(uint64_t address, uint64_t size, uint8_t access) {
  BufferHandle handle = nullptr;
  int flags = access & (kMemRead | kMemWrite);
  if (Result<void> r =
          check(api.memReserve(device, address, size, flags, &handle), "vx_mem_reserve");
      !r)
    return r;
  buffers.emplace(address, Buffer{handle, size});
  return {};
}

Result<void> LibraryDevice::memFree(uint64_t address) {
  auto it = buffers.find(address);
  if (it == buffers.end())
    return Failure{"no device memory was allocated there"};
  BufferHandle handle = it->second.handle;
  buffers.erase(it);
  return check(api.memFree(handle), "vx_mem_free");
}

Result<void> LibraryDevice::copyToDev(uint64_t destination, std::span<const uint8_t> source) {
  uint64_t offset = 0;
  const Buffer *buffer = find(destination, source.size(), offset);
  if (!buffer)
    return Failure{"a copy to memory that is not allocated"};
  return check(api.copyToDev(buffer->handle, source.data(), offset, source.size()),
               "vx_copy_to_dev");
}

Result<void> LibraryDevice::copyFromDev(std::span<uint8_t> destination, uint64_t source) {
  uint64_t offset = 0;
  const Buffer *buffer = find(source, destination.size(), offset);
  if (!buffer)
    return Failure{"a copy from memory that is not allocated"};
  return check(api.copyFromDev(destination.data(), buffer->handle, offset, destination.size()),
               "vx_copy_from_dev");
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
  for (const auto &[base, buffer] : buffers)
    if (stacks.overlaps(base, buffer.size))
      return Failure{"stacks of " + std::to_string(uint64_t(1) << log2) +
                     " bytes for each lane are in the way of what the program uses"};
  return {};
}

Result<void> LibraryDevice::start(uint64_t entry, uint64_t argument) {
  auto kernel = buffers.find(entry), arguments = buffers.find(argument);
  if (kernel == buffers.end() || arguments == buffers.end())
    return Failure{"a start outside of allocated memory"};
  return check(api.start(device, kernel->second.handle, arguments->second.handle), "vx_start");
}

RunReport LibraryDevice::readyWait() {
  RunReport report;
  if (api.readyWait(device, kWaitMilliseconds) != 0) {
    report.fault.kind = FaultKind::Timeout;
    report.fault.cause = "the device did not become ready";
    return report;
  }
  uint64_t cycles = 0; // of core 0; a device without counters has none
  if (api.mpmQuery && api.mpmQuery(device, VX_CSR_MCYCLE, 0, &cycles) == 0)
    cycleCount += cycles;
  return report;
}

namespace {

/// Finds the library's functions; a Failure names the first that it lacks.
class Loader {
public:
  explicit Loader(void *library) : library(library) {}

  template <typename F> Loader &get(F &function, const char *name, bool isRequired = true) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function && isRequired && missing.empty())
      missing = name;
    return *this;
  }
  std::string missing;

private:
  void *library;
};

} // namespace

Result<std::unique_ptr<Device>> openLibraryDevice(const std::string &name) {
  bool isPath = name.find('/') != std::string::npos;
  std::string file = isPath ? name : "libvortex-" + name + ".so";
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Failure{"VX_BACKEND=" + name +
                   ": neither a backend of the runtime nor a library: " + dlerror()};
  VortexApi api{};
  Loader loader(library);
  loader.get(api.devOpen, "vx_dev_open")
      .get(api.devClose, "vx_dev_close")
      .get(api.devCaps, "vx_dev_caps")
      .get(api.memAlloc, "vx_mem_alloc")
      .get(api.memReserve, "vx_mem_reserve")
      .get(api.memFree, "vx_mem_free")
      .get(api.memAddress, "vx_mem_address")
      .get(api.memInfo, "vx_mem_info")
      .get(api.copyToDev, "vx_copy_to_dev")
      .get(api.copyFromDev, "vx_copy_from_dev")
      .get(api.start, "vx_start")
      .get(api.readyWait, "vx_ready_wait")
      .get(api.dcrRead, "vx_dcr_read")
      .get(api.dcrWrite, "vx_dcr_write")
      .get(api.mpmQuery, "vx_mpm_query", false);
  DeviceHandle device = nullptr;
  std::string problem;
  if (!loader.missing.empty())
    problem = "it has no function " + loader.missing;
  else if (int status = api.devOpen(&device); status != 0)
    problem = "vx_dev_open failed (" + std::to_string(status) + ")";
  if (!problem.empty()) {
    dlclose(library);
    return Failure{"VX_BACKEND=" + name + ": " + problem};
  }
  // The library stays loaded: it may have threads and exit handlers of its own.
  return std::unique_ptr<Device>(new LibraryDevice(name, api, device));
}

} // namespace vx::rt
