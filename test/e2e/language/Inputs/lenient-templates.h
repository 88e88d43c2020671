// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates of lenient-code.cu that are to be put right in a header.

#pragma once

template <class T> struct Holder {
  T held;
  template <class S> __host__ __device__ int fromBase(const S &, int x) { return x + 100; }
};

struct Ref {
  template <int N> struct Scoped {
    static constexpr int value = N;
  };
  using Index = int;
  template <bool Last> __host__ __device__ int add(int x) const { return x + Last; }
  template <int N> __host__ __device__ int operator()(int x) const { return x * N; }
};

struct Couple {
  int key, value;
};

template <class R> __host__ __device__ int scopeOf(const R &) {
  using Scope = typename R::Scoped<8>;
  return Scope::value;
}
