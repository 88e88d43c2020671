// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// isnan() and its kin in host and device code that includes nothing, in and outside of std.
// RUN: %vxcc -c %s -o %t.o
__host__ __device__ int classify(float x, double y) {
  return isnan(x) + isinf(y) * 2 + isfinite(x) * 4 + signbit(y) * 8 + ::isnan(y) + std::isnan(x);
}
__global__ void k(int *p) { p[0] = classify(p[1], p[2]); }
int onHost(float x, double y) { return classify(x, y) + isnan(y) + isinf(x); }
