// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stock mlir-opt with the plug-in: the dialect, passes, pipelines and the target.
//
// RUN: %mlir_opt %plugin %s | FileCheck --check-prefix=PARSED %s
// RUN: %mlir_opt %plugin %s --pass-pipeline='builtin.module(gpu.module(convert-vx-to-llvm))' | FileCheck --check-prefix=CONVERTED %s
// RUN: %mlir_opt %plugin %s --pass-pipeline='builtin.module(gpu-lower-to-vx-pipeline)' -o %t.mlir
// RUN: %mlir_runner %t.mlir | FileCheck --check-prefix=SUM %s
// RUN: env VX_LOWERING=sw %mlir_runner %t.mlir | FileCheck --check-prefix=SUM %s

// PARSED: vx.reduce add
// CONVERTED: llvm.call @__vx_lane_id
// SUM: the sum is 496

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sum() kernel {
      %lane = vx.lane_id
      %sum = vx.reduce add %lane : i32
      %zero = arith.constant 0 : i32
      %first = arith.cmpi eq, %lane, %zero : i32
      scf.if %first {
        gpu.printf "the sum is %d\n", %sum : i32
      }
      gpu.return
    }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@sum blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
    return
  }
}
