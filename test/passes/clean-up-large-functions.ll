; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Values are merged in functions of any size; loads of several paths only in those of less than 5,000 instructions.
; RUN: %vx_opt '-passes=vx-stage-clean-up<O3>' %s | FileCheck %s --check-prefixes=CHECK,SMALL
; RUN: awk '/^  ret /{for (i = 0; i < 2600; ++i) print "  %%v" i " = load volatile i32, ptr %%p\n  store volatile i32 %%v" i ", ptr %%p"} {print}' %s > %t.ll
; RUN: %vx_opt '-passes=vx-stage-clean-up<O3>' %t.ll | FileCheck %s --check-prefixes=CHECK,LARGE

target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: define i32 @join(
; CHECK: then:
; CHECK: [[A:%.*]] = load i32, ptr %q
; CHECK: else:
; CHECK: [[B:%.*]] = load i32, ptr %q
; CHECK: join:
; SMALL-NOT: load i32, ptr %q
; SMALL: phi i32 [ [[B]], %else ], [ [[A]], %then ]
; SMALL-NOT: load i32, ptr %q
; LARGE: load i32, ptr %q
; CHECK: mul i32
; CHECK-NOT: mul i32
; CHECK: ret i32
define i32 @join(ptr %p, ptr noalias %q, i1 %c, i32 %n, i32 %m) {
  br i1 %c, label %then, label %else

then:
  %a = load i32, ptr %q
  call void @use(i32 %a)
  br label %join

else:
  %b = load i32, ptr %q
  call void @use(i32 %n)
  store i32 %b, ptr %p
  br label %join

join:
  %l = load i32, ptr %q
  %x = mul i32 %n, %m
  call void @use(i32 %x)
  %y = mul i32 %n, %m
  %r = add i32 %l, %y
  ret i32 %r
}
declare void @use(i32) memory(none)
