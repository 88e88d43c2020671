; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions with barriers that call each other become one without calls: frames on a stack of the thread.
; RUN: %vx_opt -passes=vx-inline-boundaries %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; A frame: number of the call, parameter, the local whose address is taken, the value across the call.
; CHECK-LABEL: @one(
; CHECK: %frames{{.*}} = alloca [1024 x i8]
; The first call is number 0.
; CHECK: store i32 0, ptr
; CHECK: store i32 %n, ptr
; CHECK: call void @__vx_barrier()
; CHECK: icmp ule i32 %{{.*}}, 1008
; CHECK: frames.full{{.*}}:
; CHECK-NEXT: call void @__vx_trap()
; CHECK-NEXT: unreachable
; CHECK: frames.room{{.*}}:
; CHECK: store i32 1, ptr
; CHECK: [[NUMBER:%call.number.*]] = load i32
; CHECK-NEXT: [[AGAIN:%.*]] = icmp eq i32 [[NUMBER]], 1
; CHECK-NEXT: br i1 [[AGAIN]], label %pop
; CHECK: ret i32
define i32 @one(i32 %n) "vx-kernel" {
  %r = call i32 @nest(i32 %n)
  ret i32 %r
}
; CHECK: define internal i32 @nest(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @__vx_trap()
define internal i32 @nest(i32 %n) {
  %local = alloca i32
  store i32 %n, ptr %local
  call void @__vx_barrier()
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
more:
  %less = sub i32 %n, 1
  %r = call i32 @nest(i32 %less)
  %x = load i32, ptr %local
  %y = add i32 %r, %x
  %z = add i32 %y, %less
  ret i32 %z
end:
  ret i32 1
}

; Two functions; the kernel calls both. With warp functions, it is marked.
; CHECK-LABEL: @two(
; CHECK-SAME: [[MARKED:#[0-9]+]] {
; CHECK-NOT: call i32 @first
; CHECK-NOT: call i32 @second
; CHECK: ret i32
define i32 @two(i32 %n) "vx-kernel" {
  %a = call i32 @first(i32 %n)
  %b = call i32 @second(i32 %a)
  ret i32 %b
}
define internal i32 @first(i32 %n) {
  call void @__vx_barrier()
  %v = call i32 @__vx_vote_ballot(i32 -1, i32 %n)
  %r = call i32 @second(i32 %v)
  ret i32 %r
}
define internal i32 @second(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
more:
  %r = call i32 @first(i32 %n)
  %s = add i32 %r, %n
  ret i32 %s
end:
  ret i32 3
}

; Through pointers: the comparisons are a function of the cycle, so a call has each function once.
; CHECK-LABEL: @chain(
; CHECK-COUNT-1: mul i32 %{{.*}}, 7
; CHECK-NOT: mul i32 %{{.*}}, 7
; CHECK-COUNT-1: mul i32 %{{.*}}, 11
; CHECK-NOT: mul i32 %{{.*}}, {{7|11}}
; CHECK: ret i32
; CHECK-NOT: define {{.*}} @call.through({{.*}} {
; CHECK: define internal i32 @left(
define i32 @chain(ptr %f, i32 %n) "vx-kernel" {
  %r = call i32 %f(ptr %f, i32 %n)
  ret i32 %r
}
define internal i32 @left(ptr %next, i32 %n) {
  call void @__vx_barrier()
  %m = mul i32 %n, 7
  %r = call i32 %next(ptr @right, i32 %m)
  ret i32 %r
}
define internal i32 @right(ptr %next, i32 %n) {
  call void @__vx_barrier()
  %m = mul i32 %n, 11
  %zero = icmp eq i32 %m, 0
  br i1 %zero, label %end, label %more
more:
  %r = call i32 %next(ptr @left, i32 %m)
  ret i32 %r
end:
  ret i32 %n
}
; CHECK: attributes [[MARKED]] = { "vx-kernel" "vx-recursive-exchange" }
declare void @__vx_barrier() convergent
declare i32 @__vx_vote_ballot(i32, i32) convergent
