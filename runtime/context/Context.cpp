// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/Context.h"
#include "runtime/core/EndOfProgram.h"
#include "runtime/memory/CheckedMemory.h"
#include <cstdio>

namespace vx::rt {

void printMessage(const std::string &text) {
  // What the program printed before belongs before it.
  std::fflush(stdout);
  std::fprintf(stderr, "vxrt: %s\n", text.c_str());
}

Context::Context(std::unique_ptr<Device> device, const ContextOptions &options,
                 const DeviceIdentity &identity, uint64_t id)
    : driver(std::move(device)), options(options), deviceShape(DeviceShape::of(*driver)),
      place(identity), contextId(id), peers(identity.number) {
  wanted.stackBytes = driver->caps(Cap::StackBytes);
  memoryBytes = driver->memInfo().total;
  addressBits = driver->caps(Cap::Xlen);
  hasSharedMemory = driver->caps(Cap::SharesMemory) != 0;
  cycles = driver->cycles();
}

Context::~Context() {
  work.finish();
  showPrinted();
  extensions.clear(); // their memory is the device's
  if (exports)
    exports->clear();
  for (const auto &[address, allocation] : allocations)
    if (allocation.list)
      allocation.list->remove(address);
  noteHostLeaks(*driver, contextId);
  driver->finish();
}

void Context::noteEventClock() const {
  if (std::string note = driver->clockNote(); !note.empty())
    noteForUser("event times " + note);
}

std::string Context::deviceName() const {
  return "Vortex (" + driver->description() + ")";
}

void Context::setStickyError(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  sticky.compare_exchange_strong(none, error); // the first one stays
}

void Context::failDevice(const Failure &failure) {
  printMessage(failure.message);
  setStickyError(cudaErrorUnknown);
}

void Context::printOnce(const std::string &text) {
  std::lock_guard lock(metadata);
  if (printed.insert(text).second)
    printMessage(text);
}

ContextLimits Context::limits() {
  std::lock_guard lock(metadata);
  return wanted;
}

void Context::setSyncDepth(uint64_t depth) {
  std::lock_guard lock(metadata);
  wanted.syncDepth = depth;
}

void Context::setFetchBytes(uint64_t bytes) {
  std::lock_guard lock(metadata);
  wanted.fetchBytes = bytes;
}

} // namespace vx::rt
