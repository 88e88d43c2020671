// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that libvortex-vx.so exports: those of Vortex's vortex.h, so that it can take the
// place of libvortex.so, and vx_dev_init, by which Vortex's own libvortex.so loads it as one of its
// drivers (VORTEX_DRIVER=vx). All return 0 for success; what went wrong is said on stderr.
//
// Nothing here calls an exported function: in a program with Vortex's libvortex.so that name is
// Vortex's.

#include "intrinsics/abi/VortexDriver.h"
#include "intrinsics/abi/AddressMap.h"
#include "simulator/api/Files.h"
#include "simulator/vortex/DumpCounters.h"
#include "simulator/vortex/VortexDevice.h"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace vx;
using namespace vx::sim;
using DeviceHandle = abi::VortexDeviceHandle;
using BufferHandle = abi::VortexBufferHandle;

namespace {

constexpr int kFailed = -1;

int fail(const char *function, const std::string &why) {
  std::fprintf(stderr, "%s: %s: %s\n", driverKind().name, function, why.c_str());
  return kFailed;
}

int outcome(const char *function, const Result<void> &result) {
  return result ? 0 : fail(function, result.error().message);
}

int outcome(const char *function, const Result<VortexBuffer *> &result, BufferHandle *buffer) {
  if (!result)
    return fail(function, result.error().message);
  *buffer = *result;
  return 0;
}

VortexDevice &deviceOf(DeviceHandle handle) {
  return *static_cast<VortexDevice *>(handle);
}
VortexBuffer &bufferOf(BufferHandle handle) {
  return *static_cast<VortexBuffer *>(handle);
}

// ---- What a driver has --------------------------------------------------------------------------

int openDevice(DeviceHandle *device) {
  if (!device)
    return kFailed;
  Result<std::unique_ptr<VortexDevice>> opened = VortexDevice::open(driverKind());
  if (!opened)
    return fail("vx_dev_open", opened.error().message);
  *device = opened->release();
  return 0;
}

int closeDevice(DeviceHandle device) {
  delete static_cast<VortexDevice *>(device);
  return device ? 0 : kFailed;
}

int deviceCaps(DeviceHandle device, uint32_t id, uint64_t *value) {
  if (!device || !value)
    return kFailed;
  std::optional<uint64_t> known = deviceOf(device).capability(id);
  if (!known)
    return fail("vx_dev_caps", "there is no capability " + std::to_string(id));
  *value = *known;
  return 0;
}

int allocate(DeviceHandle device, uint64_t size, int flags, BufferHandle *buffer) {
  if (!device || !buffer || size == 0)
    return kFailed;
  return outcome("vx_mem_alloc", deviceOf(device).allocate(size, flags), buffer);
}

int reserve(DeviceHandle device, uint64_t address, uint64_t size, int flags, BufferHandle *buffer) {
  if (!device || !buffer || size == 0)
    return kFailed;
  return outcome("vx_mem_reserve", deviceOf(device).reserve(address, size, flags), buffer);
}

int release(BufferHandle buffer) {
  if (!buffer)
    return 0;
  return outcome("vx_mem_free", bufferOf(buffer).device->release(&bufferOf(buffer)));
}

int setAccess(BufferHandle buffer, uint64_t offset, uint64_t size, int flags) {
  if (!buffer)
    return kFailed;
  VortexBuffer &b = bufferOf(buffer);
  return outcome("vx_mem_access", b.device->setAccess(b, offset, size, flags));
}

int addressOf(BufferHandle buffer, uint64_t *address) {
  if (!buffer || !address)
    return kFailed;
  *address = bufferOf(buffer).address;
  return 0;
}

int memoryInfo(DeviceHandle device, uint64_t *free, uint64_t *used) {
  if (!device)
    return kFailed;
  if (free)
    *free = deviceOf(device).freeBytes();
  if (used)
    *used = deviceOf(device).usedBytes();
  return 0;
}

int copyToDevice(BufferHandle buffer, const void *source, uint64_t offset, uint64_t size) {
  if (!buffer || !source)
    return kFailed;
  VortexBuffer &b = bufferOf(buffer);
  std::span bytes(static_cast<const uint8_t *>(source), size);
  return outcome("vx_copy_to_dev", b.device->write(b, offset, bytes));
}

int copyFromDevice(void *destination, BufferHandle buffer, uint64_t offset, uint64_t size) {
  if (!buffer || !destination)
    return kFailed;
  VortexBuffer &b = bufferOf(buffer);
  std::span bytes(static_cast<uint8_t *>(destination), size);
  return outcome("vx_copy_from_dev", b.device->read(b, offset, bytes));
}

int start(DeviceHandle device, BufferHandle kernel, BufferHandle arguments) {
  if (!device || !kernel || !arguments)
    return kFailed;
  return outcome("vx_start", deviceOf(device).start(bufferOf(kernel), bufferOf(arguments)));
}

int wait(DeviceHandle device, uint64_t milliseconds) {
  if (!device)
    return kFailed;
  return deviceOf(device).wait(milliseconds) == VortexDevice::Wait::Ended ? 0 : kFailed;
}

int readRegister(DeviceHandle device, uint32_t address, uint32_t *value) {
  if (!device || !value)
    return kFailed;
  std::optional<uint32_t> written = deviceOf(device).readRegister(address);
  if (written)
    *value = *written;
  return written ? 0 : kFailed;
}

int writeRegister(DeviceHandle device, uint32_t address, uint32_t value) {
  if (!device)
    return kFailed;
  deviceOf(device).writeRegister(address, value);
  return 0;
}

int counter(DeviceHandle device, uint32_t csr, uint32_t core, uint64_t *value) {
  if (!device || !value)
    return kFailed;
  std::optional<uint64_t> known = deviceOf(device).counter(csr, core);
  if (known)
    *value = *known;
  return known ? 0 : kFailed;
}

// ---- What libvortex.so adds ---------------------------------------------------------------------

/// Returns the ELF file next to a .vxbin, where Vortex's makefiles leave it; empty if there is
/// none.
std::vector<uint8_t> symbolsOf(const std::string &name) {
  size_t dot = name.rfind('.');
  if (dot != std::string::npos && name.find('/', dot) == std::string::npos)
    if (Result<std::vector<uint8_t>> bytes = readFile(name.substr(0, dot) + ".elf"))
      return std::move(*bytes);
  return {};
}

std::string baseName(const std::string &name) {
  return name.substr(name.rfind('/') + 1); // npos + 1 is 0
}

int uploadBytes(DeviceHandle device, const void *content, uint64_t size, BufferHandle *buffer) {
  if (!device || !content || size == 0 || !buffer)
    return kFailed;
  BufferHandle fresh = nullptr;
  if (int error = allocate(device, size, abi::kVortexRead, &fresh))
    return error;
  if (int error = copyToDevice(fresh, content, 0, size)) {
    release(fresh);
    return error;
  }
  *buffer = fresh;
  return 0;
}

} // namespace

