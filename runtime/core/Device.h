// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device driver: what the CUDA runtime needs from a Vortex device. It has the shape of Vortex's
// own driver API (vortex.h): open, capabilities, memory, copies, configuration registers, start,
// wait, counters; an address takes the place of a buffer handle. Backends are looked up by name.

#ifndef VX_RUNTIME_CORE_DEVICE_H
#define VX_RUNTIME_CORE_DEVICE_H

#include "simulator/api/Result.h"
#include "simulator/api/Simulator.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vx::rt {

/// The questions that a device answers; the first seven have the numbers of vortex.h.
enum class Cap : uint32_t {
  Version = 0,
  NumThreads = 1, ///< lanes of a warp
  NumWarps = 2,   ///< hardware warps of a core
  NumCores = 3,
  CacheLineSize = 4,
  GlobalMemSize = 5,
  LocalMemSize = 6, ///< bytes of a core's local memory
  IsaFlags = 7,
  NumBarriers = 0x100, ///< barrier ids of a core
  Xlen = 0x101,        ///< 32 or 64
  WarpIsa = 0x102,     ///< abi::IsaProfile that the device implements
  LocalMemBase = 0x103,
  StackBytes = 0x104,    ///< of one lane, where nothing else is asked for
  HostCode = 0x105,      ///< 1: runs code of the host CPU (abi::Lowering::Host)
  TakesSettings = 0x106, ///< 1: VX_SET changes the device
  Zicond = 0x108,        ///< 1: has conditional-zero instructions
  MaxStackBytes = 0x107, ///< the most that every lane can have; 0: no other than StackBytes
  TextureUnit = 0x10A,   ///< 1: has vx_tex (docs/reference/isa.md)
  SharesMemory = 0x109,  ///< 1: memShare(), memExport(), memImport(), memReplace() are there
};

enum MemAccess : uint8_t {
  kMemRead = 1,
  kMemWrite = 2,
  kMemExecute = 4,
  /// For memAlloc(): data of the runtime. It is not where memory of the program was that has been
  /// freed, as long as there is other room: kernels may still write there.
  kMemOfRuntime = 8,
};

/// Which of the program's devices one is.
struct DeviceIdentity {
  uint32_t number = 0; ///< as CUDA counts them
  uint32_t count = 1;  ///< of the program's devices
  /// Which part of the address space the device's memory is in: devices of different windows have
  /// no address in common, as far as their address spaces are large enough.
  uint32_t window = 0;
  std::string label; ///< for reports, where there may be several: "device 1"; else empty
};

/// Why the device stopped a kernel, in the classes that CUDA's error codes distinguish.
enum class FaultKind {
  None,
  MemoryAccess,
  Misaligned,
  IllegalInstruction,
  InvalidPc,
  StackOverflow,
  Timeout, ///< a deadlock or an exceeded limit
  Trap,    ///< __trap()
  Service, ///< an environment call that reports a failure; its number is in `code`
  Other,
};

struct Fault {
  FaultKind kind = FaultKind::None;
  std::string cause; ///< one line
  std::string detail;
  uint64_t pc = 0;
  uint32_t core = 0, warp = 0, lane = 0;
  uint64_t address = 0; ///< MemoryAccess, Misaligned, StackOverflow; Timeout: store waited for
  uint32_t accessBytes = 0;
  bool isWrite = false;
  uint64_t code = 0;
  /// Linear numbers of the lane's block and thread, if the device knows them (yet).
  std::optional<uint64_t> block, thread;
};

/// How a run ended: kind None when every warp ended by itself.
struct RunReport {
  Fault fault;
  std::optional<int> exitCode; ///< set when the program asked to end
};

struct MemInfo {
  uint64_t free = 0, total = 0;
};

class SharedPages;

/// One open device. Not thread-safe, except requestStop(). Every failure is a text; nothing throws.
class Device {
public:
  virtual ~Device() = default;

  /// E.g. "vx-sim, 4x8": for the device's name and messages.
  virtual std::string description() const = 0;
  /// 0 for a capability that the backend does not know.
  virtual uint64_t caps(Cap cap) const = 0;
  /// Returns how far images are moved, so that devices of different windows have theirs at
  /// different addresses.
  virtual uint64_t imageSlide() const { return 0; }

