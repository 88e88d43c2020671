// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sw lowering of large files is compiled when a program first asks for it, and kept for later
// runs (--vx-defer-sw, runtime/nvrtc/CompileCache.h). It is about what images of the default profile hold.
// UNSUPPORTED: paths
// RUN: rm -rf %t.cache %t.used
// RUN: %vxcc -O3 --vx-defer-sw=10 -Rvx-lower %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %vxcc -O3 --vx-defer-sw=10 --emit=elf %s -o %t.elf
// RUN: %vxcc -O3 --vx-defer-sw=10 -fatbin %s -o %t.fatbin
//
// Hw needs no compiler: VXCC_HOME names none.
// RUN: env VXCC_HOME=%t.none VX_LOWERING= VX_SET=core.num_warps=4,core.num_threads=8 VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=HW
// RUN: env VXCC_HOME=%t.none VX_LOWERING=hw VX_SET=core.num_warps=4,core.num_threads=8 %run %t
//
// Sw, in all mappings, and from what was kept, or anew if that is damaged.
// RUN: env CUDA_CACHE_PATH=%t.cache VX_LOWERING=sw VX_STATS=text %run %t 2>&1 | FileCheck %s --check-prefix=SW
// RUN: ls %t.cache | FileCheck %s --check-prefix=KEPT
// RUN: env CUDA_CACHE_PATH=%t.cache VX_LOWERING=sw VX_SW_MAPPING=block-per-lane %run %t
// RUN: %python -c "import glob, sys; f = open(glob.glob(sys.argv[1] + '/llvmcache-*')[0], 'r+b'); f.seek(100); f.write(b'damaged'); f.close()" %t.cache
// RUN: env CUDA_CACHE_PATH=%t.cache VX_LOWERING=sw %run %t
// RUN: env CUDA_CACHE_DISABLE=1 CUDA_CACHE_PATH=%t.used VX_LOWERING=sw %run %t
// RUN: not ls %t.used
//
// A folder that cannot be written to is not a folder.
// RUN: touch %t.file
// RUN: env CUDA_CACHE_PATH=%t.file VX_LOWERING=sw %run %t
//
// A device that lacks instructions, or lanes, gets it unasked.
// RUN: env VX_LOWERING= VX_SET=core.num_warps=4,core.num_threads=8,isa.warp=off %run %t
// RUN: env VX_LOWERING= VX_SET=core.num_warps=2,core.num_threads=4 %run %t
//
// Device code that is linked, and a kernel that has hw only.
// RUN: %vxcc -O3 --vx-defer-sw=10 -rdc=true %s -o %t.rdc
// RUN: env VX_LOWERING=sw %run %t.rdc
// RUN: %vxcc -O3 --vx-defer-sw=10 --lower-kernel=sums=hw %s -o %t.mixed
// RUN: env VX_LOWERING=sw VX_SET=core.num_warps=4,core.num_threads=8 not %run %t.mixed 2>&1 | FileCheck %s --check-prefix=MIXED
//
// Without the compiler, sw is refused.
// RUN: env VXCC_HOME=%t.none VX_LOWERING=sw not %run %t 2>&1 | FileCheck %s --check-prefix=NONE
//
// All in the program.
// RUN: %vxcc -O3 --vx-defer-sw=0 %s -o %t.whole
// RUN: env VXCC_HOME=%t.none VX_LOWERING=sw %run %t.whole
// RUN: %vxcc -G --vx-defer-sw=10 -Rvx-lower %s -o %t.debug 2>&1 | FileCheck %s --check-prefix=WATCHED
// RUN: %vxcc -O3 -fvx-check --vx-defer-sw=10 -Rvx-lower %s -o %t.check 2>&1 | FileCheck %s --check-prefix=WATCHED
// RUN: not %vxcc --vx-defer-sw=all %s -o %t.bad 2>&1 | FileCheck %s --check-prefix=VALUE

// REMARK: note: kernel 'sums(int*)': no sw variant: it is compiled when a program asks for it (--vx-defer-sw)
// WATCHED-NOT: no sw variant
// WATCHED: note: kernel 'sums(int*)': sw variant
// WATCHED-NOT: no sw variant
// HW: kernel sums(int*), 2 launches (hw
// SW: kernel sums(int*), 2 launches (sw
// KEPT: llvmcache-{{[0-9a-f]+}}
// MIXED: error: kernel `sums(int*)`: there is no variant for lowering sw
// NONE: incomplete installation
// NONE: vxcc --vx-defer-sw=0 makes a program that has its sw lowering
// VALUE: value 'all' is not defined for option 'vx-defer-sw'; allowed: a number of instructions; 0: no limit

#include <cstdio>

__device__ int calls; // one object, whatever was compiled when

__global__ void sums(int *out) {
  int value = threadIdx.x;
  for (int step = 16; step > 0; step /= 2)
    value += __shfl_xor_sync(~0u, value, step);
  __shared__ int all;
  if (threadIdx.x == 0)
    all = atomicAdd(&calls, 1);
  __syncthreads();
  out[threadIdx.x] = value + 1000 * all;
}

int main() {
  int *out, host[64];
  cudaMalloc(&out, sizeof host);
  for (int launch = 0; launch < 2; ++launch) {
    sums<<<1, 64>>>(out);
    if (cudaError_t e = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost)) {
      std::printf("%s\n", cudaGetErrorName(e));
      return 1;
    }
    for (int i = 0; i < 64; ++i) {
      int expected = (i < 32 ? 496 : 1520) + 1000 * launch;
      if (host[i] != expected) {
        std::printf("FAIL: launch %d, thread %d: %d, not %d\n", launch, i, host[i], expected);
        return 1;
      }
    }
  }
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, sums) || attributes.maxThreadsPerBlock != 1024)
    return 1;
  std::printf("PASS\n");
  return 0;
}
