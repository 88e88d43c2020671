// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of lowerings and instruction profiles, as messages and options have them.

#ifndef VX_ABI_FAT_BINARY_NAMES_H
#define VX_ABI_FAT_BINARY_NAMES_H

#include "intrinsics/abi/FatBinary.h"
#include <optional>
#include <string_view>

namespace vx::abi {

constexpr const char *toString(Lowering lowering) {
  switch (lowering) {
  case Lowering::Hw:
    return "hw";
  case Lowering::Sw:
    return "sw";
  case Lowering::Host:
    return "host";
  case Lowering::Auto:
    return "auto";
  case Lowering::Ir:
    return "nvvm-ir";
  }
  return "?";
}

constexpr const char *toString(IsaProfile profile) {
  switch (profile) {
  case IsaProfile::Base:
    return "base";
  case IsaProfile::Upstream:
    return "upstream";
  case IsaProfile::Warp:
    return "warp";
  case IsaProfile::Paths:
    return "paths";
  }
  return "?";
}

inline constexpr IsaProfile kIsaProfiles[] = {IsaProfile::Base, IsaProfile::Upstream,
                                              IsaProfile::Warp, IsaProfile::Paths};

/// Returns the profile called NAME; none if no profile is.
constexpr std::optional<IsaProfile> isaProfileNamed(std::string_view name) {
  for (IsaProfile profile : kIsaProfiles)
    if (name == toString(profile))
      return profile;
  return std::nullopt;
}

} // namespace vx::abi

#endif // VX_ABI_FAT_BINARY_NAMES_H