  /// Fresh memory of SIZE bytes (> 0), 256-byte aligned, with room around it that faults.
  virtual Result<uint64_t> memAlloc(uint64_t size, uint8_t access) = 0;
  /// Makes [address, address+size) usable; it must not overlap what is in use.
  virtual Result<void> memReserve(uint64_t address, uint64_t size, uint8_t access) = 0;
  /// Lets the device work on the program's own memory [address, address+size), at the same address
  /// and with atomic accesses that are atomic for the program's threads.
  virtual Result<void> memShare(uint64_t address, uint64_t size, uint8_t access) {
    return Failure{"the device has memory of its own"};
  }
  /// Changes who may access [address, address+size), which lies in what memAlloc() gave; access 0
  /// takes it from all. What is in the memory stays.
  virtual Result<void> memProtect(uint64_t address, uint64_t size, uint8_t access) {
    return Failure{"the device cannot protect memory"};
  }
  /// Moves the memory of SIZE bytes that memAlloc gave at ADDRESS to PAGES, which other devices can
  /// have, too. They stay until it is freed.
  virtual Result<void> memExport(uint64_t address, uint64_t size, SharedPages &pages) {
    return Failure{"the device has memory of its own"};
  }
  /// Lets the device work on SIZE bytes of PAGES at ADDRESS, where another device has them.
  virtual Result<void> memImport(uint64_t address, uint64_t size, SharedPages &pages) {
    return Failure{"the device has memory of its own"};
  }
  /// Imports them at a fresh address.
  virtual Result<uint64_t> memImport(uint64_t size, SharedPages &pages) {
    return Failure{"the device has memory of its own"};
  }
  /// Puts SIZE bytes of PAGES in the place of the memory at ADDRESS, whole pages of what memAlloc()
  /// gave, whose bytes are lost; null: fresh memory. Not accessible before memProtect().
  virtual Result<void> memReplace(uint64_t address, uint64_t size, SharedPages *pages) {
    return Failure{"the device has memory of its own"};
  }
  /// Gives back what memAlloc, memReserve, memShare or memImport gave at ADDRESS.
  virtual Result<void> memFree(uint64_t address) = 0;
  virtual MemInfo memInfo() const = 0;

  virtual Result<void> copyToDev(uint64_t destination, std::span<const uint8_t> source) = 0;
  virtual Result<void> copyFromDev(std::span<uint8_t> destination, uint64_t source) = 0;
  virtual Result<void> fill(uint64_t destination, uint8_t value, uint64_t size) = 0;

  virtual Result<void> dcrWrite(uint32_t address, uint32_t value) = 0;
  /// The value last written.
  virtual Result<uint32_t> dcrRead(uint32_t address) = 0;

  /// Gives each lane a stack of 1 << LOG2 bytes in the runs that follow, below the stack base
  /// (AddressMap.h). Devices without separate memory for stacks have nothing to do.
  virtual Result<void> setStackLog2Size(uint32_t) { return {}; }
  /// Says what the next start() runs, for reports. The image lives as long as the device.
  virtual void describeNextRun(const sim::RunInfo &) {}
  /// Who is to be told what the program's memory is; null: nothing is checked (VX_CHECK).
  virtual sim::Checker *checker() { return nullptr; }
  /// Starts all cores at ENTRY with mscratch = ARGUMENT; readyWait() must follow.
  virtual Result<void> start(uint64_t entry, uint64_t argument) = 0;
  /// Until the run has ended.
  virtual RunReport readyWait() = 0;
  /// Asks a run in progress to stop soon; callable from any thread and from signal handlers.
  virtual void requestStop() = 0;

  /// Device cycles of all runs so far.
  virtual uint64_t cycles() const = 0;
  /// kHz; what converts cycles to time.
  virtual uint32_t clockKHz() const { return 1000000; }
  /// Returns what cycles() count, where that is not what the user may expect and was not chosen;
  /// else empty.
  virtual std::string clockNote() const { return {}; }
  /// Statistics count anew from an enabling on and stay as they are at a disabling.
  virtual void enableCounters(bool) {}
  /// Writes what was asked for (VX_STATS) when the program ends.
  virtual void finish() {}
};

/// A backend: its name for VX_BACKEND and how to open its device.
struct Backend {
  const char *name;
  Result<std::unique_ptr<Device>> (*open)(const DeviceIdentity &);
};

/// The backends that are linked in, the default one first. This and openDevice are in backends/,
/// which core does not include.
std::span<const Backend> builtinBackends();

/// Opens the device of the backend called NAME: a linked-in one (empty: the default), else a
/// library with the functions of vortex.h (backends/library).
Result<std::unique_ptr<Device>> openDevice(std::string_view name,
                                           const DeviceIdentity &identity = {});

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_DEVICE_H
