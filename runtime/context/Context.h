// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All state of an opened device: memory, modules, streams, limits, the sticky error. The API
// functions are thin shells around it. Each device of the program has a primary context; Runtime.h
// says which contexts there are and which is whose.

#ifndef VX_RUNTIME_CONTEXT_CONTEXT_H
#define VX_RUNTIME_CONTEXT_CONTEXT_H

#include "driver_types.h"
#include "runtime/context/ContextExtension.h"
#include "runtime/context/Handles.h"
#include "runtime/core/Device.h"
#include "runtime/core/Scheduler.h"
#include "runtime/image/FatBinary.h"
#include "runtime/image/Module.h"
#include "runtime/image/Registry.h"
#include "runtime/launch/FaultReport.h"
#include "runtime/memory/HostMemory.h"
#include "runtime/memory/PeerMemory.h"
#include "runtime/plan/LaunchPlan.h"
#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vx::rt {

/// A launch that passed its checks, ready to be enqueued.
struct LaunchRequest {
  Kernel *kernel = nullptr;
  Dim grid, block;
  uint64_t dynSharedBytes = 0;
  bool cooperative = false;
  std::optional<int> priority;                ///< of this launch, where it is not the stream's
  const abi::KernelRecord *variant = nullptr; ///< of the kernel
  LaunchPlan plan;
  uint64_t stackBytes = 0; ///< of a lane, a power of two
  std::vector<uint8_t> arguments;
  std::optional<Dim> cluster; ///< none: the kernel's own, if it has one
  Dim clusterDim;             ///< what comes of that
  /// Of a cluster, if the kernel makes use of it; else 1: its blocks may run anywhere.
  uint32_t clusterBlocks = 1;
  // Launches of device code (DeviceLaunches.h).
  const Kernel *launchedBy = nullptr; ///< null: the host
  uint64_t firstBlock = 0;            ///< of this run, and where it ends; 0: with the grid
  uint64_t endBlock = 0;
  std::shared_ptr<const sim::RunAnnotations> annotations; ///< of the program; may be null
};

/// Where a pointer of the program points.
enum class PointerSpace { Host, Device };

struct ContextLimits {
  uint64_t stackBytes = 0; ///< what every lane has at least
  uint64_t printfBytes = 1 << 20;
  uint64_t heapBytes = 8 << 20;
  uint64_t syncDepth = 2;          ///< of device code that waits for its own launches
  uint64_t pendingLaunches = 2048; ///< of device code
  uint64_t fetchBytes = 64;        ///< cudaLimitMaxL2FetchGranularity, a hint without effect
};

/// What the environment asks for.
struct ContextOptions {
  abi::Lowering lowering = abi::Lowering::Auto;
  bool saysFallback = false;                        ///< of kernels that run in their sw variant
  bool usesTextureUnit = true;                      ///< where the device has one
  std::optional<abi::Mapping> hwMapping, swMapping; ///< of the two lowerings; none: as is faster
};

class Context {
public:
  Context(std::unique_ptr<Device> device, const ContextOptions &options,
          const DeviceIdentity &identity = {}, uint64_t id = 0);
  /// Waits for all work.
  ~Context();

  /// No other context of the process has had this number.
  uint64_t id() const { return contextId; }
  const DeviceIdentity &identity() const { return place; }
  /// Returns true if a function of the runtime API, rather than of the driver API, has used it.
  bool isUsedByRuntime() const { return usedByRuntime.load(std::memory_order_relaxed); }
  void noteRuntimeUse() { usedByRuntime.store(true, std::memory_order_relaxed); }

  const DeviceShape &shape() const { return deviceShape; }
  /// Returns true if textures are sampled by the device's texture unit where it can (VX_TEXTURES).
  bool usesTextureUnit() const {
    return options.usesTextureUnit && driver->caps(Cap::TextureUnit) != 0;
  }
  Scheduler &scheduler() { return work; }
  Handles &handles() { return objects; }
  /// The host memory that the device knows of. For use as device().
  HostMappings &hostMappings() { return hostRegions; }
  /// What a folder above core keeps for the context.
  template <typename T> T &extension() { return extensions.get<T>(*this); }
  /// For use inside an operation or Scheduler::withDevice only.
  Device &device() { return *driver; }
  uint64_t deviceCycles() const { return cycles.load(); }
  uint32_t clockKHz() const { return driver->clockKHz(); }
  /// Has it said what event times are, where the user may expect something else.
  void noteEventClock() const;
  std::string deviceName() const;
  uint64_t totalMemory() const { return memoryBytes; }
  /// Of the device's pointers: with 64, all pointers of the program can be the device's, too.
  unsigned pointerBits() const { return unsigned(addressBits); }
  /// Returns true if the device can work on the program's own memory (HostMemory.h).
  bool sharesMemory() const { return hasSharedMemory; }
  /// Returns true if the program's memory accesses are checked (VX_CHECK).
  bool isChecked() const { return driver->checker() != nullptr; }

