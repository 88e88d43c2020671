// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --expt-extended-lambda -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc --expt-extended-lambda -O3 %s -o %t.3 && %shapes --few %t.3
//
// Lambdas in kernels: extended __device__ lambdas passed to kernel templates with captures, generic
// and nested lambdas written inside device code.

#include "../Inputs/harness.h"

template <class Function> __global__ void forEach(int n, Function function) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    function(i);
}

__global__ void localLambdas(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int total = 0;
  auto add = [&total](auto x) { total += static_cast<int>(x); };
  auto twice = [&](auto function, int x) {
    function(x);
    function(x + 0.75);
  };
  twice(add, i);
  out[i] = total;
}

#ifdef __CUDACC_EXTENDED_LAMBDA__
// Headers ask before they use a lambda's return type in host code, which is no error here.
static_assert(!__nv_is_extended_device_lambda_closure_type(int) ||
                  __nv_is_extended_host_device_lambda_closure_type(int) ||
                  __nv_is_extended_device_lambda_with_preserved_return_type(int),
              "the host may ask");
#endif

struct Scale {
  int *data;
  int factor;
  void run(int n) {
    int *to = data, by = factor;
    forEach<<<3, 40>>>(n, [=] __device__(int i) { to[i] *= by; });
  }
};

int main() {
  const int n = 500;
  DeviceArray<int> first(n), second(n);
  int *a = first, *b = second;
  int offset = 7;
  double slope = 1.5;
  forEach<<<5, 33>>>(n, [=] __device__(int i) { a[i] = static_cast<int>(slope * i) + offset; });
  Scale{a, 3}.run(n);
  localLambdas<<<8, 64>>>(b, n);
  std::vector<int> gotA = first.host(), gotB = second.host();
  for (int i = 0; i < n; ++i) {
    expectEqual(gotA[i], (static_cast<int>(slope * i) + offset) * 3, "captured", i);
    expectEqual(gotB[i], i < 512 ? 2 * i : 0, "local", i);
  }
  return finish();
}
