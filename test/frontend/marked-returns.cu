// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 -fvx-check --emit=nvvm %s -o - | FileCheck %s
// RUN: %vxcc -O0 --emit=nvvm %s -o - | FileCheck --check-prefix=OFF %s
//
// Each return of device code that is compiled for the checkers is marked; a constexpr function can
// be evaluated all the same.
//
// CHECK-LABEL: define{{.*}} void @_Z5earlyPii(
// CHECK:       call void @__vx_leave(i32 0)
// CHECK:       if.then:
// CHECK-NEXT:  call void @__vx_leave(i32 1)
// CHECK:       call void @__vx_leave(i32 1)
// CHECK-LABEL: define{{.*}} i32 @_Z4sizei(
// CHECK-NOT:   call void @__vx_leave
// CHECK-LABEL: define{{.*}} void @_Z7in_loopPii(
// CHECK:       call void @__vx_leave(i32 0)
// CHECK:       call void @__vx_leave(i32 1)
// CHECK-NOT:   call void @__vx_leave
// CHECK-LABEL: define{{.*}} void @_Z5typedIiEvPT_(
// CHECK:       call void @__vx_leave(i32 0)
// CHECK:       call void @__vx_leave(i32 1)
// OFF-NOT:     __vx_leave

constexpr __device__ int size(int n) {
  if (n < 4)
    return 4;
  return n;
}

__global__ void early(int *p, int n) {
  __shared__ int tile[size(8)];
  if (threadIdx.x >= n)
    return;
  tile[threadIdx.x % 8] = n;
  __syncthreads();
  if (p)
    return void(p[threadIdx.x] = tile[0] + size(n));
}

__global__ void in_loop(int *p, int n) {
  for (int i = 0; i < n; ++i)
    switch (p[i]) {
    case 1:
      return;
    default:
      __syncthreads();
    }
}

template <typename T> __global__ void typed(T *p) {
  if (!p)
    return;
  *p = 1;
}
template __global__ void typed<int>(int *);
