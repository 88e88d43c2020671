// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of mappings (Mappings.def) in C++: their numbers, and the row of each.

#ifndef VX_ABI_MAPPINGS_H
#define VX_ABI_MAPPINGS_H

#include "intrinsics/abi/FatBinary.h"
#include <cstdint>

namespace vx::abi {

enum class Mapping : uint32_t {
#define MAPPING(ENUM, NAME, LOWERING, LANE, WARP, KERNEL, DEVICE) ENUM,
#include "intrinsics/abi/Mappings.def"
};

/// A mapping's row of the registry.
struct MappingInfo {
  Mapping mapping;
  const char *name;
  Lowering lowering; ///< Hw or Sw
  const char *lane, *warp;
  const char *kernel, *device; ///< the needs of the mapping: of the kernel and of the device
};

inline constexpr MappingInfo kMappings[] = {
#define MAPPING(ENUM, NAME, LOWERING, LANE, WARP, KERNEL, DEVICE)                                  \
  {Mapping::ENUM, NAME, Lowering::LOWERING, LANE, WARP, KERNEL, DEVICE},
#include "intrinsics/abi/Mappings.def"
};
inline constexpr uint32_t kNumMappings = sizeof(kMappings) / sizeof(kMappings[0]);

constexpr const MappingInfo &infoOf(Mapping mapping) {
  return kMappings[static_cast<uint32_t>(mapping)];
}

/// Returns the mapping that every kernel with LOWERING has: the first one in the registry.
constexpr Mapping baseOf(Lowering lowering) {
  for (const MappingInfo &info : kMappings)
    if (info.lowering == lowering)
      return info.mapping;
  return kMappings[0].mapping;
}

/// Returns the bit of MAPPING in a set of mappings, as KernelRecord::mappings.
constexpr uint32_t bitOf(Mapping mapping) {
  return 1u << static_cast<uint32_t>(mapping);
}

} // namespace vx::abi

#endif // VX_ABI_MAPPINGS_H
