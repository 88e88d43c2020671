// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc's device half does not look at or does not choose by halves, as in Eigen's headers: a name
// that is only in std where a template asks for the global one; overloads of the device in functions of
// the host; unknown names in templates of the device half that nothing needs. A name that is nowhere is
// an error elsewhere, and so is code that a half needs.
// RUN: %vxcc -c %s -o %t.o 2>&1 | FileCheck --allow-empty --implicit-check-not={{.}} %s
// RUN: not %vxcc -DNOWHERE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NOWHERE %s
// RUN: not %vxcc -DINSTANCE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=INSTANCE %s
// RUN: not %vxcc -DHOSTHALF -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HOSTHALF %s
// RUN: not %vxcc -DNEEDED -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NEEDED %s
// NOWHERE: error: no member named 'argument' in the global namespace
// NEEDED: error: use of overloaded operator '-' is ambiguous
#include <complex>

#ifdef __CUDA_ARCH__
#define OF_HALF __device__
#define USING_STD(name) using ::name
#else
#define OF_HALF __host__
#define USING_STD(name) using std::name
#endif

template <class T> __host__ __device__ T angle(T t) {
  USING_STD(arg);
  return arg(t);
}
template <class T> __host__ __device__ T angleAgain(T t) {
#ifdef __CUDA_ARCH__
  using ::arg;
#else
  using std::arg;
#endif
#ifdef NOWHERE
  using ::argument;
#endif
  return arg(t);
}

#if defined __CUDA_ARCH__ || defined HOSTHALF
template <class T> struct NotNeeded {
  static __device__ int lastOf(const T &x) {
    // INSTANCE: [[#@LINE+2]]:{{.*}}error: use of undeclared identifier 'unknown'
    // HOSTHALF: [[#@LINE+1]]:{{.*}}error: use of undeclared identifier 'unknown'
    unknown = reduce<limbs>(x);
    return unknown == 0;
  }
};
#endif
#ifdef INSTANCE
__device__ int needsIt() { return NotNeeded<int>::lastOf(1); }
#endif

struct Small {
  float value;
  __host__ __device__ operator float() const { return value; }
  __host__ __device__ operator double() const { return value; }
};
OF_HALF inline Small operator-(const Small &a, const Small &b) { return {a.value - b.value}; }

float onHost(Small a, Small b) { return angle((a - b).value) + angleAgain(a.value); }
#ifdef NEEDED
__device__ float needed(Small a, int b) { return a - b; }
#endif
__global__ void k(Small *p) { p[0] = p[1] - p[0]; }
