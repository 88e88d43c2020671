// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/ContextState.h"
#include "runtime/core/EndOfProgram.h"
#include "runtime/core/Messages.h"

namespace vx::rt {

ContextState::ContextState(std::unique_ptr<Device> device, const ContextOptions &options,
                           const DeviceIdentity &identity, uint64_t id)
    : opened(std::move(device)), asked(options), deviceShape(DeviceShape::of(*opened)),
      memoryBytes(opened->memInfo().total), addressBits(opened->caps(Cap::Xlen)),
      hasSharedMemory(opened->caps(Cap::SharesMemory) != 0), place(identity), contextId(id),
      cycles(opened->cycles()) {}

uint64_t ContextState::countCycles() {
  uint64_t now = opened->cycles();
  return now - cycles.exchange(now);
}

void ContextState::noteEventClock() const {
  if (std::string note = opened->clockNote(); !note.empty())
    noteForUser("event times " + note);
}

std::string ContextState::deviceName() const {
  return "Vortex (" + opened->description() + ")";
}

void ContextState::setStickyError(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  sticky.compare_exchange_strong(none, error); // the first one stays
}

void ContextState::failDevice(const Failure &failure) {
  printMessage(failure.message);
  setStickyError(cudaErrorUnknown);
}

void ContextState::printOnce(const std::string &text) {
  std::lock_guard lock(mutex);
  if (printed.insert(text).second)
    printMessage(text);
}

} // namespace vx::rt
