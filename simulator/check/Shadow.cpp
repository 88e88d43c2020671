// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/check/Shadow.h"
#include <algorithm>

namespace vx::sim {

/// Gives PAGE a state for each byte.
uint8_t *Shadow::spread(Page &page) {
  if (!page.bytes) {
    page.bytes.reset(new uint8_t[kPageSize]);
    std::memset(page.bytes.get(), page.state, kPageSize);
  }
  return page.bytes.get();
}

void Shadow::set(uint64_t address, uint64_t size, ByteState state) {
  for (uint64_t done = 0; done < size;) {
    uint64_t number = (address + done) >> kPageBits, offset = (address + done) % kPageSize;
    uint64_t part = std::min(size - done, kPageSize - offset);
    done += part;
    auto [found, isNew] = pages.try_emplace(number);
    Page &page = found->second;
    if (isNew)
      recent[number % recent.size()] = {};
    if (part == kPageSize) {
      page.bytes.reset();
      page.state = uint8_t(state);
    } else if (page.bytes || page.state != uint8_t(state)) {
      std::memset(spread(page) + offset, uint8_t(state), part);
    }
  }
}

void Shadow::define(uint64_t address, unsigned size) {
  Page *page = find(address >> kPageBits);
  if (!page || (!page->bytes && page->state != uint8_t(ByteState::Undefined)))
    return;
  uint8_t *at = spread(*page) + address % kPageSize;
  for (unsigned i = 0; i < size; ++i)
    if (at[i] == uint8_t(ByteState::Undefined))
      at[i] = uint8_t(ByteState::Usable);
}

} // namespace vx::sim
