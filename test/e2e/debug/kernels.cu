// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gdb
// RUN: %vxcc -G --vx-xlen=32,64 %s -o %t
// RUN: %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.any && FileCheck %s < %t.any
// RUN: env VX_LOWERING=hw VX_SET=core.num_warps=1,core.num_threads=32 %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.hw && FileCheck %s < %t.hw
// RUN: env VX_LOWERING=sw %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.sw && FileCheck %s < %t.sw
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.block && FileCheck %s < %t.block
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=hw %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.hw32 && FileCheck %s < %t.hw32
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=sw %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.sw32 && FileCheck %s < %t.sw32
//
// A kernel is entered with its arguments and its thread; steps on both sides of a branch; the launch
// that follows.
#include <cstdio>

__device__ int odd(int value) {
  int result = value + 1000;
  return result;
}

__device__ int even(int value) {
  return value + 2000; // {even}
}

__global__ void spread(int *out, int bias) {
  int i = threadIdx.x;                   // {first}
  int value = i * 10 + bias;
  if (i % 2)
    value = odd(value);                  // {odd}
  else
    value = even(value);
  value += __shfl_xor_sync(~0u, value, 1);
  out[i] = value;                        // {store}
}

int main() {
  int host[32] = {}, *data;
  cudaMalloc(&data, sizeof host);
  cudaMemset(data, 0, sizeof host);
  spread<<<1, 32>>>(data, 3);
  cudaDeviceSynchronize();
  spread<<<1, 32>>>(data, 4);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[2], host[3]);
}

// GDB: break spread
// GDB: continue
// GDB: print $threadIdx_x + 100 * $blockDim_x
// GDB: print bias
// GDB: next
// GDB: print i
// CHECK: hit Breakpoint 1.{{[0-9]}}, spread (out=0x[[#%x,]], bias=3) at {{.*}}kernels.cu:[[#FIRST:]]
// CHECK-NEXT: [[#FIRST]]{{.*}}{first}
// CHECK: $1 = 3200
// CHECK: $2 = 3
// CHECK: [[#FIRST + 1]]{{.*}}int value = i
// CHECK: $3 = 0

// One side of a branch, a function there, and out of it.
// GDB: delete
// GDB: tbreak {odd} if i == 3
// GDB: continue
// GDB: step
// GDB: next
// GDB: print result
// GDB: print $threadIdx_x
// GDB: finish
// GDB: print $threadIdx_x
// CHECK: "block (0,0,0) thread (3,0,0)" hit Temporary breakpoint 2
// CHECK: odd (value=33) at
// CHECK: return result;
// CHECK: $4 = 1033
// CHECK: $5 = 3
// CHECK: Value returned is $6 = 1033
// CHECK: $7 = 3

// The next launch.
// GDB: break spread if $threadIdx_x == 2
// GDB: continue
// GDB: info vx kernels
// GDB: delete
// GDB: tbreak even if value == 24
// GDB: continue
// GDB: up
// GDB: print i
// CHECK: "block (0,0,0) thread (2,0,0)" hit Breakpoint 3.{{[0-9]}}, spread (out=0x[[#%x,]], bias=4) at
// CHECK: launch 2  spread(int*, int) [
// CHECK: Temporary breakpoint 4
// CHECK: spread (out=0x[[#%x,]], bias=4)
// CHECK: $8 = 2

// GDB: delete
// GDB: continue
// CHECK: exited normally
// CHECK: --- the program
// CHECK: 3058 3058
