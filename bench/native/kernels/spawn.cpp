// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks onto hardware threads. Each core gets a run of neighbouring tasks (groups); its hardware
// warps take turns at batches of as many tasks as they have lanes, which suits rows of DRAM better
// than a run for each warp.

#include "spawn.h"

namespace native {

__thread Index blockIdx, threadIdx;
__thread uint32_t localGroup;
Index gridDim, blockDim;
uint32_t warpsOfGroup;

namespace {

/// A run of [first, end).
struct Share {
  uint32_t first, end;
};

/// Returns part PART of PARTS of COUNT things: the first ones get one more if it does not come out
/// even.
Share shareOf(uint32_t count, uint32_t part, uint32_t parts) {
  uint32_t each = count / parts, rest = count % parts;
  uint32_t first = part * each + (part < rest ? part : rest);
  return {first, first + each + (part < rest)};
}

/// Sets the block's coordinates. Divisions take 70 cycles: there is none for dimensions of 1.
void setBlock(uint32_t number) {
  blockIdx.x = number;
  if (gridDim.y * gridDim.z == 1)
    return;
  uint32_t row = number / gridDim.x;
  blockIdx.x = number - row * gridDim.x;
  blockIdx.y = row;
  if (gridDim.z == 1)
    return;
  uint32_t plane = row / gridDim.y;
  blockIdx.y = row - plane * gridDim.y;
  blockIdx.z = plane;
}

/// Sets the dimensions. Every warp stores these, the same values, before it reads them.
void setDimensions(const Index &grid, const Index &block, uint32_t warps) {
  gridDim = grid;
  blockDim = block;
  warpsOfGroup = warps;
}

} // namespace

VX_SPAWN void spawn(const Index &grid, Task task, void *arguments) {
  setDimensions(grid, {1, 1, 1}, 1);
  uint32_t lanes = VX_READ_CSR(VX_CSR_NUM_THREADS), warps = VX_READ_CSR(VX_CSR_NUM_WARPS);
  uint32_t warp = VX_READ_CSR(VX_CSR_WARP_ID), lane = VX_READ_CSR(VX_CSR_THREAD_ID);
  Share core =
      shareOf(grid.x * grid.y * grid.z, VX_READ_CSR(VX_CSR_CORE_ID), VX_READ_CSR(VX_CSR_NUM_CORES));
  uint32_t tasks = core.end - core.first;
  blockIdx = threadIdx = {0, 0, 0};
  localGroup = 0;
  uint32_t end = core.first + tasks / lanes * lanes, step = warps * lanes;
  for (uint32_t number = core.first + warp * lanes; number < end; number += step) {
    setBlock(number + lane);
    task(arguments);
  }
  // Tasks that do not fill a warp are run by some lanes of warp 0, after the others have been.
  uint32_t rest = tasks % lanes;
  if (warp == 0 && rest) {
    setThreadMask((1ul << rest) - 1);
    setBlock(core.end - rest + lane);
    task(arguments);
    setThreadMask(-1ul);
  }
}

VX_SPAWN void spawn(const Index &grid, const Index &block, Task task, void *arguments) {
  uint32_t lanes = VX_READ_CSR(VX_CSR_NUM_THREADS), warps = VX_READ_CSR(VX_CSR_NUM_WARPS);
  uint32_t warp = VX_READ_CSR(VX_CSR_WARP_ID), lane = VX_READ_CSR(VX_CSR_THREAD_ID);
  uint32_t threads = block.x * block.y * block.z;
  uint32_t warpsEach = (threads + lanes - 1) / lanes, atOnce = warps / warpsEach;
  setDimensions(grid, block, warpsEach);
  uint32_t group = warp / warpsEach, firstThread = (warp - group * warpsEach) * lanes;
  if (group >= atOnce)
    return; // the warps that are left over
  uint32_t thread = firstThread + lane, row = thread / block.x;
  threadIdx = {thread % block.x, row % block.y, row / block.y};
  blockIdx = {0, 0, 0};
  localGroup = group;
  Share core =
      shareOf(grid.x * grid.y * grid.z, VX_READ_CSR(VX_CSR_CORE_ID), VX_READ_CSR(VX_CSR_NUM_CORES));
  if (threads - firstThread < lanes)
    setThreadMask((1ul << (threads - firstThread)) - 1);
  for (uint32_t number = core.first + group; number < core.end; number += atOnce) {
    setBlock(number);
    task(arguments);
  }
  setThreadMask(-1ul);
}

} // namespace native
