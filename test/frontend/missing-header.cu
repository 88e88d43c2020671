// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header that is missing ends the compilation with 1, like nvcc's preprocessor.
// RUN: sh -c '%vxcc -c %s -o %t.o; echo code $?' 2>&1 | FileCheck %s
// CHECK: missing-header.cu:[[#@LINE+1]]:10: fatal error: 'no/such/header.h' file not found
#include "no/such/header.h"
// CHECK: 1 error generated.
// CHECK-NEXT: code 1
