// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is about devices that lack instructions, which those with paths have.
// UNSUPPORTED: paths
// RUN: %vxcc --lower=hw %s -o %t
// RUN: env VX_SET=core.num_warps=4,core.num_threads=4 %run %t 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: env VX_SET=core.num_threads=6,core.num_warps=8 %run %t 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: env VX_SET=isa.warp=upstream,core.num_threads=32 %run %t 2>&1 | FileCheck %s --check-prefix=MASKS
// RUN: env VX_SET=isa.warp=off %run %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %vxcc --lower=hw --vx-coarsen=false --vx-isa=upstream %s -o %t.up
// RUN: env VX_SET=core.num_threads=8 %run %t.up 2>&1 | FileCheck %s --check-prefix=MERGE
// RUN: %vxcc --lower=hw --vx-isa=warp,upstream %s -o %t.both
// RUN: env VX_SET=isa.warp=upstream,core.num_threads=32 %run %t.both 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: env VX_SET=core.num_threads=8 %run %t.both 2>&1 | FileCheck %s --check-prefix=GOOD
//
// A device that cannot run the warp functions of a kernel refuses it by name and says what it lacks;
// other kernels of the program run.

#include "../Inputs/harness.h"

// LANES: vxrt: error: kernel `votes(int*)`: its warp functions need 32 threads that execute together; the device has 16 lanes in a core
// DIVIDE: vxrt: error: kernel `votes(int*)`: {{.*}}; the device has 6 lanes in a warp, which do not divide into such groups
// MASKS: vxrt: error: kernel `votes(int*)`: it needs instructions of profile 'warp', the device has 'upstream'
// NONE: vxrt: error: kernel `votes(int*)`: it needs instructions of profile 'warp', the device has 'base'
// MERGE: vxrt: error: kernel `votes(int*)`: {{.*}}; the device has 8 lanes in a warp and the program was compiled without instructions to regroup them
// GOOD-NOT: vxrt
// GOOD: votes: cudaSuccess, 15
// LANES-NEXT: it does NOT run: its launches fail
// LANES-NEXT: what would run it: another device (VX_SET=core.num_warps=8), or a program compiled with --lower=auto
// LANES-NEXT: votes: cudaErrorNoKernelImageForDevice
// DIVIDE-NEXT: it does NOT run: its launches fail
// DIVIDE-NEXT: what would run it: another device (VX_SET=core.num_threads=4), or a program compiled with --lower=auto
// DIVIDE-NEXT: votes: cudaErrorNoKernelImageForDevice
// MASKS-NEXT: it does NOT run: its launches fail
// MASKS-NEXT: what would run it: another device (VX_SET=isa.warp=warp), or a program compiled with --lower=auto
// MASKS-NEXT: votes: cudaErrorNoKernelImageForDevice
// NONE-NEXT: it does NOT run: its launches fail
// NONE-NEXT: what would run it: another device (VX_SET=isa.warp=warp), or a program compiled with --lower=auto
// NONE-NEXT: votes: cudaErrorNoKernelImageForDevice
// MERGE-NEXT: it does NOT run: its launches fail
// MERGE-NEXT: what would run it: another device (VX_SET=core.num_threads=32), or a program compiled with --lower=auto
// MERGE-NEXT: votes: cudaErrorNoKernelImageForDevice
__global__ void votes(int *out) {
  unsigned tile = 0xfu << threadIdx.x / 4 * 4;
  int all = __ballot_sync(tile, threadIdx.x < 32);
  out[threadIdx.x] = __shfl_xor_sync(~0u, all, 16);
}

__global__ void plain(int *out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  DeviceArray<int> out(32);
  votes<<<1, 32>>>(out);
  cudaError_t status = cudaGetLastError();
  std::printf("votes: %s, %d\n", cudaGetErrorName(status), out.host()[16]);
  plain<<<1, 32>>>(out);
  expectEqual(out.host()[31], 31, "plain");
  return finish();
}
// LANES: PASS
// DIVIDE: PASS
// MASKS: PASS
// NONE: PASS
// MERGE: PASS
// GOOD: PASS
