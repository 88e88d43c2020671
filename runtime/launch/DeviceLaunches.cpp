// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/DeviceLaunches.h"
#include "cuda_runtime_api.h"
#include "intrinsics/abi/SymbolNames.h"
#include "runtime/core/Messages.h"
#include <algorithm>
#include <cstring>

namespace vx::rt {

// The queue's memory: LaunchQueue, records, arguments.
static constexpr uint64_t kArgumentBytesOfLaunch = 512;
static constexpr uint64_t kLeastArgumentBytes = 64 * 1024;

static uint64_t argumentBytes(const ContextLimits &limits) {
  return limits.pendingLaunches * kArgumentBytesOfLaunch + kLeastArgumentBytes;
}

/// Returns the part that changes from run to run; the table of errors follows.
std::span<uint8_t> DeviceLaunches::headerBytes() {
  return {reinterpret_cast<uint8_t *>(&queue), offsetof(abi::LaunchQueue, errors)};
}

void DeviceLaunches::run(LaunchRequest &request) {
  if (Result<void> r = ensureQueue(); !r) {
    printMessage("kernel `" + abi::sourceName(request.kernel->name) +
                 "`: no memory for the launches it makes: " + r.error().message);
    return state.setStickyError(cudaErrorLaunchOutOfResources);
  }
  open(request, 0);
  while (!frames.empty() && state.stickyError() == cudaSuccess) {
    Frame &frame = frames.back();
    if (!frame.work.empty()) {
      Pending next = std::move(frame.work.front());
      frame.work.pop_front();
      --waiting;
      // A grid that relaunches itself as its tail may do so for ever without a frame for each turn.
      if (frame.work.empty() && frame.tail.empty() && frame.nextBlock >= frame.numBlocks)
        frames.pop_back();
      start(next);
    } else if (frame.nextBlock < frame.numBlocks) {
      runPart(frame);
    } else {
      frame.work = std::move(frame.tail);
      frame.tail.clear();
      if (frame.work.empty())
        frames.pop_back();
    }
  }
}

void DeviceLaunches::open(LaunchRequest request, uint32_t depth) {
  Frame frame;
  frame.depth = depth;
  frame.numBlocks = request.grid.count();
  uint64_t room = limits.pendingLaunches - std::min(waiting, limits.pendingLaunches);
  frame.partBlocks = std::max({request.plan.blocksAtOnce, room / 4, uint64_t(1)});
  if (request.cooperative)
    frame.partBlocks = frame.numBlocks;
  frame.request = std::move(request);
  frames.push_back(std::move(frame));
}

/// Runs blocks of FRAME's grid and takes what they have launched. The next part is of so many
/// blocks that they fill half of the queue if they launch as much.
void DeviceLaunches::runPart(Frame &frame) {
  uint64_t cluster = frame.request.clusterBlocks; // a part has all blocks of a cluster
  uint64_t part = (frame.partBlocks + cluster - 1) / cluster * cluster;
  uint64_t blocks = std::min(part, frame.numBlocks - frame.nextBlock);
  frame.request.firstBlock = frame.nextBlock;
  frame.request.endBlock = frame.nextBlock + blocks;
  frame.nextBlock += blocks;
  Module &module = const_cast<Module &>(*frame.request.kernel->module);
  Result<void> done = launcher.modules.makeResident(module);
  if (done)
    done = module.publishKernels(device);
  if (done)
    done = fillQueue(frame);
  if (!done)
    return state.failDevice(done.error());
  launcher.runBlocks(frame.request);
  if (state.stickyError() != cudaSuccess)
    return;
  size_t before = waiting;
  if (Result<void> r = drainQueue(frame); !r)
    return state.failDevice(r.error());
  uint64_t launched = waiting - before, room = limits.pendingLaunches / 2;
  uint64_t fit = launched ? room * blocks / launched : 2 * blocks;
  frame.partBlocks =
      std::max({std::min(fit, 2 * blocks), frame.request.plan.blocksAtOnce, uint64_t(1)});
}

// --- The queue ---

Result<void> DeviceLaunches::ensureQueue() {
  bool isNew = !memory.address;
  uint64_t bytes = sizeof(abi::LaunchQueue) + limits.pendingLaunches * sizeof(abi::LaunchRecord) +
                   argumentBytes(limits);
  if (Result<void> r = memory.ensure(device, bytes); !r)
    return r;
  uint64_t base = memory.address;
  if (isNew)
    if (Result<void> r = device.fill(base, 0, sizeof(abi::LaunchQueue)); !r)
      return r;
  queue.records = base + sizeof(abi::LaunchQueue);
  queue.arena = (queue.records + limits.pendingLaunches * sizeof(abi::LaunchRecord) + 63) & ~63ull;
  queue.arenaBytes = uint32_t(argumentBytes(limits) - 64);
  queue.nextHandle = abi::kFirstDeviceHandle + launcher.services.deviceHandles();
  queue.device = state.identity().number;
  queue.deviceCount = state.identity().count;
  queue.limits[cudaLimitStackSize] = limits.stackBytes;
  queue.limits[cudaLimitPrintfFifoSize] = limits.printfBytes;
  queue.limits[cudaLimitMallocHeapSize] = limits.heapBytes;
  queue.limits[cudaLimitDevRuntimePendingLaunchCount] = limits.pendingLaunches;
  for (size_t limit = cudaLimitDevRuntimePendingLaunchCount + 1; limit < abi::kDeviceLimits;
       ++limit)
    queue.limits[limit] = UINT64_MAX;
  queue.limits[cudaLimitDevRuntimeSyncDepth] = limits.syncDepth;
  for (int i = 0; i < int(abi::kDeviceAttributes); ++i)
    (void)readAttribute(state, cudaDeviceAttr(i), queue.attributes[i]); // 0: unknown
  return {};
}

/// An empty queue for blocks of FRAME. The errors of threads are those of one grid.
Result<void> DeviceLaunches::fillQueue(const Frame &frame) {
  if (frame.request.firstBlock == 0 && (queue.errorCount || queue.lostError)) {
    Result<void> r =
        device.fill(memory.address + offsetof(abi::LaunchQueue, errors), 0, sizeof queue.errors);
    if (!r)
      return r;
    queue.errorCount = queue.lostError = 0;
  }
  queue.limit = uint32_t(limits.pendingLaunches - std::min(waiting, limits.pendingLaunches));
  queue.reserved = queue.count = queue.arenaUsed = 0;
  queue.depth = frame.depth;
  return device.copyToDev(memory.address, headerBytes());
}

/// Moves what the device has queued to FRAME. Nothing in it is to be trusted.
Result<void> DeviceLaunches::drainQueue(Frame &frame) {
  abi::LaunchQueue known = queue;
  if (Result<void> r = device.copyFromDev(headerBytes(), memory.address); !r)
    return r;
  std::vector<abi::LaunchRecord> records(std::min(queue.count, known.limit));
  known.nextHandle = std::max(queue.nextHandle, known.nextHandle);
  known.errorCount = queue.errorCount;
  known.lostError = queue.lostError;
  launcher.services.deviceHandles() = known.nextHandle - abi::kFirstDeviceHandle;
  queue = known;
  if (records.empty())
    return {};
  std::span bytes(reinterpret_cast<uint8_t *>(records.data()),
                  records.size() * sizeof(abi::LaunchRecord));
  if (Result<void> r = device.copyFromDev(bytes, queue.records); !r)
    return r;
  for (const abi::LaunchRecord &record : records) {
    Result<Pending> pending = readLaunch(record);
    if (!pending)
      return pending.error();
    bool isTail = record.stream == abi::kStreamTailLaunch;
    pending->launchedBy = frame.request.kernel;
    pending->annotations = frame.request.annotations;
    pending->depth = frame.depth + (isTail ? 0 : 1);
    (isTail ? frame.tail : frame.work).push_back(std::move(*pending));
    ++waiting;
  }
  // Records are told from what was there before by their last word.
  return device.fill(queue.records, 0, bytes.size());
}

Result<DeviceLaunches::Pending> DeviceLaunches::readLaunch(const abi::LaunchRecord &record) {
  Pending pending;
  pending.record = record;
  size_t size = sizeof(abi::CopyOperation);
  if (record.kind == abi::kLaunchKernel) {
    pending.kernel = launcher.modules.kernelAt(record.kernel);
    if (!pending.kernel)
      return Failure{"a launch from device code names no kernel"};
    size = pending.kernel->record.argBytes;
  }
  uint64_t end = queue.arena + queue.arenaBytes;
  if (!record.valid || record.parameters < queue.arena || record.parameters > end ||
      size > end - record.parameters)
    return Failure{"the queue for launches from device code was overwritten"};
  pending.arguments.resize(size);
  if (size)
    if (Result<void> r = device.copyFromDev(pending.arguments, record.parameters); !r)
      return r.error();
  return pending;
}

// --- What was launched ---

void DeviceLaunches::start(Pending &pending) {
  if (pending.record.kind == abi::kLaunchKernel)
    return startKernel(pending);
  if (Result<void> r = copy(pending); !r) {
    printMessage("copy or fill in kernel `" + abi::sourceName(pending.launchedBy->name) +
                 "`: " + r.error().message);
    state.setStickyError(cudaErrorIllegalAddress);
  }
}

void DeviceLaunches::startKernel(Pending &pending) {
  const abi::LaunchRecord &r = pending.record;
  LaunchRequest request;
  request.kernel = pending.kernel;
  request.launchedBy = pending.launchedBy;
  request.annotations = pending.annotations;
  request.grid = {r.grid[0], r.grid[1], r.grid[2]};
  request.block = {r.block[0], r.block[1], r.block[2]};
  request.dynSharedBytes = r.sharedBytes;
  request.arguments = std::move(pending.arguments);
  if (cudaError_t error = launcher.prepare(request); error != cudaSuccess) {
    printMessage("kernel `" + abi::sourceName(pending.kernel->name) + "`, launched by kernel `" +
                 abi::sourceName(pending.launchedBy->name) +
                 "`, cannot run: " + cudaGetErrorString(error));
    return state.setStickyError(error);
  }
  if (request.variant->flags & abi::kKernelLaunches)
    open(std::move(request), pending.depth);
  else
    launcher.runBlocks(request);
}

Result<void> DeviceLaunches::copy(const Pending &pending) {
  abi::CopyOperation o;
  std::memcpy(&o, pending.arguments.data(), sizeof o);
  bool isFill = pending.record.kind == abi::kLaunchFill;
  uint64_t total = state.totalMemory();
  // What cannot fit the device is not worth a buffer, or endless turns.
  if (o.width > total || (o.rows && o.slices > total / o.rows))
    return Failure{"its size is larger than the device's memory"};
  std::vector<uint8_t> row(isFill ? 0 : o.width);
  for (uint64_t z = 0; o.width && z < o.slices; ++z)
    for (uint64_t y = 0; y < o.rows; ++y) {
      uint64_t to = o.destination + (z * o.destinationHeight + y) * o.destinationPitch;
      uint64_t from = o.source + (z * o.sourceHeight + y) * o.sourcePitch;
      Result<void> r =
          isFill ? device.fill(to, uint8_t(o.source), o.width) : device.copyFromDev(row, from);
      if (r && !isFill)
        r = device.copyToDev(to, row);
      if (!r)
        return r;
    }
  return {};
}

} // namespace vx::rt
