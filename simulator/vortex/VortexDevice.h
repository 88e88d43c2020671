// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device of Vortex's driver interface: buffers, runs and counters over a simulator. It behaves as
// SimX's driver does where programs depend on it (addresses, permissions, counters that start at 0
// with each run), but a fault of the guest is a failure of the run, with a report, instead of the
// end of the process.

#ifndef VX_SIMULATOR_VORTEX_VORTEXDEVICE_H
#define VX_SIMULATOR_VORTEX_VORTEXDEVICE_H

#include "simulator/api/ElfImage.h"
#include "simulator/api/Environment.h"
#include "simulator/api/Simulator.h"
#include "simulator/vortex/BlockAllocator.h"
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace vx::sim {

class VortexDevice;

/// Memory of a device that the program holds a handle of.
struct VortexBuffer {
  VortexDevice *device = nullptr;
  uint64_t address = 0, size = 0;
  bool isReserved = false;               ///< its address was chosen by the program, as for images
  bool isExecutable = false;             ///< what its address holds
  uint64_t threadStorage = 0;            ///< bytes mapped after it
  std::string name;                      ///< of the image in it, for reports
  std::shared_ptr<const ElfImage> image; ///< symbols and lines of it; null: unknown
};

/// The device of a driver library: its name in messages, its configuration where the environment
/// says nothing, and what makes the simulator.
struct DriverKind {
  const char *name;
  SimConfig defaults;
  Result<std::unique_ptr<Simulator>> (*create)(const SimConfig &);
};

/// Each driver library defines its own.
DriverKind driverKind();

/// The simulators of this project, in timing mode unless VX_MODE is functional.
DriverKind simulatorKind();

class VortexDevice {
public:
  /// A simulator as the environment says.
  static Result<std::unique_ptr<VortexDevice>> open(const DriverKind &kind = simulatorKind());
  /// Waits for the run, then writes the reports that were asked for.
  ~VortexDevice();

  const SimConfig &config() const { return simulator->config(); }
  /// Returns nothing for an ID that is not known.
  std::optional<uint64_t> capability(uint32_t id) const;

  Result<VortexBuffer *> allocate(uint64_t size, int flags);
  Result<VortexBuffer *> reserve(uint64_t address, uint64_t size, int flags);
  Result<void> release(VortexBuffer *buffer);
  Result<void> setAccess(VortexBuffer &buffer, uint64_t offset, uint64_t size, int flags);
  uint64_t freeBytes() const { return allocator.capacity() - allocator.used(); }
  uint64_t usedBytes() const { return allocator.used(); }

  Result<void> write(VortexBuffer &buffer, uint64_t offset, std::span<const uint8_t> bytes);
  Result<void> read(VortexBuffer &buffer, uint64_t offset, std::span<uint8_t> bytes);

  /// Reserves and fills the memory of an image, a .vxbin or an ELF. NAME is for reports; SYMBOLS,
  /// an ELF file or nothing, says what the addresses of a .vxbin are.
  Result<VortexBuffer *> upload(std::span<const uint8_t> image, std::string name,
                                std::span<const uint8_t> symbols = {});

  /// Starts all cores at KERNEL with mscratch = ARGUMENTS, when the run before has ended.
  Result<void> start(VortexBuffer &kernel, VortexBuffer &arguments);
  enum class Wait { Ended, Stopped, TimedOut };
  /// Until the last run has ended; Stopped: by a fault, which has been reported.
  Wait wait(uint64_t milliseconds);

  void writeRegister(uint32_t address, uint32_t value);
  std::optional<uint32_t> readRegister(uint32_t address) const;
  /// A counter that the program on CORE has left, or the simulator's where it left none.
  std::optional<uint64_t> counter(uint32_t csr, uint32_t core);

private:
  VortexDevice(const char *name, std::unique_ptr<Simulator> simulator, Environment environment);

  void finishRun() const;
  bool run(std::string name, std::shared_ptr<const ElfImage> image);
  Result<void> prepareCode(VortexBuffer &kernel);
  Result<VortexBuffer *> add(uint64_t address, uint64_t size, int flags, bool isReserved);
  Result<void> mapSlack(const VortexBuffer &buffer);
  void finishReports();

  const char *driver; ///< its name
  std::unique_ptr<Simulator> simulator;
  Environment environment;
  BlockAllocator allocator;
  std::map<uint64_t, std::unique_ptr<VortexBuffer>> buffers; // by address
  std::map<uint32_t, uint32_t> registers;
  mutable std::shared_future<bool> running; // whether the run ended by itself
  Stats total, last;                        // of all runs, and of the last one
  std::vector<KernelStats> kernels;
  bool reportsAreFinished = false;
};

} // namespace vx::sim

#endif // VX_SIMULATOR_VORTEX_VORTEXDEVICE_H
