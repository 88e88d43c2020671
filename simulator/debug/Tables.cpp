// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/debug/Tables.h"
#include "simulator/check/Text.h"
#include <map>

namespace vx::sim {

namespace {

std::string shapeText(const uint32_t (&dim)[3]) {
  return "(" + std::to_string(dim[0]) + "," + std::to_string(dim[1]) + "," +
         std::to_string(dim[2]) + ")";
}

} // namespace

void Tables::describeRun(const RunInfo &info) {
  name = info.name.empty() ? "kernel" : std::string(info.name);
  lowering = info.lowering;
  continues = info.continues;
  code = info.image ? CodeMap(*info.image, info.slide, lanes.device.config.xlen)
                    : CodeMap(lanes.device.config.xlen);
}

void Tables::runStarted() {
  launches += continues ? 0 : 1;
}

std::string Tables::answer(std::string_view request, uint64_t thread) {
  if (request == "kernels")
    return kernels();
  if (request == "blocks")
    return blocks();
  if (request == "warps")
    return warps();
  if (request == "lanes")
    return warp(thread);
  return "monitor kernels   the kernel that runs\n"
         "monitor blocks    its blocks that are on the device\n"
         "monitor warps     the warps that have not ended\n"
         "monitor lanes     the lanes of the selected thread's warp\n";
}

std::string Tables::kernels() const {
  const abi::LaunchDescriptor &launch = lanes.launch();
  std::string text = "launch " + std::to_string(launches) + "  " + name;
  if (!lowering.empty())
    text += " [" + lowering + "]";
  if (launch.blockThreads)
    text += "  grid " + shapeText(launch.gridDim) + "  block " + shapeText(launch.blockDim);
  return text + "\n";
}

std::string Tables::blocks() {
  struct Block {
    unsigned lanes = 0, active = 0;
    uint32_t core = 0;
  };
  std::map<uint64_t, Block> blocks;
  for (uint64_t thread : lanes.threads()) {
    std::optional<LaneRef> at = lanes.find(thread);
    if (!at || !lanes.runsThread(*at))
      continue;
    Block &block = blocks[lanes.blockOf(*at)];
    ++block.lanes;
    block.active += at->isActive();
    block.core = at->core->id;
  }
  std::string text;
  for (const auto &[number, block] : blocks)
    text += "block " + coordinatesText(number, lanes.launch().gridDim) + "  core " +
            std::to_string(block.core) + "  " + std::to_string(block.lanes) + " lanes, " +
            std::to_string(block.active) + " active\n";
  return text.empty() ? "no block runs\n" : text;
}

std::string Tables::placeOf(const LaneRef &at) {
  uint64_t pc = lanes.pc(at);
  std::string place = code.at(pc).text();
  return hexText(pc) + (place.empty() ? "" : "  ") + place;
}

std::string Tables::warps() {
  std::string text;
  for (Core &core : lanes.device.cores)
    for (Warp &warp : core.warps) {
      if (!warp.size || warp.state == WarpState::Idle || warp.state == WarpState::Merged)
        continue;
      LaneRef first{&core, &warp, warp.mask ? unsigned(std::countr_zero(warp.mask)) : 0};
      text += lanes.name(first) + "  " + lanes.state(first) + "  active " + hexText(warp.mask) +
              "  " + placeOf(first) + "\n";
    }
  return text.empty() ? "no warp runs\n" : text;
}

std::string Tables::warp(uint64_t thread) {
  std::optional<LaneRef> selected = lanes.find(thread);
  if (!selected)
    return "no lane is selected\n";
  std::string text;
  for (unsigned lane = 0; lane < selected->warp->size; ++lane) {
    LaneRef at{selected->core, selected->warp, lane};
    if (lanes.runsThread(at) || at.isActive())
      text += (lane == selected->lane ? "* " : "  ") + lanes.name(at) + "  " + lanes.state(at) +
              "  " + placeOf(at) + "\n";
  }
  return text.empty() ? "no lane of the warp runs a thread\n" : text;
}

} // namespace vx::sim