  /// The error of a kernel that was stopped: nothing works any more. cudaSuccess: none.
  cudaError_t stickyError() const { return sticky.load(); }
  void setStickyError(cudaError_t error);
  /// A message on stderr, unless it has been printed before.
  void printOnce(const std::string &text);

  /// The device no longer uses REGION. Waits for a kernel that runs.
  void forgetHostRegion(const HostRegion &region);

  // Memory (ContextMemory.cpp).
  cudaError_t allocate(uint64_t size, uint64_t &address);
  cudaError_t release(uint64_t address);
  /// The two steps of release: the address is not memory of the program's any more, and, in an
  /// operation or Scheduler::withDevice, the memory is given back. False if it was none.
  bool forget(uint64_t address);
  /// The program has asked CALL to free ADDRESS, which is not there to be freed.
  void noteWrongFree(uint64_t address, const char *call);
  /// A launch of KERNEL has failed before it began, with ERROR, in words.
  void noteFailedLaunch(const Kernel &kernel, const std::string &error);
  void remember(uint64_t address); ///< undoes forget
  cudaError_t giveBack(uint64_t address);
  /// Device addresses for memory that is accessible later, a multiple of pages from a page on.
  cudaError_t reserveAddresses(uint64_t size, uint64_t &address);
  cudaError_t releaseAddresses(uint64_t address);
  /// Changes who may access part of them: bits of MemAccess.
  cudaError_t setAccess(uint64_t address, uint64_t size, uint8_t access);
  /// Puts PAGES, or fresh memory, in the place of part of them; not accessible.
  cudaError_t replaceMemory(uint64_t address, uint64_t size, SharedPages *pages);
  /// SIZE bytes at ADDRESS, which are accessible, are (no longer) memory that copies may touch.
  void noteRange(uint64_t address, uint64_t size);
  void forgetRange(uint64_t address);
  MemInfo memInfo();
  /// Returns true if ADDRESS is what allocate() returned.
  bool isAllocation(uint64_t address);
  /// The pages of the allocation at ADDRESS, which are the device's memory from here on; null (and
  /// a message) if there is no such allocation or the system has no memory.
  std::shared_ptr<SharedPages> sharePages(uint64_t address);
  /// Makes pages of another process memory of the device, at ADDRESS.
  cudaError_t importPages(std::shared_ptr<SharedPages> pages, uint64_t size, uint64_t &address);
  /// Ends what importPages() began.
  cudaError_t closeImport(uint64_t address);
  /// Enters the allocation at ADDRESS, if there still is one, in LIST until it is given back.
  cudaError_t exportTo(uint64_t address, std::shared_ptr<ExportList> list);
  /// Lets kernels access the memory of PEER, from the next launch on, and no longer. The device has
  /// to share memory.
  cudaError_t enablePeer(Context &peer);
  cudaError_t disablePeer(Context &peer);
  bool isPeerEnabled(const Context &peer) const { return peers.isEnabled(peer.id()); }
  /// The allocation or device variable that holds ADDRESS.
  std::optional<AddressRange> findDeviceRange(uint64_t address);
  bool isDeviceRange(uint64_t address, uint64_t size);
  cudaError_t read(uint64_t address, std::span<uint8_t> bytes);
  cudaError_t write(uint64_t address, std::span<const uint8_t> bytes);
  cudaError_t fill(uint64_t address, uint8_t value, uint64_t size);
  /// The same outside of the context's operations (and in them): take the device for themselves.
  cudaError_t readAlone(uint64_t address, std::span<uint8_t> bytes);
  cudaError_t writeAlone(uint64_t address, std::span<const uint8_t> bytes);
  cudaError_t fillAlone(uint64_t address, uint8_t value, uint64_t size);

  // Kernels and variables (ContextModules.cpp).
  cudaError_t findKernel(const void *hostFunction, Kernel *&kernel);
  cudaError_t findVariable(const void *hostVariable, Module *&module, AddressRange &range);
  /// Reads FAT now and puts it on the device; after errors, why not. Nothing is printed. LOG: what
  /// the compiler of NVVM IR said.
  cudaError_t load(const FatModule *fat, Module *&module, std::string &log);
  /// Inside an operation: MODULE's variables are on the device from here on.
  cudaError_t useModule(Module &module);
  void forgetModule(const FatModule *module);

  // Launches (ContextLaunch.cpp).
  /// Checks everything that can be checked before the launch and fills in PLAN.
  cudaError_t prepare(LaunchRequest &request);
  /// How a launch is laid out, the variant of the kernel that it takes, and its estimated cycles.
  struct MappingChoice {
    LaunchPlan plan;
    const abi::KernelRecord *variant = nullptr;
    std::optional<double> cycles;
  };
  /// The fastest mapping of the lowering of VARIANT that REQUEST can have, or that the environment
  /// names.
  std::optional<MappingChoice> chooseMapping(const LaunchRequest &request,
                                             const abi::KernelRecord &variant) const;
  /// The plan for REQUEST, whose variant it sets; none if the device cannot hold it.
  std::optional<LaunchPlan> choosePlan(LaunchRequest &request) const;
  cudaError_t prepareCluster(LaunchRequest &request);
  /// The variant of KERNEL that a launch takes; null (and a message, once) if none can run here.
  const abi::KernelRecord *variantOf(const Kernel &kernel);
  /// The same; the first one there is, and no message, if none can run here.
  const abi::KernelRecord &recordOf(const Kernel &kernel) const;
  void launch(const std::shared_ptr<Stream> &stream, LaunchRequest request);
  /// What a launch does when it is its turn.
  void runKernel(const LaunchRequest &request);

