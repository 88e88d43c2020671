// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t.plain && %vxcc -O1 -fvx-check %s -o %t.checked
// RUN: not vxcc-check --tool=racecheck %run %t.plain > %t.out 2>&1
// RUN: FileCheck --check-prefix=ALONE %s < %t.out
// RUN: not vxcc-check --tool=memcheck,synccheck --save=%t.json %run %t.plain > %t.out 2>&1
// RUN: FileCheck --check-prefix=BOTH %s < %t.out
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: vxcc-check --tool=memcheck %run %t.plain 2>&1 | FileCheck --check-prefix=GOOD %s
// RUN: vxcc-check --tool=racecheck,synccheck %run %t.checked 2>&1 | FileCheck --check-prefix=GOOD %s
// RUN: vxcc-check --tool=racecheck %run %t.checked none 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not vxcc-check --tool=rocecheck %run %t.checked 2>&1 | FileCheck --check-prefix=TOOL %s
// RUN: not vxcc-check --tool= %run %t.checked 2>&1 | FileCheck --check-prefix=EMPTY %s
// RUN: not env VX_CHECK=rocecheck %run %t.checked 2>&1 | FileCheck --check-prefix=VARIABLE %s
//
// What has not been checked has not succeeded, and a checker that there is not is said before the
// program runs.
//
// ALONE:     kernel `store(int*)` is not compiled with -fvx-check: racecheck cannot look at it
// ALONE-NOT: 0 errors
// ALONE:     ERROR SUMMARY: racecheck checked nothing
// ALONE:     vxcc-check: racecheck checked nothing: compile the program with vxcc -fvx-check
// BOTH:      ERROR SUMMARY: 0 errors; synccheck checked nothing
// JSON:      "unchecked": ["store(int*)"]
// GOOD:      ERROR SUMMARY: 0 errors{{$}}
// NONE:      ERROR SUMMARY: 0 errors; no kernel has run
// TOOL-NOT:  ran
// TOOL:      vxcc-check: error: --tool=rocecheck: there is no checker `rocecheck`; there are memcheck, racecheck, initcheck and synccheck
// EMPTY:     there is no checker ``
// VARIABLE:  check.tools: there is no checker `rocecheck`

#include <cstdio>
#include <cuda_runtime.h>

__global__ void store(int *p) { p[threadIdx.x] = threadIdx.x; }

int main(int argc, char **) {
  int *p;
  cudaMalloc(&p, 128);
  if (argc == 1)
    store<<<1, 32>>>(p);
  bool good = cudaDeviceSynchronize() == cudaSuccess;
  std::printf("ran\n");
  return !good;
}
