// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with the functions of vortex.h. Its "kernels" double the word that the first argument
// points at; it says what it saw through vx_dcr_read.

#include "intrinsics/abi/LaunchDescriptor.h"
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
  uint64_t next = 0x10000;
  uint32_t dcrs[16] = {};
  uint8_t *at(uint64_t address) {
    auto it = std::prev(buffers.upper_bound(address));
    return it->second->bytes.data() + (address - it->first);
  }
};
FakeDevice *only;
} // namespace

extern "C" {
int vx_dev_open(void **device) {
  *device = only = new FakeDevice;
  return 0;
}
int vx_dev_close(void *device) {
  delete static_cast<FakeDevice *>(device);
  return 0;
}
int vx_dev_caps(void *, uint32_t id, uint64_t *value) {
  const uint64_t values[] = {1,  8,       4,       2,
                             64, 1 << 24, 1 << 14, uint64_t(1) << 8 | uint64_t(2) << 30};
  if (id >= 8)
    return -1;
  *value = values[id];
  return 0;
}
int vx_mem_reserve(void *device, uint64_t address, uint64_t size, int, void **buffer) {
  auto *b = new Buffer{address, std::vector<uint8_t>(size, 0xba)};
  static_cast<FakeDevice *>(device)->buffers[address] = b;
  *buffer = b;
  return 0;
}
int vx_mem_alloc(void *device, uint64_t size, int flags, void **buffer) {
  auto *d = static_cast<FakeDevice *>(device);
  if (size > 1 << 24)
    return -1;
  d->next += (size + 4095) & ~uint64_t(4095);
  return vx_mem_reserve(device, d->next - ((size + 4095) & ~uint64_t(4095)), size, flags, buffer);
}
int vx_mem_free(void *buffer) {
  only->buffers.erase(static_cast<Buffer *>(buffer)->address);
  delete static_cast<Buffer *>(buffer);
  return 0;
}
int vx_mem_address(void *buffer, uint64_t *address) {
  *address = static_cast<Buffer *>(buffer)->address;
  return 0;
}
int vx_mem_info(void *, uint64_t *free, uint64_t *used) {
  *free = 1 << 24;
  *used = 0;
  return 0;
}
int vx_copy_to_dev(void *buffer, const void *from, uint64_t offset, uint64_t size) {
  std::memcpy(static_cast<Buffer *>(buffer)->bytes.data() + offset, from, size);
  return 0;
}
int vx_copy_from_dev(void *to, void *buffer, uint64_t offset, uint64_t size) {
  std::memcpy(to, static_cast<Buffer *>(buffer)->bytes.data() + offset, size);
  return 0;
}
int vx_start(void *device, void *kernel, void *arguments) {
  auto *d = static_cast<FakeDevice *>(device);
  d->dcrs[1] = uint32_t(static_cast<Buffer *>(kernel)->address);
  vx::abi::LaunchDescriptor launch;
  std::memcpy(&launch, static_cast<Buffer *>(arguments)->bytes.data(), sizeof launch);
  uint64_t pointer;
  std::memcpy(&pointer, d->at(launch.args), sizeof pointer);
  int value;
  std::memcpy(&value, d->at(pointer), sizeof value);
  value *= 2;
  std::memcpy(d->at(pointer), &value, sizeof value);
  return 0;
}
int vx_ready_wait(void *, uint64_t) {
  return 0;
}
int vx_dcr_read(void *device, uint32_t address, uint32_t *value) {
  *value = static_cast<FakeDevice *>(device)->dcrs[address & 15];
  return 0;
}
int vx_dcr_write(void *device, uint32_t address, uint32_t value) {
  static_cast<FakeDevice *>(device)->dcrs[address & 15] = value;
  return 0;
}
int vx_mpm_query(void *, uint32_t, uint32_t, uint64_t *value) {
  *value = 500;
  return 0;
}
}
