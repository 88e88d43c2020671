// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device of libvortex-vx.so: the simulators of this project.

#include "simulator/vortex/VortexDevice.h"

namespace vx::sim {

DriverKind driverKind() {
  return simulatorKind();
}

} // namespace vx::sim
