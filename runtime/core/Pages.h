// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages, of a device's allocations and of the host's memory that holds them.

#ifndef VX_RUNTIME_CORE_PAGES_H
#define VX_RUNTIME_CORE_PAGES_H

#include <cstdint>

namespace vx::rt {

/// Bytes of a page.
constexpr uint64_t kPage = 4096;

/// Returns the least number of bytes of whole pages that is at least SIZE.
constexpr uint64_t roundToPages(uint64_t size) {
  return (size + kPage - 1) & ~(kPage - 1);
}

} // namespace vx::rt

#endif // VX_RUNTIME_CORE_PAGES_H
