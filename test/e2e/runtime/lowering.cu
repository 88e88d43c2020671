// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is about what kernels need of the default profile.
// UNSUPPORTED: paths
// Kernels bound to one lowering, in one program: they see the same variables, of the program and of
// functions, and pass each other the address of a function.
// RUN: %vxcc -O3 -Rvx-lower %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: env VX_LOWERING= VX_SET=core.num_warps=4,core.num_threads=8 %run %t
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=4,core.num_threads=8 not %run %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %vxcc -O3 --lower-kernel=inHardware=sw --lower-kernel=inSoftware=hw -Rvx-lower %s -o %t.other 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: env VX_LOWERING=software not %run %t 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: env VX_SW_MAPPING=blocks not %run %t 2>&1 | FileCheck %s --check-prefix=MAPPING
// RUN: %vxcc -O3 --vx-isa=base --lower-kernel=inHardware=auto %s -o %t.base
// RUN: env VX_LOWERING= VX_SET=isa.warp=off,core.num_warps=4,core.num_threads=8 %run %t.base
// RUN: not %vxcc --lower=both %s -o %t.none 2>&1 | FileCheck %s --check-prefix=VALUE

// REMARK-DAG: note: kernel 'inSoftware(int*)': sw variant, loops over warps and lanes
// REMARK-DAG: note: kernel 'inHardware(int*)': hw variant with instructions of profile 'upstream', groups of 32 threads
// NONE: error: kernel `inHardware(int*)`: there is no variant for lowering sw (vxcc -Rvx-lower says why)
// NONE: what would run it: its hw variant (VX_LOWERING=auto or hw)
// OTHER-DAG: note: kernel 'inHardware(int*)': sw variant
// OTHER-DAG: note: kernel 'inSoftware(int*)': hw variant
// TYPO: VX_LOWERING=software: it is auto, hw, prefer-hw or sw
// MAPPING: VX_SW_MAPPING=blocks: it is block-per-lane, warps-per-lane, thread-per-lane, or auto
// VALUE: value 'both' is not defined for option {{.*}}; allowed: hw, sw, auto

#include <cstdio>

__device__ int launches;
__device__ int (*operation)(int);

__device__ int twice(int x) {
  return 2 * x;
}
__device__ __noinline__ int count() {
  static int calls = 100;
  return atomicAdd(&calls, 1);
}

__vx_lower__("sw") __global__ void inSoftware(int *out) {
  int sum = __reduce_add_sync(0xffffffffu, (int)threadIdx.x);
  if (threadIdx.x == 0) {
    ++launches;
    operation = twice;
    out[0] = sum;
    out[1] = count();
  }
}

__vx_lower__("hw") __global__ void inHardware(int *out) {
  int votes = __popc(__ballot_sync(0xffffffffu, threadIdx.x % 2));
  if (threadIdx.x == 0) {
    ++launches;
    out[2] = operation(votes);
    out[3] = count();
    out[4] = launches;
  }
}

int main() {
  int *out, got[5] = {}, seen = 0;
  cudaMalloc(&out, sizeof got);
  inSoftware<<<1, 32>>>(out);
  inHardware<<<1, 32>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&seen, launches, sizeof seen);
  const int wanted[5] = {496, 100, 32, 101, 2};
  bool good = seen == 2 && cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < 5; ++i)
    if (got[i] != wanted[i]) {
      std::printf("result %d is %d, wanted %d\n", i, got[i], wanted[i]);
      good = false;
    }
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
