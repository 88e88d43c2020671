// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a context that all parts of it use: the open device, the order of its work, what
// was asked for, and the sticky error.

#ifndef VX_RUNTIME_CORE_CONTEXTSTATE_H
#define VX_RUNTIME_CORE_CONTEXTSTATE_H

#include "driver_types.h"
#include "runtime/core/Device.h"
#include "runtime/core/DeviceShape.h"
#include "runtime/core/Scheduler.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace vx::rt {

/// The options that the environment sets.
struct ContextOptions {
  abi::Lowering lowering = abi::Lowering::Auto;
  bool saysFallback = false;                        ///< of kernels that run in their sw variant
  bool usesTextureUnit = true;                      ///< where the device has one
  std::optional<abi::Mapping> hwMapping, swMapping; ///< of the two lowerings; none: as is faster
};

class ContextState {
public:
  ContextState(std::unique_ptr<Device> device, const ContextOptions &options,
               const DeviceIdentity &identity, uint64_t id);
  ContextState(const ContextState &) = delete;

  /// No other context of the process has had this number.
  uint64_t id() const { return contextId; }
  const DeviceIdentity &identity() const { return place; }
  /// Returns true if a function of the runtime API, rather than of the driver API, has used it.
  bool isUsedByRuntime() const { return usedByRuntime.load(std::memory_order_relaxed); }
  void noteRuntimeUse() { usedByRuntime.store(true, std::memory_order_relaxed); }

  const ContextOptions &options() const { return asked; }
  const DeviceShape &shape() const { return deviceShape; }
  /// Returns true if the device runs code of the host CPU.
  bool runsHostCode() const { return opened->caps(Cap::HostCode) != 0; }
  /// Returns true if textures are sampled by the device's texture unit where it can (VX_TEXTURES).
  bool usesTextureUnit() const {
    return asked.usesTextureUnit && opened->caps(Cap::TextureUnit) != 0;
  }
  Scheduler &scheduler() { return work; }
  /// For use inside an operation or Scheduler::withDevice only.
  Device &device() { return *opened; }
  /// The cycles of the launches that have ended.
  uint64_t deviceCycles() const { return cycles.load(); }
  /// Updates deviceCycles(); returns by how much.
  uint64_t countCycles();
  uint32_t clockKHz() const { return opened->clockKHz(); }
  /// Has it said what event times are, where the user may expect something else.
  void noteEventClock() const;
  std::string deviceName() const;
  uint64_t totalMemory() const { return memoryBytes; }
  /// Returns the size of the device's pointers: with 64, all pointers of the program can be the
  /// device's, too.
  unsigned pointerBits() const { return unsigned(addressBits); }
  /// Returns true if the device can work on the program's own memory (HostMemory.h).
  bool sharesMemory() const { return hasSharedMemory; }
  /// Returns true if the program's memory accesses are checked (VX_CHECK).
  bool isChecked() const { return opened->checker() != nullptr; }

  /// The error of a kernel that was stopped: nothing works any more. cudaSuccess: none.
  cudaError_t stickyError() const { return sticky.load(); }
  void setStickyError(cudaError_t error);
  /// The device has failed: prints why and makes the error sticky.
  void failDevice(const Failure &failure);
  /// A message on stderr, unless it has been printed before.
  void printOnce(const std::string &text);

private:
  const std::unique_ptr<Device> opened;
  const ContextOptions asked;
  const DeviceShape deviceShape;
  const uint64_t memoryBytes, addressBits;
  const bool hasSharedMemory;
  const DeviceIdentity place;
  const uint64_t contextId;
  std::atomic<cudaError_t> sticky{cudaSuccess};
  std::atomic<bool> usedByRuntime{false};
  std::atomic<uint64_t> cycles;
  std::mutex mutex; // printed
  std::set<std::string> printed;
  Scheduler work; // last: its operations use the rest
};

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_CONTEXTSTATE_H
