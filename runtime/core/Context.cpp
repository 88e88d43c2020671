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
    : driver(std::move(device)), options(options), deviceShape(DeviceShape::of(*driver)),
      work(std::make_unique<Scheduler>()) {
  wanted.stackBytes = driver->caps(Cap::StackBytes);
  cycles = driver->cycles();
}

Context::~Context() {
  work.reset();
  driver->finish();
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

ContextLimits Context::limits() {
  std::lock_guard lock(metadata);
  return wanted;
}

Runtime &Runtime::get() {
  static Runtime *runtime = new Runtime; // outlives every static object of the program
  return *runtime;
}

/// Work that was launched runs to its end, also when the program ends without waiting for it.
static void finishAtExit() {
  if (Scheduler::inHostFunction())
    return; // exit() from a host function: its own stream would be waited for
  if (std::shared_ptr<Context> context = Runtime::get().existing()) {
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
  else if (!name.empty() && name != "auto")
    return Failure{"VX_LOWERING=" + std::string(name) + ": it is hw, sw or auto"};
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

std::shared_ptr<Context> Runtime::context() {
  std::lock_guard lock(mutex);
  if (current || failed)
    return current;
  Result<ContextOptions> options = readOptions();
  Result<std::unique_ptr<Device>> device =
      options ? opener() : Result<std::unique_ptr<Device>>(options.error());
  if (!device) {
    failed = true; // the reason is said once
    printMessage(device.error().message);
    return nullptr;
  }
  current = std::make_shared<Context>(std::move(*device), *options);
  return current;
}

std::shared_ptr<Context> Runtime::existing() {
  std::lock_guard lock(mutex);
  return current;
}

void Runtime::reset() {
  std::shared_ptr<Context> old;
  {
    std::lock_guard lock(mutex);
    old = std::move(current);
    failed = false;
  }
}

void Runtime::setOpener(std::function<Result<std::unique_ptr<Device>>()> newOpener) {
  reset();
  std::lock_guard lock(mutex);
  opener = std::move(newOpener);
}

} // namespace vx::rt
