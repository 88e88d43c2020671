// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch part of Context. A launch is checked when the program asks for it (prepare) and runs
// when the stream reaches it (runKernel):
//
//   module on the device -> memory the device shares with the host -> scratch memory -> arguments
//   and descriptor -> start, wait -> what the kernel printed -> shared memory back -> faults

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/Cluster.h"
#include "intrinsics/abi/SymbolNames.h"
#include "runtime/context/Context.h"
#include "runtime/context/DeviceLaunches.h"
#include "runtime/core/Annotations.h"
#include "runtime/launch/LaunchAdvice.h"
#include "runtime/launch/LaunchLog.h"
#include "runtime/launch/Printf.h"
#include "runtime/plan/ClusterPlan.h"
#include "runtime/plan/CostModel.h"
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace vx::rt {

// The service area: descriptor, status and arguments, one launch at a time. The few kernels that
// take more arguments have memory of their own for them.
static constexpr uint64_t kStatusOffset = 256;
static constexpr uint64_t kArgumentsOffset = 512;
static constexpr uint64_t kServiceArgumentBytes = 4096;
static constexpr uint64_t kServiceBytes = kArgumentsOffset + kServiceArgumentBytes;

template <typename T> static std::span<const uint8_t> bytesOf(const T &value) {
  return {reinterpret_cast<const uint8_t *>(&value), sizeof value};
}
template <typename T> static std::span<uint8_t> writableBytesOf(T &value) {
  return {reinterpret_cast<uint8_t *>(&value), sizeof value};
}

const abi::KernelRecord *Context::findVariant(const Kernel &kernel) const {
  bool host = driver->caps(Cap::HostCode) != 0;
  return kernel.variant(host ? abi::Lowering::Sw : options.lowering, deviceShape);
}

const abi::KernelRecord &Context::recordOf(const Kernel &kernel) const {
  const abi::KernelRecord *record = findVariant(kernel);
  return record ? *record : kernel.record;
}

const abi::KernelRecord *Context::variantOf(const Kernel &kernel) {
  const abi::KernelRecord *record = findVariant(kernel);
  if (driver->caps(Cap::HostCode) || (record && !options.saysFallback))
    return record;
  std::lock_guard lock(metadata);
  if (mentioned.insert(&kernel).second) {
    std::string text = record ? describeFallback(kernel, deviceShape)
                              : describeRefusal(kernel, options.lowering, deviceShape,
                                                driver->caps(Cap::TakesSettings) != 0);
    if (!text.empty())
      printMessage(text);
  }
  return record;
}

static PlanRequest describe(const LaunchRequest &request) {
  uint32_t threads = uint32_t(request.block.count());
  return {threads, uint32_t(request.dynSharedBytes), request.grid.count(),
          request.block.x == threads};
}

static std::optional<LaunchPlan> planRequest(const LaunchRequest &request,
                                             const abi::KernelRecord &record,
                                             const DeviceShape &shape, abi::Mapping mapping) {
  PlanRequest asked = describe(request);
  return request.clusterBlocks > 1
             ? planClusters(record, shape, asked, mapping, request.clusterBlocks)
             : planLaunch(record, shape, asked, mapping);
}

/// True if all blocks of REQUEST are resident where it asks for that.
static bool isResident(const LaunchRequest &request, const LaunchPlan &plan) {
  return !request.cooperative || request.grid.count() <= plan.blocksAtOnce;
}

/// True if a cooperative REQUEST has no more blocks than the occupancy functions say.
static bool isWithinOccupancy(const LaunchRequest &request, const DeviceShape &shape) {
  if (!request.cooperative)
    return true;
  uint64_t perCore = occupancyOf(request.plan, *request.variant, shape,
                                 uint32_t(request.block.count()), request.dynSharedBytes);
  return request.grid.count() <= perCore * shape.numCores;
}

/// Where the environment names a mapping, it is the last one (Mappings.def) that the launch can
/// have up to that. The first one takes whatever the others do not.
std::optional<Context::MappingChoice>
Context::chooseMapping(const LaunchRequest &request, const abi::KernelRecord &variant) const {
  const abi::Mapping first = abi::firstMapping(variant);
  const abi::Lowering lowering = abi::infoOf(first).lowering;
  const std::optional<abi::Mapping> &wanted =
      lowering == abi::Lowering::Hw ? options.hwMapping : options.swMapping;
  auto plan = [&](abi::Mapping mapping,
                  const abi::KernelRecord &record) -> std::optional<MappingChoice> {
    std::optional<LaunchPlan> p = planRequest(request, record, deviceShape, mapping);
    if (!p)
      return std::nullopt;
    return MappingChoice{*p, &record, estimateCycles(*p, record, deviceShape, describe(request))};
  };
  std::optional<MappingChoice> best = plan(first, variant);
  for (uint32_t m = abi::kNumMappings; m-- > 0;) {
    abi::Mapping mapping = abi::Mapping(m);
    const abi::KernelRecord *record = request.kernel->variantFor(mapping);
    if (abi::infoOf(mapping).lowering != lowering || mapping == first || !record ||
        (wanted && mapping > *wanted))
      continue;
    std::optional<MappingChoice> choice = plan(mapping, *record);
    if (!choice || !isResident(request, choice->plan))
      continue;
    if (wanted)
      return choice;
    double margin =
        mapping == abi::Mapping::Coarsened ? coarseningMargin(variant.groupThreads != 0) : 1;
    if (!best || !isResident(request, best->plan) ||
        (choice->cycles && best->cycles && *choice->cycles * margin < *best->cycles))
      best = choice;
  }
  return best;
}

static std::string describeStackRoom(const DeviceShape &shape) {
  return "with " + std::to_string(uint64_t(shape.lanes()) * shape.numCores) +
         " lanes, the device has room for stacks of " + std::to_string(shape.maxStackBytes) +
         " bytes";
}

std::optional<LaunchPlan> Context::choosePlan(LaunchRequest &request) const {
  std::optional<MappingChoice> choice = chooseMapping(request, *request.variant);
  const abi::KernelRecord *software = request.kernel->softwareVariant();
  if (options.lowering == abi::Lowering::Auto && software && software != request.variant &&
      !driver->caps(Cap::HostCode)) {
    // The sw variant needs less room for a block, and lanes that would idle run other blocks.
    bool needsRoom = !choice && (request.clusterBlocks > 1 ||
                                 !abi::isFor(*request.variant, abi::Mapping::Hardware));
    bool mayBeFaster = choice && choice->cycles && !options.saysFallback && !options.hwMapping;
    std::optional<MappingChoice> other;
    if (needsRoom || mayBeFaster)
      other = chooseMapping(request, *software);
    if (other && (needsRoom || (other->cycles && isResident(request, other->plan) &&
                                *other->cycles * kLoweringMargin < *choice->cycles)))
      choice = other;
  }
  if (!choice)
    return std::nullopt;
  request.variant = choice->variant;
  return choice->plan;
}

/// Checks the cluster of REQUEST and whether it matters to the kernel.
cudaError_t Context::prepareCluster(LaunchRequest &request) {
  const Dim &own = request.kernel->cluster;
  const Dim &cluster = request.cluster ? *request.cluster : own;
  bool differs = cluster.x != own.x || cluster.y != own.y || cluster.z != own.z;
  if (differs && own.count() > 1)
    return cudaErrorInvalidClusterSize;
  uint32_t most =
      request.kernel->allowsLargeClusters ? abi::kMaxClusterBlocksOptIn : abi::kMaxClusterBlocks;
  if (cudaError_t e = checkCluster(cluster, request.grid, most); e != cudaSuccess)
    return e;
  request.clusterDim = cluster;
  bool matters = request.variant->flags & abi::kKernelClusters;
  request.clusterBlocks = matters ? uint32_t(cluster.count()) : 1;
  return cudaSuccess;
}

cudaError_t Context::prepare(LaunchRequest &request) {
  const Dim &grid = request.grid, &block = request.block;
  request.variant = variantOf(*request.kernel);
  if (!request.variant)
    return cudaErrorNoKernelImageForDevice;
  const abi::KernelRecord &record = *request.variant;
  if (grid.count() == 0 || block.count() == 0 || block.count() > kMaxBlockThreads ||
      block.x > kMaxBlockThreads || block.y > kMaxBlockThreads || block.z > kMaxBlockDimZ ||
      grid.x > kMaxGridDimX || grid.y > kMaxGridDimYZ || grid.z > kMaxGridDimYZ ||
      grid.count() > abi::kMaxGridBlocks)
    return cudaErrorInvalidConfiguration;
  if (record.maxThreads && block.count() > record.maxThreads)
    return cudaErrorInvalidValue;
  if (request.dynSharedBytes > request.kernel->maxDynamicShared) {
    printOnce(describeSharedLimit(*request.kernel, request.dynSharedBytes));
    return cudaErrorInvalidValue;
  }
  if (cudaError_t e = prepareCluster(request); e != cudaSuccess)
    return e;
  std::optional<LaunchPlan> plan = choosePlan(request);
  if (!plan)
    return cudaErrorLaunchOutOfResources;
  request.plan = *plan;
  if (!isResident(request, *plan) || !isWithinOccupancy(request, deviceShape))
    return cudaErrorCooperativeLaunchTooLarge;
  request.stackBytes = stackBytesFor(*request.variant, deviceShape, limits().stackBytes);
  if (request.stackBytes > deviceShape.maxStackBytes) {
    printOnce("kernel `" + abi::sourceName(request.kernel->name) + "` needs " +
              std::to_string(request.variant->localBytes) + " bytes of stack for each thread; " +
              describeStackRoom(deviceShape));
    return cudaErrorLaunchOutOfResources;
  }
  return cudaSuccess;
}

void Context::launch(const std::shared_ptr<Stream> &stream, LaunchRequest request) {
  request.annotations = annotations::ofLaunch();
  auto shared = std::make_shared<LaunchRequest>(std::move(request));
  Operation run{[this, shared] { runKernel(*shared); }, nullptr};
  run.priority = shared->priority;
  work.enqueue(stream, std::move(run));
}

Result<void> Context::ensureScratch(Scratch &scratch, uint64_t bytes) {
  if (scratch.bytes >= bytes)
    return {};
  if (scratch.address)
    if (Result<void> r = driver->memFree(scratch.address); !r)
      return r;
  scratch = {};
  Result<uint64_t> address = driver->memAlloc(bytes, kMemRead | kMemWrite | kMemOfRuntime);
  if (!address)
    return address.error();
  scratch = {*address, bytes};
  return {};
}

/// Memory that every launch uses: descriptor and status, printf buffer, heap.
Result<void> Context::ensureServices() {
  ContextLimits limit = limits();
  if (!services.address)
    if (Result<void> r = ensureScratch(services, kServiceBytes); !r)
      return r;
  if (!printfBuffer.address) {
    uint64_t total = sizeof(abi::PrintfBuffer) + limit.printfBytes;
    if (Result<void> r = ensureScratch(printfBuffer, total); !r)
      return r;
    if (Result<void> r = driver->fill(printfBuffer.address, 0, total); !r)
      return r;
    abi::PrintfBuffer header{limit.printfBytes, 0};
    if (Result<void> r = driver->copyToDev(printfBuffer.address, bytesOf(header)); !r)
      return r;
  }
  if (!heap.address) {
    uint64_t total = sizeof(abi::DeviceHeap) + limit.heapBytes;
    if (Result<void> r = ensureScratch(heap, total); !r)
      return r;
    if (Result<void> r = driver->fill(heap.address, 0, total); !r)
      return r;
    abi::DeviceHeap header{limit.heapBytes, 0, 0, 0};
    if (Result<void> r = driver->copyToDev(heap.address, bytesOf(header)); !r)
      return r;
  }
  return {};
}

/// Fills in and writes the descriptor, the arguments and a clear status; its device address.
Result<uint64_t> Context::writeDescriptor(const LaunchRequest &request,
                                          abi::LaunchDescriptor &descriptor) {
  const LaunchPlan &plan = request.plan;
  if (Result<void> r = ensureServices(); !r)
    return r.error();
  if (Result<void> r = ensureScratch(sharedScratch, plan.sharedScratchBytes); !r)
    return r.error();
  if (Result<void> r = ensureScratch(contextScratch, plan.contextBytes); !r)
    return r.error();
  if (Result<void> r = ensureScratch(spillScratch, plan.spillScratchBytes); !r)
    return r.error();
  bool isLong = request.arguments.size() > kServiceArgumentBytes;
  if (isLong)
    if (Result<void> r = ensureScratch(longArguments, request.arguments.size()); !r)
      return r.error();
  fillDescriptor(descriptor, plan, *request.variant, request.grid, request.block,
                 request.dynSharedBytes);
  descriptor.kernelEntry = plan.entry;
  descriptor.firstBlock = request.firstBlock;
  if (request.endBlock)
    descriptor.numBlocks = request.endBlock;
  descriptor.launchQueue = request.variant->flags & abi::kKernelLaunches ? launchQueue.address : 0;
  descriptor.args = isLong ? longArguments.address : services.address + kArgumentsOffset;
  descriptor.sharedBase = plan.sharedInLocalMem ? deviceShape.localMemBase : sharedScratch.address;
  descriptor.context = plan.contextBytes ? contextScratch.address : 0;
  descriptor.spillArea =
      abi::kSpillPartBytes / 2 +
      (plan.spillInLocalMem ? deviceShape.localMemBase + plan.spillOffset : spillScratch.address);
  descriptor.printfBuffer = printfBuffer.address;
  descriptor.heap = heap.address;
  descriptor.status = services.address + kStatusOffset;
  descriptor.flags = request.cooperative ? abi::kLaunchCooperative : 0;
  if (request.clusterBlocks > 1)
    if (Result<void> r = writeClusters(request, descriptor); !r)
      return r.error();
  abi::StatusBlock status{};
  Result<void> r = driver->copyToDev(services.address, bytesOf(descriptor));
  if (r)
    r = driver->copyToDev(descriptor.status, bytesOf(status));
  if (r && !request.arguments.empty())
    r = driver->copyToDev(descriptor.args, request.arguments);
  if (!r)
    return r.error();
  return services.address;
}

/// The barriers of the clusters that are resident at a time.
Result<void> Context::writeClusters(const LaunchRequest &request,
                                    abi::LaunchDescriptor &descriptor) {
  const Dim &cluster = request.clusterDim, &grid = request.grid;
  abi::ClusterState state = {{cluster.x, cluster.y, cluster.z},
                             request.clusterBlocks,
                             {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z},
                             uint32_t(request.plan.blocksAtOnce / request.clusterBlocks)};
  uint64_t bytes = abi::clusterStateBytes(state.groups, state.blocks);
  if (Result<void> r = ensureScratch(clusters, bytes); !r)
    return r;
  descriptor.cluster = clusters.address;
  if (Result<void> r = driver->fill(clusters.address, 0, bytes); !r)
    return r;
  return driver->copyToDev(clusters.address, bytesOf(state));
}

/// A device that cannot report an environment call has still left the reason in the status block.
void Context::noteStatus(RunReport &report, const abi::LaunchDescriptor &descriptor) {
  abi::StatusBlock status{};
  if (report.fault.kind != FaultKind::None ||
      !driver->copyFromDev(writableBytesOf(status), descriptor.status) ||
      status.kind == abi::kStatusNone)
    return;
  report.fault.kind = FaultKind::Service;
  report.fault.code = status.kind == abi::kStatusAssert        ? VX_ECALL_ASSERT
                      : status.kind == abi::kStatusPureVirtual ? VX_ECALL_PURE_VIRTUAL
                                                               : VX_ECALL_NO_LOCAL_MEMORY;
}

/// Puts MODULE on the device, where lanes have stacks of BYTES, a power of two.
Result<void> Context::makeReady(Module &module, uint64_t bytes) {
  uint32_t log2 = uint32_t(std::countr_zero(bytes));
  Result<void> done = driver->setStackLog2Size(log2);
  if (done)
    done = makeResident(module);
  return done && !driver->caps(Cap::HostCode) ? module.setStackLog2Size(*driver, log2) : done;
}

void Context::runKernel(const LaunchRequest &request) {
  if (stickyError() != cudaSuccess)
    return;
  if (request.variant->flags & abi::kKernelLaunches) {
    LaunchRequest own = request; // takes notes in it
    DeviceLaunches(*this).run(own);
  } else {
    runBlocks(request);
  }
}

/// What statistics call a launch in MAPPING: "hw", "hw, split-warps", "sw, block-per-lane".
static std::string nameOf(abi::Mapping mapping) {
  const abi::MappingInfo &info = abi::infoOf(mapping);
  if (mapping == abi::Mapping::Hardware)
    return info.name;
  return (info.lowering == abi::Lowering::Hw ? "hw, " : "sw, ") + std::string(info.name);
}

void Context::runBlocks(const LaunchRequest &request) {
  // The module object is the context's own; only its presence on the device changes.
  Module &module = const_cast<Module &>(*request.kernel->module);
  Result<void> ready = makeReady(module, request.stackBytes);
  if (ready)
    ready = hostRegions.giveToDevice(*driver);
  if (ready)
    ready = peers.update(*driver);
  if (!ready)
    return failDevice(ready.error());
  abi::LaunchDescriptor descriptor{};
  Result<uint64_t> address = writeDescriptor(request, descriptor);
  if (!address) {
    printMessage("kernel `" + abi::sourceName(request.kernel->name) +
                 "`: " + address.error().message);
    return setStickyError(cudaErrorLaunchOutOfResources);
  }
  if (request.kernel->title.empty())
    request.kernel->title = abi::sourceName(request.kernel->name);
  std::string lowering = nameOf(request.plan.mapping);
  driver->describeNextRun({request.kernel->title, &module.image(), module.imageSlide(), lowering,
                           request.firstBlock != 0, request.annotations.get(), &descriptor,
                           request.variant->tailSharedBytes, module.file()});
  double before = processorSeconds();
  if (Result<void> started = driver->start(module.entry(), *address); !started)
    return failDevice(started.error());
  RunReport report = driver->readyWait();
  logLaunch(request.kernel->title, lowering, driver->cycles() - cycles,
            processorSeconds() - before);
  cycles = driver->cycles();
  noteStatus(report, descriptor);
  if (Result<std::string> text = drainPrintf(); text && !text->empty())
    keepPrinted(*text);
  Result<void> back = hostRegions.takeFromDevice(*driver);
  if (report.fault.kind != FaultKind::None)
    return handleFault(report.fault, request, descriptor);
  if (!back)
    return failDevice(back.error());
  if (report.exitCode && *report.exitCode != 0) {
    printMessage("kernel `" + abi::sourceName(request.kernel->name) + "` ended the device program");
    setStickyError(cudaErrorLaunchFailure);
  }
}

/// The program sees what kernels print where it waits for them, or when there is much of it.
void Context::keepPrinted(const std::string &text) {
  bool isMuch;
  {
    std::lock_guard lock(metadata);
    hasPrinted = true;
    unseenText += text;
    isMuch = unseenText.size() >= wanted.printfBytes;
  }
  if (isMuch)
    showPrinted();
}

void Context::showPrinted() {
  std::string text;
  {
    std::lock_guard lock(metadata);
    text.swap(unseenText);
  }
  if (text.empty())
    return;
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// What the last kernel printed; the buffer is empty afterwards.
Result<std::string> Context::drainPrintf() {
  abi::PrintfBuffer header{};
  if (Result<void> r = driver->copyFromDev(writableBytesOf(header), printfBuffer.address); !r)
    return r.error();
  if (header.used == 0)
    return std::string();
  uint64_t capacity = printfBuffer.bytes - sizeof header; // the device could have changed its copy
  std::vector<uint8_t> records(std::min(header.used, capacity));
  uint64_t first = printfBuffer.address + sizeof header;
  if (Result<void> r = driver->copyFromDev(records, first); !r)
    return r.error();
  std::string text = formatPrintfRecords(
      records, header.used, [this](uint64_t address) { return readDeviceString(address); });
  if (Result<void> r = driver->fill(first, 0, records.size()); !r)
    return r.error();
  header = {capacity, 0};
  if (Result<void> r = driver->copyToDev(printfBuffer.address, bytesOf(header)); !r)
    return r.error();
  return text;
}

/// The string at ADDRESS as far as its memory can be read, at most 64 KiB of it.
std::string Context::readDeviceString(uint64_t address) {
  constexpr size_t kMost = 64 * 1024;
  std::string text;
  while (text.size() < kMost) {
    char chunk[64];
    // Whole aligned chunks first; at the end of the memory byte by byte.
    size_t size = sizeof chunk - (address + text.size()) % sizeof chunk;
    std::span bytes(reinterpret_cast<uint8_t *>(chunk), size);
    if (!driver->copyFromDev(bytes, address + text.size())) {
      size = 1;
      if (!driver->copyFromDev(bytes.first(1), address + text.size()))
        break;
    }
    size_t length = strnlen(chunk, size);
    text.append(chunk, length);
    if (length < size)
      break;
  }
  return text;
}

void Context::handleFault(const Fault &fault, const LaunchRequest &request,
                          const abi::LaunchDescriptor &descriptor) {
  FaultContext context;
  context.kernelName = request.kernel->name;
  context.launchedBy = request.launchedBy ? request.launchedBy->name : "";
  context.descriptor = descriptor;
  context.readString = [this](uint64_t address) { return readDeviceString(address); };
  context.describeCode = [&](uint64_t pc) { return request.kernel->module->describe(pc); };
  context.linkedAddress = [&](uint64_t pc) { return request.kernel->module->linkedAddress(pc); };
  context.partOf = [&](uint64_t pc) { return request.kernel->module->partOf(pc); };
  (void)driver->copyFromDev(writableBytesOf(context.status), descriptor.status); // else it is none
  FaultReport report = reportFault(fault, context);
  showPrinted();
  std::fflush(stdout);
  std::fputs(report.text.c_str(), stderr);
  setStickyError(report.error);
}

/// The next launch makes the buffer anew, in the size that is wanted then.
cudaError_t Context::drop(Scratch &scratch) {
  return work.withDevice([&] {
    if (scratch.address && !driver->memFree(scratch.address))
      return cudaErrorInvalidValue;
    scratch = {};
    return cudaSuccess;
  });
}

/// Launches from here on have it. The stacks are made at once, to know that there is room.
cudaError_t Context::setStackBytes(uint64_t bytes) {
  constexpr uint64_t kUnit = 16;
  std::string asked =
      "cudaDeviceSetLimit: stacks of " + std::to_string(bytes) + " bytes for each thread: ";
  if (bytes > deviceShape.maxStackBytes) {
    printMessage(asked + describeStackRoom(deviceShape));
    return cudaErrorInvalidValue;
  }
  bytes = (bytes + kUnit - 1) / kUnit * kUnit;
  Result<void> made = work.withDevice([&] {
    uint64_t power = std::bit_ceil(std::max(bytes, deviceShape.stackBytes));
    return driver->setStackLog2Size(uint32_t(std::countr_zero(power)));
  });
  if (!made) {
    printMessage(asked + made.error().message);
    return cudaErrorMemoryAllocation;
  }
  std::lock_guard lock(metadata);
  wanted.stackBytes = bytes;
  return cudaSuccess;
}

cudaError_t Context::setPrintfBytes(uint64_t bytes) {
  work.waitForAll();
  {
    std::lock_guard lock(metadata);
    if (hasPrinted)
      return cudaErrorInvalidValue; // as CUDA, which has its buffer then
    wanted.printfBytes = std::max<uint64_t>(bytes, 1024);
  }
  return drop(printfBuffer);
}

/// Returns true if a kernel has allocated memory.
bool Context::isHeapUsed() {
  abi::DeviceHeap header{};
  return heap.address && driver->copyFromDev(writableBytesOf(header), heap.address) && header.top;
}

cudaError_t Context::setHeapBytes(uint64_t bytes) {
  work.waitForAll();
  if (work.withDevice([&] { return isHeapUsed(); }))
    return cudaErrorInvalidValue; // what kernels have allocated stays
  {
    std::lock_guard lock(metadata);
    wanted.heapBytes = std::max<uint64_t>(bytes, 4096);
  }
  return drop(heap);
}

cudaError_t Context::setPendingLaunches(uint64_t count) {
  constexpr uint64_t kMost = 1 << 20;
  if (count == 0 || count > kMost)
    return cudaErrorInvalidValue;
  work.waitForAll();
  {
    std::lock_guard lock(metadata);
    wanted.pendingLaunches = count;
  }
  return drop(launchQueue);
}

} // namespace vx::rt
