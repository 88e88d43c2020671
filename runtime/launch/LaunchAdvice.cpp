// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/launch/LaunchAdvice.h"
#include "intrinsics/abi/FatBinaryNames.h"
#include "intrinsics/abi/SymbolNames.h"
#include "simulator/api/SimConfig.h"
#include <algorithm>
#include <tuple>

namespace vx::rt {

static std::string settingsBetween(const DeviceShape &from, const DeviceShape &to) {
  std::string text;
  auto add = [&](bool isChanged, const std::string &setting) {
    if (isChanged)
      text += (text.empty() ? "" : ",") + setting;
  };
  add(to.numWarps != from.numWarps, "core.num_warps=" + std::to_string(to.numWarps));
  add(to.numThreads != from.numThreads, "core.num_threads=" + std::to_string(to.numThreads));
  add(to.profile != from.profile, std::string("isa.warp=") + abi::toString(to.profile));
  return text;
}

std::string settingsFor(const abi::KernelRecord &kernel, const DeviceShape &shape) {
  // Few changes are better than many, and more warps better than wider ones.
  using Cost = std::tuple<int, bool, uint32_t, int>;
  std::optional<std::pair<Cost, DeviceShape>> best;
  auto consider = [&](const DeviceShape &other) {
    bool warps = other.numWarps != shape.numWarps, lanes = other.numThreads != shape.numThreads;
    bool profile = other.profile != shape.profile;
    Cost cost = {warps + lanes + profile, lanes, other.lanes(), int(other.profile)};
    if ((!best || cost < best->first) && whatIsMissing(kernel, other).empty())
      best = {cost, other};
  };
  DeviceShape other = shape;
  for (auto profile : {shape.profile, abi::IsaProfile::Upstream, abi::IsaProfile::Warp}) {
    other.profile = std::max(profile, shape.profile);
    for (uint32_t warps = 0; warps <= sim::KnobMaximum::numWarps; warps = warps ? 2 * warps : 1) {
      other.numWarps = warps ? warps : shape.numWarps;
      for (uint32_t lanes = 0; lanes <= sim::KnobMaximum::numThreads;
           lanes = lanes ? 2 * lanes : 1) {
        other.numThreads = lanes ? lanes : shape.numThreads;
        consider(other);
      }
    }
  }
  return best ? settingsBetween(shape, best->second) : std::string();
}

std::string describeRefusal(const Kernel &kernel, abi::Lowering lowering, const DeviceShape &shape,
                            bool canConfigure) {
  const abi::KernelRecord *hw = kernel.hardwareVariant(), *sw = kernel.softwareVariant();
  // What the device lacks for the hw variant does not matter where the sw variant was asked for.
  bool wantsHw = lowering != abi::Lowering::Sw && hw;
  std::string reason, cures;
  auto offer = [&](const std::string &cure) { cures += (cures.empty() ? "" : ", or ") + cure; };
  if (wantsHw) {
    reason = whatIsMissing(*hw, shape);
    std::string settings = canConfigure ? settingsFor(*hw, shape) : std::string();
    if (!settings.empty())
      offer("another device (VX_SET=" + settings + ")");
  } else {
    reason = "there is no variant for lowering " + std::string(toString(lowering)) +
             " (vxcc -Rvx-lower says why)";
  }
  if (lowering == abi::Lowering::Hw && sw)
    offer("its sw variant (VX_LOWERING=auto, prefer-hw or sw)");
  if (lowering == abi::Lowering::Sw && hw)
    offer("its hw variant (VX_LOWERING=auto or hw)");
  if (!sw && wantsHw)
    offer(hw->flags & abi::kKernelSwDeferred ? "a program compiled with --vx-defer-sw=0"
                                             : "a program compiled with --lower=auto");
  return "error: kernel `" + abi::sourceName(kernel.name) + "`: " + reason +
         "\n  it does NOT run: its launches fail, and what the program computes without it is "
         "wrong" +
         (cures.empty() ? "" : "\n  what would run it: " + cures);
}

std::string describeFallback(const Kernel &kernel, const DeviceShape &shape) {
  const abi::KernelRecord *hw = kernel.hardwareVariant();
  std::string reason =
      hw ? whatIsMissing(*hw, shape) : "it has no hw variant (vxcc -Rvx-lower says why)";
  if (reason.empty() && mayHangInStep(*hw, shape) && kernel.softwareVariant())
    reason = "lanes of a warp may wait for a lock that another one holds, which hangs in hw";
  if (reason.empty())
    return {};
  return "kernel `" + abi::sourceName(kernel.name) + "` runs in its sw variant: " + reason;
}

std::string describeRows(const Kernel &kernel) {
  return "error: kernel `" + abi::sourceName(kernel.name) +
         "`: its hw variant is for blocks of one dimension; in others, lanes of a warp may wait "
         "for "
         "each other\n  what would run it: " +
         (kernel.softwareVariant() ? "its sw variant (VX_LOWERING=auto, prefer-hw or sw)"
                                   : "a program compiled with --lower=auto");
}

std::string describeSharedLimit(const Kernel &kernel, uint64_t asked) {
  uint64_t most = std::max(kMaxSharedBytesOptIn, kernel.record.staticSharedBytes) -
                  kernel.record.staticSharedBytes;
  std::string text = "kernel `" + abi::sourceName(kernel.name) + "`: " + std::to_string(asked) +
                     " bytes of dynamic shared memory asked for; a launch has at most ";
  if (asked > most)
    return text + std::to_string(most);
  return text + std::to_string(kernel.maxDynamicShared) + ", and up to " + std::to_string(most) +
         " after cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize";
}

static std::string shapeText(const Dim &shape) {
  return "(" + std::to_string(shape.x) + "," + std::to_string(shape.y) + "," +
         std::to_string(shape.z) + ")";
}

std::string describeLimits(const Dim &grid, const Dim &block) {
  std::string blockText = "a block of " + shapeText(block),
              gridText = "a grid of " + shapeText(grid);
  if (block.count() == 0)
    return blockText + " has no threads";
  if (grid.count() == 0)
    return gridText + " has no blocks";
  if (block.count() > kMaxBlockThreads)
    return blockText + " has " + std::to_string(block.count()) + " threads; the most is " +
           std::to_string(kMaxBlockThreads);
  if (block.z > kMaxBlockDimZ)
    return blockText + ": the most in z is " + std::to_string(kMaxBlockDimZ);
  if (grid.x > kMaxGridDimX || grid.y > kMaxGridDimYZ || grid.z > kMaxGridDimYZ)
    return gridText + ": the most is " + shapeText({kMaxGridDimX, kMaxGridDimYZ, kMaxGridDimYZ});
  if (grid.count() > abi::kMaxGridBlocks)
    return gridText + " has more than " + std::to_string(abi::kMaxGridBlocks) + " blocks";
  return {};
}

std::string describeStackRoom(const DeviceShape &shape) {
  return "with " + std::to_string(uint64_t(shape.lanes()) * shape.numCores) +
         " lanes, the device has room for stacks of " + std::to_string(shape.maxStackBytes) +
         " bytes";
}

} // namespace vx::rt
