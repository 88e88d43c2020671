// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `register`, which C++17 no longer has, is a warning, as with nvcc.
// RUN: %vxcc -c %s -o %t.o 2>&1 | FileCheck %s
__global__ void k(int *p) {
  // CHECK: register.cu:[[@LINE+1]]:{{[0-9]+}}: warning: ISO C++17 does not allow 'register' storage class specifier
  register int x = p[0];
  p[1] = x;
}
