; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Four iterations of a loop that loads run in one while there are four, whatever the stride; the
; loop that was there runs the rest. Loops in which threads synchronize, or that do not load, stay.
; RUN: %vx_opt -passes=vx-unroll-loops,verify %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define i32 @strided(
; CHECK: [[SAFE:%.*]] = icmp ult i32 {{%.*}}, 1073741824
; CHECK: %four = and i1 [[SAFE]],
; CHECK: br i1 %four, label %loop.fast, label %loop.rest
; CHECK: loop.u0:
; CHECK-COUNT-4: load i32, ptr
; CHECK: [[LEFT:%.*]] = sub i32 %n, %next.u3
; CHECK: icmp ult i32 {{%.*}}, [[LEFT]]
; CHECK: br i1 {{%.*}}, label %loop.u0, label %loop.fast.end
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
