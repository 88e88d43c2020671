// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math goes to __nv_* functions; no function of the headers is left without a body.
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: %vxcc -use_fast_math --emit=nvvm %s -o - | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: %vxcc -fmad=false --emit=nvvm %s -o - | FileCheck %s --check-prefix=NOFMA

#include <algorithm>
#include <cmath>
#include <complex>

__global__ void k(float *f, double *d, int *i) {
  // EXACT-DAG: call contract float @__nv_sinf(
  // FAST-DAG: call contract float @__nv_fast_sinf(
  f[0] = sinf(f[1]) + f[2];
  // CHECK-DAG: call contract double @__nv_pow(double
  d[0] = pow(d[1], d[2]);
  // CHECK-DAG: call contract float @__nv_rsqrtf(float
  f[1] = rsqrtf(f[2]);
  // CHECK-DAG: call contract float @__nv_fast_expf(float
  f[2] = __expf(f[2]);
  // CHECK-DAG: call i32 @__nv_popc(i32
  // CHECK-DAG: call i32 @__nv_clz(i32
  i[0] = __popc(i[1]) + __clz(i[2]);
  // CHECK-DAG: call contract double @__nv_fmax(double
  d[1] = max(f[0], d[1]) + std::max(d[2], d[3]);
  // The overloads for float that the C++ library has.
  f[3] = std::fmin(f[0], f[1]) + cbrt(f[2]) + hypot(f[3], f[4]) + lgamma(f[5]) + copysign(f[6], f[7]);
  // NOFMA: fmul float
  // NOFMA-NOT: contract
  f[4] = f[5] * f[6] + f[7];
  // CHECK-DAG: fmul contract float
  std::complex<float> z(f[0], f[1]);
  z *= z;
  f[5] = z.real();
}

// CHECK-NOT: declare {{.*}}@_Z
