// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gdb
// RUN: %vxcc -G --vx-xlen=32,64 %s -o %t
// RUN: env VX_LOWERING=hw %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.hw && FileCheck %s < %t.hw
// RUN: env VX_LOWERING=sw %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.sw && FileCheck %s < %t.sw
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=hw %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.hw32 && FileCheck %s < %t.hw32
// RUN: env VX_SET=isa.xlen=32 VX_LOWERING=sw %python %S/run-gdb.py --commands=%build/share/gdb/vx.py %s %t > %t.sw32 && FileCheck %s < %t.sw32
//
// A session with gdb: the commands are the lines with GDB, {name} is the line with that comment.
#include <cstdio>

struct Pair {
  int first;
  float second;
};

__device__ int twice(int value) {
  int result = value * 2;
  return result; // {twice}
}

__global__ void scale(float *data, int count, Pair pair) {
  __shared__ float tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float before = data[i];
  tile[threadIdx.x] = before;
  __syncthreads();
  float after = tile[31 - threadIdx.x]; // {behind}
  if (i % 2 == 1)                       // {branch}
    after = after * pair.second;        // {odd}
  else
    after += twice(pair.first); // {even}
  data[i] = after;              // {store}
}

int main() {
  constexpr int count = 64;
  float host[count], *data;
  for (int i = 0; i < count; ++i)
    host[i] = float(i);
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<2, 32>>>(data, count, {7, 2.5f});
  cudaDeviceSynchronize();
  scale<<<2, 32>>>(data, count, {8, 1.5f});
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", host[34], host[35]);
  return 3;
}

// A kernel by its name; then one thread of it, by a condition.
// GDB: break scale
// GDB: continue
// GDB: info vx kernels
// GDB: delete
// GDB: break {behind} if $blockIdx_x == 1 && i == 35
// GDB: continue
// GDB: backtrace
// CHECK: hit Breakpoint 1.{{[0-9]}}, scale (
// CHECK: launch 1  scale(float*, int, Pair) [{{hw|sw}}{{.*}}]  grid (2,1,1)  block (32,1,1)
// CHECK: "block (1,0,0) thread (3,0,0)" hit Breakpoint 2.{{[0-9]}}, scale (data=0x[[#%x,]], count=64, pair=...) at {{.*}}session.cu:[[#]]
// CHECK: #0  scale (data=0x[[#%x,]], count=64, pair=...)
// CHECK-NOT: #1 

// Variables, arguments, shared memory, registers, memory.
// GDB: print i
// GDB: print before
// GDB: print pair
// GDB: print tile[3]
// GDB: print data[35]
// GDB: print $threadIdx_x + 100 * $blockIdx_x + 1000 * $blockDim_x
// GDB: python exec("try: gdb.execute('print *(int *)8')\nexcept gdb.error as error: print(error)")
// CHECK: $1 = 35
// CHECK: $2 = 35
// CHECK: $3 = {first = 7, second = 2.5}
// CHECK: $4 = 35
// CHECK: $5 = 35
// CHECK: $6 = 32103
// CHECK: Cannot access memory at address 0x8

// Steps: over the barrier's other side, into a call and out of it.
// GDB: next
// GDB: print after
// GDB: next
// GDB: next
// GDB: print after
// GDB: print tile[3]
// GDB: info vx warps
// CHECK: $7 = 60
// CHECK: $8 = 150
// CHECK: $9 = 35
// CHECK: block (1,0,0) thread ({{[0-9]+}},0,0)  core 0 warp

// GDB: tbreak twice
// GDB: continue
// GDB: info args
// GDB: up
// GDB: print i % 2
// GDB: down
// GDB: finish
// GDB: info vx lanes
// GDB: vx focus
// CHECK: Temporary breakpoint 3,
// CHECK: value = 7
// CHECK: #1 {{.*}} scale (
// CHECK: $10 = 0
// CHECK: #0  twice (value=7)
// CHECK: Value returned is $11 = 14
// CHECK: * block ({{[01]}},0,0) thread ({{[0-9]+}},0,0)  core 0 warp {{[0-3]}} lane {{[0-3]}}  0x{{.*}} scale(float*, int, Pair){{.*}}session.cu:32
// CHECK: [Current thread is

// A place in memory that a thread of the next launch changes.
// GDB: delete
// GDB: watch -location data[34]
// GDB: continue
// GDB: print i
// GDB: delete
// GDB: continue
// CHECK: Hardware watchpoint 4: -location data[34]
// CHECK: "block (1,0,0) thread (2,0,0)" hit Hardware watchpoint 4
// CHECK: Old value = 34
// CHECK: New value = 75
// CHECK: = 34
// CHECK: exited with code 03
// CHECK: --- the program
// CHECK: VX_GDB: waiting for gdb-multiarch -ex 'target remote
// CHECK: exit code 3

// The order of the steps is that of the mask stack.
// UNSUPPORTED: paths
