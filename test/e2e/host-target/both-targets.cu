// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --target=vortex,host %s -o %t
// RUN: %run %t | FileCheck --check-prefix=SIM %s
// RUN: env VX_BACKEND=host VX_HOST_THREADS=3 %run %t | FileCheck --check-prefix=HOST %s
// RUN: %vxcc --target=host %s -o %t.host
// RUN: env VX_HOST_THREADS=3 %run %t.host | FileCheck --check-prefix=HOST %s
// RUN: env VX_BACKEND=sim not %run %t.host 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: env VX_HOST_THREADS=0 not %run %t.host 2>&1 | FileCheck --check-prefix=THREADS %s
// RUN: not %vxcc --target=moon %s -o %t.none 2>&1 | FileCheck --check-prefix=OPTION %s
// RUN: not %vxcc --target=host,vortex --emit=asm %s -o %t.none 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: %vxcc --target=host --emit=elf %s -o %t.elf
// RUN: llvm-readelf -h %t.elf | FileCheck --check-prefix=ELF %s
//
// One program with code for both: the backend decides. One with code for the host alone needs none.

#include "../Inputs/harness.h"

__device__ int total;
__global__ void add(int n) { atomicAdd(&total, n + blockIdx.x); }

int main() {
  add<<<100, 33>>>(5);
  int result = 0;
  CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
  expectEqual(result, 33 * (100 * 5 + 4950), "total");
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s\n", properties.name);
  return finish();
}
// SIM: Vortex (vx-sim
// SIM: PASS
// HOST: (host, 3 threads)
// HOST: PASS
// NONE: no device code for lowering {{.*}}; the program holds: host/{{warp|paths}}/rv64
// THREADS: VX_HOST_THREADS=0: it is a number from 1 to 256
// OPTION: value 'moon' is not defined for option 'target'
// ONE: allowed: vortex, host
// ELF: Machine: {{.*}}X86-64
