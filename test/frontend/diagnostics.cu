// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's diagnostics with the user's line; what both halves say appears once; exit code 2.
// RUN: sh -c '%vxcc -c %s -o %t.o; echo code $?' > %t.txt 2>&1; FileCheck %s < %t.txt
// RUN: not ls %t.o
// RUN: not %vxcc --emit=nvvm %s -o %t.ll 2>&1 | FileCheck --check-prefix=DEVICE %s
// DEVICE: diagnostics.cu:{{.*}}: error: no matching constructor for initialization of 'Virtual'

// CHECK: diagnostics.cu:[[#@LINE+2]]:{{[0-9]+}}: warning: {{.*}}[-Wwritable-strings]
// CHECK-NOT: -Wwritable-strings
char *text = "text";

void hostOnly();

__global__ void kernel(int *p) {
  // CHECK: diagnostics.cu:[[#@LINE+2]]:3: error: no matching function for call to 'hostOnly'
  // CHECK-NEXT: [[#@LINE+1]] |   hostOnly();
  hostOnly();
  // CHECK: diagnostics.cu:[[#@LINE+1]]:8: error: use of undeclared identifier 'undeclared'
  *p = undeclared;
}

struct Virtual {
  int x;
  __host__ __device__ virtual int get() { return x; }
};
// An error in the device half, too, which waits there to see whether the device needs the function.
__host__ __device__ int both(int x) {
  // CHECK: diagnostics.cu:[[#@LINE+1]]:11: error: no matching constructor for initialization of 'Virtual'
  Virtual value{x};
  return value.get();
}
// CHECK-NOT: use of undeclared identifier
// CHECK-NOT: error: no matching constructor
// CHECK: 1 warning and 3 errors generated.
// CHECK-NEXT: code 2
