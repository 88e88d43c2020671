// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %vx_mlir_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(vx-lower-subgroup-reduce))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @numbers
  gpu.func @numbers(%i: i32, %l: i64, %f: f32, %d: f64) kernel {
    // CHECK: vx.reduce add %{{.*}} : i32
    %0 = gpu.subgroup_reduce add %i : (i32) -> i32
    // CHECK: vx.reduce min %{{.*}} : i64
    %1 = gpu.subgroup_reduce minsi %l : (i64) -> i64
    // CHECK: vx.reduce max %{{.*}} : f32
    %2 = gpu.subgroup_reduce maxnumf %f : (f32) -> f32
    // CHECK: vx.reduce umin %{{.*}} : i32
    %3 = gpu.subgroup_reduce minui %i uniform : (i32) -> i32
    // CHECK: vx.reduce add %{{.*}} width 8 : f64
    %4 = gpu.subgroup_reduce add %d cluster(size = 8) : (f64) -> f64
    // CHECK: vx.reduce xor %{{.*}} width 32 : i64
    %5 = gpu.subgroup_reduce xor %l cluster(size = 32) : (i64) -> i64
    gpu.return
  }
  // Reductions that vx.reduce does not have: products, NaNs that are kept, lanes that are not neighbours.
  // CHECK-LABEL: func.func @others
  func.func @others(%i: i32, %l: i64, %f: f32) -> (i32, i64, f32, i32) {
    // CHECK-COUNT-5: gpu.shuffle xor %{{.*}} : i32
    %0 = gpu.subgroup_reduce mul %i : (i32) -> i32
    // CHECK-COUNT-5: gpu.shuffle xor %{{.*}} : i64
    %1 = gpu.subgroup_reduce mul %l : (i64) -> i64
    // CHECK-COUNT-5: gpu.shuffle xor
    %2 = gpu.subgroup_reduce minimumf %f : (f32) -> f32
    // CHECK-COUNT-2: gpu.shuffle xor
    // CHECK-NOT: gpu.shuffle
    %3 = gpu.subgroup_reduce add %i cluster(size = 4, stride = 8) : (i32) -> i32
    // CHECK: return
    return %0, %1, %2, %3 : i32, i64, f32, i32
  }
  // CHECK-LABEL: func.func @vectors
  func.func @vectors(%v: vector<2xf32>, %h: vector<2xf16>) -> (vector<2xf32>, vector<2xf16>) {
    // CHECK-COUNT-2: vx.reduce add %{{.*}} : f32
    %0 = gpu.subgroup_reduce add %v : (vector<2xf32>) -> vector<2xf32>
    // CHECK-COUNT-5: gpu.shuffle xor
    %1 = gpu.subgroup_reduce add %h : (vector<2xf16>) -> vector<2xf16>
    return %0, %1 : vector<2xf32>, vector<2xf16>
  }
}

// -----

gpu.module @kernels {
  gpu.func @wide(%i: i32) kernel {
    // expected-error @below {{a subgroup has 32 threads, the cluster 64}}
    %0 = gpu.subgroup_reduce add %i cluster(size = 64) : (i32) -> i32
    gpu.return
  }
}
