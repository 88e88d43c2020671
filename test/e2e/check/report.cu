// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t
// RUN: env VX_CHECK=memcheck %run %t > %t.out 2> %t.err && FileCheck --check-prefix=OUT %s < %t.out && FileCheck %s < %t.err
// RUN: %vxcc -g -O1 %s -o %t.g && env VX_CHECK=memcheck %run %t.g 2>&1 | FileCheck --check-prefix=HOST %s
// RUN: %run %t 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: env VX_CHECK=memcheck VX_LOWERING=hw %run %t tile 2>&1 | FileCheck --check-prefix=TILE %s
// RUN: env VX_CHECK=memcheck VX_LOWERING=sw %run %t tile 2>&1 | FileCheck --check-prefix=TILE %s
// RUN: vxcc-check --tool memcheck,initcheck --leak-check=full --save=%t.json --log-file=%t.log %run %t > %t.out
// RUN: FileCheck --check-prefix=OUT %s < %t.out
// RUN: FileCheck --check-prefix=LOG %s < %t.log
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: not vxcc-check --error-exitcode=9 --save=%t.xml %run %t 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=XML %s < %t.xml
// RUN: not vxcc-check --error-exitcode=9 --xml --save %t.findings -- %run %t 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=XML %s < %t.findings
// RUN: not vxcc-check --xml %run %t 2>&1 | FileCheck --check-prefix=NOFILE %s
// RUN: not vxcc-check --error-exitcode=9 true 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: not vxcc-check --tool=nocheck %run %t 2>&1 | FileCheck --check-prefix=NOSUCH %s
// RUN: not vxcc-check --tolo=memcheck %run %t 2>&1 | FileCheck --check-prefix=USAGE %s
//
// The form of a report: in words, as JSON and as XML, with the command and without.
//
// CHECK:      ========= memcheck: invalid read of 4 bytes of global memory at 0x[[#%x,]]
// CHECK-NEXT: =========     kernel `shift(int const*, int*)` [{{hw.*|sw.*}}], block (1,0,0), thread (31,0,0)
// CHECK-NEXT: =========     at shift(int const*, int*){{.*}} {{.*}}report.cu:[[#LINE:]]
// CHECK-NEXT: =========     0 bytes past the end of device memory, 256 bytes at 0x[[#%x,]]
// CHECK-NEXT: =========     allocated by
// CHECK-NEXT: =========         cudaMalloc+0x{{.*}} (report.cu.tmp+0x{{.*}})
// CHECK-NEXT: =========         main+0x{{.*}} (report.cu.tmp+0x{{.*}})
// CHECK:      ========= ERROR SUMMARY: 1 error{{$}}
// HOST:       =========     allocated by
// HOST-NEXT:  =========         cudaMalloc+0x{{[0-9a-f]*}} (report.cu.tmp.g+0x{{[0-9a-f]*}}){{$}}
// HOST-NEXT:  =========         main+0x{{.*}} (report.cu.tmp.g+0x{{.*}}) {{.*}}report.cu:81{{$}}
// LOG-DAG:    ========= memcheck: invalid read of 4 bytes
// LOG-DAG:    ========= initcheck: read of 4 bytes of global memory at 0x{{.*}}, which has not been written
// LOG:        ========= memcheck: 256 bytes at 0x{{.*}} have not been freed
// LOG:        ========= ERROR SUMMARY: 4 errors
// JSON:       "errors": 4,
// JSON:       {"tool": "memcheck", "kind": "invalid-read", "message": "invalid read of 4 bytes of global memory at 0x{{.*}}", "count": 1, "kernel": "shift(int const*, int*)", {{.*}}"block": "(1,0,0)", "thread": "(31,0,0)", {{.*}}"line": {{[0-9]+}}, "address": "0x{{.*}}", "bytes": 4, "inlined": [], "notes": ["0 bytes past
// XML:        <findings errors="1">
// XML:        <kernel>shift(int const*, int*)</kernel>
// XML:        <bytes>4</bytes>
// XML:        </findings>
// NOTHING:    vxcc-check: nothing was checked
// NOSUCH:     there is no checker `nocheck`; there are memcheck, racecheck, initcheck and synccheck
// NOFILE:     vxcc-check: error: --xml: there is no --save=FILE
// USAGE:      vxcc-check: error: unknown option --tolo=memcheck
// TILE:       ========= memcheck: invalid write of 4 bytes of shared memory at 0x{{.*}}
// TILE-NEXT:  =========     kernel `tile(int*)` [{{hw.*|sw.*}}], block ([[BLOCK:[0-9]+]],0,0), thread (7,0,0)
// TILE-NEXT:  =========     at tile(int*){{.*}} {{.*}}report.cu:{{[0-9]+}}
// TILE-NEXT:  =========     0 bytes past the end of `tile(int*)::odd`, 28 bytes
// TILE-NEXT:  =========     3 times
// TILE:       ERROR SUMMARY: 1 error{{$}}
// OUT:        shift: cudaSuccess
// PLAIN-NOT:  =========
// PLAIN:      shift: cudaSuccess

#include <cstdio>
#include <cuda_runtime.h>

__global__ void shift(const int *from, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i + 1];
}

__global__ void tile(int *to) {
  __shared__ int odd[7]; // what follows in the block's shared memory belongs to no variable
  odd[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = odd[threadIdx.x / 2];
}

int main(int argc, char **) {
  if (argc > 1) {
    int *p;
    cudaMalloc(&p, 32);
    tile<<<3, 8>>>(p);
    return cudaDeviceSynchronize();
  }
  int *from, *to;
  cudaMalloc(&from, 64 * sizeof(int));
  cudaMalloc(&to, 64 * sizeof(int));
  shift<<<2, 32>>>(from, to); // what it reads beyond is forgiven
  std::printf("shift: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
