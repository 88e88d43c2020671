// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract of the device front end with passes/: kernels, parameters, address spaces.
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s

// CHECK: target triple = "nvptx64-nvidia-cuda"

// CHECK-DAG: @coefficients = {{.*}}addrspace(4) externally_initialized{{.*}} [16 x float] zeroinitializer
__constant__ float coefficients[16];
// CHECK-DAG: @counter = {{.*}}addrspace(1) externally_initialized global i32 7
__device__ int counter = 7;
// CHECK-DAG: @_ZZ6sharedPiE4tile = internal addrspace(3) global [64 x i32] undef
// CHECK-DAG: @dynamic = external {{.*}}addrspace(3) global [0 x i32]
extern __shared__ int dynamic[];

struct Pair {
  int a;
  double b;
  short c;
};

// CHECK-DAG: define {{.*}}ptx_kernel void @_Z7byValue4PairPd(ptr {{.*}}byval(%struct.Pair) align 8 {{.*}}, ptr
__global__ void byValue(Pair p, double *out) { *out = p.a + p.b + p.c; }

// CHECK-DAG: define {{.*}}ptx_kernel void @_Z6sharedPi(
__global__ void shared(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = dynamic[threadIdx.x];
  __syncthreads();
  // CHECK-DAG: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  out[threadIdx.x] = tile[63 - threadIdx.x] + (int)coefficients[1] + counter;
}

// CHECK-DAG: define {{.*}}ptx_kernel void @bounded({{.*}} #[[BOUNDS:[0-9]+]]
extern "C" __global__ void __launch_bounds__(128, 4) bounded(int *p) { p[0] = 1; }

// CHECK-DAG: define {{.*}}ptx_kernel void @_Z7genericIdEvPT_S0_(
template <class T> __global__ void generic(T *p, T v) { p[threadIdx.x] *= v; }
template __global__ void generic<double>(double *, double);

// CHECK-DAG: define {{.*}}ptx_kernel void @_ZN5outer5innerEi(
namespace outer {
__global__ void inner(int) {}
} // namespace outer

// How the kernel is to be lowered reaches the passes as an annotation.
// CHECK-DAG: private unnamed_addr constant [12 x i8] c"vx.lower=sw\00"
__vx_lower__("sw") __global__ void software() {}

// Functions of the host are not compiled.
// CHECK-NOT: @main
int main() { return 0; }

// CHECK-DAG: attributes #[[BOUNDS]] = {{.*}}"nvvm.maxntid"="128"{{.*}}"nvvm.minctasm"="4"
