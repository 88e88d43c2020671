// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc --expt-extended-lambda -O0 %s -o %t.0 && %shapes --few %t.0
// RUN: %vxcc --expt-extended-lambda -O3 %s -o %t.3 && %shapes --few %t.3
//
// Lambdas in kernels: extended __device__ lambdas passed to kernel templates with captures, generic
// and nested lambdas written inside device code. Lambdas of variables in several parts of a namespace,
// whose kernels and calls are each their own.

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
// Headers ask before they use a lambda's return type in host code, which is not an error here.
static_assert(!__nv_is_extended_device_lambda_closure_type(int) ||
                  __nv_is_extended_host_device_lambda_closure_type(int) ||
                  __nv_is_extended_device_lambda_with_preserved_return_type(int),
              "the host may ask");
// A specialisation for such types is one although it is never taken.
template <class T, class = void> struct RunsOnHost : std::true_type {};
template <class T>
struct RunsOnHost<T, std::enable_if_t<__nv_is_extended_device_lambda_closure_type(T)>>
    : std::false_type {};
static_assert(RunsOnHost<int>::value);
#endif

struct Scale {
  int *data;
  int factor;
  void run(int n) {
    int *to = data, by = factor;
    forEach<<<3, 40>>>(n, [=] __device__(int i) { to[i] *= by; });
  }
};

namespace parts {
auto first = [](int x) { return x + 100; };
inline auto inlineFirst = [](int x) { return x * 3; };
namespace {
auto hidden = [](int x) { return x + 1000; };
}
} // namespace parts
namespace other {
auto first = [](int x) { return x + 200; };
}
namespace parts {
auto second = [](int x) { return x + 300; };
inline auto inlineSecond = [](int x) { return x * 5; };
int made = [] { return 7; }();
auto onDevice = [] __device__(int x) { return x + 400; };
template <class F> auto apply(F f, int x) { return f(x); }
int applied = apply([](int x) { return apply([](int y) { return y + 10; }, x); }, 1);
struct Static {
  static int member;
  static inline auto inlineMember = [](int x) { return x * 7; };
};
int Static::member = [](int x) { return x + 500; }(1);
namespace {
auto hiddenToo = [](int x) { return x + 2000; };
}
} // namespace parts
namespace parts {
int madeToo = [] { return 8; }();
auto onDeviceToo = [] __device__(int x) { return x + 600; };
int appliedToo = apply([](int x) { return apply([](int y) { return y + 20; }, x); }, 1);
} // namespace parts

template <class F> __global__ void store(F f, int *out) { *out = f(1); }
template <class F> int runOnDevice(F f) {
  DeviceArray<int> result(1);
  store<<<1, 1>>>(f, static_cast<int *>(result));
  return result.host()[0];
}

static void lambdasOfNamespaces() {
  using namespace parts;
  expectEqual(first(1) + other::first(1) + second(1), 603, "parts of a namespace", 0);
  expectEqual(hidden(1) + hiddenToo(1), 3002, "unnamed namespaces", 0);
  expectEqual(inlineFirst(1) * inlineSecond(1) * Static::inlineMember(1), 105, "inline", 0);
  expectEqual(made * 10 + madeToo, 78, "called at once", 0);
  expectEqual(applied * 100 + appliedToo, 1121, "arguments", 0);
  expectEqual(Static::member, 501, "static member", 0);
  expectEqual(runOnDevice(parts::onDevice), 401, "device", 0);
  expectEqual(runOnDevice(onDeviceToo), 601, "device", 1);
}

int main() {
  lambdasOfNamespaces();
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
