// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every operation of the dialect, printed and parsed again, also in generic form.
//
// RUN: %vx_mlir_opt %s | FileCheck %s
// RUN: %vx_mlir_opt %s | %vx_mlir_opt | FileCheck %s
// RUN: %vx_mlir_opt %s --mlir-print-op-generic | %vx_mlir_opt | FileCheck %s
// RUN: %vx_mlir_opt %s --emit-bytecode | %vx_mlir_opt | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: func.func @coordinates
  func.func @coordinates() -> (i32, i32) {
    // CHECK: vx.thread_id x
    %0 = vx.thread_id x
    // CHECK: vx.block_id y
    %1 = vx.block_id y
    // CHECK: vx.block_dim z
    %2 = vx.block_dim z
    // CHECK: vx.grid_dim x
    %3 = vx.grid_dim x
    // CHECK: vx.lane_id
    %4 = vx.lane_id
    // CHECK: vx.warp_id
    %5 = vx.warp_id
    return %4, %5 : i32, i32
  }
  // CHECK-LABEL: func.func @warp
  func.func @warp(%p: i1, %f: f32, %i: i32, %l: i64) {
    // CHECK: %[[M:.*]], %{{.*}}, %{{.*}} = vx.tile 8
    %mask, %rank, %index = vx.tile 8
    // CHECK: vx.active_mask
    %active = vx.active_mask
    // CHECK: vx.vote all %{{.*}} : i1
    %0 = vx.vote all %p : i1
    // CHECK: vx.vote any %{{.*}} mask %[[M]] : i1
    %1 = vx.vote any %p mask %mask : i1
    // CHECK: vx.vote uni
    %2 = vx.vote uni %p : i1
    // CHECK: vx.vote ballot %{{.*}} : i32
    %3 = vx.vote ballot %p : i32
    // CHECK: vx.shuffle up %{{.*}}, %{{.*}} : f32
    %4 = vx.shuffle up %f, %i : f32
    // CHECK: vx.shuffle down %{{.*}}, %{{.*}} width 8 mask %[[M]] : i64
    %5 = vx.shuffle down %l, %i width 8 mask %mask : i64
    // CHECK: vx.shuffle xor
    %6 = vx.shuffle xor %p, %i : i1
    // CHECK: vx.shuffle idx
    %7 = vx.shuffle idx %i, %i : i32
    // CHECK: vx.match any %{{.*}} : f32
    %8 = vx.match any %f : f32
    // CHECK: vx.match all %{{.*}} mask %[[M]] : i64
    %9 = vx.match all %l mask %mask : i64
    // CHECK: vx.reduce add %{{.*}} : f32
    %10 = vx.reduce add %f : f32
    // CHECK: vx.reduce umax %{{.*}} width 16 : i64
    %11 = vx.reduce umax %l width 16 : i64
    // CHECK: vx.reduce xor %{{.*}} mask %[[M]] : i32
    %12 = vx.reduce xor %i mask %mask : i32
    // CHECK: vx.warp_sync{{$}}
    vx.warp_sync
    // CHECK: vx.warp_sync mask %[[M]]
    vx.warp_sync mask %mask
    return
  }
  // CHECK-LABEL: func.func @block
  func.func @block(%p: i1) -> i64 {
    // CHECK: vx.barrier{{$}}
    vx.barrier
    // CHECK: vx.barrier_reduce count %{{.*}} : i32
    %0 = vx.barrier_reduce count %p : i32
    // CHECK: vx.barrier_reduce and %{{.*}} : i1
    %1 = vx.barrier_reduce and %p : i1
    // CHECK: vx.barrier_reduce or %{{.*}} : i1
    %2 = vx.barrier_reduce or %p : i1
    // CHECK: vx.group_sync 128
    vx.group_sync 128
    // CHECK: vx.grid_sync
    vx.grid_sync
    // CHECK: vx.fence block
    vx.fence block
    // CHECK: vx.fence device
    vx.fence device
    // CHECK: vx.fence system
    vx.fence system
    // CHECK: vx.clock
    %3 = vx.clock
    // CHECK: vx.global_timer
    %4 = vx.global_timer
    // CHECK: vx.trap
    vx.trap
    return %3 : i64
  }
}

// What exchanges values between threads stays where it is; coordinates do not.
// RUN: %vx_mlir_opt %s --canonicalize --cse | FileCheck --check-prefix=KEPT %s
// KEPT-LABEL: @coordinates
// KEPT-NOT: vx.block_id
// KEPT-LABEL: @warp
// KEPT-COUNT-2: vx.vote
// KEPT: vx.match all
// KEPT: vx.reduce xor

// CHECK: gpu.module @defaults [#vx.target] {
gpu.module @defaults [#vx.target] {}
// CHECK: gpu.module @others [#vx.target<O = 1, lower = "sw", xlen = "32,64", isa = "warp,upstream", target = "vortex,host", lines = false, options = "-w", link = ["a.bc"]>] {
gpu.module @others [#vx.target<O = 1, lower = "sw", xlen = "32,64", isa = "warp,upstream", target = "vortex,host", lines = false, options = "-w", link = ["a.bc"]>] {}
