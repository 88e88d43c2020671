// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum over 32 lanes is five shuffles and five additions, and touches no memory: written as a loop
// of shuffles, and as cooperative_groups::reduce.
// RUN: %vxcc -O3 --emit=asm %s -o %t.s
// RUN: FileCheck %s --input-file=%t.s

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ int sumOfWarp(int value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

// CHECK-LABEL: __vx_entry.direct.loop:
// CHECK: .insn r 43, 1, 16, [[A:[a-z0-9]+]], [[V:[a-z0-9]+]], [[WORD:[a-z0-9]+]]
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}} [[B:[a-z0-9]+]], {{.*}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 1, 8, {{[a-z0-9]+}}, [[B]], [[WORD]]
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}} [[C:[a-z0-9]+]], {{.*}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 1, 4, {{[a-z0-9]+}}, [[C]], [[WORD]]
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}} [[D:[a-z0-9]+]], {{.*}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 1, 2, {{[a-z0-9]+}}, [[D]], [[WORD]]
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}} [[E:[a-z0-9]+]], {{.*}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 1, 1, {{[a-z0-9]+}}, [[E]], [[WORD]]
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}} [[F:[a-z0-9]+]], {{.*}}
// CHECK: sw [[F]],
extern "C" __global__ void loop(int *data) {
  int t = threadIdx.x;
  data[t] = sumOfWarp(data[t]);
}

// CHECK-LABEL: __vx_entry.direct.reduce:
// CHECK: .insn r 43, 2, 1,
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 2, 2,
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 2, 4,
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 2, 8,
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}}
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: .insn r 43, 2, 16,
// CHECK-NOT: {{[[:space:]](l|s)[bhwd]u?[[:space:]]}}
// CHECK: add{{w?}} [[SUM:[a-z0-9]+]], {{.*}}
// CHECK: sw [[SUM]],
extern "C" __global__ void reduce(int *data) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x;
  data[t] = cg::reduce(warp, data[t], cg::plus<int>());
}
