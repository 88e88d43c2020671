// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/context/Context.h"
#include "runtime/image/ModuleLoader.h"
#include "runtime/launch/LaunchServices.h"
#include "runtime/launch/Launcher.h"
#include "runtime/memory/CheckedMemory.h"
#include "runtime/memory/DeviceMemory.h"

namespace vx::rt {

Context::Context(std::unique_ptr<Device> opened, const ContextOptions &options,
                 const DeviceIdentity &identity, uint64_t id)
    : ContextState(std::move(opened), options, identity, id),
      memoryPart(std::make_unique<DeviceMemory>(*this)),
      modulePart(std::make_unique<ModuleLoader>(*this)),
      servicePart(std::make_unique<LaunchServices>(*this)),
      launchPart(std::make_unique<Launcher>(*this, memory(), modules(), services())) {}

Context::~Context() {
  scheduler().finish();
  services().showPrinted();
  extensions.clear(); // their memory is the device's
  memory().endSharing();
  noteHostLeaks(device(), id());
  device().finish();
}

std::optional<AddressRange> Context::findDeviceRange(uint64_t address) {
  std::optional<AddressRange> range = memory().findRange(address);
  return range ? range : modules().findRange(address);
}

bool Context::isDeviceRange(uint64_t address, uint64_t size) {
  std::optional<AddressRange> range = findDeviceRange(address);
  return range && range->contains(address, size);
}

} // namespace vx::rt
