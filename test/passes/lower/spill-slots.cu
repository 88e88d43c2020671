// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of an entry that find no register go to the spill area, and an entry saves no register but
// the return address.
// RUN: %vxcc -O3 --lower=hw --vx-xlen=64 --emit=asm %s -o %t.64.s
// RUN: FileCheck %s --input-file=%t.64.s
// RUN: %vxcc -O3 --lower=hw --vx-xlen=32 --emit=asm %s -o %t.32.s
// RUN: FileCheck %s --input-file=%t.32.s

// CHECK-LABEL: {{^}}__vx_entry.direct.many:
// CHECK-NOT: {{[sl][dw]}} s{{[0-9]+}}, {{[0-9]+}}(sp)
// CHECK: call t0, __vx_spill_area
// CHECK-NOT: {{[sl][dw]}} s{{[0-9]+}}, {{[0-9]+}}(sp)
// CHECK: s{{[dw]}} {{[a-z0-9]+}}, {{-?[0-9]+}}(gp)
// CHECK-NOT: {{[sl][dw]}} s{{[0-9]+}}, {{[0-9]+}}(sp)
// CHECK: l{{[dw]}} {{[a-z0-9]+}}, {{-?[0-9]+}}(gp)
// CHECK-NOT: {{[sl][dw]}} s{{[0-9]+}}, {{[0-9]+}}(sp)
// CHECK: .size __vx_entry.direct.many
extern "C" __global__ void many(volatile int *p) {
  int values[36];
#pragma unroll
  for (int i = 0; i < 36; ++i)
    values[i] = p[i];
#pragma unroll
  for (int i = 0; i < 36; ++i)
    p[i] = values[35 - i];
}
