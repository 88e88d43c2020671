// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/graphs/GraphMemory.h"
#include "runtime/memory/DeviceMemory.h"

namespace vx::rt {

GraphAllocation::~GraphAllocation() {
  owner.forget(*this);
}

cudaError_t GraphMemory::create(uint64_t size, std::shared_ptr<GraphAllocation> &allocation) {
  uint64_t address = 0;
  if (cudaError_t e = context.memory().allocate(size, address); e != cudaSuccess)
    return e;
  std::lock_guard lock(mutex);
  allocation = std::make_shared<GraphAllocation>(*this, address, size);
  allocations[address] = allocation;
  return cudaSuccess;
}

void GraphMemory::forget(GraphAllocation &allocation) {
  std::lock_guard lock(mutex);
  allocations.erase(allocation.address);
  if (allocation.isReserved)
    held.current -= allocation.size;
  (void)context.memory().release(allocation.address); // cannot fail: only this releases it
}

std::shared_ptr<GraphAllocation> GraphMemory::find(uint64_t address) const {
  std::lock_guard lock(mutex);
  auto it = allocations.find(address);
  return it == allocations.end() ? nullptr : it->second.lock();
}

void GraphMemory::setLive(std::shared_ptr<GraphAllocation> allocation, bool isLive) {
  std::lock_guard lock(mutex);
  if (isLive == allocation->isLive)
    return;
  allocation->isLive = isLive;
  if (!isLive) {
    inUse.current -= allocation->size;
    live.erase(allocation->address);
    return;
  }
  inUse.add(allocation->size);
  live[allocation->address] = allocation;
  if (!allocation->isReserved) {
    allocation->isReserved = true;
    held.add(allocation->size);
  }
}

void GraphMemory::trim() {
  std::lock_guard lock(mutex);
  for (const auto &[address, known] : allocations)
    if (std::shared_ptr<GraphAllocation> allocation = known.lock();
        allocation && allocation->isReserved && !allocation->isLive) {
      allocation->isReserved = false;
      held.current -= allocation->size;
    }
}

GraphMemory::Usage GraphMemory::used() const {
  std::lock_guard lock(mutex);
  return inUse;
}

GraphMemory::Usage GraphMemory::reserved() const {
  std::lock_guard lock(mutex);
  return held;
}

void GraphMemory::resetHigh(bool ofUsed) {
  std::lock_guard lock(mutex);
  Usage &usage = ofUsed ? inUse : held;
  usage.high = usage.current;
}

} // namespace vx::rt
