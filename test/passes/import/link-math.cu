// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only the functions that are called are linked, as internal functions of the module.
// RUN: %vxcc -O1 --emit=ir %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: grep -c '^define' %t.ll | FileCheck --check-prefix=COUNT %s
// CHECK-NOT: declare {{.*}}@__nv_
// CHECK: define internal {{.*}}@{{.*}}tan
// CHECK-NOT: declare {{.*}}@__nv_
// COUNT: {{^[1-9]$}}

__global__ void tangents(float *p) {
  if (threadIdx.x & 1)
    p[threadIdx.x] = tanf(p[threadIdx.x]);
  else
    p[threadIdx.x] = p[threadIdx.x] + tanf(1.0f / p[threadIdx.x]);
}
