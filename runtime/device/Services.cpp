// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device services that kernels call: printf, malloc and free, assert. Built to bitcode and linked
// into a kernel's module before divergence is handled, so this is ordinary C++ run by every lane.

#include "intrinsics/abi/AddressMap.h"
#include "intrinsics/abi/CheckHints.h"
#include "runtime/device/Contract.h"

using namespace vx::abi;
using vx::device::at;

namespace {

uint64_t addressOf(const void *p) {
  return reinterpret_cast<uintptr_t>(p);
}

uint64_t roundUp(uint64_t v, uint64_t to) {
  return (v + to - 1) & ~(to - 1);
}

/// Executes the hint WHAT (AddressMap.h) about VALUE; what the device leaves of it.
template <int WHAT> uint64_t hint(uint64_t value) {
  asm volatile("slti x0, %0, %1" : "+r"(value) : "i"(WHAT) : "memory");
  return value;
}

/// The buffer counters are 64-bit, but a launch never asks for 4 GiB: the low words are enough and
/// 32-bit atomics exist for every XLEN.
uint32_t addLow(uint64_t *counter, uint32_t amount) {
  return __atomic_fetch_add(reinterpret_cast<uint32_t *>(counter), amount, __ATOMIC_RELAXED);
}

} // namespace

/// Reserves a record and fills it in; the host formats it after the launch. Returns the bytes, or
/// Returns -1 where the buffer has no room; vx-import makes the number of arguments of it.
extern "C" int __vx_printf(const char *format, const void *args, int bytes) {
  uint64_t address = __vx_descriptor()->printfBuffer;
  if (!address)
    return -1;
  auto *buffer = at<PrintfBuffer>(address);
  uint32_t size = static_cast<uint32_t>(roundUp(sizeof(PrintfRecord) + bytes, 8));
  uint64_t offset = addLow(&buffer->used, size);
  if (offset + size > buffer->capacity)
    return -1;
  auto *record = at<PrintfRecord>(address + sizeof(PrintfBuffer) + offset);
  record->format = addressOf(format);
  record->argBytes = bytes;
  auto *to = reinterpret_cast<uint32_t *>(record + 1);
  auto *from = static_cast<const uint32_t *>(args);
  for (int i = 0; i < bytes / 4; ++i) // word by word: atomic stores do not become a call of memcpy
    __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
  record->valid = 1;
  return bytes;
}

extern "C" void __vx_assert_fail(const char *message, const char *file, unsigned line,
                                 const char *function) {
  auto *status = at<StatusBlock>(__vx_descriptor()->status);
  uint32_t none = kStatusNone;
  if (__atomic_compare_exchange_n(&status->kind, &none, static_cast<uint32_t>(kStatusAssert), false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    status->line = line;
    status->message = addressOf(message);
    status->file = addressOf(file);
    status->function = addressOf(function);
    status->blockIdx[0] = __vx_block_idx_x();
    status->blockIdx[1] = __vx_block_idx_y();
    status->blockIdx[2] = __vx_block_idx_z();
    status->threadIdx[0] = __vx_thread_idx_x();
    status->threadIdx[1] = __vx_thread_idx_y();
    status->threadIdx[2] = __vx_thread_idx_z();
  }
  __vx_stop(VX_ECALL_ASSERT);
}

/// Synchronizes all blocks of a cooperative launch: each block by itself, then one thread per block
/// at a counter whose top bit flips when the last one arrives (block 0 adds what the others leave
/// of it), then each block again. A grid that was not launched so would wait forever for blocks
/// that are not running: the thread is stopped instead.
extern "C" __attribute__((convergent)) void __vx_grid_sync() {
  LaunchDescriptor *descriptor = __vx_descriptor();
  if (!(descriptor->flags & kLaunchCooperative))
    __vx_trap();
  __vx_barrier();
  if ((__vx_thread_idx_x() | __vx_thread_idx_y() | __vx_thread_idx_z()) == 0) {
    const uint32_t top = 0x80000000u;
    bool first = (__vx_block_idx_x() | __vx_block_idx_y() | __vx_block_idx_z()) == 0;
    uint32_t others = static_cast<uint32_t>(descriptor->numBlocks) - 1;
    uint32_t before =
        __atomic_fetch_add(&descriptor->gridBarrier, first ? top - others : 1u, __ATOMIC_ACQ_REL);
    while (((before ^ __atomic_load_n(&descriptor->gridBarrier, __ATOMIC_ACQUIRE)) & top) == 0)
      __vx_nanosleep(0); // nothing on the device; blocks on the host share its CPUs
  }
  __vx_barrier();
}

/// Stops the kernel for a REASON that the status block has, too, as KIND.
[[noreturn]] static void stop(StatusKind kind, int64_t reason) {
  at<StatusBlock>(__vx_descriptor()->status)->kind = kind;
  __vx_stop(reason);
}

extern "C" void __cxa_pure_virtual() {
  stop(kStatusPureVirtual, VX_ECALL_PURE_VIRTUAL);
}

namespace {

/// Precedes every allocation; free chunks are linked through `next`.
struct Chunk {
  uint64_t size; // of the payload, a multiple of 16; with kFree, a free chunk's
  uint64_t next;
};

constexpr uint64_t kFree = 1;

/// First fit over a list, else from the untouched end. Called with the heap locked.
uint64_t allocate(DeviceHeap *heap, uint64_t bytes) {
  uint64_t previous = 0;
  for (uint64_t c = heap->freeList; c; previous = c, c = at<Chunk>(c)->next) {
    if (at<Chunk>(c)->size < bytes)
      continue;
    uint64_t next = at<Chunk>(c)->next;
    if (previous)
      at<Chunk>(previous)->next = next;
    else
      heap->freeList = next;
    at<Chunk>(c)->size &= ~kFree;
    return c + sizeof(Chunk);
  }
  if (heap->top + bytes + sizeof(Chunk) > heap->capacity)
    return 0;
  uint64_t c = addressOf(heap + 1) + heap->top;
  heap->top += bytes + sizeof(Chunk);
  at<Chunk>(c)->size = bytes;
  return c + sizeof(Chunk);
}

/// Runs ACTION with the heap's lock held. The critical section must stay inside the loop: lanes of
/// one warp that wait for each other would never get out of a loop that only waits. Hence the
/// opaque copy of `got`: knowing it, the optimizer moves the section out of the loop, after its
/// end.
template <typename F> void locked(DeviceHeap *heap, F action) {
  auto *lock = reinterpret_cast<uint32_t *>(&heap->lock);
  for (;;) {
    unsigned got = __atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) == 0;
    if (got) {
      action();
      __atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
    }
    __asm__ volatile("" : "+r"(got));
    if (got)
      return;
  }
}

} // namespace

