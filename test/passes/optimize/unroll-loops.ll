; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Four iterations of a loop that loads run in one while there are four, whatever the stride; the
; loop that was there runs the rest. Loops in which threads synchronize, or that do not load, stay.
; RUN: %vx_opt -passes=vx-unroll-loops,verify %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define i32 @strided(
; CHECK: [[END:%.*]] = mul i32 %stride, 3
; CHECK: %limit = sub i32 %n, [[END]]
; CHECK: [[SMALL:%.*]] = icmp ult i32 {{%.*}}, 536870912
; CHECK: [[RANGE:%.*]] = icmp slt i32 %limit, %n
; CHECK: and i1 [[SMALL]], [[RANGE]]
; CHECK: br i1 {{%.*}}, label %loop.fast, label %loop.rest
; CHECK: loop.u0:
; CHECK: %address = phi ptr
; CHECK-COUNT-4: load i32, ptr
; CHECK: [[MORE:%.*]] = icmp slt i32 %next.u3, %limit
; CHECK: br i1 [[MORE]], label %loop.u0, label %loop.fast.end
; CHECK: loop.rest:
; CHECK: %any.left = phi i1 [ true, %ph ], [ {{%.*}}, %loop.fast.end ]
; CHECK: br i1 %any.left, label %loop.rest.start, label %exit
; CHECK: loop:
; CHECK-COUNT-1: load i32, ptr
define i32 @strided(ptr %p, i32 %first, i32 %n, i32 %stride) {
entry:
  %guard = icmp slt i32 %first, %n
  br i1 %guard, label %ph, label %done
ph:
  br label %loop
loop:
  %i = phi i32 [ %first, %ph ], [ %next, %loop ]
  %sum = phi i32 [ 0, %ph ], [ %more, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  %more = add i32 %sum, %v
  %next = add nsw i32 %i, %stride
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %result = phi i32 [ %more, %loop ]
  br label %done
done:
  %r = phi i32 [ 0, %entry ], [ %result, %exit ]
  ret i32 %r
}

; The increment of an index may wrap, as `int i; i += blockDim.x` may: the address moves evenly if it
; does not in the first iteration. From there on the bound sees to that.
; CHECK-LABEL: define i32 @wraps(
; CHECK: [[SECOND:%.*]] = add i32
; CHECK: [[STRIDE:%.*]] = zext i32 %stride to i64
; CHECK: [[EVEN:%.*]] = icmp slt i32 %first, [[SECOND]]
; CHECK: %four = and i1 {{%.*}}, [[EVEN]]
; CHECK: br i1 %four, label %loop.fast, label %loop.rest
; CHECK: loop.u0:
; CHECK: [[ADDRESS:%.*]] = phi ptr
; CHECK: load i32, ptr [[ADDRESS]]
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr [[ADDRESS]], i64
; CHECK: load i32, ptr [[NEXT]]
define i32 @wraps(ptr %p, i32 %first, i32 %n, i32 %stride) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %at
  %more = add i32 %sum, %v
  %next = add i32 %i, %stride
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %more
}

; What is compared is the index of this iteration: the next one may wrap after the bound, and so
; each address is computed from its index.
; CHECK-LABEL: define i32 @compares_first(
; CHECK: loop.u0:
; CHECK-NOT: phi ptr
; CHECK-COUNT-4: load i32, ptr %at.u
define i32 @compares_first(ptr %p, i32 %first, i32 %n, i32 %stride) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr %p, i64 %wide
  %v = load i32, ptr %at
  %more = add i32 %sum, %v
  %again = icmp slt i32 %i, %n
  %next = add i32 %i, %stride
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %more
}

; CHECK-LABEL: define void @waits(
; CHECK-NOT: .u0
define void @waits(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  call void @__vx_barrier()
  store i32 %v, ptr %p
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @stores(
; CHECK-NOT: .u0
define void @stores(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

declare void @__vx_barrier() convergent
