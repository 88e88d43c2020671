// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t
// RUN: compute-sanitizer --tool memcheck --target-processes all --leak-check full --show-backtrace=yes --error-exitcode 9 %run %t 1 2>&1 | FileCheck --check-prefix=GOOD %s
// RUN: not compute-sanitizer --print-limit 1 --error-exitcode=9 %run %t 64 2>&1 | FileCheck --check-prefix=LIMIT %s
// RUN: compute-sanitizer --version | FileCheck --check-prefix=VERSION %s
// RUN: compute-sanitizer --help | FileCheck --check-prefix=HELP %s
// RUN: not compute-sanitizer --target-processes application-only %run %t 2>&1 | FileCheck --check-prefix=PROCESSES %s
// RUN: not compute-sanitizer --generate-coredump yes %run %t 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not compute-sanitizer --error-exitcode=300 %run %t 2>&1 | FileCheck --check-prefix=CODE %s
// RUN: not compute-sanitizer --leak-check=some %run %t 2>&1 | FileCheck --check-prefix=CHOICE %s
//
// The command under NVIDIA's name, with its options.
//
// GOOD:      ERROR SUMMARY: 0 errors{{$}}
// LIMIT:     invalid write of 4 bytes
// LIMIT-NOT: invalid read
// LIMIT:     ERROR SUMMARY: 2 errors
// VERSION:   compute-sanitizer {{[0-9]+}}
// HELP:      usage: compute-sanitizer [options] program [arguments]
// HELP:      --report-api-errors=all|explicit|no
// PROCESSES: compute-sanitizer: error: --target-processes=application-only: here it is all
// UNKNOWN:   unknown option --generate-coredump
// CODE:      --error-exitcode=300: it is a number up to 255
// CHOICE:    --leak-check=some: it is full|no

#include <cstdlib>
#include <cuda_runtime.h>

__global__ void shift(volatile int *p, int by) {
  p[threadIdx.x + by] = 1;
  p[threadIdx.x] = p[threadIdx.x + by];
}

int main(int, char **argv) {
  int *p;
  cudaMalloc(&p, 256);
  cudaMemset(p, 0, 256);
  shift<<<1, 32>>>(p, std::atoi(argv[1]));
  cudaDeviceSynchronize();
  cudaFree(p);
}
