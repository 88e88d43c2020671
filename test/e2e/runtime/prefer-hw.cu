// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that the device cannot run as VX_LOWERING asks: refused with the cure under hw, in its
// sw variant with a note under prefer-hw, each said once. The cure is one.
// RUN: %vxcc -O3 %s -o %t
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=4 not %run %t 2>&1 | FileCheck %s --check-prefix=HW
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=4,core.num_warps=8 %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env VX_LOWERING=prefer-hw VX_SET=core.num_warps=4,core.num_threads=4 %run %t 2>&1 | FileCheck %s --check-prefix=PREFER
// RUN: env VX_LOWERING=prefer-hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env VX_LOWERING=auto VX_SET=core.num_warps=4,core.num_threads=4 %run %t 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: %vxcc -O3 --lower=sw %s -o %t.sw
// RUN: env VX_LOWERING=hw not %run %t.sw 2>&1 | FileCheck %s --check-prefix=IMAGE
// RUN: env VX_LOWERING=prefer-hw %run %t.sw 2>&1 | FileCheck %s --check-prefix=BUILT

// HW: vxrt: error: kernel `sum(int*)`: its warp functions need 32 threads that execute together; the device has 16 lanes in a core
// HW-NEXT: it does NOT run: its launches fail, and what the program computes without it is wrong
// HW-NEXT: what would run it: another device (VX_SET=core.num_warps=8), or its sw variant (VX_LOWERING=auto, prefer-hw or sw)
// HW-NEXT: FAIL
// PREFER: vxrt: kernel `sum(int*)` runs in its sw variant: its warp functions need 32 threads that execute together; the device has 16 lanes in a core
// PREFER-NEXT: PASS
// QUIET-NOT: vxrt
// QUIET: PASS
// IMAGE: vxrt: no device code for lowering hw{{.*}}; VX_LOWERING=auto takes what there is
// BUILT: vxrt: kernel `sum(int*)` runs in its sw variant: it has no hw variant (vxcc -Rvx-lower says why)

#include <cstdio>

__global__ void sum(int *out) {
  int all = __reduce_add_sync(~0u, (int)threadIdx.x);
  if (threadIdx.x == 0)
    *out += all;
}

// Errors are ignored, as in many a program.
int main() {
  int *out, got = 0;
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);
  for (int i = 0; i < 3; ++i)
    sum<<<1, 32>>>(out);
  cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  std::puts(got == 3 * 496 ? "PASS" : "FAIL");
  return got == 3 * 496 ? 0 : 1;
}
