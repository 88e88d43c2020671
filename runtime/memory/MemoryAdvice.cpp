// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/memory/MemoryAdvice.h"
#include "runtime/core/Pages.h"

namespace vx::rt {

static uint64_t pageOf(uint64_t address) {
  return address & ~(kPage - 1);
}

static uint64_t endOf(uint64_t address, uint64_t size) {
  return roundToPages(address + size);
}

MemoryAdvice &MemoryAdvice::get() {
  static MemoryAdvice *advice = new MemoryAdvice; // as long as the process
  return *advice;
}

/// Splits the piece that ADDRESS lies in, so that one begins there.
void MemoryAdvice::splitAt(uint64_t address) {
  auto next = pieces.upper_bound(address);
  if (next == pieces.begin())
    return;
  auto it = std::prev(next);
  if (it->first == address || it->second.end <= address)
    return;
  pieces.emplace(address, it->second);
  it->second.end = address;
}

void MemoryAdvice::change(uint64_t address, uint64_t size,
                          const std::function<void(Advice &)> &change) {
  uint64_t at = pageOf(address), end = endOf(address, size);
  std::lock_guard lock(mutex);
  splitAt(at);
  splitAt(end);
  while (at < end) {
    auto it = pieces.lower_bound(at);
    if (it == pieces.end() || it->first > at) { // nothing was said about what is before it
      uint64_t next = it == pieces.end() ? end : std::min(it->first, end);
      it = pieces.emplace(at, Piece{next, {}}).first;
    }
    change(it->second.advice);
    at = it->second.end;
  }
}

std::vector<Advice> MemoryAdvice::find(uint64_t address, uint64_t size) const {
  uint64_t at = pageOf(address), end = endOf(address, size);
  std::lock_guard lock(mutex);
  std::vector<Advice> found;
  auto it = pieces.upper_bound(at);
  if (it != pieces.begin() && std::prev(it)->second.end > at)
    --it;
  while (at < end) {
    if (it == pieces.end() || it->first > at) {
      found.emplace_back();
      at = it == pieces.end() ? end : it->first;
    } else {
      found.push_back(it->second.advice);
      at = it->second.end;
      ++it;
    }
  }
  return found;
}

void MemoryAdvice::forget(uint64_t address, uint64_t size) {
  uint64_t at = pageOf(address), end = endOf(address, size);
  std::lock_guard lock(mutex);
  splitAt(at);
  splitAt(end);
  pieces.erase(pieces.lower_bound(at), pieces.lower_bound(end));
}

} // namespace vx::rt
