// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's atomics are LLVM's, relaxed.
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s

__global__ void k(int *i, unsigned *u, unsigned long long *ull, long long *ll, float *f, double *d,
                  unsigned short *us) {
  atomicAdd(i, 1);
  atomicAdd(f, 1.0f);
  atomicAdd(d, 1.0);
  atomicSub(u, 1u);
  atomicMin(ll, 3ll);
  atomicMax(u, 3u);
  atomicMax(i, 3);
  atomicInc(u, 5u);
  atomicDec(u, 5u);
  atomicExch(f, 2.0f);
  atomicCAS(us, (unsigned short)1, (unsigned short)2);
  atomicCAS(ull, 1ull, 2ull);
  atomicXor_block(u, 1u);
  atomicOr_system(ull, 1ull);
  atomicAnd(ll, 1ll);
}

// CHECK-DAG: atomicrmw add ptr {{.*}}, i32 {{.*}} monotonic, align 4
// CHECK-DAG: atomicrmw fadd ptr {{.*}}, float {{.*}} monotonic, align 4
// CHECK-DAG: atomicrmw fadd ptr {{.*}}, double {{.*}} monotonic, align 8
// CHECK-DAG: atomicrmw sub ptr {{.*}}, i32 {{.*}} monotonic, align 4
// CHECK-DAG: atomicrmw min ptr {{.*}}, i64 {{.*}} monotonic, align 8
// CHECK-DAG: atomicrmw umax ptr {{.*}}, i32 {{.*}} monotonic, align 4
// CHECK-DAG: atomicrmw max ptr {{.*}}, i32 {{.*}} monotonic, align 4
// CHECK-DAG: atomicrmw uinc_wrap ptr {{.*}}, i32
// CHECK-DAG: atomicrmw udec_wrap ptr {{.*}}, i32
// CHECK-DAG: atomicrmw xchg ptr {{.*}}, i32 {{.*}} monotonic, align 4
// CHECK-DAG: cmpxchg ptr {{.*}}, i16 {{.*}} monotonic monotonic, align 2
// CHECK-DAG: cmpxchg ptr {{.*}}, i64 {{.*}} monotonic monotonic, align 8
// CHECK-DAG: atomicrmw xor ptr {{.*}}, i32 {{.*}} monotonic, align 4
// CHECK-DAG: atomicrmw or ptr {{.*}}, i64 {{.*}} monotonic, align 8
// CHECK-DAG: atomicrmw and ptr {{.*}}, i64 {{.*}} monotonic, align 8
