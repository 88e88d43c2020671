// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of backends, and the choice among them.

#include "runtime/backends/host/HostDevice.h"
#include "runtime/backends/library/LibraryDevice.h"
#include "runtime/backends/sim/SimDevice.h"
#include "runtime/core/Driver.h"

namespace vx::rt {

static const Backend kBackends[] = {
    {"sim", openSimDevice},
    {"host", openHostDevice},
};

std::span<const Backend> builtinBackends() {
  return kBackends;
}

Result<std::unique_ptr<Device>> openDevice(std::string_view name) {
  if (name.empty())
    return kBackends[0].open();
  for (const Backend &backend : kBackends)
    if (name == backend.name)
      return backend.open();
  return openLibraryDevice(std::string(name));
}

} // namespace vx::rt
