// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/Launcher.h"
#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/Cluster.h"
#include "intrinsics/abi/FatBinaryNames.h"
#include "intrinsics/abi/SymbolNames.h"
#include "runtime/core/Annotations.h"
#include "runtime/core/Messages.h"
#include "runtime/core/Reasons.h"
#include "runtime/launch/DeviceLaunches.h"
#include "runtime/launch/FaultReport.h"
#include "runtime/launch/LaunchAdvice.h"
#include "runtime/launch/LaunchLog.h"
#include "runtime/launch/MappingChoice.h"
#include "runtime/plan/ClusterPlan.h"
#include <bit>
#include <cstdio>

namespace vx::rt {

const abi::KernelRecord *Launcher::findVariant(const Kernel &kernel) const {
  bool host = state.runsHostCode();
  return kernel.variant(host ? abi::Lowering::Sw : state.options().lowering, state.shape());
}

const abi::KernelRecord &Launcher::recordOf(const Kernel &kernel) const {
  const abi::KernelRecord *record = findVariant(kernel);
  return record ? *record : kernel.record;
}

const abi::KernelRecord *Launcher::variantOf(const Kernel &kernel) {
  const abi::KernelRecord *record = findVariant(kernel);
  if (state.runsHostCode() || (record && !state.options().saysFallback))
    return record;
  std::lock_guard lock(mutex);
  if (mentioned.insert(&kernel).second) {
    std::string text = record ? describeFallback(kernel, state.shape())
                              : describeRefusal(kernel, state.options().lowering, state.shape(),
                                                state.device().caps(Cap::TakesSettings) != 0);
    if (!text.empty())
      printMessage(text);
  }
  return record;
}

/// Returns true if a cooperative REQUEST has no more blocks than the occupancy functions say.
static bool isWithinOccupancy(const LaunchRequest &request, const DeviceShape &shape) {
  if (!request.cooperative)
    return true;
  uint64_t perCore = occupancyOf(request.plan, *request.variant, shape,
                                 uint32_t(request.block.count()), request.dynSharedBytes);
  return request.grid.count() <= perCore * shape.numCores;
}

/// Checks the cluster of REQUEST and whether it matters to the kernel.
cudaError_t Launcher::prepareCluster(LaunchRequest &request) {
  const Dim &own = request.kernel->cluster;
  const Dim &cluster = request.cluster ? *request.cluster : own;
  bool differs = cluster.x != own.x || cluster.y != own.y || cluster.z != own.z;
  if (differs && own.count() > 1)
    return because(cudaErrorInvalidClusterSize, "the kernel's __cluster_dims__ say another shape");
  uint32_t most =
      request.kernel->allowsLargeClusters ? abi::kMaxClusterBlocksOptIn : abi::kMaxClusterBlocks;
  if (cudaError_t e = checkCluster(cluster, request.grid, most); e != cudaSuccess)
    return e;
  request.clusterDim = cluster;
  bool matters = request.variant->flags & abi::kKernelClusters;
  request.clusterBlocks = matters ? uint32_t(cluster.count()) : 1;
  return cudaSuccess;
}

cudaError_t Launcher::prepare(LaunchRequest &request) {
  const Dim &grid = request.grid, &block = request.block;
  request.variant = variantOf(*request.kernel);
  if (!request.variant)
    return cudaErrorNoKernelImageForDevice;
  const abi::KernelRecord &record = *request.variant;
  if (std::string limit = describeLimits(grid, block); !limit.empty())
    return because(cudaErrorInvalidConfiguration, std::move(limit));
  if (record.maxThreads && block.count() > record.maxThreads)
    return because(cudaErrorInvalidValue, "a block has " + std::to_string(block.count()) +
                                              " threads; the kernel's __launch_bounds__ say " +
                                              std::to_string(record.maxThreads));
  if (request.dynSharedBytes > request.kernel->maxDynamicShared) {
    std::string limit = describeSharedLimit(*request.kernel, request.dynSharedBytes);
    state.printOnce(limit);
    return because(cudaErrorInvalidValue, std::move(limit));
  }
  if (cudaError_t e = prepareCluster(request); e != cudaSuccess)
    return e;
  std::optional<LaunchPlan> plan = choosePlan(request, state);
  bool isForFlatBlocks =
      request.variant == request.kernel->hardwareVariant() && record.flags & abi::kKernelFlat;
  if (!plan && isForFlatBlocks && block.x != block.count()) {
    state.printOnce(describeRows(*request.kernel));
    return cudaErrorNoKernelImageForDevice;
  }
  if (!plan)
    return cudaErrorLaunchOutOfResources;
  request.plan = *plan;
  if (!isResident(request, *plan) || !isWithinOccupancy(request, state.shape()))
    return because(cudaErrorCooperativeLaunchTooLarge,
                   std::to_string(grid.count()) +
                       " blocks are more than the device runs at a time, as a cooperative launch "
                       "needs; cudaOccupancyMaxActiveBlocksPerMultiprocessor says how many");
  request.stackBytes = stackBytesFor(*request.variant, state.shape(), services.limits().stackBytes);
  if (request.stackBytes > state.shape().maxStackBytes) {
    state.printOnce("kernel `" + abi::sourceName(request.kernel->name) + "` needs " +
                    std::to_string(request.variant->localBytes) +
                    " bytes of stack for each thread; " + describeStackRoom(state.shape()));
    return cudaErrorLaunchOutOfResources;
  }
  return cudaSuccess;
}

void Launcher::launch(const std::shared_ptr<Stream> &stream, LaunchRequest request) {
  request.annotations = annotations::ofLaunch();
  auto shared = std::make_shared<LaunchRequest>(std::move(request));
  Operation run{[this, shared] { runKernel(*shared); }, nullptr};
  run.priority = shared->priority;
  state.scheduler().enqueue(stream, std::move(run));
}

/// A device that cannot report an environment call has still left the reason in the status block.
void Launcher::noteStatus(RunReport &report, const abi::LaunchDescriptor &descriptor) {
  abi::StatusBlock status{};
  if (report.fault.kind != FaultKind::None ||
      !state.device().copyFromDev(writableBytesOf(status), descriptor.status) ||
      status.kind == abi::kStatusNone)
    return;
  report.fault.kind = FaultKind::Service;
  report.fault.code = status.kind == abi::kStatusAssert        ? VX_ECALL_ASSERT
                      : status.kind == abi::kStatusPureVirtual ? VX_ECALL_PURE_VIRTUAL
                                                               : VX_ECALL_NO_LOCAL_MEMORY;
}

/// Puts MODULE on the device, where lanes have stacks of BYTES, a power of two.
Result<void> Launcher::makeReady(Module &module, uint64_t bytes) {
  uint32_t log2 = uint32_t(std::countr_zero(bytes));
  Result<void> done = state.device().setStackLog2Size(log2);
  if (done)
    done = modules.makeResident(module);
  return done && !state.runsHostCode() ? module.setStackLog2Size(state.device(), log2) : done;
}

void Launcher::runKernel(const LaunchRequest &request) {
  if (state.stickyError() != cudaSuccess)
    return;
  if (request.variant->flags & abi::kKernelLaunches) {
    LaunchRequest own = request; // takes notes in it
    DeviceLaunches(*this).run(own);
  } else {
    runBlocks(request);
  }
}

/// Returns what statistics call a launch in MAPPING: "hw", "hw, coarsened", "sw, block-per-lane".
static std::string nameOf(abi::Mapping mapping) {
  const abi::MappingInfo &info = abi::infoOf(mapping);
  std::string lowering = toString(info.lowering);
  return info.name == lowering ? lowering : lowering + ", " + info.name;
}

void Launcher::runBlocks(const LaunchRequest &request) {
  // The module object is the context's own; only its presence on the device changes.
  Module &module = const_cast<Module &>(*request.kernel->module);
  Result<void> ready = makeReady(module, request.stackBytes);
  if (ready)
    ready = memory.giveToKernel();
  if (!ready)
    return state.failDevice(ready.error());
  abi::LaunchDescriptor descriptor{};
  Result<uint64_t> address = writer.write(request, descriptor);
  if (!address) {
    printMessage("kernel `" + abi::sourceName(request.kernel->name) +
                 "`: " + address.error().message);
    return state.setStickyError(cudaErrorLaunchOutOfResources);
  }
  if (request.kernel->title.empty())
    request.kernel->title = abi::sourceName(request.kernel->name);
  std::string lowering = nameOf(request.plan.mapping);
  state.device().describeNextRun({request.kernel->title, &module.image(), module.imageSlide(),
                                  lowering, request.firstBlock != 0, request.annotations.get(),
                                  &descriptor, request.variant->tailSharedBytes, module.file()});
  double before = processorSeconds();
  if (Result<void> started = state.device().start(module.entry(), *address); !started)
    return state.failDevice(started.error());
  RunReport report = state.device().readyWait();
  logLaunch(request.kernel->title, lowering, state.countCycles(), processorSeconds() - before);
  noteStatus(report, descriptor);
  services.collectPrinted();
  Result<void> back = memory.takeFromKernel();
  if (report.fault.kind != FaultKind::None)
    return handleFault(report.fault, request, descriptor);
  if (!back)
    return state.failDevice(back.error());
  if (report.exitCode && *report.exitCode != 0) {
    printMessage("kernel `" + abi::sourceName(request.kernel->name) + "` ended the device program");
    state.setStickyError(cudaErrorLaunchFailure);
  }
}

void Launcher::handleFault(const Fault &fault, const LaunchRequest &request,
                           const abi::LaunchDescriptor &descriptor) {
  FaultContext context;
  context.kernelName = request.kernel->name;
  context.launchedBy = request.launchedBy ? request.launchedBy->name : "";
  context.descriptor = descriptor;
  context.readString = [this](uint64_t address) { return services.readString(address); };
  context.describeCode = [&](uint64_t pc) { return request.kernel->module->describe(pc); };
  context.linkedAddress = [&](uint64_t pc) { return request.kernel->module->linkedAddress(pc); };
  context.partOf = [&](uint64_t pc) { return request.kernel->module->partOf(pc); };
  (void)state.device().copyFromDev(writableBytesOf(context.status),
                                   descriptor.status); // else it is none
  FaultReport report = reportFault(fault, context);
  services.showPrinted();
  std::fflush(stdout);
  std::fputs(report.text.c_str(), stderr);
  state.setStickyError(report.error);
}

} // namespace vx::rt
