// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of backends, and the choice among them.

#include "runtime/backends/host/HostDevice.h"
#include "runtime/backends/library/LibraryDevice.h"
#include "runtime/backends/sim/SimDevice.h"
#include "runtime/core/Device.h"

namespace vx::rt {

static const Backend kBackends[] = {
    {"sim", openSimDevice},
    {"host", openHostDevice},
};

std::span<const Backend> builtinBackends() {
  return kBackends;
}

Result<std::unique_ptr<Device>> openDevice(std::string_view name, const DeviceIdentity &identity) {
  if (name.empty())
    return kBackends[0].open(identity);
  for (const Backend &backend : kBackends)
    if (name == backend.name)
      return backend.open(identity);
  // Devices of a library have the same addresses: a pointer would not tell whose it is.
  if (identity.count > 1 || identity.window != 0)
    return Failure{"VX_BACKEND=" + std::string(name) +
                   ": a library has one device with one "
                   "context, not more (VX_DEVICES)"};
  return openLibraryDevice(std::string(name));
}

} // namespace vx::rt
