; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Crossing gotos: two blocks that are each reached from both sides of a fork.
; RUN: %vx_opt -passes=vx-structurize %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-structurize,vx-annotate-divergence)' %s | FileCheck %s --check-prefix=GUARD
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Every block is entered by one original way only, and the values of the phis come along.
; CHECK-LABEL: @goto(
; CHECK: three:{{.*}} preds = %[[BEFORE_THREE:Flow[0-9]*]]
; CHECK: [[X:%.*]] = phi i32 [ 1, %one ], [ 2, %
; CHECK: [[Y:%.*]] = phi i32 [ 3, %one ], [ 4, %
; CHECK: four:{{.*}} preds = %Flow
; CHECK: end:
; CHECK: phi i32 [ [[Y]], %[[BEFORE_THREE]] ], [ [[X]], %three ]
; GUARD-LABEL: @goto(
; GUARD-COUNT-4: # vx.split
; GUARD-NOT: # vx.split
; GUARD: ret i32
define i32 @goto(i32 %a, i32 %b) {
entry:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %one, label %two
one:
  %d = icmp eq i32 %b, 0
  br i1 %d, label %three, label %four
two:
  %e = icmp eq i32 %b, 1
  br i1 %e, label %four, label %three
three:
  %x = phi i32 [ 1, %one ], [ 2, %two ]
  br label %end
four:
  %y = phi i32 [ 3, %one ], [ 4, %two ]
  br label %end
end:
  %r = phi i32 [ %x, %three ], [ %y, %four ]
  ret i32 %r
}
