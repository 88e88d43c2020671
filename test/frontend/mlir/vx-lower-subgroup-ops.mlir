// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %vx_mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(vx-lower-subgroup-ops))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: func.func @places
  func.func @places() -> (index, index, index) {
    // CHECK: %[[C32:.*]] = arith.constant 32 : index
    %0 = gpu.subgroup_size : index
    // CHECK: %[[X:.*]] = gpu.block_dim x
    // CHECK: %[[Y:.*]] = gpu.block_dim y
    // CHECK: %[[XY:.*]] = arith.muli %[[X]], %[[Y]] : index
    // CHECK: %[[Z:.*]] = gpu.block_dim z
    // CHECK: %[[XYZ:.*]] = arith.muli %[[XY]], %[[Z]] : index
    // CHECK: %[[NUMBER:.*]] = arith.ceildivui %[[XYZ]], %[[C32]] : index
    %1 = gpu.num_subgroups : index
    // CHECK: %[[WARP:.*]] = vx.warp_id
    // CHECK: %[[ID:.*]] = arith.index_castui %[[WARP]] : i32 to index
    %2 = gpu.subgroup_id : index
    // CHECK: return %[[C32]], %[[NUMBER]], %[[ID]]
    return %0, %1, %2 : index, index, index
  }
  // CHECK-LABEL: func.func @broadcasts
  // CHECK-SAME: %[[F:[^:]*]]: f16, %[[LANE:[^:]*]]: i32
  func.func @broadcasts(%f: f16, %lane: i32) -> (f16, f16) {
    // CHECK: %[[ACTIVE:.*]] = vx.active_mask
    // CHECK: %[[FIRST:.*]] = math.cttz %[[ACTIVE]] : i32
    // CHECK: vx.shuffle idx %[[F]], %[[FIRST]] mask %[[ACTIVE]] : f16
    %0 = gpu.subgroup_broadcast %f, first_active_lane : f16
    // CHECK: %[[ACTIVE:.*]] = vx.active_mask
    // CHECK: vx.shuffle idx %[[F]], %[[LANE]] mask %[[ACTIVE]] : f16
    %1 = gpu.subgroup_broadcast %f, specific_lane %lane : f16
    return %0, %1 : f16, f16
  }
  // CHECK-LABEL: func.func @rotate
  // CHECK-SAME: %[[V:[^:]*]]: i32
  func.func @rotate(%v: i32) -> (i32, i1) {
    // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
    // CHECK-DAG: %[[C7:.*]] = arith.constant 7 : i32
    // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
    // CHECK-DAG: %[[CM8:.*]] = arith.constant -8 : i32
    // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : i32
    // CHECK: %[[LANE:.*]] = vx.lane_id
    // CHECK: %[[SUM:.*]] = arith.addi %[[LANE]], %[[C3]]
    // CHECK: %[[PLACE:.*]] = arith.andi %[[SUM]], %[[C7]]
    // CHECK: %[[FIRST:.*]] = arith.andi %[[LANE]], %[[CM8]]
    // CHECK: %[[SOURCE:.*]] = arith.ori %[[FIRST]], %[[PLACE]]
    // CHECK: %[[MOVED:.*]], %{{.*}} = gpu.shuffle idx %[[V]], %[[SOURCE]], %[[C32]] : i32
    // CHECK: %[[VALID:.*]] = arith.cmpi ult, %[[LANE]], %[[C8]]
    // CHECK: return %[[MOVED]], %[[VALID]]
    %0, %1 = gpu.rotate %v, 3, 8 : i32
    return %0, %1 : i32, i1
  }
  // CHECK-LABEL: func.func @shuffles
  // CHECK-SAME: %[[B:[^:]*]]: bf16, %[[V:[^:]*]]: vector<2xf32>, %[[I:[^:]*]]: i32
  func.func @shuffles(%b: bf16, %v: vector<2xf32>, %i: i32) -> (bf16, vector<2xf32>, i1) {
    // CHECK: %[[BITS:.*]] = arith.bitcast %[[B]] : bf16 to i16
    // CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i16 to i32
    // CHECK: %[[MOVED:.*]], %{{.*}} = gpu.shuffle xor %[[WORD]], %[[I]], %[[I]] : i32
    // CHECK: %[[HALF:.*]] = arith.trunci %[[MOVED]] : i32 to i16
    // CHECK: arith.bitcast %[[HALF]] : i16 to bf16
    %0, %p = gpu.shuffle xor %b, %i, %i : bf16
    // CHECK: %[[V0:.*]] = vector.extract %[[V]][0]
    // CHECK: gpu.shuffle up %[[V0]], %[[I]], %[[I]] : f32
    // CHECK: %[[V1:.*]] = vector.extract %[[V]][1]
    // CHECK: %{{.*}}, %[[VALID:.*]] = gpu.shuffle up %[[V1]], %[[I]], %[[I]] : f32
    // CHECK: vector.from_elements
    // CHECK: return %{{.*}}, %{{.*}}, %[[VALID]]
    %1, %q = gpu.shuffle up %v, %i, %i : vector<2xf32>
    return %0, %1, %q : bf16, vector<2xf32>, i1
  }
  // The shuffles of a reduction of small numbers, too.
  // CHECK-LABEL: gpu.func @small
  gpu.func @small(%h: f16, %out: memref<1xf16>) kernel {
    %i = arith.constant 0 : index
    // CHECK-NOT: gpu.shuffle {{.*}} f16
    // CHECK: gpu.shuffle xor {{.*}} : i32
    // CHECK-NOT: gpu.all_reduce
    %0 = gpu.all_reduce add %h uniform {} : (f16) -> f16
    memref.store %0, %out[%i] : memref<1xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  func.func @wide(%i: i32) -> i32 {
    // expected-error @below {{a subgroup has 32 threads, the width is 64}}
    %0, %1 = gpu.rotate %i, 1, 64 : i32
    return %0 : i32
  }
}
