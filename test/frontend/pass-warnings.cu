// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warning of the optimizer names its line once, although templates, inlining, variants of a kernel
// and images make copies of the loop; the options about warnings hold for it.
// RUN: %vxcc -c --target=vortex,host --vx-isa=warp,upstream %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %vxcc -c -brief-diag true %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BRIEF
// RUN: %vxcc -c -w %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: %vxcc -c -Wno-pass-failed %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// CHECK: pass-warnings.cu:[[@LINE+9]]:3: warning: loop not unrolled
// CHECK-NEXT: for (int i = 0
// CHECK: 1 warning generated.
// BRIEF: warning: loop not unrolled
// BRIEF-NEXT: 1 warning generated.
// NONE-NOT: warning
template <int N> __device__ int f(const int *p, int n) {
  int s = 0;
#pragma unroll
  for (int i = 0; i < n; i++) {
    if (p[i] < 0)
      return s;
    s ^= p[i + N];
  }
  return s;
}
template <int N> __global__ void k(int *p, int n) {
  p[threadIdx.x] = f<N>(p, n);
  __syncthreads();
  p[0] += f<N>(p, n) + f<N + 1>(p, p[2]);
}
template __global__ void k<1>(int *, int);
template __global__ void k<2>(int *, int);
