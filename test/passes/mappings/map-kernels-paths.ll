; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where lanes have paths, those whose thread has ended meet the others before they proceed to their
; next thread, by a vote without a result, and to the next block, by a barrier. Kernels without warp
; functions need none of that.
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define void @__vx_entry.chunked.plain(
; CHECK-NOT: .insn
; CHECK-LABEL: define void @__vx_entry.direct.plain(
; CHECK-NOT: .insn
; CHECK: ret void
define void @plain(ptr %p) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 1, ptr %at
  ret void
}

; CHECK-LABEL: define void @__vx_entry.chunked.leaves(
; CHECK: phi i32 [ %linear,
; CHECK: {{^}}end.r0.i:
; CHECK: call void asm sideeffect ".insn r 0x0B, 0, 1, x0, x0, $0", "r"(i64 -1)
; CHECK-NEXT: add nuw i32
; CHECK: {{^}}body.end:
; CHECK: call void asm sideeffect ".insn r 0x0B, 4, 0, x0, $0, $1"
; CHECK-LABEL: define void @__vx_entry.direct.leaves(
; CHECK-NOT: x0, x0
; CHECK: {{^}}body.end:
; CHECK: call void asm sideeffect ".insn r 0x0B, 4, 0, x0, $0, $1"
define void @leaves(ptr %p, i32 %n) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %ends = icmp ugt i32 %t, %n
  br i1 %ends, label %end, label %go

go:
  %v = call i32 @__vx_vote_ballot(i32 255, i32 %t)
  %at = getelementptr i32, ptr %p, i32 %t
  store i32 %v, ptr %at
  br label %end

end:
  ret void
}

declare i32 @__vx_thread_idx_x()
declare i32 @__vx_vote_ballot(i32, i32) #0
attributes #0 = { convergent }
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"vx.isa", i32 2}
!1 = !{i32 1, !"vx.paths", i32 1}