  /// Writes what kernels have printed to stdout: where the program waits for them, and at the end.
  void showPrinted();

  ContextLimits limits();
  cudaError_t setStackBytes(uint64_t bytes);
  cudaError_t setPrintfBytes(uint64_t bytes);
  cudaError_t setHeapBytes(uint64_t bytes);
  /// Of launches from here on.
  void setSyncDepth(uint64_t depth);
  cudaError_t setPendingLaunches(uint64_t count);
  void setFetchBytes(uint64_t bytes);

private:
  /// Device memory that grows when a launch needs more.
  struct Scratch {
    uint64_t address = 0, bytes = 0;
  };

  Result<Module *> moduleOf(const FatModule *fat, cudaError_t &error);
  ImageChoice imageChoice() const;
  Result<std::unique_ptr<Module>> loadModule(const FatModule *fat, cudaError_t &error);
  Result<std::unique_ptr<Module>> compileModule(const FatModule *fat, const FatImage &ir,
                                                bool defersSw, cudaError_t &error);
  bool lacksSoftware(const Module &module) const;
  Result<void> makeResident(Module &module);
  Result<void> setManagedPointers(const Module &module, const FatModule *fat);
  Result<std::shared_ptr<SharedPages>> exportPages(uint64_t address);
  const abi::KernelRecord *findVariant(const Kernel &kernel) const;
  Result<void> makeReady(Module &module, uint64_t stackBytes);

  friend class DeviceLaunches;
  /// Runs the blocks of REQUEST that its range names.
  void runBlocks(const LaunchRequest &request);
  Result<uint64_t> writeDescriptor(const LaunchRequest &request, abi::LaunchDescriptor &descriptor);
  Result<void> writeClusters(const LaunchRequest &request, abi::LaunchDescriptor &descriptor);
  void noteStatus(RunReport &report, const abi::LaunchDescriptor &descriptor);
  Result<void> ensureServices();
  Result<void> ensureScratch(Scratch &scratch, uint64_t bytes);
  cudaError_t drop(Scratch &scratch);
  Result<std::string> drainPrintf();
  void keepPrinted(const std::string &text);
  bool isHeapUsed();
  void handleFault(const Fault &fault, const LaunchRequest &request,
                   const abi::LaunchDescriptor &descriptor);
  std::string readDeviceString(uint64_t address);
  void failDevice(const Failure &failure);

  std::unique_ptr<Device> driver;
  ContextOptions options;
  DeviceShape deviceShape;
  uint64_t memoryBytes = 0, addressBits = 0;
  bool hasSharedMemory = false;
  DeviceIdentity place;
  uint64_t contextId;
  std::atomic<cudaError_t> sticky{cudaSuccess};
  std::atomic<bool> usedByRuntime{false};
  std::atomic<uint64_t> cycles{0};

  std::mutex metadata; // allocations, modules, limits; never held while the device is waited for
  struct Allocation {
    uint64_t size = 0;
    std::shared_ptr<SharedPages> pages; ///< of one that others can have; else null
    std::shared_ptr<ExportList> list;   ///< of exportTo(); else null
    bool isImported = false;            ///< from another process
    bool isKept = false;                ///< by a pool: no memory of the program's at present
    bool isOfProgram() const { return !isImported && !isKept; } ///< who may free it
  };
  std::map<uint64_t, Allocation> allocations; // by their bases
  std::map<uint64_t, uint64_t> notedRanges;   // of noteRange(): base -> size
  std::map<const FatModule *, std::unique_ptr<Module>> modules;
  std::map<const FatModule *, cudaError_t> brokenModules;
  std::set<std::string> printed;
  std::string unseenText;             ///< of kernels; showPrinted()
  bool hasPrinted = false;            ///< a kernel has
  std::set<const Kernel *> mentioned; // kernels that are refused or fall back are said once
  ContextLimits wanted;

  PeerMappings peers;
  std::shared_ptr<ExportList> exports; // null until a peer may access the memory

  // Only used by operations on the device.
  Scratch services, longArguments, printfBuffer, heap, sharedScratch, contextScratch, spillScratch;
  Scratch launchQueue, clusters;
  uint32_t deviceHandles = 0; ///< streams and events that device code has made
  HostMappings hostRegions;
  Handles objects;
  ContextExtensions extensions;
  Scheduler work; // last: its operations use the rest
};

/// A message of the runtime on stderr.
void printMessage(const std::string &text);

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_CONTEXT_H
