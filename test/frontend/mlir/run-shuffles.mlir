// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu.shuffle in all modes, by widths, for several types; and nvvm's and vx's warp operations.
//
// RUN: %vx_mlir_opt %s --gpu-lower-to-vx-pipeline=target=vortex,host -o %t.mlir
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=32 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=8,core.num_warps=4 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SET=core.num_threads=4 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SW_MAPPING=block-per-lane %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_BACKEND=host %mlir_runner %t.mlir | FileCheck %s

func.func private @printMemrefI32(memref<*xi32>)

func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %out = memref.alloc() : memref<24x32xi32>
  %any = memref.cast %out : memref<24x32xi32> to memref<*xi32>
  gpu.host_register %any : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%n = %c32, %ny = %c1, %nz = %c1) {
    %none = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %w32 = arith.constant 32 : i32
    %w16 = arith.constant 16 : i32
    %hundred = arith.constant 100 : i32
    %lane = arith.index_cast %t : index to i32
    %v = arith.addi %lane, %hundred : i32

    // Rows 0 to 3: all lanes; -1 where there is no such lane.
    %s0, %p0 = gpu.shuffle xor %v, %one, %w32 : i32
    %r0 = arith.select %p0, %s0, %none : i32
    %k0 = arith.constant 0 : index
    memref.store %r0, %out[%k0, %t] : memref<24x32xi32>
    %s1, %p1 = gpu.shuffle up %v, %three, %w32 : i32
    %r1 = arith.select %p1, %s1, %none : i32
    %k1 = arith.constant 1 : index
    memref.store %r1, %out[%k1, %t] : memref<24x32xi32>
    %s2, %p2 = gpu.shuffle down %v, %three, %w32 : i32
    %r2 = arith.select %p2, %s2, %none : i32
    %k2 = arith.constant 2 : index
    memref.store %r2, %out[%k2, %t] : memref<24x32xi32>
    %s3, %p3 = gpu.shuffle idx %v, %three, %w32 : i32
    %r3 = arith.select %p3, %s3, %none : i32
    %k3 = arith.constant 3 : index
    memref.store %r3, %out[%k3, %t] : memref<24x32xi32>

    // Rows 4 and 5: the first 16 lanes shuffle among themselves, whatever the others get.
    %low = arith.cmpi slt, %lane, %w16 : i32
    %s4, %p4 = gpu.shuffle down %v, %three, %w16 : i32
    %q4 = arith.andi %low, %p4 : i1
    %r4 = arith.select %q4, %s4, %none : i32
    %k4 = arith.constant 4 : index
    memref.store %r4, %out[%k4, %t] : memref<24x32xi32>
    %s5, %p5 = gpu.shuffle xor %v, %three, %w16 : i32
    %q5 = arith.andi %low, %p5 : i1
    %r5 = arith.select %q5, %s5, %none : i32
    %k5 = arith.constant 5 : index
    memref.store %r5, %out[%k5, %t] : memref<24x32xi32>

    // Rows 6 to 8: f32, i64, f64.
    %f = arith.sitofp %v : i32 to f32
    %s6, %p6 = gpu.shuffle xor %f, %one, %w32 : f32
    %r6 = arith.fptosi %s6 : f32 to i32
    %k6 = arith.constant 6 : index
    memref.store %r6, %out[%k6, %t] : memref<24x32xi32>
    %c32i64 = arith.constant 32 : i64
    %l = arith.extsi %v : i32 to i64
    %lh = arith.shli %l, %c32i64 : i64
    %s7, %p7 = gpu.shuffle up %lh, %one, %w32 : i64
    %m7 = arith.shrsi %s7, %c32i64 : i64
    %t7 = arith.trunci %m7 : i64 to i32
    %r7 = arith.select %p7, %t7, %none : i32
    %k7 = arith.constant 7 : index
    memref.store %r7, %out[%k7, %t] : memref<24x32xi32>
    %d = arith.extf %f : f32 to f64
    %s8, %p8 = gpu.shuffle idx %d, %three, %w32 : f64
    %r8 = arith.fptosi %s8 : f64 to i32
    %k8 = arith.constant 8 : index
    memref.store %r8, %out[%k8, %t] : memref<24x32xi32>

    // Rows 9 to 14: nvvm.
    %clamp = arith.constant 31 : i32
    %s9 = nvvm.shfl.sync bfly %none, %v, %three, %clamp : i32 -> i32
    %k9 = arith.constant 9 : index
    memref.store %s9, %out[%k9, %t] : memref<24x32xi32>
    %odd = arith.trunci %lane : i32 to i1
    %s10 = nvvm.vote.sync ballot %none, %odd -> i32
    %k10 = arith.constant 10 : index
    memref.store %s10, %out[%k10, %t] : memref<24x32xi32>
    %s11 = nvvm.vote.sync all %none, %odd -> i1
    %r11 = arith.extui %s11 : i1 to i32
    %k11 = arith.constant 11 : index
    memref.store %r11, %out[%k11, %t] : memref<24x32xi32>
    %key = arith.andi %lane, %one : i32
    %s12 = nvvm.match.sync any %none, %key : i32 -> i32
    %k12 = arith.constant 12 : index
    memref.store %s12, %out[%k12, %t] : memref<24x32xi32>
    %s13 = nvvm.redux.sync add %v, %none : i32 -> i32
    %k13 = arith.constant 13 : index
    memref.store %s13, %out[%k13, %t] : memref<24x32xi32>
    nvvm.bar.warp.sync %none : i32
    %s14 = nvvm.redux.sync umax %v, %none : i32 -> i32
    %k14 = arith.constant 14 : index
    memref.store %s14, %out[%k14, %t] : memref<24x32xi32>

    // Rows 15 to 20: vx, over tiles of 8.
    %mask, %rank, %index = vx.tile 8
    %k15 = arith.constant 15 : index
    memref.store %rank, %out[%k15, %t] : memref<24x32xi32>
    %s16 = vx.shuffle up %v, %one width 8 mask %mask : i32
    %k16 = arith.constant 16 : index
    memref.store %s16, %out[%k16, %t] : memref<24x32xi32>
    %s17 = vx.reduce add %lane width 8 : i32
    %k17 = arith.constant 17 : index
    memref.store %s17, %out[%k17, %t] : memref<24x32xi32>
    %even = arith.cmpi eq, %index, %one : i32
    %s18 = vx.vote any %even mask %mask : i1
    %r18 = arith.extui %s18 : i1 to i32
    %k18 = arith.constant 18 : index
    memref.store %r18, %out[%k18, %t] : memref<24x32xi32>
    %s19 = vx.match any %rank mask %mask : i32
    %k19 = arith.constant 19 : index
    memref.store %s19, %out[%k19, %t] : memref<24x32xi32>
    %s20 = vx.barrier_reduce count %odd : i32
    %k20 = arith.constant 20 : index
    memref.store %s20, %out[%k20, %t] : memref<24x32xi32>

    // Row 21: in divergent control flow, the odd lanes among themselves. Row 22: f16.
    %odds = arith.constant 0xAAAAAAAA : i32
    %k21 = arith.constant 21 : index
    memref.store %none, %out[%k21, %t] : memref<24x32xi32>
    scf.if %odd {
      vx.warp_sync mask %odds
      %s21 = vx.reduce max %v mask %odds : i32
      memref.store %s21, %out[%k21, %t] : memref<24x32xi32>
    }
    %h = arith.truncf %f : f32 to f16
    %s22 = vx.shuffle xor %h, %one : f16
    %e22 = arith.extf %s22 : f16 to f32
    %r22 = arith.fptosi %e22 : f32 to i32
    %k22 = arith.constant 22 : index
    memref.store %r22, %out[%k22, %t] : memref<24x32xi32>
    %x = vx.thread_id x
    %y = vx.block_dim x
    %s23 = arith.muli %x, %y : i32
    %k23 = arith.constant 23 : index
    memref.store %s23, %out[%k23, %t] : memref<24x32xi32>
    gpu.terminator
  }
  call @printMemrefI32(%any) : (memref<*xi32>) -> ()
  memref.dealloc %out : memref<24x32xi32>
  return
}

