; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An if/else costs one split and one join; phis of the point of reconvergence move to the join.
; RUN: %vx_opt -passes=vx-annotate-divergence %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @diamond(
; CHECK: [[TOKEN:%.*]] = extractvalue { i64, i64 } {{%.*}}, 0
; CHECK: yes:
; CHECK-NOT: asm
; CHECK: br label %end.join
; CHECK: no:
; CHECK-NOT: asm
; CHECK: br label %end.join
; CHECK: end.join:
; CHECK-NEXT: [[V:%.*]] = phi i32 [ 4, %no ], [ 3, %yes ]
; CHECK-NEXT: call void asm sideeffect "{{.*}} # vx.join 0", "r"(i64 [[TOKEN]])
; CHECK: end:
; CHECK-NEXT: phi i32 [ [[V]], %end.join ]
define void @diamond(i32 %n, ptr %p) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %end
no:
  store i32 2, ptr %p
  br label %end
end:
  %v = phi i32 [ 3, %yes ], [ 4, %no ]
  store i32 %v, ptr %p
  ret void
}

; The join belongs to the fork's own sides: another way to the same block does not pass through it.
; CHECK-LABEL: @shared_meet(
; CHECK: br i1 {{.*}}, label %fork, label %other
; CHECK: fork:
; CHECK: # vx.split 1
; CHECK: br i1 {{.*}}, label %yes, label %end.join
; CHECK: other:
; CHECK: br label %end
; CHECK: end.join:
; CHECK-NEXT: phi i32 [ 2, %fork ], [ 1, %yes ]
; CHECK-NEXT: {{.*}} # vx.join 1
; CHECK: end:
; CHECK: phi i32 [ 3, %other ], [ {{.*}}, %end.join ]
define void @shared_meet(i32 %n, ptr %p) "vx-kernel" {
  %uniform = icmp eq i32 %n, 0
  br i1 %uniform, label %fork, label %other
fork:
  %tid = call i32 @__vx_thread_idx_x()
  %c = icmp eq i32 %tid, 0
  br i1 %c, label %yes, label %end
yes:
  store i32 1, ptr %p
  br label %end
other:
  store i32 2, ptr %p
  br label %end
end:
  %v = phi i32 [ 1, %yes ], [ 2, %fork ], [ 3, %other ]
  store i32 %v, ptr %p
  ret void
}

; A uniform branch inside a diverged side needs nothing but its mark.
; CHECK-LABEL: @uniform_inside(
; CHECK: # vx.split 1
; CHECK: yes:
; CHECK: # vx.uniform 0
; CHECK: br i1 {{.*}}, label %deep, label %end.join
; CHECK: deep:
; CHECK: br label %end.join
; CHECK: # vx.join 1
define void @uniform_inside(i32 %n, ptr %p) "vx-kernel" {
  %tid = call i32 @__vx_thread_idx_x()
  %c = icmp eq i32 %tid, 0
  br i1 %c, label %yes, label %end
yes:
  %d = icmp eq i32 %n, 0
  br i1 %d, label %deep, label %end
deep:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
