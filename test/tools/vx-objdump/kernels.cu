// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --kernels shows the records of the kernel table: each kernel's variants, their mappings and facts.
// RUN: %vxcc -O2 --emit=elf %s -o %t.elf
// RUN: %vx_objdump --kernels %t.elf | FileCheck %s
// RUN: %vx_objdump -k --mangled %t.elf | FileCheck %s --check-prefix=MANGLED
// RUN: %python -c "import sys; d=open(sys.argv[1],'rb').read(); i=d.rindex(b'VXTK'); open(sys.argv[2],'wb').write(d[:i+4]+b'\x09'+d[i+5:])" %t.elf %t.newer
// RUN: not %vx_objdump --kernels %t.newer 2>&1 | FileCheck %s --check-prefix=NEWER

// CHECK: Kernels:
// CHECK: sum(int*, int)
// CHECK-NEXT: mappings block-per-lane warps-per-lane
// CHECK-NEXT: directEntry 0x{{[0-9a-f]+}}
// CHECK: argBytes 12
// CHECK: numRegs
// CHECK: parameter 8 bytes at 0
// CHECK-NEXT: parameter 4 bytes at 8
// CHECK: sum(int*, int)
// CHECK-NEXT: mappings hw{{$}}
// CHECK: staticSharedBytes 256
// CHECK: maxThreads 64
// CHECK: groupThreads 4
// CHECK: uses-barrier
// CHECK: sum(int*, int)
// CHECK-NEXT: mappings thread-per-lane
// MANGLED: _Z3sumPii
// NEWER: damaged kernel table: wrong magic number or version
__global__ void __launch_bounds__(64) sum(int *data, int n) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = __shfl_xor_sync(0xffffffff, tile[63 - threadIdx.x], 1) + n;
}
