; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The parallel regions of several shapes of control flow, and the values that cross their boundaries.
; RUN: %vx_opt -passes=vx-print-regions %s -o /dev/null 2>&1 | FileCheck %s
; RUN: %vx_opt -passes=vx-print-regions %s 2>/dev/null | FileCheck %s --check-prefix=FORM
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Without a boundary there is nothing to tell.
; CHECK-NOT: regions of none
define void @none() "vx-kernel" {
  ret void
}

; A boundary stands alone in its block and has a successor of its own.
; CHECK: regions of two_in_a_row:
; CHECK-NEXT: region 0: %entry -> 1{{$}}
; CHECK-NEXT: region 1: %boundary.split -> 2{{$}}
; CHECK-NEXT: region 2: %boundary1.split -> end
; CHECK-NEXT: regular
; FORM-LABEL: @two_in_a_row(
; FORM: boundary:
; FORM-NEXT: call void @__vx_barrier()
; FORM-NEXT: br label %boundary.split
; FORM: boundary1:{{.*}} preds = %boundary.split
; FORM-NEXT: call void @__vx_barrier()
; FORM-NEXT: br label %boundary1.split
define void @two_in_a_row() "vx-kernel" {
entry:
  call void @__vx_barrier()
  call void @__vx_barrier()
  ret void
}

; Around a loop the region that follows the boundary leads to itself; the code after the loop belongs
; to each region that can end there.
; CHECK: regions of loop:
; CHECK-NEXT: region 0: %entry %loop -> 1{{$}}
; CHECK-NEXT: region 1: %boundary.split %end %loop -> 1 end
; CHECK-NEXT: regular
; CHECK-NEXT: crosses: %i, uniform
; CHECK-NEXT: crosses: %sum, divergent
define void @loop(i32 %n, ptr %p) "vx-kernel" {
entry:
  %v = load i32, ptr %p
  %t = call i32 @__vx_thread_idx_x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %t, %entry ], [ %more, %loop ]
  call void @__vx_barrier()
  %more = mul i32 %sum, 3
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  store i32 %more, ptr %p
  ret void
}

; CHECK: regions of nested_loops:
; CHECK-NEXT: region 0: %entry %outer %inner -> 1{{$}}
; CHECK-NEXT: region 1: %boundary.split %latch %end %outer %inner -> 1 end
; CHECK-NEXT: regular
define void @nested_loops(i32 %n) "vx-kernel" {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  call void @__vx_barrier()
  %j.next = add i32 %j, 1
  %c = icmp ult i32 %j.next, %n
  br i1 %c, label %inner, label %latch
latch:
  %i.next = add i32 %i, 1
  %d = icmp ult i32 %i.next, %n
  br i1 %d, label %outer, label %end
end:
  ret void
}

; A uniform condition: all threads reach the barrier or none does.
; CHECK: regions of uniform_if:
; CHECK-NEXT: region 0: %entry %end %join -> 1 end
; CHECK-NEXT: region 1: %boundary.split %end -> end
; CHECK-NEXT: regular
define void @uniform_if(i32 %n) "vx-kernel" {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %join, label %end
join:
  call void @__vx_barrier()
  br label %end
end:
  ret void
}

; Some threads leave before the barrier.
; CHECK: regions of early_return:
; CHECK: region 0:{{.*}} -> 1 end
; CHECK-NEXT: region 1:{{.*}} -> end
; CHECK-NEXT: irregular
; CHECK-NEXT: crosses: %t, divergent
define void @early_return(i32 %n, ptr %p) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %c = icmp ult i32 %t, %n
  br i1 %c, label %go, label %end
go:
  call void @__vx_barrier()
  store i32 %t, ptr %p
  br label %end
end:
  ret void
}

; A by-value parameter that is not written is uniform; otherwise it is the thread's own.
; CHECK: regions of by_value:
; CHECK: {{^}}  regular
define void @by_value(ptr readonly byval({ i32, i32 }) align 4 %s) "vx-kernel" {
entry:
  %n = load i32, ptr %s
  %c = icmp eq i32 %n, 0
  br i1 %c, label %join, label %end
join:
  call void @__vx_barrier()
  br label %end
end:
  ret void
}
; CHECK: regions of written_by_value:
; CHECK: {{^}}  irregular
define void @written_by_value(ptr byval({ i32, i32 }) align 4 %s) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  store i32 %t, ptr %s
  %n = load i32, ptr %s
  %c = icmp eq i32 %n, 0
  br i1 %c, label %join, label %end
join:
  call void @__vx_barrier()
  br label %end
end:
  ret void
}

; A divergent condition without a barrier inside does no harm.
; CHECK: regions of divergent_beside:
; CHECK: {{^}}  regular
define void @divergent_beside(ptr %p) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %c = icmp ult i32 %t, 5
  br i1 %c, label %some, label %all
some:
  store i32 %t, ptr %p
  br label %all
all:
  call void @__vx_barrier()
  ret void
}

; A barrier in a loop that threads leave at different times.
; CHECK: regions of divergent_loop:
; CHECK: {{^}}  irregular
define void @divergent_loop() "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @__vx_barrier()
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %t
  br i1 %c, label %loop, label %end
end:
  ret void
}

; One exit is part of the form.
; CHECK: two_returns: not in canonical form: there is not exactly one return
define void @two_returns(i1 %c) "vx-kernel" {
entry:
  call void @__vx_barrier()
  br i1 %c, label %a, label %b
a:
  ret void
b:
  ret void
}

declare i32 @__vx_thread_idx_x() memory(none)
declare void @__vx_barrier() convergent

; A vote is one value for a warp, not for the block.
; CHECK: regions of vote:
; CHECK: regular
; CHECK-NEXT: crosses: %all, divergent
define void @vote(ptr %p) "vx-kernel" {
  %v = load i32, ptr %p
  %all = call i32 @__vx_vote_all(i32 -1, i32 %v)
  call void @__vx_barrier()
  store i32 %all, ptr %p
  ret void
}

; Groups continue before the block does: their boundaries come first. A vote decides for a warp
; only, so this kernel is irregular.
; CHECK: regions of group:
; CHECK-NEXT: region 0: {{.*}} -> 2{{$}}
; CHECK-NEXT: region 1: {{.*}} -> 2 end
; CHECK-NEXT: region 2: {{.*}} -> 1 2 end
; CHECK-NEXT: irregular
define void @group(ptr %p) "vx-kernel" {
entry:
  br label %loop
loop:
  call void @__vx_barrier()
  %v = load volatile i32, ptr %p
  %any = call i32 @__vx_vote_any(i32 -1, i32 %v)
  %c = icmp eq i32 %any, 0
  br i1 %c, label %some, label %next
some:
  call void @__vx_group_sync(i32 64)
  br label %next
next:
  %n = load volatile i32, ptr %p
  %more = icmp ne i32 %n, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare i32 @__vx_vote_all(i32, i32)
declare i32 @__vx_vote_any(i32, i32)
declare void @__vx_group_sync(i32)
