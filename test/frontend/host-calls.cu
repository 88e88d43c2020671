// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __host__ functions called by __host__ __device__ functions that device code needs: a warning, as
// with nvcc, also where the call is never made, be the function a template, inline or neither; none
// after the pragmas; an error in device functions. The same holds for variables of the host, which
// are an error where device code really needs the function.
// RUN: %vxcc %s -o %t 2>&1 | FileCheck %s --check-prefix=WARN \
// RUN:   --implicit-check-not='warning: calling' --implicit-check-not='warning: the host'
// RUN: %run %t | FileCheck %s
// RUN: %vxcc -rdc=true -O0 -w %s -o %t 2>&1 | count 0
// RUN: %run %t 2>&1 >/dev/null | FileCheck %s --check-prefix=STOP
// RUN: %run %t | FileCheck %s
// RUN: not %vxcc -DVARIABLE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: not %vxcc -DDEVICE -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR

#include <array>
#include <cstdio>
#include <cuda_runtime.h>

void onHost(int *x) { *x = 1; }
struct Logged {
  int *place;
  __host__ __device__ explicit Logged(int *place) : place(place) {}
  ~Logged() { *place += 100; } // of the host only
};

#ifdef __CUDA_ARCH__
constexpr bool kHost = false;
#else
constexpr bool kHost = true;
#endif

template <class T> __host__ __device__ void either(T *x) {
  if (kHost)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from the '__host__ __device__' function 'either<int>'
    onHost(x);
  else
    *x = 2;
}
template <class T> __host__ __device__ void sometimes(T *x) {
  if (*x > 10)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from {{.*}}'sometimes<int>': a thread of the device that does so is stopped
    onHost(x); // STOP: host-calls.cu:[[#@LINE]]
  *x += 3;
}
// What is constexpr is for both by itself.
constexpr int checked(int x) {
  if (x > 10)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from {{.*}}'checked'
    onHost(nullptr);
  return x;
}
__global__ void constexprCalls(int *x) {
  std::array<int, 3> numbers = {1, 2, 3};
  *x = checked(*x) + numbers.at(*x); // no warning: of a system header
}
#pragma nv_exec_check_disable
template <class T> __host__ __device__ void quiet(T *x) {
  if (kHost)
    onHost(x);
}
_Pragma("hd_warning_disable") __host__ __device__ inline void quietToo(int *x) {
  if (kHost)
    onHost(x);
}
template <class T> struct Both {
  __host__ __device__ void act(T *x) {
    if (kHost) {
      // WARN-DAG: host-calls.cu:[[#@LINE+1]]:14: warning: calling the '__host__' function '~Logged'
      Logged log(x);
    }
    auto inner = [] __host__ __device__(T * y) {
      if (kHost)
        // WARN-DAG: host-calls.cu:[[#@LINE+1]]:9: warning: calling the '__host__' function 'onHost'
        onHost(y);
    };
    inner(x);
  }
};


__host__ __device__ void ordinary(int *x) {
  if (kHost)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from the '__host__ __device__' function 'ordinary'
    onHost(x);
  else
    *x = *x * 2;
}
namespace inner {
static __host__ __device__ int ofThisFile(int x) {
  auto twice = [](int y) { return y * 2; };
  if (x > 1000)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from {{.*}}'ofThisFile'
    onHost(&x);
  return twice(x);
}
struct Member {
  __host__ __device__ int get(int x);
  __host__ __device__ ~Member();
};
__host__ __device__ int Member::get(int x) {
  if (x > 1000)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from {{.*}}'get'
    onHost(&x);
  return x / 2;
}
__host__ __device__ Member::~Member() {
  if (kHost) {
    int x;
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from {{.*}}'~Member'
    onHost(&x);
  }
}
} // namespace inner
extern "C" __host__ __device__ int recursive(int x) {
  if (x > 1000)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from {{.*}}'recursive'
    onHost(&x);
  return x == 0 ? 0 : recursive(x - 1);
}
#pragma nv_exec_check_disable
__host__ __device__ void ordinaryAndQuiet(int *x) {
  if (kHost)
    onHost(x);
}

// With -rdc=true device code of another file may need the functions, as with nvcc.
int hostVariable = 1;
#ifndef __CUDACC_RDC__
__host__ __device__ int readsVariable() {
  // WARN-DAG: host-calls.cu:[[#@LINE+2]]:10: warning: the host variable 'hostVariable' in the '__host__ __device__' function 'readsVariable' is an error if device code needs the function
  // VARIABLE: host-calls.cu:[[#@LINE+1]]:{{.*}} error: device variable 'hostVariable' is declared but not defined in this device code
  return hostVariable;
}
#pragma nv_exec_check_disable
__host__ __device__ void writesVariable(int x) { hostVariable = x; }
#else
int readsVariable() { return hostVariable; }
void writesVariable(int x) { hostVariable = x; }
#endif

// The kernel has the same name in both halves.
template <class F> __global__ void apply(int *x, F f) { *x = f(*x); }
__host__ __device__ void launchesLambda(int *x, int n) {
  apply<<<1, 1>>>(x, [=] __device__(int y) { return y + n; });
  if (n > 1000)
    // WARN-DAG: host-calls.cu:[[#@LINE+1]]:5: warning: calling the '__host__' function 'onHost' from {{.*}}'launchesLambda'
    onHost(x);
}

__global__ void kernel(int *x) {
  either(x);
  sometimes(x);
  quiet(x);
  quietToo(x);
  Both<int>().act(x);
  ordinary(x);
  ordinaryAndQuiet(x);
  inner::Member member;
  *x = member.get(inner::ofThisFile(*x)) + recursive(3);
#ifdef VARIABLE
  *x += readsVariable();
#endif
#ifdef DEVICE
  // ERROR: host-calls.cu:[[#@LINE+1]]:{{.*}}error: no matching function for call to 'onHost'
  onHost(x);
#endif
}

__global__ void stopped(int *x) { sometimes(x); }

int main() {
  int *x;
  cudaMallocManaged(&x, sizeof(int));
  kernel<<<1, 1>>>(x);
  // CHECK: no error: 10
  printf("%s: %d\n", cudaGetErrorString(cudaDeviceSynchronize()), *x);
  launchesLambda(x, 7);
  // CHECK: no error: 17
  printf("%s: %d\n", cudaGetErrorString(cudaDeviceSynchronize()), *x);
  writesVariable(readsVariable() + 1);
  // CHECK: on the host: 2
  printf("on the host: %d\n", hostVariable);
  *x = 11;
  Both<int>().act(x);
  // CHECK: on the host: 1
  printf("on the host: %d\n", *x);
  either(x);
  sometimes(x);
  *x = 11;
  stopped<<<1, 1>>>(x);
  // CHECK: unspecified launch failure
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
