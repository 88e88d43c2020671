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

; What the callee does with its copy is access of the caller's memory now: a store before the call
; may not move past it. A tail call could not see that memory.
; CHECK: define i32 @reads(ptr align 4 %s) [[READS:#[0-9]+]]
define i32 @reads(ptr byval([8 x i32]) align 4 %s) #1 {
  %v = load i32, ptr %s
  ret i32 %v
}
; CHECK-LABEL: define i32 @calls_reader(
; CHECK: %v = call i32 @reads(ptr align 4 %{{.*}}) [[READS]]
define i32 @calls_reader(ptr %p) {
  %v = tail call i32 @reads(ptr byval([8 x i32]) align 4 %p) #1
  ret i32 %v
}

; A kernel's argument is in the argument block.
; CHECK: define void @kernel(ptr byval(i64) %s)
define void @kernel(ptr byval(i64) %s) #0 {
  ret void
}
; CHECK: attributes [[READS]] = { memory(argmem: readwrite) }
attributes #0 = { "vx-kernel" }
attributes #1 = { memory(none) }
