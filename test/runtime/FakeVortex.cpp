// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with the functions of vortex.h, or, as FAKE_VORTEX_DRIVER, a driver with nothing but
// vx_dev_init. Its "kernels" double the word that the first argument points at; it says what it saw
// through vx_dcr_read. A kernel whose start-up code jumps to code that leaves the core's counters
// leaves 700 cycles on core 0 and 900 on core 1. FAKE_VORTEX=abort aborts the process in a run,
// =silent ends a run before the kernel has begun, as SimX does.

#include "intrinsics/abi/LaunchDescriptor.h"
#include "intrinsics/abi/VortexDriver.h"
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace {
struct Buffer {
  uint64_t address;
  std::vector<uint8_t> bytes;
};
struct FakeDevice {
  std::map<uint64_t, Buffer *> buffers;
  uint64_t next = 0;
  uint32_t dcrs[16] = {};
  uint8_t *at(uint64_t address) {
    auto it = std::prev(buffers.upper_bound(address));
    return it->second->bytes.data() + (address - it->first);
  }
};
FakeDevice *only;

uint64_t pages(uint64_t size) {
  return (size + 4095) & ~uint64_t(4095);
}

bool behaves(const char *how) {
  const char *wanted = std::getenv("FAKE_VORTEX");
  return wanted && std::strcmp(wanted, how) == 0;
}

/// Returns true if the code at ADDRESS has a jump to code that reads the number of the core.
bool leavesCounters(FakeDevice &device, Buffer &kernel) {
  for (size_t place = 0; place + 4 <= kernel.bytes.size() && place < 128; place += 4) {
    uint32_t word, first;
    std::memcpy(&word, kernel.bytes.data() + place, sizeof word);
    if ((word & 0xfff) != 0x6f) // jal x0
      continue;
    int32_t distance = int32_t((word >> 31 << 20) | (word >> 12 & 0xff) << 12 |
                               (word >> 20 & 1) << 11 | (word >> 21 & 0x3ff) << 1);
    distance = int32_t(uint32_t(distance) << 11) >> 11;
    std::memcpy(&first, device.at(kernel.address + place + int64_t(distance)), sizeof first);
    return first == 0xcc2022f3; // csrr t0, VX_CSR_CORE_ID
  }
  return false;
}

void leave(FakeDevice &device, uint64_t address, uint64_t value) {
  std::memcpy(device.at(address), &value, sizeof value);
}
} // namespace

#ifdef FAKE_VORTEX_DRIVER
#define FAKE_EXPORT static
#else
#define FAKE_EXPORT extern "C"
#endif

