; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Threads of a warp meet between volatile accesses to shared memory that may be to one element.
; RUN: %vx_opt -passes=vx-keep-warps-in-step %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

@s = internal addrspace(3) global [64 x i32] poison
@other = internal addrspace(3) global [64 x i32] poison
@g = internal global [64 x i32] zeroinitializer

declare i32 @__vx_thread_idx_x()
declare void @__vx_barrier()

; s[t] += s[t + 8]; s[t] += s[t + 4]: before each store, and before the second pair of loads.
; CHECK-LABEL: define void @sum(
; CHECK: load volatile
; CHECK-NEXT: load volatile
; CHECK-NEXT: = add
; CHECK-NEXT: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
; CHECK-NEXT: load volatile
; CHECK-NEXT: call i32 @__vx_activemask()
; CHECK-NEXT: load volatile
; CHECK-NEXT: = add
; CHECK-NEXT: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
; CHECK-NEXT: ret void
define void @sum() "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %t8 = add i32 %t, 8
  %t4 = add i32 %t, 4
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %p8 = getelementptr i32, ptr addrspace(3) @s, i32 %t8
  %p4 = getelementptr i32, ptr addrspace(3) @s, i32 %t4
  %a = load volatile i32, ptr addrspace(3) %p
  %b = load volatile i32, ptr addrspace(3) %p8
  %c = add i32 %a, %b
  store volatile i32 %c, ptr addrspace(3) %p
  %d = load volatile i32, ptr addrspace(3) %p
  %e = load volatile i32, ptr addrspace(3) %p4
  %f = add i32 %d, %e
  store volatile i32 %f, ptr addrspace(3) %p
  ret void
}

; Nothing is between: a barrier, an element of the thread's own, another variable, global memory,
; accesses that are not volatile, an element that is the same for all threads.
; CHECK-LABEL: define void @apart(
; CHECK-NOT: activemask
; CHECK: ret void
define void @apart(i32 %n) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %t8 = add i32 %t, 8
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %again = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %p8 = getelementptr i32, ptr addrspace(3) @s, i32 %t8
  %a = load volatile i32, ptr addrspace(3) %p8
  call void @__vx_barrier()
  store volatile i32 %a, ptr addrspace(3) %p
  %b = load volatile i32, ptr addrspace(3) %again
  %q = getelementptr i32, ptr addrspace(3) @other, i32 %t8
  store volatile i32 %b, ptr addrspace(3) %q
  call void @__vx_barrier()
  %r = getelementptr i32, ptr @g, i32 %t
  %r8 = getelementptr i32, ptr @g, i32 %t8
  %c = load volatile i32, ptr %r8
  store volatile i32 %c, ptr %r
  %d = load i32, ptr addrspace(3) %p8
  store i32 %d, ptr addrspace(3) %p
  %u = getelementptr i32, ptr addrspace(3) @s, i32 %n
  %v = getelementptr i32, ptr addrspace(3) @s, i32 3
  %e = load volatile i32, ptr addrspace(3) %u
  store volatile i32 %e, ptr addrspace(3) %v
  ret void
}

; An element found through memory may be that of another thread, here by way of an argument.
; CHECK-LABEL: define internal void @count(
; CHECK: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
; CHECK-NEXT: call i32 @__vx_activemask()
; CHECK-NEXT: load volatile
; CHECK-NEXT: ret void
define internal void @count(ptr %bins, i32 %bin) {
  %p = getelementptr i32, ptr %bins, i32 %bin
  %a = load volatile i32, ptr %p
  %b = add i32 %a, 1
  store volatile i32 %b, ptr %p
  %c = load volatile i32, ptr %p
  ret void
}
define void @histogram(ptr %data) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %p = getelementptr i32, ptr %data, i32 %t
  %bin = load i32, ptr %p
  call void @count(ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %bin)
  ret void
}

; The same function called for global memory only is left alone.
; CHECK-LABEL: define internal void @count_globally(
; CHECK-NOT: activemask
; CHECK: ret void
define internal void @count_globally(ptr %bins, i32 %bin) {
  %p = getelementptr i32, ptr %bins, i32 %bin
  %a = load volatile i32, ptr %p
  store volatile i32 %a, ptr %p
  ret void
}
define void @elsewhere(ptr %data) "vx-kernel" {
  %bin = load i32, ptr %data
  call void @count_globally(ptr %data, i32 %bin)
  ret void
}

; Around a loop: the store of one round comes before the load of the next.
; CHECK-LABEL: define void @around(
; CHECK: loop:
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
define void @around(i32 %n) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  br label %loop
loop:
  %k = phi i32 [ 1, %entry ], [ %next, %loop ]
  %j = add i32 %t, %k
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %j
  %a = load volatile i32, ptr addrspace(3) %q
  store volatile i32 %a, ptr addrspace(3) %p
  %next = shl i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
