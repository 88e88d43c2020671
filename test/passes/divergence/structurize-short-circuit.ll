; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The shared else part of a && is reached from two forks: conditions are kept in phis and each part
; is entered from one place.
; RUN: %vx_opt -passes=vx-structurize %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-structurize,vx-annotate-divergence)' %s | FileCheck %s --check-prefix=GUARD
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @short_circuit(
; CHECK: br i1 %c, label %second, label %[[ELSE:.*]]
; CHECK: second:
; CHECK: [[D:%.*]] = icmp ne i32 %v, %b
; CHECK: br label %[[ELSE]]
; CHECK: [[THEN:.*]]:{{.*}} preds = %else, %[[ELSE]]
; CHECK: br i1 {{.*}}, label %then, label %end
; CHECK: [[ELSE]]:{{.*}} preds = %second, %entry
; CHECK: [[NOT:%.*]] = phi i1 [ [[D]], %second ], [ %c.inv, %entry ]
; CHECK: br i1 [[NOT]], label %else, label %[[THEN]]
; GUARD-LABEL: @short_circuit(
; GUARD-COUNT-3: # vx.split
; GUARD-NOT: # vx.split
; GUARD: ret void
define void @short_circuit(i32 %a, i32 %b, ptr %p) {
entry:
  %c = icmp eq i32 %a, 0
  br i1 %c, label %second, label %else
second:
  %v = load i32, ptr %p
  %d = icmp eq i32 %v, %b
  br i1 %d, label %then, label %else
then:
  store i32 1, ptr %p
  br label %end
else:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}
