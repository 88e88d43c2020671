; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Threads of a warp synchronize between volatile accesses to shared memory that may be to one element.
; RUN: %vx_opt -passes="function(sroa<preserve-cfg>),vx-inline-volatile-accesses,function(sroa<preserve-cfg>),vx-insert-implicit-syncwarp" %s | FileCheck %s
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

; An element found through memory may be that of another thread. The function comes into the kernel.
; CHECK-LABEL: define void @histogram(
; CHECK-NOT: call void @count
; CHECK: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
; CHECK-NEXT: call i32 @__vx_activemask()
; CHECK-NEXT: load volatile
; CHECK: ret void
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

; --- wherever the pointer comes from ---

; The result of a function, through a select and a phi.
; CHECK-LABEL: define void @returned(
; CHECK: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
define internal ptr @get() {
  ret ptr addrspacecast (ptr addrspace(3) @s to ptr)
}
define void @returned(ptr %data, i1 %c) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  br i1 %c, label %yes, label %no
yes:
  %s = call ptr @get()
  br label %no
no:
  %both = phi ptr [ %s, %yes ], [ %data, %entry ]
  %one = select i1 %c, ptr %both, ptr %data
  %t8 = add i32 %t, 8
  %p8 = getelementptr i32, ptr %one, i32 %t8
  %p = getelementptr i32, ptr %one, i32 %t
  %a = load volatile i32, ptr %p8
  store volatile i32 %a, ptr %p
  ret void
}

; Memory: a structure on the stack that a function fills, and a copy of it.
; CHECK-LABEL: define void @kept(
; CHECK: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
define internal void @fill(ptr %to) noinline {
  %field = getelementptr i8, ptr %to, i64 8
  store ptr addrspacecast (ptr addrspace(3) @s to ptr), ptr %field
  ret void
}
define void @kept() "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %box = alloca { i64, ptr }
  %copy = alloca { i64, ptr }
  call void @fill(ptr %box)
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %box, i64 16, i1 false)
  %field = getelementptr i8, ptr %copy, i64 8
  %s = load ptr, ptr %field
  %t8 = add i32 %t, 8
  %p8 = getelementptr i32, ptr %s, i32 %t8
  %p = getelementptr i32, ptr %s, i32 %t
  %a = load volatile i32, ptr %p8
  store volatile i32 %a, ptr %p
  ret void
}

; Functions of one access each, called by others, many levels deep.
; CHECK-LABEL: define void @deep(
; CHECK: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
; CHECK: ret void
define internal i32 @read(ptr %at, i32 %k) {
  %p = getelementptr i32, ptr %at, i32 %k
  %a = load volatile i32, ptr %p
  ret i32 %a
}
define internal void @write(ptr %at, i32 %k, i32 %v) {
  %p = getelementptr i32, ptr %at, i32 %k
  store volatile i32 %v, ptr %p
  ret void
}
define internal void @deep1(ptr %at, i32 %k) {
  %k8 = add i32 %k, 8
  %v = call i32 @read(ptr %at, i32 %k8)
  call void @write(ptr %at, i32 %k, i32 %v)
  ret void
}
define internal void @deep2(ptr %at, i32 %k) {
  call void @deep1(ptr %at, i32 %k)
  ret void
}
define internal void @deep3(ptr %at, i32 %k) {
  call void @deep2(ptr %at, i32 %k)
  ret void
}
define internal void @deep4(ptr %at, i32 %k) {
  call void @deep3(ptr %at, i32 %k)
  ret void
}
define void @deep() "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  call void @deep4(ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %t)
  ret void
}

; A recursive function stays one: what its callers access may be in conflict.
; CHECK-LABEL: define internal void @again(
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
; CHECK-LABEL: define void @recursive(
; CHECK: call void @again(
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: load volatile
define internal void @again(ptr %at, i32 %k) {
  %p = getelementptr i32, ptr %at, i32 %k
  store volatile i32 %k, ptr %p
  %more = icmp ult i32 %k, 16
  br i1 %more, label %yes, label %no
yes:
  %next = add i32 %k, 16
  call void @again(ptr %at, i32 %next)
  br label %no
no:
  ret void
}
define void @recursive(ptr %out) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  call void @again(ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %t)
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %a = load volatile i32, ptr addrspace(3) %p
  store i32 %a, ptr %out
  ret void
}

; A call through a pointer is inlined, too.
; CHECK-LABEL: define void @indirect(
; CHECK: icmp eq ptr %f, @target
; CHECK: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
define internal void @target(ptr %at) {
  %t = call i32 @__vx_thread_idx_x()
  %q = getelementptr i32, ptr %at, i32 1
  %v = load volatile i32, ptr %q
  %p = getelementptr i32, ptr %at, i32 %t
  store volatile i32 %v, ptr %p
  ret void
}
define void @indirect(ptr %table) "vx-kernel" {
  store ptr @target, ptr %table
  %f = load ptr, ptr %table
  call void %f(ptr addrspacecast (ptr addrspace(3) @s to ptr))
  ret void
}

; All arrays of dynamic shared memory start at one address.
; CHECK-LABEL: define void @dynamic(
; CHECK: load volatile
; CHECK: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
@ints = external addrspace(3) global [0 x i32]
@floats = external addrspace(3) global [0 x float]
define void @dynamic() "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %t8 = add i32 %t, 8
  %p = getelementptr i32, ptr addrspace(3) @ints, i32 %t8
  %q = getelementptr float, ptr addrspace(3) @floats, i32 %t
  %a = load volatile i32, ptr addrspace(3) %p
  %b = sitofp i32 %a to float
  store volatile float %b, ptr addrspace(3) %q
  ret void
}

; A function that synchronizes on some path only does not count; one that does on every path counts.
; CHECK-LABEL: define void @sometimes(
; CHECK: load volatile
; CHECK: call void @maybe(
; CHECK-NEXT: call i32 @__vx_activemask()
; CHECK-NEXT: store volatile
; CHECK-NEXT: call void @surely(
; CHECK-NEXT: load volatile
declare void @__vx_warp_sync(i32)
define internal void @maybe(i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  call void @__vx_warp_sync(i32 -1)
  br label %no
no:
  ret void
}
define internal void @surely(i1 %c) {
  call void @maybe(i1 %c)
  call void @__vx_warp_sync(i32 -1)
  ret void
}
define void @sometimes(i1 %c) "vx-kernel" {
  %t = call i32 @__vx_thread_idx_x()
  %t8 = add i32 %t, 8
  %p8 = getelementptr i32, ptr addrspace(3) @s, i32 %t8
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %a = load volatile i32, ptr addrspace(3) %p8
  call void @maybe(i1 %c)
  store volatile i32 %a, ptr addrspace(3) %p
  call void @surely(i1 %c)
  %b = load volatile i32, ptr addrspace(3) %p8
  ret void
}
