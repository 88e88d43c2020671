; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Warp functions come into the software variants: through calls, pointers and recursion. Where no hardware
; variant calls what has them, a trap is at their address.
; RUN: %vx_opt -passes=vx-inline-warp-functions %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@table = constant [3 x ptr] [ptr @votes, ptr @plain, ptr @only_sw]

; The hardware keeps its call.
; CHECK-LABEL: @hardware(
; CHECK-NEXT: call i32 %f(i32 %x)
; CHECK-NEXT: call i32 @nest(
define i32 @hardware(ptr %f, i32 %x) "vx-kernel" {
  %r = call i32 %f(i32 %x)
  %s = call i32 @nest(i32 %r)
  ret i32 %s
}
; CHECK-LABEL: @software.sw(
; CHECK: icmp eq ptr %f, @votes
; CHECK: call i32 @__vx_vote_ballot(i32 -1
; CHECK: call i32 %f(i32 %x), !callees
; CHECK: icmp eq ptr %g, @only_sw
; CHECK: call i32 @__vx_vote_ballot(i32 -2
; CHECK-NOT: call i32 @nest
; CHECK: call i32 @__vx_vote_ballot(i32 -3
; CHECK: ret i32
define i32 @software.sw(ptr %f, ptr %g, i32 %x) "vx-kernel" "vx-software" "vx-source-name"="software" {
  %r = call i32 %f(i32 %x)
  %s = call i32 %g(i32 %r, i32 1)
  %t = call i32 @nest(i32 %s)
  ret i32 %t
}
; CHECK: define internal i32 @votes(
; CHECK-NEXT: call i32 @__vx_vote_ballot
define internal i32 @votes(i32 %x) {
  %r = call i32 @__vx_vote_ballot(i32 -1, i32 %x)
  ret i32 %r
}
define internal i32 @plain(i32 %x) {
  ret i32 %x
}
; CHECK: define internal i32 @only_sw(
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @__vx_trap()
define internal i32 @only_sw(i32 %x, i32 %y) {
  %r = call i32 @__vx_vote_ballot(i32 -2, i32 %x)
  ret i32 %r
}
; CHECK: define internal i32 @nest(
; CHECK: call i32 @nest(
define internal i32 @nest(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more
more:
  %r = call i32 @nest(i32 1)
  %v = call i32 @__vx_vote_ballot(i32 -3, i32 %r)
  ret i32 %v
end:
  ret i32 0
}
; CHECK-NOT: nest.iterative
declare i32 @__vx_vote_ballot(i32, i32) convergent
