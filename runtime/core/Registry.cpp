// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/Registry.h"

namespace vx::rt {

Registry &Registry::get() {
  static Registry *registry = new Registry; // see the head of Registry.h
  return *registry;
}

FatModule *Registry::addModule(const void *wrapper) {
  std::lock_guard lock(mutex);
  return &modules.emplace_back(FatModule{wrapper});
}

bool Registry::removeModule(const FatModule *module) {
  std::lock_guard lock(mutex);
  std::erase_if(kernels, [&](const auto &entry) { return entry.second.module == module; });
  std::erase_if(variables, [&](const auto &entry) { return entry.second.module == module; });
  return modules.remove_if([&](const FatModule &m) { return &m == module; }) != 0;
}

std::vector<const void *> Registry::wrappers() {
  std::lock_guard lock(mutex);
  std::vector<const void *> all;
  for (const FatModule &module : modules)
    all.push_back(module.wrapper);
  return all;
}

void Registry::addKernel(const FatModule *module, const void *hostAddress, const char *deviceName) {
  std::lock_guard lock(mutex);
  kernels[hostAddress] = {module, deviceName};
}

void Registry::addVariable(const void *hostAddress, RegisteredVariable variable) {
  std::lock_guard lock(mutex);
  variables[hostAddress] = std::move(variable);
}

std::optional<RegisteredKernel> Registry::findKernel(const void *hostAddress) {
  std::lock_guard lock(mutex);
  auto it = kernels.find(hostAddress);
  return it == kernels.end() ? std::nullopt : std::optional(it->second);
}

std::optional<RegisteredVariable> Registry::findVariable(const void *hostAddress) {
  std::lock_guard lock(mutex);
  auto it = variables.find(hostAddress);
  return it == variables.end() ? std::nullopt : std::optional(it->second);
}

} // namespace vx::rt
