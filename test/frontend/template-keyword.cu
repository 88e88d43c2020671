// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The keyword `template` before a function template that is called without template arguments:
// accepted in both halves, as by nvcc, and without a warning. Before a plain function it is an error.
// RUN: %vxcc -c %s -o %t.o 2>&1 | FileCheck --allow-empty --implicit-check-not={{.}} %s
// RUN: not %vxcc -DPLAIN -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ERROR %s
// ERROR: 'one' following the 'template' keyword does not refer to a template

template <class T> struct Box {
  template <class U> static __host__ __device__ U get(U u) { return u; }
  static __host__ __device__ int one() { return 1; }
};

template <class T> __host__ __device__ T twice(T t) {
#ifdef PLAIN
  t += Box<T>::template one();
#endif
  return Box<T>::template get(t) + t;
}

__global__ void k(int *p) {
  *p = twice(3);
}

int onHost() {
  return twice(4);
}
