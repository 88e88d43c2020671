// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that each operation becomes. The stock passes that convert several dialects do the same.
//
// RUN: %vx_mlir_opt %s --pass-pipeline='builtin.module(gpu.module(convert-vx-to-llvm))' | FileCheck %s
// RUN: %vx_mlir_opt %s --pass-pipeline='builtin.module(gpu.module(convert-to-llvm))' | FileCheck %s
// RUN: %vx_mlir_opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm))' | FileCheck --check-prefix=NVVM %s
//
// NVVM-NOT: {{ }}vx.
// NVVM: llvm.call @__vx_vote_all
// NVVM-NOT: {{ }}vx.

gpu.module @kernels {
  // CHECK-DAG: llvm.func @__vx_thread_idx_x() -> i32
  // CHECK-DAG: llvm.func @__vx_vote_all(i32, i32) -> i32 attributes {convergent
  // CHECK-DAG: llvm.func @__vx_shfl_up_64(i32, i64, i32, i32) -> i64 attributes {convergent
  // CHECK-DAG: llvm.func @__vx_fence_block()

  // CHECK-LABEL: llvm.func @coordinates
  llvm.func @coordinates() {
    // CHECK: llvm.call @__vx_thread_idx_x() : () -> i32
    %0 = vx.thread_id x
    // CHECK: llvm.call @__vx_thread_idx_y
    %1 = vx.thread_id y
    // CHECK: llvm.call @__vx_thread_idx_z
    %2 = vx.thread_id z
    // CHECK: llvm.call @__vx_block_idx_y
    %3 = vx.block_id y
    // CHECK: llvm.call @__vx_block_dim_z
    %4 = vx.block_dim z
    // CHECK: llvm.call @__vx_grid_dim_x
    %5 = vx.grid_dim x
    // CHECK: llvm.call @__vx_lane_id
    %6 = vx.lane_id
    // CHECK: llvm.call @__vx_warp_id
    %7 = vx.warp_id
    // CHECK: llvm.call @__vx_activemask
    %8 = vx.active_mask
    llvm.return
  }
  // CHECK-LABEL: llvm.func @votes
  // CHECK-SAME: %[[P:[^:]*]]: i1, %[[M:[^:]*]]: i32
  llvm.func @votes(%p: i1, %m: i32) -> i1 {
    // CHECK: %[[BIT:.*]] = llvm.zext %[[P]] : i1 to i32
    // CHECK: %[[FULL:.*]] = llvm.mlir.constant(-1 : i32)
    // CHECK: %[[R:.*]] = llvm.call @__vx_vote_all(%[[FULL]], %[[BIT]])
    // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.icmp "ne" %[[R]], %[[ZERO]]
    %0 = vx.vote all %p : i1
    // CHECK: llvm.call @__vx_vote_any(%[[M]], %{{.*}})
    %1 = vx.vote any %p mask %m : i1
    // CHECK: llvm.call @__vx_vote_uni
    %2 = vx.vote uni %p : i1
    // CHECK: llvm.call @__vx_vote_ballot
    // CHECK-NOT: llvm.icmp
    %3 = vx.vote ballot %p : i32
    llvm.return %0 : i1
  }
  // CHECK-LABEL: llvm.func @shuffles
  // CHECK-SAME: %[[I:[^:]*]]: i32, %[[L:[^:]*]]: i64, %[[F:[^:]*]]: f32, %[[D:[^:]*]]: f64, %[[H:[^:]*]]: f16, %[[M:[^:]*]]: i32
  llvm.func @shuffles(%i: i32, %l: i64, %f: f32, %d: f64, %h: f16, %m: i32) {
    // Up: the last lane is 0; a width of 32.
    // CHECK: %[[S:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.call @__vx_shfl_up_64(%{{.*}}, %[[L]], %[[I]], %[[S]])
    %0 = vx.shuffle up %l, %i : i64
    // (32 - 8) << 8 | 31
    // CHECK: %[[S:.*]] = llvm.mlir.constant(6175 : i32)
    // CHECK: %[[W:.*]] = llvm.bitcast %[[F]] : f32 to i32
    // CHECK: %[[R:.*]] = llvm.call @__vx_shfl_down_32(%[[M]], %[[W]], %[[I]], %[[S]])
    // CHECK: llvm.bitcast %[[R]] : i32 to f32
    %1 = vx.shuffle down %f, %i width 8 mask %m : f32
    // CHECK: llvm.bitcast %[[D]] : f64 to i64
    // CHECK: llvm.call @__vx_shfl_bfly_64
    // CHECK: llvm.bitcast {{.*}} : i64 to f64
    %2 = vx.shuffle xor %d, %i : f64
    // CHECK: llvm.bitcast %[[H]] : f16 to i16
    // CHECK: llvm.zext {{.*}} : i16 to i32
    // CHECK: llvm.call @__vx_shfl_idx_32
    // CHECK: llvm.trunc {{.*}} : i32 to i16
    // CHECK: llvm.bitcast {{.*}} : i16 to f16
    %3 = vx.shuffle idx %h, %i : f16
    llvm.return
  }
  // CHECK-LABEL: llvm.func @matches
  llvm.func @matches(%i: i32, %d: f64, %m: i32) {
    // CHECK: llvm.call @__vx_match_any_32
    %0 = vx.match any %i : i32
    // CHECK: llvm.bitcast {{.*}} : f64 to i64
    // CHECK: llvm.call @__vx_match_all_64
    %1 = vx.match all %d mask %m : f64
    llvm.return
  }
  // CHECK-LABEL: llvm.func @reductions
  // CHECK-SAME: %[[I:[^:]*]]: i32, %[[L:[^:]*]]: i64, %[[F:[^:]*]]: f32, %[[D:[^:]*]]: f64, %[[M:[^:]*]]: i32
  llvm.func @reductions(%i: i32, %l: i64, %f: f32, %d: f64, %m: i32) {
    // CHECK: %[[FULL:.*]] = llvm.mlir.constant(-1 : i32)
    // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: llvm.call @__vx_reduce_add_f32(%[[FULL]], %[[F]], %[[NONE]])
    %0 = vx.reduce add %f : f32
    // The lanes of the thread's segment.
    // CHECK: %[[LANE:.*]] = llvm.call @__vx_lane_id
    // CHECK: %[[FIRST:.*]] = llvm.and %[[LANE]], %{{.*}}
    // CHECK: %[[BITS:.*]] = llvm.mlir.constant(255 : i32)
    // CHECK: %[[MASK:.*]] = llvm.shl %[[BITS]], %[[FIRST]]
    // CHECK: %[[W:.*]] = llvm.mlir.constant(8 : i32)
    // CHECK: llvm.call @__vx_reduce_min_s64(%[[MASK]], %[[L]], %[[W]])
    %1 = vx.reduce min %l width 8 : i64
    // CHECK: llvm.call @__vx_reduce_max_f64(%[[M]], %[[D]], %{{.*}})
    %2 = vx.reduce max %d mask %m : f64
    // CHECK: llvm.call @__vx_reduce_min_u32
    %3 = vx.reduce umin %i : i32
    // CHECK: llvm.call @__vx_reduce_max_u64
    %4 = vx.reduce umax %l : i64
    // CHECK: llvm.call @__vx_reduce_and_i32
    %5 = vx.reduce and %i : i32
    // CHECK: llvm.call @__vx_reduce_or_i64
    %6 = vx.reduce or %l : i64
    // CHECK: llvm.call @__vx_reduce_xor_i32
    %7 = vx.reduce xor %i : i32
    llvm.return
  }
  // CHECK-LABEL: llvm.func @tiles
  llvm.func @tiles() -> i32 {
    // CHECK: %[[LANE:.*]] = llvm.call @__vx_lane_id
    // CHECK: %[[RANK:.*]] = llvm.and %[[LANE]], %{{.*}}
    // CHECK: llvm.lshr %[[LANE]], %{{.*}}
    // CHECK: llvm.mlir.constant(-4 : i32)
    // CHECK: llvm.mlir.constant(15 : i32)
    // CHECK: llvm.shl
    // CHECK: llvm.return %[[RANK]]
    %0, %1, %2 = vx.tile 4
    llvm.return %1 : i32
  }
  // CHECK-LABEL: llvm.func @meetings
  llvm.func @meetings(%p: i1) {
    // CHECK: llvm.call @__vx_warp_sync
    vx.warp_sync
    // CHECK: llvm.call @__vx_barrier()
    vx.barrier
    // CHECK: llvm.call @__vx_barrier_count
    %0 = vx.barrier_reduce count %p : i32
    // CHECK: llvm.call @__vx_barrier_and
    // CHECK: llvm.icmp "ne"
    %1 = vx.barrier_reduce and %p : i1
    // CHECK: llvm.call @__vx_barrier_or
    %2 = vx.barrier_reduce or %p : i1
    // CHECK: llvm.mlir.constant(256 : i32)
    // CHECK: llvm.call @__vx_group_sync
    vx.group_sync 256
    // CHECK: llvm.call @__vx_grid_sync
    vx.grid_sync
    // CHECK: llvm.call @__vx_fence_block
    vx.fence block
    // CHECK: llvm.call @__vx_fence_device
    vx.fence device
    // CHECK: llvm.call @__vx_fence_system
    vx.fence system
    // CHECK: llvm.call @__vx_clock64
    %3 = vx.clock
    // CHECK: llvm.call @__vx_globaltimer
    %4 = vx.global_timer
    // CHECK: llvm.call @__vx_trap
    vx.trap
    llvm.return
  }
}
