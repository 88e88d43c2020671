// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where __managed__ variables cannot be.
// RUN: not %vxcc -c %s -o %t.o 2>&1 | FileCheck %s
__managed__ int fine;
// CHECK: managed-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: a '__managed__' variable cannot be '__constant__' or '__shared__'
__constant__ __managed__ int twice;
__global__ void k() {
  // CHECK: managed-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: __constant__, __device__, and __managed__ are not allowed on non-static local variables
  __managed__ int local;
  fine = 1;
}
// CHECK: managed-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: '__managed__' is for variables only
__managed__ void function();
