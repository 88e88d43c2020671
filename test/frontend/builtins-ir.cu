// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtin variables, synchronisation, warp functions and services as NVVM intrinsics and calls.
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s

#include <cassert>
#include <cstdio>

__global__ void k(int *p, double *d) {
  // CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  // CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  // CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  // CHECK-DAG: call {{.*}}i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  p[0] = threadIdx.x + blockIdx.y + blockDim.z + gridDim.x + warpSize;
  uint3 t = threadIdx;
  dim3 g = gridDim;
  p[1] = t.y + g.z;

  // CHECK-DAG: @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1
  // CHECK-DAG: @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1
  // CHECK-DAG: @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1
  p[2] = __syncthreads_count(p[0]) + __syncthreads_and(p[1]) + __syncthreads_or(p[2]);
  // CHECK-DAG: call void @llvm.nvvm.membar.cta()
  // CHECK-DAG: call void @llvm.nvvm.membar.gl()
  // CHECK-DAG: call void @llvm.nvvm.membar.sys()
  __threadfence_block();
  __threadfence();
  __threadfence_system();

  // CHECK-DAG: call i32 @llvm.nvvm.shfl.sync.down.i32(
  // CHECK-DAG: call i64 @__vx_shfl_bfly_64(
  // CHECK-DAG: call i32 @llvm.nvvm.vote.ballot.sync(
  // CHECK-DAG: call i32 @llvm.nvvm.match.any.sync.i32(
  // CHECK-DAG: call i32 @llvm.nvvm.redux.sync.add(
  // CHECK-DAG: call void @llvm.nvvm.bar.warp.sync(
  p[3] = __shfl_down_sync(~0u, p[0], 1) + __ballot_sync(~0u, p[1]) + __match_any_sync(~0u, p[2]) +
         __reduce_add_sync(~0u, p[3]);
  d[0] = __shfl_xor_sync(~0u, d[0], 1);
  __syncwarp();

  // CHECK-DAG: call {{.*}}@llvm.nvvm.read.ptx.sreg.clock()
  // CHECK-DAG: call {{.*}}@llvm.nvvm.read.ptx.sreg.clock64()
  p[4] = clock() + (int)clock64();
  // CHECK-DAG: call i32 @vprintf(
  printf("%d %f\n", p[0], d[0]);
  // CHECK-DAG: call void @__assertfail(
  assert(p[0] > 0);
  // CHECK-DAG: call {{.*}}ptr @malloc(i64
  // CHECK-DAG: call void @free(ptr
  int *q = (int *)malloc(64);
  q[0] = 1;
  free(q);
  delete[] new int[4];
  // CHECK-DAG: call void @llvm.trap()
  if (p[5])
    __trap();
}
