// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %vx_mlir_opt %s --pass-pipeline='builtin.module(gpu.module(vx-promote-printf))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @print
  // CHECK-SAME: %[[P:[^:]*]]: i1, %[[B:[^:]*]]: i8, %[[S:[^:]*]]: i16, %[[I:[^:]*]]: i32, %[[F:[^:]*]]: f32
  gpu.func @print(%p: i1, %b: i8, %s: i16, %i: i32, %f: f32) kernel {
    // CHECK: %[[P32:.*]] = arith.extui %[[P]] : i1 to i32
    // CHECK: %[[B32:.*]] = arith.extsi %[[B]] : i8 to i32
    // CHECK: %[[S32:.*]] = arith.extsi %[[S]] : i16 to i32
    // CHECK: gpu.printf "%d %d %d %d %f", %[[P32]], %[[B32]], %[[S32]], %[[I]], %[[F]] : i32, i32, i32, i32, f32
    gpu.printf "%d %d %d %d %f", %p, %b, %s, %i, %f : i1, i8, i16, i32, f32
    gpu.return
  }
}
