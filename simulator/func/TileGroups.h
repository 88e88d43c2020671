// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vx_tile: which threads execute together. The rules, in terms of a core's threads counted as
// warp * lanes + lane:
//
//   span      32 threads aligned to 32; bit 7-i of a group mask stands for threads 4i…4i+3 of it
//   group     4, 8, 16, 32 threads or a hardware warp: one pc, one mask, one IPDOM stack; a Warp
//
// A vx_tile of mask M and size S forms groups of S threads, aligned to S. Those that contain
// threads of the issuer continue after the vx_tile if their bit in M is set, else they are
// suspended. A group that is larger than the issuer waits for the rest of its threads to reach an
// equal vx_tile, but not for suspended ones. Suspended groups elsewhere in the span whose bits are
// set continue after this vx_tile, too.
//
//   lanes 8, four warps:   w0 | w1 | w2 | w3
//   vx_tile 0x80, 32       [      w0       ]      slot 0; w1…w3 are Merged
//   vx_tile 0x88, 16       [  w0  ] [  w2  ]      slots 0 and 2
//   vx_tile 0x80, 16       [  w0  ] (  w2  )      slot 2 is Suspended
//   vx_tile 0xff, 4        [][] [][] [][] [][]    slots 0…3 and four more

#ifndef VX_SIMULATOR_FUNC_TILEGROUPS_H
#define VX_SIMULATOR_FUNC_TILEGROUPS_H

#include "simulator/func/ArchState.h"
#include <string>

namespace vx::sim {

/// The slot of the group whose first thread is THREAD, a multiple of 4 or of the lanes.
uint32_t groupSlot(const Core &core, uint32_t thread);

/// Makes every group an idle hardware warp.
void resetGroups(Core &core);

/// Returns what is wrong with a vx_tile of WARP at PC; empty: nothing.
std::string checkTile(const Core &core, const Warp &warp, uint64_t mask, uint64_t size,
                      uint64_t pc);

/// Returns true if a vx_tile that passed checkTile() changes no group at all.
bool keepsGroups(const Core &core, const Warp &warp, uint32_t mask, uint32_t size);

/// WARP has stopped after a vx_tile (state AtTile): forms all groups of its span that are complete
/// now. Returns the slots that continue; none: WARP waits, or all are suspended.
std::vector<uint32_t> regroup(Core &core, Warp &warp);

/// WARP, which may be a group, has ended.
void endGroup(Core &core, Warp &warp);

/// "warp 3", "group of 32 threads from warp 0, lane 0".
std::string describeGroup(const Core &core, const Warp &warp);

/// "mask 0x80, size 32".
std::string describeTile(uint64_t mask, uint64_t size);

} // namespace vx::sim

#endif // VX_SIMULATOR_FUNC_TILEGROUPS_H
