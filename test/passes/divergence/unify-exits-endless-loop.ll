; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An endless loop gets a way out that is never taken and that nothing can see through.
; RUN: %vx_opt -passes=vx-unify-exits %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-unify-exits),default<O2>' %s | FileCheck %s --check-prefix=KEPT
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @endless(
; CHECK: endless:{{.*}} preds = %loop
; CHECK-NEXT: [[V:%.*]] = call [[T:i[0-9]+]] asm sideeffect "", "=r,0"([[T]] 0)
; CHECK-NEXT: [[NEVER:%.*]] = icmp ne [[T]] [[V]], 0
; CHECK-NEXT: br i1 [[NEVER]], label %unified.exit, label %loop
; CHECK: loop:
; CHECK: br label %endless
; CHECK: end:
; CHECK-NEXT: br label %unified.exit
; KEPT-LABEL: @endless(
; KEPT: asm sideeffect ""
define void @endless(i32 %n, ptr %p) {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %loop, label %end
loop:
  store volatile i32 1, ptr %p
  br label %loop
end:
  ret void
}

; CHECK-LABEL: @never_returns(
; CHECK: br i1 {{.*}}, label %unified.exit, label %loop
; CHECK: unified.exit:
; CHECK-NEXT: ret void
define void @never_returns(ptr %p) {
entry:
  br label %loop
loop:
  store volatile i32 1, ptr %p
  br label %loop
}

; Two loops whose paths never join: each has its own gate.
; CHECK-LABEL: @two(
; CHECK: br i1 {{.*}}, label %unified.exit, label %a
; CHECK: br i1 {{.*}}, label %unified.exit, label %b
; CHECK: unified.exit:
; CHECK-NEXT: phi i32 [ poison, %{{.*}} ], [ poison, %{{.*}} ]
define i32 @two(i1 %c, ptr %p) {
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr %p
  br label %a
b:
  store volatile i32 2, ptr %p
  br label %b
}

; Nested endless loops need one gate only.
; CHECK-LABEL: @nested(
; CHECK-COUNT-1: label %unified.exit
; CHECK-NOT: label %unified.exit
; CHECK: ret void
define void @nested(ptr %p) {
entry:
  br label %outer
outer:
  store volatile i32 1, ptr %p
  br label %inner
inner:
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %inner, label %outer
}
