// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroup and private memory as attributions, dynamic shared memory, printf, asynchronous copies.
//
// RUN: %vx_mlir_opt %s --gpu-async-region --gpu-lower-to-vx-pipeline=target=vortex,host -o %t.mlir
// RUN: env VX_LOWERING=hw VX_SET=core.num_threads=8 %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_LOWERING=sw %mlir_runner %t.mlir | FileCheck %s
// RUN: env VX_BACKEND=host %mlir_runner %t.mlir | FileCheck %s
//
// Compiled when the program loads it, or as a single image.
// RUN: %vx_mlir_opt %s --gpu-async-region --gpu-lower-to-vx-pipeline=cubin-format=isa | %mlir_runner | FileCheck %s
// RUN: %vx_mlir_opt %s --gpu-async-region --gpu-lower-to-vx-pipeline=cubin-format=bin | %mlir_runner | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Each block of 64 threads turns its part of the array round.
    gpu.func @reverse(%data: memref<?xi32>) workgroup(%tile: memref<64xi32, #gpu.address_space<workgroup>>)
        private(%own: memref<1xi32, #gpu.address_space<private>>) kernel {
      %c0 = arith.constant 0 : index
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %i = gpu.global_id x
      %v = memref.load %data[%i] : memref<?xi32>
      memref.store %v, %own[%c0] : memref<1xi32, #gpu.address_space<private>>
      %w = memref.load %own[%c0] : memref<1xi32, #gpu.address_space<private>>
      memref.store %w, %tile[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = arith.subi %c63, %t : index
      %x = memref.load %tile[%r] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %x, %data[%i] : memref<?xi32>
      gpu.return
    }
    // Two arrays in dynamic shared memory: the second begins at byte 256.
    gpu.func @rotate(%data: memref<?xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %a = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
      %b = memref.view %shared[%c256][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
      %t = gpu.thread_id x
      %i = gpu.global_id x
      %v = memref.load %data[%i] : memref<?xi32>
      memref.store %v, %a[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      %s = arith.addi %v, %v : i32
      memref.store %s, %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = arith.addi %t, %c1 : index
      %m = arith.remui %n, %c64 : index
      %x = memref.load %a[%m] : memref<64xi32, #gpu.address_space<workgroup>>
      %y = memref.load %b[%m] : memref<64xi32, #gpu.address_space<workgroup>>
      %z = arith.addi %x, %y : i32
      memref.store %z, %data[%i] : memref<?xi32>
      gpu.return
    }
    gpu.func @report(%n: i32, %f: f32) kernel {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        gpu.printf "%d threads, %.2f\n", %n, %f : i32, f32
      }
      gpu.return
    }
  }

  func.func private @printMemrefI32(memref<*xi32>)

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %host = memref.alloc() : memref<128xi32>
    scf.for %i = %c0 to %c128 step %c1 {
      %v = arith.index_cast %i : index to i32
      memref.store %v, %host[%i] : memref<128xi32>
    }
    %device = gpu.alloc () : memref<128xi32>
    gpu.memcpy %device, %host : memref<128xi32>, memref<128xi32>
    %data = memref.cast %device : memref<128xi32> to memref<?xi32>
    gpu.launch_func @kernels::@reverse blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%data : memref<?xi32>)
    %bytes = arith.constant 512 : i32
    gpu.launch_func @kernels::@rotate blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%data : memref<?xi32>)
    gpu.memcpy %host, %device : memref<128xi32>, memref<128xi32>
    gpu.dealloc %device : memref<128xi32>
    %any = memref.cast %host : memref<128xi32> to memref<*xi32>
    // CHECK: [186, 183, 180, {{.*}} 3, 0, 189, 378, 375, {{.*}} 195, 192, 381]
    call @printMemrefI32(%any) : (memref<*xi32>) -> ()

    %n = arith.constant 64 : i32
    %f = arith.constant 2.5 : f32
    // CHECK: 64 threads, 2.50
    gpu.launch_func @kernels::@report blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%n : i32, %f : f32)
    memref.dealloc %host : memref<128xi32>
    return
  }
}
