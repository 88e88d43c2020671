// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A __managed__ variable is refused where it is used, not silently split in two.
// RUN: not %vxcc -c %s -o %t.o 2>&1 | FileCheck %s
__managed__ int both;
// CHECK: managed-errors.cu:[[#@LINE+1]]:{{[0-9]+}}: error: 'both' is unavailable: __managed__ variables are not supported
__global__ void k() { both = 1; }