#define VX_EXPORT extern "C" __attribute__((visibility("default")))

VX_EXPORT int vx_dev_init(abi::VortexCallbacks *callbacks) {
  if (!callbacks)
    return kFailed;
  *callbacks = {openDevice, closeDevice,  deviceCaps,    allocate,     reserve,        release,
                setAccess,  addressOf,    memoryInfo,    copyToDevice, copyFromDevice, start,
                wait,       readRegister, writeRegister, counter};
  return 0;
}

VX_EXPORT int vx_dev_open(DeviceHandle *device) {
  return openDevice(device);
}
VX_EXPORT int vx_dev_close(DeviceHandle device) {
  if (device)
    dumpCounters(deviceOf(device), stdout);
  return closeDevice(device);
}
VX_EXPORT int vx_dev_caps(DeviceHandle device, uint32_t id, uint64_t *value) {
  return deviceCaps(device, id, value);
}
VX_EXPORT int vx_mem_alloc(DeviceHandle device, uint64_t size, int flags, BufferHandle *buffer) {
  return allocate(device, size, flags, buffer);
}
VX_EXPORT int vx_mem_reserve(DeviceHandle device, uint64_t address, uint64_t size, int flags,
                             BufferHandle *buffer) {
  return reserve(device, address, size, flags, buffer);
}
VX_EXPORT int vx_mem_free(BufferHandle buffer) {
  return release(buffer);
}
VX_EXPORT int vx_mem_access(BufferHandle buffer, uint64_t offset, uint64_t size, int flags) {
  return setAccess(buffer, offset, size, flags);
}
VX_EXPORT int vx_mem_address(BufferHandle buffer, uint64_t *address) {
  return addressOf(buffer, address);
}
VX_EXPORT int vx_mem_info(DeviceHandle device, uint64_t *free, uint64_t *used) {
  return memoryInfo(device, free, used);
}
VX_EXPORT int vx_copy_to_dev(BufferHandle buffer, const void *source, uint64_t offset,
                             uint64_t size) {
  return copyToDevice(buffer, source, offset, size);
}
VX_EXPORT int vx_copy_from_dev(void *destination, BufferHandle buffer, uint64_t offset,
                               uint64_t size) {
  return copyFromDevice(destination, buffer, offset, size);
}

