; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %vx_opt -passes='vx-separate-loads,instcombine' %s | FileCheck %s
; RUN: sed 's/"vx.forCheckers", i32 1/"vx.forCheckers", i32 0/' %s | %vx_opt -passes='vx-separate-loads,instcombine' | FileCheck --check-prefix=OFF %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Loads whose values meet are not made one, which would be of no line.
define i32 @f(ptr %p, ptr %q, i1 %c) {
; CHECK-LABEL: @f
; CHECK: then:
; CHECK-NEXT: load volatile i32, ptr %p
; CHECK: else:
; CHECK-NEXT: load volatile i32, ptr %q
; OFF: join:
; OFF-NEXT: phi ptr
; OFF-NEXT: load volatile i32
  br i1 %c, label %then, label %else
then:
  %a = load volatile i32, ptr %p, !vx.plain !0, !noundef !0
  br label %join
else:
  %b = load volatile i32, ptr %q, !vx.plain !0
  br label %join
join:
  %x = phi i32 [%a, %then], [%b, %else]
  ret i32 %x
}
!0 = !{}
!llvm.module.flags = !{!1}
!1 = !{i32 1, !"vx.forCheckers", i32 1}
