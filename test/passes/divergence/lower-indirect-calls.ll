; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call whose target differs between lanes becomes compares and direct calls.
; RUN: %vx_opt -passes=vx-lower-indirect-calls %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@table = constant [2 x ptr] [ptr @one, ptr @two]

; The candidates are the functions of that type whose address is taken; anything else traps.
; CHECK-LABEL: @divergent(
; CHECK: [[IS1:%.*]] = icmp eq ptr %f, @one
; CHECK: br i1 [[IS1]], label %call.one, label %[[NEXT:.*]]
; CHECK: call.one:
; CHECK-NEXT: [[R1:%.*]] = call i32 @one(i32 %x)
; CHECK: [[NEXT]]:
; CHECK-NEXT: [[IS2:%.*]] = icmp eq ptr %f, @two
; CHECK: br i1 [[IS2]], label %call.two, label %[[BAD:.*]]
; CHECK: call.two:
; CHECK-NEXT: [[R2:%.*]] = call i32 @two(i32 %x)
; CHECK: [[BAD]]:
; CHECK-NOT: call i32 %f
; CHECK: call void @__vx_trap()
; CHECK-NEXT: br label %[[AFTER:.*]]
; CHECK: [[AFTER]]:
; CHECK-NEXT: %called = phi i32 [ [[R1]], %call.one ], [ [[R2]], %call.two ], [ poison, %[[BAD]] ]
; CHECK: ret i32 %called
define i32 @divergent(ptr %f, i32 %x) {
  %r = call i32 %f(i32 %x)
  ret i32 %r
}

; One target for all lanes: the jump goes there.
; CHECK-LABEL: @uniform(
; CHECK: call i32 %f(i32 %x)
define i32 @uniform(ptr %f, i32 %x) "vx-kernel" {
  %r = call i32 %f(i32 %x)
  ret i32 %r
}

; No value, no phi; every call is expanded.
; CHECK-LABEL: @twice(
; CHECK: call void @nothing()
; CHECK: call void @nothing()
; CHECK-NOT: phi
; CHECK: ret void
define void @twice(ptr %f, ptr %g) {
  call void %f()
  call void %g()
  ret void
}

define i32 @one(i32 %x) {
  ret i32 1
}
define i32 @two(i32 %x) {
  ret i32 2
}
; Its address is taken, its type is another.
@other = constant ptr @nothing
define void @nothing() {
  ret void
}
; Its type fits, its address is not taken.
define i32 @private(i32 %x) {
  %r = call i32 @one(i32 %x)
  ret i32 %r
}
