// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef VX_SIMULATOR_API_HOSTADDRESS_H
#define VX_SIMULATOR_API_HOSTADDRESS_H

#include <cstdint>
#include <string>

namespace vx::sim {

/// Below it, an address is that of a member or an element of nothing.
inline constexpr uint64_t kNearNull = 4096;

/// Returns what ADDRESS, at which the device has no memory, is on the host: "this is an address of
/// the host's stack: …"; empty if this process has no memory there either. Reads /proc/self/maps.
std::string describeHostAddress(uint64_t address);

} // namespace vx::sim

#endif // VX_SIMULATOR_API_HOSTADDRESS_H
