// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/PeerMemory.h"

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

std::map<uint64_t, Export> ExportList::all() const {
  std::lock_guard lock(mutex);
  return exports;
}

bool PeerMappings::enable(uint64_t context, std::shared_ptr<ExportList> list) {
  std::lock_guard lock(mutex);
  Peer &peer = peers[context];
  if (peer.list)
    return false;
  peer.list = std::move(list);
  peer.seenVersion = 0;
  any = true;
  return true;
}

bool PeerMappings::disable(uint64_t context) {
  std::lock_guard lock(mutex);
  auto it = peers.find(context);
  if (it == peers.end() || !it->second.list)
    return false;
  it->second.list = nullptr;
  return true;
}

bool PeerMappings::isEnabled(uint64_t context) const {
  std::lock_guard lock(mutex);
  auto it = peers.find(context);
  return it != peers.end() && it->second.list;
}

Result<void> PeerMappings::update(Peer &peer, Device &device) {
  uint64_t version = peer.list ? peer.list->version() : 0;
  if (version == peer.seenVersion && peer.list)
    return {};
  std::map<uint64_t, Export> wanted;
  if (peer.list)
    wanted = peer.list->all();
  // First what is gone: other memory may be at its address now.
  for (auto it = peer.imports.begin(); it != peer.imports.end();) {
    auto now = wanted.find(it->first);
    if (now != wanted.end() && now->second.pages == it->second) {
      ++it;
      continue;
    }
    if (Result<void> r = device.memFree(it->first); !r)
      return r;
    it = peer.imports.erase(it);
  }
  for (const auto &[address, entry] : wanted) {
    if (peer.imports.contains(address))
      continue;
    if (Result<void> r = device.memImport(address, entry.size, *entry.pages); !r)
      return r;
    peer.imports.emplace(address, entry.pages);
  }
  peer.seenVersion = version;
  return {};
}

Result<void> PeerMappings::update(Device &device) {
  if (!any)
    return {};
  std::lock_guard lock(mutex);
  for (auto it = peers.begin(); it != peers.end();) {
    if (Result<void> r = update(it->second, device); !r)
      return r;
    it = it->second.list ? std::next(it) : peers.erase(it);
  }
  any = !peers.empty();
  return {};
}

} // namespace vx::rt
