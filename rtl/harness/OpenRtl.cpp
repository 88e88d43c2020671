// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device of libvortex-rtl.so: the core under Verilator.

#include "rtl/harness/RtlSimulator.h"
#include "simulator/vortex/VortexDevice.h"

namespace vx::sim {

DriverKind driverKind() {
  return {"vortex-rtl", rtl::RtlSimulator::defaults(), rtl::RtlSimulator::create};
}

} // namespace vx::sim
