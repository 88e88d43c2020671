// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The IR that leaves the front end is unoptimised, but may be optimised: no optnone at any level.
// Line tables are always there; -G adds variables.
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s --check-prefixes=IR,LINES
// RUN: %vxcc -O0 --emit=nvvm %s -o - | FileCheck %s --check-prefixes=IR,LINES
// RUN: %vxcc -G --emit=nvvm %s -o - | FileCheck %s --check-prefixes=IR,FULL

// IR: define {{.*}}ptx_kernel void @_Z1kPi(
// IR: alloca ptr
// IR-NOT: optnone
// LINES: emissionKind: LineTablesOnly
// LINES-NOT: !DILocalVariable
// FULL: emissionKind: FullDebug
// FULL: !DILocalVariable(name: "p"
__global__ void k(int *p) { *p = 1; }
