// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t
// RUN: %run %t 2>&1 | FileCheck --check-prefix=TRAP %s
// RUN: %vx_sim --functional --dump-config > %t.toml && FileCheck --check-prefix=DUMP %s < %t.toml
// RUN: %if !paths %{ env VX_CONFIG=%t.toml %run %t 2>&1 | FileCheck --check-prefix=TRAP %s %}
// RUN: env VX_SET=memory.misaligned=allow %run %t 2>&1 | FileCheck --check-prefix=ALLOW %s
//
// Misaligned accesses stop a program, as on a GPU, unless it is configured otherwise. The configuration
// that the simulator prints changes nothing when it is used.
//
// TRAP: kernel `load(char const*, int*)` stopped: misaligned address, reading 4 bytes at
// TRAP: load: cudaErrorMisalignedAddress
// ALLOW: load: cudaSuccess
// DUMP: auto: CUDA programs trap, bare images do not
// DUMP: misaligned = "auto"

#include "../Inputs/fault.h"

__global__ void load(const char *p, int *out) { *out = *reinterpret_cast<const int *>(p); }

int main() {
  char *p;
  cudaMalloc(&p, 64);
  load<<<1, 1>>>(p + 5, reinterpret_cast<int *>(p + 16));
  outcome("load");
  return ended();
}
