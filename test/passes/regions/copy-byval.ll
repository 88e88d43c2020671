; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; By-value parameters of kernels that are written get a copy, in registers where that is possible.
; RUN: %vx_opt -passes=vx-copy-byval %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Only read: it stays in the argument block, and all lanes see one value.
; CHECK-LABEL: @reads_param(
; CHECK-SAME: readonly byval({ i32, i32 }) align 4 %s
; CHECK-NOT: alloca
; CHECK: load i32, ptr %s
define void @reads_param(ptr byval({ i32, i32 }) align 4 %s, ptr %p) #0 {
  %v = load i32, ptr %s
  %at = getelementptr i8, ptr %s, i64 4
  %w = load i32, ptr %at
  store i32 %v, ptr %p
  ret void
}

; Read through a pointer that may be to something else, too: it stays.
; CHECK-LABEL: @selects_param(
; CHECK-NOT: alloca
; CHECK: select i1 %is, ptr %other, ptr %s
define void @selects_param(ptr byval({ i32, i32 }) align 4 %s, ptr %other, ptr %p) #0 {
entry:
  %is = icmp ne ptr %other, null
  %from = select i1 %is, ptr %other, ptr %s
  br label %loop
loop:
  %at = phi ptr [ %from, %entry ], [ %at, %loop ]
  %v = load i32, ptr %at
  %continues = icmp slt i32 %v, 0
  br i1 %continues, label %loop, label %end
end:
  store i32 %v, ptr %p
  ret void
}

; Written through such a pointer: a copy.
; CHECK-LABEL: @writes_selected_param(
; CHECK: %s.copy{{.*}} = alloca
; CHECK: select i1 %is, ptr %other, ptr %s.copy
define void @writes_selected_param(ptr byval({ i32, i32 }) align 4 %s, ptr %other, i1 %is) #0 {
  %to = select i1 %is, ptr %other, ptr %s
  store i32 1, ptr %to
  ret void
}

; Not used: what is known of that does not contradict it.
; CHECK-LABEL: @has_unused_param(
; CHECK-SAME: ptr readonly byval(
define void @has_unused_param(ptr readnone byval({ i32, i32 }) align 4 %s) #0 {
  ret void
}

; Written: a copy of the thread's own. What is known of it is known of the argument.
; CHECK-LABEL: @writes_param(
; CHECK-NOT: alloca
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr %s, i64 4
; CHECK: [[Y:%.*]] = load i32, ptr [[AT]], align 4
; CHECK: [[SUM:%.*]] = add i32 %n, [[Y]]
; CHECK: store i32 [[SUM]], ptr %p
define void @writes_param(ptr byval({ i32, i32 }) align 4 %s, ptr %p, i32 %n) #0 {
  store i32 %n, ptr %s
  %x = load i32, ptr %s
  %at = getelementptr i8, ptr %s, i64 4
  %y = load i32, ptr %at
  %sum = add i32 %x, %y
  store i32 %sum, ptr %p
  ret void
}

; At an index that is not known: a copy in memory.
; CHECK-LABEL: @indexes_param(
; CHECK: %s.copy = alloca [4 x i32], align 4
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 4 %s.copy, ptr align 4 %s, i64 16,
; CHECK: getelementptr i32, ptr %s.copy, i32 %n
define void @indexes_param(ptr byval([4 x i32]) align 4 %s, i32 %n) #0 {
  %at = getelementptr i32, ptr %s, i32 %n
  store i32 1, ptr %at
  ret void
}

; The address escapes: any code that has it might write.
; CHECK-LABEL: @escaping_param(
; CHECK: call void @other(ptr %s.copy)
define void @escaping_param(ptr byval({ i32, i32 }) align 4 %s) #0 {
  call void @other(ptr %s)
  ret void
}

; Not a kernel.
; CHECK-LABEL: @function(
; CHECK-SAME: ptr byval(
; CHECK-NOT: alloca
define void @function(ptr byval({ i32, i32 }) align 4 %s) {
  store i32 1, ptr %s
  ret void
}

declare void @other(ptr)
attributes #0 = { "vx-kernel" }
