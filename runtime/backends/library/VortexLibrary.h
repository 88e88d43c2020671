// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver library of Vortex with one open device. Buffers are known by their addresses. All
// functions return 0 for success.

#ifndef VX_RUNTIME_BACKENDS_LIBRARY_VORTEXLIBRARY_H
#define VX_RUNTIME_BACKENDS_LIBRARY_VORTEXLIBRARY_H

#include "simulator/api/Result.h"
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace vx::rt {

class VortexLibrary {
public:
  virtual ~VortexLibrary() = default;

  virtual int caps(uint32_t id, uint64_t &value) = 0;
  virtual int allocate(uint64_t size, int flags, uint64_t &address) = 0;
  virtual int reserve(uint64_t address, uint64_t size, int flags) = 0;
  virtual int free(uint64_t address) = 0;
  virtual int info(uint64_t &free, uint64_t &used) = 0;
  /// To and from the buffer at BASE, from OFFSET on.
  virtual int copyTo(uint64_t base, uint64_t offset, std::span<const uint8_t> source) = 0;
  virtual int copyFrom(std::span<uint8_t> destination, uint64_t base, uint64_t offset) = 0;
  virtual int start(uint64_t kernel, uint64_t arguments) = 0;
  virtual int wait(uint64_t milliseconds) = 0;
  virtual int readRegister(uint32_t address, uint32_t &value) = 0;
  virtual int writeRegister(uint32_t address, uint32_t value) = 0;
  virtual int counter(uint32_t csr, uint32_t core, uint64_t &value) = 0;

  /// Returns true if the library is a driver that Vortex's libvortex.so would load (vx_dev_init),
  /// rather than one with the functions of vortex.h.
  virtual bool isDriver() const = 0;
  /// Why the library can no longer be called; empty: it can be.
  virtual std::string endedBy() const { return {}; }
};

/// Loads FILE into this process and opens its device.
Result<std::unique_ptr<VortexLibrary>> loadVortexLibrary(const std::string &file);

/// Opens the library in a child process. Vortex's simulators abort the process on a fault of the
/// guest; that is then the end of the child (endedBy()), and further calls fail.
Result<std::unique_ptr<VortexLibrary>> forkVortexLibrary(const std::string &file);

} // namespace vx::rt

#endif // VX_RUNTIME_BACKENDS_LIBRARY_VORTEXLIBRARY_H
