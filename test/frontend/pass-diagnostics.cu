// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pass cannot compile is reported like clang's own errors, with the user's line.
// RUN: sh -c '%vxcc -c %s -o %t.o; echo code $?' 2>&1 | FileCheck %s

__global__ void kernel(unsigned *p) {
  // CHECK: pass-diagnostics.cu:[[#@LINE+3]]:3: error: {{.*}}wmma
  // CHECK-NEXT: [[#@LINE+2]] |   asm volatile("wmma.unknown
  // CHECK-NEXT: |   ^
  asm volatile("wmma.unknown.sync %0;" : "=r"(*p));
}
// CHECK: 1 error generated.
// CHECK-NEXT: code 2
