// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of a __managed__ variable is not a constant: where an initializer needs one, that is said.
// RUN: not %vxcc -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %vxcc -DDEVICE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=DEVICE

__managed__ int numbers[4] = {1, 2, 3, 4};
__managed__ int one = 1;
int *get() { return numbers; }

int evaluatedAtTheStart = one + 1;
int *alsoAtTheStart = get();
unsigned long size = sizeof numbers;
#ifndef DEVICE
struct Entry {
  int *where;
  int count;
};
// CHECK: managed-initializers.cu:[[#@LINE+1]]:{{[0-9]+}}: error: the address of the '__managed__' variable 'numbers' is not a constant; assign it in a function
int *pointer = &numbers[1];
// CHECK: managed-initializers.cu:[[#@LINE+1]]:{{[0-9]+}}: error: the address of the '__managed__' variable 'one' is not a constant
Entry table[] = {{&one, 1}};
// CHECK: managed-initializers.cu:[[#@LINE+1]]:{{[0-9]+}}: error: the address of the '__managed__' variable 'one' is not a constant
int &reference = one;
#else
// DEVICE: managed-initializers.cu:[[#@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
__device__ int *there = &numbers[1];
#endif
