// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the dialect nvvm on warps and blocks, as NVVM IR, and compiled for both lowerings.
// What they compute is in run-shuffles.mlir.
//
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck %s
// RUN: %vxcc --emit=elf --lower=hw %s -o %t.hw && %vx_objdump --check-divergence %t.hw
// RUN: %vxcc --emit=elf --lower=sw --vx-isa=base %s -o %t.sw && %vx_objdump --check-divergence %t.sw

gpu.module @kernels {
  // CHECK-LABEL: define ptx_kernel void @all
  gpu.func @all(%out: memref<?xi32>, %v: i32, %f: f32, %p: i1, %m: i32) kernel {
    %i = gpu.thread_id x
    %c = arith.constant 31 : i32
    %one = arith.constant 1 : i32
    // CHECK: call i32 @llvm.nvvm.shfl.sync.up.i32
    %0 = nvvm.shfl.sync up %m, %v, %one, %c : i32 -> i32
    // CHECK: call float @llvm.nvvm.shfl.sync.down.f32
    %1 = nvvm.shfl.sync down %m, %f, %one, %c : f32 -> f32
    // CHECK: call { i32, i1 } @llvm.nvvm.shfl.sync.bfly.i32p
    %2 = nvvm.shfl.sync bfly %m, %v, %one, %c {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    // CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32
    %3 = nvvm.shfl.sync idx %m, %v, %one, %c : i32 -> i32
    // CHECK: call i1 @llvm.nvvm.vote.any.sync
    %4 = nvvm.vote.sync any %m, %p -> i1
    // CHECK: call i1 @llvm.nvvm.vote.all.sync
    %5 = nvvm.vote.sync all %m, %p -> i1
    // CHECK: call i1 @llvm.nvvm.vote.uni.sync
    %6 = nvvm.vote.sync uni %m, %p -> i1
    // CHECK: call i32 @llvm.nvvm.vote.ballot.sync
    %7 = nvvm.vote.sync ballot %m, %p -> i32
    // CHECK: call i32 @llvm.nvvm.match.any.sync.i32
    %8 = nvvm.match.sync any %m, %v : i32 -> i32
    // CHECK: call { i32, i1 } @llvm.nvvm.match.all.sync.i32p
    %9 = nvvm.match.sync all %m, %v : i32 -> !llvm.struct<(i32, i1)>
    // CHECK: call i32 @llvm.nvvm.redux.sync.min
    %10 = nvvm.redux.sync min %v, %m : i32 -> i32
    // CHECK: call i32 @llvm.nvvm.redux.sync.xor
    %11 = nvvm.redux.sync xor %v, %m : i32 -> i32
    // CHECK: @llvm.nvvm.elect.sync
    %12 = nvvm.elect.sync -> i1
    // CHECK: call void @llvm.nvvm.bar.warp.sync
    nvvm.bar.warp.sync %m : i32
    // CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all
    nvvm.barrier
    // CHECK: call void @llvm.nvvm.membar.gl
    nvvm.memory.barrier #nvvm.mem_scope<gpu>

    %x1 = arith.fptosi %1 : f32 to i32
    %x2 = llvm.extractvalue %2[0] : !llvm.struct<(i32, i1)>
    %x9 = llvm.extractvalue %9[0] : !llvm.struct<(i32, i1)>
    %x4 = arith.extui %4 : i1 to i32
    %x5 = arith.extui %5 : i1 to i32
    %x6 = arith.extui %6 : i1 to i32
    %x12 = arith.extui %12 : i1 to i32
    %a = arith.addi %0, %x1 : i32
    %b = arith.addi %a, %x2 : i32
    %d = arith.addi %b, %3 : i32
    %e = arith.addi %d, %x4 : i32
    %g = arith.addi %e, %x5 : i32
    %h = arith.addi %g, %x6 : i32
    %j = arith.addi %h, %7 : i32
    %k = arith.addi %j, %8 : i32
    %l = arith.addi %k, %x9 : i32
    %n = arith.addi %l, %10 : i32
    %o = arith.addi %n, %11 : i32
    %q = arith.addi %o, %x12 : i32
    memref.store %q, %out[%i] : memref<?xi32>
    gpu.return
  }
}
