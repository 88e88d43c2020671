// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host object asks the runtime for, and the fat binary it carries.
// RUN: %vxcc -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: llvm-readelf -S %t.o | FileCheck %s --check-prefix=SECTIONS
// RUN: llvm-objdump -s -j .nv_fatbin %t.o | FileCheck %s --check-prefix=BYTES

// SYMBOLS-DAG: U __cudaRegisterFatBinary
// SYMBOLS-DAG: U __cudaRegisterFatBinaryEnd
// SYMBOLS-DAG: U __cudaRegisterFunction
// SYMBOLS-DAG: U __cudaRegisterVar
// SYMBOLS-DAG: U __cudaUnregisterFatBinary
// SYMBOLS-DAG: U __cudaPushCallConfiguration
// SYMBOLS-DAG: U __cudaPopCallConfiguration
// SYMBOLS-DAG: U cudaLaunchKernel
// SYMBOLS-DAG: T _Z21__device_stub__kernelPi

// SECTIONS: .nv_fatbin PROGBITS {{.*}} 16
// SECTIONS: .nvFatBinSegment

// The first bytes are the magic of the container: "VXFATBIB".
// BYTES: VXFATBIB

__constant__ int table[4];
__device__ int counter;
__global__ void kernel(int *p) { p[threadIdx.x] = table[threadIdx.x & 3] + counter; }
void launch(int *p) { kernel<<<2, 32>>>(p); }

// A source without device code carries no fat binary and needs no runtime.
// RUN: echo 'int f() { return 1; }' > %t.plain.cu
// RUN: %vxcc -c %t.plain.cu -o %t.plain.o
// RUN: llvm-nm %t.plain.o | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: __cudaRegister
