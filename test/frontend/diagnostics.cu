// Clang's diagnostics with the user's line; what both halves say appears once; exit code 2.
// RUN: sh -c '%vxcc -c %s -o %t.o; echo code $?' > %t.txt 2>&1; FileCheck %s < %t.txt
// RUN: not ls %t.o

// CHECK: diagnostics.cu:[[#@LINE+2]]:{{[0-9]+}}: warning: {{.*}}[-Wwritable-strings]
// CHECK-NOT: -Wwritable-strings
char *text = "text";

void hostOnly();

__global__ void kernel(int *p) {
  // CHECK: diagnostics.cu:[[#@LINE+3]]:3: error: reference to __host__ function 'hostOnly' in __global__ function
  // CHECK-NEXT: [[#@LINE+2]] |   hostOnly();
  // CHECK-NEXT: |   ^
  hostOnly();
  // CHECK: diagnostics.cu:[[#@LINE+1]]:8: error: use of undeclared identifier 'undeclared'
  *p = undeclared;
}
// CHECK-NOT: use of undeclared identifier
// CHECK: 1 warning and 2 errors generated.
// CHECK-NEXT: code 2
