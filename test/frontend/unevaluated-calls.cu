// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -std=c++11 -c %s -o %t.o
// RUN: %vxcc -std=c++17 -Wno-deprecated-declarations -c %s -o %t.o
// RUN: %vxcc -std=c++20 -Wno-deprecated-declarations -c %s -o %t.o
// RUN: not %vxcc -std=c++20 -DWRONG -Wno-deprecated-declarations -c %s -o %t.o 2>&1 | FileCheck %s
//
// Signatures, constraints and arguments of templates see functions of both sides, on both sides. What
// is asked there stays on its side for calls that are evaluated.

#if __cplusplus >= 202002L
#include <concepts>
#include <iterator>
#endif
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

// Members without bodies and functions with them; the device asks the host's, and the host the
// device's.
struct Asked {
  __device__ char device() const;
  short host() const;
};
template <class T> __device__ auto askHost(T t) -> decltype(t.host()) { return 1; }
template <class T> auto askDevice(T t) -> decltype(t.device()) { return 1; }
template <class T, class = void> struct HasHost : std::false_type {};
template <class T>
struct HasHost<T, decltype(void(std::declval<const T &>().host()))> : std::true_type {};
template <class T, int N = sizeof(std::declval<T>().host())> __device__ int sizeOfHost() {
  return N;
}
template <class T> using HostResult = decltype(std::declval<T>().host());

__device__ int signatures() {
  using Declared = decltype(std::declval<OnBoth>()(1, 2));
  static_assert(std::is_same<Declared, short>::value, "");
  static_assert(std::is_same<HostResult<Asked>, short>::value && HasHost<Asked>::value, "");
  return askHost(Asked()) + sizeOfHost<Asked>();
}

#if __cplusplus >= 202002L
template <class T> concept HasDevice = requires(const T t) { { t.device() } -> std::same_as<char>; };
template <class T> concept HasBoth = HasDevice<T> && requires(const T t) {
  { t.host() } -> std::convertible_to<double>;
  requires sizeof(t.host()) == 2;
};
template <class F> requires std::invocable<F, int, int>
__device__ int call(F f) { return f(1, 2); }
template <class F> __device__ long call(F) = delete;
template <std::invocable<int, int> F> int launch(F f) { return sizeof(f); }

__device__ int constraints() {
  static_assert(HasBoth<Asked> && std::invocable<OnDevice, int, int> &&
                std::predicate<OnHost, int, int> && !std::invocable<OnHost, int>);
  static_assert(std::totally_ordered<float> && std::swappable<Asked> && std::regular<int> &&
                std::constructible_from<Asked> && std::random_access_iterator<int *> &&
                std::common_with<int, double> && !std::regular<Asked>);
  auto lambda = [](int a, int b) { return a - b; };
  return call(OnDevice()) + call(OnBoth()) + call(lambda);
}
int constraintsOfHost() {
  static_assert(HasBoth<Asked> && std::invocable<OnDevice, int, int> && !HasDevice<OnDevice>);
  return launch(OnDevice()) + launch(OnHost()) + launch([](int, int) {});
}

// A call of a deleted function is none, whatever else there is of both sides (std::iter_swap).
template <class T> struct Reversed {
  T at;
  template <class U> friend __host__ __device__ void exchange(const Reversed &, const Reversed<U> &) {}
};
namespace deleted {
template <class A, class B> void exchange(A, B) = delete;
template <class A, class B, class = void> constexpr bool detects = false;
template <class A, class B>
constexpr bool detects<A, B, decltype(exchange(std::declval<A>(), std::declval<B>()))> = true;
template <class A, class B> __host__ __device__ auto call(A a, B b) -> decltype(exchange(a, b)) {
  exchange(a, b);
}
template <class... Any> __host__ __device__ int call(Any...) { return 2; }
struct Exchange {
  template <class A, class B>
    requires requires(A a, B b) { exchange(a, b); }
  __host__ __device__ int operator()(A a, B b) const noexcept(noexcept(exchange(a, b))) {
    exchange(a, b);
    return 1;
  }
  template <class A, class B> __host__ __device__ int operator()(A, B) const { return 2; }
};
template <class T> struct Exchanges {
  T value;
  template <class I> __host__ __device__ int operator()(I i) {
    Reversed<T> both{value};
    static_assert(!detects<T, Reversed<T>> && detects<Reversed<T>, Reversed<T>>);
    return Exchange()(value, both) + Exchange()(both, both) + i + call(value, both);
  }
};
} // namespace deleted
template <class F> __global__ void runs(F f, int *to) {
  *to = f(0);
}
void launchExchanges(int *to) {
  runs<<<1, 1>>>(deleted::Exchanges<Asked>(), to);
  *to = deleted::Exchanges<Asked>()(0);
}

#ifdef WRONG
template <class T> auto askHostOnly(T t) -> decltype(t.device()) { return 'a'; }
// CHECK: [[#@LINE+1]]:{{.*}}error: {{.*}}'askHostOnly'
__device__ int callsHost() { return askHostOnly(Asked()); }
// CHECK: [[#@LINE+1]]:{{.*}}error: {{.*}}'device'
int callsDevice() { return askDevice(Asked()) + Asked().device(); }
#endif
#endif

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
