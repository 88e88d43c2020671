; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What only some threads have set is a number in the others, where their paths meet.
; RUN: %vx_opt -passes=vx-fill-undefined-phis %s | FileCheck %s
; RUN: %vx_opt -passes='function(vx-fill-undefined-phis,print<uniformity>)' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNIFORMITY
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; CHECK-LABEL: @first_thread(
; CHECK: %v = phi i32 [ 0, %entry ], [ %x, %set ]
; CHECK: %f = phi float [ 0.000000e+00, %entry ], [ %y, %set ]
; CHECK: %q = phi ptr [ null, %entry ], [ %p, %set ]
; UNIFORMITY-LABEL: for function 'first_thread'
; UNIFORMITY: DIVERGENT: {{.*}}%v = phi
define void @first_thread(ptr %p) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %c = icmp eq i32 %t, 0
  br i1 %c, label %set, label %join
set:
  %x = load i32, ptr %p
  %y = load float, ptr %p
  br label %join
join:
  %v = phi i32 [ undef, %entry ], [ %x, %set ]
  %f = phi float [ poison, %entry ], [ %y, %set ]
  %q = phi ptr [ undef, %entry ], [ %p, %set ]
  call void @__vx_barrier()
  call void @use(i32 %v, float %f, ptr %q)
  ret void
}

; What is divergent so far may turn out not to be; where all threads take one path, or the phi has no
; value at all, there is nothing to do.
; CHECK-LABEL: @others(
; CHECK: %a = phi i32 [ undef, %entry ], [ %x, %set ]
; CHECK: %b = phi i32 [ 0, %join ], [ %t, %other ]
; CHECK: %u = phi i32 [ undef, %join ], [ undef, %other ]
; CHECK: %i = phi i32 [ undef, %second ], [ %x2, %loop ]
define void @others(ptr %p, i32 %n) "vx-kernel" {
entry:
  %t = call i32 @__vx_thread_idx_x()
  %c = icmp eq i32 %n, 0
  br i1 %c, label %set, label %join
set:
  %x = load i32, ptr %p
  br label %join
join:
  %a = phi i32 [ undef, %entry ], [ %x, %set ]
  %d = icmp eq i32 %t, 0
  br i1 %d, label %other, label %second
other:
  br label %second
second:
  %b = phi i32 [ undef, %join ], [ %t, %other ]
  %u = phi i32 [ undef, %join ], [ undef, %other ]
  %x2 = load i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ undef, %second ], [ %x2, %loop ]
  %e = icmp eq i32 %i, %t
  br i1 %e, label %end, label %loop
end:
  call void @use(i32 %a, float 0.0, ptr %p)
  call void @use(i32 %b, float 0.0, ptr %p)
  call void @use(i32 %u, float 0.0, ptr %p)
  ret void
}

declare i32 @__vx_thread_idx_x()
declare void @__vx_barrier()
declare void @use(i32, float, ptr)
