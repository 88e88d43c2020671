// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/MemoryPools.h"
#include "runtime/memory/DeviceMemory.h"
#include "runtime/memory/PeerMemory.h"
#include <algorithm>
#include <chrono>
#include <sys/random.h>

namespace vx::rt {

MemoryPool::~MemoryPool() {
  if (exported) // what is freed in a stream may still be worked on
    exported->close();
  for (const Kept &memory : kept)
    (void)context.scheduler().withDevice([&] { return context.memory().giveBack(memory.address); });
}

/// The smallest kept memory for SIZE bytes, not much larger, that STREAM may use.
std::list<MemoryPool::Kept>::iterator MemoryPool::findKept(uint64_t size,
                                                           const std::shared_ptr<Stream> &stream) {
  auto best = kept.end();
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    if (it->size < size || it->size > 2 * roundToPages(size))
      continue;
    bool isOrdered = it->stream.lock() == stream;
    if (!isOrdered && !(isOpportunistic && isFree(*it)) && !addsDependencies)
      continue;
    if (best == kept.end() || it->size < best->size)
      best = it;
  }
  return best;
}

cudaError_t MemoryPool::allocate(uint64_t size, const std::shared_ptr<Stream> &stream,
                                 uint64_t &address) {
  if (isImported()) // as on NVIDIA's devices
    return cudaErrorNotSupported;
  std::unique_lock lock(mutex);
  if (props.maxSize && size > props.maxSize)
    return cudaErrorMemoryAllocation;
  if (auto it = findKept(size, stream); it != kept.end()) {
    Kept memory = *it;
    kept.erase(it);
    live.emplace(memory.address, memory.size);
    used.add(roundToPages(memory.size));
    lock.unlock();
    if (!isFree(memory) && memory.stream.lock() != stream)
      context.scheduler().enqueue(stream, {nullptr, memory.freed, false});
    context.memory().remember(memory.address);
    address = memory.address;
    return cudaSuccess;
  }
  if (props.maxSize && reserved.current + roundToPages(size) > props.maxSize)
    return cudaErrorMemoryAllocation;
  lock.unlock();
  cudaError_t e = context.memory().allocate(size, address);
  if (e != cudaSuccess) { // what is kept may be in the way
    (void)trim(0);
    e = context.memory().allocate(size, address);
  }
  if (e != cudaSuccess)
    return e;
  e = adopt(address, size);
  if (e != cudaSuccess)
    (void)context.memory().release(address);
  return e;
}

cudaError_t MemoryPool::adopt(uint64_t address, uint64_t size) {
  std::unique_lock lock(mutex);
  live.emplace(address, size);
  used.add(roundToPages(size));
  reserved.add(roundToPages(size));
  if (!exported)
    return cudaSuccess;
  std::shared_ptr<ExportList> list = exported;
  lock.unlock();
  cudaError_t e = context.memory().exportTo(address, std::move(list));
  if (e == cudaSuccess)
    return e;
  lock.lock();
  used.current -= roundToPages(size);
  reserved.current -= roundToPages(size);
  live.erase(address);
  return e;
}

cudaError_t MemoryPool::setAccess(unsigned device, bool isAllowed) {
  std::vector<uint64_t> bases;
  std::unique_lock lock(mutex);
  if (!isAllowed) {
    if (exported)
      DeviceGrants::get().revoke(device, *exported);
    return cudaSuccess;
  }
  if (!exported) {
    exported = std::make_shared<ExportList>();
    for (const auto &[address, size] : live)
      bases.push_back(address);
    for (const Kept &memory : kept)
      bases.push_back(memory.address);
  }
  std::shared_ptr<ExportList> list = exported;
  lock.unlock();
  for (uint64_t address : bases)
    if (cudaError_t e = context.memory().exportTo(address, list); e != cudaSuccess)
      return e;
  DeviceGrants::get().grant(device, std::move(list));
  return cudaSuccess;
}

