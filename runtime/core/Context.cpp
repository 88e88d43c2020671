// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Context.h"
#include "runtime/core/FatBinary.h"
#include "runtime/core/Registry.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vx::rt {

void printMessage(const std::string &text) {
  // What the program printed before belongs before it.
  std::fflush(stdout);
  std::fprintf(stderr, "vxrt: %s\n", text.c_str());
}

Context::Context(std::unique_ptr<Device> device, const ContextOptions &options)
    : driver(std::move(device)), options(options), deviceShape(DeviceShape::of(*driver)) {
  wanted.stackBytes = driver->caps(Cap::StackBytes);
  memoryBytes = driver->memInfo().total;
  addressBits = driver->caps(Cap::Xlen);
  hasSharedMemory = driver->caps(Cap::SharesMemory) != 0;
  cycles = driver->cycles();
}

Context::~Context() {
  work.finish();
  driver->finish();
}

void Context::noteEventClock() const {
  static std::once_flag once;
  std::call_once(once, [&] {
    if (std::string note = driver->clockNote(); !note.empty())
      printMessage("event times " + note);
  });
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

void Context::setPendingLaunches(uint64_t count) {
  std::lock_guard lock(metadata);
  wanted.pendingLaunches = count;
}

void Context::setFetchBytes(uint64_t bytes) {
  std::lock_guard lock(metadata);
  wanted.fetchBytes = bytes;
}

Runtime &Runtime::get() {
  static Runtime *runtime = new Runtime; // outlives every static object of the program
  return *runtime;
}

/// Work that was launched runs to its end, also when the program ends without waiting for it.
static void finishAtExit() {
  if (Scheduler::inHostFunction())
    return; // exit() from a host function: its own stream would be waited for
  Runtime::get().waitForReset();
  if (ContextUse context = Runtime::get().existing()) {
    context->scheduler().waitForAll();
    context->scheduler().withDevice([&] { context->device().finish(); });
  }
}

/// The backend for programs whose user asks for none: "host" if there is code for nothing else.
static std::string defaultBackend() {
  bool anyHost = false;
  for (const void *wrapper : Registry::get().wrappers()) {
    Result<std::vector<FatImage>> images = parseFatWrapper(wrapper);
    if (!images)
      return "";
    for (const FatImage &image : *images) {
      if (image.lowering != abi::Lowering::Host)
        return "";
      anyHost = true;
    }
  }
  return anyHost ? "host" : "";
}

Runtime::Runtime() {
  opener = [] {
    const char *name = std::getenv("VX_BACKEND");
    return openDevice(name && *name ? name : defaultBackend());
  };
  std::atexit(finishAtExit);
}

static Result<ContextOptions> readOptions() {
  ContextOptions options;
  const char *lowering = std::getenv("VX_LOWERING");
  std::string_view name = lowering ? lowering : "";
  if (name == "sw")
    options.lowering = abi::Lowering::Sw;
  else if (name == "hw")
    options.lowering = abi::Lowering::Hw;
  else if (name == "prefer-hw")
    options.saysFallback = true;
  else if (!name.empty() && name != "auto")
    return Failure{"VX_LOWERING=" + std::string(name) + ": it is auto, hw, prefer-hw or sw"};
  const char *mapping = std::getenv("VX_SW_MAPPING");
  std::string_view mappingName = mapping ? mapping : "";
  if (mappingName == "block")
    options.mapping = SwMapping::Block;
  else if (mappingName == "spread")
    options.mapping = SwMapping::Spread;
  else if (mappingName == "warp")
    options.mapping = SwMapping::Warp;
  else if (!mappingName.empty() && mappingName != "auto")
    return Failure{"VX_SW_MAPPING=" + std::string(mappingName) +
                   ": it is block, spread, warp or auto"};
  return options;
}

/// Called with the mutex held.
ContextUse Runtime::use() {
  ++uses;
  return ContextUse(current.get());
}

void Runtime::endUse() {
  std::lock_guard lock(mutex);
  if (--uses == 0)
    changed.notify_all();
}

ContextUse::~ContextUse() {
  if (context)
    Runtime::get().endUse();
}

ContextUse Runtime::context() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return !isEnding; });
  if (current)
    return use();
  if (failed)
    return {};
  Result<ContextOptions> options = readOptions();
  Result<std::unique_ptr<Device>> device =
      options ? opener() : Result<std::unique_ptr<Device>>(options.error());
  if (!device) {
    failed = true; // the reason is said once
    printMessage(device.error().message);
    return {};
  }
  current = std::make_unique<Context>(std::move(*device), *options);
  return use();
}

ContextUse Runtime::existing() {
  std::lock_guard lock(mutex);
  return current && !isEnding ? use() : ContextUse();
}

void Runtime::reset() {
  std::unique_lock lock(mutex);
  failed = false;
  if (isEnding || !current) {
    changed.wait(lock, [&] { return !isEnding; });
    return;
  }
  isEnding = true;
  changed.wait(lock, [&] { return uses == 0; });
  std::unique_ptr<Context> ending = std::move(current);
  lock.unlock();
  ending.reset(); // waits for its work, on threads that may ask for the context
  lock.lock();
  isEnding = false;
  changed.notify_all();
}

void Runtime::waitForReset() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return !isEnding; });
}

void Runtime::setOpener(std::function<Result<std::unique_ptr<Device>>()> newOpener) {
  reset();
  std::lock_guard lock(mutex);
  opener = std::move(newOpener);
}

} // namespace vx::rt
