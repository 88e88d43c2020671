// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vxcc on a file of gpu.modules: every kind of output, both lowerings, widths, linking, make rules.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %vxcc --emit=nvvm %s -o - | FileCheck --check-prefix=NVVM %s
// RUN: %vxcc --emit=ir --lower=hw %s -o - | FileCheck --check-prefix=IR %s
// RUN: %vxcc --emit=asm --lower=hw %s -o - | FileCheck --check-prefix=ASM %s
// RUN: %vxcc --emit=elf %s -o k.elf && %vx_objdump --check-divergence k.elf
// RUN: %vxcc --emit=elf --lower=sw --vx-isa=base %s -o sw.elf && %vx_objdump --check-divergence sw.elf
// RUN: %vxcc --emit=elf --vx-xlen=32 %s -o rv32.elf && %vx_objdump --check-divergence rv32.elf
// RUN: %vxcc --target=vortex,host %s -o k.fatbin -MD
// RUN: grep 'k.fatbin: .*compile.mlir' k.d
// RUN: %vxcc -c %s -o k.bc && %vxcc -x mlir --emit=nvvm k.bc -o - | FileCheck --check-prefix=NVVM %s
// RUN: %vxcc -Rvx-lower --emit=elf %s -o k.elf 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: not %vxcc -E %s 2>&1 | FileCheck --check-prefix=TEXT %s

// NVVM: define ptx_kernel void @scale(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4, float %5)
// NVVM: define {{.*}}@helper
// NVVM: define ptx_kernel void @vote
// IR: compile.mlir
// ASM: vx.split
// REMARK: vote
// TEXT: there is no preprocessor for MLIR

gpu.module @first {
  gpu.func @scale(%data: memref<?xf32>, %factor: f32) kernel {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %n = memref.dim %data, %c0 : memref<?xf32>
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %v = memref.load %data[%i] : memref<?xf32>
      %w = arith.mulf %v, %factor : f32
      memref.store %w, %data[%i] : memref<?xf32>
    }
    gpu.return
  }
}
gpu.module @second {
  func.func @helper(%a: i32) -> i32 attributes {no_inline} {
    %two = arith.constant 2 : i32
    %b = arith.muli %a, %two : i32
    return %b : i32
  }
  gpu.func @vote(%out: memref<?xi32>) kernel {
    %lane = vx.lane_id
    %b = func.call @helper(%lane) : (i32) -> i32
    %ten = arith.constant 10 : i32
    %p = arith.cmpi slt, %b, %ten : i32
    %bits = vx.vote ballot %p : i32
    %i = arith.index_cast %lane : i32 to index
    memref.store %bits, %out[%i] : memref<?xi32>
    gpu.return
  }
}
