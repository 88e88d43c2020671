// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %vx_mlir_opt %s --pass-pipeline='builtin.module(gpu.module(vx-lower-vectors))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: func.func @transfers
  // CHECK-SAME: %[[A:[^:]*]]: memref<61xf32>, %[[I:[^:]*]]: index
  func.func @transfers(%a: memref<61xf32>, %i: index, %s: memref<64xf32, #gpu.address_space<workgroup>>) {
    %zero = arith.constant 0.0 : f32
    // CHECK: %[[V:.*]] = vector.maskedload %[[A]][%[[I]]]
    %v = vector.transfer_read %a[%i], %zero : memref<61xf32>, vector<4xf32>
    // CHECK: vector.store %[[V]], %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.transfer_write %v, %s[%i] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
    return
  }
  // CHECK-LABEL: func.func @products
  func.func @products(%a: vector<2x4xf32>, %b: vector<4xf32>, %c: vector<2xf32>) -> vector<2xf32> {
    // CHECK-NOT: vector.contract
    // CHECK-COUNT-2: vector.reduction <add>, %{{.*}} : vector<4xf32> into f32
    // CHECK-NOT: vector.contract
    %r = vector.contract {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>
    } %a, %b, %c : vector<2x4xf32>, vector<4xf32> into vector<2xf32>
    return %r : vector<2xf32>
  }
}