bool MemoryPool::isAccessible(unsigned device) {
  std::lock_guard lock(mutex);
  return exported && DeviceGrants::get().isGranted(device, *exported);
}

void MemoryPool::free(uint64_t address, const std::shared_ptr<Stream> &stream, Scheduler &streams) {
  (void)context.memory().forget(address);
  std::shared_ptr<EventTicket> ticket;
  std::function<void()> giveBack;
  if (keepsNothing() && stream) // it is not allocated from
    giveBack = [&context = context, address] { (void)context.memory().giveBack(address); };
  if (stream) {
    ticket = std::make_shared<EventTicket>();
    Scheduler &own = context.scheduler();
    bool isOwn = &streams == &own;
    streams.enqueue(stream, {isOwn ? giveBack : nullptr, nullptr, false, ticket});
    if (!isOwn && giveBack) // the memory is this device's
      own.enqueue(own.createStream(false, 0), {giveBack, ticket, false});
  }
  std::lock_guard lock(mutex);
  auto it = live.find(address);
  used.current -= roundToPages(it->second);
  if (giveBack)
    reserved.current -= roundToPages(it->second);
  else
    kept.push_back({address, it->second, stream, std::move(ticket)});
  live.erase(it);
}

cudaError_t MemoryPool::trim(uint64_t keep) {
  std::list<Kept> given;
  {
    std::lock_guard lock(mutex);
    for (auto it = kept.begin(); it != kept.end() && reserved.current > keep;) {
      auto next = std::next(it);
      if (isFree(*it)) {
        reserved.current -= roundToPages(it->size);
        given.splice(given.end(), kept, it);
      }
      it = next;
    }
  }
  cudaError_t result = cudaSuccess;
  if (!given.empty())
    context.scheduler().withDevice([&] {
      for (const Kept &memory : given)
        if (cudaError_t e = context.memory().giveBack(memory.address); e != cudaSuccess)
          result = e;
    });
  return result;
}

uint64_t MemoryPool::name() {
  std::lock_guard lock(mutex);
  while (ownName == 0)
    if (getrandom(&ownName, sizeof ownName, 0) != sizeof ownName)
      ownName = uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
  return ownName;
}

void MemoryPool::close() {
  isDestroyed = true;
  (void)trim(0);
  std::list<Kept> pending;
  {
    std::lock_guard lock(mutex);
    pending.swap(kept);
    for (const Kept &memory : pending)
      reserved.current -= roundToPages(memory.size);
  }
  Scheduler &scheduler = context.scheduler();
  for (const Kept &memory : pending) { // after the work that may still use it
    auto giveBack = [&context = context, address = memory.address] {
      (void)context.memory().giveBack(address);
    };
    scheduler.enqueue(scheduler.createStream(false, 0), {giveBack, memory.freed, false});
  }
}

cudaError_t MemoryPool::setAttribute(cudaMemPoolAttr id, const void *value) {
  std::lock_guard lock(mutex);
  int flag = 0;
  uint64_t number = 0;
  switch (id) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    flag = *static_cast<const int *>(value);
    (id == cudaMemPoolReuseFollowEventDependencies ? followsEvents
     : id == cudaMemPoolReuseAllowOpportunistic    ? isOpportunistic
                                                   : addsDependencies) = flag != 0;
    return cudaSuccess;
  case cudaMemPoolAttrReleaseThreshold:
    threshold = *static_cast<const uint64_t *>(value);
    return cudaSuccess;
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh: {
    number = *static_cast<const uint64_t *>(value);
    Usage &usage = id == cudaMemPoolAttrReservedMemHigh ? reserved : used;
    if (number != 0) // a maximum can only start anew
      return cudaErrorInvalidValue;
    usage.high = usage.current;
    return cudaSuccess;
  }
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t MemoryPool::getAttribute(cudaMemPoolAttr id, void *value) {
  std::lock_guard lock(mutex);
  auto give = [&](auto number) {
    *static_cast<decltype(number) *>(value) = number;
    return cudaSuccess;
  };
  switch (id) {
  case cudaMemPoolReuseFollowEventDependencies:
    return give(followsEvents);
  case cudaMemPoolReuseAllowOpportunistic:
    return give(isOpportunistic);
  case cudaMemPoolReuseAllowInternalDependencies:
    return give(addsDependencies);
  case cudaMemPoolAttrReleaseThreshold:
    return give(threshold);
  case cudaMemPoolAttrReservedMemCurrent:
    return give(reserved.current);
  case cudaMemPoolAttrReservedMemHigh:
    return give(reserved.high);
  case cudaMemPoolAttrUsedMemCurrent:
    return give(used.current);
  case cudaMemPoolAttrUsedMemHigh:
    return give(used.high);
  default:
    return cudaErrorInvalidValue;
  }
}

MemoryPools::MemoryPools(Context &context) : context(context) {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, int(context.identity().number)};
  defaultHandle = current = add(props);
}

