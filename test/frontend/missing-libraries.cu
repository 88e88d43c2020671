// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header of a library that vxcc does not have: the error names the functions that the source calls;
// a source that uses nothing of it is compiled.
// RUN: not %vxcc -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %vxcc -DNEWER -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NEWER %s
// RUN: %vxcc -DUNUSED -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNUSED %s
#if defined(NEWER)
// NEWER: missing-libraries.cu:[[#@LINE+1]]:{{.*}} fatal error: 'cudnn.h' is of cuDNN, which vxcc does not have; this file calls cudnnCreate
#include <cudnn.h>
#elif defined(UNUSED)
// UNUSED: missing-libraries.cu:[[#@LINE+2]]:{{.*}} warning: 'npp.h' is of NPP, which vxcc does not have
// UNUSED-NOT: error
#include <npp.h>
#else
// CHECK: missing-libraries.cu:[[#@LINE+3]]:{{.*}} fatal error: 'cutensor.h' is of cuTENSOR, which vxcc does not have; this file calls cutensorContract, cutensorCreate{{$}}
// CHECK-NOT: error:
// CHECK: 1 error generated.
#include <cutensor.h>
#endif

__global__ void k(int *p) {
  *p = 1;
}

#ifndef UNUSED
void transform() {
  cutensorHandle_t handle; // cutensorDestroy(handle) in a comment
  cutensorCreate(&handle);
  cutensorContract(handle, 0, 0, CUTENSOR_DEFAULT);
  cudnnCreate(0);
}
#endif
