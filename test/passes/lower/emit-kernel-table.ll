; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The kernel table: a header, a record for each kernel, their parameters, their names.
; RUN: %vx_opt -passes=vx-emit-kernel-table %s | FileCheck %s
; RUN: %vx_opt -passes=vx-emit-kernel-table %s | llc -filetype=obj -o %t.o
; RUN: llvm-readelf -x .vx.kernels -r %t.o | FileCheck %s --check-prefix=BYTES
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"
@coefficients = externally_initialized constant [6 x i32] zeroinitializer
define void @direct() {
  %v = call i64 asm sideeffect ".insn r 0x0B, 3, 1, $0, $1, x0", "=r,r"(i32 1)
  call void asm sideeffect ".insn r 0x5B, 0, 0, x0, $0, $1", "r,r"(i64 128, i64 32)
  ret void
}
define void @shuffle() {
  %v = call i32 asm sideeffect ".insn r 0x2B, 2, 16, $0, $1, $2", "=r,r,r"(i32 1, i32 31)
  ret void
}
define void @chunked() {
  call void @shuffle()
  ret void
}
!vx.kernels = !{!0, !1, !2}
!0 = !{!"name", !"_Z5firstPfi", !"directEntry", ptr @direct, !"chunkedEntry", ptr @chunked, !"mapping", !"hw", !"staticSharedBytes", i64 64, !"tailSharedBytes", i64 32, !"contextBytes", i64 48, !"maxThreads", i64 256, !"minBlocks", i64 2, !"groupThreads", i64 32, !"clusterDim", i64 770, !"uses-barrier", i64 1, !"regroups", i64 1, !"exact-groups", i64 1, !"clusters", i64 1, !"params", !3}
!1 = !{!"name", !"second", !"directEntry", ptr @direct, !"chunkedEntry", ptr @direct, !"mapping", !"hw", !"lanes-wait", i64 1}
!2 = !{!"name", !"third", !"directEntry", ptr @direct, !"chunkedEntry", ptr @chunked, !"mapping", !"thread-per-lane", !"groupThreads", i64 32, !"flat", i64 1}
!3 = !{i64 0, i64 8, i64 8, i64 4}

; CHECK: module asm ".pushsection .vx.kernels,
; Magic "VXTK", version, kernels, bytes of a record.
; CHECK: module asm ".long 1263818838"
; CHECK-NEXT: module asm ".long 4"
; CHECK-NEXT: module asm ".long 3"
; CHECK-NEXT: module asm ".long 336"
; Entries, name, parameters.
; CHECK-NEXT: module asm ".quad \22direct\22"
; CHECK-NEXT: module asm ".quad \22chunked\22"
; CHECK-NEXT: module asm ".long .Lvxk.name.0-.Lvxk.start"
; CHECK-NEXT: module asm ".long .Lvxk.params.0-.Lvxk.start"
; Two parameters in 12 bytes; static, tail, context, stack and constant bytes.
; CHECK-NEXT: module asm ".long 2"
; CHECK-NEXT: module asm ".long 12"
; CHECK-NEXT: module asm ".long 64"
; CHECK-NEXT: module asm ".long 32"
; CHECK-NEXT: module asm ".long 48"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 24"
; Launch bounds; registers; the flags of a barrier, regrouping, exact groups and clusters; the shuffle
; of a callee needs profile 2, `warp`; 32 threads; the cluster; mapping 0.
; CHECK-NEXT: module asm ".long 256"
; CHECK-NEXT: module asm ".long 2"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 263"
; CHECK-NEXT: module asm ".long 2"
; CHECK-NEXT: module asm ".long 32"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 770"
; CHECK-NEXT: module asm ".long 1"
; Costs are written when code has been generated.
; CHECK-NEXT: module asm ".zero 124"
; CHECK-NEXT: module asm ".zero 124"
; The second kernel has neither parameters nor a barrier nor a tail.
; CHECK: module asm ".long .Lvxk.params.1-.Lvxk.start"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 0"
; Its lanes may wait for each other. It votes in profile 1, `upstream`; its vx_tile is executed only
; where it is needed.
; CHECK-COUNT-5: module asm ".long 0"
; CHECK-NEXT: module asm ".long 64"
; CHECK-NEXT: module asm ".long 1"
; CHECK-NEXT: module asm ".long 0"
; Logical warps for flat blocks: no instruction of a profile, whatever is there; mapping 3.
; CHECK: module asm ".long .Lvxk.params.2-.Lvxk.start"
; CHECK: module asm ".long 24"
; CHECK-COUNT-3: module asm ".long 0"
; CHECK-NEXT: module asm ".long 8"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 32"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 8"
; CHECK: module asm ".Lvxk.params.0:"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 8"
; CHECK-NEXT: module asm ".long 8"
; CHECK-NEXT: module asm ".long 4"
; CHECK: module asm ".asciz \22_Z5firstPfi\22"

; The linker fills in the entries; the section is readable as it is.
; BYTES-DAG: R_RISCV_64 {{.*}} direct
; BYTES-DAG: R_RISCV_64 {{.*}} chunked
; BYTES-DAG: 0x00000000 5658544b 04000000 03000000 50010000 VXTK