cudaMemPool_t MemoryPools::add(const cudaMemPoolProps &props, uint64_t origin) {
  std::lock_guard lock(mutex);
  cudaMemPool_t handle = newHandle<cudaMemPool_t>();
  pools.emplace(handle, std::make_shared<MemoryPool>(context, props, origin));
  return handle;
}

std::shared_ptr<MemoryPool> MemoryPools::find(cudaMemPool_t handle) {
  std::lock_guard lock(mutex);
  auto it = pools.find(handle);
  return it == pools.end() ? nullptr : it->second;
}

bool MemoryPools::remove(cudaMemPool_t handle) {
  std::lock_guard lock(mutex);
  auto it = pools.find(handle);
  if (it == pools.end() || handle == defaultHandle)
    return false;
  if (current == handle)
    current = defaultHandle;
  std::shared_ptr<MemoryPool> pool = it->second; // its allocations keep it
  pools.erase(it);
  pool->close();
  return true;
}

cudaMemPool_t MemoryPools::currentPool() {
  std::lock_guard lock(mutex);
  return current;
}

bool MemoryPools::setCurrent(cudaMemPool_t handle) {
  std::lock_guard lock(mutex);
  auto it = pools.find(handle);
  if (it == pools.end() || it->second->isImported())
    return false;
  current = handle;
  return true;
}

std::shared_ptr<MemoryPool> MemoryPools::ownerOf(uint64_t address) {
  std::lock_guard lock(mutex);
  auto it = owners.find(address);
  return it == owners.end() ? nullptr : it->second;
}

void MemoryPools::noteOwner(uint64_t address, const std::shared_ptr<MemoryPool> &pool) {
  std::lock_guard lock(mutex);
  owners[address] = pool;
}

bool MemoryPools::free(uint64_t address, const std::shared_ptr<Stream> &stream,
                       Scheduler &streams) {
  std::shared_ptr<MemoryPool> pool;
  {
    std::lock_guard lock(mutex);
    auto it = owners.find(address);
    if (it == owners.end())
      return false;
    pool = it->second;
    owners.erase(it);
  }
  pool->free(address, stream, streams);
  anyKept = true;
  if (!stream && pool->keepsNothing())
    (void)pool->trim(0);
  return true;
}

void MemoryPools::trimAfterWait() {
  if (!anyKept.load(std::memory_order_relaxed))
    return;
  std::vector<std::shared_ptr<MemoryPool>> all;
  {
    std::lock_guard lock(mutex);
    for (const auto &[handle, pool] : pools)
      all.push_back(pool);
  }
  bool isLeft = false;
  for (const std::shared_ptr<MemoryPool> &pool : all) {
    uint64_t keep;
    {
      std::lock_guard lock(pool->mutex);
      keep = pool->threshold;
    }
    (void)pool->trim(keep);
    std::lock_guard lock(pool->mutex);
    isLeft |= pool->reserved.current > keep && !pool->kept.empty();
  }
  anyKept = isLeft;
}

} // namespace vx::rt
