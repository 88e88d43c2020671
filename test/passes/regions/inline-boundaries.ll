; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What has a barrier or ends the thread is inlined up to the kernels, whatever it is marked, and if it is called
; through a pointer.
; RUN: %vx_opt -passes=vx-inline-boundaries %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @through_two(
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: call void @__vx_barrier()
; CHECK-NEXT: store i32 2, ptr %p
; CHECK-NEXT: call void @plain(ptr %p)
; CHECK-NEXT: ret void
define void @through_two(ptr %p) "vx-kernel" {
  call void @outer(ptr %p)
  call void @plain(ptr %p)
  ret void
}

; Each kernel gets its own.
; CHECK-LABEL: @another(
; CHECK: call void @__vx_barrier()
; CHECK: call void @__vx_barrier()
; CHECK: ret void
define void @another(ptr %p) "vx-kernel" {
  call void @outer(ptr %p)
  call void @inner(ptr %p)
  ret void
}

; The thread that exits returns; what would follow goes, with its edges.
; CHECK-LABEL: @exits(
; CHECK: br i1 %c, label %[[GONE:.*]], label %end
; CHECK: [[GONE]]:
; CHECK-NEXT: ret void
; CHECK: end:
; CHECK-NEXT: phi i32 [ 1, %entry ]
; CHECK-NOT: __vx_exit()
define void @exits(i1 %c, ptr %p) "vx-kernel" {
entry:
  br i1 %c, label %gone, label %end
gone:
  call void @leave()
  br label %end
end:
  %v = phi i32 [ 1, %entry ], [ 2, %gone ]
  store i32 %v, ptr %p
  ret void
}

; The candidates are the functions of that type whose address is taken; those without a barrier share what is
; left of the call.
; CHECK-LABEL: @through_pointer(
; CHECK: icmp eq ptr %f, @waits
; CHECK: call.waits:
; CHECK-NEXT: call void @__vx_barrier()
; CHECK: call i32 %f(i32 %x), !callees [[REST:!.*]]
; CHECK: phi i32 [ 5, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
define i32 @through_pointer(ptr %f, i32 %x) "vx-kernel" {
  %r = call i32 %f(i32 %x)
  ret i32 %r
}

; A result that nothing uses is another type to LLVM only; a structure by value is not a pointer.
; CHECK-LABEL: @procedure(
; CHECK: icmp eq ptr %f, @waits
; CHECK-NOT: @structure
; CHECK: ret void
define void @procedure(ptr %f, ptr %g) "vx-kernel" {
  call void %f(i32 1)
  call void %g(ptr %f)
  ret void
}

@table = global [3 x ptr] [ptr @waits, ptr @passes, ptr @structure]
; What is left at the address is a trap.
; CHECK: define internal i32 @waits(i32 %x)
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @__vx_trap()
; CHECK-NEXT: unreachable
define internal i32 @waits(i32 %x) {
  call void @__vx_barrier()
  ret i32 5
}
define internal i32 @passes(i32 %x) {
  ret i32 %x
}
define internal void @structure(ptr byval(i64) %x) {
  call void @__vx_barrier()
  ret void
}

; CHECK-NOT: define internal void @outer
define internal void @outer(ptr %p) noinline {
  store i32 1, ptr %p
  call void @inner(ptr %p)
  ret void
}
; CHECK-NOT: define internal void @inner
define internal void @inner(ptr %p) noinline {
  call void @__vx_barrier()
  store i32 2, ptr %p
  ret void
}
define internal void @leave() {
  call void @__vx_exit()
  unreachable
}
; CHECK: define void @plain(
define void @plain(ptr %p) noinline {
  store i32 3, ptr %p
  ret void
}
declare void @__vx_barrier() convergent
declare void @__vx_exit() noreturn
; CHECK: [[REST]] = !{ptr @passes}
