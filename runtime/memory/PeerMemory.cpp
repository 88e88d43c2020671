// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/memory/PeerMemory.h"
#include <algorithm>

namespace vx::rt {

void ExportList::add(uint64_t address, Export entry) {
  std::lock_guard lock(mutex);
  exports[address] = std::move(entry);
  ++changes;
}

void ExportList::remove(uint64_t address) {
  std::lock_guard lock(mutex);
  if (exports.erase(address))
    ++changes;
}

void ExportList::clear() {
  std::lock_guard lock(mutex);
  exports.clear();
  ++changes;
}

bool ExportList::isOver() const {
  std::lock_guard lock(mutex);
  return isClosed && exports.empty();
}

std::map<uint64_t, Export> ExportList::all() const {
  std::lock_guard lock(mutex);
  return exports;
}

DeviceGrants &DeviceGrants::get() {
  static auto *instance = new DeviceGrants; // outlives every static object of the program
  return *instance;
}

void DeviceGrants::grant(unsigned device, std::shared_ptr<ExportList> list) {
  std::lock_guard lock(mutex);
  ExportLists &lists = granted[device];
  if (std::find(lists.begin(), lists.end(), list) != lists.end())
    return;
  lists.push_back(std::move(list));
  ++changes;
}

void DeviceGrants::revoke(unsigned device, const ExportList &list) {
  std::lock_guard lock(mutex);
  if (std::erase_if(granted[device], [&](const auto &one) { return one.get() == &list; }))
    ++changes;
}

bool DeviceGrants::isGranted(unsigned device, const ExportList &list) const {
  std::lock_guard lock(mutex);
  auto it = granted.find(device);
  return it != granted.end() && std::any_of(it->second.begin(), it->second.end(),
                                            [&](const auto &one) { return one.get() == &list; });
}

ExportLists DeviceGrants::listsOf(unsigned device) {
  std::lock_guard lock(mutex);
  ExportLists &lists = granted[device];
  std::erase_if(lists, [](const auto &list) { return list->isOver(); });
  return lists;
}

bool PeerMappings::enable(uint64_t context, std::shared_ptr<ExportList> list) {
  std::lock_guard lock(mutex);
  hasPeers = true;
  return peers.emplace(context, std::move(list)).second;
}

bool PeerMappings::disable(uint64_t context) {
  std::lock_guard lock(mutex);
  return peers.erase(context) != 0; // update() still looks once
}

bool PeerMappings::isEnabled(uint64_t context) const {
  std::lock_guard lock(mutex);
  return peers.contains(context);
}

/// Makes WANTED all that is imported.
Result<void> PeerMappings::import(std::map<uint64_t, Export> wanted, Device &target) {
  // First what is gone: other memory may be at its address now.
  for (auto it = imports.begin(); it != imports.end();) {
    auto now = wanted.find(it->first);
    if (now != wanted.end() && now->second.pages == it->second) {
      wanted.erase(now);
      ++it;
      continue;
    }
    if (Result<void> r = target.memFree(it->first); !r)
      return r;
    it = imports.erase(it);
  }
  for (const auto &[address, entry] : wanted) {
    if (Result<void> r = target.memImport(address, entry.size, *entry.pages); !r)
      return r;
    imports.emplace(address, entry.pages);
  }
  return {};
}

Result<void> PeerMappings::update(Device &target) {
  DeviceGrants &grants = DeviceGrants::get();
  uint64_t grantsNow = grants.version();
  if (!hasPeers && seen.empty() && grantsNow == seenGrants)
    return {};
  Seen now; // versions before contents: what comes between them is seen again
  for (std::shared_ptr<ExportList> &list : grants.listsOf(device))
    now.emplace_back(std::move(list), 0);
  {
    std::lock_guard lock(mutex);
    for (const auto &[context, list] : peers)
      now.emplace_back(list, 0);
    hasPeers = !peers.empty();
  }
  for (auto &[list, version] : now)
    version = list->version();
  if (now != seen) {
    std::map<uint64_t, Export> wanted;
    for (const auto &[list, version] : now)
      wanted.merge(list->all());
    if (Result<void> r = import(std::move(wanted), target); !r)
      return r;
    seen = std::move(now);
  }
  seenGrants = grantsNow;
  return {};
}

} // namespace vx::rt
