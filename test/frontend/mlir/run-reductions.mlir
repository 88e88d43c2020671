// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu.all_reduce and gpu.subgroup_reduce: types, operators, clusters, vectors, and a block of 48
// threads, whose second warp is half empty.
//
// RUN: %vx_mlir_opt %s --gpu-lower-to-vx-pipeline=target=vortex,host -o %t.mlir
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=32 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=8,core.num_warps=8 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SET=core.num_threads=4 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_BACKEND=host %mlir_runner %t.mlir | FileCheck %s

func.func private @printMemrefI32(memref<*xi32>)

func.func @main() {
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %out = memref.alloc() : memref<12x48xi32>
  %any = memref.cast %out : memref<12x48xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%n = %c48, %ny = %c1, %nz = %c1) {
    %v = arith.index_cast %t : index to i32
    %one = arith.constant 1 : i32
    %w = arith.addi %v, %one : i32
    %f = arith.sitofp %w : i32 to f32
    %d = arith.extf %f : f32 to f64
    %l = arith.extsi %w : i32 to i64

    // Rows 0 to 2: the block.
    %s0 = gpu.all_reduce add %w uniform {} : (i32) -> i32
    %k0 = arith.constant 0 : index
    memref.store %s0, %out[%k0, %t] : memref<12x48xi32>
    %s1 = gpu.all_reduce maxnumf %f uniform {} : (f32) -> f32
    %r1 = arith.fptosi %s1 : f32 to i32
    %k1 = arith.constant 1 : index
    memref.store %r1, %out[%k1, %t] : memref<12x48xi32>
    %s2 = gpu.all_reduce %w uniform {
    ^bb(%a : i32, %b : i32):
      %c = arith.xori %a, %b : i32
      gpu.yield %c : i32
    } : (i32) -> i32
    %k2 = arith.constant 2 : index
    memref.store %s2, %out[%k2, %t] : memref<12x48xi32>

    // Rows 3 to 6: the warp.
    %s3 = gpu.subgroup_reduce add %w : (i32) -> i32
    %k3 = arith.constant 3 : index
    memref.store %s3, %out[%k3, %t] : memref<12x48xi32>
    %s4 = gpu.subgroup_reduce maxnumf %f : (f32) -> f32
    %r4 = arith.fptosi %s4 : f32 to i32
    %k4 = arith.constant 4 : index
    memref.store %r4, %out[%k4, %t] : memref<12x48xi32>
    %s5 = gpu.subgroup_reduce add %d : (f64) -> f64
    %r5 = arith.fptosi %s5 : f64 to i32
    %k5 = arith.constant 5 : index
    memref.store %r5, %out[%k5, %t] : memref<12x48xi32>
    %s6 = gpu.subgroup_reduce minsi %l : (i64) -> i64
    %r6 = arith.trunci %s6 : i64 to i32
    %k6 = arith.constant 6 : index
    memref.store %r6, %out[%k6, %t] : memref<12x48xi32>

    // Rows 7 to 11: clusters; a product, a stride, f16, vectors.
    %s7 = gpu.subgroup_reduce add %w cluster(size = 4) : (i32) -> i32
    %k7 = arith.constant 7 : index
    memref.store %s7, %out[%k7, %t] : memref<12x48xi32>
    %s8 = gpu.subgroup_reduce mul %w cluster(size = 4) : (i32) -> i32
    %k8 = arith.constant 8 : index
    memref.store %s8, %out[%k8, %t] : memref<12x48xi32>
    %s9 = gpu.subgroup_reduce add %w cluster(size = 4, stride = 4) : (i32) -> i32
    %k9 = arith.constant 9 : index
    memref.store %s9, %out[%k9, %t] : memref<12x48xi32>
    %h = arith.truncf %f : f32 to f16
    %s10 = gpu.subgroup_reduce add %h cluster(size = 8) : (f16) -> f16
    %e10 = arith.extf %s10 : f16 to f32
    %r10 = arith.fptosi %e10 : f32 to i32
    %k10 = arith.constant 10 : index
    memref.store %r10, %out[%k10, %t] : memref<12x48xi32>
    %p = vector.broadcast %f : f32 to vector<2xf32>
    %s11 = gpu.subgroup_reduce add %p cluster(size = 2) : (vector<2xf32>) -> vector<2xf32>
    %e11 = vector.extract %s11[1] : f32 from vector<2xf32>
    %r11 = arith.fptosi %e11 : f32 to i32
    %k11 = arith.constant 11 : index
    memref.store %r11, %out[%k11, %t] : memref<12x48xi32>
    gpu.terminator
  }
  call @printMemrefI32(%any) : (memref<*xi32>) -> ()
  memref.dealloc %out : memref<12x48xi32>
  return
}

// CHECK: sizes = [12, 48]
// CHECK: {{\[\[}}1176, {{(1176, *)+}}1176],
// CHECK: [48, {{(48, *)+}}48],
// CHECK: [48, {{(48, *)+}}48],
// CHECK: [528, {{(528, *)+}}648, {{(648, *)+}}648],
// CHECK: [32, {{(32, *)+}}48, {{(48, *)+}}48],
// CHECK: [528, {{(528, *)+}}648, {{(648, *)+}}648],
// CHECK: [1, {{(1, *)+}}33, {{(33, *)+}}33],
// CHECK: [10, 10, 10, 10, 26, {{.*}} 186],
// CHECK: [24, 24, 24, 24, 1680, 1680, 1680, 1680, 11880, {{.*}} 4669920],
// CHECK: [28, 32, 36, 40, 28, 32, 36, 40, {{.*}} 156, 160, 164, 168],
// CHECK: [36, {{(36, *)+}}100, {{(100, *)+}}164, {{.*}} 356],
// CHECK: [3, 3, 7, 7, 11, {{.*}} 95, 95]]
