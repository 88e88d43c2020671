// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of overload resolution, which wait for the need of their function, where none waits: outside
// of functions, in host functions around device code, and in what functions of both sides are made
// of. Each is given, in three cases by the device half alone as well.
// RUN: sh -c 'for part in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do %vxcc -std=c++20 -DPART=$part -c %s -o %t.o; \
// RUN:   echo part $part code $?; done' > %t.txt 2>&1; FileCheck %s < %t.txt
// RUN: sh -c 'for part in 0 1 5; do %vxcc -std=c++20 -DPART=$part --emit=elf %s -o %t.elf; \
// RUN:   echo part $part code $?; done' > %t.txt 2>&1; FileCheck --check-prefix=DEVICE %s < %t.txt

struct One {
  One(int);
};
struct Other {
  Other(int);
};
struct Pair {
  Pair(One, One);
  Pair(Other, Other);
  int *get();
  int first;
};
template <class F> __global__ void call(F f) { f(threadIdx.x); }

// Code of the device in functions of the host.
#if PART == 0
void launch() {
  // CHECK: lost-errors.cu:[[#@LINE+2]]:8: error: call to constructor of 'Pair' is ambiguous
  // DEVICE: lost-errors.cu:[[#@LINE+1]]:8: error: call to constructor of 'Pair' is ambiguous
  Pair pair({0}, {1});
  auto p = Pair(pair).get();
  call<<<1, 32>>>([=] __device__(int i) { p[i] = i; });
}
// CHECK: part 0 code 2
// DEVICE: part 0 code 2
#elif PART == 1
struct Launcher {
  void launch() {
    // CHECK: lost-errors.cu:[[#@LINE+2]]:14: error: call to constructor of 'Pair' is ambiguous
    // DEVICE: lost-errors.cu:[[#@LINE+1]]:14: error: call to constructor of 'Pair' is ambiguous
    auto p = Pair({0}, {1}).get();
    call<<<1, 32>>>([=] __host__ __device__(int i) { p[i] = i; });
  }
};
// CHECK: part 1 code 2
// DEVICE: part 1 code 2
#elif PART == 2
template <class T> struct Launcher {
  void launch() {
    // CHECK: lost-errors.cu:[[#@LINE+1]]:14: error: call to constructor of 'Pair' is ambiguous
    auto p = Pair({0}, {1}).get();
    call<<<1, 32>>>([=] __device__(int i) { p[i] = i; });
  }
};
void use() { Launcher<int>().launch(); }
// CHECK: part 2 code 2
#elif PART == 3
namespace inner {
auto value = [] {
  struct Local {
    void launch() {
      // CHECK: lost-errors.cu:[[#@LINE+1]]:16: error: call to constructor of 'Pair' is ambiguous
      auto p = Pair({0}, {1}).get();
      call<<<1, 32>>>([p] __device__(int) {});
    }
  };
  Local().launch();
  return 1;
}();
} // namespace inner
// CHECK: part 3 code 2
#elif PART == 4
void launch() {
  // CHECK: lost-errors.cu:[[#@LINE+1]]:12: error: call to constructor of 'Pair' is ambiguous
  auto p = Pair({0}, {1}).get();
  struct Local {
    decltype(p) member;
    __device__ void operator()(int) const {}
  };
  call<<<1, 32>>>(Local());
}
// CHECK: part 4 code 2
#elif PART == 5
// The parts that functions of both sides are made of.
template <class T> __host__ __device__ T both(T t) {
  // CHECK: lost-errors.cu:[[#@LINE+2]]:10: error: call to constructor of 'Pair' is ambiguous
  // DEVICE: lost-errors.cu:[[#@LINE+1]]:10: error: call to constructor of 'Pair' is ambiguous
  return Pair({0}, {1}).first + t;
}
__global__ void kernel(int *p) { *p = both(*p); }
// CHECK: part 5 code 2
// DEVICE: part 5 code 2
#elif PART == 6
int onHost() {
  // CHECK: lost-errors.cu:[[#@LINE+1]]:38: error: call to constructor of 'Pair' is ambiguous
  auto generic = [](auto x) { return Pair({0}, {1}).first + x; };
  return generic(1);
}
// CHECK: part 6 code 2

// Outside of functions.
#elif PART == 7
// CHECK: lost-errors.cu:[[#@LINE+1]]:6: error: call to constructor of 'Pair' is ambiguous
Pair pair({0}, {1});
// CHECK: part 7 code 2
#elif PART == 8
// CHECK: lost-errors.cu:[[#@LINE+1]]:22: error: call to constructor of 'Pair' is ambiguous
static_assert(sizeof(Pair({0}, {1})) == sizeof(Pair), "");
// CHECK: part 8 code 2
#elif PART == 9
struct Outer {
  // CHECK: lost-errors.cu:[[#@LINE+1]]:16: error: call to constructor of 'Pair' is ambiguous
  int member = Pair({0}, {1}).first;
};
// CHECK: part 9 code 2
#elif PART == 10
// CHECK: lost-errors.cu:[[#@LINE+1]]:30: error: call to constructor of 'Pair' is ambiguous
void withDefault(int first = Pair({0}, {1}).first);
// CHECK: part 10 code 2
#elif PART == 11
enum {
  // CHECK: lost-errors.cu:[[#@LINE+1]]:18: error: call to constructor of 'Pair' is ambiguous
  value = sizeof(Pair({0}, {1}))
};
// CHECK: part 11 code 2
#elif PART == 12
// Where arguments do not fit the signature of an overload, nothing is wrong with its instantiations.
template <class T> T &&declare() noexcept;
template <class F> __host__ __device__ auto invoke(F &&f) -> decltype(declare<F>()(1)) {
  return f(1);
}
template <class F, class = int> constexpr bool isInvocable = false;
template <class F> constexpr bool isInvocable<F, decltype(invoke(declare<F>()))> = true;
struct Mutable {
  __host__ __device__ int operator()(int x) { return x + 1; }
};
template <class F> __host__ __device__ int use(F f) {
  return isInvocable<const F &> ? -1 : invoke(f);
}
__global__ void kernel(int *p) { *p = use(Mutable()); }
// CHECK: part 12 code 0
#else
// Initializers of constructors are part of what an instantiation is made of.
template <class T> struct Made {
  // CHECK: lost-errors.cu:[[#@LINE+1]]:41: error: call to constructor of 'Pair' is ambiguous
  __host__ __device__ Made(T t) : value(Pair({0}, {1}).first + t) {}
  int value;
};
__global__ void kernel(int *p) { *p = Made<int>(*p).value; }
// CHECK: part 13 code 2
#endif