// CHECK: sizes = [24, 32]
// CHECK: {{\[\[}}101, 100, 103, 102, {{.*}} 131, 130],
// CHECK: [-1, -1, -1, 100, 101, {{.*}} 127, 128],
// CHECK: [103, 104, 105, {{.*}} 131, -1, -1, -1],
// CHECK: [103, 103, {{(103,? ?)*}} 103],
// CHECK: [103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, -1, {{.*}} -1],
// CHECK: [103, 102, 101, 100, 107, 106, 105, 104, 111, 110, 109, 108, 115, 114, 113, 112, -1, {{.*}} -1],
// CHECK: [101, 100, 103, 102, {{.*}} 131, 130],
// CHECK: [-1, 100, 101, {{.*}} 129, 130],
// CHECK: [103, 103, {{.*}} 103],
// CHECK: [103, 102, 101, 100, 107, {{.*}} 131, 130, 129, 128],
// CHECK: [-1431655766, {{.*}} -1431655766],
// CHECK: [0, 0, {{.*}} 0],
// CHECK: [1431655765, -1431655766, 1431655765, {{.*}} -1431655766],
// CHECK: [3696, 3696, {{.*}} 3696],
// CHECK: [131, {{.*}} 131],
// CHECK: [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, {{.*}} 6, 7],
// CHECK: [100, 100, 101, 102, 103, 104, 105, 106, 108, 108, 109, {{.*}} 130],
// CHECK: [28, {{.*}} 92, {{.*}} 156, {{.*}} 220],
// CHECK: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, {{.*}} 0],
// CHECK: [1, 2, 4, 8, 16, 32, 64, 128, 256, {{.*}} 1073741824, -2147483648],
// CHECK: [16, 16, {{.*}} 16],
// CHECK: [-1, 131, -1, 131, {{.*}} -1, 131],
// CHECK: [101, 100, 103, 102, {{.*}} 131, 130],
// CHECK: [0, 32, 64, {{.*}} 992]]