extern "C" void *__vx_malloc(uint64_t bytes) {
  uint64_t address = __vx_descriptor()->heap;
  if (!address)
    return nullptr;
  bytes += bytes == 0; // as on a GPU, it has an address of its own
  auto *heap = at<DeviceHeap>(address);
  if (bytes > heap->capacity)
    return nullptr;
  uint64_t result = 0;
  hint<VX_HINT_PAUSE>(1);
  locked(heap, [&] { result = allocate(heap, roundUp(bytes, 16)); });
  hint<VX_HINT_PAUSE>(0);
  hint<VX_HINT_SIZE>(bytes);
  return at<void>(hint<VX_HINT_HEAP_ALLOCATED>(result));
}

/// Leaves memory that is not the heap's alone; a second release stops the kernel.
extern "C" void __vx_free(void *p) {
  uint64_t address = __vx_descriptor()->heap;
  if (!address || !p)
    return;
  auto *heap = at<DeviceHeap>(address);
  uint64_t payload = hint<VX_HINT_HEAP_FREE>(addressOf(p));
  if (!payload)
    return;
  uint64_t c = payload - sizeof(Chunk);
  if (c - addressOf(heap + 1) >= heap->top)
    return;
  bool isFree = false;
  hint<VX_HINT_PAUSE>(1);
  locked(heap, [&] {
    isFree = at<Chunk>(c)->size & kFree;
    if (isFree)
      return;
    at<Chunk>(c)->size |= kFree;
    at<Chunk>(c)->next = heap->freeList;
    heap->freeList = c;
  });
  hint<VX_HINT_PAUSE>(0);
  if (isFree)
    __vx_trap();
}

namespace {

/// Precedes every local variable that is in the heap.
struct alignas(16) Local {
  void *previous, *memory;
};

} // namespace

/// Sizes are rounded up, so that what one function has freed is of use for the next.
extern "C" void *__vx_make_local(void *previous, uint64_t bytes, uint64_t align) {
  uint64_t size = 64, wanted = bytes + sizeof(Local) + (align > 16 ? align : 0);
  const uint64_t most = uint64_t(1) << 40;
  while (size < wanted && size < most)
    size *= 2;
  void *memory = bytes < most ? __vx_malloc(size) : nullptr;
  if (!memory)
    stop(kStatusNoLocalMemory, VX_ECALL_NO_LOCAL_MEMORY);
  auto *local = at<Local>(roundUp(addressOf(memory) + sizeof(Local), align)) - 1;
  *local = {previous, memory};
  return local + 1;
}

extern "C" void __vx_free_locals(void *last, void *kept) {
  while (last != kept) {
    Local local = static_cast<Local *>(last)[-1];
    __vx_free(local.memory);
    last = local.previous;
  }
}
