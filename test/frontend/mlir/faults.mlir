// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is stopped: the report has the line of this file, each later call that fails is a
// line on stderr, and the host program continues to its end.
//
// RUN: %vx_mlir_opt %s --gpu-kernel-outlining --gpu-async-region --gpu-lower-to-vx-pipeline -o %t.mlir
// RUN: env VX_LOWERING=hw %mlir_runner %t.mlir > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT %s < %t.out && FileCheck --check-prefix=ERR %s < %t.err
// RUN: env VX_LOWERING=sw %mlir_runner %t.mlir > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT %s < %t.out && FileCheck --check-prefix=ERR %s < %t.err
//
// Without line tables the report has none.
// RUN: %vx_mlir_opt %s --gpu-kernel-outlining --gpu-async-region --gpu-lower-to-vx-pipeline=lines=false | %mlir_runner 2> %t.err
// RUN: FileCheck --check-prefix=NOLINE %s < %t.err

// A trap's place is the operation.
// RUN: sed 's/memref.store %v, %device\[%i\].*/vx.trap/' %s > %t.trap.mlir
// RUN: %vx_mlir_opt %t.trap.mlir --gpu-kernel-outlining --gpu-async-region --gpu-lower-to-vx-pipeline | %mlir_runner 2> %t.err
// RUN: FileCheck --check-prefix=TRAP %s < %t.err

// A launch that no device can do names the kernel and its size.
// RUN: sed 's/%c32 = arith.constant 32/%c32 = arith.constant 2000/' %s > %t.large.mlir
// RUN: %vx_mlir_opt %t.large.mlir --gpu-kernel-outlining --gpu-async-region --gpu-lower-to-vx-pipeline | %mlir_runner > %t.out 2> %t.err
// RUN: FileCheck --check-prefix=OUT %s < %t.out && FileCheck --check-prefix=LARGE %s < %t.err
// LARGE: mgpuLaunchKernel failed: CUDA_ERROR_INVALID_VALUE
// LARGE-NEXT: the kernel is 'main_kernel', with 1 x 1 x 1 blocks of 2000 x 1 x 1 threads

// OUT: still here
// ERR: kernel `main_kernel{{.*}}stopped: illegal memory access, writing 4 bytes
// ERR: faults.mlir:[[# @LINE + 18]]
// ERR: mgpuStreamSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS
// NOLINE: kernel `main_kernel
// NOLINE-NOT: faults.mlir
// TRAP: kernel `main_kernel{{.*}}stopped
// TRAP: trap.mlir:[[# @LINE + 13]]

func.func @main() {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %device = gpu.alloc () : memref<16xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%n = %c32, %ny = %c1, %nz = %c1) {
    %v = arith.constant 1.0 : f32
    %far = arith.constant 100000 : index


    %i = arith.muli %t, %far : index
    memref.store %v, %device[%i] : memref<16xf32>
    gpu.terminator
  }
  gpu.dealloc %device : memref<16xf32>
  vector.print str "still here\n"
  return
}
