// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The example of the paper on warp-level features in Vortex (its figure 3): tiles of four threads, a
// vote of each tile, a branch on it, and one that parts the threads of a tile.
// RUN: %vxcc -O3 --emit=asm %s -o %t.wide.s
// RUN: FileCheck %s --input-file=%t.wide.s
// RUN: %vxcc -O3 --emit=asm --vx-tiles=exact %s -o %t.exact.s
// RUN: FileCheck %s --input-file=%t.exact.s --check-prefix=EXACT

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Groups as wide as the machine's warps: vx_tile only where those have fewer than four lanes; a vote
// among the four; tiles that disagree take a split.
// CHECK-LABEL: __vx_entry.direct.figure3:
// CHECK: vx.uniform
// CHECK: .insn r 91, 0, 0, zero,
// CHECK-NOT: .insn r 91
// CHECK: csrr [[T:[a-z0-9]+]], 3264
// CHECK: andi [[T]], [[T]], 28
// CHECK: sllw [[MASK:[a-z0-9]+]], {{[a-z0-9]+}}, [[T]]
// CHECK: .insn r 11, 1, 1, {{[a-z0-9]+}}, {{[a-z0-9]+}}, [[MASK]]
// CHECK: .insn r 11, 2, 0, [[OUTER:[a-z0-9]+]], {{[a-z0-9]+}}, zero # vx.split
// CHECK: .insn r 11, 2, 0, [[INNER:[a-z0-9]+]], {{[a-z0-9]+}}, zero # vx.split
// CHECK: .insn r 11, 3, 0, zero, [[INNER]], zero # vx.join

// A group for each tile: the vote asks all threads, and its result is the same for all.
// EXACT-LABEL: __vx_entry.direct.figure3:
// EXACT: .insn r 91, 0, 0, zero,
// EXACT-NOT: .insn r 91
// EXACT: .insn r 11, 1, 1, [[ANY:[a-z0-9]+]], {{[a-z0-9]+}}, zero
// EXACT-NOT: vx.split
// EXACT: # vx.uniform
// EXACT-NOT: vx.split
// EXACT: b{{eq|ne}}z
// EXACT: .insn r 11, 2, 0, [[INNER:[a-z0-9]+]], {{[a-z0-9]+}}, zero # vx.split
// EXACT: .insn r 11, 3, 0, zero, [[INNER]], zero # vx.join
extern "C" __global__ void figure3(int *data) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int t = threadIdx.x, value = data[t];
  if (tile.any(value > 10)) {
    if (tile.thread_rank() % 2 == 0)
      value = value * 3 + 1;
    else
      value = value - 7;
  }
  tile.sync();
  data[t] = value + tile.shfl_xor(value, 1);
}
