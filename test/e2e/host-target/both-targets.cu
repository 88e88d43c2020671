// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --target=vortex,host %s -o %t
// RUN: %run %t | FileCheck --check-prefix=SIM %s
// RUN: env VX_BACKEND=host VX_HOST_THREADS=3 %run %t | FileCheck --check-prefix=HOST %s
// RUN: %vxcc --target=host %s -o %t.host
// RUN: env VX_HOST_THREADS=3 %run %t.host | FileCheck --check-prefix=HOST %s
// A library with code for other devices does not change what runs the program's own kernels, and its launches fail;
// a program without kernels runs where its libraries can.
// RUN: %vxcc -DLIBRARY -shared -Xcompiler -fPIC %s -o %t.vortex.so && %vxcc -DLIBRARY --target=host -shared -Xcompiler -fPIC %s -o %t.host.so
// RUN: %vxcc -DLIBRARY --target=vortex,host -shared -Xcompiler -fPIC %s -o %t.both.so
// RUN: %vxcc --target=host -DUSER %s %t.vortex.so -o %t.user && env VX_HOST_THREADS=3 not %run %t.user 2>&1 | FileCheck --check-prefix=APART %s
// RUN: %vxcc --target=host -DUSER %s %t.both.so -o %t.user && env VX_HOST_THREADS=3 %run %t.user | FileCheck --check-prefix=HOST %s
// RUN: %vxcc -DUSER %s %t.both.so -o %t.user && %run %t.user | FileCheck --check-prefix=SIM %s
// RUN: %vxcc -DUSER -DPLAIN %s %t.both.so -o %t.user && %run %t.user | FileCheck --check-prefix=SIM %s
// RUN: %vxcc -DUSER -DPLAIN %s %t.both.so %t.host.so -o %t.user && env VX_HOST_THREADS=3 %run %t.user | FileCheck --check-prefix=HOST %s
// RUN: env VX_BACKEND=sim not %run %t.host 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: env VX_HOST_THREADS=0 not %run %t.host 2>&1 | FileCheck --check-prefix=THREADS %s
// RUN: not %vxcc --target=moon %s -o %t.none 2>&1 | FileCheck --check-prefix=OPTION %s
// RUN: not %vxcc --target=host,vortex --emit=asm %s -o %t.none 2>&1 | FileCheck --check-prefix=ONE %s
// RUN: %vxcc --target=host --emit=elf %s -o %t.elf
// RUN: llvm-readelf -h %t.elf | FileCheck --check-prefix=ELF %s
//
// One program with code for both: the backend decides. One with code for the host alone needs none.

#include "../Inputs/harness.h"

#ifndef PLAIN
static __device__ int total;
static __global__ void add(int n) { atomicAdd(&total, n + blockIdx.x); }
#endif

#ifdef USER
int totalOfLibrary();
#else
int totalOfLibrary() {
  add<<<100, 33>>>(5);
  int result = 0;
  cudaError_t e = cudaMemcpyFromSymbol(&result, total, sizeof result);
  return e == cudaSuccess ? result : -int(e);
}
#endif
#ifndef LIBRARY

int main() {
#if defined USER && !defined PLAIN
  add<<<100, 33>>>(5);
  int own = 0;
  CHECK(cudaMemcpyFromSymbol(&own, total, sizeof own));
  expectEqual(own, 33 * (100 * 5 + 4950), "total of the program");
#endif
  expectEqual(totalOfLibrary(), 33 * (100 * 5 + 4950), "total");
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s\n", properties.name);
  return finish();
}
#endif
// APART: no device code for lowering host
// APART-NEXT: wrong: total at 0
// APART-NEXT: got 0xffffff2f, wanted
// APART-NEXT: (host, 3 threads)
// SIM: Vortex (vx-sim
// SIM: PASS
// HOST: (host, 3 threads)
// HOST: PASS
// NONE: no device code for lowering {{.*}}; the program holds: host/{{warp|paths}}/rv64
// THREADS: VX_HOST_THREADS=0: it is a number from 1 to 256
// OPTION: value 'moon' is not defined for option 'target'
// ONE: allowed: vortex, host
// ELF: Machine: {{.*}}X86-64
