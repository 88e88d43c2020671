; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; By-value arguments of device functions are copied by the caller, in IR.
; RUN: %vx_opt -passes=vx-lower-byval %s | FileCheck %s

; CHECK: define void @callee(ptr align 8 %s)
define void @callee(ptr byval([100 x i64]) align 8 %s) {
  store i64 1, ptr %s
  ret void
}

; CHECK-LABEL: define void @caller(ptr %p, ptr %f)
; CHECK: alloca [100 x i64], align 8
; CHECK: loop:
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %[[COPY:.*]], ptr align 8 %p, i64 800, i1 false)
; CHECK-NEXT: call void @callee(ptr align 8 %[[COPY]])
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: call void %f(ptr align 4 %
; CHECK-NOT: byval(
define void @caller(ptr %p, ptr %f) {
  br label %loop
loop:
  call void @callee(ptr byval([100 x i64]) align 8 %p)
  call void %f(ptr byval([3 x i32]) align 4 %p)
  br i1 poison, label %loop, label %end
end:
  ret void
}

; A kernel's argument is in the argument block.
; CHECK: define void @kernel(ptr byval(i64) %s)
define void @kernel(ptr byval(i64) %s) #0 {
  ret void
}
attributes #0 = { "vx-kernel" }
