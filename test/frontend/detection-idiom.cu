// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -std=c++11 -c %s -o %t.o
// RUN: %vxcc -std=c++17 -Wno-deprecated-declarations -c %s -o %t.o
//
// Templates that ask whether a call is possible see functions of both sides, on both sides. Templates
// of the host that are only declared at first stay the host's.

#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

struct OnDevice {
  __device__ int operator()(int a, int b) const { return a + b; }
};
struct OnHost {
  int operator()(int a, int b) const { return a + b; }
};
struct OnBoth {
  __host__ __device__ short operator()(int a, int b) const { return a + b; }
};

namespace detection {
struct Member {
  template <class F> static auto test(int) -> decltype(std::declval<F>()(1, 2), std::true_type());
  template <class> static std::false_type test(...);
};
template <class F> char (&probe(F *, char (*)[sizeof(std::declval<F>()(1, 2))]))[2];
template <class F> char probe(F *, ...);

// In the namespace that they are in, too.
static_assert(decltype(Member::test<OnDevice>(0))::value, "");
} // namespace detection

template <class F, class R> constexpr bool detects() {
  return std::is_same<typename std::result_of<F(int, int)>::type, R>::value &&
         decltype(detection::Member::test<F>(0))::value &&
         sizeof(detection::probe((F *)nullptr, nullptr)) == 2;
}
static_assert(detects<OnDevice, int>() && detects<OnHost, int>() && detects<OnBoth, short>(), "");
static_assert(!decltype(detection::Member::test<std::pair<int, int>>(0))::value, "");
static_assert(sizeof(detection::probe((int *)nullptr, nullptr)) == 1, "");
#if __cplusplus >= 201703L
static_assert(std::is_invocable_v<OnDevice, int, int> && !std::is_invocable_v<OnDevice, int>);
static_assert(std::is_same_v<std::invoke_result_t<OnDevice, int, int>, int>);
#endif

template <class F> __global__ void kernel(F f, int *out) {
  static_assert(detects<F, typename std::result_of<F(int, int)>::type>(), "");
  *out = f(1, 2);
}
template __global__ void kernel(OnDevice, int *);
template __global__ void kernel(OnBoth, int *);

struct Later {
  template <class F> auto member(F f) -> decltype(f(1, 2));
};
template <class F> auto function(F f) -> decltype(f(1, 2));

template <class F> auto Later::member(F f) -> decltype(f(1, 2)) {
  return f(int(std::vector<int>(3).size()), 2);
}
template <class F> auto function(F f) -> decltype(f(1, 2)) {
  return f(int(std::vector<int>(3).size()), 2);
}
int main() {
  return Later().member(OnHost()) + function(OnBoth()) - 10;
}
