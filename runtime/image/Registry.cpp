// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/Registry.h"

namespace vx::rt {

/// Drops what MODULE has registered from MAP.
template <typename Map> static void forget(Map &map, const FatModule *module) {
  for (auto &[address, all] : map)
    std::erase_if(all, [&](const auto &registered) { return registered.module == module; });
  std::erase_if(map, [](const auto &entry) { return entry.second.empty(); });
}

/// Returns the entry that counts for ADDRESS.
template <typename Map>
static auto findLast(const Map &map, const void *address)
    -> std::optional<typename Map::mapped_type::value_type> {
  auto it = map.find(address);
  if (it == map.end())
    return std::nullopt;
  return it->second.back();
}

Registry &Registry::get() {
  static Registry *registry = new Registry; // see the head of Registry.h
  return *registry;
}

FatModule *Registry::addModule(const void *wrapper, int optLevel) {
  std::lock_guard lock(mutex);
  return &modules.emplace_back(FatModule{wrapper, optLevel});
}

bool Registry::removeModule(const FatModule *module) {
  std::lock_guard lock(mutex);
  forget(kernels, module);
  forget(variables, module);
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
  kernels[hostAddress].push_back({module, deviceName});
}

void Registry::addVariable(const void *hostAddress, RegisteredVariable variable) {
  std::lock_guard lock(mutex);
  variables[hostAddress].push_back(std::move(variable));
}

std::vector<ManagedVariable> Registry::managedVariables(const FatModule *module) {
  std::lock_guard lock(mutex);
  std::vector<ManagedVariable> found;
  for (const auto &[address, registered] : variables)
    for (const RegisteredVariable &variable : registered)
      if (variable.isManaged && variable.module == module)
        found.push_back({variable.deviceName, const_cast<void *>(address)});
  return found;
}

std::optional<RegisteredKernel> Registry::findKernel(const void *hostAddress) {
  std::lock_guard lock(mutex);
  return findLast(kernels, hostAddress);
}

std::optional<RegisteredVariable> Registry::findVariable(const void *hostAddress) {
  std::lock_guard lock(mutex);
  return findLast(variables, hostAddress);
}

} // namespace vx::rt
