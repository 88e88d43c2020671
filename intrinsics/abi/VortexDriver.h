// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The binary interface of Vortex's device drivers, which is that of its vortex.h: handles, numbers
// and the table of functions by which its libvortex.so calls the driver that it has loaded. Plain C
// types; a driver library of Vortex, of any version since 2024, and a program compiled against its
// header agree with this.

#ifndef VX_ABI_VORTEX_DRIVER_H
#define VX_ABI_VORTEX_DRIVER_H

#include <cstddef>
#include <cstdint>

namespace vx::abi {

using VortexDeviceHandle = void *;
using VortexBufferHandle = void *;

/// The capabilities that vx_dev_caps can be asked for.
enum VortexCap : uint32_t {
  kVortexVersion = 0,
  kVortexNumThreads = 1,
  kVortexNumWarps = 2,
  kVortexNumCores = 3,
  kVortexCacheLineSize = 4,
  kVortexGlobalMemSize = 5,
  kVortexLocalMemSize = 6,
  kVortexIsaFlags = 7,
  kVortexNumMemBanks = 8,
  kVortexMemBankSize = 9,
  kVortexNumClusters = 10,
  kVortexSocketSize = 11,
  kVortexIssueWidth = 12,
};

/// Returns the bit of a letter in kVortexIsaFlags, which has the letters of misa, bits 30 and 31 =
/// log2(XLEN) - 4, and what Vortex calls extensions.
constexpr uint64_t vortexIsaLetter(char letter) {
  return uint64_t(1) << (letter - 'A');
}
constexpr unsigned kVortexIsaXlenShift = 30;
enum VortexIsaExtension : unsigned {
  kVortexIsaIcache = 32,
  kVortexIsaDcache = 33,
  kVortexIsaL2 = 34,
  kVortexIsaL3 = 35,
  kVortexIsaLocalMemory = 36,
  kVortexIsaZicond = 37,
  /// Ours: the profile `warp`, with member masks and vx_tile. Vortex's drivers leave it 0.
  kVortexIsaWarp = 48,
};

enum VortexAccess : int { kVortexRead = 1, kVortexWrite = 2 };

/// The table that a driver's vx_dev_init fills in, in the order of Vortex's callbacks_t. All return
/// 0 for success.
struct VortexCallbacks {
  int (*devOpen)(VortexDeviceHandle *);
  int (*devClose)(VortexDeviceHandle);
  int (*devCaps)(VortexDeviceHandle, uint32_t id, uint64_t *value);
  int (*memAlloc)(VortexDeviceHandle, uint64_t size, int flags, VortexBufferHandle *);
  int (*memReserve)(VortexDeviceHandle, uint64_t address, uint64_t size, int flags,
                    VortexBufferHandle *);
  int (*memFree)(VortexBufferHandle);
  int (*memAccess)(VortexBufferHandle, uint64_t offset, uint64_t size, int flags);
  int (*memAddress)(VortexBufferHandle, uint64_t *address);
  int (*memInfo)(VortexDeviceHandle, uint64_t *free, uint64_t *used);
  int (*copyToDev)(VortexBufferHandle, const void *, uint64_t offset, uint64_t size);
  int (*copyFromDev)(void *, VortexBufferHandle, uint64_t offset, uint64_t size);
  int (*start)(VortexDeviceHandle, VortexBufferHandle kernel, VortexBufferHandle arguments);
  int (*readyWait)(VortexDeviceHandle, uint64_t milliseconds);
  int (*dcrRead)(VortexDeviceHandle, uint32_t address, uint32_t *value);
  int (*dcrWrite)(VortexDeviceHandle, uint32_t address, uint32_t value);
  int (*mpmQuery)(VortexDeviceHandle, uint32_t address, uint32_t core, uint64_t *value);
};
static_assert(sizeof(VortexCallbacks) == 16 * sizeof(void *));

/// The name of the function that fills the table in.
constexpr const char *kVortexInitName = "vx_dev_init";
using VortexInit = int (*)(VortexCallbacks *);

} // namespace vx::abi

#endif // VX_ABI_VORTEX_DRIVER_H
