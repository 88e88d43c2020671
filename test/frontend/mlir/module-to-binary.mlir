// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stock gpu-module-to-binary with #vx.target: each format, the options that reach vxcc, and what
// is said if something is wrong.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %vx_mlir_opt %s --gpu-module-to-binary | FileCheck --check-prefix=FATBIN %s
// The objects' target is one that programs without the dialect can read.
// FATBIN: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80", flags = {vx = "#vx.target"}>, "
// RUN: %vx_mlir_opt %s --gpu-module-to-binary=format=bin | FileCheck --check-prefix=BIN %s
// BIN: gpu.binary @kernels [#gpu.object<#nvvm.target<{{.*}}>, bin = "\7FELF
// RUN: %vx_mlir_opt %s --gpu-module-to-binary=format=isa | FileCheck --check-prefix=ISA %s
// ISA: gpu.binary @kernels [#gpu.object<#nvvm.target<{{.*}}>, properties = {O = 3 : i32}, assembly = "
// ISA-SAME: target triple = \22nvptx64-nvidia-cuda\22
// ISA-SAME: ptx_kernel void @store
// ISA-SAME: !DILocation
// RUN: %vx_mlir_opt %s --gpu-module-to-binary=format=llvm | FileCheck --check-prefix=LLVM %s
// LLVM: gpu.binary @kernels [#gpu.object<#nvvm.target<{{.*}}>, offload = "BC
//
// Variants and widths as the target says: an image for each width, and one for the host.
// RUN: sed 's:#vx.target:#vx.target<xlen = "32,64", target = "vortex,host">:' %s > all.mlir
// RUN: %vx_mlir_opt all.mlir --gpu-module-to-binary | FileCheck --check-prefix=THREE %s
// THREE-COUNT-3: \7FELF
// THREE-NOT: \7FELF
//
// What vxcc has to say besides is a warning.
// RUN: sed 's:#vx.target:#vx.target<lower = "sw", options = "-Rvx-lower">:' %s | %vx_mlir_opt --gpu-module-to-binary 2>&1 | FileCheck --check-prefix=REMARK %s
// REMARK: warning: vxcc says
// REMARK: store
//
// Problems: vxcc's own messages at the module, a compiler that is not there, a file that is not.
// RUN: sed 's/#vx.target/#vx.target<options = "--no-such-option">/' %s | not %vx_mlir_opt --gpu-module-to-binary 2>&1 | FileCheck --check-prefix=OPTION %s
// OPTION: error: vxcc cannot compile this module
// OPTION: no-such-option
// RUN: not %vx_mlir_opt %s --gpu-module-to-binary=toolkit=/nowhere 2>&1 | FileCheck --check-prefix=TOOLKIT %s
// TOOLKIT: cannot find vxcc: it is not at /nowhere/bin/vxcc
// RUN: not %vx_mlir_opt %s --gpu-module-to-binary=l=/nowhere.bc 2>&1 | FileCheck --check-prefix=LINK %s
// LINK: nowhere.bc
//
// A function without a body: an error, or a library of bitcode has it.
// RUN: sed 's:// BEGIN::; t; /^  {$/,/END/d' %s > call.mlir
// RUN: not %vx_mlir_opt call.mlir --gpu-module-to-binary 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: function 'helper' is declared but not defined in this device code
// RUN: echo 'define i32 @helper() { ret i32 42 }' > helper.ll && llvm-as helper.ll -o helper.bc
// RUN: %vx_mlir_opt call.mlir '--gpu-module-to-binary=l=%t/helper.bc format=isa' | FileCheck --check-prefix=LINKED %s
// LINKED: ret i32 42

gpu.module @kernels [#vx.target] {
  llvm.func @helper() -> i32 // BEGIN
  {
    %0 = llvm.mlir.constant(7 : i32) : i32
    llvm.return %0 : i32
  }
  // END
  llvm.func @store(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.call @helper() : () -> i32
    llvm.store %0, %p : i32, !llvm.ptr
    llvm.return
  }
}
