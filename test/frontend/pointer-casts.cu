// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O0 --emit=nvvm %s -o - | FileCheck %s
//
// What a pointer is cast to has the alignment of that type in device code, also in templates, inline
// members and lambdas; packed structures keep theirs.

__device__ int word;
struct __attribute__((packed)) Packed {
  char first;
  int second;
};
__device__ Packed packed;

template <class T> __device__ void put(char *to, int at) {
  __shared__ char bytes[64];
  *reinterpret_cast<T *>(bytes + at) = T(3);
  *(T *)(void *)(to + at) = T(3);
}

struct Local {
  __device__ void set() {
    char bytes[16];
    *(volatile int *)(bytes + 4) = 4;
    auto inner = [] {
      __shared__ char more[16];
      *(short *)more = 5;
    };
    inner();
  }
};

// CHECK-LABEL: define {{.*}} @_Z6kernelPci(
// CHECK:         store i32 1, {{.*}}@word{{.*}}, align 4
// CHECK:         store i32 2, {{.*}}@packed{{.*}}, align 1
// CHECK-LABEL: define {{.*}}putIiEvPci(
// CHECK:         store i32 3, {{.*}}, align 4
// CHECK:         store i32 3, {{.*}}, align 4
// CHECK-LABEL: define {{.*}}5Local3setEv
// CHECK:         store volatile i32 4, {{.*}}, align 4
// CHECK-LABEL: define {{.*}}EvENK{{.*}}clEv
// CHECK:         store i16 5, {{.*}}, align 2
__global__ void kernel(char *to, int at) {
  *(int *)((char *)&word + 1) = 1;
  packed.second = 2;
  put<int>(to, at);
  Local().set();
}
