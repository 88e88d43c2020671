// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A macro that adjoins a string literal, which was one of its own before C++11, is a warning, as with
// nvcc's host compiler, and means what it meant.
// RUN: %vxcc %s -o %t 2>%t.log && FileCheck %s < %t.log && %t | FileCheck %s --check-prefix=OUTPUT
#include <cstdio>
#define EXT ".o"
int main() {
  // CHECK: literal-suffixes.cu:[[@LINE+1]]:{{[0-9]+}}: warning: invalid suffix on literal
  puts("name"EXT);
  // OUTPUT: name.o
}
