// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module part of Context: from a host address to a kernel or a variable.

#include "runtime/core/Context.h"

namespace vx::rt {

Result<std::unique_ptr<Module>> Context::loadModule(const FatModule *fat) {
  Result<std::vector<FatImage>> images = parseFatWrapper(fat->wrapper);
  if (!images)
    return images.error();
  ImageChoice choice;
  choice.lowering = options.lowering;
  choice.profile = abi::IsaProfile(driver->caps(Cap::WarpIsa));
  choice.xlen = uint32_t(driver->caps(Cap::Xlen));
  Result<FatImage> image = chooseImage(*images, choice);
  if (!image)
    return image.error();
  return Module::parse(image->elf, choice.xlen);
}

/// The module of FAT, read at its first use. Called with `metadata` held.
Result<Module *> Context::moduleOf(const FatModule *fat) {
  if (auto it = modules.find(fat); it != modules.end())
    return it->second.get();
  Result<std::unique_ptr<Module>> module = loadModule(fat);
  if (!module)
    return module.error();
  return modules.emplace(fat, std::move(*module)).first->second.get();
}

cudaError_t Context::findKernel(const void *hostFunction, Kernel *&kernel) {
  std::optional<RegisteredKernel> registered = Registry::get().findKernel(hostFunction);
  if (!registered)
    return cudaErrorInvalidDeviceFunction;
  std::lock_guard lock(metadata);
  if (brokenModules.contains(registered->module))
    return cudaErrorNoKernelImageForDevice;
  Result<Module *> module = moduleOf(registered->module);
  if (!module) {
    brokenModules.emplace(registered->module, cudaErrorNoKernelImageForDevice); // said once
    printMessage(module.error().message);
    return cudaErrorNoKernelImageForDevice;
  }
  kernel = (*module)->kernel(registered->deviceName);
  return kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

cudaError_t Context::findVariable(const void *hostVariable, Module *&module, AddressRange &range) {
  std::optional<RegisteredVariable> registered = Registry::get().findVariable(hostVariable);
  if (!registered)
    return cudaErrorInvalidSymbol;
  std::lock_guard lock(metadata);
  Result<Module *> found = moduleOf(registered->module);
  if (!found) {
    if (brokenModules.emplace(registered->module, cudaErrorNoKernelImageForDevice).second)
      printMessage(found.error().message);
    return cudaErrorNoKernelImageForDevice;
  }
  std::optional<AddressRange> variable = (*found)->variable(registered->deviceName);
  if (!variable)
    return cudaErrorInvalidSymbol;
  module = *found;
  range = {variable->base, registered->size ? registered->size : variable->size};
  return cudaSuccess;
}

/// Loads MODULE; what lies in its way goes out.
Result<void> Context::makeResident(Module &module) {
  if (module.isResident())
    return {};
  std::vector<Module *> others;
  {
    std::lock_guard lock(metadata);
    for (const auto &[fat, other] : modules)
      if (other->isResident() && other->collidesWith(module))
        others.push_back(other.get());
  }
  for (Module *other : others)
    if (Result<void> r = other->evict(*driver); !r)
      return r;
  return module.load(*driver);
}

cudaError_t Context::useModule(Module &module) {
  if (Result<void> r = makeResident(module); !r) {
    failDevice(r.error());
    return stickyError();
  }
  return cudaSuccess;
}

void Context::forgetModule(const FatModule *fat) {
  work->waitForAll();
  work->withDevice([&] {
    std::lock_guard lock(metadata);
    auto it = modules.find(fat);
    if (it == modules.end())
      return;
    if (it->second->isResident())
      (void)it->second->evict(*driver); // its memory is given up either way
    modules.erase(it);
  });
}

} // namespace vx::rt
