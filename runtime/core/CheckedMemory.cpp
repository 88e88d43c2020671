// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/CheckedMemory.h"
#include "runtime/core/HostFrames.h"
#include "simulator/api/Checker.h"

namespace vx::rt {

/// The calls that have led here. Their names are found when a report needs them.
static sim::HostStack currentStack() {
  return [frames = captureHostFrames()] { return describeHostFrames(frames); };
}

void noteAllocation(Device &device, uint64_t address, uint64_t size) {
  if (sim::Checker *checker = device.checker())
    checker->allocated({address, size, "device memory", false, true, currentStack()});
}

void noteHostMemory(Device &device, uint64_t address, uint64_t size) {
  if (sim::Checker *checker = device.checker())
    checker->allocated({address, size, "memory of the host", true, false, nullptr});
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

} // namespace vx::rt
