; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Local variables that are allocated where they are used: in a branch, in a loop, of a size that is
; known at run time only, and with a constant number of bytes in a loop, as of alloca().
;
; RUN: split-file %s %t
; RUN: %vx_opt -passes=vx-stage-import %t/good.ll | FileCheck %s
; RUN: %vxcc --emit=elf %t/good.ll -o %t.elf
; RUN: %vx_opt -passes=vx-stage-import %t/dynamic.ll | FileCheck --check-prefix=DYNAMIC %s
; RUN: %vxcc --emit=elf %t/dynamic.ll -o %t.elf

;--- good.ll
target triple = "nvptx64-nvidia-cuda"
@format = internal constant [7 x i8] c"%d %f\0A\00"
declare i32 @vprintf(ptr, ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define {{.*}} @report(
; CHECK-NEXT:    [[A:%.*]] = alloca { i32, double }
; CHECK-NEXT:    [[B:%.*]] = alloca i32, i64 4
; CHECK-NOT: alloca
define ptx_kernel void @report(i32 %n, double %f) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %print, label %loop
print:
  %a = alloca { i32, double }, align 8
  store i32 %n, ptr %a
  %second = getelementptr { i32, double }, ptr %a, i32 0, i32 1
  store double %f, ptr %second
  %p = call i32 @vprintf(ptr @format, ptr %a)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ 0, %print ], [ %next, %loop ]
  %b = alloca i32, i64 4, align 8
  store i32 %i, ptr %b
  %q = call i32 @vprintf(ptr @format, ptr %b)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

;--- dynamic.ll
target triple = "nvptx64-nvidia-cuda"

; DYNAMIC-LABEL: define {{.*}} @sized(
; DYNAMIC: [[LAST:%.*]] = alloca ptr
; DYNAMIC: store ptr null, ptr [[LAST]]
; DYNAMIC: [[BYTES:%.*]] = mul i64 %n, 4
; DYNAMIC: [[A:%.*]] = call ptr @__vx_make_local(ptr {{.*}}, i64 [[BYTES]], i64 4)
; DYNAMIC: store ptr [[A]], ptr [[LAST]]
; DYNAMIC: store volatile i32 1, ptr [[A]]
; DYNAMIC: done:
; DYNAMIC: [[END:%.*]] = load ptr, ptr [[LAST]]
; DYNAMIC: call void @__vx_free_locals(ptr [[END]], ptr null)
; DYNAMIC-NEXT: ret void
define ptx_kernel void @sized(ptr %out, i64 %n) {
  %any = icmp ne i64 %n, 0
  br i1 %any, label %some, label %done
some:
  %a = alloca i32, i64 %n
  store volatile i32 1, ptr %a
  %v = load volatile i32, ptr %a
  store i32 %v, ptr %out
  br label %done
done:
  ret void
}

; DYNAMIC-LABEL: define {{.*}} @scoped(
; DYNAMIC: loop:
; DYNAMIC: [[SAVED:%.*]] = load ptr, ptr [[LAST:%.*]]
; DYNAMIC: call ptr @__vx_make_local(ptr {{.*}}, i64 8, i64 16)
; DYNAMIC: call void @__vx_free_locals(ptr {{.*}}, ptr [[SAVED]])
; DYNAMIC: store ptr [[SAVED]], ptr [[LAST]]
; DYNAMIC-NOT: llvm.stack
define ptx_kernel void @scoped(ptr %out, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %s = call ptr @llvm.stacksave.p0()
  %b = alloca i8, i64 8, align 16
  store volatile i64 %i, ptr %b
  call void @llvm.stackrestore.p0(ptr %s)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
