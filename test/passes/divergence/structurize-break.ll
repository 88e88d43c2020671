; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that is left in two places gets one exit; after it the paths divide again.
; RUN: %vx_opt -passes='function(vx-unify-exits,vx-make-reducible,loop-simplify,vx-structurize)' %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-unify-exits,vx-make-reducible,loop-simplify,vx-structurize,vx-annotate-divergence)' %s \
; RUN:   | FileCheck %s --check-prefix=GUARD
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @break(
; CHECK: header:
; CHECK: br i1 %c, label %body, label %[[LATCH:.*]]
; CHECK: body:
; CHECK: br i1 {{.*}}, label %latch, label %[[JOIN:.*]]
; CHECK: [[LATCH]]:
; CHECK: br i1 {{.*}}, label %loop.exit.guard, label %header
; CHECK: latch:
; CHECK: br label %[[JOIN]]
; CHECK: loop.exit.guard:
; CHECK: br i1 {{.*}}, label %found,

; Inside the loop two forks, at its end one exit, after it one fork for each way out.
; GUARD-LABEL: @break(
; GUARD-COUNT-1: # vx.mask
; GUARD-NOT: # vx.mask
; GUARD: # vx.pred 0
; GUARD-NOT: # vx.pred
; GUARD: ret void
define void @break(i32 %n, i32 %m, ptr %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %hit = icmp eq i32 %i, %m
  br i1 %hit, label %found, label %latch
latch:
  %next = add i32 %i, 1
  br label %header
found:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; The same exits under uniform conditions stay as they are.
; CHECK-LABEL: @uniform_break(
; CHECK: br i1 %c, label %body, label %end
; CHECK: br i1 %hit, label %found, label %latch
; GUARD-LABEL: @uniform_break(
; GUARD-COUNT-2: # vx.uniform
; GUARD-NOT: # vx.
define void @uniform_break(i32 %n, i32 %m, ptr %p) "vx-kernel" {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %hit = icmp eq i32 %i, %m
  br i1 %hit, label %found, label %latch
latch:
  %next = add i32 %i, 1
  br label %header
found:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