FAKE_EXPORT int vx_dev_open(void **device) {
  *device = only = new FakeDevice;
  return 0;
}
FAKE_EXPORT int vx_dev_close(void *device) {
  delete static_cast<FakeDevice *>(device);
  return 0;
}
FAKE_EXPORT int vx_dev_caps(void *, uint32_t id, uint64_t *value) {
  const uint64_t values[] = {1,  8,       4,       2,
                             64, 1 << 24, 1 << 14, uint64_t(1) << 8 | uint64_t(2) << 30};
  if (id >= 8)
    return -1;
  *value = values[id];
  return 0;
}
static int addBuffer(FakeDevice *device, uint64_t address, uint64_t size, void **buffer) {
  auto *b = new Buffer{address, std::vector<uint8_t>(size, 0xba)};
  device->buffers[address] = b;
  *buffer = b;
  return 0;
}
FAKE_EXPORT int vx_mem_reserve(void *device, uint64_t address, uint64_t size, int, void **buffer) {
  auto *d = static_cast<FakeDevice *>(device);
  // This is as in Vortex's allocator: pages, and a range that only touches another is refused.
  uint64_t end = address + pages(size);
  for (const auto &[base, other] : d->buffers)
    if (address <= base + pages(other->bytes.size()) && end >= base)
      return -1;
  return addBuffer(d, address, size, buffer);
}
FAKE_EXPORT int vx_mem_alloc(void *device, uint64_t size, int, void **buffer) {
  auto *d = static_cast<FakeDevice *>(device);
  if (size > 1 << 24)
    return -1;
  // The next one comes after the first buffer, as in Vortex's allocator.
  if (!d->next)
    d->next = d->buffers.empty()
                  ? 0x10000
                  : d->buffers.begin()->first + pages(d->buffers.begin()->second->bytes.size());
  d->next += pages(size);
  return addBuffer(d, d->next - pages(size), size, buffer);
}
FAKE_EXPORT int vx_mem_free(void *buffer) {
  only->buffers.erase(static_cast<Buffer *>(buffer)->address);
  delete static_cast<Buffer *>(buffer);
  return 0;
}
FAKE_EXPORT int vx_mem_address(void *buffer, uint64_t *address) {
  *address = static_cast<Buffer *>(buffer)->address;
  return 0;
}
FAKE_EXPORT int vx_mem_info(void *, uint64_t *free, uint64_t *used) {
  *free = 1 << 24;
  *used = 0;
  return 0;
}
FAKE_EXPORT int vx_copy_to_dev(void *buffer, const void *from, uint64_t offset, uint64_t size) {
  std::memcpy(static_cast<Buffer *>(buffer)->bytes.data() + offset, from, size);
  return 0;
}
FAKE_EXPORT int vx_copy_from_dev(void *to, void *buffer, uint64_t offset, uint64_t size) {
  std::memcpy(to, static_cast<Buffer *>(buffer)->bytes.data() + offset, size);
  return 0;
}
FAKE_EXPORT int vx_start(void *device, void *kernel, void *arguments) {
  auto *d = static_cast<FakeDevice *>(device);
  d->dcrs[1] = uint32_t(static_cast<Buffer *>(kernel)->address);
  if (behaves("abort"))
    std::abort();
  if (behaves("silent"))
    return 0;
  if (leavesCounters(*d, *static_cast<Buffer *>(kernel))) {
    leave(*d, 0x80, 700);
    leave(*d, 0x180, 900);
  }
  vx::abi::LaunchDescriptor launch;
  if (static_cast<Buffer *>(arguments)->bytes.size() < sizeof launch)
    return 0;
  std::memcpy(&launch, static_cast<Buffer *>(arguments)->bytes.data(), sizeof launch);
  uint64_t pointer;
  std::memcpy(&pointer, d->at(launch.args), sizeof pointer);
  int value;
  std::memcpy(&value, d->at(pointer), sizeof value);
  value *= 2;
  std::memcpy(d->at(pointer), &value, sizeof value);
  return 0;
}
FAKE_EXPORT int vx_ready_wait(void *, uint64_t) {
  return 0;
}
FAKE_EXPORT int vx_dcr_read(void *device, uint32_t address, uint32_t *value) {
  *value = static_cast<FakeDevice *>(device)->dcrs[address & 15];
  return 0;
}
FAKE_EXPORT int vx_dcr_write(void *device, uint32_t address, uint32_t value) {
  static_cast<FakeDevice *>(device)->dcrs[address & 15] = value;
  return 0;
}
FAKE_EXPORT int vx_mpm_query(void *device, uint32_t, uint32_t core, uint64_t *value) {
#ifdef FAKE_VORTEX_DRIVER // as Vortex's: what is there, no matter who has put it there
  std::memcpy(value, static_cast<FakeDevice *>(device)->at(0x80 + core * 0x100), sizeof *value);
#else
  (void)device, (void)core;
  *value = 500;
#endif
  return 0;
}
#ifdef FAKE_VORTEX_DRIVER
static int vx_mem_access(void *, uint64_t, uint64_t, int) {
  return 0;
}
extern "C" int vx_dev_init(vx::abi::VortexCallbacks *callbacks) {
  *callbacks = {vx_dev_open,    vx_dev_close,   vx_dev_caps,      vx_mem_alloc,
                vx_mem_reserve, vx_mem_free,    vx_mem_access,    vx_mem_address,
                vx_mem_info,    vx_copy_to_dev, vx_copy_from_dev, vx_start,
                vx_ready_wait,  vx_dcr_read,    vx_dcr_write,     vx_mpm_query};
  return 0;
}
#endif
