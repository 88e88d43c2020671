// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/core/DeviceShape.h"
#include "runtime/core/Device.h"

namespace vx::rt {

DeviceShape DeviceShape::of(const Device &device) {
  auto atLeastOne = [&](Cap cap) { return uint32_t(std::max<uint64_t>(1, device.caps(cap))); };
  DeviceShape shape;
  shape.numThreads = atLeastOne(Cap::NumThreads);
  shape.numWarps = atLeastOne(Cap::NumWarps);
  shape.numCores = atLeastOne(Cap::NumCores);
  shape.numBarriers = atLeastOne(Cap::NumBarriers);
  shape.localMemBytes = device.caps(Cap::LocalMemSize);
  shape.localMemBase = device.caps(Cap::LocalMemBase);
  // Which images run has been decided (chooseImage); what they have is that of profile `warp`.
  shape.profile = std::min(abi::IsaProfile(device.caps(Cap::WarpIsa)), abi::IsaProfile::Warp);
  shape.stackBytes = device.caps(Cap::StackBytes);
  shape.maxStackBytes = std::max(shape.stackBytes, device.caps(Cap::MaxStackBytes));
  return shape;
}

} // namespace vx::rt
