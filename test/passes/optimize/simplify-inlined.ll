; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where there are hundreds of calls to functions that are always inlined, these are simplified once,
; with what they call in them.
; RUN: awk '/^  ; calls/ {for (i = 0; i < 500; ++i) print "  call i32 @outer(i32 %x)"} 1' %s > %t.many.ll
; RUN: %vx_opt -passes=vx-simplify-inlined,verify %t.many.ll | FileCheck %s
; RUN: %vx_opt -passes=vx-simplify-inlined,verify %s | FileCheck %s --check-prefix=FEW
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

%box = type { i32 }

define internal i32 @outer(i32 %x) alwaysinline {
; CHECK-LABEL: define internal i32 @outer(
; CHECK-NEXT:    [[M:%.*]] = mul i32 %x, %x
; CHECK-NEXT:    [[S:%.*]] = add i32 [[M]], 1
; CHECK-NEXT:    ret i32 [[S]]
; FEW-LABEL: define internal i32 @outer(
; FEW:         call i32 @inner(i32 %x)
; FEW:         call void @construct(
  %box = alloca %box
  %v = call i32 @inner(i32 %x)
  call void @construct(ptr %box, i32 %v)
  %r = load i32, ptr %box
  ret i32 %r
}

define internal i32 @inner(i32 %x) alwaysinline {
  %local = alloca i32
  store i32 %x, ptr %local
  %a = load i32, ptr %local
  %b = load i32, ptr %local
  %m = mul i32 %a, %b
  %s = add i32 %m, 1
  ret i32 %s
}

; Small, and not inlined always, as constructors are.
define internal void @construct(ptr %this, i32 %v) {
  store i32 %v, ptr %this
  ret void
}

; One that calls itself keeps the call.
define internal i32 @recursive(i32 %x) alwaysinline {
; CHECK-LABEL: define internal i32 @recursive(
; CHECK:         call i32 @recursive(i32 {{.*}})
; CHECK:         mul i32
  %c = icmp eq i32 %x, 0
  br i1 %c, label %done, label %more
more:
  %less = sub i32 %x, 1
  %r = call i32 @recursive(i32 %less)
  %s = call i32 @inner(i32 %r)
  br label %done
done:
  %result = phi i32 [ 0, %0 ], [ %s, %more ]
  ret i32 %result
}

; Calls in other functions stay for the inliner.
define i32 @user(i32 %x) {
; CHECK-LABEL: define i32 @user(
; CHECK:         call i32 @outer(i32 %x)
; CHECK:         call i32 @recursive(i32 %x)
  ; calls
  %a = call i32 @recursive(i32 %x)
  ret i32 %a
}
