// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context: the state of an opened device, and a class for each of its uses, whose header is
// included where it is used:
//
//   memory()     runtime/memory/DeviceMemory.h
//   modules()    runtime/image/ModuleLoader.h
//   services()   runtime/launch/LaunchServices.h   limits, printf, heap
//   launcher()   runtime/launch/Launcher.h
//
// The API functions are thin shells around it. Each device of the program has a primary context;
// Runtime.h says which contexts there are and which is whose.

#ifndef VX_RUNTIME_CONTEXT_CONTEXT_H
#define VX_RUNTIME_CONTEXT_CONTEXT_H

#include "runtime/context/ContextExtension.h"
#include "runtime/context/Handles.h"
#include "runtime/core/Allocator.h"
#include "runtime/core/ContextState.h"
#include <memory>
#include <optional>

namespace vx::rt {

class DeviceMemory;
class Launcher;
class LaunchServices;
class ModuleLoader;

class Context : public ContextState {
public:
  Context(std::unique_ptr<Device> device, const ContextOptions &options,
          const DeviceIdentity &identity = {}, uint64_t id = 0);
  /// Waits for all work.
  ~Context();

  DeviceMemory &memory() { return *memoryPart; }
  ModuleLoader &modules() { return *modulePart; }
  LaunchServices &services() { return *servicePart; }
  Launcher &launcher() { return *launchPart; }
  Handles &handles() { return objects; }
  /// Returns what a folder that contexts do not know of keeps for the context.
  template <typename T> T &extension() { return extensions.get<T>(*this); }

  /// The allocation or device variable that holds ADDRESS.
  std::optional<AddressRange> findDeviceRange(uint64_t address);
  bool isDeviceRange(uint64_t address, uint64_t size);

private:
  // In the order in which they use each other.
  const std::unique_ptr<DeviceMemory> memoryPart;
  const std::unique_ptr<ModuleLoader> modulePart;
  const std::unique_ptr<LaunchServices> servicePart;
  const std::unique_ptr<Launcher> launchPart;
  Handles objects;
  ContextExtensions extensions;
};

} // namespace vx::rt

#endif // VX_RUNTIME_CONTEXT_CONTEXT_H
