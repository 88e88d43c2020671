// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's part of launches that kernels make (intrinsics/abi/DeviceLaunch.h): a launch takes a
// place in the queue. Built to bitcode, ordinary C++ run by every lane.

#include "driver_types.h"
#include "intrinsics/abi/DeviceLaunch.h"
#include "runtime/device/Contract.h"

using namespace vx::abi;
using vx::device::at;

namespace {

LaunchQueue *queue() {
  return at<LaunchQueue>(__vx_descriptor()->launchQueue);
}

uint32_t add(uint32_t &counter, uint32_t amount) {
  return __atomic_fetch_add(&counter, amount, __ATOMIC_RELAXED);
}

// --- Errors of threads ---

struct Self {
  uint32_t block, thread;
};

Self self() {
  const LaunchDescriptor &d = *__vx_descriptor();
  return {(__vx_block_idx_z() * d.gridDim[1] + __vx_block_idx_y()) * d.gridDim[0] +
              __vx_block_idx_x(),
          (__vx_thread_idx_z() * d.blockDim[1] + __vx_thread_idx_y()) * d.blockDim[0] +
              __vx_thread_idx_x()};
}

/// The element of the calling thread; null if it has none. A thread finds what it wrote itself, so
/// no thread needs to wait for an element that is being written.
ThreadError *findError(LaunchQueue &q, Self me, bool make) {
  uint32_t place = me.block * 1024 + me.thread;
  place ^= place >> 10;
  for (uint32_t i = 0; i < kThreadErrors; ++i) {
    ThreadError &e = q.errors[(place + i) & (kThreadErrors - 1)];
    uint32_t state = __atomic_load_n(&e.state, __ATOMIC_ACQUIRE);
    if (state == 2 && e.block == me.block && e.thread == me.thread)
      return &e;
    if (state != 0)
      continue;
    if (!make)
      return nullptr;
    uint32_t none = 0;
    if (!__atomic_compare_exchange_n(&e.state, &none, 1u, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
      continue;
    add(q.errorCount, 1);
    e.block = me.block;
    e.thread = me.thread;
    e.error = cudaSuccess;
    __atomic_store_n(&e.state, 2u, __ATOMIC_RELEASE);
    return &e;
  }
  return nullptr;
}

uint32_t note(uint32_t error) {
  LaunchQueue *q = queue();
  if (!q || error == cudaSuccess)
    return error;
  if (ThreadError *e = findError(*q, self(), true))
    e->error = error;
  else
    __atomic_store_n(&q->lostError, error, __ATOMIC_RELAXED);
  return error;
}

// --- Checks ---

uint32_t checkStream(const LaunchQueue &q, uint64_t stream) {
  if (stream <= kStreamFireAndForget)
    return cudaSuccess;
  bool known = stream >= kFirstDeviceHandle && stream < q.nextHandle;
  return known ? cudaSuccess : cudaErrorInvalidValue;
}

uint32_t checkKernel(const KernelHandle &kernel, const LaunchRecord &r) {
  if (kernel.magic != kKernelHandleMagic)
    return cudaErrorInvalidDeviceFunction;
  uint64_t blocks = uint64_t(r.grid[0]) * r.grid[1] * r.grid[2];
  uint64_t threads = uint64_t(r.block[0]) * r.block[1] * r.block[2];
  if (blocks == 0 || r.grid[0] > 0x7fffffff || r.grid[1] > 65535 || r.grid[2] > 65535 ||
      blocks > kMaxGridBlocks || threads == 0 || r.block[0] > 1024 || r.block[1] > 1024 ||
      r.block[2] > 64 || threads > 1024 || r.sharedBytes > kernel.maxDynamicShared)
    return cudaErrorInvalidConfiguration;
  return kernel.maxThreads && threads > kernel.maxThreads ? cudaErrorInvalidValue : cudaSuccess;
}

/// Memory for the arguments of a launch, which is counted from here on.
void *reserve(LaunchQueue &q, uint32_t alignment, uint64_t size) {
  uint32_t error = cudaSuccess;
  uint64_t result = 0;
  if (add(q.reserved, 1) >= q.limit) {
    add(q.reserved, ~0u);
    error = cudaErrorLaunchPendingCountExceeded;
  } else {
    // All blocks are multiples of the largest alignment.
    uint32_t room = size < q.arenaBytes ? (static_cast<uint32_t>(size) + 63) & ~63u : q.arenaBytes;
    room += alignment > 64 || room == 0 ? 64 : 0;
    uint32_t used = add(q.arenaUsed, room);
    if (used <= q.arenaBytes && room <= q.arenaBytes - used)
      result = q.arena + used;
    else {
      add(q.arenaUsed, ~room + 1);
      add(q.reserved, ~0u);
      error = cudaErrorLaunchOutOfResources;
    }
  }
  note(error);
  return at<void>(result);
}

uint32_t append(LaunchQueue &q, const LaunchRecord &record) {
  uint32_t place = add(q.count, 1);
  if (place >= q.limit) { // more launches than buffers
    add(q.count, ~0u);
    return cudaErrorLaunchPendingCountExceeded;
  }
  LaunchRecord &r = at<LaunchRecord>(q.records)[place];
  r.kernel = record.kernel;
  r.parameters = record.parameters;
  for (unsigned i = 0; i < 3; ++i) {
    r.grid[i] = record.grid[i];
    r.block[i] = record.block[i];
  }
  r.sharedBytes = record.sharedBytes;
  r.kind = record.kind;
  r.stream = record.stream;
  r.valid = 1;
  return cudaSuccess;
}

} // namespace

extern "C" void *__vx_launch_buffer(uint64_t alignment, uint64_t size) {
  LaunchQueue *q = queue();
  return q ? reserve(*q, static_cast<uint32_t>(alignment), size) : nullptr;
}

extern "C" int __vx_launch_kernel(const void *kernel, void *arguments, unsigned gridX,
                                  unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                                  unsigned blockZ, unsigned sharedBytes, const void *stream) {
  LaunchQueue *q = queue();
  if (!q)
    return cudaErrorNotSupported;
  uint64_t streamNumber = reinterpret_cast<uintptr_t>(stream);
  LaunchRecord r = {reinterpret_cast<uintptr_t>(kernel),
                    reinterpret_cast<uintptr_t>(arguments),
                    {gridX, gridY, gridZ},
                    {blockX, blockY, blockZ},
                    sharedBytes,
                    kLaunchKernel,
                    static_cast<uint32_t>(streamNumber),
                    0};
  uint32_t error = kernel && arguments ? checkKernel(*static_cast<const KernelHandle *>(kernel), r)
                                       : static_cast<uint32_t>(cudaErrorInvalidDeviceFunction);
  if (error == cudaSuccess)
    error = checkStream(*q, streamNumber);
  if (error == cudaSuccess && streamNumber != kStreamTailLaunch && q->depth >= kMaxLaunchDepth)
    error = cudaErrorLaunchMaxDepthExceeded;
  if (error == cudaSuccess)
    error = append(*q, r);
  else
    add(q->reserved, ~0u);
  return static_cast<int>(note(error));
}

extern "C" int __vx_launch_copy(const void *operation, unsigned kind, const void *stream) {
  LaunchQueue *q = queue();
  if (!q)
    return cudaErrorNotSupported;
  uint64_t streamNumber = reinterpret_cast<uintptr_t>(stream);
  if (uint32_t error = checkStream(*q, streamNumber))
    return static_cast<int>(note(error));
  auto *to = static_cast<uint64_t *>(reserve(*q, 8, sizeof(CopyOperation)));
  if (!to)
    return cudaErrorLaunchOutOfResources; // noted
  auto *from = static_cast<const uint64_t *>(operation);
  for (unsigned i = 0; i < sizeof(CopyOperation) / 8; ++i)
    to[i] = from[i];
  LaunchRecord r = {};
  r.parameters = reinterpret_cast<uintptr_t>(to);
  r.kind = kind;
  r.stream = static_cast<uint32_t>(streamNumber);
  return static_cast<int>(note(append(*q, r)));
}

extern "C" int __vx_launch_error(unsigned forget) {
  LaunchQueue *q = queue();
  if (!q || __atomic_load_n(&q->errorCount, __ATOMIC_RELAXED) == 0)
    return cudaSuccess;
  ThreadError *e = findError(*q, self(), false);
  if (!e)
    return static_cast<int>(q->lostError);
  uint32_t error = e->error;
  if (forget)
    e->error = cudaSuccess;
  return static_cast<int>(error);
}

extern "C" int __vx_launch_note_error(unsigned error) {
  return static_cast<int>(note(error));
}

extern "C" void *__vx_launch_handle() {
  LaunchQueue *q = queue();
  return at<void>(q ? add(q->nextHandle, 1) : 0);
}

/// MADE: only a stream or event that the device made will do.
extern "C" int __vx_launch_check_handle(const void *handle, unsigned made) {
  LaunchQueue *q = queue();
  if (!q)
    return cudaErrorNotSupported;
  uint64_t number = reinterpret_cast<uintptr_t>(handle);
  uint32_t error = checkStream(*q, number);
  if (made && number < kFirstDeviceHandle)
    error = cudaErrorInvalidValue;
  return static_cast<int>(note(error));
}

extern "C" const char *__vx_launch_error_text(int error, unsigned text) {
  switch (error) {
#define VX_CUDA_ERROR(NAME, TEXT)                                                                  \
  case NAME:                                                                                       \
    return text ? TEXT : #NAME;
#include "runtime/CudaErrors.def"
  default:
    return "unrecognized error code";
  }
}

extern "C" int __vx_launch_attribute(unsigned attribute) {
  LaunchQueue *q = queue();
  return q && attribute < kDeviceAttributes ? q->attributes[attribute] : 0;
}

extern "C" uint64_t __vx_launch_limit(unsigned limit) {
  LaunchQueue *q = queue();
  return q && limit < kDeviceLimits ? q->limits[limit] : ~uint64_t(0);
}

extern "C" int __vx_launch_device(unsigned count) {
  LaunchQueue *q = queue();
  return static_cast<int>(!q ? count : count ? q->deviceCount : q->device);
}
