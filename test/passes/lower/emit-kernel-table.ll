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
!0 = !{!"_Z5firstPfi", ptr @direct, ptr @chunked, i64 48, i64 64, i64 256, i64 2, i64 1, i64 1, i64 0, i64 32, i64 1, i64 0, i64 1, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 1, i64 770, i64 0, i64 8, i64 8, i64 4}
!1 = !{!"second", ptr @direct, ptr @direct, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 1, i64 0, i64 0, i64 0}
!2 = !{!"third", ptr @direct, ptr @chunked, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 32, i64 0, i64 0, i64 0, i64 1, i64 1, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0}

; CHECK: module asm ".pushsection .vx.kernels,
; Magic "VXTK", version, kernels, bytes of a record.
; CHECK: module asm ".long 1263818838"
; CHECK-NEXT: module asm ".long 1"
; CHECK-NEXT: module asm ".long 3"
; CHECK-NEXT: module asm ".long 88"
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
; Launch bounds; registers; the flags of a barrier, of regrouping and of exact groups; the shuffle of
; a callee needs profile 2, `warp`; 32 threads.
; CHECK-NEXT: module asm ".long 256"
; CHECK-NEXT: module asm ".long 2"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 4107"
; CHECK-NEXT: module asm ".long 2"
; CHECK-NEXT: module asm ".long 32"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 770"
; CHECK-NEXT: module asm ".long 0"
; The second kernel has neither parameters nor a barrier nor a tail.
; CHECK: module asm ".long .Lvxk.params.1-.Lvxk.start"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 0"
; Its lanes may wait for each other. It votes in profile 1, `upstream`; its vx_tile is executed only
; where it is needed.
; CHECK-COUNT-5: module asm ".long 0"
; CHECK-NEXT: module asm ".long 1024"
; CHECK-NEXT: module asm ".long 1"
; CHECK-NEXT: module asm ".long 0"
; Teams of hardware warps for flat blocks: no instruction of a profile, whatever is there.
; CHECK: module asm ".long .Lvxk.params.2-.Lvxk.start"
; CHECK: module asm ".long 48"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 32"
; CHECK-NEXT: module asm ".long 0"
; CHECK: module asm ".Lvxk.params.0:"
; CHECK-NEXT: module asm ".long 0"
; CHECK-NEXT: module asm ".long 8"
; CHECK-NEXT: module asm ".long 8"
; CHECK-NEXT: module asm ".long 4"
; CHECK: module asm ".asciz \22_Z5firstPfi\22"

; The linker fills in the entries; the section is readable as it is.
; BYTES-DAG: R_RISCV_64 {{.*}} direct
; BYTES-DAG: R_RISCV_64 {{.*}} chunked
; BYTES-DAG: 0x00000000 5658544b 01000000 03000000 58000000 VXTK
