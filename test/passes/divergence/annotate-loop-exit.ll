; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Loops whose trip count differs between lanes, and loops around and inside of forks.
; RUN: %vx_opt -passes=vx-annotate-divergence %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; The mask is saved before the loop; vx_pred parks the lanes that are done.
; CHECK-LABEL: @while(
; CHECK: entry:
; CHECK-NEXT: [[SAVED:%.*]] = call i64 asm sideeffect "csrr $0, 0xCC4 # vx.mask 0", "=r"()
; CHECK: loop:
; CHECK: [[STAY:%.*]] = zext i1 %c to i64
; CHECK: [[PRED:%.*]] = call i64 asm sideeffect ".insn r 0x0B, 5, 0, x0, $1, $2 # vx.pred 0", "=r,0,r"(i64 [[STAY]], i64 [[SAVED]])
; CHECK: [[COND:%.*]] = icmp ne i64 [[PRED]], 0
; CHECK: br i1 [[COND]], label %loop, label %end
define void @while(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Where the first successor leaves, the condition is turned round: vx_pred takes "stay".
; CHECK-LABEL: @exit_first(
; CHECK: # vx.mask 0
; CHECK: [[NOT:%.*]] = xor i1 %c, true
; CHECK: [[STAY:%.*]] = zext i1 [[NOT]] to i64
; CHECK: # vx.pred 0", "=r,0,r"(i64 [[STAY]],
; CHECK: br i1 {{.*}}, label %body, label %end
define void @exit_first(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp uge i32 %i, %n
  br i1 %c, label %end, label %body
body:
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  br label %loop
end:
  ret void
}

; Each loop saves the mask it starts with: the inner one in the outer one's body.
; CHECK-LABEL: @nested(
; CHECK: entry:
; CHECK-NEXT: [[OUTER:%.*]] = call i64 asm {{.*}} # vx.mask 1"
; CHECK: outer:
; CHECK: [[INNER:%.*]] = call i64 asm {{.*}} # vx.mask 0"
; CHECK: inner:
; CHECK: # vx.pred 0", "=r,0,r"(i64 {{.*}}, i64 [[INNER]])
; CHECK: outer.latch:
; CHECK: # vx.pred 1", "=r,0,r"(i64 {{.*}}, i64 [[OUTER]])
define void @nested(i32 %n, i32 %m, ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store i32 %j, ptr %p
  %j.next = add i32 %j, 1
  %c = icmp ult i32 %j.next, %m
  br i1 %c, label %inner, label %outer.latch
outer.latch:
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, %n
  br i1 %d, label %outer, label %end
end:
  ret void
}

; A trip count that is the same for all lanes: only a mark.
; CHECK-LABEL: @uniform(
; CHECK-NOT: vx.mask
; CHECK: # vx.uniform 0
; CHECK: br i1 {{.*}}, label %loop, label %end
; CHECK-NOT: vx.pred
define void @uniform(i32 %n, ptr %p) "vx-kernel" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; A value that is uniform in each round differs between lanes once they have left in different ones.
; CHECK-LABEL: @after(
; CHECK: # vx.pred 0
; CHECK: end:
; CHECK: icmp eq i32 %i, 5
; CHECK: # vx.split 1
; CHECK: # vx.join 1
define void @after(i32 %n, ptr %p, ptr %q) "vx-kernel" {
entry:
  %tid = call i32 @__vx_thread_idx_x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %tid
  br i1 %c, label %loop, label %end
end:
  %d = icmp eq i32 %i, 5
  br i1 %d, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %no
no:
  ret void
}

; A loop inside a fork works with the lanes of its side; the join comes after it.
; CHECK-LABEL: @loop_inside(
; CHECK: # vx.split 1
; CHECK: pre:
; CHECK-NEXT: {{.*}} # vx.mask 0
; CHECK: loop:
; CHECK: # vx.pred 0
; CHECK: done:
; CHECK: br label %end.join
; CHECK: end.join:
; CHECK-NEXT: {{.*}} # vx.join 1
define void @loop_inside(i32 %n, i32 %m, ptr %p) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %pre, label %end
pre:
  br label %loop
loop:
  %i = phi i32 [ 0, %pre ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %d = icmp ult i32 %next, %m
  br i1 %d, label %loop, label %done
done:
  br label %end
end:
  ret void
}

; A fork inside a uniform loop joins before the next round.
; CHECK-LABEL: @fork_inside(
; CHECK: loop:
; CHECK: # vx.split 1
; CHECK: br i1 {{.*}}, label %hit, label %latch.join
; CHECK: latch.join:
; CHECK-NEXT: {{.*}} # vx.join 1
; CHECK: latch:
; CHECK: # vx.uniform 0
; CHECK: br i1 {{.*}}, label %loop, label %end
define void @fork_inside(i32 %n, i32 %m, ptr %p) "vx-kernel" {
entry:
  %tid = call i32 @__vx_thread_idx_x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp eq i32 %tid, %i
  br i1 %c, label %hit, label %latch
hit:
  store i32 %i, ptr %p
  br label %latch
latch:
  %next = add i32 %i, 1
  %d = icmp ult i32 %next, %m
  br i1 %d, label %loop, label %end
end:
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
