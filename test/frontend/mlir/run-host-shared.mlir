// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for both sides, streams that wait for each other, and a launch in clusters.
//
// RUN: %vx_mlir_opt %s --gpu-lower-to-vx-pipeline=target=vortex,host -o %t.mlir
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=8 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=sw %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_BACKEND=host %mlir_runner %t.mlir | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @addTo(%data: memref<4xi32>, %n: i32) kernel {
      %t = gpu.thread_id x
      %v = memref.load %data[%t] : memref<4xi32>
      %w = arith.muli %v, %n : i32
      %x = arith.addi %w, %n : i32
      memref.store %x, %data[%t] : memref<4xi32>
      gpu.return
    }
    gpu.func @clusters(%data: memref<4xi32>) kernel {
      %b = gpu.block_id x
      %size = gpu.cluster_dim_blocks x
      %place = gpu.cluster_block_id x
      %c10 = arith.constant 10 : index
      %tens = arith.muli %size, %c10 : index
      %number = arith.addi %tens, %place : index
      %i = arith.index_cast %number : index to i32
      memref.store %i, %data[%b] : memref<4xi32>
      gpu.return
    }
  }

  func.func private @printMemrefI32(memref<*xi32>)

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %data = gpu.alloc host_shared () : memref<4xi32>
    scf.for %i = %c0 to %c4 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %data[%i] : memref<4xi32>
    }
    %two = arith.constant 2 : i32
    %ten = arith.constant 10 : i32
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@addTo blocks in (%c1, %c1, %c1)
        threads in (%c4, %c1, %c1) args(%data : memref<4xi32>, %two : i32)
    %t2 = gpu.wait async [%t1]
    %t3 = gpu.launch_func async [%t2] @kernels::@addTo blocks in (%c1, %c1, %c1)
        threads in (%c4, %c1, %c1) args(%data : memref<4xi32>, %ten : i32)
    gpu.wait [%t3]
    %any = memref.cast %data : memref<4xi32> to memref<*xi32>
    // CHECK: [30, 50, 70, 90]
    call @printMemrefI32(%any) : (memref<*xi32>) -> ()
    gpu.launch_func @kernels::@clusters clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1)
        threads in (%c1, %c1, %c1) args(%data : memref<4xi32>)
    // CHECK: [20, 21, 20, 21]
    call @printMemrefI32(%any) : (memref<*xi32>) -> ()
    %t4 = gpu.wait async
    %t5 = gpu.dealloc async [%t4] %data : memref<4xi32>
    gpu.wait [%t5]
    return
  }
}