/// VORTEX_PROFILING chooses the class of counters that programs leave, as in Vortex's library.
VX_EXPORT int vx_start(DeviceHandle device, BufferHandle kernel, BufferHandle arguments) {
  if (uint32_t counterClass = chosenCounterClass(); device && counterClass)
    writeRegister(device, VX_DCR_MPM_CLASS, counterClass);
  return start(device, kernel, arguments);
}
VX_EXPORT int vx_ready_wait(DeviceHandle device, uint64_t milliseconds) {
  return wait(device, milliseconds);
}
VX_EXPORT int vx_dcr_read(DeviceHandle device, uint32_t address, uint32_t *value) {
  return readRegister(device, address, value);
}
VX_EXPORT int vx_dcr_write(DeviceHandle device, uint32_t address, uint32_t value) {
  return writeRegister(device, address, value);
}

/// Core 0xffffffff: the sum over all.
VX_EXPORT int vx_mpm_query(DeviceHandle device, uint32_t csr, uint32_t core, uint64_t *value) {
  if (core != 0xffffffff)
    return counter(device, csr, core, value);
  if (!device || !value)
    return kFailed;
  uint64_t sum = 0;
  for (uint32_t c = 0; c < deviceOf(device).config().numCores; ++c) {
    uint64_t part;
    if (int error = counter(device, csr, c, &part))
      return error;
    sum += part;
  }
  *value = sum;
  return 0;
}

VX_EXPORT int vx_upload_kernel_bytes(DeviceHandle device, const void *content, uint64_t size,
                                     BufferHandle *buffer) {
  if (!device || !content || !buffer)
    return kFailed;
  std::span image(static_cast<const uint8_t *>(content), size);
  return outcome("vx_upload_kernel_bytes", deviceOf(device).upload(image, ""), buffer);
}

VX_EXPORT int vx_upload_kernel_file(DeviceHandle device, const char *name, BufferHandle *buffer) {
  if (!device || !name || !buffer)
    return kFailed;
  Result<std::vector<uint8_t>> image = readFile(name);
  if (!image)
    return fail("vx_upload_kernel_file", image.error().message);
  return outcome("vx_upload_kernel_file",
                 deviceOf(device).upload(*image, baseName(name), symbolsOf(name)), buffer);
}

VX_EXPORT int vx_upload_bytes(DeviceHandle device, const void *content, uint64_t size,
                              BufferHandle *buffer) {
  return uploadBytes(device, content, size, buffer);
}

VX_EXPORT int vx_upload_file(DeviceHandle device, const char *name, BufferHandle *buffer) {
  if (!device || !name || !buffer)
    return kFailed;
  Result<std::vector<uint8_t>> bytes = readFile(name);
  if (!bytes)
    return fail("vx_upload_file", bytes.error().message);
  return uploadBytes(device, bytes->data(), bytes->size(), buffer);
}

/// Returns how many bytes of local memory each group of GROUPSIZE threads can have if as many
/// groups run on a core as fit; a failure if none fits.
VX_EXPORT int vx_check_occupancy(DeviceHandle device, uint32_t groupSize,
                                 uint32_t *maxLocalMemory) {
  if (!device || groupSize == 0)
    return kFailed;
  const SimConfig &c = deviceOf(device).config();
  if (groupSize > c.numWarps * c.numThreads)
    return fail("vx_check_occupancy", "a group of " + std::to_string(groupSize) +
                                          " threads does not fit on a core of " +
                                          std::to_string(c.numWarps * c.numThreads));
  uint32_t warpsPerGroup = (groupSize + c.numThreads - 1) / c.numThreads;
  if (maxLocalMemory)
    *maxLocalMemory = (uint32_t(1) << c.lmemLog2Size) / (c.numWarps / warpsPerGroup);
  return 0;
}

VX_EXPORT int vx_dump_perf(DeviceHandle device, std::FILE *stream) {
  if (!device || !stream)
    return kFailed;
  dumpCounters(deviceOf(device), stream);
  return 0;
}
