// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device compiler makes of warp functions: of a reduction over a tile of 2^k threads, k
// shuffles by constants and k operations with no memory access between; of a 64-bit shuffle, one.
// RUN: %vxcc -O3 --lower=hw --emit=asm %s -o %t.s
// RUN: grep -E '^__vx_entry|insn r 43|fadd|[[:space:]]f?[ls][wd][[:space:]]' %t.s | \
// RUN:   FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// CHECK-LABEL: __vx_entry.direct._Z8reduce32Pf:
// CHECK:      flw [[V0:f[a-z0-9]+]], 0([[P:.*]])
// CHECK-NEXT: .insn r 43, 2, 1,
// CHECK-NEXT: fadd.s
// CHECK-NEXT: .insn r 43, 2, 2,
// CHECK-NEXT: fadd.s
// CHECK-NEXT: .insn r 43, 2, 4,
// CHECK-NEXT: fadd.s
// CHECK-NEXT: .insn r 43, 2, 8,
// CHECK-NEXT: fadd.s
// CHECK-NEXT: .insn r 43, 2, 16,
// CHECK-NEXT: fadd.s
// CHECK-NEXT: fsw {{.*}}, 0([[P]])
__global__ void reduce32(float *p) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  p[threadIdx.x] = cg::reduce(tile, p[threadIdx.x], cg::plus<float>());
}

// CHECK-LABEL: __vx_entry.direct._Z7reduce8Pd:
// CHECK:      fld {{.*}}, 0([[Q:.*]])
// CHECK-NEXT: .insn r 43, 2, 1,
// CHECK-NEXT: fadd.d
// CHECK-NEXT: .insn r 43, 2, 2,
// CHECK-NEXT: fadd.d
// CHECK-NEXT: .insn r 43, 2, 4,
// CHECK-NEXT: fadd.d
// CHECK-NEXT: fsd {{.*}}, 0([[Q]])
__global__ void reduce8(double *p) {
  auto tile = cg::tiled_partition<8>(cg::tiled_partition<16>(cg::this_thread_block()));
  p[threadIdx.x] = cg::reduce(tile, p[threadIdx.x], cg::plus<double>());
}

// CHECK-LABEL: __vx_entry.direct._Z9broadcastPd:
// CHECK-NOT:  .insn
// CHECK:      .insn r 43, 3, 5, [[R:[a-z0-9]+]],
// CHECK-NEXT: sd [[R]], 0(
__global__ void broadcast(double *p) {
  p[threadIdx.x] = __shfl_sync(~0u, p[threadIdx.x], 5, 8);
}
