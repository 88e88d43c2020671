; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Threads that look in a loop whether others have arrived. In hw, where all lanes of a warp wait
; together, they look again and again; where some wait separately, they proceed in rounds. In region
; forms they let the other threads continue, and boundaries with such threads take turns.
; RUN: %vx_opt -passes=vx-map-kernels %s | FileCheck %s
; RUN: %vx_opt -passes=vx-stage-decide,vx-print-mappings %s -o /dev/null 2>&1 | FileCheck --check-prefix=DECIDE %s
; RUN: not %vx_opt -passes=vx-map-kernels %S/Inputs/thread-waits-groups.ll -o /dev/null 2>&1 | FileCheck --check-prefix=ERROR %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; ERROR: a kernel with both a barrier of several warps and waits at mbarriers is not supported by vxcc

; CHECK-LABEL: define void @__vx_entry.direct.together(
; CHECK-NOT: __vx_thread_wait
; CHECK: {{^}}look.i:
; CHECK-NEXT: call i32 @__vx_mbarrier_test(
; CHECK-LABEL: define void @__vx_entry.chunked.together(
; CHECK-NOT: __vx_thread_wait
; The region of least rank, the one after the last that ran first.
; CHECK: %agreed.i = phi i32
; CHECK-NEXT: icmp ugt i32 %agreed.i, 1
; CHECK-NEXT: icmp ne i32 %agreed.i, -1
; CHECK: [[NUMBER:%.*]] = sub i32 %agreed.i, 1
; CHECK-NEXT: select i1 {{%.*}}, i32 [[NUMBER]], i32 %agreed.i
define void @together(ptr %barrier) "vx-kernel" "vx-lower"="auto" {
entry:
  %s = call i64 @__vx_mbarrier_arrive(ptr %barrier, i32 1, i32 0)
  %p = lshr i64 %s, 63
  %parity = trunc i64 %p to i32
  br label %look
look:
  call void @__vx_thread_wait()
  %d = call i32 @__vx_mbarrier_test(ptr %barrier, i32 %parity)
  %done = icmp ne i32 %d, 0
  br i1 %done, label %end, label %look
end:
  ret void
}

; CHECK-LABEL: define void @__vx_entry.direct.apart(
; CHECK-NOT: __vx_thread_wait
; CHECK: call i32 @__vx_mbarrier_test(
; CHECK: {{^}}round.i:
; CHECK-LABEL: define void @__vx_entry.chunked.apart(
define void @apart(ptr %barrier) "vx-kernel" "vx-lower"="auto" {
entry:
  %x = call i32 @__vx_thread_idx_x()
  %first = icmp ult i32 %x, 16
  br i1 %first, label %look, label %arrive
look:
  call void @__vx_thread_wait()
  %d = call i32 @__vx_mbarrier_test(ptr %barrier, i32 0)
  %done = icmp ne i32 %d, 0
  br i1 %done, label %end, label %look
arrive:
  %s = call i64 @__vx_mbarrier_arrive(ptr %barrier, i32 1, i32 0)
  br label %end
end:
  ret void
}

; DECIDE: exchange
; DECIDE: thread-per-lane: no: {{.*}}wait at mbarriers
define void @exchange(ptr %barrier) "vx-kernel" "vx-lower"="auto" {
entry:
  call void @__vx_thread_wait()
  %d = call i32 @__vx_mbarrier_test(ptr %barrier, i32 0)
  %v = call i32 @__vx_vote_any(i32 -1, i32 %d)
  store i32 %v, ptr %barrier
  ret void
}

declare i32 @__vx_thread_idx_x()
declare i64 @__vx_mbarrier_arrive(ptr, i32, i32)
declare i32 @__vx_mbarrier_test(ptr, i32)
declare i32 @__vx_vote_any(i32, i32)
declare void @__vx_thread_wait() #1
attributes #1 = { convergent }
