; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; --vx-mapping-budget: of variants in mapping coarsened, which no launch depends on, as many as it is
; enough for: of kernels that exchange values first, then of small ones. 0 is no limit.
; RUN: sed s/BUDGET/4294967295/ %s | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s -DSC=yes -DLC=yes -DPC=yes
; RUN: sed s/BUDGET/22/ %s | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s -DSC=yes -DLC=yes -DPC=yes
; RUN: sed s/BUDGET/9/ %s | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s -DSC=yes -DLC='no: the module is too large for it (--vx-mapping-budget)' -DPC='no: the module is too large for it (--vx-mapping-budget)'
; RUN: sed s/BUDGET/6/ %s | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s -DSC='no: the module is too large for it (--vx-mapping-budget)' -DLC='no: the module is too large for it (--vx-mapping-budget)' -DPC=yes
; Kernels that are far too large to be copied are not looked at.
; RUN: sed s/BUDGET/9/ %s | awk '{print} /^  ; More/ {while (n++ < 12000) print "  store volatile i32 0, ptr %%out"}' | %vx_opt -passes=vx-decide-mappings,vx-print-mappings -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY
; MANY-LABEL: mappings of 'hardware':
; MANY: coarsened: no: it is too large to be copied for the threads of a lane
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_vote_any(i32, i32)

; Nine instructions.
; CHECK-LABEL: mappings of 'large':
; CHECK: block-per-lane: yes
; CHECK: thread-per-lane: yes
; CHECK: coarsened: [[LC]]
define void @large.sw(ptr %in, ptr %out) #0 {
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %five = mul i32 %v, 5
  %any = call i32 @__vx_vote_any(i32 -1, i32 %five)
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %any, ptr %q, align 4
  ret void
}

; Seven.
; CHECK-LABEL: mappings of 'small':
; CHECK: block-per-lane: yes
; CHECK: thread-per-lane: yes
; CHECK: coarsened: [[SC]]
define void @small.sw(ptr %out) #1 {
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %odd = and i32 %x, 1
  %any = call i32 @__vx_vote_any(i32 -1, i32 %odd)
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %any, ptr %q, align 4
  ret void
}

; Without a sw lowering, mapping coarsened may be the only one that a device has: it is kept.
; CHECK-LABEL: mappings of 'hardware':
; CHECK: block-per-lane: no: the other lowering was asked for
; CHECK: coarsened: yes
define void @hardware.sw(ptr %in, ptr %out) #2 {
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %p = getelementptr i32, ptr %in, i64 %i
  %v = load i32, ptr %p, align 4
  %any = call i32 @__vx_vote_any(i32 -1, i32 %v)
  ; More, in the last run.
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %any, ptr %q, align 4
  ret void
}

; Five instructions, and no values are exchanged.
; CHECK-LABEL: mappings of 'plain':
; CHECK: coarsened: [[PC]]
define void @plain.sw(ptr %out) #4 {
  %x = call i32 @__vx_thread_idx_x()
  %i = zext nneg i32 %x to i64
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %x, ptr %q, align 4
  ret void
}

attributes #0 = { "vx-kernel" "vx-software" "vx-source-name"="large" }
attributes #1 = { "vx-kernel" "vx-software" "vx-source-name"="small" }
attributes #2 = { "vx-kernel" "vx-software" "vx-source-name"="hardware" }
attributes #4 = { "vx-kernel" "vx-software" "vx-source-name"="plain" }
!vx.mappings = !{!0, !1, !2, !4}
!4 = !{!"plain", !"coarsened", !""}
!0 = !{!"large", !"coarsened", !""}
!1 = !{!"small", !"coarsened", !""}
!2 = !{!"hardware", !"block-per-lane", !"the other lowering was asked for", !"coarsened", !""}
!llvm.module.flags = !{!3}
!3 = !{i32 7, !"vx.mappingBudget", i32 BUDGET}
