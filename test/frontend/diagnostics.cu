// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's diagnostics with the user's line; what both halves say appears once; exit code 2.
// RUN: sh -c '%vxcc -c %s -o %t.o; echo code $?' > %t.txt 2>&1; FileCheck %s < %t.txt
// RUN: not ls %t.o

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
// CHECK-NOT: use of undeclared identifier
// CHECK: 1 warning and 2 errors generated.
// CHECK-NEXT: code 2
