// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features that kernels use besides: operations on subgroups, vectors with and without a mask in
// global and workgroup memory, device variables, half precision, remainders and roundings.
//
// RUN: %vx_mlir_opt %s --gpu-lower-to-vx-pipeline=target=vortex,host -o %t.mlir
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=8,core.num_warps=8 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=sw VX_SET=core.num_threads=4 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_BACKEND=host %mlir_runner %t.mlir | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" constant @table : memref<4xi32> = dense<[10, 20, 30, 40]>
    memref.global "private" @counter : memref<1xi32> = dense<5>
    memref.global "private" @tile : memref<64xf32, #gpu.address_space<workgroup>> = uninitialized

    // Blocks of 40 threads: the second warp has 8.
    gpu.func @scalars(%out: memref<9x40xi32>) kernel {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %c6 = arith.constant 6 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %i = arith.index_cast %t : index to i32

      // Row 0: 100 * number of subgroups + 10 * this one's, and the size.
      %number = gpu.num_subgroups : index
      %id = gpu.subgroup_id : index
      %size = gpu.subgroup_size : index
      %hundred = arith.constant 100 : index
      %ten = arith.constant 10 : index
      %a = arith.muli %number, %hundred : index
      %b = arith.muli %id, %ten : index
      %ab = arith.addi %a, %b : index
      %abc = arith.addi %ab, %size : index
      %r0 = arith.index_cast %abc : index to i32
      memref.store %r0, %out[%c0, %t] : memref<9x40xi32>

      // Row 1: the odd lanes among themselves, and the lane 3 of them.
      %one = arith.constant 1 : i32
      %none = arith.constant -1 : i32
      memref.store %none, %out[%c1, %t] : memref<9x40xi32>
      %bit = arith.andi %i, %one : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      scf.if %odd {
        %lane3 = arith.constant 3 : i32
        %f = gpu.subgroup_broadcast %i, first_active_lane : i32
        %s = gpu.subgroup_broadcast %i, specific_lane %lane3 : i32
        %f100 = arith.constant 100 : i32
        %fs = arith.muli %f, %f100 : i32
        %sum = arith.addi %fs, %s : i32
        memref.store %sum, %out[%c1, %t] : memref<9x40xi32>
      }

      // Row 2: rotation by 3 in segments of 8; -1 in lanes after the first segment.
      %m, %valid = gpu.rotate %i, 3, 8 : i32
      %r2 = arith.select %valid, %m, %none : i32
      memref.store %r2, %out[%c2, %t] : memref<9x40xi32>

      // Row 3: half precision and bytes from the neighbour.
      %w32 = arith.constant 32 : i32
      %x = arith.sitofp %i : i32 to f16
      %b8 = arith.trunci %i : i32 to i8
      %xm, %p = gpu.shuffle xor %x, %one, %w32 : f16
      %bm, %q = gpu.shuffle xor %b8, %one, %w32 : i8
      %xi = arith.fptosi %xm : f16 to i32
      %bi = arith.extsi %bm : i8 to i32
      %r3 = arith.addi %xi, %bi : i32
      memref.store %r3, %out[%c3, %t] : memref<9x40xi32>

      // Row 4: the largest of the block in half precision.
      %largest = gpu.all_reduce maxnumf %x uniform {} : (f16) -> f16
      %r4 = arith.fptosi %largest : f16 to i32
      memref.store %r4, %out[%c4, %t] : memref<9x40xi32>

      // Row 5: remainders of -5.5 by 3, rounded toward zero, in three types.
      %n32 = arith.constant -5.5 : f32
      %d32 = arith.constant 3.0 : f32
      %zero = arith.constant 0.0 : f32
      %if = arith.sitofp %i : i32 to f32
      %iz = arith.mulf %if, %zero : f32
      %n = arith.addf %n32, %iz : f32
      %n64 = arith.extf %n : f32 to f64
      %d64 = arith.extf %d32 : f32 to f64
      %n16 = arith.truncf %n : f32 to f16
      %d16 = arith.truncf %d32 : f32 to f16
      %m32 = arith.remf %n, %d32 : f32
      %m64 = arith.remf %n64, %d64 : f64
      %m16 = arith.remf %n16, %d16 : f16
      %m64s = arith.truncf %m64 : f64 to f32
      %m16s = arith.extf %m16 : f16 to f32
      %s1 = arith.addf %m32, %m64s : f32
      %s2 = arith.addf %s1, %m16s : f32
      %s3 = math.trunc %s2 : f32
      %r5 = arith.fptosi %s3 : f32 to i32
      memref.store %r5, %out[%c5, %t] : memref<9x40xi32>

      // Rows 6 and 7: bits. Row 8: a table, and a counter.
      %z = math.ctlz %i : i32
      memref.store %z, %out[%c6, %t] : memref<9x40xi32>
      %r7 = math.ctpop %i : i32
      memref.store %r7, %out[%c7, %t] : memref<9x40xi32>
      %table = memref.get_global @table : memref<4xi32>
      %counter = memref.get_global @counter : memref<1xi32>
      %at = arith.remui %t, %c4 : index
      %entry = memref.load %table[%at] : memref<4xi32>
      %old = memref.atomic_rmw addi %one, %counter[%c0] : (i32, memref<1xi32>) -> i32
      gpu.barrier
      %count = memref.load %counter[%c0] : memref<1xi32>
      %r8 = arith.addi %entry, %count : i32
      memref.store %r8, %out[%c8, %t] : memref<9x40xi32>
      gpu.return
    }

    // Squares by fours, of which the last three are outside; through workgroup memory, backwards.
    gpu.func @vectors(%in: memref<61xf32>, %out: memref<61xf32>) kernel {
      %t = gpu.thread_id x
      %c4 = arith.constant 4 : index
      %c60 = arith.constant 60 : index
      %zero = arith.constant 0.0 : f32
      %at = arith.muli %t, %c4 : index
      %v = vector.transfer_read %in[%at], %zero : memref<61xf32>, vector<4xf32>
      %w = arith.mulf %v, %v : vector<4xf32>
      %tile = memref.get_global @tile : memref<64xf32, #gpu.address_space<workgroup>>
      vector.transfer_write %w, %tile[%at] {in_bounds = [true]} : vector<4xf32>, memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %back = arith.subi %c60, %at : index
      %x = vector.transfer_read %tile[%back], %zero {in_bounds = [true]} : memref<64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %sum = vector.reduction <add>, %x : vector<4xf32> into f32
      %y = vector.broadcast %sum : f32 to vector<4xf32>
      vector.transfer_write %y, %out[%at] : vector<4xf32>, memref<61xf32>
      gpu.return
    }
  }

  func.func private @printMemrefI32(memref<*xi32>)
  func.func private @printMemrefF32(memref<*xf32>)

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c40 = arith.constant 40 : index
    %c61 = arith.constant 61 : index
    %out = memref.alloc() : memref<9x40xi32>
    %any = memref.cast %out : memref<9x40xi32> to memref<*xi32>
    gpu.host_register %any : memref<*xi32>
    gpu.launch_func @kernels::@scalars blocks in (%c1, %c1, %c1) threads in (%c40, %c1, %c1)
        args(%out : memref<9x40xi32>)
    // CHECK: {{\[\[}}232, {{(232, *)+}}242, 242, 242, 242, 242, 242, 242, 242],
    // CHECK: [-1, 103, -1, 103, {{.*}} -1, 103, -1, 3335, -1, 3335, -1, 3335, -1, 3335],
    // CHECK: [3, 4, 5, 6, 7, 0, 1, 2, -1, {{.*}} -1, 35, 36, 37, 38, 39, 32, 33, 34],
    // CHECK: [2, 0, 6, 4, {{.*}} 78, 76],
    // CHECK: [39, {{(39, *)+}}39],
    // CHECK: [-7, {{(-7, *)+}}-7],
    // CHECK: [32, 31, 30, 30, 29, {{.*}} 26, 26],
    // CHECK: [0, 1, 1, 2, 1, 2, 2, 3, 1, {{.*}} 3, 3, 4],
    // CHECK: [55, 65, 75, 85, 55, {{.*}} 85]]
    call @printMemrefI32(%any) : (memref<*xi32>) -> ()

    %a = memref.alloc() : memref<61xf32>
    %b = memref.alloc() : memref<61xf32>
    scf.for %i = %c0 to %c61 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %a[%i] : memref<61xf32>
    }
    %au = memref.cast %a : memref<61xf32> to memref<*xf32>
    %bu = memref.cast %b : memref<61xf32> to memref<*xf32>
    gpu.host_register %au : memref<*xf32>
    gpu.host_register %bu : memref<*xf32>
    gpu.launch_func @kernels::@vectors blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%a : memref<61xf32>, %b : memref<61xf32>)
    // CHECK: [3600, 3600, 3600, 3600, 13230, 13230, {{.*}} 126, 126, 126, 126, 14]
    call @printMemrefF32(%bu) : (memref<*xf32>) -> ()
    return
  }
}
