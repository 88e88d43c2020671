// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %vx_mlir_opt %s --vx-attach-target | FileCheck --check-prefix=ALL %s
// RUN: %vx_mlir_opt %s --vx-attach-target='module=b.* O=1 lower=sw xlen=32,64 isa=base target=vortex,host lines=false opts=-w l=a.bc,b.bc' | FileCheck --check-prefix=SOME %s
// RUN: not %vx_mlir_opt %s --vx-attach-target=lower=soft 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: not %vx_mlir_opt %s '--vx-attach-target=module=(' 2>&1 | FileCheck --check-prefix=REGEX %s

// ALL: gpu.module @a [#vx.target] {
// SOME: gpu.module @a {
gpu.module @a {}
// ALL: gpu.module @b [#nvvm.target, #vx.target] {
// SOME: gpu.module @b [#nvvm.target, #vx.target<O = 1, lower = "sw", xlen = "32,64", isa = "base", target = "vortex,host", lines = false, options = "-w", link = ["a.bc", "b.bc"]>] {
gpu.module @b [#nvvm.target] {}
// It is there already.
// ALL: gpu.module @c [#vx.target] {
gpu.module @c [#vx.target] {}

// VALUE: vx-attach-target: lower is "soft", it must be "auto", "hw" or "sw"
// REGEX: vx-attach-target: "(": parentheses not balanced
