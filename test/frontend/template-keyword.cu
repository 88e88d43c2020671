// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keyword `template` before a function template that is called without template arguments:
// accepted in both halves, as by nvcc, and without a warning. Before a plain function it is an error.
// It may be missing before one of a dependent class that is called with constants for arguments.
// RUN: %vxcc -c %s -o %t.o 2>&1 | FileCheck --allow-empty --implicit-check-not={{.}} %s
// RUN: not %vxcc -DPLAIN -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ERROR %s
// ERROR: 'one' following the 'template' keyword does not refer to a template

template <class T> struct Box {
  template <class U> static __host__ __device__ U get(U u) { return u; }
  static __host__ __device__ int one() { return 1; }
};

template <class T> struct Shift {
  template <int n> static __host__ __device__ T by(T t) { return t << n; }
  template <int a, int b> static __host__ __device__ T between(T t) { return t >> b << a; }
  static constexpr int value = 2;
};
// No calls, but a member that is declared and a comparison.
template <> template <> __host__ __device__ int Shift<int>::by<7>(int t);
template <class T> constexpr bool isSmall = Shift<T>::value < 3 && 4 > (1);

template <class T> __host__ __device__ T shift(T t) {
  constexpr int n = 1;
  return Shift<T>::by<3>(t) - Shift<T>::between<n, 2>(t) + isSmall<T>;
}

template <class T> __host__ __device__ T twice(T t) {
#ifdef PLAIN
  t += Box<T>::template one();
#endif
  return Box<T>::template get(t) + t;
}

__global__ void k(int *p) {
  *p = twice(3) + shift(4);
}

int onHost() {
  return twice(4) + shift(5);
}
