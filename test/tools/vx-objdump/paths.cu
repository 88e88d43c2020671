// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches of an image for warps that keep paths need no guard; those of another one have one.
// RUN: %vxcc --vx-isa=paths --emit=elf %s -o %t.elf
// RUN: %vx_objdump --check-divergence %t.elf | FileCheck %s --check-prefix=PATHS
// RUN: %vx_objdump --kernels %t.elf | FileCheck %s --check-prefix=TABLE
// RUN: %vxcc --vx-isa=warp --emit=elf %s -o %t.elf
// RUN: %vx_objdump --check-divergence %t.elf | FileCheck %s --check-prefix=STACK
// PATHS: for warps that keep paths
// PATHS-NOT: conditional branch
// TABLE: {{^}}k(int*)
// TABLE: {{^}}  paths {{.*}}warps that keep paths
// STACK: {{[1-9][0-9]*}} conditional branches: {{.*}}, 0 unguarded

__global__ void k(int *p) {
  for (int i = threadIdx.x; i < p[i]; i += p[0])
    p[i] = i;
}
