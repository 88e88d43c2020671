// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/memory/CheckedMemory.h"
#include "runtime/core/HostFrames.h"

namespace vx::rt {

/// The calls that have led here. Their names are found when a report needs them.
static sim::HostStack currentStack() {
  return [frames = captureHostFrames()] { return describeHostFrames(frames); };
}

void noteAllocation(Device &device, uint64_t address, uint64_t size) {
  if (sim::Checker *checker = device.checker())
    checker->allocated({address, size, "device memory", false, true, currentStack()});
}

static const char *nameOf(HostRegionKind kind) {
  switch (kind) {
  case HostRegionKind::Pinned:
    return "page-locked memory of the host";
  case HostRegionKind::Registered:
    return "registered memory of the host";
  case HostRegionKind::Managed:
    return "managed memory";
  }
  return "";
}

static void note(sim::Checker &checker, const HostRegion &region, bool isLost) {
  sim::HostStack stack;
  if (region.made)
    stack = [made = region.made] { return describeHostFrames(*made); };
  checker.allocated(
      {region.base, region.size, nameOf(region.kind), true, isLost, std::move(stack)});
}

void noteHostMemory(Device &device, const HostRegion &region) {
  if (sim::Checker *checker = device.checker())
    note(*checker, region, false);
}

void noteHostLeaks(Device &device, uint64_t owner) {
  sim::Checker *checker = device.checker();
  if (!checker)
    return;
  HostMemory::get().forEachOwnedBy(owner, [&](const HostRegion &region) {
    if (!region.isVariable && region.kind != HostRegionKind::Registered)
      note(*checker, region, true);
  });
}

HostCalls callsFor(Device &device) {
  return device.checker() ? std::make_shared<const std::vector<void *>>(captureHostFrames())
                          : nullptr;
}

void noteFree(Device &device, uint64_t address) {
  if (sim::Checker *checker = device.checker())
    checker->freed(address, currentStack());
}

void noteSharedMemory(Device &device, uint64_t address, uint64_t size) {
  if (sim::Checker *checker = device.checker())
    checker->shared(address, size);
}

void noteWrongFree(Device &device, uint64_t address, const char *call) {
  if (sim::Checker *checker = device.checker())
    checker->freedWrongly(address, call, currentStack());
}

void noteFailedCall(Device &device, sim::FailedCall call) {
  if (sim::Checker *checker = device.checker())
    checker->callFailed(std::move(call), currentStack());
}

} // namespace vx::rt
